"""Workspaces: where a tool can get to, and how near to a singularity it is there."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.kinematics.kinematics import Kinematics
from oleodyn.kinematics.six_axis import SixAxisArm
from oleodyn.result.plots import STYLE

DRAWN, DRAWN_CLOSED = 200_000, 10_000
"""Joint sets drawn if no number is given; the smaller where loops must be closed, by Newton, on each."""


@dataclass(frozen=True, eq=False)
class Workspace:
    """Tool points (n, 3) of joints (n, joints) drawn within the limits, and how regular each is.

    `regular` (n,) is the distance to the nearest singularity, 0 is singular: as in `SixAxisArm.sines`,
    or the ratio of singular values of `Kinematics.distance_from_singularity`.
    """

    arm: SixAxisArm | Kinematics
    q: np.ndarray
    points: np.ndarray
    regular: np.ndarray

    @property
    def reach(self) -> float:
        """Largest distance of the tool point from the base axis's origin met [m]."""
        return float(np.linalg.norm(self.points, axis=1).max())

    @property
    def height(self) -> tuple[float, float]:
        """Lowest and highest tool point met [m]."""
        return float(self.points[:, 2].min()), float(self.points[:, 2].max())

    def singular_share(self, margin: float) -> dict[str, float]:
        """Share of the joint sets that lie within `margin` of each singularity, by its name; "any" for a machine."""
        if isinstance(self.arm, Kinematics):
            return {"any": float((self.regular < margin).mean())}
        sines = np.abs(np.stack(np.broadcast_arrays(*self.arm.sines(list(self.q.T))), axis=-1))
        return {
            name: float(share)
            for name, share in zip(self.arm.singularities, (sines < margin).mean(axis=0), strict=True)
        }

    def side_view(self, cells: int = 120) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Edges of cells in distance from axis z0 and in height [m], and the best `regular` met in each; NaN: none."""
        return self._view(np.hypot(self.points[:, 0], self.points[:, 1]), self.points[:, 2], cells)

    def top_view(self, cells: int = 120) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same in x0 and y0."""
        return self._view(self.points[:, 0], self.points[:, 1], cells)

    def figure(self, title: str = "", cells: int = 120) -> Any:
        """A matplotlib figure: side and top view, coloured by the distance to the nearest singularity."""
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        with rc_context(STYLE):
            figure = Figure(figsize=(10, 4.6), layout="constrained")
            axes = figure.subplots(1, 2)
            views = (
                (axes[0], self.side_view(cells), "distance from axis z0 [m]", "height z0 [m]"),
                (axes[1], self.top_view(cells), "x0 [m]", "y0 [m]"),
            )
            meshes, most = list[Any](), 1.0 if isinstance(self.arm, SixAxisArm) else float(self.regular.max())
            for ax, (x, y, best), x_label, y_label in views:
                shown = np.ma.masked_invalid(best.T)
                meshes.append(ax.pcolormesh(x, y, shown, vmin=0.0, vmax=most, cmap="viridis", rasterized=True))
                ax.set_aspect("equal")
                ax.set_xlabel(x_label)
                ax.set_ylabel(y_label)
            figure.colorbar(meshes[0], ax=list(axes), label="best distance to a singularity [-]")
            if title:
                figure.suptitle(title)
        return figure

    def _view(self, x: np.ndarray, y: np.ndarray, cells: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        size = max(np.ptp(x), np.ptp(y)) / cells * (1 + 1e-9)
        i, j = (((a - a.min()) / size).astype(int) for a in (x, y))
        best = np.full((i.max() + 1, j.max() + 1), np.nan)
        np.fmax.at(best, (i, j), self.regular)
        return x.min() + size * np.arange(i.max() + 2), y.min() + size * np.arange(j.max() + 2), best


def workspace(
    arm: SixAxisArm | Kinematics, size: int | None = None, seed: int = 1, *, point: bool = False
) -> Workspace:
    """The workspace of an arm from `size` joint sets drawn evenly within its limits, always the same ones.

    For any machine the same: joints without limits are drawn over a whole turn, loops are closed from
    there, and what does not close within the limits is left out. With `point` only the motion of the
    tool's origin says what is singular, as for a crane.

    >>> from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
    >>> seen = workspace(PIPE_CUTTER, size=20_000)
    >>> 3.2 < seen.reach < 3.65  # 3.2421 m with the boom pulled in, 3.6421 m with all of it out
    True
    """
    if isinstance(arm, Kinematics):
        q = _drawn(arm, size, seed)
        return Workspace(arm, q, arm.forward(q)[:, :3, 3], arm.distance_from_singularity(q, point=point))
    low, high = np.array(arm.limits).T
    q = np.random.default_rng(seed).uniform(low, high, (size or DRAWN, 6))
    points = np.stack(np.broadcast_arrays(*arm.frame(list(q.T)).p), axis=-1)
    sines = np.abs(np.stack(np.broadcast_arrays(*arm.sines(list(q.T))), axis=-1))
    return Workspace(arm, q, points, sines.min(axis=1))


def _drawn(arm: Kinematics, size: int | None, seed: int) -> np.ndarray:
    """Coordinates within the limits, loops closed."""
    e, limits = arm.equations, arm.limits.copy()
    for i, card in enumerate(e.q_signals):
        if not np.isfinite(limits[i]).all():
            if card.unit != "rad":
                raise DeclarationError(
                    f"workspace: {card.name} [{card.unit}] has no limits: must have both ends. Give them: "
                    f"Kinematics(machine, limits={{{card.name!r}: (low, high)}})."
                )
            limits[i] = _turn(float(limits[i, 0]), float(limits[i, 1]), float(e.q_0[i]))
    loops = e.Phi.numel() > 0
    size = size or (DRAWN_CLOSED if loops else DRAWN)
    q = np.random.default_rng(seed).uniform(limits[:, 0], limits[:, 1], (size, len(limits)))
    return arm.closed(q) if loops else q


def _turn(low: float, high: float, middle: float) -> tuple[float, float]:
    """A whole turn from the end that there is, or about the middle."""
    if np.isfinite(low):
        return low, low + 2 * np.pi
    return (high - 2 * np.pi, high) if np.isfinite(high) else (middle - np.pi, middle + np.pi)
