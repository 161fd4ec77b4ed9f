"""Mechanical ports: a line, a shaft, a frame."""

from typing import ClassVar

from oleodyn.machine.port import Port, Quantity


class LinePort(Port):
    """A length and its rate, and the force along it (a cylinder, a sliding joint).

    F into a part is the force ON that part along growing s: a pushing cylinder writes −F.
    """

    across: ClassVar = {"s": Quantity("m", "length"), "v": Quantity("m/s", "rate of the length")}
    through: ClassVar = {"F": Quantity("N", "force on the part along growing length")}
    rate: ClassVar = {"F": "v"}
    stored: ClassVar = "v"
    shadow: ClassVar = {"s": "v"}
    kind: ClassVar = "speed"


class RotationPort(Port):
    """An angle and its rate, and the torque about it (a shaft, a revolute joint)."""

    across: ClassVar = {"angle": Quantity("rad", "angle"), "speed": Quantity("rad/s", "rate of the angle")}
    through: ClassVar = {"tau": Quantity("N·m", "torque on the part along growing angle")}
    rate: ClassVar = {"tau": "speed"}
    stored: ClassVar = "speed"
    shadow: ClassVar = {"angle": "speed"}
    kind: ClassVar = "speed"


class FramePort(Port):
    """A frame F on a body: pose and twist in world axes, and the wrench at its origin.

    `into` is the pair (F, tau): force and moment ON the part, world axes, about the origin.
    """

    across: ClassVar = {
        "r": Quantity("m", "position r_WF", (3,)),
        "R": Quantity("-", "rotation R_WF, frame to world", (3, 3)),
        "v": Quantity("m/s", "velocity of the origin", (3,)),
        "w": Quantity("rad/s", "angular velocity", (3,)),
    }
    through: ClassVar = {
        "F": Quantity("N", "force on the part", (3,)),
        "tau": Quantity("N·m", "moment on the part about the origin", (3,)),
    }
    rate: ClassVar = {"F": "v", "tau": "w"}
    kind: ClassVar = "other"
