"""Small parts for the tests of machine files, and the shelf that holds them."""

from collections.abc import Mapping
from typing import Any, Literal

from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import (
    Declared,
    Input,
    Named,
    Output,
    Part,
    State,
    ingredient,
    ingredients,
    parameter,
    structure,
)
from oleodyn.mechanics.port import LinePort
from oleodyn.simulation.path import Steps, Table
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.signal import Constant, Function, Sum
from oleodyn.simulation.wave import Sine
from oleodyn.units import cm3, degC


class Oil(Declared):
    """Oil."""

    rho: float = parameter("kg/m³", "density", above=0, default=870.0)
    temp: float = parameter("K", "temperature", above=0, default=degC(40.0))
    K: float = parameter("Pa", "bulk modulus", above=0, default=1.5e9)
    cavitation: bool = structure("the oil tears below its vapour pressure", default=True)


class Friction(Part):
    """Friction with a bristle."""

    F_c: float = parameter("N", "sliding force", above=0)
    F_s: float = parameter("N", "break-away force", above=0, default=200.0)
    v_s: float | None = parameter("m/s", "Stribeck speed", above=0, default=None)

    z = State("m", "bristle deflection")

    def check(self):
        from oleodyn.errors import DeclarationError

        if self.F_s < self.F_c:
            raise DeclarationError(f"F_s = {self.F_s:g} N: must be at least F_c = {self.F_c:g} N")


class Cylinder(Part):
    """A cylinder."""

    A, B = HydraulicPort("head side"), HydraulicPort("rod side")
    rod = LinePort("along the rod")

    d_bore: float = parameter("m", "bore diameter", above=0)
    stroke: float = parameter("m", "stroke", above=0, default=0.5)
    dead: float = parameter("m³", "dead volume", above=0, default=50 * cm3)
    friction: Friction | None = ingredient("friction law", default=None)
    oil: Oil = ingredient("oil", default=Oil())

    F = Output("N", "force of the oil")


class Valve(Part):
    """A valve."""

    P, T = HydraulicPort("supply"), HydraulicPort("tank")
    A, B = HydraulicPort("work port A"), HydraulicPort("work port B")

    Q_nom: float = parameter("m³/s", "rated flow", above=0)
    overlap: float = parameter("-", "dead band", within=(0, 1), default=0.03)
    w: float = parameter("rad/s", "natural frequency", above=0, default=150.0)
    gain: float = parameter("m³/(s·V·√Pa)", "flow gain", default=2.138e-8)
    spool: Literal["closed", "open"] = structure("centre position", default="closed")
    ways: int = structure("number of ways", default=4)

    u = Input("-", "command", within=(-1, 1))
    x = State("-", "spool position")


class Pump(Part):
    """A pump."""

    P = HydraulicPort("outlet")

    D: float = parameter("m³/rad", "displacement", above=0)
    slow: float = parameter("-", "reserve", below=1, default=0.0)

    n = Input("rad/s", "speed")


class Body(Declared):
    """A body."""

    m: float = parameter("kg", "mass", above=0)
    r: tuple[float, ...] = parameter("m", "centre of mass", shape=(3,), default=(0.0, 0.0, 0.0))
    I: tuple[tuple[float, ...], ...] = parameter(
        "kg·m²", "inertia", shape=(3, 3), default=((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))
    )
    axis: tuple[float, ...] = parameter("-", "axis", shape=(3,), default=(0.0, 0.0, 1.0))


class Arm(Part):
    """An arm of bodies."""

    gravity: tuple[float, ...] = parameter("m/s²", "gravity", shape=(3,), default=(0.0, 0.0, -9.81))
    bodies: Mapping[str, Body] = ingredients("bodies by name")
    stations: tuple[float, ...] = parameter("m", "stations", shape=(None,), default=())
    path: tuple[tuple[float, ...], ...] = parameter("m", "way-points", shape=(None, 3), default=((0.0, 0.0, 0.0),))
    anything: Any = structure("any plain value", default=None)
    label: str = structure("label", default="")
    flags: Mapping[str, Any] = structure("flags", default=Named({}))

    def ingredients(self):
        return {}


def iso_vg_32() -> Oil:
    return Oil(rho=857.0)


CLASSES = (Oil, Friction, Cylinder, Valve, Pump, Body, Arm, Scenario, Constant, Steps, Table, Sine, Sum, Function)
SHELF: dict[str, Any] = {class_.__name__: class_ for class_ in CLASSES}
SHELF |= {"iso_vg_46": Oil(rho=865.0), "iso_vg_32": iso_vg_32}
