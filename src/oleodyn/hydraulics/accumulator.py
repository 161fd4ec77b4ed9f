"""Accumulators: gas behind a bladder takes oil in under pressure."""

from oleodyn.fluids.oil import Oil
from oleodyn.hydraulics.node import known
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Output, Part, Terms, ingredient, parameter
from oleodyn.maths import clip, fmax
from oleodyn.units import cm3


def gas_pressure(p, p_pre, band):
    """Pressure of the gas [Pa]: the oil's, but never below the precharge; over ±band of it the two part.

    >>> gas_pressure(p=50e5, p_pre=100e5, band=0.1), gas_pressure(p=120e5, p_pre=100e5, band=0.1)
    (10000000.0, 12000000.0)
    """
    s = _share(p, p_pre, band)
    return p_pre * (1 + band * s**3 * (2 - s)) + fmax(p - (1 + band) * p_pre, 0.0)


def gas_volume(p, p_pre, V_gas, n, band=0.1):
    """Volume of the gas at a pressure of the oil [m³]: V_gas (p_pre / p_gas)^(1/n).

    >>> round(gas_volume(p=200e5, p_pre=100e5, V_gas=10e-3, n=1.4) * 1e3, 4)
    6.0951
    """
    return V_gas * (p_pre / gas_pressure(p, p_pre, band)) ** (1 / n)


def gas_capacity(p, p_pre, V_gas, n, band=0.1):
    """Oil that the gas makes room for per pascal [m³/Pa]: −dV/dp = V/(n p) above the precharge, none below.

    >>> f"{gas_capacity(p=200e5, p_pre=100e5, V_gas=10e-3, n=1.4):.4e}"
    '2.1768e-10'
    """
    s = _share(p, p_pre, band)
    return s * s * (3 - 2 * s) * gas_volume(p, p_pre, V_gas, n, band) / (n * gas_pressure(p, p_pre, band))


def _share(p, p_pre, band):
    """How far the pressure is through the band, from 0 to 1."""
    return clip((p / p_pre - 1 + band) / (2 * band), 0.0, 1.0)


class Accumulator(Part):
    """Bladder or diaphragm accumulator.

    Equations   p V^n = p_pre V_gas^n,   C = V / (n p) for p > p_pre;   V_dead / K_oil below it
                the gas sets in over ±band of p_pre; above the band the volume taken in is exact
    Assumes     n = 1 slow and isothermal, 1.4 fast and adiabatic (nitrogen); no heat loss, no inertia
                of the oil, no throttle in the neck (add an Orifice).
    Step size   the capacity grows a thousandfold within the band: a step in which the pressure crosses
                much of it, Q h / C below it, takes in too much. A wider band or a smaller step helps.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 9; ISO 1219-1 (2012).
    """

    passive = True

    port = HydraulicPort("oil side")

    V_gas: float = parameter("m³", "gas volume at precharge", above=0)
    p_pre: float = parameter("Pa", "precharge pressure", above=0)
    n: float = parameter("-", "polytropic exponent", within=(1, 1.7), default=1.4)
    band: float = parameter(
        "-", "part of the precharge, to either side, over which the gas sets in", within=(1e-3, 0.5), default=0.1
    )
    V_dead: float = parameter("m³", "oil left in the neck when empty", above=0, default=50 * cm3)
    p_0: float | None = parameter("Pa", "pressure at the start", within=(0, float("inf")), default=None)
    oil: Oil = ingredient("what is in the neck", default=Oil())

    V = Output("m³", "oil taken in")

    def equations(self) -> Terms:
        p = self.port.p
        C = gas_capacity(p, self.p_pre, self.V_gas, self.n, self.band) + self.oil.capacity(self.V_dead, p)
        V = self.V_gas - gas_volume(p, self.p_pre, self.V_gas, self.n, self.band)
        return Terms(
            into=dict(port=0.0),
            store=dict(port=C),
            start=known(port=self.p_0),
            out=dict(V=V),
            clamp=self.oil.bounds("port"),
        )
