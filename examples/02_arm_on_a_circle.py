"""The tool of an arm on a circle: inverse kinematics, controllers, valves, cylinders.

The six joints of `hydm` are moved by helical actuators, cylinders and a motor. A circle of the tool
becomes references of six controllers by the closed-form inverse; what the tool then does follows from
the oil. The picture shows the circle as the tool runs it, with the error made a hundred times larger.
"""

import numpy as np

import oleodyn as od
from oleodyn.catalogue.arm_geometry import HYDM
from oleodyn.catalogue.hydm import CIRCLE
from oleodyn.result.plots import PALETTE, STYLE

MAGNIFIED = 100


def main():
    """The circle seen from the tool's side, and the error over time."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    result = od.simulate(od.load("hydm"))
    q = np.stack([result.values(f"arm.joint_{i}.q") for i in range(1, 7)], axis=1)
    tool, wanted = HYDM.forward(q)[:, :3, 3], CIRCLE.poses(result.time)[:, :3, 3]
    error = tool - wanted
    print(f"RMS errors {', '.join(f'{1e3 * np.sqrt(np.mean(e * e)):.2f} mm' for e in error.T)} in x, y, z")
    print(f"{result.timing['real_time_factor']:.0f} times real time")
    with rc_context(STYLE):
        figure = Figure(figsize=(9, 4), layout="constrained")
        circle, course = figure.subplots(1, 2, width_ratios=[2, 3])
        shown = wanted + MAGNIFIED * error
        circle.plot(*wanted[:, 1:].T, color=PALETTE[7], linewidth=1, label="wanted")
        circle.plot(*shown[:, 1:].T, color=PALETTE[0], label=f"tool, error × {MAGNIFIED}")
        circle.set_aspect("equal")
        circle.set_xlabel("y [m]")
        circle.set_ylabel("z [m]")
        circle.legend(loc="center")
        for i, name in enumerate("xyz"):
            course.plot(result.time, 1e3 * error[:, i], color=PALETTE[i], label=name)
        course.set_xlabel("time [s]")
        course.set_ylabel("error of the tool [mm]")
        course.legend()
    return figure


if __name__ == "__main__":
    main().savefig("02_arm_on_a_circle.svg")
