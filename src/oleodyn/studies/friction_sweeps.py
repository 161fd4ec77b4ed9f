"""Sticking and slipping of the valve bench, swept in batches: over the throttle, over the bristles."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from oleodyn.catalogue.valve_bench import machine
from oleodyn.equations.assemble import assemble
from oleodyn.machine.part import Part
from oleodyn.program.compile import compile
from oleodyn.result.content import Check
from oleodyn.simulation.batch import Batch
from oleodyn.simulation.run import simulate
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.studies.friction_laws import LAWS

UNTIL, SETTLED, DT = 12.0, 8.0, 0.5e-3
CRACK = 0.025
"""Command at which the bench creeps."""
OPENINGS = 0.02 + np.geomspace(2e-3, 17e-3, 64)
"""Commands from hardly open to a fast creep; 0.02 is the overlap."""
SIGMA_0, SIGMA_1 = np.geomspace(1e5, 1e8, 16), np.geomspace(1e1, 3e4, 16)
RIPPLE = 0.2
"""Peak to peak of the speed, part of its mean, from which it counts as sticking and slipping."""
SWEPT = ("Bengisu-Akay", "Brown-McPhee", "LuGre", "modified LuGre")


@dataclass(frozen=True)
class Creep:
    """Speeds of a creeping piston once it has settled [m/s], an entry for each simulation."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    status: np.ndarray
    wall: float

    @property
    def ripple(self) -> np.ndarray:
        """Peak to peak, part of the mean."""
        return (self.high - self.low) / np.abs(self.mean)


def throttled(law: Part) -> Creep:
    """The bench at every opening."""
    program = compile(assemble(machine(friction=law)), HHT(), account=False, record=[])
    batch = Batch(program, len(OPENINGS))
    batch["valve.u"] = OPENINGS
    return _creep(batch)


def bristles(law: str = "LuGre") -> Creep:
    """The bench at its crack, for all pairs of stiffness and damping of the bristles."""
    tunable = [f"ram.friction.{name}" for name in ("sigma_0", "sigma_1")]
    program = compile(assemble(machine(friction=LAWS[law]), tunable=tunable), HHT(), account=False, record=[])
    batch = Batch(program, SIGMA_0.size * SIGMA_1.size)
    stiffness, damping = np.meshgrid(SIGMA_0, SIGMA_1, indexing="ij")
    batch["ram.friction.sigma_0"], batch["ram.friction.sigma_1"] = stiffness.ravel(), damping.ravel()
    batch["valve.u"] = CRACK
    return _creep(batch)


def _creep(batch: Batch) -> Creep:
    found = batch.run(until=UNTIL, dt=DT, every=4, record=["mass.rod.v"])
    v = found.values("mass.rod.v")[found.time >= SETTLED]
    return Creep(v.mean(axis=0), v.min(axis=0), v.max(axis=0), found.status, found.timing["wall_s"])


def windows(found: dict[str, Creep]) -> Iterator[Check]:
    """Between which mean speeds each law sticks and slips."""
    for name, creep in found.items():
        shaking = creep.mean[creep.ripple > RIPPLE]
        yield Check(f"{name}: slowest creep that shakes", None, 1e3 * float(shaking.min()), "mm/s")
        yield Check(f"{name}: fastest creep that shakes", None, 1e3 * float(shaking.max()), "mm/s")


def regions(grid: Creep) -> Iterator[Check]:
    """What the map of bristles shows, in numbers: peak to peak of the speed over its mean."""
    ripple = grid.ripple.reshape(SIGMA_0.size, SIGMA_1.size)
    soft, stiff = SIGMA_0 <= 1e6, SIGMA_0 >= 6e6
    light, heavy = SIGMA_1 <= 1e3, SIGMA_1 >= 6e3
    quiet = float(ripple[np.ix_(soft, light)].max())
    yield Check("σ₀ ≤ 1 MN/m, σ₁ ≤ 1 kN·s/m: most it shakes", f"≤ {RIPPLE:g}", quiet, "-", quiet <= RIPPLE)
    for name, part in (("σ₀ ≥ 6 MN/m", ripple[stiff]), ("σ₁ ≥ 6 kN·s/m", ripple[:, heavy])):
        yield Check(f"{name}: least it shakes", "≥ 1", float(part.min()), "-", bool(part.min() >= 1))
    widest = np.unravel_index(np.argmax(ripple), ripple.shape)
    at = f"{SIGMA_0[widest[0]]:.0e} N/m, {SIGMA_1[widest[1]]:.0e} N·s/m"
    softest = widest == (0, SIGMA_1.size - 1)
    yield Check("widest swings at", f"{SIGMA_0[0]:.0e} N/m, {SIGMA_1[-1]:.0e} N·s/m", at, "-", bool(softest))


def checked(found: dict[str, Creep], grid: Creep) -> Iterator[Check]:
    """No simulation failed, and the limit cycle does not depend on stepper and step."""
    failed = sum(int(np.count_nonzero(creep.status)) for creep in (*found.values(), grid))
    yield Check("simulations of both sweeps that failed", 0, failed, "-", failed == 0)
    fine = simulate(
        machine(friction=LAWS["LuGre"]), scenario=Scenario(), inputs={"valve.u": CRACK}, until=UNTIL, dt=0.1e-3,
        stepper=Trapezoidal(), every=20,
    )  # fmt: skip
    program = compile(assemble(machine(friction=LAWS["LuGre"])), HHT(), account=False, record=[])
    single = Batch(program, 1)
    single["valve.u"] = CRACK
    creep = _creep(single)
    v = fine.values("mass.rod.v")[fine.time >= SETTLED]
    expected, computed = 1e3 * float(np.ptp(v)), 1e3 * float(creep.high[0] - creep.low[0])
    name = "LuGre: peak to peak of the limit cycle, HHT 0.5 ms against Trapezoidal 0.1 ms"
    yield Check(name, expected, computed, "mm/s", abs(computed - expected) <= 0.02 * expected)
