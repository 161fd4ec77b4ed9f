"""LuGre friction: bristles that bend before they slip."""

from oleodyn.friction.stribeck import check_break_away, stribeck
from oleodyn.machine.part import Output, Part, Power, State, Terms, parameter
from oleodyn.maths import exp, fabs


def bristle_rate(v, z, sigma_0, g):
    """Rate of the bristle deflection [m/s or rad/s]: they follow v, and slip as they near g / σ₀.

    >>> bristle_rate(v=0.5, z=1e-4, sigma_0=2e6, g=200.0)  # bent to g / σ₀: all slip
    0.0
    >>> bristle_rate(v=0.5, z=0.0, sigma_0=2e6, g=200.0)  # straight: they move along
    0.5
    """
    return v - sigma_0 * fabs(v) * z / g


class LuGre(Part):
    """Dynamic friction: presliding, break-away, Stribeck dip, viscous drag.

    Equations   g(v) = F_c + (F_s − F_c) exp(−(|v| / v_s)ⁿ)
                ż    = v − σ₀ |v| z / g(v)                      bristle deflection
                F    = σ₀ z + σ₁ exp(−(v / v_d)²) ż + σ₂ v      force against the motion
                lost = σ₀ z (v − ż) + (F − σ₀ z) v,   stored = ½ σ₀ z²
    Limits      ż = 0 gives F = g(v) sign(v) + σ₂ v;  |z| never leaves F_s / σ₀.
    Assumes     constant normal force. |v| is exact: a rounded speed would creep under load.
                Without v_d the bristle damping is constant, as first printed, and can give power
                when bristles bent at rest meet a sudden speed; it never does with v_d ≤ 9 F_c / σ₁.
    Step size   an explicit step needs dt < 2 F_c / (σ₀ |v|); else use an implicit stepper.
    References  [1] Canudas de Wit et al. (1995) IEEE TAC 40(3) 419-425: the model.
                [2] Barabanov & Ortega (2000) IEEE TAC 45(4) 830-832: when it is passive.
                [3] Jaiswal (2021) LUT Acta 981, eq. 2.45-2.47: with the exponent n = ½.
    """

    passive = True
    exceptions = {"passive": "constant σ₁ gives power where σ₁ |v| > 4 g(v) and z is still that of rest, as printed"}

    F_c: float = parameter("N|N·m", "Coulomb (sliding) friction", above=0)
    F_s: float = parameter("N|N·m", "break-away friction, at least F_c", above=0)
    v_s: float = parameter("m/s|rad/s", "Stribeck speed", above=0)
    sigma_0: float = parameter("N/m|N·m/rad", "bristle stiffness", above=0)
    sigma_1: float = parameter("N·s/m|N·m·s/rad", "bristle damping", within=(0, float("inf")), default=0.0)
    sigma_2: float = parameter("N·s/m|N·m·s/rad", "viscous drag", within=(0, float("inf")), default=0.0)
    n: float = parameter("-", "exponent of the Stribeck curve", above=0, default=2.0)
    v_d: float | None = parameter("m/s|rad/s", "speed over which bristle damping fades", above=0, default=None)

    z = State("m|rad", "bristle deflection", kind="bristle", nominal=1e-5)
    F = Output("N|N·m", "friction against the motion")

    def check(self) -> None:
        check_break_away(type(self).__name__, self.F_c, self.F_s)

    def g(self, v):
        """Force at which the bristles slip [N or N·m]."""
        return stribeck(v, self.F_c, self.F_s, self.v_s, self.n)

    def equations(self, v) -> Terms:
        z_dot = bristle_rate(v, self.z, self.sigma_0, self.g(v))
        sigma_1 = self.sigma_1 if self.v_d is None else self.sigma_1 * exp(-((v / self.v_d) ** 2))
        spring = self.sigma_0 * self.z
        drag = sigma_1 * z_dot + self.sigma_2 * v
        return Terms(
            der=dict(z=z_dot),
            out=dict(F=spring + drag),
            energy=dict(bristle=spring * self.z / 2),
            power=Power(lost=dict(friction=spring * (v - z_dot) + drag * v)),
        )
