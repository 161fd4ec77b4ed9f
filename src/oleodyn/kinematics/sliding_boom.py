"""Arms R-P-R-R-R-R: a slewing base, a sliding boom, two pitch joints, a wrist, a tool."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from oleodyn.kinematics.pose import Frame, pose, wrap
from oleodyn.kinematics.six_axis import Branch, SixAxisArm
from oleodyn.machine.part import parameter
from oleodyn.maths import atan2, clip, cos, pi, sin, sqrt, where
from oleodyn.mechanics.vector import cross, dot

TINY = 1e-10
"""Below this distance from axis z0 [m], or this cosine of q5, a joint is undefined and stays near."""


class SlidingBoomArm(SixAxisArm):
    """Slew q₁, slide q₂, pitch q₃ and q₄, yaw q₅, roll q₆ (modified DH table of [1], corrected).

    Equations   φ = q₃ + q₄,  e_x = (cos q₁, sin q₁, 0),  e_y = (−sin q₁, cos q₁, 0),  e_z = (0, 0, 1)
                x₄ = cos φ e_y + sin φ e_z,  y₄ = −sin φ e_y + cos φ e_z,  x₅ = sin q₅ x₄ + cos q₅ e_x
                a = cos q₅ x₄ − sin q₅ e_x,  n = cos q₆ x₅ − sin q₆ y₄,  o = a × n
                p = (l₂ + q₂) e_y + l₃ (cos q₃ e_y + sin q₃ e_z) + l₄ x₄ + l₆ a
                det J = l₃ cos q₃ cos q₅ ρ,  ρ = l₂ + q₂ + l₃ cos q₃ + l₄ cos φ
    Branches    base turned by π, φ turned by π, q₃ → π − q₃: eight, in this order.
    Limits      q₃ needs |h| ≤ l₃, h the height of the axis of joint 4 above the boom: else out of reach.
    Assumes     base frame: z0 up, y0 forward along the boom, x0 to the side.
    References  [1] Kim, Lee, Kim (2021) IEEE Access 9, table 1.
    """

    l2: float = parameter("m", "slewing axis to joint 3, boom pulled in", above=0)
    l3: float = parameter("m", "joint 3 to joint 4", above=0)
    l4: float = parameter("m", "joint 4 to the wrist")
    l6: float = parameter("m", "wrist to tool point")

    units: ClassVar = ("rad", "m", "rad", "rad", "rad", "rad")
    singularities: ClassVar = {
        "pitch": "joint 3 points straight up or down; the boom cannot help it",
        "wrist": "the tool lies along the axis of joint 4; only a combination of q3, q4 and q6 is defined",
        "shoulder": "the wrist lies on the slewing axis; q1 is undefined",
    }
    codes: ClassVar = tuple(k1 + k4 + k3 for k1 in "01" for k4 in "+-" for k3 in "+-")

    def frame(self, q: Sequence[Any]) -> Frame:
        """Axes and origin of the tool in the base frame."""
        e_x, e_y, x4, y4 = self._axes(cos(q[0]), sin(q[0]), cos(q[2] + q[3]), sin(q[2] + q[3]))
        (c5, s5), (c6, s6) = ((cos(x), sin(x)) for x in (q[4], q[5]))
        a = tuple(c5 * x - s5 * e for x, e in zip(x4, e_x, strict=True))
        x5 = tuple(s5 * x + c5 * e for x, e in zip(x4, e_x, strict=True))
        n = tuple(c6 * x - s6 * y for x, y in zip(x5, y4, strict=True))
        along = self.l2 + q[1] + self.l3 * cos(q[2])
        p = tuple(along * e + self.l4 * x + self.l6 * z for e, x, z in zip(e_y, x4, a, strict=True))
        return Frame(n, cross(a, n), a, (p[0], p[1], p[2] + self.l3 * sin(q[2])))

    def sines(self, q: Sequence[Any]) -> tuple[Any, Any, Any]:
        """cos q₃, cos q₅ and ρ / (l₂ + l₃ + l₄)."""
        rho = self.l2 + q[1] + self.l3 * cos(q[2]) + self.l4 * cos(q[2] + q[3])
        return cos(q[2]), cos(q[4]), rho / (self.l2 + self.l3 + self.l4)

    def reach_in_words(self, reach: float) -> str:
        """Height of joint 4 against what link 3 spans."""
        side = "above" if reach > 0 else "below"
        return f"joint 4 would have to be {abs(reach) * self.l3:.4g} m {side} the boom; link 3 reaches {self.l3:.4g} m"

    def branches(self, tool: Frame, near: Sequence[Any]) -> list[Branch]:
        """Base, pitch and elbow in turn; what is common to branches is computed once."""
        n, _, a, p = tool
        w = [p[i] - self.l6 * a[i] for i in range(3)]
        c1, s1, q1, rho = self._slew(w, near)
        e_x, e_y = (c1, s1, 0.0), (-s1, c1, 0.0)
        a_x, a_y, n_x, n_y = dot(a, e_x), dot(a, e_y), dot(n, e_x), dot(n, e_y)
        c5 = sqrt(a_y * a_y + a[2] * a[2])
        C, S, phi = self._pitch(a_y, a[2], c5, c1 * cos(near[0]) + s1 * sin(near[0]), near)
        q5 = atan2(-a_x, c5)
        q6 = atan2(n_y * S - n[2] * C, -a_x * (n_y * C + n[2] * S) + c5 * n_x)
        q1_1, q6_1, phi_1 = wrap(q1 + pi), wrap(q6 + pi), wrap(phi + pi)
        heights = [self._pitched(w[2] - k * self.l4 * S) for k in (1, -1)]
        found: list[Branch] = []
        for slew, e, k, pitch, yaw, roll in (
            (q1, 1, 1, phi, q5, q6), (q1, 1, -1, phi_1, wrap(pi - q5), q6_1),
            (q1_1, -1, 1, wrap(pi - phi), -q5, q6_1), (q1_1, -1, -1, wrap(-phi), wrap(pi + q5), q6),
        ):  # fmt: skip
            q3, c3, reach = heights[0 if k == 1 else 1]
            along = e * rho - e * k * self.l4 * C - self.l2
            for lift, sign in ((q3, 1), (wrap(pi - q3), -1)):
                found.append(Branch((slew, along - sign * self.l3 * c3, lift, wrap(pitch - lift), yaw, roll), reach))
        return found

    def tool_poses(self, points: Any, pitch: float) -> np.ndarray:
        """Poses (…, 4, 4) with the tool at points (…, 3), its axis in the y0-z0 plane, its n along x0.

        `pitch` [rad] is the angle of the tool axis above the horizontal: q₃ + q₄ while q₁ = q₅ = 0.
        """
        c, s = float(np.cos(pitch)), float(np.sin(pitch))
        return pose(points, [[1.0, 0.0, 0.0], [0.0, s, c], [0.0, -c, s]])

    def _axes(self, c1, s1, C, S):
        e_x, e_y = (c1, s1, 0 * c1), (-s1, c1, 0 * c1)
        return e_x, e_y, (-s1 * C, c1 * C, S), (s1 * S, -c1 * S, C)

    def _slew(self, w, near):
        """Cosine, sine and angle of q₁ with the boom towards the wrist point w, and its distance from axis z0."""
        rho = sqrt(w[0] * w[0] + w[1] * w[1])
        away = rho > TINY
        safe = where(away, rho, 1.0)
        c1, s1 = where(away, w[1] / safe, cos(near[0])), where(away, -w[0] / safe, sin(near[0]))
        return c1, s1, where(away, atan2(-w[0], w[1]), near[0]), where(away, rho, w[1] * c1 - w[0] * s1)

    def _pitch(self, a_y, a_z, c5, facing, near):
        """Cosine, sine and value of φ on the first branch; near to `near` where cos q₅ = 0."""
        free = c5 > TINY
        safe = where(free, c5, 1.0)
        held = near[2] + near[3]
        e, k = where(facing < 0, -1.0, 1.0), where(cos(near[4]) < 0, -1.0, 1.0)
        C = where(free, a_y / safe, e * k * cos(held))
        S = where(free, a_z / safe, k * sin(held))
        return C, S, atan2(S, C)

    def _pitched(self, height):
        """q₃ in −π/2 … π/2 that lifts joint 4 to this height, its cosine, and the sine it asks for."""
        reach = height / self.l3
        s3 = clip(reach, -1.0, 1.0)
        c3 = sqrt((1 - s3) * (1 + s3))
        return atan2(s3, c3), c3, reach
