"""rigid-arm: six revolute joints with general inertias and no hydraulics, for benchmarks.

Sizes, masses and inertias are of the order of a 200 kg payload industrial arm; they are chosen
here, with products of inertia in every link so that nothing folds away.
"""

from oleodyn.machine.machine import Defaults, Machine
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame
from oleodyn.mechanics.joint import Revolute
from oleodyn.mechanics.mechanism import Mechanism

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

JOINTS = {  # name: (axis, position in the parent [m], angle at the start [rad])
    "base": (Z, (0.0, 0.0, 0.40), 0.0),
    "shoulder": (Y, (0.25, 0.0, 0.35), -0.3),
    "elbow": (Y, (0.0, 0.0, 1.10), 0.6),
    "forearm": (X, (0.35, 0.0, 0.20), 0.0),
    "wrist": (Y, (0.90, 0.0, 0.0), 0.4),
    "flange": (X, (0.20, 0.0, 0.0), 0.0),
}

LINKS = {  # mass [kg], centre of mass [m], Ixx Iyy Izz Ixy Ixz Iyz [kg·m²]
    "base": (260.0, (0.06, -0.02, 0.15), (14.0, 12.0, 11.0, 0.4, -0.9, 0.3)),
    "shoulder": (190.0, (0.02, 0.05, 0.52), (22.0, 21.0, 4.2, 0.2, -0.6, 0.5)),
    "elbow": (120.0, (0.12, -0.03, 0.10), (4.1, 5.2, 4.6, 0.1, 0.4, -0.1)),
    "forearm": (75.0, (0.42, 0.01, 0.01), (1.1, 6.3, 6.2, -0.1, 0.2, 0.05)),
    "wrist": (28.0, (0.07, 0.01, -0.01), (0.25, 0.34, 0.31, 0.01, -0.02, 0.01)),
    "flange": (40.0, (0.15, 0.02, 0.03), (0.9, 1.2, 1.1, 0.05, 0.08, -0.04)),
}


def machine() -> Machine:
    """The arm, hanging in its joints; a small viscous friction settles it."""
    bodies, joints, parent = {}, {}, "world"
    for name, (mass, com, (xx, yy, zz, xy, xz, yz)) in LINKS.items():
        axis, position, q_0 = JOINTS[name]
        bodies[f"{name}_link"] = Body(mass=mass, com=com, inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        joints[name] = Revolute(
            parent=parent, child=f"{name}_link", position=position, axis=axis, q_0=q_0, damping=20.0
        )
        parent = f"{name}_link"
    arm = Machine(
        "rigid-arm",
        text="six revolute joints, general inertias, no hydraulics",
        defaults=Defaults(stepper="rk4", dt=1e-3, until=5.0),
    )
    arm.add(
        "arm", Mechanism(bodies=bodies, joints=joints, frames={"tool": Frame(body=parent, position=(0.3, 0.0, 0.0))})
    )
    return arm
