"""Slots: the numbers of one simulation as symbols, and the kernels every stepper shares."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import casadi as ca

from oleodyn.equations.eliminate import solve_symmetric
from oleodyn.equations.equations import Equations
from oleodyn.program.kernels import Block
from oleodyn.simulation.steppers.floor import seen

SX = ca.SX
OPTIONS = {"cse": True}


class Slots:
    """y, p, u and c as symbols, cut into their named pieces.

    `memory` are the stepper's own blocks (name, size) behind q, v, x, z and E.
    """

    def __init__(self, equations: Equations, account: bool, stages: Sequence[float], memory: Sequence[tuple[str, int]]):
        e = equations
        self.equations, self.account = e, account
        n_e = e.powers.numel() if account else 0
        self.lifted = e.independent is not None
        self.carried = e.p.numel() - len(e.p_signals)
        """how many multipliers the policy for loops carries along"""
        n_all = e.v_all.numel() if self.lifted else e.n_v
        memory = [*memory, ("lam", self.carried)]
        sizes = [("q", e.n_q), ("v", n_all), ("x", e.n_x), ("z", e.z.numel()), ("E", n_e), *memory]
        blocks, start = [], 0
        for name, size in sizes:
            blocks.append(Block(name, start, size))
            start += size
        self.blocks = tuple(blocks)
        self.y = SX.sym("y", start)
        self.p = SX.sym("p", len(e.p_signals))
        self.u_all = SX.sym("u", e.u.numel() * len(stages))
        self.c = SX.sym("c", 2)
        self.t, self.h = self.c[0], self.c[1]
        self.piece = {block.name: self.y[block.slice, 0] for block in blocks}
        if self.lifted:
            self.piece["v"] = ca.vertcat(SX(0, 1), *(self.piece["v"][row] for row in e.independent or ()))
        self.u = [self.u_all[i * e.u.numel() : (i + 1) * e.u.numel()] for i in range(len(stages))]
        self.stages = tuple(stages)
        symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p]
        a = accelerations(e) if e.n_v and not self.carried else SX.zeros(e.n_v)
        self.rates = ca.Function(
            "rates", symbols, [e.q_dot, a, held_rates(e), e.powers if account else SX(0, 1)], OPTIONS
        )
        self.guard = ca.Function("guard", symbols, [_smallest(e.guards)], OPTIONS)
        self.moved = ca.Function("plus", [e.t, e.q, e.delta], [e.q_plus], OPTIONS)
        self.lift = ca.Function("lift", [e.t, e.q, e.v], [e.v_all if self.lifted else e.v], OPTIONS)

    def at(self, u: Any = None, **changed: Any) -> list[Any]:
        """Arguments (t, q, v, x, z, u, p) at the start of the step, some of them changed."""
        now = {"t": self.t, **{name: self.piece[name] for name in ("q", "v", "x", "z", "lam")}} | changed
        p = ca.vertcat(self.p, now["lam"])
        return [*(now[name] for name in ("t", "q", "v", "x", "z")), self.u[0] if u is None else u, p]

    def packed(self, **new: Any) -> Any:
        """y with some pieces replaced; `t` is the time they belong to (default: the step's end)."""
        t = new.pop("t", self.t + self.h)
        if self.lifted:
            new["v"] = (
                self.lift(t, new.get("q", self.piece["q"]), new["v"]) if "v" in new else self.y[self.blocks[1].slice, 0]
            )
        return ca.vertcat(*(ca.densify(SX(new.get(block.name, self.piece[block.name]))) for block in self.blocks))

    def plus(self, q: Any, delta: Any) -> Any:
        """q ⊕ δ at the step's end."""
        return self.moved(self.t + self.h, q, delta)

    def settled(self, q: Any, t: Any) -> Any:
        """q with its quaternions back at unit length and its loops closed, at time t."""
        return self.moved(t, q, SX.zeros(self.equations.n_v)) if self.equations.n_q != self.equations.n_v else q

    def function(self, name: str, outputs: Sequence[Any], w: Any = None) -> Any:
        """A kernel (y, p, u, c[, w]) → outputs."""
        inputs = [self.y, self.p, self.u_all, self.c] + ([] if w is None else [w])
        return ca.Function(name, inputs, [ca.densify(SX(output)) for output in outputs], OPTIONS)

    def clamped(self, x: Any, x_dot: Any) -> tuple[Any, Any]:
        """x within its bounds; where it had to be held back, its slope is zero."""
        x, x_dot = SX(x), SX(x_dot)
        for row, low, high in self.equations.clamps:
            inside = ca.fmax(low, ca.fmin(x[row], high))
            x_dot[row] = ca.if_else(ca.ne(inside, x[row]), 0, x_dot[row])
            x[row] = inside
        return x, x_dot

    def health(self, bad: Any, arguments: Sequence[Any]) -> Any:
        """(backward error of the linear solve, smallest guard)."""
        e = self.equations
        if e.strain is not None:
            strain = ca.Function("strain", [e.q, e.t], [e.strain[0], e.strain[1]], OPTIONS)
            (worst, side), (_, before) = strain(arguments[1], arguments[0]), strain(self.piece["q"], self.t)
            bad = ca.fmax(bad, ca.fmax(ca.ge(worst, 1), ca.le(ca.sign(side) * before, 0)))
        return ca.vertcat(bad, self.guard(*arguments))

    def sample(self) -> dict[str, Any]:
        """sample_i: what each controller does at its instant."""
        e = self.equations
        kernels = {}
        for i, sampler in enumerate(e.samplers):
            new = ca.Function("next", [e.t, e.q, e.v, e.x, e.z, e.u, e.p], [sampler.next], OPTIONS)(*self.at())
            z = SX(self.piece["z"])
            for k, row in enumerate(sampler.rows):
                z[row] = new[k]
            kernels[f"sample_{i}"] = self.function(f"sample_{i}", [self.packed(z=z)])
        return kernels

    def sources(self) -> list[Any]:
        """What can jump: the external inputs, then each sampler's numbers."""
        e = self.equations
        return [e.u, *(ca.vertcat(*(e.z[row] for row in sampler.rows)) for sampler in e.samplers)]

    def slopes(self) -> dict[str, Any]:
        """start and restart_j for steppers that remember a = v̇ and x_dot.

        A jump re-initialises only the slopes that depend on what jumped.
        """
        e = self.equations
        x_dot = self.rates(*self.at())[2]
        fresh = self._fresh()
        kernels = {"start": self.function("start", [self.packed(**fresh, x_dot=x_dot)])}
        for j, source in enumerate(self.sources()):
            x_new = SX(self.piece["x_dot"])
            for row in range(e.n_x):
                if source.numel() and ca.depends_on(e.x_dot[row], source):
                    x_new[row] = x_dot[row]
            moved = bool(source.numel()) and ca.depends_on(e.f, source)
            kernels[f"restart_{j}"] = self.function(
                f"restart_{j}", [self.packed(**fresh if moved else {}, x_dot=x_new)]
            )
        return kernels

    def _fresh(self) -> dict[str, Any]:
        """Accelerations, and multipliers if they are carried, from the equations."""
        e = self.equations
        if not self.carried:
            return {"a": self.rates(*self.at())[1]}
        symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p]
        without = replace(e, f=ca.substitute(e.f, e.lam, SX.zeros(self.carried)))
        a, lam = ca.Function("fresh", symbols, e.loops.start(without), OPTIONS)(*self.at(lam=SX.zeros(self.carried)))
        return {"a": a, "lam": lam}

    def observe(self, rows: Sequence[int]) -> Any:
        """States, inputs, the chosen outputs, stored energies and works at the start of the step."""
        e = self.equations
        energies = e.energies if self.account else SX(0, 1)
        speeds = e.v_all if self.lifted else e.v
        chosen = ca.vertcat(e.q, speeds, seen(e, e.x), e.z, e.u, *(e.outputs[row] for row in rows), energies)
        symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p]
        a = SX(0, 1)
        if e.n_v and ca.depends_on(chosen, e.a):
            a = self.piece["a"] if self.carried else ca.Function("a", symbols, [accelerations(e)], OPTIONS)(*self.at())
        value = ca.Function("chosen", [*symbols, e.a], [chosen], OPTIONS)
        told = value(*self.at(), a if a.numel() else SX.zeros(e.a.numel()))
        return self.function("observe", [ca.vertcat(told, self.piece["E"])])


def cut(column: Any, *sizes: int) -> list[Any]:
    """A column in stretches of these sizes."""
    ends = [sum(sizes[:k]) for k in range(len(sizes) + 1)]
    return ca.vertsplit(column, ends)


def accelerations(e: Equations) -> Any:
    """v̇ = M⁻¹ f of a tree."""
    return solve_symmetric(e.M, e.f)


def held_rates(e: Equations) -> Any:
    """ẋ, but never out of the bounds of a state that sits on one."""
    x_dot = SX(e.x_dot)
    for row, low, high in e.clamps:
        x_dot[row] = ca.if_else(ca.le(e.x[row], low), ca.fmax(x_dot[row], 0), x_dot[row])
        x_dot[row] = ca.if_else(ca.ge(e.x[row], high), ca.fmin(x_dot[row], 0), x_dot[row])
    return x_dot


def _smallest(values: Any) -> Any:
    smallest = SX(1)
    for i in range(values.numel()):
        smallest = ca.fmin(smallest, values[i])
    return smallest
