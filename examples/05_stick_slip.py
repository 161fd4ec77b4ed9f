"""Stick and slip: what a seal does to a cylinder that is asked to creep.

The valve is opened by a crack. With a seal that only drags, the mass creeps evenly. With a seal that
sticks (LuGre: bristles that bend before they slip, and a sliding friction below the break-away force),
pressure builds up until the seal lets go, the mass leaps, the pressure falls, the seal holds again.
The friction law is an object that the cylinder holds; all else is the same machine.
"""

import numpy as np

import oleodyn as od
from oleodyn.catalogue.valve_bench import machine
from oleodyn.friction.lugre import LuGre
from oleodyn.friction.viscous import Viscous
from oleodyn.result.plots import PALETTE, STYLE
from oleodyn.simulation.path import Ramp
from oleodyn.units import bar, litre, mm

LAWS = {
    "sticks": LuGre(F_c=1e3, F_s=3e3, v_s=5 * mm, sigma_0=5e7, sigma_1=5e4, sigma_2=4e3),
    "drags": Viscous(c=4e3),
}


def crept(law):
    """The bench with long hoses, its valve opened by a crack: 2 % is its dead band."""
    bench = machine(friction=law).replace("ram.V_A_dead", 2 * litre).replace("ram.V_B_dead", 2 * litre)
    crack = Ramp(start=0.1, duration=0.1, after=0.023)
    return od.simulate(bench, scenario="creep", until=6.0, inputs={"valve.u": crack})


def leaps(result):
    """How often the mass set off."""
    v = result.values("mass.rod.v")
    return int(np.count_nonzero((v[1:] > 20 * mm) & (v[:-1] <= 20 * mm)))


def main():
    """Position, speed and pressure with both seals."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    results = {name: crept(law) for name, law in LAWS.items()}
    for name, result in results.items():
        print(f"the seal {name}: {leaps(result)} leaps, {result.timing['real_time_factor']:.0f} times real time")
    with rc_context(STYLE):
        figure = Figure(figsize=(8, 6), layout="constrained")
        panels = figure.subplots(3, 1, sharex=True)
        signals = (("ram.x", mm, "position [mm]"), ("mass.rod.v", mm, "speed [mm/s]"), ("ram.A.p", bar, "p A [bar]"))
        for axes, (signal, unit, label) in zip(panels, signals, strict=True):
            for i, (name, result) in enumerate(results.items()):
                axes.plot(result.time, result.values(signal) / unit, color=PALETTE[i], label=f"the seal {name}")
            axes.set_ylabel(label)
        panels[0].legend()
        panels[-1].set_xlabel("time [s]")
    return figure


if __name__ == "__main__":
    main().savefig("05_stick_slip.svg")
