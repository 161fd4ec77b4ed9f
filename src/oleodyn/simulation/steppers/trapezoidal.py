"""Trapezoidal: the implicit trapezoidal rule, positions and first-order states as unknowns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import casadi as ca

from oleodyn.equations.eliminate import solve
from oleodyn.equations.equations import Equations, Signal
from oleodyn.program.kernels import Kernels
from oleodyn.simulation.steppers.slots import OPTIONS, Slots

SX = ca.SX


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
    Limits      not L-stable: a jump of a stiff state rings. Input jumps re-initialise the
                slopes they change.
    References  Jaiswal (2021) dissertation, (2.55)-(2.69).
    """

    tolerance: float = 1e-7
    tolerance_pressure: float = 1e-2
    max_iterations: int = 10
    name: ClassVar[str] = "trapezoidal"

    def kernels(self, equations: Equations, account: bool) -> Kernels:
        """predict, iterate, finish."""
        e = equations
        slots = Slots(e, account, (0.0, 1.0), (("a", e.n_v), ("x_dot", e.n_x)))
        w = SX.sym("w", e.n_v + e.n_x)
        delta, x = w[: e.n_v], w[e.n_v :]
        new = self.ends(slots, delta, x)
        residual, tangent = self._linear(slots, new)
        step, bad = solve(tangent, -residual)
        norm = ca.vertcat(correction(step, self.scales(e)), bad)
        functions = {
            "predict": slots.function("predict", [predicted(slots)]),
            "iterate": slots.function("iterate", [w + step, norm], w),
            "finish": self.finish(slots, new, w),
            **slots.slopes(),
            **slots.sample(),
        }
        unknowns = tuple(card.name for card in (*e.v_signals, *e.x_signals))
        return Kernels(
            functions, slots.blocks, slots.stages, max_iterations=self.max_iterations, unknowns=unknowns,
            notes={"slots": slots},
        )  # fmt: skip

    def scales(self, e: Equations) -> list[float]:
        """The tolerance of each unknown."""
        return [self.tolerance] * e.n_v + [self._tolerance(card) for card in e.x_signals]

    def _tolerance(self, card: Signal) -> float:
        return self.tolerance_pressure if card.kind == "pressure" else self.tolerance

    def ends(self, slots: Slots, delta: Any, x: Any) -> dict[str, Any]:
        """q, v, a, x, x_dot at the step's end for given unknowns."""
        h, piece = slots.h, slots.piece
        v = 2 / h * delta - piece["v"]
        return {
            "q": slots.plus(piece["q"], delta),
            "v": v,
            "a": 2 / h * (v - piece["v"]) - piece["a"],
            "x": x,
            "x_dot": 2 / h * (x - piece["x"]) - piece["x_dot"],
        }

    def _linear(self, slots: Slots, new: dict[str, Any]) -> tuple[Any, Any]:
        """Residual and its exact derivative by (δ, x₊)."""
        e, h = slots.equations, slots.h
        Ma = ca.mtimes(e.M, e.a)
        by_q = [e.tangent(value) for value in (Ma, e.f, e.x_dot)]
        by_rest = [ca.jacobian(value, by) for by in (e.v, e.x) for value in (e.f, e.x_dot)]
        symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p, e.a]
        linear = ca.Function("linear", symbols, [e.M, Ma, e.f, e.x_dot, *by_q, *by_rest], OPTIONS)
        end = slots.at(slots.u[-1], t=slots.t + h, q=new["q"], v=new["v"], x=new["x"])
        M, Ma, f, g, Ma_q, f_q, g_q, f_v, g_v, f_x, g_x = linear(*end, new["a"])
        residual = ca.vertcat(h * h / 4 * (Ma - f), h / 2 * (new["x_dot"] - g))
        tangent = ca.vertcat(
            ca.horzcat(M + h * h / 4 * (Ma_q - f_q) - h / 2 * f_v, -h * h / 4 * f_x),
            ca.horzcat(-h / 2 * g_q - g_v, SX.eye(e.n_x) - h / 2 * g_x),
        )
        return residual, tangent

    def finish(self, slots: Slots, new: dict[str, Any], w: Any) -> Any:
        """The kernel that turns converged unknowns into the new y."""
        x, x_dot = slots.clamped(new["x"], new["x_dot"])
        end = slots.at(slots.u[-1], t=slots.t + slots.h, q=new["q"], v=new["v"], x=x)
        energy = slots.piece["E"] + slots.h / 2 * (slots.rates(*slots.at())[3] + slots.rates(*end)[3])
        y = slots.packed(**new | {"x": x, "x_dot": x_dot, "E": energy})
        return slots.function("finish", [y, slots.health(0, end)], w)


def predicted(slots: Slots) -> Any:
    """The Newton start: δ and x₊ from the slopes at the start of the step."""
    h, piece = slots.h, slots.piece
    return ca.vertcat(h * piece["v"] + h * h / 2 * piece["a"], piece["x"] + h * piece["x_dot"])


def correction(step: Any, scales: Sequence[float]) -> Any:
    """The largest correction in units of its tolerance: below one is converged."""
    largest = SX(0)
    for k, scale in enumerate(scales):
        largest = ca.fmax(largest, ca.fabs(step[k]) / scale)
    return largest
