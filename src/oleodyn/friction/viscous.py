"""Viscous friction: a force in proportion to speed."""

from oleodyn.machine.part import Output, Part, Power, Terms, parameter


def viscous(v, c):
    """Viscous force against the motion [N or N·m].

    >>> viscous(v=0.1, c=1.944e5)
    19440.0
    """
    return c * v


class Viscous(Part):
    """Viscous drag.

    Equations   F = c v                                          force against the motion
    Assumes     a full oil film at any speed, so nothing holds at rest. N·m and rad on a rotary joint.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 6.
    """

    passive = True

    c: float = parameter("N·s/m|N·m·s/rad", "viscous drag", within=(0, float("inf")))

    F = Output("N|N·m", "friction against the motion")

    def equations(self, v) -> Terms:
        F = viscous(v, self.c)
        return Terms(out=dict(F=F), power=Power(lost=dict(friction=F * v)))
