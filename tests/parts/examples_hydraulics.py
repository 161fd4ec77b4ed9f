"""One or more of every hydraulic part, with plausible numbers: what the contract is checked on."""

from oleodyn.fluids.oil import Oil
from oleodyn.friction.brown_mcphee import BrownMcPhee
from oleodyn.friction.lugre import LuGre
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.accumulator import Accumulator
from oleodyn.hydraulics.check_valve import CheckValve, MakeUpValve, PilotedCheckValve, ShuttleValve
from oleodyn.hydraulics.counterbalance_valve import CounterbalanceValve
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import OpenCentreValve43, ProportionalValve43, VoltageValve43
from oleodyn.hydraulics.edge import LinearisedEdge, SmoothEdge
from oleodyn.hydraulics.efficiency import PublishedEfficiency, QuadrantEfficiency
from oleodyn.hydraulics.hose_valve import HoseValve43
from oleodyn.hydraulics.leakage import GapLeak, LaminarLeak, RootLeak
from oleodyn.hydraulics.line import Hose, InertialHose, Pipe
from oleodyn.hydraulics.motor import GearMotor, ScrewMotor
from oleodyn.hydraulics.node import Plug, Volume
from oleodyn.hydraulics.orifice import Orifice
from oleodyn.hydraulics.plunger import Plunger
from oleodyn.hydraulics.pressure_valve import PressureCompensator, ReducingValve, ReliefValve
from oleodyn.hydraulics.prime_mover import PrimeMover
from oleodyn.hydraulics.pump import FixedPump, LoadSensingPump, PressurePump, VariablePump
from oleodyn.hydraulics.resistance import Filter, Resistance
from oleodyn.hydraulics.restricted_actuator import RestrictedCylinder, RestrictedMotor
from oleodyn.hydraulics.rotary_actuator import RotaryActuator
from oleodyn.hydraulics.servo_valve import ServoValve43
from oleodyn.hydraulics.spool import FirstOrderSpool, InstantSpool, SecondOrderSpool
from oleodyn.hydraulics.stroke_end import Cushion, EndStop
from oleodyn.hydraulics.supply import ConstantPressure, FlowSource, LoadSensingSupply
from oleodyn.hydraulics.tank import Tank
from oleodyn.hydraulics.throttle import Throttle, VariableThrottle
from oleodyn.units import bar, cm3_per_rev, kN, l_per_min, litre, mm

size = dict(d_bore=80 * mm, d_rod=35 * mm, stroke=1.1, length_0=0.314213562)
lines = dict(R_A=1.9e8, R_B=1.9e8, R_in=1.2e12, R_eA=2.4e12, R_eB=2.4e12)
seal = LuGre(F_c=210.0, F_s=830.0, v_s=0.0125, sigma_0=7.3e6, sigma_1=3.2e4, sigma_2=330.0, v_d=0.05)
edges = dict(C_PA=3.6e-8, C_AT=3.3e-8, C_PB=3.0e-8, C_BT=2.7e-8)

HYDRAULICS = {
    "oil": Oil(),
    "oil with air": Oil(air=0.005),
    "oil without cavitation": Oil(cavitation=False),
    "smooth edge": SmoothEdge(),
    "linearised edge": LinearisedEdge(),
    "laminar leak": LaminarLeak(G=1e-12),
    "gap leak": GapLeak(r=40 * mm, c=0.03 * mm, L=50 * mm),
    "cylinder with a gap": Cylinder(**size, leak=GapLeak(r=40 * mm, c=0.03 * mm, L=50 * mm)),
    "root leak": RootLeak(C=6.7e-9),
    "instant spool": InstantSpool(),
    "first-order spool": FirstOrderSpool(tau=4e-3, x_dot_max=50.0),
    "second-order spool": SecondOrderSpool(x_dot_max=50.0),
    "volume": Volume(volume=1 * litre, K_wall=5e9, p_0=10 * bar, oil=Oil(air=0.01)),
    "plug": Plug(),
    "tank": Tank(),
    "constant pressure": ConstantPressure(p=180 * bar),
    "load-sensing supply": LoadSensingSupply(p_max=200 * bar),
    "flow source": FlowSource(Q_nom=30 * l_per_min),
    "hose": Hose(volume=0.2 * litre),
    "inertial hose": InertialHose(length=4.0, d=12.7 * mm, R=1.9e8, R_2=3e11),
    "pipe": Pipe(length=6.0, d=16 * mm),
    "smooth pipe": Pipe(length=6.0, d=16 * mm, roughness=0.0, K_wall=2e10),
    "accumulator": Accumulator(V_gas=4 * litre, p_pre=90 * bar),
    "orifice": Orifice(C=1e-7),
    "linearised orifice": Orifice(C=1.0982e-6, edge=LinearisedEdge()),
    "throttle": Throttle(area=2.83e-5, C_d=0.8),
    "variable throttle": VariableThrottle(area=2.83e-5),
    "resistance": Resistance(R=1.9e8, R_2=1e11),
    "filter": Filter(Q_nom=60 * l_per_min),
    "proportional valve": ProportionalValve43(Q_nom=40 * l_per_min, ratio_PB=0.5, ratio_AT=0.8),
    "proportional valve, zero lap": ProportionalValve43(Q_nom=40 * l_per_min, overlap=0.0, spool=InstantSpool()),
    "open-centre valve": OpenCentreValve43(Q_nom=40 * l_per_min),
    "voltage valve": VoltageValve43(**edges, spool=FirstOrderSpool(tau=4e-3), edge=LinearisedEdge()),
    "static voltage valve": VoltageValve43(**edges),
    "servo valve": ServoValve43(C_d=8.018e-4),
    "hose valve": HoseValve43(K_v=1.667e-6, I_A=2.75e7, I_B=2.75e7),
    "relief valve": ReliefValve(p_set=200 * bar, Q_nom=60 * l_per_min),
    "damped relief valve": ReliefValve(p_set=200 * bar, Q_nom=60 * l_per_min, spool=FirstOrderSpool(tau=0.01)),
    "reducing valve": ReducingValve(p_set=35 * bar, Q_nom=20 * l_per_min),
    "compensator": PressureCompensator(Q_nom=60 * l_per_min, spool=FirstOrderSpool(tau=5e-3)),
    "counterbalance valve": CounterbalanceValve(p_set=250 * bar, Q_nom=60 * l_per_min),
    "vented counterbalance valve": CounterbalanceValve(p_set=250 * bar, Q_nom=60 * l_per_min, vented=True),
    "check valve": CheckValve(Q_nom=60 * l_per_min),
    "piloted check valve": PilotedCheckValve(Q_nom=60 * l_per_min),
    "shuttle valve": ShuttleValve(Q_nom=10 * l_per_min),
    "make-up valve": MakeUpValve(),
    "cylinder": Cylinder(**size),
    "cylinder in air": Cylinder(**size, p_ambient=1.01325 * bar),
    "cylinder of the dissertation": Cylinder(
        **size, V_A_dead=0.0, V_B_dead=0.0, K_wall=3.15e10, stop=None, mirror_at=1.414213562, friction=Viscous(c=1e5)
    ),
    "cylinder with everything": Cylinder(
        **size,
        eta=0.95,
        leak=LaminarLeak(G=1e-13),
        leak_out=RootLeak(C=1e-11),
        friction=seal,
        cushion=Cushion(length=30 * mm, C=5e-8),
        oil=Oil(air=0.005),
    ),
    "plunger": Plunger(d=60 * mm, stroke=0.8, length_0=1.0, friction=BrownMcPhee(F_c=200, F_s=300, v_s=0.01)),
    "rotary actuator": RotaryActuator(D=336e-6, eta=0.9, leak=LaminarLeak(G=1e-12)),
    "gear motor": GearMotor(D=80.5 * cm3_per_rev, ratio=160, eta=0.836, J=5e-4, leak=RootLeak(C=6.7e-9), friction=seal),
    "quadrant efficiency": QuadrantEfficiency(),
    "published efficiency": PublishedEfficiency(),
    "gear motor as published": GearMotor(
        D=80.5 * cm3_per_rev, ratio=160, eta=0.836, efficiency=PublishedEfficiency(), leak=RootLeak(C=6.7e-9)
    ),
    "screw motor": ScrewMotor(D=39.9 * cm3_per_rev, lead=5 * mm, eta=0.787, J=1e-4, leak=RootLeak(C=4e-9)),
    "restricted motor": RestrictedMotor(D_m=2.5e-5, ratio=120, J=0.02, **lines, friction=Viscous(c=1500.0)),
    "restricted cylinder": RestrictedCylinder(**size, R_A=3e11, R_B=3e11, friction=Viscous(c=8 * kN)),
    "end stop": EndStop(),
    "cushion": Cushion(length=30 * mm, C=5e-8),
    "fixed pump": FixedPump(D=45 * cm3_per_rev, leak=LaminarLeak(G=1e-12), c=0.02),
    "variable pump": VariablePump(D=45 * cm3_per_rev),
    "pressure pump": PressurePump(D=45 * cm3_per_rev, p_set=200 * bar),
    "load-sensing pump": LoadSensingPump(D=45 * cm3_per_rev, p_max=250 * bar, leak=RootLeak(C=1e-9)),
    "prime mover": PrimeMover(),
}
