"""andrews: Andrews' squeezing mechanism, seven bodies in a plane that three loops close at one point.

All numbers are those of the Test Set for IVP Solvers (Mazzia & Magherini 2008, Test Set for Initial
Value Problem Solvers, release 2.4, II-9: Andrews' squeezing mechanism, `andrews.f`), the same as in
Schiehlen (1990) Multibody Systems Handbook and Hairer & Wanner (1996) Solving Ordinary Differential
Equations II, sec. VII.7. Angles have their names there: phi and omega are relative to delta and epsilon.
"""

from collections.abc import Mapping

from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import Named
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame, Line
from oleodyn.mechanics.joint import Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.source import TorqueSource
from oleodyn.mechanics.spring import SpringDamper
from oleodyn.mechanics.vector import Vector
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.signal import Constant

A, B, C = (-0.06934, -0.00227, 0.0), (-0.03635, 0.03273, 0.0), (0.014, 0.072, 0.0)
"""Pins on the ground besides the origin; the spring hangs at C [m]."""

BODIES: Mapping[str, tuple[float, float, float, float]] = {
    "K1": (0.04325, 2.194e-6, 0.00092, 0.0),
    "K2": (0.00365, 4.410e-7, -0.0115, 0.0),
    "K3": (0.02373, 5.255e-6, 0.01043, -0.01874),
    "K4": (0.00706, 5.667e-7, 0.0, -(0.02 - 0.01421)),
    "K5": (0.07050, 1.169e-5, 0.02308, 0.00916),
    "K6": (0.00706, 5.667e-7, 0.02 - 0.01421, 0.0),
    "K7": (0.05498, 1.912e-5, -0.00449, -0.01228),
}
"""Mass [kg], inertia about the centre of mass [kg·m²], centre of mass from the body's joint [m]."""

START = {
    "beta": -0.0617138900142764496358948458001,
    "Theta": 0.0,
    "gamma": 0.455279819163070380255912382449,
    "Phi": 0.222668390165885884674473185609,
    "delta": 0.487364979543842550225598953530,
    "Omega": -0.222668390165885884674473185609,
    "epsilon": 1.23054744454982119249735015568,
}
"""The seven angles at the start [rad], at rest."""

PLACES: Mapping[str, tuple[str, str, Vector]] = {
    "beta": ("world", "K1", (0.0, 0.0, 0.0)),
    "Theta": ("K1", "K2", (0.007, 0.0, 0.0)),
    "gamma": ("world", "K3", B),
    "Phi": ("K5", "K4", (0.04, 0.0, 0.0)),
    "delta": ("world", "K5", A),
    "Omega": ("K7", "K6", (0.0, -0.04, 0.0)),
    "epsilon": ("world", "K7", A),
}
"""Each joint: parent, child, and where it is on the parent [m]."""

MEET: Mapping[str, Vector] = {"K3": (0.0, -0.035, 0.0), "K4": (0.0, -0.02, 0.0), "K6": (0.02, 0.0, 0.0)}
"""The point E, in which K2 and these three meet, on each of them [m]."""
E_ON_K2 = (-0.028, 0.0, 0.0)
D_ON_K3 = (0.02, -0.018, 0.0)
TORQUE, C_0, L_0 = 0.033, 4530.0, 0.07785
"""Drive at O [N·m]; spring from C to D: stiffness [N/m], free length [m]."""


def machine() -> Machine:
    """The mechanism, driven from rest by a constant torque; no gravity, no friction."""
    made = Machine(
        "andrews",
        text="Andrews' squeezing mechanism: seven bodies, three loops, within 0.03 s (Test Set for IVP Solvers)",
        defaults=Defaults(stepper="trapezoidal", loops="partitioning", dt=1e-5, until=0.03, scenario="squeeze"),
        scenarios={"squeeze": Scenario(text="constant torque", signals={"motor.tau": Constant(value=TORQUE)})},
    )
    made.add("linkage", linkage())
    made.add("motor", TorqueSource())
    made.add("spring", SpringDamper(k=C_0, s_free=L_0))
    made.connect("motor.shaft", "linkage.beta")
    made.connect("spring.rod", "linkage.spring")
    return made


def linkage() -> Mechanism:
    """A tree of seven bodies, K3, K4 and K6 cut from K2 at E."""
    return Mechanism(
        gravity=(0.0, 0.0, 0.0),
        bodies=Named({name: body(*numbers) for name, numbers in BODIES.items()}),
        joints=Named(
            {
                name: Revolute(parent=parent, child=child, position=position, q_0=START[name])
                for name, (parent, child, position) in PLACES.items()
            }
        ),
        loops=Named(
            {
                f"{child}_cut": Revolute(parent="K2", child=child, position=E_ON_K2, child_position=point)
                for child, point in MEET.items()
            }
        ),
        frames=Named({"F": Frame(body="K2"), "E": Frame(body="K2", position=E_ON_K2)}),
        lines=Named({"spring": Line(from_point=C, to_body="K3", to_point=D_ON_K3)}),
    )


def body(m: float, J: float, x: float, y: float) -> Body:
    """A flat body: only its inertia about z matters, the others are those of a lamina."""
    return Body(mass=m, com=(x, y, 0.0), inertia=((J / 2, 0.0, 0.0), (0.0, J / 2, 0.0), (0.0, 0.0, J)))
