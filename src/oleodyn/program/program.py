"""Program: equations and a stepper as machine code, with a table of names."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from oleodyn.equations.closure.consistent import Closing
from oleodyn.equations.equations import Equations, Signal
from oleodyn.equations.point import Point
from oleodyn.errors import CompileError, DataError, StepError
from oleodyn.machine.part import nearest
from oleodyn.program.caller import Caller
from oleodyn.program.failure import BAD_PIVOT, GUARD, NEWTON, NON_FINITE
from oleodyn.program.kernels import Kernels, Stepper
from oleodyn.program.native import Native, build
from oleodyn.program.retrace import attempted, restless
from oleodyn.program.state import State

FAILURES = {
    1: "a value is not finite",
    2: "the linear system is singular",
    3: "a guard is violated",
    4: "Newton failed",
}


class Program:
    """Immutable, shareable; the numbers are in a State.

    signals     what a run records, in order
    """

    def __init__(
        self,
        equations: Equations,
        stepper: Stepper,
        make: Callable[[Any], Kernels],
        signals: tuple[Signal, ...],
    ):
        self.equations, self.stepper, self.signals = equations, stepper, signals
        self._make = make
        self._variants: dict[Any, Kernels] = {}
        self._natives: dict[tuple[int, Any], Native] = {}
        self.choice = self.choose(equations.q_0, 0.0)
        """The independent coordinates at the start, where the policy for loops has such a choice."""
        self.kernels = self.variant(self.choice)
        self.places = _places(equations, self.kernels)
        self.floors = {equations.x_signals[row].name: _floor(equations, low) for row, low in equations.floors}
        """Stored pressures that are never seen below a floor: name → the floor, by the tunables."""
        self._names = set(self.places) | {signal.name for signal in signals}
        self.native(1)

    def choose(self, q: np.ndarray, t: float) -> Any:
        """What the policy for loops chooses at a position; None where there is nothing to choose."""
        loops = self.equations.loops
        return loops.choose(self.equations, q, t) if hasattr(loops, "choose") and self.equations.Phi.numel() else None

    def variant(self, choice: Any) -> Kernels:
        """The kernels for one choice, made on demand."""
        if choice not in self._variants:
            self._variants[choice] = self._make(choice)
        return self._variants[choice]

    def native(self, width: int, choice: Any = None) -> Native:
        """The machine code for `width` simulations side by side."""
        choice = self.choice if choice is None else choice
        if (width, choice) not in self._natives:
            check_width(width)
            kernels = self.variant(choice)
            self._natives[width, choice] = build(
                kernels.functions, n_y=kernels.size, n_p=len(self.equations.p_signals),
                n_u=len(self.equations.u_signals), n_stage=len(kernels.stages), width=width,
            )  # fmt: skip
        return self._natives[width, choice]

    def check_step(self, state: State, dt: float) -> None:
        """Refuse a step for which the policy for loops is too weak."""
        e = self.equations
        if e.Phi.numel() and hasattr(e.loops, "check_step"):
            q, v, x, z = (state.y[self.kernels.block(name).slice] for name in "qvxz")
            e.loops.check_step(e, Point(q, v, x, z, state.u[: e.u.numel()], state.p, state.t), dt, self.stepper)

    def check_state(self, state: State) -> None:
        """Refuse a state of another program, unless its numbers mean the same."""
        if state.program is not self and (state.program.places != self.places or len(state.y) != self.kernels.size):
            raise DataError(
                f"the state is one of {state.program.equations.name!r} with {state.program.stepper!r}, not of "
                f"{self.equations.name!r} with {self.stepper!r}. Take program.start() of the program that runs it."
            )

    def rechosen(self, state: State, t: float) -> bool:
        """After a bad pivot at t: take other independent coordinates if there are better ones.

        As many as before: where more or fewer are independent, the one place or the other is singular.
        """
        if self.choice is None:
            return False
        choice = self.choose(state.y[self.kernels.block("q").slice], t)
        if choice == state.choice or len(choice.independent) != len(state.choice.independent):
            return False
        state.choice = choice
        self.refresh(state, t)
        return True

    def start(self, t: float = 0.0, **values: float) -> State:
        """A State at the machine's start."""
        state = State(self)
        state.t_0 = t
        for name, value in values.items():
            state[name] = value
        return state

    def canonical(self, name: str) -> str:
        """The canonical name behind an alias or a unique ending ("elbow.q" for "arm.elbow.q")."""
        name = self.equations.aliases.get(name, name)
        if name in self._names:
            return name
        ends = [known for known in self._names if known.endswith("." + name)]
        return ends[0] if len(ends) == 1 else name

    def step(self, state: State, dt: float) -> None:
        """One step of size dt, in place; inputs are those in the state."""
        self.caller(state)(dt)

    def caller(self, state: State) -> Caller:
        """The prepared call that steps this state."""
        if state.caller is None:
            self.check_state(state)
            state.caller = Caller(self, state)
        return state.caller

    def refresh(self, state: State, t: float | None = None) -> None:
        """Make the stepper's memory anew from the states and the inputs (at t); open loops are closed first."""
        t = state.t if t is None else t
        if self.closing is not None:
            q, v = (self.kernels.block(name).slice for name in "qv")
            if not self.closing.holds(state.y[q], state.y[v], t):
                state.y[q], state.y[v] = self.closing(state.y[q], state.y[v], t, keep=state.given)
        state.given.clear()
        state.y[:] = self.native(1, state.choice).call("start", state.y, state.p, state.u, np.array([t, state.dt]))
        state.stale, state.h = False, state.dt

    @cached_property
    def closing(self) -> Closing | None:
        """What closes the loops of a state that was set by hand; None without loops."""
        return Closing(self.equations) if self.equations.Phi.numel() else None

    def observe(self, state: State) -> dict[str, float]:
        """Every recorded signal at this instant, by name."""
        values = self.native(1, state.choice).call("observe", *self._inputs(state))
        return {signal.name: float(value) for signal, value in zip(self.signals, values, strict=True)}

    def _inputs(self, state: State) -> tuple[np.ndarray, ...]:
        return state.y, state.p, state.u, np.array([state.t, state.dt])

    def signal_rows(self, names: Sequence[str]) -> list[int]:
        """Rows of `signals` by name, alias or unique ending."""
        rows = {signal.name: row for row, signal in enumerate(self.signals)}
        found = []
        for name in names:
            canonical = self.canonical(name)
            if canonical not in rows:
                raise DataError(f"no signal {name!r}{nearest(name, rows)} is recorded")
            found.append(rows[canonical])
        return found

    def failure(self, state: State, t: float, dt: float, status: int, result: Any = None) -> StepError:
        """The error of a failed step: when, why, where, and what to do."""
        names, why = self._diagnosis(state, t, dt, status)
        where = f" at {', '.join(names)}" if names else ""
        message = (
            f"stepping {self.equations.name!r} from t = {t:.6g} s with dt = {dt:g} s failed: {why}{where}. "
            f"{self._advice()}; the state before this step and what was computed are kept."
        )
        return StepError(message, time=t, signals=names, result=result, state=state)

    def _advice(self) -> str:
        """What to try: only implicit steppers have unknowns."""
        return "Try a smaller step" + ("" if self.kernels.unknowns else " or an implicit stepper")

    def _diagnosis(self, state: State, t: float, dt: float, status: int) -> tuple[list[str], str]:
        why = FAILURES.get(status, f"status {status}")
        kernels, at = self.variant(state.choice), (state.y, state.p, state.u, np.array([t, dt]))
        if status == GUARD:
            rows = np.asarray(self.guards(state, t + dt, attempted(kernels, *at)), dtype=float).ravel()
            low = [card.name for card, value in zip(self.equations.guard_signals, rows, strict=True) if not value > 0]
            return low or [card.name for card in self.equations.guard_signals], f"{why} (must stay positive)"
        if status in (BAD_PIVOT, NEWTON) and self.equations.Phi.numel():
            loops = dict.fromkeys(card.name.rpartition(".")[0] for card in self.equations.lam_signals)
            what = "Newton does not converge" if status == NEWTON else "the loops gape or are near a singular position"
            return list(loops), f"{what}. {self.equations.loops.advice}. It happened"
        if status == NEWTON:
            nominal = {card.name: card.nominal for card in (*self.equations.v_signals, *self.equations.x_signals)}
            return restless(kernels, nominal, *at), why
        if status == NON_FINITE:
            y = attempted(kernels, *at)
            bad = [name for name, (which, row) in self.places.items() if which == "y" and not np.isfinite(y[row])]
            return bad[:6], why
        return [], why

    def guards(self, state: State, t: float, y: np.ndarray | None = None) -> Any:
        """The guards at the state, or with other numbers y, in order of `guard_signals`."""
        import casadi as ca

        e = self.equations
        function = ca.Function("guards", [e.t, e.q, e.v, e.x, e.z, e.u, e.p], [e.guards])
        pieces = [(state.y if y is None else y)[self.kernels.block(name).slice] for name in "qvxz"]
        return function(t, *pieces, state.u[: e.u.numel()], state.p)


def _places(e: Equations, kernels: Kernels) -> dict[str, tuple[str, int]]:
    """Name → which array (y, u, p) and where."""
    places = {}
    for name in "qvxz":
        start = kernels.block(name).start
        places |= {card.name: ("y", start + i) for i, card in enumerate(getattr(e, f"{name}_signals"))}
    places |= {card.name: ("u", i) for i, card in enumerate(e.u_signals)}
    places |= {card.name: ("p", i) for i, card in enumerate(e.p_signals)}
    return places


def _floor(e: Equations, low: Any) -> Callable[[np.ndarray], float]:
    """A floor as a function of the tunables."""
    import casadi as ca

    low = ca.SX(low)
    if low.is_constant():
        number = float(low)
        return lambda p: number
    function = ca.Function("floor", [e.p], [low])
    return lambda p: float(function(p))


def check_width(width: int) -> None:
    """Widths are powers of two up to 16."""
    if width not in (1, 2, 4, 8, 16):
        raise CompileError(f"width = {width}: must be 1, 2, 4, 8 or 16")
