"""Brown-McPhee friction: a smooth static law with a Stribeck hump."""

from oleodyn.friction.stribeck import check_break_away
from oleodyn.machine.part import Output, Part, Power, Terms, parameter
from oleodyn.maths import tanh


def brown_mcphee(v, F_c, F_s, v_s, sigma_2):
    """Friction force against the motion [N or N·m], smooth through rest.

    >>> round(brown_mcphee(v=0.0125, F_c=210.0, F_s=830.0, v_s=0.0125, sigma_2=330.0), 6)
    833.981386
    """
    x = v / v_s
    hump = x / (x * x / 4 + 0.75) ** 2
    return F_c * tanh(4 * x) + (F_s - F_c) * hump + sigma_2 * v * tanh(4.0)


class BrownMcPhee(Part):
    """Static friction, smooth everywhere, largest close to v_s.

    Equations   x = |v| / v_s
                F = (F_c tanh 4x + (F_s − F_c) x / (x²/4 + 3/4)²) sign(v) + σ₂ v tanh 4
    Limits      at rest it is viscous with (4 F_c + 16/9 (F_s − F_c)) / v_s + σ₂ tanh 4: a load creeps.
    References  [1] Brown & McPhee (2016) J. Comput. Nonlinear Dynamics 11(5) 054502.
                [2] Jaiswal (2021) LUT Acta 981, eq. 2.44: the constant tanh 4 in the last term.
    """

    passive = True

    F_c: float = parameter("N|N·m", "Coulomb (sliding) friction", above=0)
    F_s: float = parameter("N|N·m", "largest friction, at v_s; at least F_c", above=0)
    v_s: float = parameter("m/s|rad/s", "Stribeck speed", above=0)
    sigma_2: float = parameter("N·s/m|N·m·s/rad", "viscous drag", within=(0, float("inf")), default=0.0)

    F = Output("N|N·m", "friction against the motion")

    def check(self) -> None:
        check_break_away(type(self).__name__, self.F_c, self.F_s)

    def equations(self, v) -> Terms:
        F = brown_mcphee(v, self.F_c, self.F_s, self.v_s, self.sigma_2)
        return Terms(out=dict(F=F), power=Power(lost=dict(friction=F * v)))
