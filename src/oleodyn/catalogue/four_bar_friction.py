"""four-bar-friction: a four-bar linkage whose crank a cylinder with seal friction turns.

All numbers are printed (Jaiswal 2021, Publication II) unless marked or in
`dissertation_hydraulics.py` as chosen. Two things differ from the print by default: the chambers
change as the piston moves (the print has them the wrong way round), and the run starts from the
true static force (the print's is another one). `machine(published=True)` has both as published.
"""

import math
from typing import Any

from oleodyn.catalogue.dissertation_hydraulics import circuit, edges, rod, static_pressures
from oleodyn.friction.bengisu_akay import BengisuAkay
from oleodyn.friction.brown_mcphee import BrownMcPhee
from oleodyn.friction.lugre import LuGre
from oleodyn.friction.modified_lugre import ModifiedLuGre
from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import Named, Part
from oleodyn.mechanics.frame import Line
from oleodyn.mechanics.joint import Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.units import deg

E, G = (10.0, 0.0, 0.0), (-1.0, 0.0, 0.0)
L = (2.0, 8.0, 5.0)
M = (16.0, 64.0, 40.0)
NAMES = ("crank", "coupler", "rocker")
S_0 = 3**0.5
STROKE = 0.9
L_2 = 0.45
"""Length of the piston side at the start [m]: not printed; mid stroke fits the published work and drift."""
FORCE, FORCE_PUBLISHED = -386.004887, 681.23
"""What the cylinder carries at the start, by virtual work, and as printed [N]."""

STATIC: dict[str, Any] = dict(F_c=210.0, F_s=830.0, v_s=1.25e-2, sigma_2=330.0)
BRISTLES: dict[str, Any] = dict(n=0.5, sigma_0=54**0.5 * 1e6, sigma_1=10**0.5 * 1e4)
FILM: dict[str, Any] = dict(v_b=0.70, tau_hp=0.25, tau_hn=1.50, tau_h0=40.0)
LAWS: dict[str, Part] = {
    "Bengisu-Akay": BengisuAkay(xi=50.0, **STATIC),
    "Brown-McPhee": BrownMcPhee(**STATIC),
    "LuGre": LuGre(**STATIC, **BRISTLES),
    "modified LuGre": ModifiedLuGre(**STATIC, **BRISTLES, **FILM),
}
"""The four friction laws of Publication II with its parameters."""


def machine(*, friction: Part | None = LAWS["Brown-McPhee"], published: bool = False, oil: bool = True) -> Machine:
    """The machine with one friction law (LAWS, or any other); `published`: κ = −1 and F_0 = 681.23 N."""
    made = Machine(
        "four-bar-friction",
        text="four-bar linkage of 2, 8 and 5 m, its crank turned by a cylinder with seal friction "
        "(Jaiswal 2021, Publication II)",
        defaults=Defaults(
            stepper="trapezoidal", loops="augmented-lagrangian", dt=1e-3, until=10.0,
            scenario="lift" if oil else None,
        ),
        scenarios={"lift": edges("voltage up, hold, down", (1.0, 2.5, 5.0, 8.0), (10.0, 0.0, -10.0, 0.0))}
        if oil else None,
    )  # fmt: skip
    made.add("linkage", linkage())
    if oil:
        circuit(
            made, line="linkage.cylinder", s_0=S_0, stroke=STROKE, l_2=L_2, friction=friction,
            pressures=static_pressures(FORCE_PUBLISHED if published else FORCE), mirrored=published,
        )  # fmt: skip
    return made


def variants() -> dict[str, Machine]:
    """The machine with each of the four friction laws."""
    return {law: machine(friction=friction) for law, friction in LAWS.items()}


def start() -> tuple[float, float, float]:
    """The relative angles with the crank at 60°; printed as 60°, −37.90° and −93.58°."""
    z_1 = 60 * deg
    tip = L[0] * math.cos(z_1), L[0] * math.sin(z_1)
    reach, slope = math.hypot(E[0] - tip[0], tip[1]), math.atan2(-tip[1], E[0] - tip[0])
    coupler = slope + math.acos((L[1] ** 2 + reach**2 - L[2] ** 2) / (2 * L[1] * reach))
    joint = tip[0] + L[1] * math.cos(coupler), tip[1] + L[1] * math.sin(coupler)
    rocker = math.atan2(-joint[1], E[0] - joint[0])
    return z_1, coupler - z_1, rocker - coupler


def linkage() -> Mechanism:
    """Crank, coupler and rocker in a chain, the rocker cut from the ground at E."""
    q_0 = start()
    joints = {
        "z1": Revolute(child="crank", q_0=q_0[0]),
        "z2": Revolute(parent="crank", child="coupler", position=(L[0], 0.0, 0.0), q_0=q_0[1]),
        "z3": Revolute(parent="coupler", child="rocker", position=(L[1], 0.0, 0.0), q_0=q_0[2]),
    }
    return Mechanism(
        gravity=(0.0, -9.81, 0.0),
        bodies=Named({name: rod(m, length) for name, m, length in zip(NAMES, M, L, strict=True)}),
        joints=Named(joints),
        loops=Named({"cut": Revolute(child="rocker", position=E, child_position=(L[2], 0.0, 0.0))}),
        lines=Named({"cylinder": Line(from_point=G, to_body="crank", to_point=(L[0] / 2, 0.0, 0.0))}),
    )
