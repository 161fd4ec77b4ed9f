"""Mechanisms with joints of every kind, and what they are made of."""

from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame, Line
from oleodyn.mechanics.inertia import Inertia, Mass
from oleodyn.mechanics.joint import Cylindrical, Fixed, Floating, Prismatic, Revolute, Spherical, Universal
from oleodyn.mechanics.loop import Distance, Drive, Motion
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.spring import SpringDamper, TorsionSpringDamper
from oleodyn.mechanics.stop import LineStop, RotationStop

beam = Body(mass=20.0, com=(0.5, 0.0, 0.1), inertia=((0.3, 0.0, 0.05), (0.0, 2.0, 0.0), (0.05, 0.0, 1.9)))
block = Body(mass=5.0, inertia=((0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.15)))

MECHANICS = {
    "body": beam,
    "frame": Frame(body="boom"),
    "line": Line(to_body="boom"),
    "turning stop": RotationStop(stiffness=1e5, high=1.0),
    "sliding stop": LineStop(stiffness=1e6, low=0.0),
    "fixed": Fixed(child="boom"),
    "revolute": Revolute(child="boom"),
    "distance": Distance(child="boom", length=1.5),
    "drive": Drive(joint="shoulder", motion=Motion(speed=0.3, amplitude=0.2, w=4.0)),
    "prismatic": Prismatic(child="boom"),
    "cylindrical": Cylindrical(child="boom"),
    "universal": Universal(child="boom"),
    "spherical": Spherical(child="boom"),
    "floating": Floating(child="boom"),
    "mass": Mass(m=12.0),
    "inertia": Inertia(I=0.02),
    "spring": SpringDamper(k=1e4, c=30.0, s_free=0.4),
    "torsion spring": TorsionSpringDamper(k=2e3, c=7.0),
    "boom, stick and telescope": Mechanism(
        bodies=dict(boom=beam, stick=beam, slide=block),
        joints=dict(
            shoulder=Revolute(child="boom", axis=(0.0, 1.0, 0.0), damping=3.0,
                              stop=RotationStop(stiffness=1e5, high=1.0)),
            elbow=Revolute(parent="boom", child="stick", position=(1.0, 0.0, 0.0), axis=(0.1, 1.0, 0.3), q_0=0.4),
            telescope=Prismatic(parent="stick", child="slide", position=(1.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)),
        ),
        frames=dict(tip=Frame(body="slide", position=(0.1, 0.2, 0.3))),
        lines=dict(lift=Line(from_point=(-0.2, 0.3, -0.4), to_body="boom", to_point=(0.5, 0.0, 0.1))),
    ),
    "loose bodies": Mechanism(
        bodies=dict(chassis=beam, wheel=block, head=block, arm=beam),
        joints=dict(
            ground=Floating(child="chassis"),
            steer=Universal(parent="chassis", child="wheel", position=(0.5, 0.4, 0.0), q_2_0=0.3),
            neck=Spherical(parent="chassis", child="head", position=(0.0, 0.0, 0.5), damping=0.5),
            post=Cylindrical(parent="chassis", child="arm", slide_stop=LineStop(stiffness=1e5, damping=1e3, high=0.3)),
        ),
        frames=dict(camera=Frame(body="head", orientation=(0.1, 0.2, 0.3))),
    ),
}  # fmt: skip
