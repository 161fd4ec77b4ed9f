"""How long it takes to begin: a fresh process to its first step, and compiling chains of more and more joints."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from oleodyn.equations.assemble import assemble
from oleodyn.errors import OleodynError
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.joint import Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.program.compile import compile
from oleodyn.simulation.steppers.by_name import stepper_named

FIRST_STEP = """
import sys, time
begin = time.perf_counter()
import oleodyn
from oleodyn.catalogue.shelf import load
from oleodyn.simulation.loops import loops_named
from oleodyn.simulation.steppers.by_name import stepper_named
machine = load(sys.argv[1])
equations = oleodyn.assemble(machine, loops=loops_named(machine.defaults.loops))
program = oleodyn.compile(equations, stepper_named(machine.defaults.stepper))
program.step(program.start(), machine.defaults.dt)
print(time.perf_counter() - begin)
"""
JOINTS = (6, 12, 20, 30)
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Start:
    """From `import oleodyn` to the first step of a machine [s]: nothing cached, all cached."""

    cold: float
    warm: float


def start(machine: str, again: int = 3) -> Start:
    """In fresh processes, with a cache folder that is empty at first; the best of some when it is not."""
    with tempfile.TemporaryDirectory(prefix="oleodyn-") as folder:
        cold, *warm = (_first_step(machine, folder) for _ in range(1 + again))
    return Start(cold, min(warm))


def _first_step(machine: str, cache: str) -> float:
    command = [sys.executable, "-c", FIRST_STEP, machine]
    done = subprocess.run(command, env={**os.environ, "OLEODYN_CACHE_DIR": cache}, capture_output=True, text=True)
    if done.returncode:
        raise OleodynError(f"{machine} does not come to its first step: {done.stderr.strip().splitlines()[-1]}")
    return float(done.stdout)


@dataclass(frozen=True)
class Compilation:
    """Seconds to assemble a chain and to compile it for a stepper, nothing cached."""

    joints: int
    stepper: str
    assemble: float
    compile: float


def compilations(tell: Callable[[], None], steppers: tuple[str, ...] = ("rk4", "hht")) -> Iterator[Compilation]:
    """Chains of hinges, compiled one after the other; `tell` is called after each."""
    with tempfile.TemporaryDirectory(prefix="oleodyn-") as folder, cached_in(folder):
        for joints in JOINTS:
            machine = chain(joints)
            begin = time.perf_counter()
            equations = assemble(machine)
            assembled = time.perf_counter() - begin
            for name in steppers:
                begin = time.perf_counter()
                compile(equations, stepper_named(name), record=[])
                yield Compilation(joints, name, assembled, time.perf_counter() - begin)
                tell()


@contextmanager
def cached_in(folder: str) -> Generator[None]:
    """Machine code goes to this folder."""
    before = os.environ.get("OLEODYN_CACHE_DIR")
    os.environ["OLEODYN_CACHE_DIR"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["OLEODYN_CACHE_DIR"]
        else:
            os.environ["OLEODYN_CACHE_DIR"] = before


def chain(joints: int) -> Machine:
    """A chain of hinges about x, y and z in turn, with products of inertia in every link."""
    bodies, hinges, parent = {}, {}, "world"
    for k in range(joints):
        name, axis = f"link_{k}", AXES[k % 3]
        inertia = ((0.05, 0.001, 0.002), (0.001, 0.06, -0.003), (0.002, -0.003, 0.03))
        bodies[name] = Body(mass=2.0 + 0.1 * k, com=(0.05, 0.02 * (k % 3), 0.2), inertia=inertia)
        hinges[f"joint_{k}"] = Revolute(parent=parent, child=name, position=(0.1, 0.0, 0.4), axis=axis, q_0=0.3)
        parent = name
    machine = Machine(f"chain of {joints}")
    machine.add("arm", Mechanism(bodies=bodies, joints=hinges))
    return machine
