"""Poses: 4 × 4 matrices [n o a p; 0 0 0 1], and what makes one a pose."""

from typing import Any, NamedTuple

import numpy as np

from oleodyn.errors import DataError, DeclarationError
from oleodyn.maths import both, fabs, floor, fmax, pi, where
from oleodyn.mechanics.vector import cross, dot

TOLERANCE = 1e-6
"""Largest |RᵀR − I| that is taken for rounding and smoothed away; above it a pose is refused."""


BOTTOM = np.array([0.0, 0.0, 0.0, 1.0])
"""Last row of every pose."""


class Frame(NamedTuple):
    """Axes n, o, a and origin p of the tool, three scalars each: numbers, arrays or symbols."""

    n: Any
    o: Any
    a: Any
    p: Any


def wrap(angle):
    """The same angle in (−π, π], unchanged to the last bit if it lies there already.

    >>> wrap(3 * pi), wrap(-pi), wrap(0.1)
    (3.141592653589793, 3.141592653589793, 0.1)
    """
    return angle + 2 * pi * floor((pi - angle) / (2 * pi))


def nearest_turn(angle, near):
    """The angle plus the whole turns that bring it nearest to `near`.

    >>> nearest_turn(-3.0, near=3.25) - 2 * pi
    -3.0
    """
    return angle + 2 * pi * floor((near - angle) / (2 * pi) + 0.5)


def smoothed(frame: Frame) -> tuple[Frame, Any]:
    """The frame with rounding taken out of its axes, and whether it is a pose.

    Equations   R ← R (3 I − RᵀR) / 2      squares what is wrong with nearly orthonormal axes
                refused above TOLERANCE, for a left-handed R, and for what is not a number
    """
    n, o, a, p = frame
    nn, oo, aa, no, na, oa = dot(n, n), dot(o, o), dot(a, a), dot(n, o), dot(n, a), dot(o, a)
    error = fabs(nn - 1)
    for part in (oo - 1, aa - 1, no, na, oa):
        error = fmax(error, fabs(part))
    rigid = both(both(error <= TOLERANCE, dot(cross(n, o), a) > 0), dot(p, p) < 1e300)
    fn, fo, fa = 1.5 - 0.5 * nn, 1.5 - 0.5 * oo, 1.5 - 0.5 * aa
    axes = [
        [u * f - 0.5 * (v * uv + w * uw) for u, v, w in zip(first, second, third, strict=True)]
        for first, second, third, f, uv, uw in ((n, o, a, fn, no, na), (o, n, a, fo, no, oa), (a, n, o, fa, na, oa))
    ]
    placeholder = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    clean = [
        [where(rigid, value, other) for value, other in zip(triple, others, strict=True)]
        for triple, others in zip((*axes, p), placeholder, strict=True)
    ]
    return Frame(*clean), rigid


def frame_of(T: np.ndarray) -> Frame:
    """The columns of poses (…, 4, 4), each component an array (…)."""
    return Frame(*([T[..., i, j] for i in range(3)] for j in range(4)))


def finite(near: np.ndarray, owner: str) -> np.ndarray:
    """Joints or coordinates to begin near to; what is not a number is refused."""
    if not np.isfinite(near).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(near))[0])
        raise DataError(
            f"{owner}: near[{', '.join(map(str, place))}] = {near[place]:g}: must be finite (a posture to begin "
            "near to). Give the joints where they are, or leave near out."
        )
    return near


def bottomed(T: np.ndarray) -> np.ndarray:
    """Which of poses (…, 4, 4) have the last row 0 0 0 1, within TOLERANCE."""
    row = T[..., 3, :]
    exact = (row == BOTTOM).all(axis=-1)
    return exact if exact.all() else np.abs(row - BOTTOM).max(axis=-1) <= TOLERANCE


def fault_in_words(T: np.ndarray) -> str:
    """Why a 4 × 4 matrix, or a point of three numbers, is none.

    >>> fault_in_words(np.diag([1.0, 1.0, 1.0, 2.0]))
    'the last row is (0, 0, 0, 2), must be (0, 0, 0, 1). Is the matrix transposed, or scaled?'
    """
    if not np.isfinite(T).all():
        names = [[f"R[{i}, {j}]" for j in range(3)] + [f"p[{i}]"] for i in range(3)]
        names.append([f"last row[{j}]" for j in range(4)])
        places = np.array(names) if T.shape == (4, 4) else np.array([f"p[{i}]" for i in range(3)])
        wrong = ", ".join(f"{name} = {x:g}" for name, x in zip(places.flat, T.flat, strict=True) if not np.isfinite(x))
        return f"{wrong}; numbers must be finite"
    if T.shape == (4, 4) and not bottomed(T):
        row = ", ".join(f"{x:.6g}" for x in T[3])
        return f"the last row is ({row}), must be (0, 0, 0, 1). Is the matrix transposed, or scaled?"
    if T.shape == (4, 4):
        with np.errstate(over="ignore", invalid="ignore"):
            error = np.abs(T[:3, :3].T @ T[:3, :3] - np.eye(3)).max()
        if not error <= TOLERANCE:
            return f"|RᵀR − I| = {error:.3g}, must be below {TOLERANCE:g}"
        if np.linalg.det(T[:3, :3]) < 0:
            return "R is left-handed, a mirror image"
    return f"its origin is {np.abs(T[:3, 3] if T.shape == (4, 4) else T).max():.3g} m away, beyond all measure"


def checked_poses(T: Any) -> np.ndarray:
    """Poses as an array (…, 4, 4) of floats; anything of another shape is refused."""
    try:
        poses = np.asarray(T, dtype=float)
    except (TypeError, ValueError):
        poses = np.empty(())
    if poses.shape[-2:] != (4, 4):
        raise DeclarationError(
            f"a pose has shape {poses.shape}: must be 4 × 4, the columns n, o, a (axes) and p (origin) of the tool. "
            "Build it with oleodyn.kinematics.pose.pose(p, R)."
        )
    return poses


def pose(p: Any, R: Any) -> np.ndarray:
    """Poses (…, 4, 4) from positions (…, 3) [m] and rotations (…, 3, 3).

    >>> pose([1.0, 2.0, 3.0], np.eye(3))[0].tolist()
    [1.0, 0.0, 0.0, 1.0]
    """
    p, R = np.asarray(p, dtype=float), np.asarray(R, dtype=float)
    T = np.zeros((*np.broadcast_shapes(p.shape[:-1], R.shape[:-2]), 4, 4))
    T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = R, p, 1.0
    return T
