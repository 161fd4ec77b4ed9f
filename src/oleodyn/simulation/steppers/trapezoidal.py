"""Trapezoidal: the implicit trapezoidal rule, positions and first-order states as unknowns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import casadi as ca

from oleodyn.equations.closure.close import closed
from oleodyn.equations.eliminate import solve
from oleodyn.equations.equations import Equations, Signal
from oleodyn.program.kernels import Kernels
from oleodyn.simulation.steppers.floor import stopping
from oleodyn.simulation.steppers.slots import OPTIONS, Slots, cut
from oleodyn.simulation.steppers.tangent import ForwardDifferences

SX = ca.SX
POSITION = 1e-6
"""Corrections of dependent coordinates below this [rad, m] are the last: the next would be of their square's size."""
INNER = 20
"""Cap of the loop that solves for dependent coordinates."""


@dataclass(frozen=True)
class Trapezoidal:
    """Implicit, order 2, Newton iterations with the exact tangent; no numerical damping.

    Equations   unknown: δ with q₊ = q ⊕ δ, and x₊
                v₊ = (2/h) δ − v,   a₊ = (2/h)(v₊ − v) − a,   ẋ₊ = (2/h)(x₊ − x) − ẋ
                (h²/4) [M(q₊) a₊ − f(q₊, v₊, x₊, t₊)] = 0,   (h/2) [ẋ₊ − g(q₊, v₊, x₊, t₊)] = 0
                start of the iteration: δ = h v + h²/2 a,   x₊ = x + h ẋ
    Converged   when the last correction is below `tolerance` for positions [rad, m],
                `tolerance_pressure` for pressures [Pa] and `tolerance` for all other states
                [their unit]; accepted at `max_iterations` within ten times that.
    Tangent     exact, or `ForwardDifferences()` as published.
    Newton      a correction that takes back more than half of the last is cut (see `returning`): it
                would leap around the zero of a root, √|Δp|, without end. Not those of positions whose
                multipliers are iterated with them: they swing by right.
                A correction that would open or close a cavity stops where it opens: beyond, the slope is another.
                Where the capacity C of a pressure depends on it (accumulator, free air) the tangent is that
                of C r, divided by C: r itself is a wall with a plain behind it, C r is nearly straight.
    Limits      not L-stable: a jump of a stiff state rings. Input jumps re-initialise the
                slopes they change.
    References  Jaiswal (2021) dissertation, (2.55)-(2.69).
    """

    tolerance: float = 1e-7
    tolerance_pressure: float = 1e-2
    max_iterations: int = 20
    tangent: ForwardDifferences | None = None
    name: ClassVar[str] = "trapezoidal"

    def kernels(self, equations: Equations, account: bool, choice: Any = None) -> Kernels:
        """predict, iterate, finish; inner for dependent coordinates."""
        e = closed(equations, self.name, choice)
        slots = Slots(e, account, (0.0, 1.0), (("a", e.n_v), ("x_dot", e.n_x)))
        nested = e.loops.nested(equations, choice) if slots.lifted else None
        extra = len(choice.dependent) if nested else slots.carried
        w = SX.sym("w", 2 * (e.n_v + e.n_x) + extra)
        delta, x, rest, last = cut(w, e.n_v, e.n_x, extra, e.n_v + e.n_x)
        start, t = slots.piece["q"], slots.t + slots.h
        new = self.ends(slots, delta, x, nested[0](t, start, delta, rest) if nested else slots.plus(start, delta))
        residual, tangent = self._linear(slots, new, rest if slots.carried else SX(0, 1))
        if self.tangent is not None:
            follow = nested[2](t, start, delta, rest) if nested else SX(extra, e.n_v)
            tangent = self.tangent.matrix(residual, w, self._sizes(e, new), directions(e, w, follow))
        step, bad = solve(tangent, -residual)
        turn, change = cut(step, e.n_v, e.n_x)
        turned, changed = cut(last, e.n_v, e.n_x)
        turn, change = turn if slots.carried else returning(turn, turned), returning(change, changed)
        change = stopping(e, x, change)
        functions = {
            "predict": slots.function("predict", [self._predicted(slots, nested)]),
            "finish": self.finish(slots, new, w, rest),
            **slots.slopes(),
            **slots.sample(),
        }
        following = rest
        if nested:
            _, correct, follow = nested
            following = rest + ca.mtimes(follow(t, start, delta, rest), turn)
            more = correct(t, start, delta, rest)
            inner = [ca.vertcat(delta, x, rest + more, last), ca.vertcat(correction(more, [POSITION] * extra), 0)]
            functions["inner"] = slots.function("inner", inner, w)
        elif slots.carried:
            update = ca.Function("update", [e.t, e.q, e.lam], [e.loops.multipliers(e)], OPTIONS)
            following = update(t, slots.plus(start, delta + turn), rest)
        norm = ca.vertcat(correction(step, self.scales(e)), bad)
        moved = ca.vertcat(delta + turn, x + change, following, turn, change)
        functions["iterate"] = slots.function("iterate", [moved, norm], w)
        unknowns = tuple(card.name for card in (*e.v_signals, *e.x_signals))
        return Kernels(
            functions, slots.blocks, slots.stages, max_iterations=self.max_iterations,
            max_inner=INNER if nested else 0, unknowns=unknowns, notes={"slots": slots},
        )  # fmt: skip

    def _predicted(self, slots: Slots, nested: Any) -> Any:
        """The Newton start: δ and x₊ from the slopes at the start of the step, δᵈ along the tangent."""
        h, piece, e = slots.h, slots.piece, slots.equations
        delta = h * piece["v"] + h * h / 2 * piece["a"]
        rest = piece["lam"]
        if nested:
            zero = SX.zeros(len(e.all_signals) - e.n_v)
            rest = ca.mtimes(nested[2](slots.t, piece["q"], SX.zeros(e.n_v), zero), delta)
        x = piece["x"] + stopping(e, piece["x"], h * piece["x_dot"])
        return ca.vertcat(delta, x, rest, SX.zeros(e.n_v + e.n_x))

    def _sizes(self, e: Equations, new: dict[str, Any]) -> list[Any]:
        """How large each unknown is, an angle of a ball joint counting as zero."""
        placed = e.independent or range(e.n_v)
        whole = e.n_q == (len(e.all_signals) or e.n_v)
        return [*(new["q"][i] if whole else SX(0) for i in placed), *ca.vertsplit(new["x"])]

    def scales(self, e: Equations) -> list[float]:
        """The tolerance of each unknown."""
        return [self.tolerance] * e.n_v + [self._tolerance(card) for card in e.x_signals]

    def _tolerance(self, card: Signal) -> float:
        return self.tolerance_pressure if card.kind == "pressure" else self.tolerance

    def ends(self, slots: Slots, delta: Any, x: Any, q: Any) -> dict[str, Any]:
        """q, v, a, x, x_dot at the step's end for given unknowns."""
        h, piece = slots.h, slots.piece
        v = 2 / h * delta - piece["v"]
        return {
            "q": q,
            "v": v,
            "a": 2 / h * (v - piece["v"]) - piece["a"],
            "x": x,
            "x_dot": 2 / h * (x - piece["x"]) - piece["x_dot"],
        }

    def _linear(self, slots: Slots, new: dict[str, Any], lam: Any) -> tuple[Any, Any]:
        """Residual and its exact derivative by (δ, x₊)."""
        e, h = slots.equations, slots.h
        Ma = ca.mtimes(e.M, e.a)
        by_q = [e.tangent(value) for value in (Ma, e.f, e.x_dot)]
        by_rest = [ca.jacobian(value, by) for by in (e.v, e.x) for value in (e.f, e.x_dot)]
        symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p, e.a]
        linear = ca.Function("linear", symbols, [e.M, Ma, e.f, e.x_dot, *by_q, *by_rest, swelling(e)], OPTIONS)
        end = slots.at(slots.u[-1], t=slots.t + h, q=new["q"], v=new["v"], x=new["x"], lam=lam)
        M, Ma, f, g, Ma_q, f_q, g_q, f_v, g_v, f_x, g_x, swell = linear(*end, new["a"])
        left = h / 2 * (new["x_dot"] - g)
        residual = ca.vertcat(h * h / 4 * (Ma - f), left)
        tangent = ca.vertcat(
            ca.horzcat(M + h * h / 4 * (Ma_q - f_q) - h / 2 * f_v, -h * h / 4 * f_x),
            ca.horzcat(-h / 2 * g_q - g_v, SX.eye(e.n_x) - h / 2 * g_x + ca.diag(left * swell)),
        )
        return residual, tangent

    def finish(self, slots: Slots, new: dict[str, Any], w: Any, rest: Any) -> Any:
        """The kernel that turns converged unknowns into the new y."""
        e, t = slots.equations, slots.t + slots.h
        new["x"], new["x_dot"] = slots.clamped(new["x"], new["x_dot"])
        if slots.carried:
            h = SX.sym("h")
            project = ca.Function("project", [e.t, e.q, e.v, e.a, h], e.loops.projected(e, h), OPTIONS)
            new["v"], new["a"] = project(t, new["q"], new["v"], new["a"], slots.h)
            new["lam"] = rest
        changed = ("q", "v", "x", "lam") if slots.carried else ("q", "v", "x")
        end = slots.at(slots.u[-1], t=t, **{name: new[name] for name in changed})
        new["E"] = slots.piece["E"] + slots.h / 2 * (slots.rates(*slots.at())[3] + slots.rates(*end)[3])
        return slots.function("finish", [slots.packed(**new), slots.health(0, end)], w)


def swelling(e: Equations) -> Any:
    """∂ ln C/∂x of each state's own capacity C; structurally zero where C does not depend on it."""
    slopes = SX(e.n_x, 1)
    for i in range(e.n_x):
        slope = ca.jacobian(e.capacity[i], e.x[i])
        if slope.nnz():
            slopes[i] = slope / e.capacity[i]
    return slopes


def directions(e: Equations, w: Any, follow: Any) -> list[Any]:
    """How the workspace changes with each unknown: dependent coordinates follow, multipliers stay."""
    whole = SX.eye(w.numel())[:, : e.n_v + e.n_x]
    whole[e.n_v + e.n_x : e.n_v + e.n_x + follow.shape[0], : e.n_v] = follow
    return ca.horzsplit(whole)


def returning(step: Any, last: Any) -> Any:
    """Corrections, cut where one takes back more than half of the last: to where both would meet.

    Newton on a root, √|Δp|, leaps from one side of zero to the other without end; the point between,
    weighted by the two corrections but no farther than half-way, is next to its solution. Where it
    converges nothing is cut.
    """
    taken = SX(step)
    for k in range(step.numel()):
        product = step[k] * last[k]
        back = product < -last[k] * last[k] / 2
        meeting = ca.if_else(ca.fabs(step[k]) > ca.fabs(last[k]), -last[k] / 2, product / (last[k] - step[k]))
        taken[k] = ca.if_else(back, meeting, step[k])
    return taken


def correction(step: Any, scales: Sequence[float]) -> Any:
    """The largest correction in units of its tolerance: below one is converged."""
    largest = SX(0)
    for k, scale in enumerate(scales):
        largest = ca.fmax(largest, ca.fabs(step[k]) / scale)
    return largest
