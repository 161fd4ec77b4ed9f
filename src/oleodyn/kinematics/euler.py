"""z-y-z Euler angles: azimuth and tilt of the tool axis, and the roll about it."""

import numpy as np

DEGENERATE = 1e-9
"""Sine of the tilt below which azimuth and roll turn about the same axis."""


def rotation_from_zyz(angles) -> np.ndarray:
    """R = Rz(α) Ry(β) Rz(γ), for angles (α, β, γ) [rad] in the last axis; one more axis comes out.

    >>> rotation_from_zyz([np.pi / 2, np.pi / 2, np.pi / 2])[:, 2].round(12).tolist()
    [0.0, 1.0, 0.0]
    """
    alpha, beta, gamma = np.moveaxis(np.asarray(angles, dtype=float), -1, 0)
    ca, sa, cb, sb, cg, sg = (f(x) for x in (alpha, beta, gamma) for f in (np.cos, np.sin))
    rows = [
        [ca * cb * cg - sa * sg, -ca * cb * sg - sa * cg, ca * sb],
        [sa * cb * cg + ca * sg, -sa * cb * sg + ca * cg, sa * sb],
        [-sb * cg, sb * sg, cb],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def zyz_from_rotation(R) -> tuple[np.ndarray, np.ndarray]:
    """Angles (α, β, γ) [rad], 0 ≤ β ≤ π, and whether only α + γ (β = 0) or α − γ (β = π) is defined.

    Where only their sum or difference is defined, γ is 0 by convention.

    >>> zyz_from_rotation(rotation_from_zyz([0.5, 0.25, -1.0]))[0].round(12).tolist()
    [0.5, 0.25, -1.0]
    >>> zyz_from_rotation(rotation_from_zyz([0.5, 0.0, 0.25]))[0].round(12).tolist()
    [0.75, 0.0, 0.0]
    """
    R = np.asarray(R, dtype=float)
    sine = np.hypot(R[..., 0, 2], R[..., 1, 2])
    degenerate = sine < DEGENERATE
    up = np.where(R[..., 2, 2] < 0, -1.0, 1.0)
    alpha = np.where(
        degenerate, np.arctan2(up * R[..., 1, 0], up * R[..., 0, 0]), np.arctan2(R[..., 1, 2], R[..., 0, 2])
    )
    gamma = np.where(degenerate, 0.0, np.arctan2(R[..., 2, 1], -R[..., 2, 0]))
    return np.stack([alpha, np.arctan2(sine, R[..., 2, 2]), gamma], axis=-1), degenerate
