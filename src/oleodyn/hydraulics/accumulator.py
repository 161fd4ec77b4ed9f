"""Accumulators: gas behind a bladder takes oil in under pressure."""

from oleodyn.fluids.oil import Oil
from oleodyn.hydraulics.node import known
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Output, Part, Terms, ingredient, parameter
from oleodyn.maths import clip, fmax
from oleodyn.units import cm3


def gas_volume(p, p_pre, V_gas, n):
    """Volume of the gas at a pressure [m³]: V_gas (p_pre / p)^(1/n), all of it below the precharge.

    >>> round(gas_volume(p=200e5, p_pre=100e5, V_gas=10e-3, n=1.4) * 1e3, 4)
    6.0951
    """
    return V_gas * (p_pre / fmax(p, p_pre)) ** (1 / n)


def gas_capacity(p, p_pre, V_gas, n, band=0.01):
    """Oil that the gas makes room for per pascal [m³/Pa]: V/(n p) above the precharge, none below.

    It sets in over ±band of the precharge, so that the volume taken in is right above it.

    >>> f"{gas_capacity(p=200e5, p_pre=100e5, V_gas=10e-3, n=1.4):.4e}"
    '2.1768e-10'
    """
    s = clip((p / p_pre - 1 + band) / (2 * band), 0.0, 1.0)
    p = fmax(p, (1 - band) * p_pre)
    return s * s * (3 - 2 * s) * V_gas * (p_pre / p) ** (1 / n) / (n * p)


class Accumulator(Part):
    """Bladder or diaphragm accumulator.

    Equations   p V^n = p_pre V_gas^n,   C = V / (n p) for p > p_pre;   V_dead / K_oil below it
    Assumes     n = 1 slow and isothermal, 1.4 fast and adiabatic (nitrogen); no heat loss, no inertia
                of the oil, no throttle in the neck (add an Orifice).
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 9; ISO 1219-1 (2012).
    """

    passive = True

    port = HydraulicPort("oil side")

    V_gas: float = parameter("m³", "gas volume at precharge", above=0)
    p_pre: float = parameter("Pa", "precharge pressure", above=0)
    n: float = parameter("-", "polytropic exponent", within=(1, 1.7), default=1.4)
    V_dead: float = parameter("m³", "oil left in the neck when empty", above=0, default=50 * cm3)
    p_0: float | None = parameter("Pa", "pressure at the start", within=(0, float("inf")), default=None)
    oil: Oil = ingredient("what is in the neck", default=Oil())

    V = Output("m³", "oil taken in")

    def equations(self) -> Terms:
        p = self.port.p
        C = gas_capacity(p, self.p_pre, self.V_gas, self.n) + self.oil.capacity(self.V_dead, p)
        V = self.V_gas - gas_volume(p, self.p_pre, self.V_gas, self.n)
        return Terms(
            into=dict(port=0.0),
            store=dict(port=C),
            start=known(port=self.p_0),
            out=dict(V=V),
            clamp=self.oil.bounds("port"),
        )
