"""Stribeck friction: the force falls from break-away to sliding as the speed grows."""

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Output, Part, Power, Terms, parameter
from oleodyn.maths import exp, fabs, fmax, sign


def power(x, n, x_tiny=1e-12):
    """Power xⁿ for x ≥ 0 with a finite slope at 0 for any n: exact from x_tiny up, linear below.

    >>> power(x=0.0, n=0.5), power(x=4.0, n=0.5), power(x=3.0, n=2.0)
    (0.0, 2.0, 9.0)
    """
    if isinstance(n, (int, float)) and n == 2:
        return x * x
    return x * fmax(x, x_tiny) ** (n - 1)


def stribeck(v, F_c, F_s, v_s, n=2.0):
    """Sliding force without its viscous part [N or N·m]: falls from F_s to F_c over v_s.

    >>> stribeck(v=0.0, F_c=100.0, F_s=160.0, v_s=0.01)
    160.0
    >>> round(stribeck(v=-0.05, F_c=210.0, F_s=830.0, v_s=0.0125, n=0.5), 6)
    293.907876
    """
    return F_c + (F_s - F_c) * exp(-power(fabs(v) / v_s, n))


def sliding_force(v, F_c, F_s, v_s, sigma_2, n=2.0):
    """Force at the steady speed v [N or N·m]: g(v) sign(v) + σ₂ v, and nothing at rest.

    >>> round(sliding_force(v=0.005, F_c=200.0, F_s=260.0, v_s=0.01, sigma_2=800.0), 3)
    250.728
    """
    return stribeck(v, F_c, F_s, v_s, n) * sign(v) + sigma_2 * v


def check_break_away(law: str, F_c: float, F_s: float) -> None:
    """Refuse a break-away force below the sliding force; for `check` of the laws that have both."""
    if F_s < F_c:
        raise DeclarationError(
            f"{law}.F_s = {F_s:g} N|N·m: must be at least F_c = {F_c:g} N|N·m "
            "(a body breaks away at F_s and slides on at F_c). Were the two exchanged?"
        )


class ExponentialStribeck(Part):
    """Static Stribeck friction, discontinuous at rest: for comparison, not for use.

    Equations   g(v) = F_c + (F_s − F_c) exp(−(|v| / v_s)ⁿ)
                F    = g(v) sign(v) + σ₂ v                       force against the motion
    Limits      v = 0 gives F = 0: nothing holds at rest, and a Newton iteration that has to find
                a body at rest finds no slope there.
    References  [1] Bo & Pavelescu (1982) Wear 82(3) 277-289.
                [2] Armstrong-Hélouvry, Dupont & Canudas de Wit (1994) Automatica 30(7) 1083-1138: survey.
    """

    passive = True
    exceptions = {
        "jump": "F jumps by 2 F_s where v passes zero, as printed",
        "tangent": "the jump has no slope",
    }

    F_c: float = parameter("N|N·m", "Coulomb (sliding) friction", above=0)
    F_s: float = parameter("N|N·m", "break-away friction, at least F_c", above=0)
    v_s: float = parameter("m/s|rad/s", "Stribeck speed", above=0)
    sigma_2: float = parameter("N·s/m|N·m·s/rad", "viscous drag", within=(0, float("inf")), default=0.0)
    n: float = parameter("-", "exponent of the Stribeck curve", above=0, default=2.0)

    F = Output("N|N·m", "friction against the motion")

    def check(self) -> None:
        check_break_away(type(self).__name__, self.F_c, self.F_s)

    def equations(self, v) -> Terms:
        F = sliding_force(v, self.F_c, self.F_s, self.v_s, self.sigma_2, self.n)
        return Terms(out=dict(F=F), power=Power(lost=dict(friction=F * v)))
