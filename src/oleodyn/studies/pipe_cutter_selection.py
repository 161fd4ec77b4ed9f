"""The gains of table 4 against the linearised joints of the pipe cutter."""

import numpy as np

from oleodyn.catalogue.pipe_cutter_gains import joint_gains, joint_plant, per_unit, speed_per_current
from oleodyn.catalogue.pipe_cutter_tasks import TABLE_4, gains
from oleodyn.control.gains import error_dynamics, judged, raised
from oleodyn.control.margins import poles
from oleodyn.control.pid import Gains
from oleodyn.control.plant import Plant
from oleodyn.result.content import Check, Table
from oleodyn.studies.pipe_cutter_runs import within

TOP_SPEEDS = (29.0, 52.0, 25.0, 29.0, 23.6, 23.6)
"""Peak speeds of the open-loop runs at 10 mA, of the reference."""


def selection() -> tuple[list[Check], Table]:
    """Each joint's plant, what table 4 makes of it, and what could be had."""
    checks, rows = list[Check](), []
    for joint, row in enumerate(TABLE_4, start=1):
        plant, unit = joint_plant(joint), per_unit(joint)
        published = Gains(**gains()[joint - 1])
        judgement, (bandwidth, damping) = judged(plant, published), slow_pair(plant, published)
        again = joint_gains(joint, bandwidth, damping, derivative=published.K_d / published.K_p).gains.K_p * unit
        could = raised(plant, error_dynamics(1.0)).gains.K_p * unit
        m, gain = judgement.margins, speed_per_current(plant) / unit
        expected, name = TOP_SPEEDS[joint - 1] / 10, f"joint {joint}"
        checks.append(Check(f"{name}: speed per mA", expected, gain, "1/(s·mA)", within(gain, expected, 0.05)))
        same = within(again, row[0], 1e-6)
        checks.append(Check(f"{name}: K_p asked back from bandwidth and damping", row[0], again, "mA/unit", same))
        safe = bool(m.gain_margin >= 2)
        checks.append(Check(f"{name}: gain margin of table 4", "≥ 2", m.gain_margin, "-", safe))
        rows.append(
            (f"joint {joint}", *row, gain, bandwidth, damping, m.gain_margin, np.degrees(m.phase_margin), could)
        )
    head = (
        "",
        "K_p",
        "K_i",
        "K_d",
        "speed per mA",
        "bandwidth [rad/s]",
        "damping",
        "gain margin",
        "phase margin [deg]",
        "K_p could be",
    )
    return checks, Table(head, rows, "Gains in mA per deg and mm; the loop is sampled every 10 ms.")


def slow_pair(plant: Plant, chosen: Gains) -> tuple[float, float]:
    """Natural frequency [rad/s] and damping of the two slowest poles of the loop."""
    found = poles(plant, chosen)
    a, b = found[np.argsort(np.abs(found))][:2]
    bandwidth = float(np.sqrt((a * b).real))
    return bandwidth, float(-(a + b).real / (2 * bandwidth))
