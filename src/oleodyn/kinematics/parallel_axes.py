"""Arms whose joints 2, 3 and 4 are parallel: slewing base, upper arm, forearm, wrist."""

from collections.abc import Sequence
from typing import Any, ClassVar

from oleodyn.kinematics.pose import Frame, wrap
from oleodyn.kinematics.six_axis import Branch, SixAxisArm
from oleodyn.machine.part import parameter
from oleodyn.maths import atan2, clip, cos, pi, sin, sqrt, where

TINY = 1e-10
"""Below this distance from axis z0 [m], or this sine of q5, a joint is undefined and stays near."""


class ParallelAxes6R(SixAxisArm):
    """Six revolute joints, the second to the fourth parallel (modified DH table of [1]).

    Equations   φ = q₂ + q₃ + q₄
                ρ = a₂ cos q₂ + a₃ cos(q₂ + q₃) + a₄ cos φ − d₅ sin φ           signed: may be negative
                w = p − d₆ a = (ρ cos q₁, ρ sin q₁, d₁ + a₂ sin q₂ + a₃ sin(q₂ + q₃) + a₄ sin φ + d₅ cos φ)
                det J = −a₂ a₃ sin q₃ sin q₅ ρ
    Branches    k₁ (base turned by π), k₅ (wrist flipped), k₃ (elbow up or down): eight, in this order.
                Both signs of ρ are tried: a plain atan2 for q₁ is half a turn wrong where ρ < 0.
    Limits      q₂ and q₃ need |D| ≤ 1, D = cos q₃ = (m² + h² − a₂² − a₃²) / (2 a₂ a₃): else out of reach.
    References  [1] Rong, Song, Chai, Ma (2014) Open Mech. Eng. J. 8, 457-460.
    """

    d1: float = parameter("m", "height of the shoulder axis")
    a2: float = parameter("m", "upper arm", above=0)
    a3: float = parameter("m", "forearm", above=0)
    a4: float = parameter("m", "offset of the wrist axis from joint 4")
    d5: float = parameter("m", "length along the wrist axis")
    d6: float = parameter("m", "wrist to tool point")

    continuous: ClassVar = (5,)
    singularities: ClassVar = {
        "elbow": "upper arm and forearm are in line; the two elbow branches meet",
        "wrist": "axis 6 is parallel to axes 2 to 4; only a combination of q4 and q6 is defined",
        "shoulder": "the wrist point lies on axis 1; q1 is undefined",
    }
    codes: ClassVar = tuple(k1 + k5 + k3 for k1 in "01" for k5 in "+-" for k3 in "+-")

    def frame(self, q: Sequence[Any]) -> Frame:
        """Axes and origin of the tool in the base frame (closed form, [1] eq. (1))."""
        phi = q[1] + q[2] + q[3]
        (c1, s1), (C, S), (c5, s5), (c6, s6) = ((cos(x), sin(x)) for x in (q[0], phi, q[4], q[5]))
        rho = self._rho(q)
        z = self.d1 + self.a2 * sin(q[1]) + self.a3 * sin(q[1] + q[2]) + self.a4 * S + self.d5 * C
        a = (-c1 * C * s5 - s1 * c5, -s1 * C * s5 + c1 * c5, -S * s5)
        b = (c1 * C * c5 - s1 * s5, s1 * C * c5 + c1 * s5, S * c5)  # x axis of link 5
        y = (c1 * S, s1 * S, -C)
        return Frame(
            n=tuple(u * c6 + v * s6 for u, v in zip(b, y, strict=True)),
            o=tuple(v * c6 - u * s6 for u, v in zip(b, y, strict=True)),
            a=a,
            p=(c1 * rho + self.d6 * a[0], s1 * rho + self.d6 * a[1], z + self.d6 * a[2]),
        )

    def sines(self, q: Sequence[Any]) -> tuple[Any, Any, Any]:
        """sin q₃, sin q₅ and ρ / (a₂ + a₃)."""
        return sin(q[2]), sin(q[4]), self._rho(q) / (self.a2 + self.a3)

    def reach_in_words(self, reach: float) -> str:
        """Distance from joint 2 to joint 4 against what upper arm and forearm span."""
        distance = max(self.a2**2 + self.a3**2 + 2 * self.a2 * self.a3 * reach, 0.0) ** 0.5
        return (
            f"joint 4 would have to be {distance:.4g} m from joint 2; "
            f"upper arm and forearm reach {abs(self.a2 - self.a3):.4g} m to {self.a2 + self.a3:.4g} m"
        )

    def branches(self, tool: Frame, near: Sequence[Any]) -> list[Branch]:
        """k₁, k₅, k₃ in turn; what is common to branches is computed once."""
        n, _, a, p = tool
        w = [p[i] - self.d6 * a[i] for i in range(3)]
        c1, s1, q1, rho = self._shoulder(w, near)
        r, c5 = a[0] * c1 + a[1] * s1, a[1] * c1 - a[0] * s1
        s5 = sqrt(r * r + a[2] * a[2])
        C, S, phi = self._pitch(r, a[2], s5, c1 * cos(near[0]) + s1 * sin(near[0]), near)
        n1, n2 = n[0] * c1 + n[1] * s1, n[1] * c1 - n[0] * s1
        q5 = atan2(s5, c5)
        q6 = atan2(n1 * S - n[2] * C, (n1 * C + n[2] * S) * c5 + n2 * s5)
        q1_1, q6_1, phi_1 = wrap(q1 + pi), wrap(q6 + pi), wrap(phi + pi)
        found: list[Branch] = []
        for joints, e, k, pitch in (
            ((q1, q5, q6), 1, 1, phi), ((q1, -q5, q6_1), 1, -1, phi_1),
            ((q1_1, pi - q5, q6_1), -1, 1, wrap(pi - phi)), ((q1_1, q5 - pi, q6), -1, -1, wrap(-phi)),
        ):  # fmt: skip
            m = e * rho - e * k * self.a4 * C + k * self.d5 * S
            h = w[2] - self.d1 - k * self.a4 * S - e * k * self.d5 * C
            found += self._elbows(joints, pitch, m, h)
        return found

    def _rho(self, q):
        phi = q[1] + q[2] + q[3]
        return self.a2 * cos(q[1]) + self.a3 * cos(q[1] + q[2]) + self.a4 * cos(phi) - self.d5 * sin(phi)

    def _shoulder(self, w, near):
        """Cosine, sine and angle of q₁ towards the wrist point w, and its distance from axis z0."""
        rho = sqrt(w[0] * w[0] + w[1] * w[1])
        away = rho > TINY
        safe = where(away, rho, 1.0)
        c1, s1 = where(away, w[0] / safe, cos(near[0])), where(away, w[1] / safe, sin(near[0]))
        return c1, s1, where(away, atan2(w[1], w[0]), near[0]), where(away, rho, w[0] * c1 + w[1] * s1)

    def _pitch(self, r, a_z, s5, facing, near):
        """Cosine, sine and value of φ on branch k₁ = 0, k₅ = +1; near to `near` where s₅ = 0."""
        bent = s5 > TINY
        safe = where(bent, s5, 1.0)
        held = near[1] + near[2] + near[3]
        e, k = where(facing < 0, -1.0, 1.0), where(near[4] < 0, -1.0, 1.0)
        C = where(bent, -r / safe, e * k * cos(held))
        S = where(bent, -a_z / safe, k * sin(held))
        return C, S, atan2(S, C)

    def _elbows(self, joints, phi, m, h):
        """The two elbows that put joint 4 at (m, h) from joint 2."""
        q1, q5, q6 = joints
        reach = (m * m + h * h - self.a2 * self.a2 - self.a3 * self.a3) / (2 * self.a2 * self.a3)
        D = clip(reach, -1.0, 1.0)
        s3 = sqrt((1 - D) * (1 + D))
        q3, up, bend = atan2(s3, D), atan2(h, m), atan2(self.a3 * s3, self.a2 + self.a3 * D)
        return [
            Branch((q1, wrap(up - k * bend), k * q3, wrap(phi - up + k * (bend - q3)), q5, q6), reach) for k in (1, -1)
        ]
