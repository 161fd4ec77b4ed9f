"""Pictures of the study of HydM's inverse."""

from typing import Any

import numpy as np

from oleodyn.catalogue.arm_geometry import HYDM
from oleodyn.kinematics.parallel_axes import ParallelAxes6R
from oleodyn.result.plots import INK, MUTED, PALETTE, STYLE


def precision(error: np.ndarray, rho: np.ndarray) -> Any:
    """How often which error, and how it grows towards the slewing axis."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(10, 3.6), layout="constrained")
        left, right = drawing.subplots(1, 2)
        left.hist(np.log10(np.maximum(error, 1e-17)), bins=np.arange(-17, -8.9, 0.1), color=PALETTE[0])
        left.set_yscale("log")
        left.axvline(-9, color=PALETTE[1])
        left.text(-9.1, 0.97, "asked for", ha="right", va="top", color=PALETTE[1], transform=left.get_xaxis_transform())
        left.set_xlabel("log₁₀ of the worst joint's error [rad]")
        left.set_ylabel("joint sets")
        distance, worst = _envelope(np.abs(rho), error)
        right.loglog(distance, worst, ".", color=PALETTE[0], label="worst of each bin")
        right.loglog(distance, 2.2e-16 / distance, color=PALETTE[1], label="rounding / |ρ|")
        right.set_xlabel("|ρ|, distance of the wrist from the slewing axis [m]")
        right.set_ylabel("error [rad]")
        right.legend()
    return drawing


def _envelope(distance: np.ndarray, error: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The largest error in each of the bins of distance that have any."""
    edges = np.geomspace(max(distance.min(), 1e-9), distance.max(), 80)
    place = np.clip(np.searchsorted(edges, distance), 1, len(edges) - 1)
    worst = np.zeros(len(edges))
    np.maximum.at(worst, place, error)
    some = worst > 0
    return edges[some], worst[some]


def branch_counts(real: np.ndarray) -> Any:
    """Share of poses by the number of real branches."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(5, 2.6), layout="constrained")
        axes = drawing.subplots()
        counts = (2, 4, 6, 8)
        shares = [100 * float((real == k).mean()) for k in counts]
        bars = axes.bar([str(k) for k in counts], shares, color=PALETTE[0], width=0.6)
        axes.bar_label(bars, fmt="%.1f %%", color=INK)
        axes.margins(y=0.15)
        axes.set_xlabel("real branches of a pose")
        axes.set_ylabel("share of poses [%]")
    return drawing


def postures(degrees: tuple[float, ...]) -> Any:
    """All postures of one pose, in the plane of the arm: shoulder to wrist, and the tool they share."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    T = HYDM.forward(np.radians(degrees))
    branches = HYDM.inverse(T)
    along = np.array([np.cos(branches.q[0, 0]), np.sin(branches.q[0, 0]), 0.0])
    tip = float(T[:3, 3] @ along), float(T[2, 3])
    with rc_context(STYLE):
        drawing = Figure(figsize=(10, 5.2), layout="constrained")
        panels = drawing.subplots(2, 4, sharex=True, sharey=True).ravel()
        for axes, code, q, inside in zip(panels, HYDM.codes, branches.q, branches.inside, strict=True):
            x, z = _posture(q, 1.0 if code[0] == "0" else -1.0)
            axes.plot([0, 0], [0, HYDM.d1], color=MUTED, linewidth=5, solid_capstyle="round")
            axes.plot(x, z, "o-", color=PALETTE[0], alpha=1.0 if inside else 0.45, linewidth=3, markersize=5)
            axes.plot([x[-1], tip[0]], [z[-1], tip[1]], color=PALETTE[1], linewidth=3)
            axes.plot(*tip, "s", color=PALETTE[1], markersize=5)
            axes.set_title(f"{code}{' within the limits' if inside else ''}")
            axes.set_aspect("equal")
        drawing.supxlabel("along the arm [m]", fontsize=10, color=MUTED)
        drawing.supylabel("height [m]", fontsize=10, color=MUTED)
    return drawing


def _posture(q: np.ndarray, facing: float) -> tuple[np.ndarray, np.ndarray]:
    """Joint 2, joint 3, joint 4, the foot of the wrist axis and the wrist: distance along the arm, height."""
    angles = np.cumsum(q[1:4])
    spans = np.array([HYDM.a2, HYDM.a3, HYDM.a4])
    x = [0.0, *np.cumsum(spans * np.cos(angles))]
    z = [HYDM.d1, *HYDM.d1 + np.cumsum(spans * np.sin(angles))]
    x.append(x[-1] - HYDM.d5 * np.sin(angles[2]))
    z.append(z[-1] + HYDM.d5 * np.cos(angles[2]))
    return facing * np.array(x), np.array(z)


def singular_sheet(arm: ParallelAxes6R) -> Any:
    """|det J| over q₂ and q₃, the wrist held."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    q2, q3 = (np.degrees(np.linspace(low, high, 161)) for low, high in arm.limits[1:3])
    grid = np.zeros((len(q3), len(q2), 6))
    grid[..., 1], grid[..., 2] = np.meshgrid(q2, q3)
    grid[..., 3], grid[..., 4] = 10.0, -90.0
    q = np.radians(grid)
    det = np.linalg.det(arm.jacobian(q))
    rho = arm.sines(list(np.moveaxis(q, -1, 0)))[2]
    with rc_context(STYLE):
        drawing = Figure(figsize=(6.2, 3.6), layout="constrained")
        axes = drawing.subplots()
        mesh = axes.pcolormesh(q2, q3, np.abs(det), shading="nearest", cmap="viridis", rasterized=True)
        axes.contour(q2, q3, rho, levels=[0.0], colors=[PALETTE[1]], linewidths=2)
        axes.set_xlabel("q2 [deg]")
        axes.set_ylabel("q3 [deg]")
        axes.grid(visible=False)
        drawing.colorbar(mesh, ax=axes, label="|det J| [m³]")
    return drawing
