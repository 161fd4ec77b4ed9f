"""Joints: how one body may move against another."""

import math

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Part, ingredient, parameter, structure
from oleodyn.mechanics.freedom import Ball, Freedom, Slide, Turn
from oleodyn.mechanics.quaternion import from_rpy
from oleodyn.mechanics.stop import LineStop, RotationStop
from oleodyn.mechanics.vector import ZERO, Vector, cross, dot

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
QUATERNION, SPIN = ("q_w", "q_x", "q_y", "q_z"), ("w_x", "w_y", "w_z")
NO_LESS = (0.0, math.inf)


class Joint(Part):
    """What all joints have: two bodies, and where the joint sits on each.

    Equations   X_PC = X_PJ X(q) X_JC, with X_PJ from position and orientation in the parent P
                and X_JC the inverse of child_position and child_orientation in the child C
    Assumes     by default the child's frame is the joint's frame after its motion.
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 4.
    """

    parent: str = structure("body that carries the joint, or world", default="world")
    child: str = structure("body that the joint moves")
    position: Vector = parameter("m", "where the joint is, in the parent's frame", shape=(3,), default=ZERO)
    orientation: Vector = parameter("rad", "roll, pitch, yaw of the joint in the parent", shape=(3,), default=ZERO)
    child_position: Vector = parameter("m", "where the joint is, in the child's frame", shape=(3,), default=ZERO)
    child_orientation: Vector = parameter("rad", "roll, pitch, yaw of the joint in the child", shape=(3,), default=ZERO)

    def freedoms(self) -> list[Freedom]:
        """The elementary motions from parent to child."""
        return []

    def check(self) -> None:
        """Every axis has a direction."""
        for name in ("axis", "axis_1", "axis_2"):
            axis = getattr(self, name, None)
            if axis is not None and not dot(axis, axis) > 0:
                raise DeclarationError(
                    f"{type(self).__name__}.{name} = {axis}: has no direction. Give a vector such as [0, 0, 1]."
                )


class Fixed(Joint):
    """Two bodies bolted together.

    Equations   X(q) = 1
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 4.
    """


class Revolute(Joint):
    """A hinge: the child turns by q about the axis.

    Equations   X(q) = Rot(axis, q),  v = q̇,  M_friction = −damping q̇
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 4.
    """

    axis: Vector = parameter("-", "direction of the axis, in the joint's frame", shape=(3,), default=Z)
    q_0: float = parameter("rad", "angle at the start", default=0.0)
    q_dot_0: float = parameter("rad/s", "speed at the start", default=0.0)
    damping: float = parameter("N·m·s/rad", "viscous friction", within=NO_LESS, default=0.0)
    stop: RotationStop | None = ingredient("ends of the range", default=None)

    def freedoms(self) -> list[Freedom]:
        """One turn."""
        return [
            Turn(axis=self.axis, port="", q_0=(self.q_0,), v_0=(self.q_dot_0,), damping=self.damping, stop=self.stop)
        ]


class Prismatic(Joint):
    """A guide: the child slides by q along the axis.

    Equations   X(q) = Trans(axis q),  v = q̇,  F_friction = −damping q̇
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 4.
    """

    axis: Vector = parameter("-", "direction of the axis, in the joint's frame", shape=(3,), default=Z)
    q_0: float = parameter("m", "length at the start", default=0.0)
    q_dot_0: float = parameter("m/s", "speed at the start", default=0.0)
    damping: float = parameter("N·s/m", "viscous friction", within=NO_LESS, default=0.0)
    stop: LineStop | None = ingredient("ends of the range", default=None)

    def freedoms(self) -> list[Freedom]:
        """One slide."""
        return [
            Slide(axis=self.axis, port="", q_0=(self.q_0,), v_0=(self.q_dot_0,), damping=self.damping, stop=self.stop)
        ]


class Cylindrical(Joint):
    """A shaft in a sleeve: the child slides along the axis and turns about it.

    Equations   X(q) = Trans(axis slide) Rot(axis, turn)
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 4.
    """

    axis: Vector = parameter("-", "direction of the axis, in the joint's frame", shape=(3,), default=Z)
    slide_0: float = parameter("m", "length at the start", default=0.0)
    slide_dot_0: float = parameter("m/s", "sliding speed at the start", default=0.0)
    turn_0: float = parameter("rad", "angle at the start", default=0.0)
    turn_dot_0: float = parameter("rad/s", "turning speed at the start", default=0.0)
    slide_damping: float = parameter("N·s/m", "viscous friction of sliding", within=NO_LESS, default=0.0)
    turn_damping: float = parameter("N·m·s/rad", "viscous friction of turning", within=NO_LESS, default=0.0)
    slide_stop: LineStop | None = ingredient("ends of the sliding range", default=None)
    turn_stop: RotationStop | None = ingredient("ends of the turning range", default=None)

    def freedoms(self) -> list[Freedom]:
        """A slide, then a turn."""
        slide = Slide(
            q=("slide",), v=("slide_dot",), axis=self.axis, port="_slide", q_0=(self.slide_0,),
            v_0=(self.slide_dot_0,), damping=self.slide_damping, stop=self.slide_stop,
        )  # fmt: skip
        turn = Turn(
            q=("turn",), v=("turn_dot",), axis=self.axis, port="_turn", q_0=(self.turn_0,),
            v_0=(self.turn_dot_0,), damping=self.turn_damping, stop=self.turn_stop,
        )  # fmt: skip
        return [slide, turn]


class Universal(Joint):
    """A cardan joint: two hinges in series, without mass between them.

    Equations   X(q) = Rot(axis_1, q_1) Rot(axis_2, q_2)
    Limits      locks when q_2 brings axis_1 (of the parent) onto the child's third axis: ±90°.
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 4.
    """

    axis_1: Vector = parameter("-", "axis fixed to the parent, in the joint's frame", shape=(3,), default=X)
    axis_2: Vector = parameter("-", "axis fixed to the child, in the joint's frame at q_1 = 0", shape=(3,), default=Y)
    q_1_0: float = parameter("rad", "first angle at the start", default=0.0)
    q_2_0: float = parameter("rad", "second angle at the start", default=0.0)
    q_1_dot_0: float = parameter("rad/s", "first speed at the start", default=0.0)
    q_2_dot_0: float = parameter("rad/s", "second speed at the start", default=0.0)
    damping: float = parameter("N·m·s/rad", "viscous friction about each axis", within=NO_LESS, default=0.0)
    stop_1: RotationStop | None = ingredient("ends of the first range", default=None)
    stop_2: RotationStop | None = ingredient("ends of the second range", default=None)

    def check(self) -> None:
        """The two axes differ."""
        super().check()
        n = cross(self.axis_1, self.axis_2)
        if not dot(n, n) > 1e-12 * dot(self.axis_1, self.axis_1) * dot(self.axis_2, self.axis_2):
            raise DeclarationError(
                f"Universal.axis_2 = {self.axis_2}: is parallel to axis_1 = {self.axis_1}. "
                "Choose it across, or use Revolute."
            )

    def freedoms(self) -> list[Freedom]:
        """Two turns."""
        first = Turn(
            q=("q_1",), v=("q_1_dot",), axis=self.axis_1, port="_1", q_0=(self.q_1_0,), v_0=(self.q_1_dot_0,),
            damping=self.damping, stop=self.stop_1,
        )  # fmt: skip
        second = Turn(
            q=("q_2",), v=("q_2_dot",), axis=self.axis_2, port="_2", q_0=(self.q_2_0,), v_0=(self.q_2_dot_0,),
            damping=self.damping, stop=self.stop_2,
        )  # fmt: skip
        return [first, second]


class Spherical(Joint):
    """A ball in a socket: any rotation, none of them singular.

    Equations   X(q) = R(q), q a unit quaternion (q_w, q_x, q_y, q_z) of child axes in the joint
                q̇ = ½ q ⊗ (0, ω),  ω = (w_x, w_y, w_z) in child axes,  M_friction = −damping ω
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, sec. 4.5.
    """

    orientation_0: Vector = parameter("rad", "roll, pitch, yaw at the start", shape=(3,), default=ZERO)
    w_0: Vector = parameter("rad/s", "angular velocity at the start, in child axes", shape=(3,), default=ZERO)
    damping: float = parameter("N·m·s/rad", "viscous friction", within=NO_LESS, default=0.0)

    def freedoms(self) -> list[Freedom]:
        """One ball."""
        return [Ball(q=QUATERNION, v=SPIN, q_0=from_rpy(self.orientation_0), v_0=self.w_0, damping=self.damping)]


class Floating(Joint):
    """No bond at all: the child moves freely against its parent.

    Equations   X(q) = Trans(r) R(q), r and its rate v in the JOINT's axes (of the parent)
                q̇ = ½ q ⊗ (0, ω),  ω = (w_x, w_y, w_z) in child axes
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, sec. 4.5.
    """

    position_0: Vector = parameter("m", "position at the start", shape=(3,), default=ZERO)
    orientation_0: Vector = parameter("rad", "roll, pitch, yaw at the start", shape=(3,), default=ZERO)
    v_0: Vector = parameter("m/s", "velocity at the start, in the joint's axes", shape=(3,), default=ZERO)
    w_0: Vector = parameter("rad/s", "angular velocity at the start, in child axes", shape=(3,), default=ZERO)

    def freedoms(self) -> list[Freedom]:
        """Three slides, then a ball."""
        slides: list[Freedom] = [
            Slide(q=(f"r_{name}",), v=(f"v_{name}",), axis=axis, q_0=(r,), v_0=(v,))
            for name, axis, r, v in zip("xyz", (X, Y, Z), self.position_0, self.v_0, strict=True)
        ]
        return [*slides, Ball(q=QUATERNION, v=SPIN, q_0=from_rpy(self.orientation_0), v_0=self.w_0)]
