"""Binding: a twin has a value in place of everything that its part declares."""

import casadi as ca
import pytest

from oleodyn.equations.bind import bind
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Declaration, Input, Part, State, Terms, ingredient, ingredients, parameter
from oleodyn.mechanics.port import FramePort, LinePort


class Law(Part):
    c: float = parameter("N", "a force")
    z = State("m", "a deflection")


class Whole(Part):
    A = HydraulicPort("oil")
    tip = FramePort("tip")
    d: float = parameter("m", "a width")
    axis: tuple = parameter("-", "a direction", shape=(3,), default=(0, 0, 1))
    gap: float | None = parameter("m", "a gap, or none", default=None)
    law: Law | None = ingredient("a law", default=None)
    others: dict = ingredients("more laws")
    u = Input("-", "a command")
    held = State("-", "a sample", sampled=True)


class Moving(Part):
    def declaration(self):
        position = {f"joint.q_{i}": State("-", "part of a quaternion") for i in range(4)}
        speeds = {f"joint.w_{i}": State("rad/s", "a speed") for i in "xyz"}
        ports = dict(law=LinePort("named like a method"), far=LinePort("free"), equations=LinePort("a method"))
        return Declaration(ports=ports, coordinates=position, speeds=speeds, constraints=dict(loop=2))

    def equations(self):
        return Terms()


def recorded(part, path="lift"):
    calls = []

    def make(role, path, declared):
        calls.append((role, path))
        if role == "parameter":
            return None
        shape = getattr(declared, "shape", ())
        return ca.SX.sym(path, *shape) if shape else ca.SX.sym(path)

    return bind(part, path, make), calls


def test_every_declaration_is_asked_for_once_by_role_and_path():
    _, calls = recorded(Whole(d=1.0, law=Law(c=2.0), others=dict(a=Law(c=3.0))))
    assert set(calls) == {
        ("parameter", "lift.d"), ("parameter", "lift.axis"), ("input", "lift.u"), ("sampled", "lift.held"),
        ("time", "t"), ("parameter", "lift.law.c"), ("state", "lift.law.z"),
        ("parameter", "lift.others.a.c"), ("state", "lift.others.a.z"),
        ("across", "lift.A.p"), ("through", "lift.A.Q"), ("across", "lift.tip.r"), ("across", "lift.tip.R"),
        ("across", "lift.tip.v"), ("across", "lift.tip.w"), ("through", "lift.tip.F"), ("through", "lift.tip.tau"),
    }  # fmt: skip
    assert len([call for call in calls if call[0] != "time"]) == len(set(calls)) - 1


def test_a_twin_reads_like_its_part():
    twin, _ = recorded(Whole(d=1.0, law=Law(c=2.0), others=dict(a=Law(c=3.0))))
    assert isinstance(twin, Whole)
    assert (twin.d, twin.axis, twin.gap, twin.law.c) == (1.0, (0.0, 0.0, 1.0), None, 2.0)
    assert str(twin.law.z) == "lift.law.z"
    assert str(twin.others["a"].z) == "lift.others.a.z"
    assert str(twin.A.p) == str(twin.port("A").p) == "lift.A.p"
    assert [len(row) for row in twin.tip.R] == [3, 3, 3]
    assert str(twin.tip.R[2][0]) == "lift.tip.R_2"  # column by column


def test_parameters_may_become_symbols():
    twin = bind(Whole(d=1.0), "", lambda role, path, declared: ca.SX.sym(path) if path == "d" else None)
    assert isinstance(twin.d, ca.SX)
    assert twin.axis == (0.0, 0.0, 1.0)


def test_coordinates_and_multipliers_come_as_lists():
    twin, calls = recorded(Moving(), "arm")
    assert [str(q) for q in twin.q] == [f"arm.joint.q_{i}" for i in range(4)]
    assert [len(x) for x in (twin.v, twin.a, twin.lam["loop"])] == [3, 3, 2]
    assert ("acceleration", "arm.joint.w_x") in calls
    assert ("multiplier", "arm.loop.1") in calls


def test_a_port_never_hides_a_method():
    twin, _ = recorded(Moving(), "arm")
    assert isinstance(twin.equations(), Terms)
    assert str(twin.port("equations").s) == "arm.equations.s"
    assert str(twin.far.v) == "arm.far.v"


def test_an_unknown_quantity_or_port_is_named_with_what_there_is():
    twin, _ = recorded(Whole(d=1.0))
    with pytest.raises(AttributeError, match=r"port lift.A has no 'P' here. It has p, Q"):
        _ = twin.A.P
    with pytest.raises(AttributeError, match=r"lift has no port 'a'"):
        twin.port("a")
