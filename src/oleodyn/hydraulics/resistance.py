"""Resistances with a laminar and a turbulent share: fittings, coolers, filters."""

from oleodyn.errors import DeclarationError
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.pressure_valve import opening
from oleodyn.machine.part import Output, Part, Power, Terms, parameter
from oleodyn.maths import fabs, sqrt
from oleodyn.units import bar


def resistance_flow(dp, R, R_2):
    """The flow that a drop drives through a linear and a quadratic resistance in series [m³/s].

    It solves dp = R Q + R_2 Q |Q| without a root of a number near zero.

    >>> Q = resistance_flow(dp=3.0e5, R=1.9e8, R_2=1e11)
    >>> round(1.9e8 * Q + 1e11 * Q**2, 6)
    300000.0
    """
    return 2 * dp / (R + sqrt(R * R + 4 * R_2 * fabs(dp)))


class Resistance(Part):
    """A resistance: laminar at small flow, turbulent at large.

    Equations   p_A − p_B = R Q + R_2 Q |Q|
    Limits      slope 1/R at rest.
    References  [1] Papadopoulos & Gonthier (2002), reduced model: the same pair in series.
    """

    passive = True

    A, B = HydraulicPort("one side"), HydraulicPort("other side")

    R: float = parameter("Pa·s/m³", "laminar resistance", above=0)
    R_2: float = parameter("Pa·s²/m⁶", "turbulent resistance", within=(0, float("inf")), default=0.0)

    Q = Output("m³/s", "flow from A to B")

    def equations(self) -> Terms:
        dp = self.A.p - self.B.p
        Q = resistance_flow(dp, self.R, self.R_2)
        return Terms(into=dict(A=Q, B=-Q), out=dict(Q=Q), power=Power(lost=dict(throttling=Q * dp)))


class Filter(Part):
    """A filter with a bypass valve.

    Equations   element:  p_A − p_B = R Q + R_2 Q |Q|,  drop dp_nom at Q_nom, `turbulent` of it quadratic
                bypass:   opens from dp_bypass on, takes Q_nom at 1.5 dp_bypass
    References  [1] ISO 3968 (2017): drop against flow of filters; ISO 1219-1 (2012): filter with bypass.
    """

    passive = True

    A, B = HydraulicPort("inlet"), HydraulicPort("outlet")

    Q_nom: float = parameter("m³/s", "rated flow", above=0)
    dp_nom: float = parameter("Pa", "drop over the element at Q_nom", above=0, default=0.5 * bar)
    turbulent: float = parameter("-", "quadratic share of dp_nom", within=(0, 0.95), default=0.2)
    dp_bypass: float = parameter("Pa", "drop at which the bypass opens", above=0, default=3.5 * bar)

    x = Output("-", "opening of the bypass, part of full")

    def check(self) -> None:
        if self.dp_bypass <= self.dp_nom:
            raise DeclarationError(
                f"Filter.dp_bypass = {self.dp_bypass:g} Pa: must be above dp_nom = {self.dp_nom:g} Pa, "
                "or the bypass is open at rated flow"
            )

    def equations(self) -> Terms:
        dp = self.A.p - self.B.p
        R = (1 - self.turbulent) * self.dp_nom / self.Q_nom
        R_2 = self.turbulent * self.dp_nom / self.Q_nom**2
        x = opening(dp, self.dp_bypass, 0.5 * self.dp_bypass)
        Q_element = resistance_flow(dp, R, R_2)
        Q_bypass = self.Q_nom * x * dp / (1.5 * self.dp_bypass)
        return Terms(
            into=dict(A=Q_element + Q_bypass, B=-Q_element - Q_bypass),
            out=dict(x=x),
            power=Power(lost=dict(element=Q_element * dp, bypass=Q_bypass * dp)),
        )
