"""pipe-cutter: a hydraulic manipulator with six joints R-P-R-R-R-R that cuts pipes with a saw.

Every number and its source stand in `pipe_cutter_drives.py`, the tasks in `pipe_cutter_tasks.py`.
What was fitted to a published figure is no validation of it.

References  Kim, Lee & Kim (2021) IEEE Access 9, doi 10.1109/ACCESS.2021.3127502.
"""

from oleodyn.catalogue.pipe_cutter_drives import AXES, I_MAX, PRESSURE, SAW, arm, motor, valve
from oleodyn.catalogue.pipe_cutter_tasks import gains, scenarios
from oleodyn.control.pid import PID
from oleodyn.hydraulics.supply import ConstantPressure
from oleodyn.hydraulics.tank import Tank
from oleodyn.machine.machine import Defaults, Machine


def machine(*, controlled: bool = True, saw: bool = True, payload: float = 0.0, stiff: bool = False) -> Machine:
    """The manipulator.

    controlled   with its PID controllers; without, the valve currents are inputs
    saw          with the saw and the pipe
    payload      mass held at the tool point [kg], 250 at most; the scenarios begin in balance with it
    stiff        a tenth of the oil volume and no rotor inertia: a stiffer plant of the same task
    """
    cutter = Machine(
        "pipe-cutter",
        text="hydraulic manipulator R-P-R-R-R-R with a circular saw, six servo valves and motors",
        defaults=Defaults(stepper="hht", dt=0.2e-3, until=60.0, scenario="circle" if controlled else None),
        scenarios=scenarios(payload) if controlled else None,
    )
    cutter.add("arm", arm(payload))
    cutter.add("supply", ConstantPressure(p=PRESSURE))
    cutter.add("tank", Tank(p=0.0))
    for i, axis in enumerate(AXES, start=1):
        cutter.add(f"valve_{i}", valve(axis))
        cutter.add(f"motor_{i}", motor(i, axis, stiff))
        cutter.connect(f"motor_{i}.{'rod' if i == 2 else 'shaft'}", f"arm.joint_{i}")
        cutter.connect(f"valve_{i}.A", f"motor_{i}.A")
        cutter.connect(f"valve_{i}.B", f"motor_{i}.B")
    cutter.connect("supply.port", *(f"valve_{i}.P" for i in range(1, 7)))
    cutter.connect("tank.port", *(f"valve_{i}.T" for i in range(1, 7)))
    if saw:
        cutter.add("saw", SAW)
        cutter.connect("saw.tool", "arm.tool")
    if controlled:
        for i, row in enumerate(gains(), start=1):
            cutter.add(f"pid_{i}", PID(**row, u_max=I_MAX, period=0.01, axis="m" if i == 2 else "rad"))
            cutter.connect(f"arm.joint_{i}.q", f"pid_{i}.q")
            cutter.connect(f"arm.joint_{i}.q_dot", f"pid_{i}.v")
            cutter.connect(f"pid_{i}.u", f"valve_{i}.i")
    return cutter
