"""The tank: where oil comes from and goes back to."""

from oleodyn.fluids.oil import ATMOSPHERE
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Output, Part, Power, Terms, parameter


class Tank(Part):
    """A tank, which holds its pressure whatever flows.

    Equations   p = const.;   power supplied = −p Q, Q into the tank
    References  [1] ISO 1219-1 (2012): reservoir.
    """

    port = HydraulicPort("return and suction")

    p: float = parameter("Pa", "pressure in the tank", within=(0, float("inf")), default=ATMOSPHERE)

    Q = Output("m³/s", "flow into the tank")

    def equations(self) -> Terms:
        Q = self.port.Q
        return Terms(hold=dict(port=self.p), out=dict(Q=Q), power=Power(supplied=dict(tank=-self.p * Q)))
