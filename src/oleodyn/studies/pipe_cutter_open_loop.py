"""pipe-cutter-open-loop: 10 sin(πt) mA on one valve at a time, the others closed (figure 6)."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from oleodyn.catalogue.pipe_cutter import machine
from oleodyn.catalogue.pipe_cutter_drives import AXES
from oleodyn.result.content import Check, Picture, Row, Section, Table
from oleodyn.result.result import Result
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.studies import open_loop_figures as drawn
from oleodyn.studies import pipe_cutter_figures as figures
from oleodyn.studies import pipe_cutter_laws as laws
from oleodyn.studies import pipe_cutter_order as order
from oleodyn.studies.pipe_cutter_figures import Curve, panels
from oleodyn.studies.pipe_cutter_runs import JOINTS, UNITS, grouped, joints, within
from oleodyn.studies.pipe_cutter_saw import rest
from oleodyn.studies.study import Study

TITLE = "Pipe cutter: one valve at a time, without controllers"
TEXT = (
    "Kim, Lee and Kim (IEEE Access 9, 2021) put 10 sin(πt) mA on one servo valve after the other and compare the "
    "joint's swing with the real arm: within 0.4 deg and 0.3 mm. Their curves cannot be read from the text, only that "
    "the swing is one-sided, as 1 − cos πt, and sags under gravity. So what stands under 'published' is, unless a row "
    "says 'paper', the specification: an independent computation with the same numbers, closed forms and bounds. Most "
    "of these numbers (flows, leakage, friction, masses) were chosen or fitted to other figures of the paper, none was "
    "measured. That the figures agree shows that the model is computed right, not that the arm is modelled right: "
    "agreement of fitted figures is no validation. Only the top speeds of joints 2 and 5 are the paper's own, 52.5 "
    "mm/s and 23.6 deg/s, and the reach."
)
SHOWN = (
    "Specification: start (0, 0.2 m, −0.2, −0.3, 0, 0), pressures loaded against gravity, spools at rest at 0; HHT "
    "coupled with 0.2 ms. Joints 3 and 4 come down faster than they went up: their load takes from the pressure drop "
    "at the valve on the way up and adds to it on the way down. Leakage adds its part."
)
LASTS = 4.0
PEAKS = (18.574, 33.103, 15.920, 18.467, 15.011, 15.037)
AFTER_2 = (-0.001, -0.003, -2.105, -1.142, -0.030, 0.023)
AFTER_4 = (-0.001, -0.003, -4.193, -2.274, -0.059, 0.047)
SPEEDS = ((29.08, None), (52.07, None), (25.10, -28.16), (29.05, -30.67), (23.60, None), (23.64, None))
TOP_SPEEDS = {1: 52.5, 4: 23.6}
"""Printed top speeds of joints 2 and 5, as derived from the motors' and the gears' data."""


def study(progress: Callable[[float], None]) -> Study:
    """Six runs; then geometry, dynamics, rest, friction, energy, end stop and order against exact figures."""
    runs, fine = [], []
    for axis in range(1, 7):
        runs.append(laws.driven(axis, LASTS, HHT(), 0.2e-3, every=5))
        fine.append(laws.driven(axis, LASTS, RK4(), 0.1e-3, every=10))
        progress(0.6 * axis / 6)
    stop_checks, stopped = laws.end_stop()
    orders = order.orders()
    progress(0.8)
    checks, table = grouped({
        "Swings": [*swings(runs), *agreement(runs, fine)],
        "Geometry": laws.geometry(),
        "Dynamics": laws.dynamics(),
        "At rest": rest(),
        "Friction of joint 1": [*laws.sliding(), bristles(runs)],
        "Energy": laws.energy(),
        "Joint 1 against its end stop": stop_checks,
        "Order of accuracy": order.checks(orders),
    })  # fmt: skip
    progress(1.0)
    shown = [["valve_3.i"], ["arm.joint_3.q"], ["motor_3.tau"], ["motor_3.friction.F"], ["valve_3.A.Q", "valve_3.B.Q"]]
    return Study(
        "pipe-cutter-open-loop", TITLE, TEXT, checks, runs[2], machine=machine(controlled=False, saw=False),
        sections=sections(runs, stopped, orders, table), plots=shown,
    )  # fmt: skip


def swing(result: Result, k: int) -> np.ndarray:
    """How far joint k has moved [deg or mm]."""
    q = joints(result)[:, k]
    return q - q[0]


def swings(runs: Sequence[Result]) -> Iterator[Check]:
    """Peak near 1 s, what is left at 2 s and 4 s, and the largest speeds."""
    for k, (result, name, unit) in enumerate(zip(runs, JOINTS, UNITS, strict=True)):
        moved, speed, t = swing(result, k), joints(result, "q_dot")[:, k], result.time
        peak = float(moved[t < 1.5].max())
        yield Check(f"{name}: peak near 1 s", PEAKS[k], peak, unit, within(peak, PEAKS[k], 0.01))
        for after, expected in ((2.0, AFTER_2[k]), (4.0, AFTER_4[k])):
            left = float(np.interp(after, t, moved))
            yield Check(f"{name}: left at {after:g} s", expected, left, unit, bool(abs(left - expected) <= 0.02))
        for expected, computed, what in zip(SPEEDS[k], (speed.max(), speed.min()), ("forward", "back"), strict=True):
            if expected is not None:
                yield Check(
                    f"{name}: top speed {what}",
                    expected,
                    float(computed),
                    f"{unit}/s",
                    within(computed, expected, 0.01),
                )
        if k in TOP_SPEEDS:
            yield Check(f"{name}: top speed (paper)", TOP_SPEEDS[k], float(speed.max()), f"{unit}/s")


def agreement(runs: Sequence[Result], fine: Sequence[Result]) -> Iterator[Check]:
    """Coupled HHT beside RK4 with half the step, all joints of all runs."""
    apart = max(float(np.abs(joints(a) - joints(b)).max()) for a, b in zip(runs, fine, strict=True))
    yield Check("HHT 0.2 ms against RK4 0.1 ms, all runs", "≤ 1e-05", apart, "deg, mm", bool(apart <= 1e-5))


def bristles(runs: Sequence[Result]) -> Check:
    """The largest deflection of any bristle beside the one at which it breaks away."""
    share = max(
        float(np.abs(run.values(f"motor_{i}.friction.z")).max()) * axis.sigma_0 / axis.F_s
        for run in runs
        for i, axis in enumerate(AXES, start=1)
    )
    return Check("all runs: largest |z| σ₀ / F_s", "≤ 1", share, "-", bool(share <= 1))


def sections(runs: Sequence[Result], stopped: Result, orders: Sequence[order.Order], table: Section) -> list[Section]:
    """The figures, the checks, the table of orders."""
    labels = [f"{name} [{unit}]" for name, unit in zip(JOINTS, UNITS, strict=True)]
    moved = [swing(run, k) for k, run in enumerate(runs)]
    expected = [((1.0, 2.0, 4.0), values) for values in zip(PEAKS, AFTER_2, AFTER_4, strict=True)]
    against = [("joint 1 [deg]", [Curve(stopped.time, joints(stopped)[:, 0])])]
    each = "Figure 6: swing of each joint while 10 sin(πt) mA go to its own valve, all others closed"
    return [
        Section("What this is", [TEXT]),
        Section("Swings", [
            SHOWN,
            Picture(drawn.swings(runs[0].time, moved, labels, expected), each),
            figures.pressures(runs[2], "Pressures while valve 3 is driven: what the others feel of it"),
        ]),
        table,
        Section("Against the end stop", [
            panels(against, "time [s]", "Joint 1, driven with 10 mA from 1.4 rad into its stop at 90 deg", height=2.2),
        ]),
        Section("Order of accuracy", [
            "All joints gather speed under constant currents, none turns round: where the motion is smooth. Errors "
            f"are those of the joint speeds after {1e3 * order.LASTS:g} ms, against RK4 with 2 µs. Where a joint "
            "turns round, the |v| of its friction costs every method of higher order its order.",
            Row([Picture(drawn.errors_over_step(orders), "Lines have the slope of the theory"), order_table(orders)]),
        ]),
        Section("The run with valve 3 driven", ["Signals, energy and the figures at the top are those of this run."]),
    ]  # fmt: skip


def order_table(orders: Sequence[order.Order]) -> Table:
    """Errors for steps that are halved, and the order that they show."""
    rows = [
        (o.name, 1e3 * h, e, None if p is None else round(p, 2))
        for o in orders
        for h, e, p in zip(o.steps, o.errors, (*o.orders, None), strict=True)
    ]
    return Table(("stepper", "step [ms]", "error [deg/s, mm/s]", "order to the next"), rows)
