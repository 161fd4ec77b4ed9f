"""A circular saw that cuts a pipe across its axis: which teeth are in the wall, and their force."""

from math import ceil
from typing import Any

from oleodyn.contact.chip import FeedFromMotion, NominalFeed
from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Output, Part, Power, Terms, ingredient, parameter, structure
from oleodyn.maths import acos, asin, atan2, both, cos, fabs, floor, fmax, pi, sin, sqrt, symbolic, where
from oleodyn.mechanics.port import FramePort
from oleodyn.mechanics.vector import Vector, add, cross, dot, scale, subtract


def contact_angle(d, R, r):
    """Half-angle of the rim (radius R) inside a circle of radius r whose centre is at distance d [rad].

    0 before the first touch, after the last, and for d = 0.

    >>> contact_angle(0.175, 0.150, 0.030), contact_angle(0.181, 0.150, 0.030), contact_angle(0.0, 0.150, 0.030)
    (0.10239799389398635, 0.0, 0.0)
    """
    c = (d * d + R * R - r * r) / fmax(2 * d * R, 1e-12)
    meets = fabs(c) < 1
    return where(meets, acos(where(meets, c, 0.0)), where(c > 0, 0.0, pi))


def tooth_phase(t, w, teeth, sense=1):
    """Angle of the first tooth at or after the direction of feed [rad], 0 ≤ phase < pitch.

    Teeth are alike, so whole pitches are dropped: the phase keeps its digits at any time.

    >>> round(tooth_phase(t=100.01, w=pi, teeth=60), 12) == round(tooth_phase(t=0.01, w=pi, teeth=60), 12)
    True
    """
    passed = sense * w * t * (teeth / (2 * pi))
    return (passed - floor(passed)) * (2 * pi / teeth)


def tooth_time(w, teeth):
    """Time from one tooth to the next [s].

    >>> round(tooth_time(w=pi, teeth=60), 12)  # 60 teeth at 30 rpm
    0.033333333333
    """
    return 2 * pi / (w * teeth)


def cutting_stiffness(tau_s, phi_s, beta_f, alpha_r):
    """Tangential and normal force per area of chip (Merchant) [Pa].

    >>> deg = pi / 180
    >>> [round(k / 1e9, 3) for k in cutting_stiffness(880e6, 20 * deg, 35 * deg, 5 * deg)]
    [3.467, 2.001]
    """
    k = tau_s / (sin(phi_s) * cos(phi_s + beta_f - alpha_r))
    return k * cos(beta_f - alpha_r), k * sin(beta_f - alpha_r)


def teeth_near(d_1, d_2, phase, teeth, count):
    """Cosine and sine of the `count` teeth around the direction (d_1, d_2) of the pipe.

    The first by sine and cosine, each further one by turning the last by a pitch.
    """
    pitch = 2 * pi / teeth
    first = floor((atan2(d_2, d_1) - phase) / pitch) - (count // 2 - 1)
    c, s = cos(phase + first * pitch), sin(phase + first * pitch)
    near = [(c, s)]
    for _ in range(count - 1):
        c, s = c * cos(pitch) - s * sin(pitch), s * cos(pitch) + c * sin(pitch)
        near.append((c, s))
    return near


class Saw(Part):
    """Circular saw at the tool of a manipulator, cutting a pipe (or a bar) that is held fast.

    Equations   θ_n = 2π n / N + s ω t                     tooth n, from the feed towards normal × feed
                N_n = 1 if r_i ≤ |saw + R (cos θ_n, sin θ_n) − pipe| ≤ r_o, else 0     tooth in the wall
                h_n = N_n h max(0, cos θ_n)            chip thickness; h: `chip`, once every T = 2π / (ω N)
                F_t = k_t W h_n,  F_n = k_n W h_n          k_t, k_n: Merchant, from τ_s, φ_s, β_f, α_r
                F   = Σ −F_t s (−sin θ_n, cos θ_n) − F_n (cos θ_n, sin θ_n)            force ON the tool
                M   = −s R Σ F_t about the normal          on the tool, if `moment`
    Limits      mean power over a pitch at distance d: k_t W (h / T) 2 R (sin θ_out − sin θ_in);
                energy of a whole cut at a steady feed: k_t W π (r_o² − r_i²), whatever R and N.
    Assumes     saw and pipe are discs in one plane; the pipe does not move; ω is held by the spindle.
                A tooth enters and leaves with its full chip (the force jumps), as in [1]. The
                engagement windows of [1] (6)-(11) are restated: they lose half of all contacts, and
                count the chip from the wrong axis.
    Power       The spindle supplies R ω Σ F_t, the tool −F·v; both together are lost in the cut.
    References  [1] Kim, Lee, Kim (2021) IEEE Access 9, eqs. (6)-(11).
                [2] Merchant (1945) J. Appl. Phys. 16, 267-275.
    """

    exceptions = {"jump": "teeth enter and leave the wall with their full chip [1]"}

    tool = FramePort("centre of the saw")

    R_saw: float = parameter("m", "radius of the saw at the tips of its teeth", above=0)
    teeth: int = structure("number of teeth", default=60)
    sense: int = structure("+1: turns from the feed towards normal × feed; −1: the other way", default=1)
    w: float = parameter("rad/s", "speed of the spindle", above=0)
    width: float = parameter("m", "width of the cut", above=0)
    chip: NominalFeed | FeedFromMotion = ingredient("how thick a chip the teeth take: NominalFeed or FeedFromMotion")
    moment: bool = structure("pass the moment of the cut to the tool too", default=False)
    r_pipe: Vector = parameter("m", "a point on the pipe's axis, world axes", shape=(3,))
    normal: Vector = parameter("-", "normal of the cutting plane, along the pipe", shape=(3,), default=(1.0, 0.0, 0.0))
    feed: Vector = parameter("-", "direction of feed, in the plane", shape=(3,), default=(0.0, 1.0, 0.0))
    r_o: float = parameter("m", "outer radius of the pipe", above=0)
    r_i: float = parameter("m", "inner radius of the pipe; 0 for a bar", within=(0, 10))
    tau_s: float = parameter("Pa", "shear stress of the pipe's material", above=0)
    phi_s: float = parameter("rad", "shear angle", above=0, below=pi / 2)
    beta_f: float = parameter("rad", "friction angle between chip and tooth", within=(0, pi / 2))
    alpha_r: float = parameter("rad", "rake angle of the teeth", within=(-pi / 2, pi / 2))

    F_x = Output("N", "force of the cut on the tool, world x")
    F_y = Output("N", "force of the cut on the tool, world y")
    F_z = Output("N", "force of the cut on the tool, world z")
    F = Output("N", "size of the force of the cut")
    F_t = Output("N", "sum of the tangential forces of the teeth")
    touching = Output("-", "1 while the rim meets the pipe")
    engaged = Output("-", "number of teeth in the wall")
    theta_out = Output("rad", "half-angle of the rim inside the outer wall")
    theta_in = Output("rad", "half-angle of the rim inside the bore")

    def check(self):
        """A saw that can cut through, a wall, a plane, a sense."""
        if not self.r_i < self.r_o:
            raise DeclarationError(f"Saw.r_i = {self.r_i:g} m: must be below r_o = {self.r_o:g} m (a wall to cut)")
        if not self.R_saw > self.r_o:
            raise DeclarationError(
                f"Saw.R_saw = {self.R_saw:g} m: must be above r_o = {self.r_o:g} m, or the cut never comes through. "
                "With a hub inside the flange, above 2 r_o."
            )
        if self.sense not in (1, -1):
            raise DeclarationError(f"Saw.sense = {self.sense!r}: must be 1 or -1 (sense of rotation)")
        if not (isinstance(self.teeth, int) and self.teeth >= 3):
            raise DeclarationError(f"Saw.teeth = {self.teeth!r}: must be a whole number of at least 3")
        time = tooth_time(self.w, self.teeth)
        if isinstance(self.chip, FeedFromMotion) and abs(self.chip.period / time - 1) > 1e-9:
            raise DeclarationError(
                f"Saw.chip.period = {self.chip.period:.12g} s: must be the time from tooth to tooth, "
                f"2π / (w · teeth) = {time:.12g} s"
            )
        if not self.phi_s + self.beta_f - self.alpha_r < pi / 2:
            raise DeclarationError("Saw: phi_s + beta_f − alpha_r must be below 90 deg, or the chip does not flow")
        lengths = sqrt(dot(self.normal, self.normal) * dot(self.feed, self.feed))
        if lengths == 0 or abs(dot(self.normal, self.feed)) > 1e-9 * lengths:
            raise DeclarationError(
                f"Saw.feed = {self.feed}: must lie in the plane of normal {self.normal}, and not be 0"
            )

    def equations(self) -> Terms:
        """Force of the few teeth that can be in the wall."""
        normal, e_1 = unit(self.normal), unit(self.feed)
        e_2 = cross(normal, e_1)
        d_W = subtract(self.r_pipe, self.tool.r)
        d_1, d_2 = dot(d_W, e_1), dot(d_W, e_2)
        chip = self.chip.equations(-d_1, tooth_time(self.w, self.teeth))
        engaged, h, h_c, h_s = self._chips(d_1, d_2, chip.out["h"])
        k_t, k_n = cutting_stiffness(self.tau_s, self.phi_s, self.beta_f, self.alpha_r)
        k_t, k_n = k_t * self.width, k_n * self.width
        F_1 = self.sense * k_t * h_s - k_n * h_c
        F_2 = -self.sense * k_t * h_c - k_n * h_s
        F = add(scale(F_1, e_1), scale(F_2, e_2))
        M = scale(-self.sense * self.R_saw * k_t * h if self.moment else 0.0, normal)
        spindle = self.R_saw * k_t * h * (self.w - self.sense * dot(normal, self.tool.w) if self.moment else self.w)
        d = size(d_1, d_2)
        return Terms(
            into=dict(tool=(scale(-1.0, F), scale(-1.0, M))),
            out=dict(
                F_x=F[0], F_y=F[1], F_z=F[2], F=size(F_1, F_2), F_t=k_t * h, engaged=engaged,
                touching=where(both(d < self.R_saw + self.r_o, d > self.R_saw - self.r_o), 1.0, 0.0),
                theta_out=contact_angle(d, self.R_saw, self.r_o), theta_in=contact_angle(d, self.R_saw, self.r_i),
            ),
            power=Power(
                supplied=dict(spindle=spindle),
                lost=dict(cutting=spindle - dot(F, self.tool.v) - dot(M, self.tool.w)),
            ),
            parts=dict(chip=chip),
        )  # fmt: skip

    def _chips(self, d_1, d_2, chip) -> tuple[Any, Any, Any, Any]:
        """Number of teeth in the wall, and over them Σ h, Σ h cos θ, Σ h sin θ."""
        phase = tooth_phase(self.t, self.w, self.teeth, self.sense)
        square = d_1 * d_1 + d_2 * d_2 + self.R_saw * self.R_saw
        low, high = (0.5 * (square - r * r) / self.R_saw for r in (self.r_o, self.r_i))
        sums = [0.0, 0.0, 0.0, 0.0]
        for c, s in teeth_near(d_1, d_2, phase, self.teeth, self._count()):
            ahead = c * d_1 + s * d_2
            in_wall = both(low <= ahead, ahead <= high)
            h = where(in_wall, chip * fmax(c, 0.0), 0.0)
            sums = [total + x for total, x in zip(sums, (where(in_wall, 1.0, 0.0), h, h * c, h * s), strict=True)]
        return sums[0], sums[1], sums[2], sums[3]

    def _count(self) -> int:
        """How many teeth can be near the pipe: the rim lies within asin(r_o / R_saw) of its direction."""
        if symbolic(self.R_saw, self.r_o):
            return 2 * ceil(self.teeth / 4)  # any saw larger than its pipe: within a quarter turn
        return 2 * ceil(asin(self.r_o / self.R_saw) * self.teeth / (2 * pi))


def size(x, y):
    """Length of (x, y), with slope 0 at the origin.

    >>> size(3.0, 4.0), size(0.0, 0.0)
    (5.0, 0.0)
    """
    square = x * x + y * y
    away = square > 0
    return where(away, sqrt(where(away, square, 1.0)), 0.0)


def unit(a: Vector) -> Vector:
    """The direction of a vector that is not zero."""
    return scale(1 / sqrt(dot(a, a)), a)
