"""Inertia in one dimension: a rotor on a shaft, a mass on a line."""

from oleodyn.machine.part import Part, Terms, parameter
from oleodyn.mechanics.port import LinePort, RotationPort


class Inertia(Part):
    """A rotor: on a mechanism's joint it joins the mass matrix, on other shafts it is what moves.

    Equations   I d(speed)/dt = Σ τ
    References  [1] Karnopp, Margolis & Rosenberg (2012) System Dynamics, sec. 3.2: inertias.
    """

    passive = True
    shaft = RotationPort("shaft that turns with the rotor")
    I: float = parameter("kg·m²", "moment of inertia about the shaft", above=0)
    angle_0: float | None = parameter("rad", "angle at the start, where no mechanism gives it", default=None)
    speed_0: float | None = parameter("rad/s", "speed at the start, where no mechanism gives it", default=None)

    def equations(self) -> Terms:
        """Inertia offered at the shaft."""
        start = {"shaft.angle": self.angle_0, "shaft.speed": self.speed_0}
        return Terms(store=dict(shaft=self.I), start=start)


class Mass(Part):
    """A mass on a line: on a mechanism's line it joins the mass matrix, on others it is what moves.

    Equations   m dv/dt = Σ F
    References  [1] Karnopp, Margolis & Rosenberg (2012) System Dynamics, sec. 3.2: inertias.
    """

    passive = True
    rod = LinePort("line along which the mass moves")
    m: float = parameter("kg", "mass", above=0)
    s_0: float | None = parameter("m", "position at the start, where no mechanism gives it", default=None)
    v_0: float | None = parameter("m/s", "speed at the start, where no mechanism gives it", default=None)

    def equations(self) -> Terms:
        """Mass offered at the line."""
        return Terms(store=dict(rod=self.m), start={"rod.s": self.s_0, "rod.v": self.v_0})
