"""Figures of the friction bench: forces through rest, speeds over the throttle, a map of the bristles."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from oleodyn.result.plots import INK, MUTED, PALETTE, STYLE, thinned
from oleodyn.studies.friction_laws import DISCONTINUOUS, DRY, HOLD, LAWS, Passage
from oleodyn.studies.friction_sweeps import SIGMA_0, SIGMA_1, Creep


def forces(found: Sequence[Passage]) -> Any:
    """Friction of every law while the piston stops and is held."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(9.5, 6.6), layout="constrained")
        panels = drawing.subplots(len(found), 1, sharex=True)
        for axes, passage, colour in zip(panels, found, PALETTE, strict=False):
            t = passage.result.time
            shown = (t > 1.15) & (t < 2.05)
            axes.plot(t[shown], passage.result.values("ram.F_friction")[shown], color=colour, linewidth=0.8)
            axes.axvspan(*HOLD, color=MUTED, alpha=0.12, linewidth=0)
            axes.set_title(passage.law, loc="left", color=colour)
            axes.set_ylim(-1000, 1000)
            axes.set_ylabel("N")
        panels[-1].set_xlabel("time [s]")
    return drawing


def curves() -> Any:
    """The steady curves of the laws close to rest."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from oleodyn.friction.bengisu_akay import bengisu_akay
    from oleodyn.friction.brown_mcphee import brown_mcphee
    from oleodyn.friction.modified_lugre import slip_force, steady_film
    from oleodyn.friction.stribeck import sliding_force

    v = np.concatenate([-np.geomspace(0.08, 1e-6, 400), np.geomspace(1e-6, 0.08, 400)])
    film = steady_film(v, DRY["F_c"], DRY["F_s"], 0.7)
    lines = {
        f"{DISCONTINUOUS}, LuGre": sliding_force(v, **DRY),
        "Bengisu-Akay": bengisu_akay(v, 210.0, 830.0, DRY["v_s"], 50.0) + 330.0 * v * (np.abs(v) >= DRY["v_s"]),
        "Brown-McPhee": brown_mcphee(v, **DRY),
        "modified LuGre": np.sign(v) * slip_force(v, film, 210.0, 830.0, DRY["v_s"], n=2.0) + 330.0 * v,
    }
    with rc_context(STYLE):
        drawing = Figure(figsize=(6.4, 3.8), layout="constrained")
        axes = drawing.subplots()
        for (name, F), colour in zip(lines.items(), PALETTE, strict=False):
            axes.plot(1e3 * v, F, color=colour, label=name)
        axes.set_xlabel("speed [mm/s]")
        axes.set_ylabel("steady friction [N]")
        axes.legend(loc="lower right")
    return drawing


def throttles(found: Mapping[str, Creep]) -> Any:
    """Lowest and highest speed over the mean, law by law: where the band opens, the piston sticks and slips."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(9.5, 6.0), layout="constrained")
        panels = drawing.subplots(2, 2, sharex=True, sharey=True)
        for axes, (name, creep) in zip(panels.ravel(), found.items(), strict=True):
            colour = PALETTE[list(LAWS).index(name) % len(PALETTE)]
            mean, low, high = 1e3 * creep.mean, 1e3 * creep.low, 1e3 * creep.high
            axes.fill_between(mean, low, high, color=colour, alpha=0.25, linewidth=0)
            for edge in (low, high):
                axes.plot(mean, edge, color=colour, linewidth=1.0)
            axes.plot(mean, mean, color=INK, linewidth=0.8, linestyle=(0, (4, 2)))
            axes.set_title(name, loc="left", color=colour)
        for axes in panels[-1]:
            axes.set_xlabel("mean speed [mm/s]")
        for axes in panels[:, 0]:
            axes.set_ylabel("speed [mm/s]")
    return drawing


def cycles(results: Mapping[str, Any]) -> Any:
    """Speed over time once the creep has settled."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(9.5, 3.4), layout="constrained")
        axes = drawing.subplots()
        for (name, result), colour in zip(results.items(), PALETTE, strict=False):
            shown = (result.time > 11.0) & (result.time < 11.6)
            axes.plot(*thinned(result.time[shown], 1e3 * result.values("mass.rod.v")[shown]), color=colour, label=name)
        axes.set_xlabel("time [s]")
        axes.set_ylabel("speed [mm/s]")
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return drawing


def bristle_map(creep: Creep) -> Any:
    """Peak to peak of the speed over its mean, for stiffness and damping of the bristles."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(6.4, 4.4), layout="constrained")
        axes = drawing.subplots()
        field = creep.ripple.reshape(SIGMA_0.size, SIGMA_1.size).T
        mesh = axes.pcolormesh(SIGMA_0, SIGMA_1, field, shading="nearest", cmap="viridis", rasterized=True)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("bristle stiffness σ₀ [N/m]")
        axes.set_ylabel("bristle damping σ₁ [N·s/m]")
        axes.grid(False)
        drawing.colorbar(mesh, ax=axes, label="peak to peak of the speed over its mean")
    return drawing
