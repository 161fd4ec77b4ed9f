"""bricard: five rods and six hinges along the edges of a cube, a loop that moves although a count says it cannot.

All numbers are those of problem A04 of the library of computational benchmark problems (González,
Dopico, Lugrís & Cuadrado 2006, Multibody Syst. Dyn. 16, 179-190: A benchmarking system for MBS
simulation software), as restated with its figure by Tagliapietra, Vivian, Ceseracciu & Reggiani
(2015) Multi-Body Systems Benchmark in OpenSim, A04. y is up. Bricard (1897) J. Math. Pures Appl.
3, 113-148 found why it moves.
"""

from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import Named
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame
from oleodyn.mechanics.joint import Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.vector import Matrix, Vector

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
MASS, LENGTH, SIDE = 1.0, 1.0, 0.1
"""Each rod: mass [kg], length and side of its square section [m]."""
RODS = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
"""Where each rod goes from its first hinge, at the start."""
AXES = (Y, Z, X, Y, Z)
"""The hinge at the beginning of each rod; the sixth, about x, is cut from the ground."""
END = (0.0, 0.0, 1.0)


def machine() -> Machine:
    """The loop, released at rest; one of the five constraints of its cut hinge is redundant."""
    made = Machine(
        "bricard",
        text="Bricard's over-constrained loop of five rods and six hinges (library of computational benchmarks, A04)",
        defaults=Defaults(stepper="trapezoidal", loops="augmented-lagrangian", dt=1e-3, until=10.0),
    )
    bodies, joints = {}, {}
    for i, (along, axis) in enumerate(zip(RODS, AXES, strict=True), start=1):
        bodies[f"rod_{i}"] = rod(along)
        joints[f"z{i}"] = (
            Revolute(parent=f"rod_{i - 1}", position=RODS[i - 2], child=f"rod_{i}", axis=axis)
            if i > 1
            else Revolute(child=f"rod_{i}", axis=axis)
        )
    mechanism = Mechanism(
        gravity=(0.0, -9.81, 0.0),
        bodies=Named(bodies),
        joints=Named(joints),
        loops=Named({"cut": Revolute(child="rod_5", position=END, child_position=RODS[-1], axis=X)}),
        frames=Named({"P3": Frame(body="rod_2", position=RODS[1])}),
    )
    made.add("linkage", mechanism)
    return made


def rod(along: Vector) -> Body:
    """A prism along one of the axes, from the origin of its frame."""
    across, lengthwise = MASS * (LENGTH**2 + SIDE**2) / 12, MASS * SIDE**2 / 6
    I_x, I_y, I_z = (lengthwise if part else across for part in along)
    inertia: Matrix = ((I_x, 0.0, 0.0), (0.0, I_y, 0.0), (0.0, 0.0, I_z))
    x, y, z = along
    return Body(mass=MASS, com=(x * LENGTH / 2, y * LENGTH / 2, z * LENGTH / 2), inertia=inertia)
