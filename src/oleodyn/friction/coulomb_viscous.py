"""Coulomb and viscous friction with a smooth passage through rest."""

from oleodyn.machine.part import Output, Part, Power, Terms, parameter
from oleodyn.maths import tanh


def coulomb_viscous(v, F_c, v_t, c):
    """Rounded Coulomb force with viscous drag [N or N·m].

    >>> round(coulomb_viscous(v=0.01, F_c=1200.0, v_t=0.01, c=3000.0), 6)
    943.912987
    """
    return F_c * tanh(v / v_t) + c * v


class CoulombViscous(Part):
    """Coulomb friction, rounded around rest, with viscous drag.

    Equations   F = F_c tanh(v / v_t) + c v                      force against the motion
    Limits      odd, continuous and growing everywhere; below v_t it is viscous with F_c / v_t, so
                a load creeps at about v_t · load / F_c instead of holding.
    References  [1] Pennestrì et al. (2016) Nonlinear Dynamics 83(4) 1785-1801: review, smoothed Coulomb.
    """

    passive = True

    F_c: float = parameter("N|N·m", "Coulomb friction", within=(0, float("inf")))
    v_t: float = parameter("m/s|rad/s", "speed over which the force turns round", above=0, default=0.01)
    c: float = parameter("N·s/m|N·m·s/rad", "viscous drag", within=(0, float("inf")), default=0.0)

    F = Output("N|N·m", "friction against the motion")

    def equations(self, v) -> Terms:
        F = coulomb_viscous(v, self.F_c, self.v_t, self.c)
        return Terms(out=dict(F=F), power=Power(lost=dict(friction=F * v)))
