"""One link of a modified (Craig) Denavit-Hartenberg table, from its factors."""

import numpy as np


def modified_dh(alpha, a, d, theta):
    """RotX(alpha) TransX(a) RotZ(theta) TransZ(d), from its factors."""
    ca, sa, c, s = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    rot_x = np.array([[1, 0, 0, a], [0, ca, -sa, 0], [0, sa, ca, 0], [0, 0, 0, 1]])
    rot_z = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, d], [0, 0, 0, 1]])
    return rot_x @ rot_z
