"""Oil: how it yields to pressure, what it weighs, how thick it is."""

from math import inf

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Part, parameter, structure
from oleodyn.maths import fmax
from oleodyn.units import cSt

ATMOSPHERE = 101325.0
"""Pa, where the share of free air is counted"""


def compressibility(p, K, air=0.0, n=1.4, p_low=1000.0):
    """Relative change of volume with pressure of oil with free air in it [1/Pa].

    `air` is the volume of free air per volume of oil at 1 atm. Below p_low it stays as it is there.

    >>> K_eff = 1 / compressibility(p=10 * 101325.0, K=1.5e9, air=0.01, n=1.0)
    >>> round(K_eff / 1e6, 3)  # at 10 atm 1 % of air takes away more than half
    605.35
    """
    p = fmax(p, p_low)
    share = air * (ATMOSPHERE / p) ** (1 / n)
    return (1 / K + share / (n * p)) / (1 + share)


def capacity(V, K_oil, K_wall=None):
    """Oil that a volume takes in per pascal [m³/Pa]: V / K_oil, and V / K_wall where its wall gives way.

    >>> 4.71e-5 / capacity(V=4.71e-5, K_oil=1500e6, K_wall=550e6)  # effective bulk modulus of a hose
    402439024.3902439
    """
    return V / K_oil if K_wall is None else V * (1 / K_oil + 1 / K_wall)


class Oil(Part):
    """A hydraulic oil at its working temperature.

    Equations   1/K_eff = (1/K + φ/(n p)) / (1 + φ),   φ = air (1 atm / p)^(1/n)
                C = V (1/K_eff + 1/K_wall)               capacity that a volume offers where ports meet;
                Σ C = Σ V/K is the effective bulk modulus of hose, pipe and cylinder taken together
    Assumes     one temperature; ρ and ν do not depend on pressure; air stays free (nothing dissolves).
                With `cavitation` no pressure is below p_vapour: there a cavity opens, whose volume is an
                output of the node, and closes without delay when its oil is back.
    Step size   free air near vacuum changes the capacity by orders of magnitude within a step: what
                happens in such a step is known to its order only, in smaller steps better.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 1: bulk modulus with air and walls.
                [2] Gholizadeh, Burton & Schoenau (2011) Int. J. Fluid Power 12(3) 7-15: free air.
    """

    passive = True

    rho: float = parameter("kg/m³", "density", above=0, default=870.0)
    K: float = parameter("Pa", "bulk modulus of the oil alone", above=0, default=1.5e9)
    nu: float = parameter("m²/s", "kinematic viscosity", above=0, default=46 * cSt)
    p_vapour: float = parameter("Pa", "vapour pressure", within=(0, 1e5), default=100.0)
    cavitation: bool = structure("the oil tears below its vapour pressure instead of pulling", default=True)
    air: float = parameter("-", "free air per volume of oil at 1 atm", within=(0, 0.3), default=0.0)
    n: float = parameter("-", "polytropic exponent of the air", within=(1, 1.7), default=1.4)

    def check(self) -> None:
        if self.air and not self.cavitation:
            raise DeclarationError(
                f"Oil.air = {self.air:g} -: free air needs a pressure above zero; leave cavitation on, or take air = 0"
            )

    @property
    def mu(self):
        """Dynamic viscosity [Pa·s]."""
        return self.rho * self.nu

    def modulus(self, p):
        """Bulk modulus of the oil with its air at a pressure [Pa]."""
        return 1 / compressibility(p, self.K, self.air, self.n) if self.has_air() else self.K

    def capacity(self, V, p, K_wall=None):
        """What a volume of this oil offers to the point where it is [m³/Pa]."""
        return capacity(V, self.modulus(p), K_wall)

    def bounds(self, *ports: str) -> dict[str, tuple[float, float]]:
        """The floor of the pressure at these ports."""
        return dict.fromkeys(ports, (self.p_vapour, inf)) if self.cavitation else {}

    def has_air(self) -> bool:
        """False if the share of air is zero for good, so that its terms are left out."""
        return not (isinstance(self.air, float) and self.air == 0.0)
