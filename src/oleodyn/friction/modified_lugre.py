"""Modified LuGre friction: bristles in a lubricant film that builds up and is squeezed out."""

import dataclasses

from oleodyn.friction.lugre import LuGre
from oleodyn.friction.stribeck import power
from oleodyn.machine.part import State, Terms, parameter
from oleodyn.maths import clip, exp, fabs, fmin, where

H_MAX = 1 - 1e-6
"""The film counts as less than 1, so that g stays positive at rest."""


def slip_force(v, h, F_c, F_s, v_s, n=0.5):
    """Force at which bristles slip in a film h [N or N·m]: the film takes its part off break-away.

    >>> round(slip_force(v=0.05, h=0.128596231, F_c=210.0, F_s=830.0, v_s=0.0125), 6)
    279.462882
    """
    film = clip(fabs(h), 0.0, H_MAX)
    return F_c + ((1 - film) * F_s - F_c) * exp(-power(fabs(v) / v_s, n))


def steady_film(v, F_c, F_s, v_b):
    """Film of the steady speed v [-]: grows with |v|^⅔ up to 1 − F_c / F_s at v_b.

    >>> round(steady_film(v=0.05, F_c=210.0, F_s=830.0, v_b=0.7), 9)
    0.128596231
    """
    return (1 - F_c / F_s) * power(fmin(fabs(v) / v_b, 1.0), 2 / 3)


def film_rate(v, h, h_ss, tau_hp, tau_hn, tau_h0, v_dw):
    """Rate of the film [1/s]: fast to build up, slower to shrink, slowest in dwell.

    >>> film_rate(v=0.1, h=0.0, h_ss=0.2, tau_hp=0.25, tau_hn=1.5, tau_h0=40.0, v_dw=0.0)
    0.8
    """
    moving = where(fabs(h) <= h_ss, tau_hp, tau_hn)
    return (h_ss - h) / where(fabs(v) <= v_dw, tau_h0, moving)


class ModifiedLuGre(LuGre):
    """LuGre friction with the dynamics of the lubricant film.

    Equations   g(v, h) = F_c + ((1 − |h|) F_s − F_c) exp(−(|v| / v_s)ⁿ);   ż and F as in LuGre
                ḣ    = (h_ss − h) / τ_h                         film, part of what parts the faces
                h_ss = (1 − F_c / F_s) min(|v| / v_b, 1)^⅔
                τ_h  = τ_h0 for |v| ≤ v_dw (dwell), else τ_hp for |h| ≤ h_ss, else τ_hn
    Limits      0 ≤ h < 1; ḣ jumps at |v| = v_dw, and has no slope at rest, as printed.
                With v_dw = 0, as printed, a body that is almost at rest counts as decelerating;
                1e-6 m/s tells dwell from motion.
    References  [1] Yanada & Sekikawa (2008) Mechatronics 18(7) 330-339: the film.
                [2] Tran, Hafizah & Yanada (2012) Mechatronics 22(1) 65-75: hydraulic cylinders.
                [3] Jaiswal (2021) LUT Acta 981, eq. 2.48-2.54.
    """

    exceptions = {
        **LuGre.exceptions,
        "jump": "ḣ jumps between the time constants of dwell and deceleration, as printed",
        "slope": "|v|^⅔ in the film is vertical at rest, as printed; below 1e-12 v_b a straight line",
    }

    n: float = parameter("-", "exponent of the Stribeck curve", above=0, default=0.5)
    v_b: float = parameter("m/s|rad/s", "speed at which the film is complete", above=0)
    tau_hp: float = parameter("s", "time constant of the growing film (acceleration)", above=0)
    tau_hn: float = parameter("s", "time constant of the shrinking film (deceleration)", above=0)
    tau_h0: float = parameter("s", "time constant of the film at rest (dwell)", above=0)
    v_dw: float = parameter("m/s|rad/s", "speed up to which it is dwell", within=(0, float("inf")), default=0.0)

    h = State("-", "lubricant film, 0 dry", kind="film", nominal=0.1)

    def g(self, v):
        return slip_force(v, self.h, self.F_c, self.F_s, self.v_s, self.n)

    def equations(self, v) -> Terms:
        h_ss = steady_film(v, self.F_c, self.F_s, self.v_b)
        h_dot = film_rate(v, self.h, h_ss, self.tau_hp, self.tau_hn, self.tau_h0, self.v_dw)
        bristles = super().equations(v)
        return dataclasses.replace(bristles, der={**bristles.der, "h": h_dot}, clamp=dict(h=(0.0, H_MAX)))
