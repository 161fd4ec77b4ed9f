"""Oils by name: what is in the tank. In a machine file: `oil: ISO_VG_46`, or `{type: ISO_VG_46, air: 0.5 %}`.

Viscosity classes after ISO 3448, at 40 °C; densities after Shell's data sheet of Tellus S2 M, at
15 °C; bulk modulus 1.5 GPa, Merritt (1967) ch. 1, 220 000 psi for petroleum oils, rounded down.
"""

from oleodyn.fluids.oil import Oil
from oleodyn.units import GPa, cSt

ISO_VG_32 = Oil(nu=32 * cSt, rho=875.0, K=1.5 * GPa)
ISO_VG_46 = Oil(nu=46 * cSt, rho=879.0, K=1.5 * GPa)
ISO_VG_68 = Oil(nu=68 * cSt, rho=886.0, K=1.5 * GPa)
