"""Small machines that the tests of the engine run, each with something of its own."""

import numpy as np

from oleodyn.fluids.oil import ATMOSPHERE
from oleodyn.friction.lugre import LuGre
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import ProportionalValve43
from oleodyn.hydraulics.plunger import Plunger
from oleodyn.hydraulics.supply import ConstantPressure, FlowSource
from oleodyn.hydraulics.tank import Tank
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Input, Output, Part, Power, State, Terms, parameter
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.inertia import Mass
from oleodyn.mechanics.joint import Floating, Prismatic, Revolute, Spherical, Universal
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.source import ForceSource, TorqueSource
from oleodyn.mechanics.spring import SpringDamper, TorsionSpringDamper
from oleodyn.units import bar, l_per_min, mm


class Heater(Part):
    """Oil that a heater warms and the room cools: C Ṫ = u − k T."""

    C: float = parameter("J/K", "heat capacity", above=0)
    k: float = parameter("W/K", "loss to the room", above=0)
    u = Input("W", "heater")
    temp = State("K", "temperature above the room")

    def equations(self) -> Terms:
        return Terms(der=dict(temp=(self.u - self.k * self.temp) / self.C))


class Follower(Part):
    """A fast lag behind an input: τ ẋ = u − x."""

    tau: float = parameter("s", "time constant", above=0)
    u = Input("-", "what is followed")
    x = State("-", "follower")

    def equations(self) -> Terms:
        return Terms(der=dict(x=(self.u - self.x) / self.tau))


class Clockwork(Part):
    """A controller that notes when it acts, and what it saw then."""

    samples = "period"
    period: float = parameter("s", "time between samples", above=0)
    y = Input("-", "what it sees")
    seen = State("-", "what it saw at its last sample", sampled=True)
    acted = State("s", "when it last acted", sampled=True, initial=-1.0)
    count = State("-", "how often it has acted", sampled=True)

    def equations(self) -> Terms:
        return Terms(next=dict(seen=self.y, acted=self.t, count=self.count + 1))


class Explosive(Part):
    """ẋ = x² + u: reaches infinity in finite time; x must stay below `limit`."""

    limit: float = parameter("-", "where its guard speaks", above=0, default=1e300)
    x_0: float = parameter("-", "start", default=1.0)
    u = Input("-", "what is added")
    x = State("-", "what grows")
    room = Output("-", "what is left")

    def equations(self) -> Terms:
        return Terms(
            der=dict(x=self.x * self.x + self.u),
            start=dict(x=self.x_0),
            guard=dict(room=self.limit - self.x),
            out=dict(room=self.limit - self.x),
            power=Power(),
        )


def made(name, parts, *connections, **options):
    """A machine of these parts and connections."""
    machine = Machine(name, **options)
    for part_name, part in parts.items():
        machine.add(part_name, part)
    for ends in connections:
        machine.connect(*ends)
    return machine


def heater():
    """One first-order state and one input: time constant 5 s, 70 K at 840 W."""
    return made("heater", dict(tank=Heater(C=60.0, k=12.0)))


def double_pendulum():
    """Two rods of 2 kg and 1 m, released from rest in the horizontal."""
    rod = Body(mass=2.0, com=(0.0, 0.1, -0.5), inertia=np.diag([1 / 6, 1 / 6, 1e-4]))
    joints = dict(
        upper=Revolute(child="upper_rod", axis=(0, 1, 0), q_0=1.5),
        lower=Revolute(parent="upper_rod", child="lower_rod", axis=(0, 1, 0), position=(0, 0, -1.0), q_0=-0.7),
    )
    return made("double-pendulum", dict(arm=Mechanism(bodies=dict(upper_rod=rod, lower_rod=rod), joints=joints)))


def oil_spring():
    """A load on oil that a pump moves, well damped and at rest at first: smooth, and stiff by the oil (490 rad/s)."""
    area, load = np.pi * 0.06**2 / 4, 12e3
    parts = dict(
        pump=FlowSource(Q_nom=20 * l_per_min), tank=Tank(p=2 * bar),
        jack=Plunger(d=60 * mm, stroke=0.5, length_0=0.6, V_dead=2e-5, p_0=ATMOSPHERE + load / area),
        load=Mass(m=300.0, s_0=0.65), ground=SpringDamper(k=4e4, c=1e5, s_free=0.65), weight=ForceSource(),
    )  # fmt: skip
    return made(
        "oil-spring", parts, ("pump.P", "jack.A"), ("pump.T", "tank.port"),
        ("jack.rod", "load.rod", "ground.rod", "weight.rod"),
    )  # fmt: skip


def lift():
    """Valve with a second-order spool, cylinder with LuGre friction, a hanging load."""
    rub = LuGre(F_c=300.0, F_s=400.0, v_s=0.02, sigma_0=4e6, sigma_1=2e3, sigma_2=200.0)
    parts = dict(
        supply=ConstantPressure(p=180 * bar), tank=Tank(p=2 * bar),
        valve=ProportionalValve43(Q_nom=40 * l_per_min),
        lift=Cylinder(
            d_bore=80 * mm, d_rod=45 * mm, stroke=0.9, length_0=0.8, p_A_0=80 * bar, p_B_0=60 * bar, friction=rub
        ),
        load=Mass(m=500.0, s_0=1.2), weight=ForceSource(),
    )  # fmt: skip
    return made(
        "lift", parts, ("supply.port", "valve.P"), ("tank.port", "valve.T"), ("valve.A", "lift.A"),
        ("valve.B", "lift.B"), ("lift.rod", "load.rod", "weight.rod"),
    )  # fmt: skip


def spun(period=0.01):
    """A rotor on a torsion spring (5 rad/s), watched by a controller every `period`."""
    rotor = Body(mass=1.0, inertia=np.diag([2.0, 2.0, 2.0]))
    parts = dict(
        arm=Mechanism(bodies=dict(rotor=rotor), joints=dict(hinge=Revolute(child="rotor", q_0=0.3))),
        spring=TorsionSpringDamper(k=50.0), motor=TorqueSource(), clock=Clockwork(period=period),
    )  # fmt: skip
    return made("spun", parts, ("arm.hinge", "spring.shaft", "motor.shaft"), ("arm.hinge.q", "clock.y"))


def floating_tree(seed=3):
    """A body that floats without gravity and carries arms on hinges, a ball, a cardan and a slide."""
    chance = np.random.default_rng(seed)

    def body():
        cloud = chance.normal(size=(3, 5))
        J = cloud @ cloud.T * 0.1
        return Body(mass=chance.uniform(1, 4), com=chance.normal(size=3) * 0.2, inertia=np.trace(J) * np.eye(3) - J)

    def place(parent, child):
        position, orientation = chance.normal(size=3) * 0.4, chance.uniform(-2, 2, size=3)
        return dict(parent=parent, child=child, position=position, orientation=orientation)

    def rate():
        return float(chance.uniform(-2, 2))

    def rates():
        return chance.uniform(-1.1, 1.1, size=3)  # no longer than 2 rad/s

    joints = dict(
        base=Floating(child="base_link", v_0=rates(), w_0=rates()),
        hinge=Revolute(**place("base_link", "a"), q_dot_0=rate()),
        ball=Spherical(**place("a", "b"), w_0=rates()),
        cardan=Universal(**place("base_link", "c"), q_1_dot_0=rate(), q_2_dot_0=rate(), q_2_0=0.3),
        slide=Prismatic(**place("c", "d"), q_dot_0=rate()),
    )
    bodies = {name: body() for name in ("base_link", "a", "b", "c", "d")}
    return made("floating-tree", dict(tree=Mechanism(gravity=(0, 0, 0), bodies=bodies, joints=joints)))


def explosive(**parameters):
    """One state that grows without bound."""
    return made("explosive", dict(bomb=Explosive(**parameters)))


MACHINES = {
    "heater": heater, "double-pendulum": double_pendulum, "oil-spring": oil_spring, "lift": lift, "spun": spun,
    "floating-tree": floating_tree,
}  # fmt: skip
"""name → its function"""
