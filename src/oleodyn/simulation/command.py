"""What `oleodyn run` and `oleodyn check` do, without their printing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.coordinate_partitioning import redundant
from oleodyn.equations.equations import Equations
from oleodyn.equations.inspect import operations
from oleodyn.errors import DataError, DeclarationError
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Named, Parameter
from oleodyn.program.compile import compile
from oleodyn.result.result import Result
from oleodyn.simulation.checkpoint import load_state, save_state
from oleodyn.simulation.loops import loops_named
from oleodyn.simulation.realtime import Overrun, Pacing, run_realtime
from oleodyn.simulation.run import changed_by, chosen_scenario, run
from oleodyn.simulation.steppers.by_name import stepper_named
from oleodyn.simulation.stiffness import Stiffness, stiffness
from oleodyn.units import read

OVERRUN = {"catch-up": Overrun.CATCH_UP, "stretch": Overrun.STRETCH, "stop": Overrun.STOP}


@dataclass(frozen=True)
class Options:
    """The options of `oleodyn run`, as typed."""

    machine: Machine
    scenario: str | None = None
    until: str | None = None
    stepper: str | None = None
    loops: str | None = None
    dt: str | None = None
    changes: Sequence[str] = field(default_factory=tuple)
    realtime: bool = False
    overrun: str = "catch-up"
    resume: Path | None = None
    save_state: Path | None = None
    every: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What a run gave: a result, or the pacing of a real-time run."""

    machine: Machine
    stepper: str
    result: Result | None = None
    pacing: Pacing | None = None

    def summary(self) -> dict[str, Any]:
        """For --json."""
        base: dict[str, Any] = {"machine": self.machine.name, "stepper": self.stepper}
        if self.pacing is not None:
            p = self.pacing
            return base | {
                "period": p.period, "steps": p.steps, "compute": dict(p.compute), "misses": p.misses,
                "reserve": p.reserve, "policy": p.policy.value, "stopped_at": p.stopped_at,
            }  # fmt: skip
        assert self.result is not None
        final = {name: float(self.result.values(name)[-1]) for name in self.result.signals}
        energy = self.result.energy
        return base | {
            "timing": self.result.timing, "final": final,
            "energy_residual": None if energy is None else energy.residual,
        }  # fmt: skip

    def __str__(self):
        assert self.result is not None
        timing = self.result.timing
        lines = [
            f"{self.machine.name}: {timing['steps']} steps of {1e3 * timing['dt']:g} ms with {self.stepper} "
            f"in {timing['wall_s']:.3g} s: {timing['us_per_step']:.3g} µs a step, "
            f"{timing['real_time_factor']:.4g} times real time"
        ]
        if timing["iterations"]:
            mean = timing["iterations"] / timing["steps"]
            most, accepted = timing["max_iterations"], timing["accepted"]
            lines.append(f"Newton iterations {mean:.3f} a step, at most {most}, {accepted} accepted at the cap")
        if self.result.energy is not None:
            lines.append(str(self.result.energy))
        return "\n".join(lines)


def execute(options: Options, progress: Callable[[float], None]) -> Outcome:
    """Assemble, compile and run as the options say; `progress` is told the share done."""
    chosen = chosen_scenario(options.machine, options.scenario)
    machine = changed(changed_by(chosen, options.machine), options.changes)
    stepper = stepper_named(options.stepper or machine.defaults.stepper)
    equations = assemble(machine, loops=loops_named(options.loops or machine.defaults.loops))
    program = compile(equations, stepper, account=not options.realtime)
    until = _time(options.until, "--until") or chosen.until or machine.defaults.until
    dt = _time(options.dt, "--dt") or chosen.dt or machine.defaults.dt
    state = load_state(program, options.resume) if options.resume else program.start()
    begin = state.t

    def tell(t: float) -> None:
        progress((t - begin) / (until - begin))

    if options.realtime:
        if options.overrun not in OVERRUN:
            raise DeclarationError(f"--overrun {options.overrun!r}: must be {', '.join(OVERRUN)}")
        pacing = run_realtime(
            program, until=until, dt=dt, inputs=chosen, state=state, overrun=OVERRUN[options.overrun], progress=tell
        )
        return Outcome(machine, stepper.name, pacing=pacing)
    result = run(program, until=until, dt=dt, inputs=chosen, state=state, every=options.every, progress=tell)
    if options.save_state is not None:
        save_state(state, options.save_state)
    return Outcome(machine, stepper.name, result=result)


def changed(machine: Machine, changes: Sequence[str]) -> Machine:
    """The machine with every PATH=VALUE applied; values are read with their units."""
    for change in changes:
        path, equals, text = change.partition("=")
        if not equals:
            raise DeclarationError(f"--set {change!r}: must be PATH=VALUE, such as lift.d_bore='90 mm'")
        machine = machine.replace(path.strip(), _value(machine, path.strip(), text.strip()))
    return machine


def _value(machine: Machine, path: str, text: str) -> Any:
    name, rest = machine.split(path)
    held: Any = machine.parts[name]
    *inner, last = rest.split(".")
    for key in inner:
        held = held[key] if isinstance(held, Named) else getattr(held, key, None)
    spec = getattr(held, "fields", {}).get(last)
    if not isinstance(spec, Parameter):
        raise DeclarationError(f"--set {path}: there is no such parameter. See oleodyn new FILE --from {machine.name}.")
    return read(text, spec.unit)


def _time(text: str | None, option: str) -> float | None:
    if text is None:
        return None
    value = read(text, "s")
    if not value > 0:
        raise DataError(f"{option} {text}: must be above 0 s")
    return value


@dataclass(frozen=True)
class Findings:
    """What `oleodyn check` found in a sound machine."""

    machine: Machine
    equations: Equations
    operations: dict[str, int]
    stiffness: Stiffness | None

    def summary(self) -> dict[str, Any]:
        """For --json."""
        e = self.equations
        modes = self.stiffness.modes if self.stiffness else ()
        return {
            "machine": self.machine.name, "ok": True,
            "sizes": {"coordinates": e.n_q, "speeds": e.n_v, "states": e.n_x, "constraints": e.Phi.numel()},
            "redundant_constraints": list(redundant(e)), "operations": self.operations,
            "fastest": [
                {"real": mode.eigenvalue.real, "imag": mode.eigenvalue.imag, "signals": list(mode.signals)}
                for mode in modes
            ],
            "largest_stable_step_s": dict(self.stiffness.steps) if self.stiffness else {},
        }  # fmt: skip

    def __str__(self):
        e = self.equations
        lines = [
            f"{self.machine.name} is sound: {e.n_q} coordinates, {e.n_v} speeds, {e.n_x} first-order states, "
            f"{len(e.samplers)} controllers, {e.Phi.numel()} constraints",
            f"inputs: {', '.join(card.name for card in e.u_signals) or 'none'}",
            f"operations: {', '.join(f'{name} {count}' for name, count in self.operations.items())}",
        ]
        if spare := redundant(e):
            lines.append(f"redundant constraints: {', '.join(spare)}")
        return "\n".join([*lines, str(self.stiffness)] if self.stiffness else lines)


def examine(machine: Machine) -> Findings:
    """Assemble the machine and look at what limits its step."""
    equations = assemble(machine, loops=loops_named(machine.defaults.loops))
    stiff = stiffness(equations) if equations.n_v or equations.n_x else None
    return Findings(machine, equations, operations(equations), stiff)
