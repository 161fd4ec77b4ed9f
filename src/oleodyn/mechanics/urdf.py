"""URDF: the robot description of ROS as a Mechanism.

Links become bodies, joints become joints, limits become stops. What a Mechanism has no place for
(Coulomb friction, mimic joints) is refused by name unless `ignore` names it. Ratings of the drives
(effort, velocity) and looks (visual, collision, transmission) say nothing about the mechanism.
"""

import math
import os
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import nearest
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame
from oleodyn.mechanics.joint import Fixed, Floating, Joint, Prismatic, Revolute
from oleodyn.mechanics.markup import Element, contents, parse
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.rotation import rotation
from oleodyn.mechanics.stop import LineStop, RotationStop
from oleodyn.mechanics.vector import ZERO, Matrix, Vector, product, transposed

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating")
IGNORABLE = ("friction", "mimic")
ROTATION_STOP = RotationStop(stiffness=1e4, damping=1e2)
LINE_STOP = LineStop(stiffness=1e6, damping=1e4)


def load_urdf(
    source: str | os.PathLike[str],
    *,
    base: type[Joint] = Fixed,
    rotation_stop: RotationStop | None = ROTATION_STOP,
    line_stop: LineStop | None = LINE_STOP,
    ignore: Collection[str] = (),
) -> Mechanism:
    """The mechanism of a URDF file, or of a text that is URDF itself.

    base             how the root link hangs on the world: Fixed or Floating; a root link named
                     `world` is the world itself
    rotation_stop    the stop that gets a turning joint's limits, since URDF has no stiffness of
    line_stop        limits; None: no stops
    ignore           "friction" and "mimic": pass over what a Mechanism has no place for

    A link without mass at the end of a fixed joint becomes a frame. Names keep letters, digits
    and _; all else in them becomes _.
    """
    unknown = [word for word in ignore if word not in IGNORABLE]
    if unknown:
        raise DeclarationError(f"ignore = {unknown[0]!r}: may hold {' and '.join(IGNORABLE)}")
    data, name = contents(source)
    return _Robot(parse(data, name), name, frozenset(ignore)).mechanism(base, rotation_stop, line_stop)


def urdf_friction(source: str | os.PathLike[str]) -> dict[str, float]:
    """Coulomb friction of each joint that has some [N·m, or N of a sliding joint], by the joint's name here."""
    data, name = contents(source)
    robot = _Robot(parse(data, name), name, frozenset(IGNORABLE))
    names = _plain_names(robot.bonds)
    return {names[joint]: bond.friction for joint, bond in robot.bonds.items() if bond.friction}


@dataclass(frozen=True)
class Link:
    """A link as the file has it."""

    element: Element
    mass: float
    com: Vector
    inertia: Matrix
    bare: bool
    """without an inertial element"""


@dataclass(frozen=True)
class Bond:
    """A joint as the file has it, links by their names in the file."""

    element: Element
    type_: str
    parent: str
    child: str
    position: Vector
    orientation: Vector
    friction: float


class _Robot:
    """A URDF document on its way to a mechanism."""

    def __init__(self, root: Element, file: str, ignore: frozenset[str]):
        self.file = file
        self.element = root
        self.ignore = ignore
        if root.tag != "robot":
            raise self._error(root, f"the root element is <{root.tag}>: must be <robot>")
        self._refuse_xacro(root)
        self.links = {name: self._link(name, element) for name, element in self._named(root, "link").items()}
        if not self.links:
            raise self._error(root, "the robot has no links")
        self.bonds = {name: self._bond(name, element) for name, element in self._named(root, "joint").items()}
        self.root = self._root_link(root)
        self.names = _plain_names([name for name in self.links if name != self.root or name != "world"])
        if self.root == "world":
            self.names["world"] = "world"

    def mechanism(self, base: type[Joint], rotation_stop: RotationStop | None, line_stop: LineStop | None) -> Mechanism:
        """The mechanism."""
        tips = self._tips()
        joint_names = _plain_names(self.bonds)
        joints: dict[str, Any] = {}
        if self.root != "world":
            name = "base" if "base" not in joint_names.values() else f"base_of_{self.names[self.root]}"
            joints[name] = base(child=self.names[self.root])
        frames: dict[str, Frame] = {}
        for name, bond in self.bonds.items():
            parent, child = self.names[bond.parent], self.names[bond.child]
            if name in tips:
                frames[child] = Frame(body=parent, position=bond.position, orientation=bond.orientation)
                continue
            common = dict(parent=parent, child=child, position=bond.position, orientation=bond.orientation)
            joints[joint_names[name]] = self._joint(name, bond, common, rotation_stop, line_stop)
        bodies = {
            self.names[name]: self._made(link.element, f"link {name}", Body, **_inertial(link))
            for name, link in self.links.items()
            if name != "world" and self.names[name] not in frames
        }
        sets = dict(bodies=bodies, joints=joints, frames=frames)
        return self._made(self.element, "robot", Mechanism, **sets)

    # ------------------------------------------------------------------ elements

    def _named(self, root: Element, tag: str) -> dict[str, Element]:
        found: dict[str, Element] = {}
        for element in root.all(tag):
            name = self._attribute(element, "name", f"<{tag}>")
            if name in found:
                first = found[name].line
                raise self._error(element, f"{tag} {name}: is there twice, first in line {first}. Rename one of them.")
            found[name] = element
        return found

    def _link(self, name: str, element: Element) -> Link:
        where = f"link {name}"
        inertial = element.one("inertial")
        if inertial is None:
            return Link(element, 0.0, ZERO, (ZERO, ZERO, ZERO), bare=True)
        com, rpy = self._origin(inertial, where)
        mass = self._number(self._child(inertial, "mass", where), "value", where)
        moments = self._child(inertial, "inertia", where)
        xx, xy, xz, yy, yz, zz = (
            self._number(moments, name, where) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        )
        R = rotation(rpy)
        I = product(product(R, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))), transposed(R))
        return Link(element, mass, com, _symmetric(I), bare=False)

    def _bond(self, name: str, element: Element) -> Bond:
        where = f"joint {name}"
        type_ = self._attribute(element, "type", where)
        if type_ not in TYPES:
            raise self._error(element, f"{where}: type {type_!r} is not read. The types are {', '.join(TYPES)}.")
        ends: list[str] = []
        for tag in ("parent", "child"):
            end = self._child(element, tag, where)
            link = self._attribute(end, "link", f"{where}.{tag}")
            if link not in self.links:
                raise self._error(end, f"{where}.{tag} = {link!r}: there is no such link{nearest(link, self.links)}")
            ends.append(link)
        mimic, dynamics = element.one("mimic"), element.one("dynamics")
        if mimic is not None and "mimic" not in self.ignore:
            raise self._error(
                mimic, f'{where}: mimics another joint, which a Mechanism cannot. Load it with ignore=["mimic"].'
            )
        friction = self._number(dynamics, "friction", where, 0.0) if dynamics is not None else 0.0
        if friction and dynamics is not None and "friction" not in self.ignore:
            raise self._error(
                dynamics,
                f"{where}: has Coulomb friction of {friction:g}, which a Mechanism has not. Connect a friction law "
                'to the joint\'s port, and load it with ignore=["friction"].',
            )
        return Bond(element, type_, ends[0], ends[1], *self._origin(element, where), friction)

    def _joint(
        self,
        name: str,
        bond: Bond,
        common: dict[str, Any],
        rotation_stop: RotationStop | None,
        line_stop: LineStop | None,
    ) -> Joint:
        element, where = bond.element, f"joint {name}"
        if bond.type_ in ("fixed", "floating"):
            return self._made(element, where, Fixed if bond.type_ == "fixed" else Floating, **common)
        dynamics, axis = element.one("dynamics"), element.one("axis")
        common["damping"] = self._number(dynamics, "damping", where, 0.0) if dynamics is not None else 0.0
        common["axis"] = self._vector(axis, "xyz", where) if axis is not None else (1.0, 0.0, 0.0)
        stop = line_stop if bond.type_ == "prismatic" else rotation_stop
        limits = self._limits(element, where) if bond.type_ != "continuous" else None
        if stop is not None and limits is not None:
            values = {field: getattr(stop, field) for field in stop.fields} | limits
            common["stop"] = self._made(element, f"{where}.limit", type(stop), **values)
        return self._made(element, where, Prismatic if bond.type_ == "prismatic" else Revolute, **common)

    def _limits(self, element: Element, where: str) -> dict[str, float] | None:
        """Range of a joint; none where the file gives none, or the 0 to 0 that stands for none."""
        limit = element.one("limit")
        if limit is None or not {"lower", "upper"} & set(limit.attributes):
            return None
        low, high = (self._number(limit, end, f"{where}.limit", 0.0) for end in ("lower", "upper"))
        return dict(low=low, high=high) if (low, high) != (0.0, 0.0) else None

    def _tips(self) -> set[str]:
        """Fixed joints that carry a link without mass on which nothing hangs."""
        carriers = {bond.parent for bond in self.bonds.values()}
        return {
            name
            for name, bond in self.bonds.items()
            if bond.type_ == "fixed" and self.links[bond.child].bare and bond.child not in carriers
        }

    def _root_link(self, root: Element) -> str:
        carried: dict[str, str] = {}
        for name, bond in self.bonds.items():
            if bond.child in carried:
                raise self._error(
                    bond.element,
                    f"joint {name}: link {bond.child!r} is carried by joint {carried[bond.child]!r} already. "
                    "URDF holds trees; close a loop with a loop joint afterwards.",
                )
            carried[bond.child] = name
        roots = [name for name in self.links if name not in carried]
        if not roots:
            raise self._error(root, "every link is carried by a joint: the joints form a ring without a beginning")
        if len(roots) > 1:
            raise self._error(
                self.links[roots[1]].element,
                f"links {', '.join(map(repr, roots))} hang on no joint. Keep one, and carry the others by joints.",
            )
        return roots[0]

    # ------------------------------------------------------------------ attributes

    def _child(self, element: Element, tag: str, where: str) -> Element:
        child = element.one(tag)
        if child is None:
            raise self._error(element, f"{where}: <{tag}> is missing in <{element.tag}>")
        return child

    def _attribute(self, element: Element, name: str, where: str) -> str:
        value = element.attributes.get(name, "")
        if not value:
            raise self._error(element, f'{where}: {name} is missing. Add {name}="…" to <{element.tag}>.')
        return value

    def _origin(self, element: Element, where: str) -> tuple[Vector, Vector]:
        origin = element.one("origin")
        if origin is None:
            return ZERO, ZERO
        given = [self._vector(origin, name, where) if name in origin.attributes else ZERO for name in ("xyz", "rpy")]
        return given[0], given[1]

    def _vector(self, element: Element, name: str, where: str) -> Vector:
        texts = self._attribute(element, name, where).split()
        if len(texts) != 3:
            raise self._error(element, f'{where}: {name}="{" ".join(texts)[:60]}" must be three numbers')
        x, y, z = (self._as_number(element, name, text, where) for text in texts)
        return x, y, z

    def _number(self, element: Element, name: str, where: str, default: float | None = None) -> float:
        if default is not None and name not in element.attributes:
            return default
        return self._as_number(element, name, self._attribute(element, name, where), where)

    def _as_number(self, element: Element, name: str, text: str, where: str) -> float:
        found = re.fullmatch(r"\s*[-+]?(\d{1,400}\.?\d{0,400}|\.\d{1,400})([eE][-+]?\d{1,3})?\s*", text)
        value = float(text) if found else math.nan
        if not math.isfinite(value):
            raise self._error(element, f'{where}: {name}="{text[:60]}" must be a number')
        return value

    # ------------------------------------------------------------------ small pieces

    def _refuse_xacro(self, root: Element) -> None:
        for element in (root, *root.children):
            if element.tag.startswith("xacro:") or any("${" in value for value in element.attributes.values()):
                raise self._error(
                    element, "is xacro, from which URDF is made. Run `xacro robot.xacro > robot.urdf` first."
                )

    def _made(self, element: Element, where: str, make: Callable[..., Any], **values: Any) -> Any:
        try:
            return make(**values)
        except DeclarationError as error:
            raise self._error(element, f"{where}: {error}") from None

    def _error(self, element: Element, message: str) -> DeclarationError:
        return DeclarationError(f"{self.file}:{element.line}: {message}")


def _symmetric(I: Matrix) -> Matrix:
    """I without the asymmetry of rounding."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = I
    return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)


def _inertial(link: Link) -> dict[str, Any]:
    return dict(mass=link.mass, com=link.com, inertia=link.inertia)


def _plain_names(names: Collection[str]) -> dict[str, str]:
    """Names of letters, digits and _, different where the given ones are."""
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9]", "_", name)
        plain = plain if plain[:1].isalpha() else f"n{plain}"
        while plain in found.values() or plain == "world":
            plain += "_"
        found[name] = plain
    return found
