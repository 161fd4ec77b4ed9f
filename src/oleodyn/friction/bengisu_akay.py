"""Bengisu-Akay friction: a parabola up to break-away, an exponential fall after it."""

from oleodyn.friction.stribeck import check_break_away
from oleodyn.machine.part import Output, Part, Power, Terms, parameter, structure
from oleodyn.maths import exp, fabs, fmax, sign, where


def bengisu_akay(v, F_c, F_s, v_s, xi):
    """Dry part of the force [N or N·m]: 0 at rest, ±F_s at ±v_s, ±F_c far beyond.

    >>> round(bengisu_akay(v=0.005, F_c=210.0, F_s=830.0, v_s=0.0125, xi=50.0), 6)
    531.2
    """
    speed = fabs(v)
    rising = F_s * (v / v_s) * (2 - speed / v_s)  # (F_s − F_s (|v| − v_s)² / v_s²) sign(v), sloped at rest
    falling = F_c + (F_s - F_c) * exp(-xi * fmax(speed - v_s, 0.0))
    return where(speed < v_s, rising, falling * sign(v))


class BengisuAkay(Part):
    """Static friction in two branches, with viscous drag in the second as published.

    Equations   F = (F_s − (F_s / v_s²) (|v| − v_s)²) sign(v)                    |v| < v_s
                F = (F_c + (F_s − F_c) exp(−ξ (|v| − v_s))) sign(v) + σ₂ v       |v| ≥ v_s
    Limits      F jumps by σ₂ v_s at |v| = v_s; `viscous_everywhere` adds σ₂ v to both branches
                and closes the jump. At rest it is viscous with 2 F_s / v_s: a load creeps.
    References  [1] Bengisu & Akay (1994) J. Sound and Vibration 171(4) 557-570: dry branches.
                [2] Jaiswal (2021) LUT Acta 981, eq. 2.41-2.43: with σ₂ v in the second.
    """

    passive = True
    exceptions = {"jump": "F jumps by σ₂ v_s at |v| = v_s, as printed, unless viscous_everywhere"}

    F_c: float = parameter("N|N·m", "Coulomb (sliding) friction", above=0)
    F_s: float = parameter("N|N·m", "largest friction, at v_s; at least F_c", above=0)
    v_s: float = parameter("m/s|rad/s", "speed of the largest friction", above=0)
    xi: float = parameter("s/m|s/rad", "rate of the fall beyond v_s", within=(0, float("inf")))
    sigma_2: float = parameter("N·s/m|N·m·s/rad", "viscous drag", within=(0, float("inf")), default=0.0)
    viscous_everywhere: bool = structure("viscous drag in both branches, not only beyond v_s", default=False)

    F = Output("N|N·m", "friction against the motion")

    def check(self) -> None:
        check_break_away(type(self).__name__, self.F_c, self.F_s)

    def equations(self, v) -> Terms:
        drag = self.sigma_2 * v
        if not self.viscous_everywhere:
            drag = where(fabs(v) < self.v_s, 0.0, drag)
        F = bengisu_akay(v, self.F_c, self.F_s, self.v_s, self.xi) + drag
        return Terms(out=dict(F=F), power=Power(lost=dict(friction=F * v)))
