"""Lines: hoses and pipes, as a capacity or with the inertia and the friction of their oil."""

from oleodyn.fluids.oil import Oil
from oleodyn.hydraulics.node import Volume, known
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Part, Power, State, Terms, ingredient, parameter
from oleodyn.maths import clip, fabs, fmax, log, pi
from oleodyn.units import mm


def inertance(rho, length, area):
    """Pressure per rate of flow of an oil column [kg/m⁴]: ρ L / A.

    >>> f"{inertance(rho=870.0, length=4.0, area=1.27e-4):.4g}"  # 4 m of half-inch hose
    '2.74e+07'
    """
    return rho * length / area


def wall_modulus(E, thickness, d):
    """Bulk modulus of a thin-walled pipe [Pa]: E t / d.

    >>> wall_modulus(E=210e9, thickness=2e-3, d=20e-3)
    21000000000.0
    """
    return E * thickness / d


def friction_factor(Re, roughness):
    """Darcy friction factor of turbulent flow [-], Haaland's formula; held below Re = 2000.

    >>> round(friction_factor(Re=1e5, roughness=1e-4), 5)  # Colebrook: 0.01851
    0.01827
    """
    return 1 / (1.8 * log((roughness / 3.7) ** 1.11 + 6.9 / fmax(Re, 2000.0)) / log(10.0)) ** 2


def pipe_drop(Q, length, d, rho, nu, roughness=0.0):
    """Pressure drop along a round pipe [Pa]; laminar to Re = 2000, turbulent from 4000, blended between.

    >>> round(pipe_drop(Q=2e-4, length=1.0, d=0.02, rho=870.0, nu=46e-6), 1)  # 128 ρ ν L Q / π d⁴
    2038.2
    """
    area = pi * d**2 / 4
    Re = fabs(Q) * d / (area * nu)
    laminar = 128 * rho * nu * length * Q / (pi * d**4)
    turbulent = friction_factor(Re, roughness) * length / d * rho * Q * fabs(Q) / (2 * area**2)
    s = clip((Re - 2000.0) / 2000.0, 0.0, 1.0)
    share = s * s * (3 - 2 * s)
    return (1 - share) * laminar + share * turbulent


class Hose(Volume):
    """A hose seen as a capacity alone: short, or slow against the time of a wave in it.

    Equations   C = V (1/K_oil + 1/K_wall)
    Assumes     one pressure from end to end: all that it joins meets at its one port.
    References  [1] Jaiswal (2021) LUT Acta 981, eq. 2.35: hoses with a bulk modulus of their own.
    """

    K_wall: float = parameter("Pa", "bulk modulus of the wall", above=0, default=550e6)


class InertialHose(Part):
    """A hose with resistance, inertance and capacity (R-I-C), half the capacity at each end.

    Equations   I Q̇ = p_A − p_B − R Q − R_2 Q |Q|,   I = ρ L / area         from A to B
                C/2 at A and at B,   C = area L (1/K_oil + 1/K_wall)
    Limits      resonates at √2 / √(I C) with one end held, the other shut (a wave: π/2 / √(I C)).
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 3: lumped lines.
    """

    passive = True

    A, B = HydraulicPort("one end"), HydraulicPort("other end")

    length: float = parameter("m", "length", above=0)
    d: float = parameter("m", "inner diameter", above=0)
    R: float = parameter("Pa·s/m³", "laminar resistance", within=(0, float("inf")), default=0.0)
    R_2: float = parameter("Pa·s²/m⁶", "turbulent resistance", within=(0, float("inf")), default=0.0)
    K_wall: float = parameter("Pa", "bulk modulus of the wall", above=0, default=550e6)
    p_0: float | None = parameter("Pa", "pressure at the start", within=(0, float("inf")), default=None)
    oil: Oil = ingredient("what is inside", default=Oil())

    Q = State("m³/s", "flow from A to B", kind="flow", nominal=1e-3)

    def equations(self) -> Terms:
        area = pi * self.d**2 / 4
        I = inertance(self.oil.rho, self.length, area)
        drop = self.R * self.Q + self.R_2 * self.Q * fabs(self.Q)
        return column(self, I, drop, area * self.length / 2)


class Pipe(Part):
    """A round pipe: friction from its size and the oil, with the inertia of the column.

    Equations   I Q̇ = p_A − p_B − λ(Re) L/d ρ Q |Q| / (2 area²),   Re = |Q| d / (area ν)
                λ = 64/Re to Re = 2000, Haaland's from 4000 on, drops blended between
                C/2 at A and at B,   C = area L (1/K_oil + 1/K_wall)
    References  [1] Haaland (1983) J. Fluids Eng. 105(1) 89-90: friction factor.
                [2] Merritt (1967) Hydraulic Control Systems, ch. 3.
    """

    passive = True

    A, B = HydraulicPort("one end"), HydraulicPort("other end")

    length: float = parameter("m", "length", above=0)
    d: float = parameter("m", "inner diameter", above=0)
    roughness: float = parameter("m", "height of the wall's roughness", within=(0, 0.01), default=0.01 * mm)
    K_wall: float | None = parameter("Pa", "bulk modulus of the wall; none: rigid", above=0, default=None)
    p_0: float | None = parameter("Pa", "pressure at the start", within=(0, float("inf")), default=None)
    oil: Oil = ingredient("what is inside", default=Oil())

    Q = State("m³/s", "flow from A to B", kind="flow", nominal=1e-3)

    def equations(self) -> Terms:
        area = pi * self.d**2 / 4
        I = inertance(self.oil.rho, self.length, area)
        drop = pipe_drop(self.Q, self.length, self.d, self.oil.rho, self.oil.nu, self.roughness / self.d)
        return column(self, I, drop, area * self.length / 2)


def column(line: InertialHose | Pipe, I, drop, V_end) -> Terms:
    """The terms of an oil column with half its volume at each end."""
    A, B, Q = line.A.p, line.B.p, line.Q
    return Terms(
        der=dict(Q=(A - B - drop) / I),
        into=dict(A=Q, B=-Q),
        store={port: line.oil.capacity(V_end, p, line.K_wall) for port, p in dict(A=A, B=B).items()},
        start=known(A=line.p_0, B=line.p_0),
        clamp=line.oil.bounds("A", "B"),
        power=Power(lost=dict(friction=drop * Q)),
        energy=dict(column=I * Q**2 / 2),
    )
