"""The hydraulic port: one pressure, one flow."""

from typing import ClassVar

from oleodyn.fluids.oil import ATMOSPHERE
from oleodyn.machine.port import Port, Quantity


class HydraulicPort(Port):
    """Where oil crosses: pressure p is shared, flow Q is counted into the part; power p Q.

    Where no part gives a start, oil starts at 1 atm.
    """

    across: ClassVar = {"p": Quantity("Pa", "absolute pressure")}
    through: ClassVar = {"Q": Quantity("m³/s", "flow into the part")}
    rate: ClassVar = {"Q": "p"}
    stored: ClassVar = "p"
    kind: ClassVar = "pressure"
    rest: ClassVar = ATMOSPHERE
