"""Inspecting: what equations consist of, how many operations they take, how they read."""

from collections.abc import Iterator
from typing import Any

import casadi as ca

from oleodyn.equations.equations import Equations


def operations(e: Equations) -> dict[str, int]:
    """Scalar operations of each group, common subexpressions counted once."""
    symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p, e.a, e.lam]
    groups = {"M": e.M, "f": e.f, "x_dot": e.x_dot, "Phi": e.Phi, "outputs": e.outputs, "powers": e.powers}
    groups["M, f and x_dot together"] = ca.vertcat(ca.vec(e.M), e.f, e.x_dot)
    return {name: work(ca.Function("count", symbols, [value], {"cse": True})) for name, value in groups.items()}


def work(function: Any) -> int:
    """Scalar operations of a function of SX; moves and constants are none."""
    idle = (ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST)
    return sum(function.instruction_id(k) not in idle for k in range(function.n_instructions()))


def pattern(e: Equations) -> str:
    """The structure of M and of the derivative of (f, x_dot), a dot for each entry."""
    J = ca.jacobian(ca.vertcat(e.f, e.x_dot), ca.vertcat(e.q, e.v, e.x))
    return "M\n" + _dots(e.M) + "\n∂(f, x_dot)/∂(q, v, x)\n" + _dots(J)


def _dots(matrix: Any) -> str:
    rows, columns = matrix.sparsity().get_triplet()
    filled = set(zip(rows, columns, strict=True))
    return "\n".join(
        "".join("●" if (i, j) in filled else "·" for j in range(matrix.shape[1])) for i in range(matrix.shape[0])
    )


def text(e: Equations) -> str:
    """A readable print: what there is, then each equation of a state."""
    return "\n".join(_lines(e))


def _lines(e: Equations) -> Iterator[str]:
    yield f"{e.name}: {e.n_q} coordinates, {e.n_v} speeds, {e.n_x} first-order states, {e.z.numel()} sampled"
    yield f"  {e.u.numel()} inputs, {e.p.numel()} tunables, {e.outputs.numel()} outputs, {e.Phi.numel()} constraints"
    for title, signals in (
        ("coordinates", e.q_signals), ("speeds", e.v_signals), ("states", e.x_signals), ("sampled", e.z_signals),
        ("inputs", e.u_signals), ("tunables", e.p_signals),
    ):  # fmt: skip
        if signals:
            yield f"{title}"
        for card in signals:
            yield f"  {card.name} [{card.unit}] {card.text}"
    for card, rate in zip(e.x_signals, ca.vertsplit(e.x_dot), strict=True):
        yield f"d/dt {card.name} = {_short(rate)}"
    for i, card in enumerate(e.v_signals):
        yield f"force on {card.name} = {_short(e.f[i])}"


def _short(value: Any, most: int = 400) -> str:
    words = str(value)
    return words if len(words) <= most else words[:most] + " …"
