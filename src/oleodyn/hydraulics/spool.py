"""Spools: how the moving part of a valve follows its command."""

from oleodyn.machine.part import Part, State, Terms, parameter
from oleodyn.maths import clip


def limited(rate, rate_max=None):
    """A rate kept within ±rate_max, if there is such a limit.

    >>> limited(40.0, 25.0), limited(-40.0, 25.0), limited(40.0)
    (25.0, -25.0, 40.0)
    """
    return rate if rate_max is None else clip(rate, -rate_max, rate_max)


def spool_acceleration(u, x, x_dot, w, zeta, x_dot_max=None):
    """Acceleration of a second-order spool [1/s²]: w² (u − x) − 2 ζ w ẋ, with a speed limit.

    The speed aimed at, w (u − x) / 2ζ, is what is limited; without a limit nothing is changed.

    >>> spool_acceleration(u=1.0, x=0.25, x_dot=2.0, w=100.0, zeta=0.8)
    7180.0
    """
    return 2 * zeta * w * (limited(w * (u - x) / (2 * zeta), x_dot_max) - x_dot)


class InstantSpool(Part):
    """A spool without delay.

    Equations   x = u
    References  [1] Petrović & Mattila (2022) Mech. Mach. Theory 104680, eq. 82: static valve.
    """

    passive = True

    def position(self, u):
        """Where the spool is, part of full stroke."""
        return u

    def equations(self, u) -> Terms:
        return Terms()


class FirstOrderSpool(Part):
    """A spool that lags.

    Equations   ẋ = (u − x) / τ,   |ẋ| ≤ x_dot_max
    References  [1] Jaiswal (2021) LUT Acta 981, eq. 2.39.
    """

    passive = True

    tau: float = parameter("s", "time constant", above=0)
    x_dot_max: float | None = parameter("1/s", "fastest travel, full strokes per second", above=0, default=None)

    x = State("-", "spool position, part of full stroke", kind="spool")

    def position(self, u):
        """Where the spool is, part of full stroke."""
        return self.x

    def equations(self, u) -> Terms:
        return Terms(der=dict(x=limited((u - self.x) / self.tau, self.x_dot_max)))


class SecondOrderSpool(Part):
    """A spool with mass, spring and damping, as in data sheets of servo valves.

    Equations   ẍ = ω² (u − x) − 2 ζ ω ẋ;   with x_dot_max: ẍ = 2 ζ ω (lim(ω (u − x) / 2ζ) − ẋ)
                |x| ≤ 1: there the spool lies against its end until it turns back
    Limits      with x_dot_max a full step takes no less than 2/x_dot_max; smaller ones are unchanged.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 7: servo valves as second order.
    """

    passive = True

    w: float = parameter("rad/s", "natural frequency", above=0, default=150.0)
    zeta: float = parameter("-", "damping ratio", above=0, default=0.8)
    x_dot_max: float | None = parameter("1/s", "fastest travel, full strokes per second", above=0, default=None)

    x = State("-", "spool position, part of full stroke", kind="spool")
    x_dot = State("1/s", "spool speed", kind="spool", nominal=100.0)

    def position(self, u):
        """Where the spool is, part of full stroke."""
        return self.x

    def equations(self, u) -> Terms:
        x_ddot = spool_acceleration(u, self.x, self.x_dot, self.w, self.zeta, self.x_dot_max)
        return Terms(der=dict(x=self.x_dot, x_dot=x_ddot), clamp=dict(x=(-1.0, 1.0)))


Spool = InstantSpool | FirstOrderSpool | SecondOrderSpool
"""what valves take as `spool`: these, or any part with position(u) and equations(u)"""
