"""Springs with dampers, along a line or about a shaft."""

from oleodyn.machine.part import Part, Power, Terms, parameter
from oleodyn.mechanics.port import LinePort, RotationPort

INFINITY = float("inf")


class SpringDamper(Part):
    """A spring and a damper side by side along a line.

    Equations   F = k (s − s_free) + c v          on the spring, along growing length
    References  [1] Karnopp, Margolis & Rosenberg (2012) System Dynamics, sec. 3.2.
    """

    passive = True
    rod = LinePort("line along which the spring acts")
    k: float = parameter("N/m", "stiffness", within=(0, INFINITY))
    c: float = parameter("N·s/m", "damping", within=(0, INFINITY), default=0.0)
    s_free: float = parameter("m", "length at which the spring is free", default=0.0)

    def equations(self) -> Terms:
        """Force on the spring, heat and stored energy."""
        stretch, v = self.rod.s - self.s_free, self.rod.v
        return Terms(
            into=dict(rod=self.k * stretch + self.c * v),
            power=Power(lost=dict(damping=self.c * v * v)),
            energy=dict(spring=self.k * stretch * stretch / 2),
        )


class TorsionSpringDamper(Part):
    """A spring and a damper side by side about a shaft.

    Equations   τ = k (angle − angle_free) + c speed      on the spring, along growing angle
    References  [1] Karnopp, Margolis & Rosenberg (2012) System Dynamics, sec. 3.2.
    """

    passive = True
    shaft = RotationPort("shaft about which the spring acts")
    k: float = parameter("N·m/rad", "stiffness", within=(0, INFINITY))
    c: float = parameter("N·m·s/rad", "damping", within=(0, INFINITY), default=0.0)
    angle_free: float = parameter("rad", "angle at which the spring is free", default=0.0)

    def equations(self) -> Terms:
        """Torque on the spring, heat and stored energy."""
        turn, speed = self.shaft.angle - self.angle_free, self.shaft.speed
        return Terms(
            into=dict(shaft=self.k * turn + self.c * speed),
            power=Power(lost=dict(damping=self.c * speed * speed)),
            energy=dict(spring=self.k * turn * turn / 2),
        )
