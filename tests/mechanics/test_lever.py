"""Lever arms of cylinders on a mechanism: the law of cosines, and what the lengths themselves say."""

from math import cos, sin, sqrt

import pytest

import oleodyn as od
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Line
from oleodyn.mechanics.joint import Prismatic, Revolute, Spherical
from oleodyn.mechanics.mechanism import Mechanism

ARM = Body(mass=5.0, com=(0.4, 0, 0), inertia=((0.1, 0, 0), (0, 0.3, 0), (0, 0, 0.3)))


def told(mechanism, **moved):
    machine = Machine("arm")
    machine.add("arm", mechanism)
    program = od.compile(od.assemble(machine), od.RK4())
    return program.observe(program.start(**{name.replace("__", "."): value for name, value in moved.items()}))


@pytest.mark.parametrize("q", [0.2, 0.9, 2.4])
def test_lever_arm_of_a_cylinder_on_a_boom_is_that_of_its_triangle(q):
    """Pin of the barrel 0.7 m below the hinge's axis, of the rod 1.1 m out on the boom."""
    line = Line(from_point=(0.0, -0.7, 0.0), to_body="boom", to_point=(1.1, 0.0, 0.0))
    seen = told(
        Mechanism(bodies={"boom": ARM}, joints={"hinge": Revolute(child="boom")}, lines={"ram": line}), arm__hinge__q=q
    )
    s = sqrt(1.1**2 + 0.7**2 + 2 * 1.1 * 0.7 * sin(q))
    assert seen["arm.ram.lever.hinge"] == pytest.approx(1.1 * 0.7 * cos(q) / s, rel=1e-13)


def test_levers_of_all_freedoms_between_the_ends_of_a_line_add_up_to_its_rate():
    joints = {
        "ball": Spherical(child="upper"),
        "slide": Prismatic(parent="upper", child="fore", axis=(1, 0, 0), position=(0.8, 0, 0)),
        "wrist": Revolute(parent="fore", child="hand", axis=(0, 1, 0), position=(0.6, 0, 0.1)),
        "other": Revolute(child="mast", axis=(0, 0, 1), position=(0, -1.0, 0)),
    }
    line = Line(from_body="mast", from_point=(0.3, 0.1, 0.4), to_body="hand", to_point=(0.2, 0.0, -0.1))
    bodies = dict.fromkeys(("upper", "fore", "hand", "mast"), ARM)
    rates = dict(ball__w_x=0.3, ball__w_y=-0.7, ball__w_z=0.2, slide__q_dot=0.5, wrist__q_dot=-1.1, other__q_dot=0.9)
    seen = told(
        Mechanism(bodies=bodies, joints=joints, lines={"ram": line}),
        **{f"arm__{name}": rate for name, rate in rates.items()}, arm__wrist__q=0.4,
    )  # fmt: skip
    levers = {name: value for name, value in seen.items() if ".lever." in name}
    names = [f"arm.ram.lever.{name}" for name in ("ball.w_x", "ball.w_y", "ball.w_z", "slide", "wrist", "other")]
    assert sorted(levers) == sorted(names)
    rate = sum(levers[name] * rates[key] for name, key in zip(names, rates, strict=True))
    assert seen["arm.ram.v"] == pytest.approx(rate, rel=1e-13)
