"""pipe-cutter-real-time: circle and cut, and an arm without hydraulics, paced against the wall clock."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from oleodyn.catalogue.pipe_cutter import machine
from oleodyn.catalogue.shelf import load
from oleodyn.equations.assemble import assemble
from oleodyn.program.compile import compile
from oleodyn.program.program import Program
from oleodyn.program.state import State
from oleodyn.result.content import Check, Checks, Section, Table
from oleodyn.simulation.realtime import Pacing, run_realtime
from oleodyn.simulation.run import changed_by, simulate
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.studies.pipe_cutter_cost import BEGIN, in_contact
from oleodyn.studies.study import Study
from oleodyn.units import ms, us

DURATION = 60.0
"""How long each is paced [s]: the circle from its beginning, the cut from where the saw is in the pipe."""
TITLE = "Pipe cutter: paced against the wall clock"
TEXT = (
    "Each step begins when it is due and must be done before the next: every 0.2 ms for the pipe cutter (Kim, Lee and "
    "Kim run theirs at 5 kHz), every 1 ms and every 0.2 ms for an arm of six joints without hydraulics. The cut is run "
    f"to t = {BEGIN:g} s first, as fast as it goes, so that the saw is in the pipe all the time. The judged figure is "
    "the worst computation of a step, which must fit into the period. A step that is due while the operating system "
    "gives the core to something else is begun late and counts as a miss, however short its computation: misses are "
    "the operating system's, so they have no verdict. Run this on a machine that is otherwise idle; on a busy one "
    "even the worst computation is that of the others."
)
NOTHING = Scenario()


@dataclass(frozen=True)
class Task:
    """What is paced: its program, its inputs, its step [s], where it begins."""

    name: str
    program: Program
    inputs: Scenario
    dt: float
    begin: Callable[[Program], State]

    def paced(self, seconds: float, progress: Callable[[float], None]) -> Pacing:
        """The task against the wall clock for some seconds; progress from 0 to 1."""
        state = self.begin(self.program)
        start = state.t
        return run_realtime(
            self.program, until=start + seconds, dt=self.dt, inputs=self.inputs, state=state,
            progress=lambda t: progress((t - start) / seconds),
        )  # fmt: skip


def tasks() -> Iterator[Task]:
    """Circle and cut at 5 kHz, the rigid arm at 1 kHz and 5 kHz."""
    plant = machine()
    for name, begin in (("circle", Program.start), ("cut", in_contact)):
        scenario = plant.scenarios[name]
        program = compile(assemble(changed_by(scenario, plant)), HHT(), record=[], account=False)
        yield Task(f"{name}, 5 kHz", program, scenario, 0.2 * ms, begin)
    arm = compile(assemble(load("rigid-arm")), RK4(), record=[], account=False)
    for dt in (1.0 * ms, 0.2 * ms):
        yield Task(f"rigid arm, {1e-3 / dt:g} kHz", arm, NOTHING, dt, Program.start)


def study(progress: Callable[[float], None], seconds: float = DURATION) -> Study:
    """Everything paced, one after the other."""
    found: dict[str, Pacing] = {}
    for k, task in enumerate(tasks()):
        found[task.name] = task.paced(seconds, lambda share, k=k: progress((k + share) / 4))
    plant = machine()
    result = simulate(plant, scenario="circle", every=200)
    progress(1.0)
    checks = [check for name, pacing in found.items() for check in rows(name, pacing)]
    sections = [
        Section("What was done", [TEXT]),
        Section("Times of a step", [table(found), Checks(checks, f"{seconds:g} s each")]),
    ]
    return Study("pipe-cutter-real-time", TITLE, TEXT, checks, result, plant, sections, plots=[])


def rows(name: str, pacing: Pacing) -> Iterator[Check]:
    """How one went: percentiles, the worst against the period, misses, the latest begin, the reserve."""
    *shares, worst = pacing.compute.items()
    for share, value in shares:
        yield Check(f"{name}: computation of a step, {share}", None, value / us, "µs")
    period = pacing.period / us
    yield Check(f"{name}: worst computation of a step", f"≤ {period:g}", worst[1] / us, "µs", pacing.in_time)
    yield Check(f"{name}: misses in {pacing.steps} steps", None, pacing.misses, "-")
    yield Check(f"{name}: latest begin of a step", None, pacing.late / us, "µs")
    yield Check(f"{name}: reserve, 1 − mean computation / period", None, 100 * pacing.reserve, "%")


def table(found: Mapping[str, Pacing]) -> Table:
    """All of them side by side; the percentiles are what is kept of the times."""
    shares = list(next(iter(found.values())).compute)
    head = ("paced", "period [µs]", *(f"{share} [µs]" for share in shares), "misses", "of steps", "reserve [%]")
    body = [
        (name, p.period / us, *(p.compute[share] / us for share in shares), p.misses, p.steps, 100 * p.reserve)
        for name, p in found.items()
    ]
    return Table(head, body, "computation of a step: percentiles and the worst")
