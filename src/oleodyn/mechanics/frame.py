"""Frames and lines: where other parts meet a mechanism."""

from oleodyn.machine.part import Part, parameter, structure
from oleodyn.mechanics.vector import ZERO, Vector


class Frame(Part):
    """A named frame F on a body: a port for wrenches, and a place to look at.

    Equations   X_WF = X_WB X_BF, with X_BF from position and orientation
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 2.
    """

    body: str = structure("body that carries the frame, or world", default="world")
    position: Vector = parameter("m", "where the frame is, in the body's frame", shape=(3,), default=ZERO)
    orientation: Vector = parameter("rad", "roll, pitch, yaw of the frame in the body", shape=(3,), default=ZERO)


class Line(Part):
    """The straight line between a point of one body and a point of another: a port for cylinders.

    Equations   s = |r_AB|,  v = ṡ = (r_AB · v_AB) / s
    Assumes     the points never meet: at s = 0 a line has no direction.
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 2.
    """

    from_body: str = structure("body on which the line begins, or world", default="world")
    from_point: Vector = parameter("m", "where the line begins, in that body's frame", shape=(3,), default=ZERO)
    to_body: str = structure("body on which the line ends, or world")
    to_point: Vector = parameter("m", "where the line ends, in that body's frame", shape=(3,), default=ZERO)
