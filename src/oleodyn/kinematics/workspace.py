"""Workspaces: where a tool can get to, and how near to a singularity it is there."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from oleodyn.kinematics.six_axis import SixAxisArm
from oleodyn.result.plots import STYLE


@dataclass(frozen=True, eq=False)
class Workspace:
    """Tool points (n, 3) of joints (n, 6) drawn within the limits, and how regular each is.

    `regular` (n,) is the distance to the nearest singularity as in `SixAxisArm.sines`: 0 is singular.
    """

    arm: SixAxisArm
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
        """Share of the joint sets that lie within `margin` of each singularity, by its name."""
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
            meshes: list[Any] = []
            for ax, (x, y, best), x_label, y_label in views:
                shown = np.ma.masked_invalid(best.T)
                meshes.append(ax.pcolormesh(x, y, shown, vmin=0.0, vmax=1.0, cmap="viridis", rasterized=True))
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


def workspace(arm: SixAxisArm, size: int = 200_000, seed: int = 1) -> Workspace:
    """The workspace of an arm from `size` joint sets drawn evenly within its limits, always the same ones.

    >>> from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
    >>> seen = workspace(PIPE_CUTTER, size=20_000)
    >>> 3.2 < seen.reach < 3.65  # 3.2421 m with the boom pulled in, 3.6421 m with all of it out
    True
    """
    low, high = np.array(arm.limits).T
    q = np.random.default_rng(seed).uniform(low, high, (size, 6))
    points = np.stack(np.broadcast_arrays(*arm.frame(list(q.T)).p), axis=-1)
    sines = np.abs(np.stack(np.broadcast_arrays(*arm.sines(list(q.T))), axis=-1))
    return Workspace(arm, q, points, sines.min(axis=1))
