"""Sources: a torque, a force or a wrench that a signal commands."""

from oleodyn.machine.part import Input, Part, Power, Terms
from oleodyn.mechanics.port import FramePort, LinePort, RotationPort
from oleodyn.mechanics.vector import dot


class TorqueSource(Part):
    """An ideal motor: the commanded torque acts on what it is connected to, along growing angle.

    Equations   P = τ · speed                     power supplied
    References  [1] Karnopp, Margolis & Rosenberg (2012) System Dynamics, sec. 3.2: effort sources.
    """

    shaft = RotationPort("what the torque turns")
    tau = Input("N·m", "torque on what is connected, along growing angle")

    def equations(self) -> Terms:
        """The reaction on the source, and the power it gives."""
        return Terms(into=dict(shaft=-self.tau), power=Power(supplied=dict(torque=self.tau * self.shaft.speed)))


class ForceSource(Part):
    """An ideal linear drive: the commanded force acts on what it is connected to, along growing length.

    Equations   P = F · v                         power supplied
    References  [1] Karnopp, Margolis & Rosenberg (2012) System Dynamics, sec. 3.2: effort sources.
    """

    rod = LinePort("what the force pushes")
    F = Input("N", "force on what is connected, along growing length")

    def equations(self) -> Terms:
        """The reaction on the source, and the power it gives."""
        return Terms(into=dict(rod=-self.F), power=Power(supplied=dict(force=self.F * self.rod.v)))


class WrenchSource(Part):
    """A force and a moment on a frame, both in world axes, about the frame's origin.

    Equations   P = F · v + τ · ω                 power supplied
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 2.
    """

    frame = FramePort("where the wrench acts")
    F_x = Input("N", "force along the world's x")
    F_y = Input("N", "force along the world's y")
    F_z = Input("N", "force along the world's z")
    tau_x = Input("N·m", "moment about the world's x")
    tau_y = Input("N·m", "moment about the world's y")
    tau_z = Input("N·m", "moment about the world's z")

    def equations(self) -> Terms:
        """The reaction on the source, and the power it gives."""
        F, tau = (self.F_x, self.F_y, self.F_z), (self.tau_x, self.tau_y, self.tau_z)
        reaction = tuple(-f for f in F), tuple(-n for n in tau)
        power = dot(F, self.frame.v) + dot(tau, self.frame.w)
        return Terms(into=dict(frame=reaction), power=Power(supplied=dict(wrench=power)))
