"""What hangs on what: the order of a tree's joints, and the mistakes it can have."""

from collections.abc import Iterable, Mapping

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Part, nearest
from oleodyn.mechanics.joint import Joint


def order(joints: Mapping[str, Joint]) -> list[str]:
    """The joints depth-first from the world, each after the joint that carries its parent."""
    children: dict[str, list[str]] = {}
    for name, joint in joints.items():
        children.setdefault(joint.parent, []).append(name)
    result: list[str] = []
    waiting = list(reversed(children.get("world", [])))
    while waiting:
        name = waiting.pop()
        result.append(name)
        waiting += reversed(children.get(joints[name].child, []))
    return result


def check_tree(bodies: Mapping[str, Part], joints: Mapping[str, Joint]) -> None:
    """Every body hangs on the world by exactly one chain of joints."""
    if "world" in bodies:
        raise DeclarationError("Mechanism.bodies.world: the world is always there. Choose another name.")
    carried: dict[str, str] = {}
    for name, joint in joints.items():
        check_body(f"Mechanism.joints.{name}.parent", joint.parent, bodies)
        check_body(f"Mechanism.joints.{name}.child", joint.child, bodies)
        if joint.child == "world":
            raise DeclarationError(
                f"Mechanism.joints.{name}.child = 'world': the world cannot move. Swap parent and child."
            )
        if joint.child in carried:
            raise DeclarationError(
                f"Mechanism.joints.{name}.child = {joint.child!r}: {carried[joint.child]} carries this body already. "
                "A body hangs on one joint of the tree; close a loop with a loop joint."
            )
        carried[joint.child] = name
    loose = set(bodies) - {joints[name].child for name in order(joints)}
    for body in bodies:
        if body in loose and body not in carried:
            raise DeclarationError(
                f"Mechanism.bodies.{body}: no joint carries it. "
                f"Add a joint with child {body!r}, for example Floating()."
            )
    if loose:
        ring = " → ".join(_ring(sorted(loose), joints, carried))
        raise DeclarationError(
            f"Mechanism.joints: {ring} hang on each other and not on the world. "
            "Hang one of them on the world, and close it with a loop joint."
        )


def check_name(where: str, name: str) -> None:
    """Refuse a name that could not stand in a dotted path."""
    if not name.replace("_", "").isalnum() or not name[:1].isalpha():
        raise DeclarationError(f"{where}: use letters, digits and _, beginning with a letter")


def check_body(where: str, body: str, bodies: Iterable[str]) -> None:
    """Refuse a body that does not exist, with the nearest name."""
    known = ["world", *bodies]
    if body not in known:
        raise DeclarationError(
            f"{where} = {body!r}: no such body{nearest(body, known) or '.'} Bodies are {', '.join(known)}."
        )


def _ring(loose: list[str], joints: Mapping[str, Joint], carried: Mapping[str, str]) -> list[str]:
    """One closed chain of bodies among the loose."""
    chain = [loose[0]]
    while True:
        body = joints[carried[chain[0]]].parent
        if body in chain:
            return [body, *chain[: chain.index(body) + 1]]
        chain.insert(0, body)
