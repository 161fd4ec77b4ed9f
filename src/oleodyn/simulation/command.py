"""What `oleodyn run` and `oleodyn check` do, without their printing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.close import check_policy
from oleodyn.equations.closure.coordinate_partitioning import redundant
from oleodyn.equations.equations import Equations
from oleodyn.equations.inspect import operations
from oleodyn.errors import DataError, DeclarationError, OleodynError
from oleodyn.machine.document import Scalar
from oleodyn.machine.file import changed as with_text
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Declared, Ingredient, Named, Part, Structure, nearest
from oleodyn.machine.reading import Problems, Reading, Wrong
from oleodyn.program.compile import compile
from oleodyn.result.display import shown
from oleodyn.result.result import Result
from oleodyn.simulation.checkpoint import load_state, save_state
from oleodyn.simulation.loops import loops_named
from oleodyn.simulation.realtime import Overrun, Pacing, run_realtime
from oleodyn.simulation.run import changed_by, chosen_scenario, run
from oleodyn.simulation.steppers.by_name import stepper_named
from oleodyn.simulation.stiffness import Stiffness, stiffness, unstable
from oleodyn.units import read

LEFT_OVER = 0.01
"""Part of what moved that the energy account may leave over without a note."""
ROUNDING = 1e-9
"""Part of the largest energy held that is no more than rounding, where hardly anything moves."""
OVERRUN = {"catch-up": Overrun.CATCH_UP, "stretch": Overrun.STRETCH, "stop": Overrun.STOP}


@dataclass(frozen=True)
class Options:
    """The options of `oleodyn run`, as typed."""

    machine: Machine
    shelf: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What --set may call an ingredient by"""
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
    out: Path | None = None
    report: Path | None = None
    every: int | None = None

    def check(self) -> None:
        """Refuse before the run what could not be done after it."""
        for option, path, endings in (
            ("--save-state", self.save_state, (".npz",)),
            ("--out", self.out, (".nc", ".csv")),
            ("--report", self.report, (".html", ".htm")),
        ):
            if path is None:
                continue
            if path.suffix not in endings:
                raise DataError(f"{option} {path}: must end in {' or '.join(endings)}")
            if not path.parent.is_dir():
                raise DataError(
                    f"{option} {path}: there is no folder {str(path.parent)!r}. Make it, or write elsewhere."
                )
            if self.realtime and option != "--save-state":
                raise DataError(f"{option} {path}: a run in real time records nothing. Leave out --realtime.")
        if self.every is not None and self.every < 1:
            raise DataError(f"--every {self.every}: must be at least 1")
        if self.overrun not in OVERRUN:
            raise DeclarationError(f"--overrun {self.overrun!r}: must be {', '.join(OVERRUN)}")


@dataclass(frozen=True)
class Outcome:
    """What a run gave: a result, or the pacing of a real-time run."""

    machine: Machine
    stepper: str
    result: Result | None = None
    pacing: Pacing | None = None
    remark: str = ""
    """That the stepper cannot bear the step at the start, if so"""

    @property
    def ok(self) -> bool:
        """False for a run in real time that was stopped for being late."""
        return self.pacing is None or self.pacing.stopped_at is None

    def notes(self) -> list[str]:
        """What a user should know about the run, though it went through."""
        notes = [f"{self.remark} Take a smaller step or an implicit stepper."] if self.remark else []
        energy = None if self.result is None else self.result.energy
        if energy is not None and not energy.relative <= LEFT_OVER and not energy.worst <= ROUNDING * energy.held:
            notes.append(
                f"the energy account leaves over {energy.relative:.2g} of what moved: the step is too long for this "
                "machine, and the result is not to be trusted. Take a smaller step."
            )
        return notes

    def summary(self) -> dict[str, Any]:
        """For --json."""
        base: dict[str, Any] = {
            "machine": self.machine.name, "stepper": self.stepper, "ok": self.ok, "notes": self.notes(),
        }  # fmt: skip
        if self.pacing is not None:
            p = self.pacing
            return base | {
                "period": p.period, "steps": p.steps, "compute": dict(p.compute), "misses": p.misses,
                "reserve": p.reserve, "in_time": p.in_time, "policy": p.policy.value, "stopped_at": p.stopped_at,
            }  # fmt: skip
        assert self.result is not None
        final = {name: float(self.result.values(name)[-1]) for name in self.result.signals}
        energy = self.result.energy
        return base | {
            "timing": self.result.timing, "final": final,
            "energy_residual": None if energy is None else energy.residual,
            "energy_residual_relative": None if energy is None else energy.relative,
        }  # fmt: skip

    def __str__(self):
        if self.result is None:
            return str(self.pacing)
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
        lines += final(self.result)
        if self.result.energy is not None:
            lines.append(str(self.result.energy))
        return "\n".join(lines)


def final(result: Result, most: int = 8) -> list[str]:
    """The last values of positions and pressures, in a line each."""
    lines = []
    for kind, what in (("position", "positions"), ("pressure", "pressures")):
        cards = [card for card in result.signals.values() if card.kind == kind]
        values = [f"{card.name} {shown(float(result.values(card.name)[-1]), card.unit)}" for card in cards[:most]]
        more = f", and {len(cards) - most} more" if len(cards) > most else ""
        if cards:
            lines.append(f"{what} at t = {result.time[-1]:g} s: {', '.join(values)}{more}")
    return lines


def execute(options: Options, progress: Callable[[float], None]) -> Outcome:
    """Assemble, compile and run as the options say; `progress` is told the share done.

    Whatever ends the run early, --save-state is written.
    """
    options.check()
    chosen = chosen_scenario(options.machine, options.scenario)
    machine = changed(changed_by(chosen, options.machine), options.changes, options.shelf)
    loops = loops_named(options.loops or machine.defaults.loops)
    stepper = stepper_named(options.stepper or machine.defaults.stepper, loops)
    equations = assemble(machine, loops=loops)
    program = compile(equations, stepper, account=not options.realtime)
    until = _time(options.until, "--until") or chosen.until or machine.defaults.until
    dt = _time(options.dt, "--dt") or chosen.dt or machine.defaults.dt
    state = load_state(program, options.resume) if options.resume else program.start()
    begin = state.t

    def tell(t: float) -> None:
        progress((t - begin) / (until - begin))

    remark = unstable(equations, stepper.name, dt)
    how: dict[str, Any] = dict(until=until, dt=dt, inputs=chosen, state=state, progress=tell)
    try:
        if options.realtime:
            pacing = run_realtime(program, overrun=OVERRUN[options.overrun], **how)
            return Outcome(machine, stepper.name, pacing=pacing, remark=remark)
        return Outcome(machine, stepper.name, result=run(program, every=options.every, **how), remark=remark)
    finally:
        if options.save_state is not None:
            save_state(state, options.save_state)


def changed(machine: Machine, changes: Sequence[str], shelf: Mapping[str, Any]) -> Machine:
    """The machine with every PATH=VALUE applied; values are read with their units."""
    for change in changes:
        path, equals, text = change.partition("=")
        if not equals:
            raise DeclarationError(f"--set {change!r}: must be PATH=VALUE, such as lift.d_bore='90 mm'")
        try:
            machine = _with(machine, path.strip(), text.strip(), shelf)
        except OleodynError as error:
            raise type(error)(f"--set {error}") from None
    return machine


def _with(machine: Machine, path: str, text: str, shelf: Mapping[str, Any]) -> Machine:
    """The machine with one parameter set: a number in its unit, a flag, a count or a word, a part by its type."""
    name, rest = machine.split(path)
    held: Any = machine.parts[name]
    *inner, last = rest.split(".")
    for key in inner:
        held = _inside(held, key, path)
    fields = getattr(held, "fields", {})
    spec = fields.get(last)
    if isinstance(spec, Ingredient):
        return with_text(machine, path, text, shelf)
    if spec is None and isinstance(held, Part) and last in held.declaration().inputs:
        raise DeclarationError(f"{path}: is an input, not a parameter. A scenario drives it.")
    if spec is None:
        known = [field for field, spec in fields.items() if not isinstance(spec, Ingredient)]
        raise DeclarationError(
            f"{path}: there is no such parameter{nearest(last, known) or '.'} There are {', '.join(known) or 'none'}."
        )
    if spec.by_signal if isinstance(spec, Structure) else spec.shape:
        raise DeclarationError(f"{path}: holds several numbers. Change it in a machine file (oleodyn new).")
    if isinstance(spec, Structure):
        return machine.replace(path, _flag(path, type(held), last, text))
    try:
        value = read(text, spec.unit)
    except OleodynError as error:
        raise type(error)(f"{path} = {error}") from None
    try:
        return machine.replace(path, value)
    except OleodynError as error:
        raise type(error)(f"{path} = {text}: {error}") from None


def _flag(path: str, class_: type[Declared], name: str, text: str) -> Any:
    """What shapes the equations, a flag, a count or a word, as a machine file would have it."""
    problems = Problems("")
    try:
        return Reading({}, problems).value(path, class_, name, Scalar(1, text=text), 1)
    except Wrong:
        problems.raise_any()
        raise


def _inside(held: Any, key: str, path: str) -> Any:
    """What a part or a set of parts holds under this name."""
    known = held if isinstance(held, Named) else getattr(held, "fields", {})
    if key not in known:
        names = ", ".join(known) or "none"
        raise DeclarationError(f"{path}: there is no {key!r}{nearest(key, known) or '.'} There are {names}.")
    return held[key] if isinstance(held, Named) else getattr(held, key)


def _time(text: str | None, option: str) -> float | None:
    if text is None:
        return None
    try:
        value = read(text, "s")
    except OleodynError as error:
        raise type(error)(f"{option} {error}") from None
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
    check_policy(equations, stepper_named(machine.defaults.stepper).name)
    stiff = stiffness(equations) if equations.n_v or equations.n_x else None
    return Findings(machine, equations, operations(equations), stiff)
