"""The cut of the pipe cutter with chips of the tool's own motion, beside those of the nominal feed."""

from collections.abc import Callable, Iterator

from oleodyn.catalogue.pipe_cutter_drives import SAW
from oleodyn.catalogue.pipe_cutter_tasks import CUT
from oleodyn.contact.chip import FeedFromMotion
from oleodyn.contact.saw import tooth_time
from oleodyn.machine.machine import Machine
from oleodyn.result.content import Check, Section
from oleodyn.result.result import Result
from oleodyn.simulation.run import simulate
from oleodyn.studies.pipe_cutter_figures import Curve, panels
from oleodyn.studies.pipe_cutter_runs import AXES, TOOL, rms, tool_error, within
from oleodyn.studies.pipe_cutter_saw import cut_energy
from oleodyn.units import mm

EVERY = 35
"""Steps between two recorded rows: 7 ms, so that rows fall on teeth at 100 different phases."""
TEXT = (
    "The paper's teeth take the chip of a steady feed, whatever the tool does. Here they take what the tool has really "
    "gained on the furthest cut since the tooth before (FeedFromMotion, once every 33 ms). All chips together are the "
    "advance again, so the whole cut takes the energy of the wall, but for what each tooth leaves at the rough rim. "
    "Each tooth feels how the tool shook at the last: the errors in Y and Z are larger."
)


def by_motion(plant: Machine, progress: Callable[[float], None] | None = None) -> Result:
    """The whole cut with chips of the tool's own motion."""
    moved = plant.replace("saw.chip", FeedFromMotion(period=tooth_time(SAW.w, SAW.teeth)))
    return simulate(moved, scenario="cut", record=TOOL, every=EVERY, progress=progress)


def chips(moved: Result, nominal: Result) -> Iterator[Check]:
    """The spindle's work against the closed form, and the errors beside those of the nominal feed."""
    assert moved.energy is not None
    spindle = next(row.joules for row in moved.energy.rows if row.name == "saw.spindle")
    name = "work of the spindle, chips of the tool's motion (within 0.5 %)"
    yield Check(name, cut_energy(), spindle, "J", within(spindle, cut_energy(), 5e-3))
    yield Check("energy account left over, chips of the tool's motion", None, moved.energy.relative, "-")
    found, steady = (rms(tool_error(result, CUT) / mm) for result in (moved, nominal))
    for k, axis in enumerate(AXES):
        name = f"RMS error {axis}, chips of the tool's motion (beside: of the nominal feed)"
        yield Check(name, float(steady[k]), float(found[k]), "mm")


def chips_section(moved: Result, nominal: Result) -> Section:
    """Errors with both kinds of chips."""
    errors = [("tool's motion", moved), ("nominal feed", nominal)]
    curves = [Curve(result.time, tool_error(result, CUT)[:, 1] / mm, name) for name, result in errors]
    caption = "Tool minus path in Y with both kinds of chips"
    return Section("Chips of the tool's own motion", [TEXT, panels([("Y [mm]", curves)], "time [s]", caption)])
