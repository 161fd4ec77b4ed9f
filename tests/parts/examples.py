"""One or more instances of every part that cannot be made without numbers, for the contract.

Add yours to EXAMPLES when you write a part. A part whose parameters all have defaults needs none.
"""

from math import pi

from oleodyn.contact.saw import Saw
from oleodyn.control.pid import PID
from oleodyn.friction.bengisu_akay import BengisuAkay
from oleodyn.friction.brown_mcphee import BrownMcPhee
from oleodyn.friction.coulomb_viscous import CoulombViscous
from oleodyn.friction.lugre import LuGre
from oleodyn.friction.modified_lugre import ModifiedLuGre
from oleodyn.friction.stribeck import ExponentialStribeck
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.accumulator import Accumulator
from oleodyn.hydraulics.check_valve import CheckValve, PilotedCheckValve, ShuttleValve
from oleodyn.hydraulics.counterbalance_valve import CounterbalanceValve
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import OpenCentreValve43, ProportionalValve43, VoltageValve43
from oleodyn.hydraulics.edge import LinearisedEdge
from oleodyn.hydraulics.hose_valve import HoseValve43
from oleodyn.hydraulics.leakage import LaminarLeak, RootLeak
from oleodyn.hydraulics.line import Hose, InertialHose, Pipe
from oleodyn.hydraulics.motor import GearMotor, ScrewMotor
from oleodyn.hydraulics.node import Volume
from oleodyn.hydraulics.orifice import Orifice
from oleodyn.hydraulics.plunger import Plunger
from oleodyn.hydraulics.pressure_valve import PressureCompensator, ReducingValve, ReliefValve
from oleodyn.hydraulics.pump import FixedPump, LoadSensingPump, PressurePump, VariablePump
from oleodyn.hydraulics.resistance import Filter, Resistance
from oleodyn.hydraulics.restricted_actuator import RestrictedCylinder, RestrictedMotor
from oleodyn.hydraulics.rotary_actuator import RotaryActuator
from oleodyn.hydraulics.servo_valve import ServoValve43
from oleodyn.hydraulics.spool import FirstOrderSpool
from oleodyn.hydraulics.stroke_end import Cushion
from oleodyn.hydraulics.supply import ConstantPressure, LoadSensingSupply
from oleodyn.hydraulics.throttle import Throttle, VariableThrottle
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame, Line
from oleodyn.mechanics.joint import Cylindrical, Fixed, Floating, Prismatic, Revolute, Spherical, Universal
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.stop import LineStop, RotationStop
from oleodyn.units import bar, cm3, cm3_per_rev, deg, l_per_min, litre, mm

SIZE = dict(d_bore=80 * mm, d_rod=35 * mm, stroke=0.9, length_0=1.1)
SEAL = dict(F_c=210.0, F_s=830.0, v_s=12.5 * mm, sigma_2=330.0)
BRISTLES = dict(sigma_0=7.35e6, sigma_1=3.16e4)
FILM = dict(v_b=0.7, tau_hp=0.25, tau_hn=1.5, tau_h0=40.0)

BEAM = Body(mass=20.0, com=(0.5, 0.0, 0.1), inertia=((0.3, 0.0, 0.05), (0.0, 2.0, 0.0), (0.05, 0.0, 1.9)))
BLOCK = Body(mass=5.0, inertia=((0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.15)))
BOOM = Mechanism(
    bodies=dict(boom=BEAM, stick=BEAM, slide=BLOCK),
    joints=dict(
        shoulder=Revolute(child="boom", axis=(0.0, 1.0, 0.0), damping=3.0, stop=RotationStop(stiffness=1e5, high=1.0)),
        elbow=Revolute(parent="boom", child="stick", position=(1.0, 0.0, 0.0), axis=(0.1, 1.0, 0.3), q_0=0.4),
        telescope=Prismatic(parent="stick", child="slide", position=(1.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)),
    ),
    frames=dict(tip=Frame(body="slide", position=(0.1, 0.2, 0.3))),
    lines=dict(lift=Line(from_point=(-0.2, 0.3, -0.4), to_body="boom", to_point=(0.5, 0.0, 0.1))),
)
LOOSE = Mechanism(
    bodies=dict(chassis=BEAM, wheel=BLOCK, head=BLOCK, arm=BEAM),
    joints=dict(
        ground=Floating(child="chassis"),
        steer=Universal(parent="chassis", child="wheel", position=(0.5, 0.4, 0.0), q_2_0=0.3),
        neck=Spherical(parent="chassis", child="head", position=(0.0, 0.0, 0.5), damping=0.5),
        post=Cylindrical(parent="chassis", child="arm", slide_stop=LineStop(stiffness=1e5, damping=1e3, high=0.3)),
    ),
    frames=dict(camera=Frame(body="head", orientation=(0.1, 0.2, 0.3))),
)

EXAMPLES = [
    # control and contact
    PID(K_p=73.0, K_i=147.0, K_d=2.3, K_ff=0.5, u_max=0.01),
    PID(K_p=3.2, K_i=6.4, u_max=0.01, axis="m", derivative_on_measurement=True),
    Saw(R_saw=0.15, w=pi, width=4 * mm, v_feed=0.2 * mm, r_pipe=(0.0, 2.76, -1.445), r_o=30 * mm, r_i=25 * mm,
        tau_s=880e6, phi_s=20 * deg, beta_f=35 * deg, alpha_r=5 * deg),
    # friction
    Viscous(c=1.944e5),
    CoulombViscous(F_c=1200.0, c=3000.0),
    ExponentialStribeck(**SEAL),
    BengisuAkay(**SEAL, xi=50.0),
    BengisuAkay(**SEAL, xi=50.0, viscous_everywhere=True),
    BrownMcPhee(**SEAL),
    LuGre(**SEAL, **BRISTLES, n=0.5),
    LuGre(F_c=200.0, F_s=260.0, v_s=0.01, sigma_0=2e6, sigma_1=4e3, sigma_2=800.0, v_d=0.4),
    ModifiedLuGre(**SEAL, **BRISTLES, **FILM),
    # hydraulics: what stores and what leads
    Volume(volume=0.2 * litre),
    Hose(volume=0.5 * litre),
    InertialHose(length=4.0, d=12.7 * mm, R=2e8, R_2=1e12),
    Pipe(length=6.0, d=20 * mm),
    Accumulator(V_gas=10 * litre, p_pre=100 * bar),
    Orifice(C=1.1e-6),
    Orifice(C=1.1e-6, edge=LinearisedEdge()),
    Throttle(area=28 * mm * mm),
    VariableThrottle(area=28 * mm * mm),
    Resistance(R=1e10, R_2=1e14),
    Filter(Q_nom=60 * l_per_min),
    LaminarLeak(G=1e-13),
    RootLeak(C=6.7e-9),
    # hydraulics: valves
    ProportionalValve43(Q_nom=40 * l_per_min, ratio_BT=0.5),
    OpenCentreValve43(Q_nom=40 * l_per_min),
    VoltageValve43(C_PA=2.138e-8, C_BT=2.138e-8, C_PB=2e-8, C_AT=1.9e-8, spool=FirstOrderSpool(tau=4e-3)),
    ServoValve43(C_d=8e-4),
    HoseValve43(K_v=4e-7, I_A=3e7, I_B=4e7),
    FirstOrderSpool(tau=0.02, x_dot_max=20.0),
    ReliefValve(p_set=180 * bar, Q_nom=60 * l_per_min),
    ReducingValve(p_set=30 * bar, Q_nom=20 * l_per_min),
    PressureCompensator(Q_nom=60 * l_per_min),
    CheckValve(Q_nom=60 * l_per_min),
    PilotedCheckValve(Q_nom=60 * l_per_min),
    ShuttleValve(Q_nom=20 * l_per_min),
    CounterbalanceValve(p_set=220 * bar, Q_nom=60 * l_per_min),
    # hydraulics: supplies and actuators
    ConstantPressure(p=140 * bar),
    LoadSensingSupply(p_max=210 * bar),
    FixedPump(D=45 * cm3_per_rev, c=0.02, leak=LaminarLeak(G=5e-13)),
    VariablePump(D=45 * cm3_per_rev),
    PressurePump(D=45 * cm3_per_rev, p_set=200 * bar, leak=LaminarLeak(G=5e-13)),
    LoadSensingPump(D=45 * cm3_per_rev, p_max=210 * bar),
    Cylinder(**SIZE),
    Cylinder(**SIZE, eta=0.9, K_wall=31e9, friction=BrownMcPhee(**SEAL), leak=LaminarLeak(G=1e-13),
             leak_out=RootLeak(C=1e-9), cushion=Cushion(length=40 * mm, C=1e-6)),
    Cylinder(**SIZE, friction=LuGre(**SEAL, **BRISTLES, v_d=0.05)),
    RestrictedCylinder(**SIZE, R_A=1e12, R_B=2e12, friction=Viscous(c=1e4)),
    Cushion(length=40 * mm, C=1e-6),
    Plunger(d=60 * mm, stroke=0.6, length_0=0.8),
    GearMotor(D=80.5 * cm3_per_rev, ratio=160.0, eta=0.836, J=5e-4, leak=RootLeak(C=6.7e-9)),
    ScrewMotor(D=39.9 * cm3_per_rev, lead=5 * mm, eta=0.787, J=1e-4, V_A=100 * cm3),
    RestrictedMotor(D_m=150 * cm3_per_rev, ratio=120.0, J=5e-3, R_A=1.9e8, R_B=1.9e8, R_in=1.2e12,
                    R_eA=2.4e12, R_eB=2.4e12),
    RotaryActuator(D=400 * cm3_per_rev, leak=LaminarLeak(G=1e-12)),
    # mechanics
    BEAM,
    Frame(body="boom"),
    Line(to_body="boom"),
    RotationStop(stiffness=1e5, high=1.0),
    LineStop(stiffness=1e6, low=0.0),
    Fixed(child="boom"),
    Revolute(child="boom"),
    Prismatic(child="boom"),
    Cylindrical(child="boom"),
    Universal(child="boom"),
    Spherical(child="boom"),
    Floating(child="boom"),
    BOOM,
    LOOSE,
]  # fmt: skip
