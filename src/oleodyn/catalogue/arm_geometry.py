"""Lengths and joint limits of the catalogue's six-axis arms, for closed-form kinematics."""

from oleodyn.kinematics.parallel_axes import ParallelAxes6R
from oleodyn.kinematics.sliding_boom import SlidingBoomArm
from oleodyn.units import deg, mm


def _degrees(*limits: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    return tuple((low * deg, high * deg) for low, high in limits)


HYDM = ParallelAxes6R(
    d1=0.5,
    a2=0.8,
    a3=0.7,
    a4=0.15,
    d5=0.12,
    d6=0.3,
    limits=_degrees((-90, 90), (0, 120), (-125, -5), (-50, 70), (-150, -30), (-180, 180)),
)
"""HydM, Rong et al. (2014) Open Mech. Eng. J. 8. Limits: their table 1. Lengths: ours, an arm of
about 2 m as is usual in this class, since they print none."""

PIPE_CUTTER = SlidingBoomArm(
    l2=1329 * mm,
    l3=502 * mm,
    l4=482 * mm,
    l6=929.1 * mm,
    limits=(*_degrees((-90, 90)), (0.0, 400 * mm), *_degrees((-90, 90), (-90, 90), (-90, 90), (-180, 180))),
)
"""Pipe-cutting arm, Kim et al. (2021) IEEE Access 9. Lengths: their table 1, whose sum at q = 0 is
the printed reach of 3.2 m. Limits: their table 1, that of joint 6 (not legible) a full turn."""
