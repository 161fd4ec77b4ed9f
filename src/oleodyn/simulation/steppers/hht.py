"""HHT: Hilber-Hughes-Taylor integration, linearised once per step, fully coupled."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import casadi as ca

from oleodyn.equations.closure.close import closed
from oleodyn.equations.eliminate import solve
from oleodyn.equations.equations import Equations
from oleodyn.errors import DeclarationError
from oleodyn.program.kernels import Kernels
from oleodyn.simulation.steppers.floor import branches, scaled, seen
from oleodyn.simulation.steppers.slots import OPTIONS, Slots, cut

SX = ca.SX


@dataclass(frozen=True)
class HHT:
    """Implicit, order 2, no iteration: one linear solve a step, mechanics and oil together.

    Equations   β = (1 − α)²/4,  γ = (1 − 2α)/2,  w = γ h (1 + α),  c = (1 − 2β/γ)/2
                δ   = h (v + c h a + (β/γ) dv),        q₊ = q ⊕ δ
                F   = (1 + α) f(y_n, u_{n+1}) − α f(y_n, u_n),   G likewise for g in ẋ = g
                M dv + w [∂(M a)/∂q − ∂f/∂q] δ − w (∂f/∂v dv + ∂f/∂x dx) = γh F + (1 − γ) h M a
                dx − w (∂g/∂q δ + ∂g/∂v dv + ∂g/∂x dx) = γh G + (1 − γ) h ẋ
                a₊ = a + (dv/h − a)/γ,   ẋ₊ = ẋ + (dx/h − ẋ)/γ
    Assumes     −1/3 < α ≤ 0. Slopes that an input's jump changes are re-initialised there.
                M is taken where f is, at t_n + (1 + α) h: with M at the step's end, as printed, a
                mass matrix that changes on the way costs an order.
    Cavities    where a pressure tears or closes within the step, the effort that is seen moves along its two
                straight pieces (`branches`): still one solve.
    Leaps       √|Δp| is all but vertical at its zero: a volume that follows within the step would be thrown
                from one side to the other for ever. Such pressures, known by what their own equation
                leaves over at the step's end, are brought back by one step of regula falsi.
    Limits      forces that depend on a discontinuity inside the step act with the step's delay.
    References  Kim, Song & Kim (2019) J. Mech. Sci. Technol. 33, 1087: one linearisation a step.
                Kim, Lee & Kim (2021) IEEE Access 9, (16)-(28); the right-hand side with the
                algorithmic acceleration a (not M⁻¹ f) keeps order two.
    """

    alpha: float = -0.1
    name: ClassVar[str] = "hht"

    def __post_init__(self):
        check_alpha(self.alpha)

    def kernels(self, equations: Equations, account: bool, choice: Any = None) -> Kernels:
        """One kernel: linearise, solve, update."""
        e = closed(equations, self.name, choice)
        slots = Slots(e, account, (0.0, 1.0), (("a", e.n_v), ("x_dot", e.n_x)))
        d, resting, kept, bad = self._increments(slots)
        dv, dx = cut(d, e.n_v, e.n_x)
        mended = self._not_beyond(slots, dv, dx, resting, kept)
        new, end = updated(slots, self.alpha, dv, mended)
        functions = {
            "step": slots.function("step", [slots.packed(**new), slots.health(bad, end)]),
            **slots.slopes(),
            **slots.sample(),
        }
        unknowns = tuple(card.name for card in (*e.v_signals, *e.x_signals))
        return Kernels(functions, slots.blocks, slots.stages, unknowns=unknowns, notes={"slots": slots})

    def _increments(self, slots: Slots) -> tuple[Any, Any, Any, Any]:
        """dv and dx from the linearised equations; resting, kept; the backward error.

        resting   what each dx were while its own effort rests
        kept      what of dx does not hang on the rates at the step's end
        """
        e, h = slots.equations, slots.h
        beta, gamma, c = newmark(self.alpha)
        w = gamma * h * (1 + self.alpha)
        a, x_dot, v, x = (slots.piece[name] for name in ("a", "x_dot", "v", "x"))
        whole = seen(e, x)
        lin = ca.Function("linear", [e.t, e.q, e.v, e.x, e.z, e.u, e.p, e.a], linearised(e), OPTIONS)
        M, Ma, Ma_q, f_q, g_q, f_v, g_v, f_x, g_x, f_1, g_1 = lin(*slots.at(slots.u[1], t=slots.t + h, x=whole), a)
        now = ca.Function("now", [e.t, e.q, e.v, e.x, e.z, e.u, e.p], [e.f, e.x_dot], OPTIONS)
        f_0, g_0 = now(*slots.at(x=whole))
        torn, torn_q, torn_v, torn_x = self._torn(slots)
        F = (1 + self.alpha) * f_1 - self.alpha * f_0
        G = (1 + self.alpha) * g_1 - self.alpha * g_0 + torn
        J_q = (1 + self.alpha) * (f_q - Ma_q)
        g_q, g_v = g_q + torn_q, g_v + torn_v
        drift = h * (v + c * h * a)
        resting = gamma * h * G + (1 - gamma) * h * x_dot + w * ca.mtimes(g_q, drift)
        share, offset = branches(e, x, resting, w * ca.reshape(ca.diag(g_x), e.n_x, 1))
        A = ca.vertcat(
            ca.horzcat(M - beta * h * h * J_q - w * f_v, -w * scaled(e, f_x, share)),
            ca.horzcat(-w * (g_q * (h * beta / gamma) + g_v), SX.eye(e.n_x) - w * (scaled(e, g_x, share) + torn_x)),
        )
        b = ca.vertcat(
            gamma * h * F + (1 - gamma) * h * Ma + gamma * h * ca.mtimes(J_q, drift) + w * ca.mtimes(f_x, offset),
            resting + w * ca.mtimes(g_x, offset),
        )
        d, bad = solve(A, b)
        dx = cut(d, e.n_v, e.n_x)[1]
        kept = (1 - gamma) * h * x_dot - gamma * h * self.alpha * (g_0 + torn)
        return d, dx - w * ca.reshape(ca.diag(g_x), e.n_x, 1) * (share * dx + offset), kept, bad

    def _not_beyond(self, slots: Slots, dv: Any, dx: Any, resting: Any, kept: Any) -> "Mended":
        """dx, with pressures that the solve threw beyond their zero brought back.

        left = dx − w g₊ − kept, kept = (1 − γ) h ẋ − γh α g_n, is what the step's own equation leaves at its end, and
        −resting what it leaves at dx = 0: where the signs differ by far, the zero of the line through both is taken.
        Below the floor rates are those at the floor, so that is the end where a whole state would have torn.
        """
        e, h = slots.equations, slots.h
        rows = [row for row, card in enumerate(e.x_signals) if card.kind == "pressure"]
        thrown, leapt, share = SX(dx), SX(e.n_x, 1), SX(1)
        if not rows:
            return Mended(thrown, thrown, leapt, share)
        beta, gamma, c = newmark(self.alpha)
        x, v, a = (slots.piece[name] for name in ("x", "v", "a"))
        symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p]
        rates = ca.Function("rates", symbols, [ca.vertcat(*(e.x_dot[row] for row in rows))], OPTIONS)
        q = slots.plus(slots.piece["q"], h * (v + c * h * a + beta / gamma * dv))
        g_1 = rates(*slots.at(slots.u[1], t=slots.t + h, q=q, v=v + dv, x=x + dx))
        w, lows, dx = gamma * h * (1 + self.alpha), dict(e.floors), SX(dx)
        for k, row in enumerate(rows):
            end, low = dx[row], lows.get(row)
            if low is not None:
                end = ca.if_else(x[row] > low, ca.fmax(end, low - x[row]), end)
            left = end - w * g_1[k] - kept[row]
            driven = resting[row] * end
            leapt[row] = (driven > 0) * (left * end > driven / 2)
            part = ca.if_else(leapt[row], resting[row] / (resting[row] + left), 1)
            dx[row] = ca.if_else(leapt[row], end * part, dx[row])
            share = ca.fmin(share, part)
        return Mended(dx, thrown, leapt, share)

    def _torn(self, slots: Slots) -> list[Any]:
        """What open cavities add to x_dot, and its derivatives by the increment of q, by v and by x."""
        e = slots.equations
        terms = [e.torn, e.tangent(e.torn), ca.jacobian(e.torn, e.v), ca.jacobian(e.torn, e.x)]
        torn = ca.Function("torn", [e.t, e.q, e.v, e.x, e.z, e.u, e.p], terms, OPTIONS)
        return torn(*slots.at(slots.u[1], t=slots.t + slots.h))


def newmark(alpha: float) -> tuple[float, float, float]:
    """β, γ and c of the HHT family."""
    beta, gamma = (1 - alpha) ** 2 / 4, (1 - 2 * alpha) / 2
    return beta, gamma, (1 - 2 * beta / gamma) / 2


def check_alpha(alpha: float) -> None:
    """−1/3 < α ≤ 0."""
    if not -1 / 3 < alpha <= 0:
        raise DeclarationError(f"alpha = {alpha}: must be above -1/3 and at most 0 (numerical damping of HHT)")


def linearised(e: Equations) -> list[Any]:
    """M, M a, then ∂(M a), ∂f, ∂g by the increment of q, ∂f and ∂g by v and by x, f and g."""
    Ma, f, g = ca.mtimes(e.M, e.a), e.f, e.x_dot
    by_q = [e.tangent(value) for value in (Ma, f, g)]
    by_rest = [ca.jacobian(value, by) for by in (e.v, e.x) for value in (f, g)]
    return [e.M, Ma, *by_q, *by_rest, f, g]


class Mended(NamedTuple):
    """Increments of x, and where they came from."""

    dx: Any
    thrown: Any
    """as the solve gave them"""
    leapt: Any
    """which were brought back"""
    share: Any
    """the least part of a thrown one that was kept"""


def updated(slots: Slots, alpha: float, dv: Any, mended: Mended) -> tuple[dict[str, Any], list[Any]]:
    """All pieces of y after increments dv and dx, and the arguments at the step's end.

    What leapt has no slope; powers at the end lie on the line to where it leapt.
    """
    dx, thrown, leapt, share = mended
    beta, gamma, c = newmark(alpha)
    h, v, a, x_dot = slots.h, slots.piece["v"], slots.piece["a"], slots.piece["x_dot"]
    q = slots.plus(slots.piece["q"], h * (v + c * h * a + beta / gamma * dv))
    slope = x_dot + (dx / h - x_dot) / gamma
    for row in range(slots.equations.n_x):
        if leapt[row].nnz():
            slope[row] = ca.if_else(leapt[row], 0, slope[row])
    x, slope = slots.clamped(slots.piece["x"] + dx, slope)
    new = {"q": q, "v": v + dv, "x": x, "a": a + (dv / h - a) / gamma, "x_dot": slope}
    end = slots.at(slots.u[-1], t=slots.t + h, q=new["q"], v=new["v"], x=x)
    begin = slots.at(x=seen(slots.equations, slots.piece["x"]))
    beyond = slots.at(slots.u[-1], t=slots.t + h, q=new["q"], v=new["v"], x=slots.piece["x"] + thrown)
    before, after = slots.rates(*begin)[3], slots.rates(*beyond)[3]
    new["E"] = slots.piece["E"] + h / 2 * (before + before + share * (after - before))
    return new, end
