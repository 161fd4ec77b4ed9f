"""Which part has which symbol: by the name of its class, or of the nearest class it descends from."""

from collections.abc import Callable, Sequence

from oleodyn.result.circuit.actuators import cylinder, motor, plunger, prime_mover, pump, rotary_actuator, supply, tank
from oleodyn.result.circuit.lines import (
    TOP,
    accumulator,
    hanging_hose,
    hose,
    orifice,
    pipe,
    plug,
    resistance,
    strainer,
    throttle,
    volume,
)
from oleodyn.result.circuit.symbol import Symbol
from oleodyn.result.circuit.valves import (
    blocked,
    check,
    compensator,
    counterbalance,
    open_centre,
    reducing,
    relief,
    shuttle,
    valve43,
)

SYMBOLS: dict[str, Callable[[], Symbol]] = {
    "ProportionalValve43": lambda: valve43(blocked()),
    "OpenCentreValve43": lambda: valve43(open_centre()),
    "VoltageValve43": lambda: valve43(blocked()),
    "ServoValve43": lambda: valve43(blocked(), servo=True),
    "HoseValve43": lambda: valve43(blocked()),
    "ReliefValve": relief,
    "ReducingValve": reducing,
    "PressureCompensator": compensator,
    "CounterbalanceValve": counterbalance,
    "CheckValve": check,
    "PilotedCheckValve": lambda: check(pilot=True),
    "MakeUpValve": lambda: check("T", "A"),
    "ShuttleValve": shuttle,
    "Cylinder": cylinder,
    "RestrictedCylinder": cylinder,
    "Plunger": plunger,
    "GearMotor": motor,
    "RestrictedMotor": motor,
    "ScrewMotor": lambda: motor("rod"),
    "RotaryActuator": rotary_actuator,
    "FixedPump": pump,
    "VariablePump": lambda: pump(adjustable=True),
    "PressurePump": lambda: pump(adjustable=True, regulated=True),
    "LoadSensingPump": lambda: pump(adjustable=True),
    "FlowSource": lambda: pump(shaft=False),
    "PrimeMover": prime_mover,
    "ConstantPressure": supply,
    "LoadSensingSupply": lambda: supply("P"),
    "Tank": tank,
    "Throttle": throttle,
    "VariableThrottle": lambda: throttle(adjustable=True),
    "Orifice": orifice,
    "Resistance": resistance,
    "Filter": strainer,
    "InertialHose": hose,
    "Pipe": pipe,
    "Hose": hanging_hose,
    "Accumulator": accumulator,
    "Volume": volume,
    "Plug": plug,
}
"""class → how its symbol is made; all other parts are boxes"""

SERIAL = "Hose"
"""A line of one port, which may be drawn between what meets there."""


def symbol_of(lineage: Sequence[str]) -> Symbol | None:
    """The symbol of a part whose classes have these names, its own first; None for a box.

    >>> symbol_of(("MyCylinder", "Cylinder", "Part", "object")).role
    'actuator'
    >>> symbol_of(("PID", "Part", "object"))
    """
    return next((SYMBOLS[name]() for name in lineage if name in SYMBOLS), None)


def hose_between() -> Symbol:
    """A hose of one port, drawn with both its ends."""
    return hose("port", f"port{TOP}")
