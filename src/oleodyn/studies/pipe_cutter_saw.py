"""The saw of the pipe cutter against exact integrals, and the arm at rest before the cut."""

from collections.abc import Iterator

import numpy as np

from oleodyn.catalogue.pipe_cutter import machine
from oleodyn.catalogue.pipe_cutter_drives import SAW
from oleodyn.catalogue.pipe_cutter_tasks import CUT, begins, gravity, holding_currents, loaded_pressures, loaded_start
from oleodyn.contact.saw import cutting_stiffness
from oleodyn.equations.assemble import assemble
from oleodyn.equations.bind import bind
from oleodyn.machine.part import Terms
from oleodyn.maths import pi
from oleodyn.program.compile import compile
from oleodyn.program.kernels import Stepper
from oleodyn.result.content import Check
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.studies.pipe_cutter_laws import deviation
from oleodyn.studies.pipe_cutter_runs import within
from oleodyn.units import bar, deg, mA

IDENTITIES = (  # distance [m], half-angles outside and inside [deg], mean power [W]
    (0.175, 5.8670, 0.0, 85.04),
    (0.165, 9.4729, 7.2888, 31.37),
    (0.150, 11.4783, 9.5604, 27.38),
    (0.125, 6.9431, 0.0, 100.57),
)
SAMPLES = 200_000
"""Instants in a tooth pitch over which a force that jumps is averaged."""


def held(d: float, t: np.ndarray, turns: int = 0) -> Terms:
    """The saw at distance d in front of the pipe, at instants t, turned by whole turns more."""
    r = (0.0, SAW.r_pipe[1] - d, SAW.r_pipe[2])
    across = {
        "r": r,
        "v": (0.0, 0.0, 0.0),
        "w": (0.0, 0.0, 0.0),
        "R": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    }

    def make(role: str, path: str, declared: object) -> object:
        del declared
        return {"time": t + turns * 2 * pi / SAW.w, "across": across.get(path.split(".")[-1])}.get(role)

    return bind(SAW, "saw", make).equations()


def pitch() -> np.ndarray:
    """Instants over one tooth pitch."""
    return (np.arange(SAMPLES) + 0.5) * (2 * pi / (SAW.w * SAW.teeth) / SAMPLES)


def identities() -> Iterator[Check]:
    """Mean power and force over a tooth pitch, where there is none, and the energy of the cut."""
    t = pitch()
    for d, theta_out, theta_in, power in IDENTITIES:
        terms = held(d, t)
        angles = terms.out["theta_out"] / deg, terms.out["theta_in"] / deg
        yield deviation(f"saw at {1e3 * d:g} mm: angles", angles, (theta_out, theta_in), 1e-4, "deg")
        mean = float(np.mean(terms.power.supplied["spindle"]))
        yield Check(f"saw at {1e3 * d:g} mm: mean power", power, mean, "W", bool(abs(mean - power) < 0.02))
        lean = float(np.mean(terms.out["F_y"]) / np.mean(terms.out["F_z"]))
        yield Check(f"saw at {1e3 * d:g} mm: mean F_y over F_z", 0.57735, lean, "-", within(lean, 0.57735, 2e-4))
    F = held(0.175, t).out
    yield deviation("saw at 175 mm: mean force", (np.mean(F["F_y"]), np.mean(F["F_z"])), (-104.0, -180.2), 0.05, "N")
    off = max(float(np.abs(held(d, t).out["F_z"]).max()) for d in (0.1801, 0.3, 0.1199, 0.05))
    yield Check("force before the first and after the last touch", 0, off, "N", off == 0)
    again = float(np.abs(held(0.15, t[::100], turns=1000).out["F_z"] - held(0.15, t[::100]).out["F_z"]).max())
    yield Check("the same a thousand turns later, to", "≤ 1e-06", again, "N", bool(again <= 1e-6))
    yield Check("energy of a whole cut, closed form", 11979, cut_energy(), "J", within(cut_energy(), 11979, 1e-4))


def cut_energy() -> float:
    """k_t W π (r_o² − r_i²), whatever the saw."""
    k_t, _ = cutting_stiffness(SAW.tau_s, SAW.phi_s, SAW.beta_f, SAW.alpha_r)
    return float(k_t * SAW.width * pi * (SAW.r_o**2 - SAW.r_i**2))


STEPPERS: tuple[tuple[str, Stepper], ...] = (
    ("RK4", RK4()),
    ("AB3", AdamsBashforth3()),
    ("HHT coupled", HHT()),
    ("HHT partitioned", PartitionedHHT()),
    ("trapezoidal", Trapezoidal()),
)


def rest() -> Iterator[Check]:
    """The loads at the start of the cut, the currents that hold them, and 10 s of standing still."""
    q = begins(CUT)
    expected = (0, 0, 1687.382, 480.632, -22.664, -5.595)
    yield deviation("start of the cut: gravity torques", gravity(q), expected, 2e-3, "N·m")
    start = loaded_pressures(q)
    for i, drop in ((3, 9.846), (4, 2.805)):
        found = (start[f"motor_{i}.A.p"] - start[f"motor_{i}.B.p"]) / bar
        yield Check(f"start of the cut: pressure drop of joint {i}", drop, found, "bar", within(found, drop, 2e-4))
    u_0 = np.array(holding_currents(q))
    expected = (0, 0, 0.071349, 0.033048, -0.015429, -0.005973)
    yield deviation("start of the cut: holding currents", u_0 / mA, expected, 1e-6, "mA")
    equations = assemble(machine(controlled=False, saw=False))
    for name, stepper in STEPPERS:
        program = compile(equations, stepper, record=[], account=False)
        inputs = {f"valve_{i}.i": float(u) for i, u in enumerate(u_0, start=1)}
        state = program.start(**loaded_start(q, controlled=False))
        rows = run(program, until=10.0, dt=0.2e-3, inputs=inputs, state=state, every=100)
        moved = max(float(np.ptp(rows.values(f"arm.joint_{i}.q"))) for i in range(1, 7))
        yield Check(f"10 s at rest moves a joint by, {name}", "≤ 1e-12", moved, "rad", bool(moved <= 1e-12))
