"""What a penalty may be for a stepper: refused where a step leaves more than it holds, else as good as RK4."""

import re

import numpy as np
import pytest

from oleodyn.catalogue import four_bar, loader_crane
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.errors import AssemblyError
from oleodyn.mechanics.joint import Fixed, Prismatic, Spherical
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from tests.machines.linkages import TIP, swinging

CUT = dict(position_0=TIP["position"], orientation_0=TIP["orientation"])
KINDS = [Fixed, Prismatic, Spherical]


def ran(kind, alpha, stepper):
    """Two seconds of the swinging arm at 1 ms; where its box is."""
    machine = swinging(kind(**TIP), **CUT)
    result = run(compile(assemble(machine, loops=Penalty(alpha=alpha)), stepper), until=2.0, dt=1e-3)
    return np.column_stack([result.values(f"linkage.box.r_{axis}") for axis in "xyz"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("alpha", "stepper", "words"),
    [
        (1e7, HHT(), "is too stiff for HHT(alpha=-0.1) with dt = 0.001 s: α μ (dt ω)³ = "),
        (1e5, HHT(), "is too stiff for HHT(alpha=-0.1) with dt = 0.001 s: α μ (dt ω)³ = "),
        (1e7, PartitionedHHT(), "is too stiff for PartitionedHHT(alpha=-0.1) with dt = 0.001 s: α μ (dt ω)² = "),
        (1e3, PartitionedHHT(), "is too stiff for PartitionedHHT(alpha=-0.1) with dt = 0.001 s: α μ (dt ω)² = "),
        (1e7, Trapezoidal(), "with dt = 0.001 s: α μ dt ω tolerance = "),
    ],
)
def test_a_penalty_that_a_step_cannot_bear_is_refused(kind, alpha, stepper, words):
    with pytest.raises(AssemblyError, match=re.escape(words)) as caught:
        ran(kind, alpha, stepper)
    assert "Take RK4(), Trapezoidal(tolerance=1e-12) or CoordinatePartitioning()." in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("alpha", "stepper", "within"),
    [
        (1e7, Trapezoidal(tolerance=1e-12), 1e-5),  # order 2 at 1 ms: 5e-6 to 8e-6 m
        (1e5, Trapezoidal(), 2e-4),  # α μ dt ω tolerance = 8e-5: up to 1e-4 m
        (1e3, HHT(), 1e-2),  # α μ (dt ω)³ = 3e-5: up to 8e-3 m, where the box slides by 10 m
    ],
)
def test_a_penalty_that_is_let_through_moves_as_with_rk4(kind, alpha, stepper, within):
    assert np.abs(ran(kind, alpha, stepper) - ran(kind, alpha, RK4())).max() < within


@pytest.mark.parametrize("stepper", [HHT(), PartitionedHHT(), Trapezoidal()])
@pytest.mark.parametrize("made", [four_bar, loader_crane])
def test_a_machine_that_begins_at_rest_bears_a_stiff_penalty(made, stepper):
    program = compile(assemble(made.machine(), loops=Penalty(alpha=1e9)), stepper, record=[], account=False)
    program.check_step(program.start(), 1e-3)
