"""valve-bench: pump, 4/3 valve and cylinder that push a mass, with friction that sticks and slips.

The circuit that everything in fluid power is first tried on. Sizes are those of a common test rig,
chosen here; the friction is that of the seal in Jaiswal (2021, Publication II), with the exponent 2
of Canudas de Wit et al. (1995) and little bristle damping.
"""

from oleodyn.catalogue.oils import ISO_VG_46
from oleodyn.friction.lugre import LuGre
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import ProportionalValve43
from oleodyn.hydraulics.leakage import LaminarLeak
from oleodyn.hydraulics.line import Hose
from oleodyn.hydraulics.pressure_valve import ReliefValve
from oleodyn.hydraulics.prime_mover import PrimeMover
from oleodyn.hydraulics.pump import PressurePump
from oleodyn.hydraulics.tank import Tank
from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import Part
from oleodyn.mechanics.inertia import Mass
from oleodyn.mechanics.source import ForceSource
from oleodyn.simulation.path import Ramp, Steps
from oleodyn.simulation.scenario import Scenario
from oleodyn.units import bar, cm3_per_rev, kN, l_per_min, litre, mm, ms

SEAL = LuGre(F_c=210.0, F_s=830.0, v_s=12.5 * mm, sigma_0=7.35e6, sigma_1=1e3, sigma_2=330.0)


def machine(*, friction: Part | None = SEAL) -> Machine:
    """The bench; `friction` is the law of the cylinder's seals."""
    oil = ISO_VG_46
    bench = Machine(
        "valve-bench",
        text="pressure-controlled pump, 4/3 valve, cylinder with LuGre friction, a mass against a load",
        defaults=Defaults(stepper="hht", dt=0.5 * ms, until=4.0, scenario="stroke"),
        scenarios={
            "stroke": Scenario(
                text="out and back at speed, the load of 8 kN comes while the valve is shut",
                signals={
                    "valve.u": Steps(times=(0.2, 1.2, 2.0, 3.2), values=(0.25, 0.0, -0.2, 0.0)),
                    "load.F": Ramp(start=1.4, duration=0.2, after=-8 * kN),
                },
            ),
            "creep": Scenario(
                text="a crack of the valve: the seal sticks and slips",
                until=15.0,
                signals={"valve.u": Ramp(start=0.1, duration=0.1, after=0.025)},
            ),
        },
    )
    bench.add("motor", PrimeMover())
    bench.add("pump", PressurePump(D=45 * cm3_per_rev, p_set=160 * bar, dp_band=10 * bar, leak=LaminarLeak(G=1e-12)))
    bench.add("line", Hose(volume=0.5 * litre, p_0=165 * bar, oil=oil))
    bench.add("relief", ReliefValve(p_set=190 * bar, Q_nom=60 * l_per_min))
    bench.add("valve", ProportionalValve43(Q_nom=40 * l_per_min, overlap=0.02))
    bench.add(
        "ram",
        Cylinder(
            d_bore=50 * mm, d_rod=28 * mm, stroke=0.5, length_0=0.6, V_A_dead=0.1 * litre, V_B_dead=0.1 * litre,
            p_A_0=20 * bar, p_B_0=20 * bar * 50**2 / (50**2 - 28**2), oil=oil,
            leak=LaminarLeak(G=1e-13), friction=friction,
        ),
    )  # fmt: skip
    bench.add("mass", Mass(m=400.0, s_0=0.7))
    bench.add("load", ForceSource())
    bench.add("tank", Tank())
    bench.connect("motor.shaft", "pump.shaft")
    bench.connect("pump.P", "line.port", "relief.P", "valve.P")
    bench.connect("tank.port", "pump.T", "relief.T", "valve.T")
    bench.connect("valve.A", "ram.A")
    bench.connect("valve.B", "ram.B")
    bench.connect("ram.rod", "mass.rod", "load.rod")
    return bench
