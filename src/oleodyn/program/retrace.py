"""Retracing a failed step, slowly and in the open: where it was about to go, what would not settle."""

from collections.abc import Mapping

import numpy as np

from oleodyn.program.kernels import Kernels


def attempted(kernels: Kernels, y: np.ndarray, p: np.ndarray, u: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The numbers that a step from y would end with, converged or not."""
    functions = kernels.functions
    if "step" in functions:
        return _column(functions["step"](y, p, u, c)[0])
    w, _ = _iterated(kernels, y, p, u, c)
    return _column(functions["finish"](y, p, u, c, w)[0])


def restless(
    kernels: Kernels, nominal: Mapping[str, float], y: np.ndarray, p: np.ndarray, u: np.ndarray, c: np.ndarray
) -> list[str]:
    """Unknowns that Newton's last corrections moved most, in their nominal sizes, largest first."""
    moved = np.abs(_iterated(kernels, y, p, u, c)[1][: len(kernels.unknowns)])
    size = moved / np.array([nominal.get(name, 1.0) for name in kernels.unknowns])
    order = [int(k) for k in np.argsort(-size, kind="stable") if np.isfinite(size[k]) and size[k] > 0.1 * np.max(size)]
    return [kernels.unknowns[k] for k in order[:3]]


def _iterated(
    kernels: Kernels, y: np.ndarray, p: np.ndarray, u: np.ndarray, c: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The workspace at the end of the iteration, and the last correction of it."""
    functions = kernels.functions
    w = _settled(kernels, y, p, u, c, _column(functions["predict"](y, p, u, c)))
    last = np.zeros_like(w)
    for _ in range(kernels.max_iterations):
        new, norm = functions["iterate"](y, p, u, c, w)
        last = _column(new) - w
        w = _settled(kernels, y, p, u, c, _column(new))
        if not float(norm[0]) >= 1:
            break
    return w, last


def _settled(kernels: Kernels, y: np.ndarray, p: np.ndarray, u: np.ndarray, c: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The workspace after the nested loop, if there is one."""
    for _ in range(kernels.max_inner):
        new, norm = kernels.functions["inner"](y, p, u, c, w)
        w = _column(new)
        if not float(norm[0]) >= 1:
            break
    return w


def _column(value: object) -> np.ndarray:
    return np.asarray(value, dtype=float).ravel()
