"""four-bar: a 9 m boom raised through a four-bar linkage by one cylinder.

All numbers of the mechanism and its circuit are printed (Jaiswal 2021, Publication I) unless they
stand in `dissertation_hydraulics.py` as chosen.
"""

from oleodyn.catalogue.dissertation_hydraulics import VISCOUS, circuit, edges, rod, static_pressures
from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import Named
from oleodyn.mechanics.frame import Line
from oleodyn.mechanics.joint import Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.units import deg

E, G = (0.0, -1.0, 0.0), (0.0, -2.0, 0.0)
L = (9.0, 2**0.5, 2.0)
M = (225.0, 35.0, 50.0)
FORCE = 11029.380862
"""√2 g (3 m₁ + 2 m₂ + m₃): what the cylinder carries at the start [N]."""
START = (0.0, -135 * deg, -45 * deg)
S_0 = 2**0.5


def machine(*, oil: bool = True) -> Machine:
    """The machine; without `oil` the linkage alone, falling; at 1.38 s two of its bars are in line."""
    bar = Machine(
        "four-bar",
        text="four-bar linkage of 9 m with one cylinder, throttle and valve (Jaiswal 2021, Publication I)",
        defaults=Defaults(
            stepper="trapezoidal",
            loops="partitioning",
            dt=1e-3,
            until=10.0 if oil else 1.0,
            scenario="lift" if oil else None,
        ),
        scenarios={"lift": edges("voltage up, hold, down", (1.0, 2.5, 5.0, 8.0), (10.0, 0.0, -10.0, 0.0))}
        if oil
        else None,
    )
    bar.add("linkage", linkage())
    if oil:
        circuit(
            bar,
            line="linkage.cylinder",
            s_0=S_0,
            stroke=1.1,
            l_2=S_0 - 1.1,
            friction=VISCOUS,
            pressures=static_pressures(FORCE),
        )
    return bar


def variants() -> dict[str, Machine]:
    """The linkage without its circuit."""
    return {"without oil": machine(oil=False)}


def linkage() -> Mechanism:
    """Three bars in a chain, the last one cut from the ground at E."""
    joints = {
        "z1": Revolute(child="body_1", q_0=START[0]),
        "z2": Revolute(parent="body_1", child="body_2", position=(3.0, 0.0, 0.0), q_0=START[1]),
        "z3": Revolute(parent="body_2", child="body_3", position=(L[1], 0.0, 0.0), q_0=START[2]),
    }
    return Mechanism(
        gravity=(0.0, -9.81, 0.0),
        bodies=Named({f"body_{i}": rod(m, length) for i, (m, length) in enumerate(zip(M, L, strict=True), start=1)}),
        joints=Named(joints),
        loops=Named({"cut": Revolute(parent="world", child="body_3", position=E, child_position=(L[2], 0.0, 0.0))}),
        lines=Named({"cylinder": Line(from_point=G, to_body="body_3", to_point=(1.0, 0.0, 0.0))}),
    )
