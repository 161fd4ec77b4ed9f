"""A mechanism as URDF, for other programs to simulate the same robot."""

from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from oleodyn.errors import DataError
from oleodyn.mechanics.joint import Fixed, Prismatic, Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.vector import ZERO

KINDS = ((Revolute, "revolute"), (Prismatic, "prismatic"), (Fixed, "fixed"))


def urdf(mechanism: Mechanism, name: str = "robot") -> str:
    """The mechanism as URDF text: bodies, joints and damping, limits out of reach.

    It hangs on a link named `world`; frames and lines are left out.
    """
    lines = [f"<robot name={quoteattr(name)}>", '  <link name="world"/>']
    for body, held in mechanism.bodies.items():
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = held.inertia
        keys = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        moments = " ".join(f'{key}="{x!r}"' for key, x in zip(keys, (xx, xy, xz, yy, yz, zz), strict=True))
        lines += [
            f"  <link name={quoteattr(body)}>", "    <inertial>", f'      <origin xyz="{_numbers(held.com)}"/>',
            f'      <mass value="{held.mass!r}"/>',
            f"      <inertia {moments}/>", "    </inertial>", "  </link>",
        ]  # fmt: skip
    for joint, held in mechanism.joints.items():
        kind = next((kind for cls, kind in KINDS if isinstance(held, cls)), None)
        if kind is None or held.child_position != ZERO or held.child_orientation != ZERO:
            raise DataError(
                f"{joint} ({type(held).__name__}): URDF has hinges, slides and bolts, each in the frame of its child"
            )
        lines += [
            f'  <joint name={quoteattr(joint)} type="{kind}">', f"    <parent link={quoteattr(held.parent)}/>",
            f"    <child link={quoteattr(held.child)}/>",
            f'    <origin xyz="{_numbers(held.position)}" rpy="{_numbers(held.orientation)}"/>',
        ]  # fmt: skip
        if isinstance(held, Revolute | Prismatic):
            lines.append(f'    <axis xyz="{_numbers(held.axis)}"/>')
            lines.append(f'    <dynamics damping="{held.damping!r}"/>')
            lines.append('    <limit lower="-1e6" upper="1e6" effort="1e9" velocity="1e9"/>')
        lines.append("  </joint>")
    return "\n".join([*lines, "</robot>", ""])


def _numbers(vector: Sequence[float]) -> str:
    return " ".join(repr(float(x)) for x in vector)
