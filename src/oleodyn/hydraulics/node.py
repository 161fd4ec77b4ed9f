"""Nodes: volumes of oil where ports meet, and the plug that closes a port."""

from typing import Any

from oleodyn.fluids.oil import Oil
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Part, Terms, ingredient, parameter
from oleodyn.units import cm3


def known(**values: Any) -> dict[str, Any]:
    """Those of the values that are given.

    >>> known(A=1e5, B=None)
    {'A': 100000.0}
    """
    return {name: value for name, value in values.items() if value is not None}


class Volume(Part):
    """Oil at rest in a block, a pipe or a vessel: it makes the pressure where it is connected.

    Equations   C = V (1/K_oil + 1/K_wall),   C ṗ = flow into the volume
    Assumes     one pressure in the whole volume.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 3: continuity.
    """

    passive = True

    port = HydraulicPort("the volume")

    volume: float = parameter("m³", "volume of oil", above=0)
    K_wall: float | None = parameter("Pa", "bulk modulus of the wall; none: rigid", above=0, default=None)
    p_0: float | None = parameter("Pa", "pressure at the start", within=(0, float("inf")), default=None)
    oil: Oil = ingredient("what is inside", default=Oil())

    def equations(self) -> Terms:
        return Terms(
            into=dict(port=0.0),
            store=dict(port=self.oil.capacity(self.volume, self.port.p, self.K_wall)),
            start=known(port=self.p_0),
            clamp=self.oil.bounds("port"),
        )


class Plug(Part):
    """A plug: closes a port. The oil of the bore behind it makes the pressure there.

    Equations   Q = 0,   C = V / K_oil
    References  [1] ISO 1219-1 (2012): plugged connection.
    """

    passive = True

    port = HydraulicPort("the closed port")

    volume: float = parameter("m³", "oil in the bore", above=0, default=10 * cm3)
    oil: Oil = ingredient("what is inside", default=Oil())

    def equations(self) -> Terms:
        return Terms(
            into=dict(port=0.0),
            store=dict(port=self.oil.capacity(self.volume, self.port.p)),
            clamp=self.oil.bounds("port"),
        )
