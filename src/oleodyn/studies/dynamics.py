"""Forward dynamics of a robot: ours beside Pinocchio's and MuJoCo's, in the same run.

These two are used if they are installed (the `bench` extra), and nowhere else.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from oleodyn.equations.assemble import assemble
from oleodyn.equations.equations import Equations
from oleodyn.equations.forward import forward_dynamics
from oleodyn.equations.inspect import work
from oleodyn.errors import DataError
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.joint import Prismatic, Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.program.native_function import NativeFunction
from oleodyn.program.target import vector_width
from oleodyn.simulation.cost import best
from oleodyn.studies.robot import urdf

POINTS = 4096
AGREE = 1e-9
"""Relative difference of accelerations above which a comparison would be worth nothing."""


@dataclass(frozen=True)
class Timing:
    """One way to compute accelerations: by whom, what, how it was called, seconds for one point."""

    who: str
    what: str
    how: str
    seconds: float
    operations: int | None = None


class Points:
    """Random states of a robot and the forces on its joints: (n, size) each."""

    def __init__(self, e: Equations, damping: np.ndarray):
        chance = np.random.default_rng(1)
        self.q, self.v = chance.uniform(-1, 1, (POINTS, e.n_q)), chance.normal(size=(POINTS, e.n_v))
        self.tau = 50 * chance.normal(size=(POINTS, e.n_v))
        self.damped = self.tau - damping * self.v
        """The forces with those of the joints' dampers, for programs that know none."""


def compared(machine: Machine) -> Iterator[Timing]:
    """Timings of ours and, where they are installed, of the others; they are checked to agree first."""
    (robot,) = machine.parts.values()
    if not isinstance(robot, Mechanism):
        raise DataError(f"{machine.name} is more than a mechanism: other programs have no part for that")
    e = assemble(machine)
    hinges = [joint for joint in robot.joints.values() if isinstance(joint, Revolute | Prismatic)]
    points = Points(e, np.array([joint.damping for joint in hinges]))
    function = NativeFunction(forward_dynamics(e))
    accelerations = np.asarray(function(points.q, points.v, points.tau))
    yield from _ours(e, points)
    yield Timing(
        "oleodyn", "v̇", f"arrays of {POINTS} points in one call, one thread",
        best(lambda: function(points.q, points.v, points.tau)) / POINTS,
    )  # fmt: skip
    for package, timings in OTHERS.items():
        if find_spec(package):
            yield from timings(urdf(robot), points, accelerations)


def absent() -> list[str]:
    """The other programs that are not installed."""
    return [package for package in OTHERS if not find_spec(package)]


def _ours(e: Equations, points: Points) -> Iterator[Timing]:
    for what, derivatives in (("v̇", False), ("v̇, ∂v̇/∂q, ∂v̇/∂v, M⁻¹", True)):
        function = forward_dynamics(e, derivatives)
        for width in (1, vector_width()):
            native = NativeFunction(function, width=width)
            seconds = min(native.time(10_000, points.q[0], points.v[0], points.tau[0]) for _ in range(7)) / width
            how = "in a loop in machine code, " + ("one at a time" if width == 1 else f"{width} side by side")
            yield Timing("oleodyn", what, how, seconds, work(function))


def _pinocchio(text: str, points: Points, expected: np.ndarray) -> Iterator[Timing]:
    pin = import_module("pinocchio")
    model = pin.buildModelFromXML(text)
    data = model.createData()
    q, v, tau = (np.asfortranarray(array.T) for array in (points.q, points.v, points.damped))
    out = np.asfortranarray(np.zeros_like(v))
    pool = pin.ModelPool(model, 1)

    def together() -> None:
        pin.abaInParallel(1, pool, q, v, tau, out)

    together()
    _agree("Pinocchio", out.T, expected)
    yield Timing("Pinocchio", "v̇", "pin.abaInParallel, one thread, no Python in between", best(together) / POINTS)
    rows = list(zip(points.q, points.v, points.damped, strict=True))

    def one_by_one(function: Callable[..., Any]) -> float:
        return best(lambda: [function(model, data, *row) for row in rows]) / POINTS

    yield Timing("Pinocchio", "v̇", "pin.aba in a Python loop, call included", one_by_one(pin.aba))
    yield Timing(
        "Pinocchio", "v̇, ∂v̇/∂q, ∂v̇/∂v, M⁻¹", "pin.computeABADerivatives in a Python loop, call included",
        one_by_one(pin.computeABADerivatives),
    )  # fmt: skip


def _mujoco(text: str, points: Points, expected: np.ndarray) -> Iterator[Timing]:
    mujoco, rollout = import_module("mujoco"), import_module("mujoco.rollout")
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_EULERDAMP
    data = mujoco.MjData(model)
    found = np.empty_like(expected)
    for i in range(len(found)):
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = points.q[i], points.v[i], points.tau[i]
        mujoco.mj_forward(model, data)
        found[i] = data.qacc
    _agree("MuJoCo", found, expected)

    def loop() -> None:
        for _ in range(POINTS):
            mujoco.mj_forward(model, data)

    yield Timing("MuJoCo", "v̇", "mujoco.mj_forward in a Python loop on one state, call included", best(loop) / POINTS)
    mujoco.mj_resetData(model, data)
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros(size)
    mujoco.mj_getState(model, data, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    model.opt.timestep = 1e-4
    yield Timing(
        "MuJoCo", "v̇ and an Euler step", "mujoco.rollout, one thread, no Python in between",
        best(lambda: rollout.rollout(model, data, start, nstep=POINTS)) / POINTS,
    )  # fmt: skip


OTHERS = {"pinocchio": _pinocchio, "mujoco": _mujoco}


def _agree(who: str, found: np.ndarray, expected: np.ndarray) -> None:
    off = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    if not off < AGREE:
        raise DataError(f"{who} finds other accelerations (by {off:.1e}): its timing would be worth nothing")
