"""friction-bench: where friction laws chatter, stall, creep, stick and slip, on one cylinder."""

from collections.abc import Callable

from oleodyn.catalogue.valve_bench import machine
from oleodyn.result.content import Checks, Picture, Section, Table
from oleodyn.simulation.run import simulate
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.studies import friction_figures as figures
from oleodyn.studies import friction_laws as laws
from oleodyn.studies import friction_sweeps as sweeps
from oleodyn.studies.friction_laws import LAWS, Passage
from oleodyn.studies.study import Study

TITLE = "Friction bench: chatter, creep, stick and slip"
TEXT = (
    "Jaiswal (2021) compares friction laws in smooth motions and leaves to future work what they do at rest. Here "
    "they meet it: a pump, a 4/3 valve and a cylinder push 400 kg that start, stop, are held and come back. The seal "
    "is the dissertation's (break-away 830 N, sliding 210 N, Stribeck speed 12.5 mm/s), with the exponent 2 in all "
    "laws and little damping of the bristles. What stands under 'published' is printed (break-away of Canudas de Wit "
    "et al. 1995) or follows in closed form; other rows are what this bench shows."
)
REST = (
    "The discontinuous law jumps by 2 F_s where the speed passes zero. Newton finds no slope there: the trapezoidal "
    "rule does not even leave the start. HHT iterates nothing, so it goes on, but the force jumps by more than F_c in "
    "step after step while the load is held. Each of the four other laws takes two iterations a step and does not "
    "jump; that of the bristles rings out, as a spring between piston and wall does. The shaded time is that of the "
    "hold."
)
CREEP = (
    "Static laws that are smooth at rest do not hold: under 500 N they slide at the speed at which their curve gives "
    "500 N. Bristles hold, exactly: their rate is proportional to |v|, which is not rounded."
)
THROTTLE = (
    "The valve is opened by a crack only, so that the piston creeps, and then a little more and more. Where friction "
    "falls with speed faster than valve and oil take energy out, steady sliding is unstable: the band between lowest "
    "and highest speed opens and the piston sticks and slips. The static laws rise up to the Stribeck speed and "
    "shake above it only; the bristle laws fall from rest on and shake already where a throttled piston creeps. "
    "Slower still, they are quiet again: the bristles themselves then give way in time with the oscillation."
)
BRISTLES = (
    "At one opening, all pairs of bristle stiffness and damping, 256 simulations side by side. Soft bristles with "
    "little damping give way with the piston: it creeps steadily. Stiff ones let it stick and slip. So do bristles of "
    "any stiffness whose damping is some kN·s/m and more: soft and strongly damped ones drive the widest swings."
)


def study(progress: Callable[[float], None]) -> Study:
    """Every law through rest and under a load, then the sweeps over throttle and bristles."""
    passages = list(laws.passages())
    progress(0.4)
    creep = [*laws.creeping(), laws.broken_away()]
    progress(0.5)
    throttled = {name: sweeps.throttled(LAWS[name]) for name in sweeps.SWEPT}
    progress(0.8)
    grid = sweeps.bristles()
    shown = {
        name: simulate(machine(friction=LAWS[name]), scenario="creep", until=12.0, stepper=HHT(), every=4)
        for name in ("LuGre", "modified LuGre", "Brown-McPhee")
    }
    rest, slip = list(laws.through_rest(passages)), [*sweeps.windows(throttled), *sweeps.checked(throttled, grid)]
    sweep = list(sweeps.regions(grid))
    progress(1.0)
    sections = [
        Section("What this is", [TEXT]),
        Section("Through rest", [
            REST, table(passages), Checks(rest),
            Picture(figures.forces([p for p in passages if p.stepper == HHT.name]), "HHT at 1 ms"),
        ]),
        Section("Held by the seal alone", [CREEP, Picture(figures.curves(), "steady curves near rest"), Checks(creep)]),
        Section("Throttled: sticking and slipping", [
            THROTTLE, Picture(figures.throttles(throttled), "lowest, mean and highest speed of the settled creep"),
            Picture(figures.cycles(shown), f"speed at a command of {sweeps.CRACK:g}"), Checks(slip),
        ]),
        Section("Bristles, stiff and soft", [BRISTLES, Picture(figures.bristle_map(grid)), Checks(sweep)]),
        Section("The run that creeps", ["Signals, energy and the figures at the top: LuGre at that command."]),
    ]  # fmt: skip
    return Study(
        "friction-bench", TITLE, TEXT, [*rest, *creep, *slip, *sweep], shown["LuGre"],
        machine=machine(friction=LAWS["LuGre"]), sections=sections,
        plots=[["mass.rod.v"], ["ram.F_friction"], ["ram.A.p", "ram.B.p", "line.port.p"]],
    )  # fmt: skip


def table(found: list[Passage]) -> Table:
    """What each law cost and did."""
    head = (
        "law",
        "stepper",
        "steps",
        "iterations a step",
        "most",
        "accepted at the cap",
        "failed at [s]",
        "jumps of the force [1/s]",
    )
    rows = [
        (p.law, p.stepper, p.steps, round(p.iterations, 2), p.most, p.accepted, p.failed, round(p.jumps, 1))
        for p in found
    ]
    return Table(head, rows, "stroke of the bench at 1 ms")
