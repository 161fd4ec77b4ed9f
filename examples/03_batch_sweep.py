"""A thousand benches at once: how hard a closing valve stops a load.

A valve lets a mass run, then shuts. Oil and mass ring like spring and weight, and the pressure on the
side that is squeezed peaks. How high depends on the mass and on the oil between valve and piston: long
hoses are soft. Both are swept, 1024 benches side by side in the lanes of vector registers; the machine
code is made once, since both stay numbers at run time (`tunable`).
"""

import numpy as np

import oleodyn as od
from oleodyn.result.plots import STYLE
from oleodyn.simulation.path import Steps
from oleodyn.units import bar, litre

MASSES, VOLUMES = np.linspace(50, 1000, 32), np.linspace(0.02, 1.0, 32) * litre


def main():
    """The peak of the pressure over mass and volume."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    bench = od.load("valve-bench")
    equations = od.assemble(bench, tunable=["mass.m", "ram.V_A_dead", "ram.V_B_dead"])
    batch = od.Batch(od.compile(equations, od.HHT()), MASSES.size * VOLUMES.size)
    mass, volume = (grid.ravel() for grid in np.meshgrid(MASSES, VOLUMES))
    batch["mass.m"], batch["ram.V_A_dead"], batch["ram.V_B_dead"] = mass, volume, volume
    inputs = {"valve.u": Steps(times=[0.1, 0.8], values=[0.25, 0.0])}
    outcome = batch.run(until=1.1, dt=5e-4, inputs=inputs, every=1, record=["ram.B.p"])
    after = outcome.values("ram.B.p")[outcome.time >= 0.8]
    peak = after.max(axis=0).reshape(VOLUMES.size, MASSES.size) / bar
    print(f"{batch.size} runs in {outcome.timing['wall_s']:.2f} s, {outcome.timing['steps_per_s']:.3g} steps a second")
    print(f"peaks from {peak.min():.0f} to {peak.max():.0f} bar; {np.count_nonzero(outcome.status)} runs failed")
    with rc_context(STYLE):
        figure = Figure(figsize=(7, 4.5), layout="constrained")
        axes = figure.subplots()
        mesh = axes.pcolormesh(MASSES, VOLUMES / litre, peak, shading="nearest", cmap="viridis", rasterized=True)
        lines = axes.contour(MASSES, VOLUMES / litre, peak, colors="white", linewidths=0.8)
        axes.clabel(lines, fmt="%.0f bar")
        axes.set_xlabel("mass [kg]")
        axes.set_ylabel("oil on each side of the piston [l]")
        axes.grid(visible=False)
        figure.colorbar(mesh, label="highest pressure after the valve has shut [bar]")
    return figure


if __name__ == "__main__":
    main().savefig("03_batch_sweep.svg")
