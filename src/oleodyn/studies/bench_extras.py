"""More to measure of some machines: rigid dynamics beside other engines, long chains, step calls."""

import time
from collections.abc import Callable, Iterator

import casadi as ca
import numpy as np

from oleodyn.equations.assemble import assemble
from oleodyn.equations.eliminate import solve_symmetric
from oleodyn.equations.equations import Equations
from oleodyn.equations.inspect import operations
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.joint import Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.program.compile import compile
from oleodyn.program.native_function import NativeFunction
from oleodyn.program.peak import peak_flops
from oleodyn.program.target import vector_width
from oleodyn.simulation.loops import loops_named
from oleodyn.simulation.steppers.by_name import STEPPERS, stepper_named
from oleodyn.studies.bench_rivals import rivals

CHAINS = (6, 12, 20, 30)
CALLS = 20_000


def extras(machine: Machine, progress: Callable[[float], None]) -> list[str]:
    """Further lines for this machine."""
    equations = assemble(machine, loops=loops_named(machine.defaults.loops))
    lines = ["", call_overhead(machine, equations)]
    if machine.name == "rigid-arm":
        lines += ["", *rigid(machine, equations), "", *chains(progress)]
    return lines


def call_overhead(machine: Machine, equations: Equations) -> str:
    """What `program.step(state, dt)` from Python costs."""
    program = compile(equations, stepper_named(machine.defaults.stepper), record=[], account=False)
    state, dt = program.start(), machine.defaults.dt
    for _ in range(100):
        program.step(state, dt)
    best = np.inf
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(CALLS // 20):
            program.step(state, dt)
        best = min(best, (time.perf_counter() - begin) / (CALLS // 20))
    return f"program.step(state, dt) called from Python: {1e6 * best:.2f} µs, the step included"


def rigid(machine: Machine, e: Equations) -> Iterator[str]:
    """Forward dynamics of an arm, alone and with its Jacobian, against the core's peak and other engines."""
    a = solve_symmetric(e.M, e.f)
    forward = ca.Function("forward", [e.q, e.v], [a], {"cse": True})
    residual = ca.mtimes(e.M, e.a) - e.f
    slopes = ca.horzcat(ca.jacobian(residual, e.q), ca.jacobian(residual, e.v))
    at = ca.Function("at", [e.q, e.v, e.a], [ca.densify(slopes)], {"cse": True})(e.q, e.v, a)
    jacobian = ca.Function("jacobian", [e.q, e.v], [a, -solve_symmetric(e.M, at)], {"cse": True})
    rng = np.random.default_rng(1)
    q, v = rng.uniform(-1, 1, e.n_q), rng.uniform(-1, 1, e.n_v)
    width, peak = vector_width(), peak_flops()
    flops = _work(forward)
    one = NativeFunction(forward, 1).time(CALLS, q, v)
    lanes = NativeFunction(forward, width).time(CALLS, np.tile(q, (width, 1)), np.tile(v, (width, 1))) / width
    full = NativeFunction(jacobian, 1).time(CALLS, q, v)
    yield f"operations: {', '.join(f'{name} {n}' for name, n in operations(e).items())}"
    share = f"{flops} operations, {flops / lanes / peak:.0%} of this core's {1e-9 * peak:.0f} GFlop/s"
    yield f"forward dynamics: {1e6 * one:.3f} µs, {1e6 * lanes:.4f} µs a lane of {width} ({share})"
    yield f"with its full Jacobian: {1e6 * full:.3f} µs ({_work(jacobian)} operations)"
    yield from rivals(machine, q, v, one, full)


def _work(f: ca.Function) -> int:
    quiet = (ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST)
    return sum(f.instruction_id(k) not in quiet for k in range(f.n_instructions()))


def chains(progress: Callable[[float], None]) -> Iterator[str]:
    """Time from parts to machine code for chains of hinges with general inertias."""
    yield "from parts to machine code, cache not used:"
    for n in CHAINS:
        machine = chain(n)
        for name in ("rk4", "trapezoidal"):
            if name != "rk4" and n > 20:
                continue
            begin = time.perf_counter()
            compile(assemble(machine), STEPPERS[name](), record=[], account=False)
            yield f"  {n:2d} joints, {name:12s} {time.perf_counter() - begin:6.2f} s"
            progress(1.0)


def chain(n: int) -> Machine:
    """A chain of hinges about changing axes, inertias with products; new numbers each time."""
    rng = np.random.default_rng()
    axes = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    bodies, joints = {}, {}
    for i in range(n):
        A = rng.normal(size=(3, 3))
        inertia = 2 * np.eye(3) + 0.1 * A @ A.T
        bodies[f"link_{i}"] = Body(
            mass=rng.uniform(5, 50), com=tuple(0.1 * rng.normal(size=3)), inertia=inertia.tolist()
        )
        parent = f"link_{i - 1}" if i else "world"
        joints[f"joint_{i}"] = Revolute(
            parent=parent, child=f"link_{i}", position=(0.4, 0.0, 0.1), axis=axes[i % 3], q_0=0.1 * (i % 6)
        )
    machine = Machine(f"chain-{n}")
    machine.add("arm", Mechanism(bodies=bodies, joints=joints))
    return machine
