"""A parallelogram falls through the positions in which its links are in line (MB-11)."""

from collections.abc import Iterator

from oleodyn.catalogue.dissertation_hydraulics import rod
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.errors import StepError
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.joint import Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.program.compile import compile
from oleodyn.result.content import Check
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.studies.dissertation_points import limit
from oleodyn.units import deg

LENGTHS, MASSES, GROUND = (1.0, 2.0, 1.0), (1.0, 2.0, 1.0), 2.0
PENDULUM = {0.5: 12.930668, 0.6: -11.774978, 1.0: -148.395727, 2.0: -220.866814, 3.0: 40.943046, 5.0: -239.999940}
"""Its first angle [°] over time: (8/3) θ̈ = −3 g cos θ, rtol 1e-11."""


def parallelogram() -> Machine:
    """Slender links of 1, 2 and 1 m on ground of 2 m, from 60° at rest."""
    names = ("left", "middle", "right")
    joints = {
        "z1": Revolute(child="left", q_0=60 * deg),
        "z2": Revolute(parent="left", child="middle", position=(LENGTHS[0], 0.0, 0.0), q_0=-60 * deg),
        "z3": Revolute(parent="middle", child="right", position=(LENGTHS[1], 0.0, 0.0), q_0=-120 * deg),
    }
    cut = Revolute(child="right", position=(GROUND, 0.0, 0.0), child_position=(LENGTHS[2], 0.0, 0.0))
    linkage = Mechanism(
        gravity=(0.0, -9.81, 0.0),
        bodies={name: rod(m, length) for name, m, length in zip(names, MASSES, LENGTHS, strict=True)},
        joints=joints,
        loops={"cut": cut},
    )
    machine = Machine("parallelogram")
    machine.add("linkage", linkage)
    return machine


def singular_passage() -> Iterator[Check]:
    """MB-11: the augmented Lagrangian goes through, partitioning says where it cannot."""
    import numpy as np

    for alpha, apart in ((1e11, 1e-9), (1e9, 5e-8)):
        policy = AugmentedLagrangian(alpha=alpha)
        program = compile(assemble(parallelogram(), loops=policy), Trapezoidal(tolerance=1e-9))
        result = run(program, until=5.0, dt=1e-3, every=1)
        first, second = result.values("z1.q"), result.values("z2.q")
        rows = np.searchsorted(result.time, np.array(list(PENDULUM)) - 1e-7)
        error = float(np.abs(first[rows] - np.array(list(PENDULUM.values())) * deg).max())
        head = f"MB-11 through collinear links, α = {alpha:.0e}"
        yield limit(f"{head}: error of the angle", error, 3.7e-6, "rad")
        yield limit(f"{head}: departure from the parallelogram", float(np.abs(first + second).max()), apart, "rad")
        most, expected = result.timing["max_iterations"], 2 if alpha == 1e11 else None
        verdict = None if expected is None else most == expected
        yield Check(f"{head}: iterations of the worst step, to 1e-9 rad", expected, most, "-", verdict)
    program = compile(assemble(parallelogram(), loops=CoordinatePartitioning()), Trapezoidal())
    try:
        run(program, until=5.0, dt=1e-3)
        found = "runs on"
    except StepError as error:
        found = f"StepError at {error.time:.3f} s"
    ok = found.startswith("StepError at 0.55")  # θ = 0 at 0.5553 s
    yield Check("MB-11 partitioning reports the collinear position", "StepError", found, "-", ok)
