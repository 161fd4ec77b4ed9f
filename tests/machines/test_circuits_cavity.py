"""Oil that tears: below vapour pressure a cavity opens, and closes again when its volume of oil is back."""

import numpy as np
import pytest

from oleodyn.fluids.oil import Oil
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.node import Plug, Volume
from oleodyn.hydraulics.orifice import Orifice
from oleodyn.hydraulics.supply import ConstantPressure, FlowSource
from oleodyn.hydraulics.tank import Tank
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.inertia import Mass
from oleodyn.mechanics.source import ForceSource
from oleodyn.simulation.path import Steps
from oleodyn.simulation.run import simulate
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.simulation.wave import Sine
from oleodyn.units import bar, cm3, litre, mm

SECTION = "Cavities"
K, P_V = 1.5e9, 100.0
STEPPERS = pytest.mark.parametrize("stepper", [Trapezoidal(), HHT(), RK4()], ids=lambda stepper: stepper.name)


def made(name, parts, *connections):
    machine = Machine(name)
    for key, part in parts.items():
        machine.add(key, part)
    for ends in connections:
        machine.connect(*ends)
    return machine


@STEPPERS
def test_oil_sucked_out_of_a_vessel_and_given_back_brings_its_pressure_back(stepper, verification):
    Q, V, p_0 = 1e-4, 1 * litre, 10 * bar
    parts = dict(pump=FlowSource(Q_nom=Q), vessel=Volume(volume=V, p_0=p_0, oil=Oil(K=K, p_vapour=P_V)), tank=Tank())
    machine = made("vessel", parts, ("pump.P", "vessel.port"), ("pump.T", "tank.port"))
    there_and_back = Steps(before=-1.0, times=[1.0], values=[1.0])
    result = simulate(machine, until=2.0, dt=1e-3, stepper=stepper, inputs={"pump.u": there_and_back}, every=1)
    p, cavity = result.values("vessel.port.p"), result.values("vessel.port.cavity")
    expected = np.maximum(Q * np.minimum(result.time, 2.0 - result.time) - V / K * (p_0 - P_V), 0.0)
    assert p.min() == P_V
    assert p[-1] == pytest.approx(p_0, rel=1e-9)
    verification(
        SECTION, f"cavity in a vessel emptied steadily: {stepper.name}", "flow less what the oil gives",
        np.abs(cavity - expected).max(), 1e-9, unit="m³",
    )  # fmt: skip


@STEPPERS
def test_cavity_behind_a_piston_closes_where_it_opened(stepper, verification):
    """Whatever the motion: p = p_0 − K ln(V/V_0) while the oil is whole, and the cavity is what V is beyond p = p_v."""
    bore, V_dead, p_0 = 50 * mm, 0.1 * litre, 20 * bar
    ram = Cylinder(
        d_bore=bore, d_rod=28 * mm, stroke=0.5, length_0=1.0, V_A_dead=V_dead, V_B_dead=V_dead, p_A_0=p_0,
        p_B_0=1 * bar, oil=Oil(K=K, p_vapour=P_V), friction=Viscous(c=2e4),
    )  # fmt: skip
    parts = dict(ram=ram, load=Mass(m=200.0, s_0=1.2), pull=ForceSource(), tank=Tank(p=1 * bar), lock=Plug())
    machine = made("pulled", parts, ("ram.rod", "load.rod", "pull.rod"), ("ram.B", "tank.port"), ("ram.A", "lock.port"))
    pulling = Sine(offset=-3e3, amplitude=9e3, w=2 * np.pi)
    result = simulate(machine, until=2.0, dt=0.1e-3, stepper=stepper, inputs={"pull.F": pulling}, every=10)
    V = V_dead + 10 * cm3 + np.pi * bore**2 / 4 * result.values("ram.x")  # 10 cm³: the plug
    whole = p_0 - K * np.log(V / V[0])
    torn = np.maximum(V - V[0] * np.exp((p_0 - P_V) / K), 0.0)
    assert torn.max() > 1e-5
    assert (result.values("ram.A.p")[torn == 0] > P_V).all()
    rest = np.abs(result.values("ram.A.p") - np.maximum(whole, P_V)).max()
    verification(
        SECTION, f"pressure behind a piston pulled and pushed: {stepper.name}, 0.1 ms", "p₀ − K ln(V/V₀), or vapour",
        rest, 2e-3 * p_0, unit="Pa",
    )  # fmt: skip
    verification(
        SECTION, f"cavity behind a piston pulled and pushed: {stepper.name}, 0.1 ms", "V less V(p_v)",
        np.abs(result.values("ram.A.cavity") - torn).max(), 1e-4 * torn.max(), unit="m³",
    )  # fmt: skip


@pytest.mark.parametrize("p", [1.5 * bar, 3 * bar, 50 * bar, 200 * bar])
@pytest.mark.parametrize("C", [3e-7, 3e-6])
@pytest.mark.parametrize("stepper", [Trapezoidal(), HHT()], ids=lambda stepper: stepper.name)
def test_a_plug_behind_an_orifice_comes_to_the_pressure_before_it(stepper, C, p):
    """10 cm³ follow in a microsecond: at 1 ms a single linearisation would leap around √|Δp| = 0 without end."""
    parts = dict(supply=ConstantPressure(p=p), gap=Orifice(C=C), plug=Plug())
    result = simulate(
        made("plugged", parts, ("supply.port", "gap.A"), ("gap.B", "plug.port")),
        until=1.0,
        dt=1e-3,
        stepper=stepper,
        every=1,
    )
    settled = result.values("plug.port.p")[result.time > 0.5]
    assert settled.mean() == pytest.approx(p, rel=0.01)
    if stepper.name == "hht":  # the trapezoidal rule does not damp what is that fast
        assert np.ptp(settled) < 0.01 * p
