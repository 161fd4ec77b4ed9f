"""Rotary motors that move a joint through a gear or a ball screw."""

from oleodyn.fluids.oil import Oil
from oleodyn.hydraulics.efficiency import Efficiency, QuadrantEfficiency
from oleodyn.hydraulics.leakage import Leak
from oleodyn.hydraulics.node import known
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Output, Part, Power, Terms, ingredient, parameter
from oleodyn.maths import pi
from oleodyn.mechanics.port import LinePort, RotationPort
from oleodyn.units import litre


def screw_ratio(lead):
    """Angle of a screw per length [rad/m]: 2π / lead.

    >>> round(screw_ratio(lead=5e-3), 2)
    1256.64
    """
    return 2 * pi / lead


class GearMotor(Part):
    """Motor and gear on a revolute joint.

    Equations   D_n = ratio D,   into A: D_n ω + leakage,   into B: −D_n ω − leakage      ω: joint speed
                C_A = V_A / K_oil,   C_B = V_B / K_oil                                    constant volumes
                τ_ideal = D_n (p_A − p_B),   τ = η τ_ideal where the oil drives (see QuadrantEfficiency)
                into the joint: τ_friction − τ,   ratio² J joins the inertia of the joint
    Assumes     friction acts at the joint, at joint speed.
    Published   with efficiency=PublishedEfficiency() η multiplies the torque also where the load drives
                the motor, as printed in [1]: it then gives the lost power back.
    References  [1] Kim, Lee & Kim (2021) IEEE Access 9, eq. 2-4, with displacement per radian.
                [2] Merritt (1967) Hydraulic Control Systems, ch. 4.
    """

    passive = True

    A, B = HydraulicPort("turns it forward"), HydraulicPort("turns it back")
    shaft = RotationPort("joint")

    D: float = parameter("m³/rad", "displacement", above=0)
    ratio: float = parameter("-", "motor turns per turn of the joint", above=0, default=1.0)
    eta: float | None = parameter("-", "torque efficiency; none: no such loss", within=(0.01, 1), default=None)
    J: float = parameter("kg·m²", "inertia of the rotor", within=(0, 1e4), default=0.0)
    V_A: float = parameter("m³", "oil in lines and ports at A", above=0, default=0.1 * litre)
    V_B: float = parameter("m³", "oil in lines and ports at B", above=0, default=0.1 * litre)
    p_A_0: float | None = parameter("Pa", "pressure at A at the start", within=(0, float("inf")), default=None)
    p_B_0: float | None = parameter("Pa", "pressure at B at the start", within=(0, float("inf")), default=None)
    efficiency: Efficiency = ingredient("where eta takes its part", default=QuadrantEfficiency())
    oil: Oil = ingredient("what is inside", default=Oil())
    leak: Leak | None = ingredient("leakage from A to B", default=None)
    friction: Part | None = ingredient("friction of the joint", default=None)

    tau = Output("N·m", "torque of the oil at the joint, before friction")

    def equations(self) -> Terms:
        return joined(self, "shaft", self.shaft.speed, self.ratio, "tau")


class ScrewMotor(Part):
    """Motor and ball screw on a prismatic joint.

    Equations   n = 2π / lead,   D_n = n D,   into A: D_n v + leakage,   into B: −D_n v − leakage
                C_A = V_A / K_oil,   C_B = V_B / K_oil
                F_ideal = D_n (p_A − p_B),   F = η F_ideal where the oil drives (see QuadrantEfficiency)
                into the joint: F_friction − F,   n² J joins the mass of the joint
    Assumes     as in GearMotor.
    Published   as in GearMotor.
    References  [1] Kim, Lee & Kim (2021) IEEE Access 9, eq. 2-4, joint 2.
    """

    passive = True

    A, B = HydraulicPort("drives it out"), HydraulicPort("drives it back")
    rod = LinePort("joint")

    D: float = parameter("m³/rad", "displacement", above=0)
    lead: float = parameter("m", "travel per turn of the motor", above=0)
    eta: float | None = parameter("-", "torque efficiency; none: no such loss", within=(0.01, 1), default=None)
    J: float = parameter("kg·m²", "inertia of the rotor", within=(0, 1e4), default=0.0)
    V_A: float = parameter("m³", "oil in lines and ports at A", above=0, default=0.1 * litre)
    V_B: float = parameter("m³", "oil in lines and ports at B", above=0, default=0.1 * litre)
    p_A_0: float | None = parameter("Pa", "pressure at A at the start", within=(0, float("inf")), default=None)
    p_B_0: float | None = parameter("Pa", "pressure at B at the start", within=(0, float("inf")), default=None)
    efficiency: Efficiency = ingredient("where eta takes its part", default=QuadrantEfficiency())
    oil: Oil = ingredient("what is inside", default=Oil())
    leak: Leak | None = ingredient("leakage from A to B", default=None)
    friction: Part | None = ingredient("friction of the joint", default=None)

    F = Output("N", "force of the oil at the joint, before friction")

    def equations(self) -> Terms:
        return joined(self, "rod", self.rod.v, screw_ratio(self.lead), "F")


def joined(motor: GearMotor | ScrewMotor, port: str, v, n, name: str) -> Terms:
    """Terms of a motor that turns n times as fast as its joint moves."""
    p_A, p_B = motor.A.p, motor.B.p
    dp, D_n = p_A - p_B, n * motor.D
    Q_leak, tau, lost, parts = 0.0, D_n * dp, {}, {}
    if motor.leak:
        Q_leak = motor.leak.flow(dp)
        lost["leakage"] = Q_leak * dp
    if motor.eta is not None:
        tau = motor.efficiency.torque(dp, D_n, n * v, motor.eta)
        lost["efficiency"] = (D_n * dp - tau) * v
    if motor.friction:
        parts["friction"] = motor.friction.equations(v)
    F_friction = parts["friction"].out["F"] if parts else 0.0
    return Terms(
        into={"A": D_n * v + Q_leak, "B": -D_n * v - Q_leak, port: F_friction - tau},
        store={"A": motor.oil.capacity(motor.V_A, p_A), "B": motor.oil.capacity(motor.V_B, p_B), port: n**2 * motor.J},
        parts=parts,
        start=known(A=motor.p_A_0, B=motor.p_B_0),
        clamp=motor.oil.bounds("A", "B"),
        out={name: tau},
        power=Power(lost=lost),
    )
