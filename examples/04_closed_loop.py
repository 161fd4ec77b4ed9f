"""A loop that is closed twice: by hand around `program.step`, and by a PID part inside the machine.

A cylinder shall hold the position of a mass. The machine is linearised, `select_gains` finds gains for
a bandwidth and a damping, and the loop is closed: first in Python, which could as well read a bus or
train a policy, then with the PID of the shelf, which runs in machine code. Both do the same, to
rounding, and for a small step they do what the linear plant had promised.
"""

import numpy as np

import oleodyn as od
from oleodyn.catalogue.valve_bench import machine
from oleodyn.control.gains import select_gains
from oleodyn.control.pid import PID, pid
from oleodyn.control.plant import Plant
from oleodyn.equations.linearise import linearise
from oleodyn.friction.viscous import Viscous
from oleodyn.result.plots import PALETTE, STYLE
from oleodyn.simulation.path import Steps
from oleodyn.simulation.scenario import Scenario
from oleodyn.units import ms

DT, PERIOD, UNTIL = 0.5 * ms, 5 * ms, 1.5
BEGIN, STEP, JUMP = 0.1, 0.002, 0.2  # where the piston is, how far it shall go [m], and when [s]


def bench():
    """The valve bench without dead band and stiction."""
    return machine(friction=Viscous(c=4e3)).replace("valve.overlap", 0.0)


def by_hand(gains):
    """Times and positions: read, decide, command, step."""
    program = od.compile(od.assemble(bench()), od.RK4())
    state, integral, rows = program.start(), 0.0, []
    for k in range(round(UNTIL / PERIOD)):
        wanted = BEGIN + STEP * (k * PERIOD >= JUMP - 1e-9)
        error = wanted - (state["mass.rod.s"] - 0.6)
        state["valve.u"], integral = pid(error, 0.0, integral, gains, PERIOD, u_max=1.0)
        for _ in range(round(PERIOD / DT)):
            program.step(state, dt=DT)
        rows.append(state["mass.rod.s"] - 0.6)
    return PERIOD * np.arange(1, len(rows) + 1), np.array(rows)


def by_part(gains):
    """The same with the controller in the machine."""
    closed = bench()
    closed.add("pid", PID(K_p=gains.K_p, K_i=gains.K_i, u_max=1.0, period=PERIOD, axis="m", command="-"))
    closed.connect("ram.x", "pid.q")
    closed.connect("pid.u", "valve.u")
    inputs = {"pid.q_ref": Steps(times=[JUMP], values=[BEGIN + STEP], before=BEGIN)}
    every = round(PERIOD / DT)
    return od.simulate(closed, until=UNTIL, dt=DT, stepper=od.RK4(), inputs=inputs, scenario=Scenario(), every=every)


def main():
    """Promised and run."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    linear = linearise(od.assemble(bench()))
    plant = Plant.of_joint(linear, "valve.u", "mass.rod.s", period=PERIOD)
    chosen = select_gains(plant, bandwidth=10.0, damping=0.8)
    print(chosen)
    t, s = by_hand(chosen.gains)
    result = by_part(chosen.gains)
    print(f"largest difference between hand and part: {np.abs(s - result.values('ram.x')[1:]).max():.1e} m")
    instants = PERIOD * np.arange(round((UNTIL - JUMP) / PERIOD) + 1)
    promised, _ = plant.step_response(chosen.gains, instants)
    with rc_context(STYLE):
        figure = Figure(figsize=(8, 3.6), layout="constrained")
        axes = figure.subplots()
        axes.plot(JUMP + instants, 1e3 * (BEGIN + STEP * promised), color=PALETTE[1], label="promised by the plant")
        axes.plot(result.time, 1e3 * result.values("ram.x"), color=PALETTE[0], label="PID in the machine")
        axes.plot(t[::6], 1e3 * s[::6], ".", color=PALETTE[2], label="loop by hand")
        axes.set_xlabel("time [s]")
        axes.set_ylabel("position of the piston [mm]")
        axes.legend()
    return figure


if __name__ == "__main__":
    main().savefig("04_closed_loop.svg")
