"""PartitionedHHT: valve, oil, friction and mechanics one after the other, as published."""

from dataclasses import dataclass
from typing import Any, ClassVar

import casadi as ca

from oleodyn.equations.closure.close import closed
from oleodyn.equations.eliminate import solve
from oleodyn.equations.equations import Equations
from oleodyn.program.kernels import Kernels
from oleodyn.simulation.steppers.floor import branches, seen
from oleodyn.simulation.steppers.hht import Mended, check_alpha, newmark, updated
from oleodyn.simulation.steppers.slots import OPTIONS, Slots

SX = ca.SX
ORDER = ("controller", "spool", "pressure", "flow", "film", "bristle", "other")
FAMILIES = (("controller", "spool"), ("pressure", "flow"), ("film", "bristle", "other"))


@dataclass(frozen=True)
class PartitionedHHT:
    """Implicit in each part of the machine, explicit between them; order 1.

    Equations   per family, in the order spool, pressure, bristle, mechanics, with what the
                earlier families have just become and what the later ones still are:
                (1 − w ∂g/∂x) dx = h g
                [M − βh² J_q − γh J_v] dv = h f + γh² J_q (v + c h a)
                J_q = (1 + α) ∂f/∂q − ∂(M a)/∂q,   J_v = (1 + α) ∂f/∂v
    Limits      oil and mechanics are coupled explicitly: unstable when h times the hydraulic
                frequency exceeds about 2; a small volume behind a wide opening rings. For
                comparison; `HHT` is better in every respect.
    References  Kim, Lee & Kim (2021) IEEE Access 9, (13)-(28), in the paper's order.
    """

    alpha: float = -0.1
    name: ClassVar[str] = "hht-partitioned"

    def __post_init__(self):
        check_alpha(self.alpha)

    def kernels(self, equations: Equations, account: bool, choice: Any = None) -> Kernels:
        """One kernel: family after family."""
        e = closed(equations, self.name, choice)
        slots = Slots(e, account, (0.0, 1.0), (("a", e.n_v), ("x_dot", e.n_x)))
        w = newmark(self.alpha)[1] * slots.h * (1 + self.alpha)
        x, bad = SX(slots.piece["x"]), SX(0)
        for family in FAMILIES:
            rows = [row for row, card in enumerate(e.x_signals) if _kind(card.kind) in family]
            if rows:
                x, error = self._family(slots, x, rows, w)
                bad = ca.fmax(bad, error)
        dv, error = self._mechanics(slots, x)
        dx = x - slots.piece["x"]
        new, end = updated(slots, self.alpha, dv, Mended(dx, dx, SX(e.n_x, 1), SX(1)))
        functions = {
            "step": slots.function("step", [slots.packed(**new), slots.health(ca.fmax(bad, error), end)]),
            **slots.slopes(),
            **slots.sample(),
        }
        unknowns = tuple(card.name for card in (*e.v_signals, *e.x_signals))
        return Kernels(functions, slots.blocks, slots.stages, unknowns=unknowns, notes={"slots": slots})

    def _family(self, slots: Slots, x: Any, rows: list[int], w: Any) -> tuple[Any, Any]:
        """x with the rows of one family advanced."""
        e = slots.equations
        mine = ca.vertcat(*(e.x[row] for row in rows))
        g = ca.vertcat(*(e.x_dot[row] for row in rows))
        symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p]
        family = ca.Function("family", symbols, [g, ca.jacobian(g, mine)], OPTIONS)
        value, _ = family(*slots.at(slots.u[1], t=slots.t + slots.h, x=x))
        _, slope = family(*slots.at(slots.u[1], t=slots.t + slots.h, x=seen(e, x)))
        resting, steep = SX.zeros(e.n_x), SX.zeros(e.n_x)
        for k, row in enumerate(rows):
            resting[row], steep[row] = slots.h * value[k], w * slope[k, k]
        share, offset = branches(e, x, resting, steep)
        mine, held = (ca.vertcat(*(column[row] for row in rows)) for column in (share, offset))
        dx, bad = solve(
            SX.eye(len(rows)) - w * ca.mtimes(slope, ca.diag(mine)), slots.h * value + w * ca.mtimes(slope, held)
        )
        x = SX(x)
        for k, row in enumerate(rows):
            x[row] = x[row] + dx[k]
        return x, bad

    def _mechanics(self, slots: Slots, x: Any) -> tuple[Any, Any]:
        """dv with the new oil and friction."""
        e, h = slots.equations, slots.h
        if not e.n_v:
            return SX(0, 1), SX(0)
        beta, gamma, c = newmark(self.alpha)
        Ma = ca.mtimes(e.M, e.a)
        symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p, e.a]
        terms = [e.M, e.f, e.tangent(Ma), e.tangent(e.f), ca.jacobian(e.f, e.v)]
        a, v = slots.piece["a"], slots.piece["v"]
        M, f, Ma_q, f_q, f_v = ca.Function("mechanics", symbols, terms, OPTIONS)(
            *slots.at(slots.u[1], t=slots.t + h, x=x), a
        )
        J_q, J_v = (1 + self.alpha) * f_q - Ma_q, (1 + self.alpha) * f_v
        b = h * f + gamma * h * h * ca.mtimes(J_q, v + c * h * a)
        return solve(M - beta * h * h * J_q - gamma * h * J_v, b)


def _kind(kind: str) -> str:
    return kind if kind in ORDER else "other"
