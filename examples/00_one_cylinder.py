"""One cylinder, twice: as plain equations, and as parts.

A valve lets oil into a cylinder that pushes a mass against a load. `by_hand` writes down what happens,
in forty lines that use nothing of oleodyn, and steps it with the classical Runge-Kutta method.
`by_parts` bolts the same machine together from parts of the shelf. Both give the same numbers, to the
last few bits; what the parts add is names, units, checks, an energy account, exact derivatives for
implicit steppers, and machine code that takes a fortieth of the time.
"""

import math
import time

import numpy as np

import oleodyn as od
from oleodyn.fluids.oil import Oil
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import ProportionalValve43
from oleodyn.hydraulics.supply import ConstantPressure
from oleodyn.hydraulics.tank import Tank
from oleodyn.mechanics.inertia import Mass
from oleodyn.mechanics.source import ForceSource
from oleodyn.result.plots import PALETTE, STYLE
from oleodyn.simulation.path import Steps

DT, UNTIL, EVERY = 2e-4, 1.5, 10
TIMES, COMMANDS = (0.1, 0.7, 1.0), (0.2, 0.0, -0.1)
LOAD = -6e3  # N
P_S, P_T = 180e5, 1e5  # Pa, absolute
Q_NOM, DP_NOM, DP_LAM = 40 / 60e3, 5e5, 0.1e5  # flow of one edge at its rated drop; where the root turns round
W, ZETA = 150.0, 0.8  # the spool
D_BORE, D_ROD, STROKE, V_DEAD = 0.050, 0.028, 0.500, 50e-6
K, DRAG, MASS = 1.5e9, 2e3, 250.0


def by_hand():
    """Times, and rows of (position, speed, p_A, p_B, spool, spool speed)."""
    area_A = math.pi * D_BORE**2 / 4
    area_B = area_A - math.pi * D_ROD**2 / 4

    def edge(dp, opening):
        return Q_NOM / DP_NOM**0.5 * opening * dp / (dp**2 + DP_LAM**2) ** 0.25

    def rates(y, u):
        s, v, p_A, p_B, x, x_dot = y
        if x >= 0:  # P→A and B→T
            Q_A, Q_B = edge(P_S - p_A, x), -edge(p_B - P_T, x)
        else:  # P→B and A→T
            Q_A, Q_B = -edge(p_A - P_T, -x), edge(P_S - p_B, -x)
        F = p_A * area_A - p_B * area_B - DRAG * v
        return np.array([
            v,
            (F + LOAD) / MASS,
            K / (V_DEAD + area_A * s) * (Q_A - area_A * v),
            K / (V_DEAD + area_B * (STROKE - s)) * (Q_B + area_B * v),
            x_dot,
            W**2 * (u - x) - 2 * ZETA * W * x_dot,
        ])  # fmt: skip

    y = np.array([0.1, 0.0, 72e5, 60e5, 0.0, 0.0])
    times, rows = [0.0], [y]
    for k in range(round(UNTIL / DT)):
        u = (0.0, *COMMANDS)[sum(k * DT >= t - DT / 2 for t in TIMES)]
        k1 = rates(y, u)
        k2 = rates(y + DT / 2 * k1, u)
        k3 = rates(y + DT / 2 * k2, u)
        k4 = rates(y + DT * k3, u)
        y = y + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if (k + 1) % EVERY == 0:
            times.append((k + 1) * DT)
            rows.append(y)
    return np.array(times), np.array(rows)


def by_parts():
    """The same machine from parts, as a Result."""
    press = od.Machine("one-cylinder", start={"mass.rod.s": 0.1})
    press.add("supply", ConstantPressure(p=P_S))
    press.add("tank", Tank(p=P_T))
    press.add("valve", ProportionalValve43(Q_nom=Q_NOM, dp_nom=DP_NOM, overlap=0.0))
    press.add(
        "ram",
        Cylinder(
            d_bore=D_BORE, d_rod=D_ROD, stroke=STROKE, length_0=0.0, V_A_dead=V_DEAD, V_B_dead=V_DEAD,
            p_A_0=72e5, p_B_0=60e5, oil=Oil(K=K), friction=Viscous(c=DRAG), stop=None,
        ),
    )  # fmt: skip
    press.add("mass", Mass(m=MASS))
    press.add("load", ForceSource())
    press.connect("supply.port", "valve.P")
    press.connect("tank.port", "valve.T")
    press.connect("valve.A", "ram.A")
    press.connect("valve.B", "ram.B")
    press.connect("ram.rod", "mass.rod", "load.rod")
    inputs = {"valve.u": Steps(times=TIMES, values=COMMANDS), "load.F": LOAD}
    return od.simulate(press, until=UNTIL, dt=DT, stepper=od.RK4(), inputs=inputs, every=EVERY)


def main():
    """Position and pressures, by hand and by parts."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    begin = time.perf_counter()
    t, rows = by_hand()
    spent = time.perf_counter() - begin
    result = by_parts()
    apart = np.abs(result.values("mass.rod.s") - rows[:, 0]).max()
    print(f"largest difference of the position: {apart:.1e} m")
    print(f"by hand {1e6 * spent / (UNTIL / DT):.0f} µs a step, by parts {result.timing['us_per_step']:.2f} µs")
    with rc_context(STYLE):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        above.plot(result.time, 1e3 * result.values("mass.rod.s"), color=PALETTE[0], label="by parts")
        above.plot(t[::10], 1e3 * rows[::10, 0], ".", color=PALETTE[1], label="by hand")
        above.set_ylabel("position [mm]")
        above.legend()
        for i, name in ((2, "A"), (3, "B")):
            below.plot(result.time, result.values(f"ram.{name}.p") / 1e5, color=PALETTE[i], label=f"p {name}")
            below.plot(t[::10], rows[::10, i] / 1e5, ".", color=PALETTE[1])
        below.set_ylabel("pressure [bar]")
        below.set_xlabel("time [s]")
        below.legend()
    return figure


if __name__ == "__main__":
    main().savefig("00_one_cylinder.svg")
