"""What the pipe cutter is made of: links, joints, servo valves, motors, saw, with their numbers.

Printed: the kinematic table, motor speeds, torques and pressures, gear ratios, spindle speed, feed
and shear stress (Kim, Lee & Kim, IEEE Access 9 (2021), tables 1 and 2, section II). All that the
paper does not print is chosen here so that its results come out: rated flows, leakage, volumes,
friction, masses, saw and pipe.
"""

from dataclasses import dataclass
from typing import Any

from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
from oleodyn.contact.chip import NominalFeed
from oleodyn.contact.saw import Saw
from oleodyn.errors import DeclarationError
from oleodyn.fluids.oil import Oil
from oleodyn.friction.lugre import LuGre
from oleodyn.hydraulics.edge import SmoothEdge
from oleodyn.hydraulics.efficiency import PublishedEfficiency
from oleodyn.hydraulics.leakage import RootLeak
from oleodyn.hydraulics.motor import GearMotor, ScrewMotor
from oleodyn.hydraulics.servo_valve import ServoValve43, servo_constant
from oleodyn.hydraulics.spool import SecondOrderSpool
from oleodyn.machine.part import Named
from oleodyn.maths import pi
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame
from oleodyn.mechanics.joint import Fixed, Prismatic, Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.rotation import modified_dh
from oleodyn.mechanics.stop import LineStop, RotationStop
from oleodyn.units import bar, cm3_per_rev, deg, l_per_min, litre, mA, mm

EPS = 0.1 * bar
"""Drop over which every root turns round."""
PRESSURE = 14e6
"""Supply [Pa], the printed limit of the OMP80."""
OIL = Oil(K=1.4e9, rho=870.0, p_vapour=0.0)
X_MAX, I_MAX = 0.5 * mm, 10 * mA
OMP80, OMM40 = 80.5 * cm3_per_rev, 39.9 * cm3_per_rev
"""Catalogue displacements; with eta 0.836 and 0.787 they give the printed 150 and 45 N·m."""


@dataclass(frozen=True)
class Axis:
    """The numbers of one joint and its drive, in SI.

    rated_flow is at 10 mA and 70 bar; those of joints 1, 3 and 4 are fitted to the circle's errors.
    """

    rated_flow: float
    leak: float
    volume: float
    sigma_0: float
    sigma_1: float
    sigma_2: float
    F_c: float
    F_s: float
    v_s: float
    stop: tuple[float, float]


LARGE: dict[str, Any] = {
    "leak": 6.7e-9, "volume": 0.2 * litre, "sigma_0": 2e6, "sigma_1": 4e3,
    "sigma_2": 800.0, "F_c": 200.0, "F_s": 260.0, "v_s": 0.01, "stop": (2e6, 2e4),
}  # fmt: skip
SMALL: dict[str, Any] = {
    "leak": 4.0e-9, "volume": 0.1 * litre, "sigma_0": 8e5, "sigma_1": 800.0,
    "sigma_2": 250.0, "F_c": 80.0, "F_s": 100.0, "v_s": 0.01, "stop": (1e6, 1e4),
}  # fmt: skip
AXES = (
    Axis(rated_flow=45 * l_per_min, **LARGE),
    Axis(
        rated_flow=18 * l_per_min, leak=4.0e-9, volume=0.1 * litre, sigma_0=5e7, sigma_1=2e5, sigma_2=2e4, F_c=1500.0,
        F_s=2000.0, v_s=0.005, stop=(2e7, 2e5),
    ),
    Axis(rated_flow=41 * l_per_min, **LARGE),
    Axis(rated_flow=46 * l_per_min, **LARGE),
    Axis(rated_flow=18 * l_per_min, **SMALL),
    Axis(rated_flow=18 * l_per_min, **SMALL),
)  # fmt: skip
"""Leakage 1.5 and 0.9 l/min at 140 bar; 1.5 and 1 m of hose; Coulomb friction 1 % of stall torque;
presliding about 0.1 mrad and 0.03 mm."""

TABLE = ((0.0, 0.0, 0.0, 0.0), (-90, 0.0, 1.329, -90), (-90, 0.0, 0.0, -90), (0.0, 0.502, 0.0, 0.0),
         (-90, 0.482, 0.0, -90), (-90, 0.0, 0.9291, 0.0))  # fmt: skip
"""alpha [deg], a [m], d [m], theta [deg] of each joint at q = 0: table 1, its damaged entries restored."""

LINKS = (  # mass [kg], centre of mass [m], central Ixx, Iyy, Izz [kg·m²], all in the link's frame
    (320.0, (0.0, 0.45, 0.0), (52.0, 13.5, 52.0)),
    (180.0, (0.0, 0.0, -0.45), (23.0, 23.0, 2.7)),
    (120.0, (0.25, 0.0, 0.0), (1.8, 4.5, 4.5)),
    (95.0, (0.24, 0.0, 0.0), (1.25, 3.0, 3.0)),
    (60.0, (0.02, 0.20, 0.0), (1.3, 0.65, 1.3)),
    (45.0, (0.03, 0.0, -0.25), (2.0, 2.0, 0.6)),
)
"""820 kg in all: 2.4 kN·m at joint 3, stretched out, against 24 kN·m that its motor can give."""

SAW = Saw(
    R_saw=150 * mm, teeth=60, w=pi, width=4.0 * mm, chip=NominalFeed(v=0.2e-3), r_pipe=(0.0, 2.760, -1.445),
    normal=(1.0, 0.0, 0.0), feed=(0.0, 1.0, 0.0), r_o=30 * mm, r_i=25 * mm, tau_s=880e6, phi_s=20 * deg,
    beta_f=35 * deg, alpha_r=5 * deg,
)  # fmt: skip
"""30 rpm, 12 mm/min, 880 MPa: printed. r_o follows from the printed 300 s of contact; teeth, width,
radius and angles are chosen so that the published shape and size of the force come out."""


PAYLOAD = 250.0
"""Largest mass that may be held at the tool [kg]."""


def arm(payload: float = 0.0) -> Mechanism:
    """Bodies, joints and the tool frame; the base frame has z up and y forward.

    The payload is a point mass at the tool; one of 0 kg costs no operation.
    """
    if not 0 <= payload <= PAYLOAD:
        raise DeclarationError(
            f"pipe-cutter: payload = {payload:g} kg: must lie within 0 and {PAYLOAD:g} (mass held at the tool point)"
        )
    bodies, joints = {}, {}
    for i, ((alpha, a, d, theta), (mass, com, central)) in enumerate(zip(TABLE, LINKS, strict=True), start=1):
        inertia: Any = tuple(tuple(central[j] if j == k else 0.0 for k in range(3)) for j in range(3))
        bodies[f"link_{i}"] = Body(mass=mass, com=com, inertia=inertia)
        low, high = PIPE_CUTTER.limits[i - 1]
        stiffness, damping = AXES[i - 1].stop
        stop: Any = (LineStop if i == 2 else RotationStop)(stiffness=stiffness, damping=damping, low=low, high=high)
        seat: dict[str, Any] = modified_dh(alpha=alpha * deg, a=a, d=d, theta=theta * deg)
        parent = "world" if i == 1 else f"link_{i - 1}"
        joints[f"joint_{i}"] = (Prismatic if i == 2 else Revolute)(parent=parent, child=f"link_{i}", stop=stop, **seat)
    bodies["payload"] = Body(mass=payload)
    joints["payload_mount"] = Fixed(parent="link_6", child="payload")
    frames = {"tool": Frame(body="link_6")}
    return Mechanism(gravity=(0.0, 0.0, -9.80665), bodies=Named(bodies), joints=Named(joints), frames=Named(frames))


def valve(axis: Axis) -> ServoValve43:
    """A servo valve of 60 Hz; 10 mA open it by 0.5 mm."""
    return ServoValve43(
        C_d=servo_constant(axis.rated_flow, 70 * bar, X_MAX), K_sv=X_MAX / I_MAX, i_max=I_MAX,
        spool=SecondOrderSpool(w=2 * pi * 60, zeta=0.8), edge=SmoothEdge(dp_lam=EPS),
    )  # fmt: skip


def friction(axis: Axis) -> LuGre:
    """Friction of a joint and its drive."""
    return LuGre(
        F_c=axis.F_c, F_s=axis.F_s, v_s=axis.v_s, sigma_0=axis.sigma_0, sigma_1=axis.sigma_1, sigma_2=axis.sigma_2
    )


def turns(drive: GearMotor | ScrewMotor) -> float:
    """Motor angle per joint angle or way: 160, or 2π / 5 mm."""
    return 2 * pi / drive.lead if isinstance(drive, ScrewMotor) else drive.ratio


def motor(i: int, axis: Axis, stiff: bool) -> GearMotor | ScrewMotor:
    """The gerotor motor of joint i with its harmonic drive 1:160, or ball screw of 5 mm a turn."""
    large = i in (1, 3, 4)
    volume = axis.volume / (10 if stiff else 1)
    shared: dict[str, Any] = dict(
        D=OMP80 if large else OMM40, eta=0.836 if large else 0.787, J=0.0 if stiff else 5e-4 if large else 1e-4,
        V_A=volume, V_B=volume, p_A_0=PRESSURE / 2, p_B_0=PRESSURE / 2, oil=OIL, leak=RootLeak(C=axis.leak, dp_lam=EPS),
        friction=friction(axis), efficiency=PublishedEfficiency(),
    )  # fmt: skip
    return ScrewMotor(lead=5 * mm, **shared) if i == 2 else GearMotor(ratio=160.0, **shared)
