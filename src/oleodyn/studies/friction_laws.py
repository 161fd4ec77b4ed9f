"""The friction laws side by side: through rest, held at rest, broken away."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from oleodyn.catalogue.valve_bench import machine
from oleodyn.equations.assemble import assemble
from oleodyn.errors import StepError
from oleodyn.friction.bengisu_akay import BengisuAkay
from oleodyn.friction.brown_mcphee import BrownMcPhee, brown_mcphee
from oleodyn.friction.lugre import LuGre
from oleodyn.friction.modified_lugre import ModifiedLuGre
from oleodyn.friction.rubbing import LineFriction
from oleodyn.friction.stribeck import ExponentialStribeck
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Part
from oleodyn.mechanics.inertia import Mass
from oleodyn.mechanics.source import ForceSource
from oleodyn.program.compile import compile
from oleodyn.program.kernels import Stepper
from oleodyn.result.content import Check
from oleodyn.result.result import Result
from oleodyn.simulation.path import Ramp
from oleodyn.simulation.run import run, simulate
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal

DRY: dict[str, Any] = {"F_c": 210.0, "F_s": 830.0, "v_s": 12.5e-3, "sigma_2": 330.0}
"""The seal of Jaiswal (2021), Publication II."""
BRISTLES = {"sigma_0": 7.35e6, "sigma_1": 1e3}
"""Its stiffness; little damping, so that sticking and slipping shows."""
FILM = {"v_b": 0.7, "tau_hp": 0.25, "tau_hn": 1.5, "tau_h0": 40.0}
DISCONTINUOUS = "Stribeck"
LAWS: dict[str, Part] = {
    DISCONTINUOUS: ExponentialStribeck(**DRY),
    "Bengisu-Akay": BengisuAkay(**DRY, xi=50.0),
    "Brown-McPhee": BrownMcPhee(**DRY),
    "LuGre": LuGre(**DRY, **BRISTLES),
    "modified LuGre": ModifiedLuGre(**DRY, **BRISTLES, **FILM, n=2.0),
}
HOLD = (1.7, 2.0)
"""While the valve is shut and the load stays [s]."""
LOAD = 500.0
"""What the seal alone must hold [N]: more than it takes sliding, less than what breaks it away."""


@dataclass(frozen=True)
class Passage:
    """One run of the bench's stroke: it starts from rest, stops, is held, and comes back."""

    law: str
    stepper: str
    steps: int
    iterations: float
    most: int
    accepted: int
    failed: float | None
    """when a step failed [s]; None if none did"""
    jumps: float
    """how often the friction changed by more than F_c in one step while the load was held [1/s]"""
    result: Result


def passages(dt: float = 1e-3) -> Iterator[Passage]:
    """Every law with the implicit steppers."""
    for stepper in (Trapezoidal(), HHT()):
        for name, law in LAWS.items():
            yield passage(name, law, stepper, dt)


def passage(name: str, law: Part, stepper: Stepper, dt: float) -> Passage:
    """One law, one stepper; a run that fails is kept as far as it came."""
    failed: float | None = None
    try:
        result: Any = simulate(machine(friction=law), scenario="stroke", dt=dt, stepper=stepper, every=1)
    except StepError as error:
        result, failed = error.result, error.time
    timing, held = result.timing, (result.time >= HOLD[0]) & (result.time < HOLD[1])
    jumped = np.count_nonzero(np.abs(np.diff(result.values("ram.F_friction")[held])) > DRY["F_c"])
    return Passage(
        name, stepper.name, timing["steps"], timing["iterations"] / max(timing["steps"], 1), timing["max_iterations"],
        timing["accepted"], failed, jumped / (HOLD[1] - HOLD[0]), result,
    )  # fmt: skip


def through_rest(found: list[Passage]) -> Iterator[Check]:
    """What a law must do where a body comes to rest: let Newton through, and not chatter."""
    whole = max(p.steps for p in found)
    for p in found:
        broken = p.law == DISCONTINUOUS
        if p.stepper == Trapezoidal.name:
            done = None if broken else whole
            yield Check(
                f"{p.law}: steps done, Trapezoidal 1 ms", done, p.steps, "-", None if broken else p.steps == whole
            )
            if not broken:
                yield Check(f"{p.law}: iterations a step", None, round(p.iterations, 3), "-")
        else:
            expected = None if broken else 0.0
            quiet = None if broken else p.jumps == 0
            yield Check(f"{p.law}: jumps of the force while held, HHT 1 ms", expected, round(p.jumps, 1), "1/s", quiet)


def creeping() -> Iterator[Check]:
    """The speed at which a load of 500 N slides away from a seal that could hold 830 N: zero for bristles."""
    v_s, F_s = DRY["v_s"], DRY["F_s"]
    expected = {
        "Bengisu-Akay": 1e3 * v_s * (1 - (1 - LOAD / F_s) ** 0.5),
        "Brown-McPhee": 1e3 * _root(lambda v: brown_mcphee(v, **DRY) - LOAD, 0.0, v_s),
        "LuGre": 0.0,
        "modified LuGre": 0.0,
    }
    for name, speed in expected.items():
        load = {"load.F": Ramp(duration=1.0, after=LOAD)}  # at once it would swing, and break any seal away
        result = simulate(hanging(LAWS[name]), until=10.0, dt=1e-3, stepper=Trapezoidal(), inputs=load)
        computed = 1e3 * float(result.values("mass.rod.v")[-1])
        yield Check(f"{name}: creep under 500 N", speed, computed, "mm/s", abs(computed - speed) <= 1e-6 + 1e-6 * speed)


def broken_away() -> Check:
    """Canudas de Wit et al. (1995), figure 4: a mass of 1 kg, pulled by 0.1 N more every second."""
    law = LuGre(F_c=1.0, F_s=1.5, v_s=0.001, sigma_0=1e5, sigma_1=1e5**0.5, sigma_2=0.4)
    program = compile(assemble(hanging(law, m=1.0)), Trapezoidal())
    result = run(program, until=20.0, dt=1e-3, inputs={"load.F": Ramp(duration=20.0, after=2.0)}, every=1)
    slips = int(np.argmax(result.values("mass.rod.v") > 0.001))
    peak = float(result.values("seal.F")[: slips + 1].max())
    return Check("LuGre: break-away of a slowly pulled mass", 1.5, peak, "N", abs(peak - 1.5) <= 0.03 * 1.5)


def hanging(law: Part, m: float = 400.0) -> Machine:
    """A mass, a load, and a seal that alone holds it."""
    rig = Machine("seal")
    rig.add("mass", Mass(m=m, s_0=0.0))
    rig.add("seal", LineFriction(law=law))
    rig.add("load", ForceSource())
    rig.connect("mass.rod", "seal.rod", "load.rod")
    return rig


def _root(f, low: float, high: float) -> float:
    """Where an increasing function passes zero, by bisection."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return (low + high) / 2
