"""The circuit of the dissertation's three mechanisms: pump, 4/3 valve, throttle, cylinder, tank.

Printed (Jaiswal 2021, tables of Publications I and II) unless marked chosen.
"""

from collections.abc import Sequence

from oleodyn.fluids.oil import Oil
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import VoltageValve43
from oleodyn.hydraulics.edge import LinearisedEdge
from oleodyn.hydraulics.line import Hose
from oleodyn.hydraulics.spool import FirstOrderSpool
from oleodyn.hydraulics.supply import ConstantPressure
from oleodyn.hydraulics.tank import Tank
from oleodyn.hydraulics.throttle import Throttle
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Part
from oleodyn.maths import pi
from oleodyn.mechanics.body import Body
from oleodyn.simulation.path import Steps
from oleodyn.simulation.scenario import Scenario
from oleodyn.units import mm

P_PUMP, P_TANK, P_3 = 7.6e6, 0.1e6, 3.5e6
C_VD = 2.138e-8
D_BORE, D_ROD = 80 * mm, 35 * mm
V_H1, V_H2, V_H3 = 4.71e-5, 3.14e-5, 7.85e-5
K_HOSE, K_WALL = 550e6, 31500e6
OIL = Oil(rho=850.0, K=1500e6, cavitation=False)
"""Without cavitation, as in the publications."""
EDGE = LinearisedEdge(dp_lin=2e5)
"""Linear below 2 bar."""
TAU = 4.0e-3
"""Time constant of the spool [s]: not printed; fits works and energy drifts of both publications."""
VISCOUS = Viscous(c=1.944e5)
"""Loss of the cylinder in Publication I [N·s/m]: chosen, fits both mechanisms' works."""
A_2, A_3 = pi * D_BORE**2 / 4, pi * (D_BORE**2 - D_ROD**2) / 4


def static_pressures(force: float) -> tuple[float, float]:
    """p_2 and p_3 that carry a force at rest [Pa], friction ignored."""
    return (force + P_3 * A_3) / A_2, P_3


def circuit(
    machine: Machine,
    *,
    line: str,
    s_0: float,
    stroke: float,
    l_2: float,
    friction: Part | None,
    pressures: tuple[float, float],
    mirrored: bool = False,
) -> None:
    """Add valve, throttle, hoses and cylinder; l_2 is the piston-side length at pin distance s_0."""
    p_2, p_3 = pressures
    machine.add("supply", ConstantPressure(p=P_PUMP))
    machine.add("tank", Tank(p=P_TANK))
    machine.add(
        "valve",
        VoltageValve43(
            C_PA=C_VD, C_BT=C_VD, C_PB=C_VD, C_AT=C_VD, U_max=10.0, spool=FirstOrderSpool(tau=TAU), edge=EDGE
        ),
    )
    machine.add("hose_1", Hose(volume=V_H1, K_wall=K_HOSE, p_0=p_2, oil=OIL))
    machine.add("hose_2", Hose(volume=V_H2, K_wall=K_HOSE, p_0=p_2, oil=OIL))
    machine.add("hose_3", Hose(volume=V_H3, K_wall=K_HOSE, p_0=p_3, oil=OIL))
    machine.add("throttle", Throttle(area=2.83e-5, C_d=0.8, oil=OIL, edge=EDGE))
    machine.add(
        "cylinder",
        Cylinder(
            d_bore=D_BORE, d_rod=D_ROD, stroke=stroke, length_0=s_0 - l_2, V_A_dead=0.0, V_B_dead=0.0, K_wall=K_WALL,
            friction=friction, stop=None, oil=OIL, mirror_at=s_0 if mirrored else None,
        ),
    )  # fmt: skip
    machine.connect("supply.port", "valve.P")
    machine.connect("tank.port", "valve.T")
    machine.connect("valve.A", "hose_1.port", "throttle.A")
    machine.connect("throttle.B", "hose_2.port", "cylinder.A")
    machine.connect("valve.B", "hose_3.port", "cylinder.B")
    machine.connect("cylinder.rod", line)


def edges(text: str, times: Sequence[float], volts: Sequence[float]) -> Scenario:
    """The reference voltage in steps, 0 before the first."""
    return Scenario(text=text, signals={"valve.U_ref": Steps(times=tuple(times), values=tuple(volts))})


def rod(m: float, length: float) -> Body:
    """A slender beam along x from its joint: m L²/12 about its middle; thin, so none about its axis."""
    J = m * length**2 / 12
    return Body(mass=m, com=(length / 2, 0.0, 0.0), inertia=((0.0, 0.0, 0.0), (0.0, J, 0.0), (0.0, 0.0, J)))
