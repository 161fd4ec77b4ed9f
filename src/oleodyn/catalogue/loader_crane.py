"""loader-crane: a truck's knuckle-boom crane with five hydraulic cylinders and five closed loops, in space.

A crane of the 6 t·m class, 6.3 m reach: two slewing cylinders on one valve, lift cylinder, jib
cylinder that acts through a four-bar, extension; the load hangs from a cardan. 21 coordinates,
14 constraints, 7 freedoms. No real crane has these numbers: each is chosen here, beside its reason.
"""

from itertools import pairwise

from oleodyn.catalogue.loader_crane_arm import Posture, arm, holding
from oleodyn.catalogue.oils import ISO_VG_46
from oleodyn.friction.brown_mcphee import BrownMcPhee
from oleodyn.hydraulics.cylinder import Cylinder, areas
from oleodyn.hydraulics.directional_valve import ProportionalValve43
from oleodyn.hydraulics.edge import SmoothEdge
from oleodyn.hydraulics.line import Hose
from oleodyn.hydraulics.pressure_valve import ReliefValve
from oleodyn.hydraulics.prime_mover import PrimeMover
from oleodyn.hydraulics.pump import PressurePump
from oleodyn.hydraulics.spool import FirstOrderSpool
from oleodyn.hydraulics.tank import Tank
from oleodyn.machine.machine import Defaults, Machine
from oleodyn.simulation.path import Quintic, Steps
from oleodyn.simulation.scenario import Scenario
from oleodyn.units import bar, cm3_per_rev, l_per_min, litre, mm, ms

OIL = ISO_VG_46
CYLINDERS: dict[str, tuple[float, float, float, float]] = {
    "lift": (100 * mm, 60 * mm, 0.76, 1.12),
    "knuckle": (100 * mm, 56 * mm, 0.54, 0.935),
    "extend": (60 * mm, 40 * mm, 1.60, 1.80),
    "left": (63 * mm, 36 * mm, 0.46, 0.72),
    "right": (63 * mm, 36 * mm, 0.46, 0.72),
}
"""Bore, rod, stroke, length retracted [m]. Bores so that 500 kg take 80 and 95 bar at the start, 180 and 110 bar
at full reach (jib and lift). Retracted: the stroke and 0.2 m or more for eyes, piston and head; the jib's ends at
−127°, before its four-bar comes to a dead point."""
FUNCTIONS = {"slew": ("left", 5.0), "lift": ("lift", 12.0), "knuckle": ("knuckle", 9.0), "extend": ("extend", 10.0)}
"""Valve: its cylinder, rated flow [l/min at 5 bar]. At the 80 bar that the supply leaves over four times as much
flows: whole strokes in 7 s to 8 s, the pillar at 20°/s."""
PRESSURE, BAND, TANK = 190 * bar, 10 * bar, 1 * bar
"""The pump is stroked back over BAND above PRESSURE."""
BACK = 20 * bar
"""The side that carries nothing, at rest: as a lever leaves it, and enough that no chamber tears in `lift`."""


def machine(*, payload: float = 500.0) -> Machine:
    """The crane with `payload` [kg] in its grab, holding it 4.3 m from the pillar."""
    crane = Machine(
        "loader-crane",
        text="truck's knuckle-boom loader crane in 3-D: slew, lift, jib over a four-bar, extension, hanging load",
        defaults=Defaults(stepper="hht", loops="partitioning", dt=1 * ms, until=10.0, scenario="lift"),
        scenarios={"lift": LIFT, "hold": HOLD},
    )
    at = Posture()
    crane.add("arm", arm(payload, at))
    power(crane)
    for name in CYLINDERS:
        crane.add(name, cylinder(name))
        crane.connect(f"{name}.rod", "arm.telescope" if name == "extend" else f"arm.{name}_rod")
    pressures = at_rest(payload, at)
    for name, (ram, flow) in FUNCTIONS.items():
        function(crane, name, ram, flow * l_per_min, pressures[ram])
    crane.connect("slew_hose_A.port", "right.B")  # crossed: one side pulls as the other pushes
    crane.connect("slew_hose_B.port", "right.A")
    return crane


def power(crane: Machine) -> None:
    """Engine, pump, pressure line and tank; at rest the pump is stroked back and the line full."""
    crane.add("engine", PrimeMover())
    # 55 cm³ at 1500 1/min: 82 l/min, two functions at full speed; four share what there is
    crane.add("pump", PressurePump(D=55 * cm3_per_rev, p_set=PRESSURE, dp_band=BAND))
    crane.add("line", Hose(volume=0.6 * litre, p_0=PRESSURE + BAND + TANK, oil=OIL))
    crane.add("relief", ReliefValve(p_set=PRESSURE + 25 * bar, Q_nom=80 * l_per_min))
    crane.add("tank", Tank(p=TANK))
    crane.connect("engine.shaft", "pump.shaft")
    crane.connect("pump.P", "line.port", "relief.P")
    crane.connect("tank.port", "pump.T", "relief.T")


def function(crane: Machine, name: str, ram: str, flow: float, pressures: tuple[float, float]) -> None:
    """A valve with two hoses to a cylinder."""
    # linear below 1 bar and a spool of 30 ms: a mobile spool, slow against a servo valve
    valve = ProportionalValve43(
        Q_nom=flow, overlap=0.05, edge=SmoothEdge(dp_lam=1 * bar), spool=FirstOrderSpool(tau=30 * ms)
    )
    crane.add(f"{name}_valve", valve)
    crane.connect("line.port", f"{name}_valve.P")
    crane.connect("tank.port", f"{name}_valve.T")
    for side, p in zip("AB", pressures, strict=True):
        crane.add(f"{name}_hose_{side}", Hose(volume=0.4 * litre, p_0=p, oil=OIL))  # 3 m of half-inch hose
        crane.connect(f"{name}_valve.{side}", f"{name}_hose_{side}.port", f"{ram}.{side}")


def cylinder(name: str) -> Cylinder:
    """A cylinder whose seals rub as those of Jaiswal (2021, Publication II), 80 mm bore, in proportion to the bore."""
    bore, rod, stroke, retracted = CYLINDERS[name]
    share = bore / (80 * mm)
    seals = BrownMcPhee(F_c=210.0 * share, F_s=830.0 * share, v_s=12.5 * mm, sigma_2=330.0 * share)
    return Cylinder(
        d_bore=bore, d_rod=rod, stroke=stroke, length_0=retracted, V_A_dead=0.1 * litre, V_B_dead=0.1 * litre,
        oil=OIL, friction=seals,
    )  # fmt: skip


def at_rest(payload: float, at: Posture) -> dict[str, tuple[float, float]]:
    """p_A and p_B that carry the arm [Pa]: BACK on the rod side, slewing both at a quarter of the supply."""
    found = {"left": (PRESSURE / 4, PRESSURE / 4)}
    for name, force in holding(payload, at).items():
        A, B = areas(*CYLINDERS[name][:2])
        found[name] = ((force + BACK * B) / A, BACK) if force > 0 else (BACK, (BACK * A - force) / B)
    return found


def soft(*points: tuple[float, float]) -> Quintic:
    """A lever moved softly: (instant, opening), value, rate and acceleration continuous."""
    times, values = zip(*points, strict=True)
    durations = [later - earlier for earlier, later in pairwise(times)]
    return Quintic(points=values, durations=durations, start=times[0])


LIFT = Scenario(
    text="load up, round, out and down: soft levers on lift, jib and slewing, jerks on extension and back-slewing",
    until=10.0,
    signals={
        "lift_valve.u": soft(
            (0.2, 0.0), (0.8, 0.6), (3.4, 0.6), (4.0, 0.0), (6.6, 0.0), (7.2, -0.35), (8.8, -0.35), (9.4, 0.0)
        ),
        "knuckle_valve.u": soft((1.0, 0.0), (1.8, 0.5), (4.2, 0.5), (5.0, 0.0)),
        "slew_valve.u": soft((0.6, 0.0), (1.8, 0.6), (4.0, 0.6), (5.2, 0.0))
        + Steps(times=(6.4, 7.4), values=(-0.15, 0.0)),
        "extend_valve.u": Steps(times=(3.0, 5.5, 8.0, 9.0), values=(0.6, 0.0, -0.5, 0.0)),
    },
)
HOLD = Scenario(
    text="levers at rest; the load, pushed, swings and the arm yields on its oil",
    until=10.0,
    start={"arm.swing.q_1_dot": 0.3, "arm.swing.q_2_dot": 0.2},
)
