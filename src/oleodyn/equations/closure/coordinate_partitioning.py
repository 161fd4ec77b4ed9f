"""CoordinatePartitioning: loops closed by solving for the dependent coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import casadi as ca
import numpy as np

from oleodyn.equations.closure.constraints import constraints, largest, settled, strain
from oleodyn.equations.eliminate import inverse_determinant, solve
from oleodyn.equations.equations import Equations
from oleodyn.errors import AssemblyError
from oleodyn.machine.part import nearest

SX = ca.SX
GAP = 1e-9
"""Largest gap of a loop [m, rad] after a step."""
TRUST = 1e-9
"""Largest backward error of the solve for dependent speeds."""
STILL = 1e-4
"""Dependent speeds below this part of the largest count with it: at a dead point they are zero but for rounding."""


@dataclass(frozen=True)
class Choice:
    """Independent and dependent speeds, and the rows of Φ that determine the latter.

    The dependent ones and the rows stand in the order of the pivots.
    """

    independent: tuple[int, ...]
    dependent: tuple[int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True)
class CoordinatePartitioning:
    """Loop closure in independent coordinates: the minimal set of equations, for every stepper.

    Equations   v = R vⁱ + c:   vᵈ = −D_d⁻¹ (D_i vⁱ + Φ_t)
                Rᵀ M R v̇ⁱ = Rᵀ (f − M a₀),   a₀ᵈ = −D_d⁻¹ γ
                qᵈ from Φ(q, t) = 0 by Newton, from the tangent, `corrections` times
    Choice      Gaussian elimination of D with full pivoting: the columns without a pivot are
                independent, ties to the lowest index; redundant rows are left out. Chosen anew
                when an entry of D_d⁻¹ D_i exceeds `limit`.
    Limits      D must keep its rank: a singular position, or one that a step leaps over (det D_d
                changes its sign), is a StepError.
    References  Jaiswal (2021) dissertation, (2.26)-(2.29). Wehage & Haug (1982) J. Mech. Des.
                104, 247-255.
    """

    corrections: int = 3
    limit: float = 30.0
    independent: tuple[str, ...] | None = None
    name: ClassVar[str] = "partitioning"
    admits: ClassVar[tuple[str, ...]] = ("rk4", "ab3", "trapezoidal", "hht", "hht-partitioned")
    advice: ClassVar[str] = "No other coordinates are better: AugmentedLagrangian() goes through singular positions"

    def close(self, e: Equations, choice: Choice) -> Equations:
        """The equations of the tree of independent coordinates `choice`."""
        c = constraints(e, list(choice.rows))
        D_d, D_i = _columns(c.D, choice.dependent), _columns(c.D, choice.independent)
        v = ca.vertcat(*(e.v[i] for i in choice.independent))
        n = len(choice.independent)
        follow, bad = solve(D_d, -ca.horzcat(D_i, c.Phi_t), in_order=True, floor=STILL)
        v_all = _placed(e.n_v, choice, v, ca.mtimes(follow[:, :n], v) + follow[:, n])
        R = _stacked(e.n_v, choice, follow[:, :n])
        bias, _ = solve(D_d, -ca.substitute(c.gamma, e.v, v_all), in_order=True)
        a_0 = _placed(e.n_v, choice, SX.zeros(n), bias)
        f = ca.substitute(e.f, e.v, v_all)
        q_dot, x_dot, torn, outputs, powers, energies, guards = ca.substitute(
            [e.q_dot, e.x_dot, e.torn, e.outputs, e.powers, e.energies, e.guards], [e.v], [v_all]
        )
        a = SX.sym("a", n)
        a_all = ca.mtimes(R, a) + a_0
        lam = self._multipliers(e, choice, D_d, f - ca.mtimes(e.M, a_all))
        M, f = ca.mtimes([R.T, e.M, R]), ca.mtimes(R.T, f - ca.mtimes(e.M, a_0))
        plus = SX.eye(e.n_q) if e.n_q == e.n_v else e.tangent(e.q)
        return replace(
            e, v=v, a=a, M=M, f=f, q_dot=q_dot, x_dot=x_dot, torn=torn,
            powers=settled(powers, e.lam, lam, a, M, f), energies=energies, guards=guards,
            outputs=ca.substitute(outputs, ca.vertcat(e.a, e.lam), ca.vertcat(a_all, lam)),
            basis=ca.mtimes(plus, R), independent=choice.independent, v_all=v_all, all_signals=e.v_signals,
            v_signals=tuple(e.v_signals[i] for i in choice.independent), v_0=e.v_0[list(choice.independent)],
            strain=self._strain(e, D_d, follow[:, :n], bad), **self._retraction(e, choice),
        )  # fmt: skip

    def _strain(self, e: Equations, D_d: Any, follow: Any, bad: Any) -> Any:
        """One where D_d is badly conditioned or loops gape; and 1 / det D_d, whose sign must stay."""
        worst = ca.fmax(largest(follow) / self.limit, ca.fmax(bad / TRUST, largest(e.Phi) / GAP))
        return strain(worst, inverse_determinant(D_d))

    def _multipliers(self, e: Equations, choice: Choice, D_d: Any, force: Any) -> Any:
        """λ from D_dᵀ λ = (f − M v̇)_d; zero in redundant rows."""
        lam = SX.zeros(e.lam.numel())
        some, _ = solve(D_d.T, ca.vertcat(*(force[i] for i in choice.dependent)), in_order=True)
        for k, row in enumerate(choice.rows):
            lam[row] = some[k]
        return lam

    def _retraction(self, e: Equations, choice: Choice) -> dict[str, Any]:
        """δ of the independent coordinates, and q ⊕ δ with the dependent ones solved for."""
        delta = ca.vertcat(*(e.delta[i] for i in choice.independent))
        c = constraints(e, list(choice.rows))
        follow, _ = solve(_columns(c.D, choice.dependent), -_columns(c.D, choice.independent), in_order=True)
        dependent = ca.mtimes(follow, delta)
        for _ in range(self.corrections):
            dependent = dependent + self.correction(e, choice, delta, dependent)
        return {"delta": delta, "q_plus": moved(e, choice, delta, dependent)}

    def correction(self, e: Equations, choice: Choice, delta: Any, dependent: Any) -> Any:
        """One Newton correction of δᵈ at q ⊕ δ."""
        c = constraints(e, list(choice.rows))
        at = ca.Function("at", [e.q, e.t], [c.Phi, _columns(c.D, choice.dependent)])
        Phi, D_d = at(moved(e, choice, delta, dependent), e.t)
        step, _ = solve(D_d, -Phi, in_order=True)
        return step

    def nested(self, e: Equations, choice: Choice) -> tuple[Any, Any, Any]:
        """Functions (t, q, δⁱ, δᵈ) → q ⊕ δ, a correction of δᵈ, ∂δᵈ/∂δⁱ: for loops of their own."""
        delta = ca.vertcat(*(e.delta[i] for i in choice.independent))
        dependent = SX.sym("dependent", len(choice.dependent))
        c = constraints(e, list(choice.rows))
        there = moved(e, choice, delta, dependent)
        follow, _ = solve(_columns(c.D, choice.dependent), -_columns(c.D, choice.independent), in_order=True)
        follow = ca.Function("follow", [e.q, e.t], [follow])(there, e.t)
        values = {"place": there, "correct": self.correction(e, choice, delta, dependent), "follow": follow}
        inputs = [e.t, e.q, delta, dependent]
        place, correct, follow = (ca.Function(name, inputs, [value], {"cse": True}) for name, value in values.items())
        return place, correct, follow

    def choose(self, e: Equations, q: np.ndarray, t: float) -> Choice:
        """Full pivoting of D at a position."""
        D = np.array(ca.Function("D", [e.q, e.t], [ca.densify(constraints(e).D)])(q, t))
        if self.independent is not None:
            return self._asked(e, D)
        rows, columns = full_pivoting(D)
        return _choice(D.shape[1], rows, columns)

    def _asked(self, e: Equations, D: np.ndarray) -> Choice:
        names, asked_names = [card.name for card in e.v_signals], list(self.independent or ())
        asked: list[int] = []
        for name in asked_names:
            hits = [i for i, known in enumerate(names) if _names(name, known)]
            if len(hits) != 1:
                raise AssemblyError(
                    f"{e.name}: independent {name!r} names {len(hits) or 'no'} speeds{nearest(name, names) or '.'} "
                    f"It has {', '.join(names)}."
                )
            asked += hits
        others = [i for i in range(D.shape[1]) if i not in asked]
        rows, columns = full_pivoting(D[:, others])
        if len(columns) < len(others):
            free = [names[others[i]] for i in range(len(others)) if i not in columns]
            raise AssemblyError(
                f"{e.name}: with {', '.join(asked_names) or 'nothing'} independent, {', '.join(free)} stay "
                "undetermined. Name one of them too, or leave the choice to the program: independent=None."
            )
        rank = len(full_pivoting(D)[0])
        if len(columns) < rank:
            raise AssemblyError(
                f"{e.name}: {', '.join(asked_names)} cannot all be independent: the loops leave {D.shape[1] - rank} of "
                f"{D.shape[1]} speeds free. Name fewer, or leave the choice to the program: independent=None."
            )
        return _choice(D.shape[1], rows, [others[i] for i in columns])


def redundant(e: Equations) -> tuple[str, ...]:
    """Names of constraints that the others imply at the start: kept by all policies, by partitioning left out."""
    if not e.Phi.numel():
        return ()
    kept = CoordinatePartitioning().choose(e, e.q_0, 0.0).rows
    return tuple(card.name for row, card in enumerate(e.lam_signals) if row not in kept)


def _names(given: str, speed: str) -> bool:
    """True if "arm.elbow.q_dot" is meant by its full name or an end of it: arm.elbow.q, elbow.q, elbow."""
    coordinate = speed.removesuffix("_dot")
    return any(f".{known}".endswith(f".{given}") for known in (speed, coordinate, coordinate.removesuffix(".q")))


def full_pivoting(D: np.ndarray, tolerance: float = 1e-9) -> tuple[list[int], list[int]]:
    """Rows and columns of the pivots, in order; ties go to the lowest index."""
    A, rows, columns = D.copy(), [], []
    size = np.abs(A).max(initial=0.0)
    while len(rows) < min(A.shape):
        free = np.abs(A)
        free[rows, :] = free[:, columns] = 0
        largest = free.max()
        if largest <= tolerance * max(size, 1e-300):
            break
        i, j = np.argwhere(free >= largest * (1 - 1e-12))[0]
        rows.append(int(i))
        columns.append(int(j))
        others = [k for k in range(A.shape[0]) if k not in rows]
        A[others] -= np.outer(A[others, j] / A[i, j], A[i])
    return rows, columns


def moved(e: Equations, choice: Choice, delta: Any, dependent: Any) -> Any:
    """q ⊕ δ for given increments of the independent and the dependent coordinates."""
    return ca.substitute(e.q_plus, e.delta, _placed(e.n_v, choice, delta, dependent))


def _choice(n: int, rows: Sequence[int], columns: Sequence[int]) -> Choice:
    return Choice(tuple(i for i in range(n) if i not in columns), tuple(columns), tuple(rows))


def _columns(D: Any, which: Sequence[int]) -> Any:
    return ca.horzcat(SX(D.shape[0], 0), *(D[:, i] for i in which))


def _placed(n: int, choice: Choice, independent: Any, dependent: Any) -> Any:
    whole = [SX(0)] * n
    for k, i in enumerate(choice.independent):
        whole[i] = independent[k]
    for k, i in enumerate(choice.dependent):
        whole[i] = dependent[k]
    return ca.densify(ca.vertcat(*whole))


def _stacked(n: int, choice: Choice, follow: Any) -> Any:
    """R: the identity in independent rows, `follow` in dependent ones."""
    rows = [SX(1, len(choice.independent))] * n
    for k, i in enumerate(choice.independent):
        unit = SX(1, len(choice.independent))
        unit[0, k] = 1
        rows[i] = unit
    for k, i in enumerate(choice.dependent):
        rows[i] = follow[k, :]
    return ca.vertcat(*rows)
