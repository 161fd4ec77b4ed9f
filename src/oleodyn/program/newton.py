"""Newton's iteration inside the native loop, each lane until it has converged.

A lane has converged when its largest scaled correction is below 1. Converged lanes keep their
workspace while others iterate. At the cap a lane is accepted if its correction is below the accept
factor, else it fails. A nested iteration with the same rule may follow every iterate.
"""

from typing import TYPE_CHECKING

from oleodyn.program.failure import BAD_PIVOT, NEWTON, NON_FINITE
from oleodyn.program.lanes import F64, I64, PTR, Here

if TYPE_CHECKING:
    from oleodyn.program.drivers import Run


def solve(run: "Run") -> None:
    """Write predict, then iterate (and inner) until no lane is active."""
    b = run.b
    run.call("predict", run.get(run.w, PTR))
    active = run.variable(run.MASK, run.without(run.alive(), run.failing()))
    if "inner" in run.kernels:
        _repeat(run, "inner", active)
        b.store(run.without(run.get(active, run.MASK), run.failing()), active)
    _repeat(run, "iterate", active)


def _repeat(run: "Run", kernel: str, lanes: Here) -> None:
    """Call a kernel until the lanes have converged, failed, or reached the cap."""
    b = run.b
    inner = kernel == "inner"
    iterations, most = ("inner_iterations", "max_inner") if inner else ("iterations", "max_iterations")
    cap = b.fptosi(run.settings[1 if inner else 0], I64)
    active, turns = run.variable(run.MASK, run.get(lanes, run.MASK)), run.variable(I64, I64(0))
    head, end = b.append_basic_block(kernel), b.append_basic_block(f"{kernel}_end")
    b.cbranch(run.some(run.get(active, run.MASK)), head, end)
    b.position_at_end(head)
    mask = run.get(active, run.MASK)
    run.increase(run.counters[iterations], run.count(mask))
    run.increase(turns, I64(1))
    size, bad = _refine(run, kernel, mask)
    _judge(run, mask, size, bad)
    if not inner and "inner" in run.kernels:
        b.store(run.without(mask, run.failing()), active)
        _repeat(run, "inner", active)
    still = run.without(mask, run.failing())
    going = _going(run, still, size, b.icmp_signed(">=", run.get(turns, I64), cap))
    b.store(going, active)
    b.cbranch(run.some(going), head, end)
    b.position_at_end(end)
    run.raise_to(run.counters[most], run.get(turns, I64))


def _refine(run: "Run", kernel: str, active: Here) -> tuple[Here, Here]:
    """One iteration: its largest scaled correction and its bad pivot; other lanes keep their workspace."""
    b = run.b
    old, new = run.get(run.w, PTR), run.get(run.w_next, PTR)
    run.call(kernel, old, new, run.norm)
    if run.W > 1:
        with b.if_then(b.not_(run.all(active)), likely=False):
            run.blend(active, new, old, run.sizes.w)
    b.store(new, run.w)
    b.store(old, run.w_next)
    return run.row(run.norm, 0), run.row(run.norm, 1)


def _judge(run: "Run", active: Here, size: Here, bad: Here) -> None:
    """Fail the active lanes whose iteration went wrong."""
    b = run.b
    infinite = run.mask(b.fcmp_unordered("uge", size, run.splat(F64(float("inf")))))
    wrong = run.mask(b.fcmp_unordered("ugt", bad, run.splat(run.settings[3])))
    run.fail(b.and_(active, infinite), NON_FINITE)
    run.fail(b.and_(active, wrong), BAD_PIVOT)


def _going(run: "Run", active: Here, size: Here, last: Here) -> Here:
    """Lanes to iterate again; at the cap the rest is accepted or fails."""
    b = run.b
    going = b.and_(active, run.mask(b.fcmp_unordered("uge", size, run.splat(F64(1.0)))))
    with b.if_then(b.and_(last, run.some(going)), likely=False):
        near = b.and_(going, run.mask(b.fcmp_ordered("<", size, run.splat(run.settings[2]))))
        run.increase(run.counters["accepted"], run.count(near))
        run.fail(run.without(going, near), NEWTON)
    return b.select(last, run.none, going)
