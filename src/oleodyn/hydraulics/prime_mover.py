"""Prime movers: what turns the shaft of a pump."""

from oleodyn.machine.part import Input, Output, Part, Power, State, Terms, parameter
from oleodyn.mechanics.port import RotationPort
from oleodyn.units import rpm


class PrimeMover(Part):
    """An engine or electric motor that holds its speed whatever it drives.

    Equations   ω = u w_nom,   power supplied = τ ω, τ the torque that the driven parts take
    Assumes     a governor far faster than the hydraulics.
    References  [1] ISO 1219-1 (2012): prime mover.
    """

    shaft = RotationPort("shaft")

    w_nom: float = parameter("rad/s", "speed at u = 1", within=(0, 1e5), default=1500 * rpm)

    u = Input("-", "speed, part of w_nom", default=1.0)
    angle = State("rad", "angle turned", kind="position", nominal=100.0)
    tau = Output("N·m", "torque delivered")

    def equations(self) -> Terms:
        w, tau = self.u * self.w_nom, -self.shaft.tau
        return Terms(
            der=dict(angle=w),
            hold=dict(shaft=dict(angle=self.angle, speed=w)),
            out=dict(tau=tau),
            power=Power(supplied=dict(shaft=tau * w)),
        )
