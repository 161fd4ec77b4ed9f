"""Oils by name: what is in the tank.

Viscosity classes after ISO 3448, at 40 °C; densities after Shell's data sheet of Tellus S2 M, at
15 °C; bulk modulus 1.5 GPa, Merritt (1967) ch. 1, 220 000 psi for petroleum oils, rounded down.
"""

from oleodyn.fluids.oil import Oil
from oleodyn.units import GPa, cSt

OILS = {
    "ISO VG 32": Oil(nu=32 * cSt, rho=875.0, K=1.5 * GPa),
    "ISO VG 46": Oil(nu=46 * cSt, rho=879.0, K=1.5 * GPa),
    "ISO VG 68": Oil(nu=68 * cSt, rho=886.0, K=1.5 * GPa),
    # Jaiswal (2021) LUT Acta 981, table 1: the studies reproduce it without cavitation
    "four-bar": Oil(rho=850.0, K=1.5 * GPa, cavitation=False),
    # Kim, Lee & Kim (2021) IEEE Access 9: effective modulus with hoses; tank and vapour at zero
    "pipe-cutter": Oil(K=1.4 * GPa, p_vapour=0.0),
    # Petrović & Mattila (2022) Mech. Mach. Theory 104680: effective modulus with hoses
    "crane": Oil(K=1.2 * GPa),
}
