"""Other engines on the same arm: Pinocchio and MuJoCo, each called the fastest way its package offers."""

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from oleodyn.machine.machine import Machine
from oleodyn.mechanics.rotation import unit

CALLS = 20_000
STEPS = 20_000


def rivals(machine: Machine, q: np.ndarray, v: np.ndarray, ours: float, ours_full: float) -> Iterator[str]:
    """Their forward dynamics beside ours, as ratios; a line for each that is installed."""
    arm = machine.parts["arm"]
    if find_spec("pinocchio"):
        aba, full = _pinocchio(arm, q, v)
        yield f"Pinocchio's aba from Python: {1e6 * aba:.2f} µs a call, {aba / ours:.1f} × ours"
        ratio = full / ours_full
        yield f"Pinocchio's computeABADerivatives from Python: {1e6 * full:.2f} µs a call, {ratio:.1f} × ours"
    else:
        yield "Pinocchio is not installed (pip install 'oleodyn[bench]')"
    if find_spec("mujoco"):
        each = _mujoco(arm, q, v)
        ratio = each / ours
        yield f"MuJoCo's rollout, {STEPS} steps a call: {1e6 * each:.2f} µs a step, {ratio:.1f} × our forward dynamics"
    else:
        yield "MuJoCo is not installed (pip install 'oleodyn[bench]')"


def _each(work: Callable[[], Any]) -> float:
    """Seconds of one call, the best of five runs."""
    work()
    best = np.inf
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(CALLS // 10):
            work()
        best = min(best, (time.perf_counter() - begin) / (CALLS // 10))
    return float(best)


def _pinocchio(arm: Any, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
    import pinocchio as pin

    model = pin.buildModelFromXML(urdf(arm))
    data, tau = model.createData(), np.zeros(model.nv)
    aba = _each(lambda: pin.aba(model, data, q, v, tau))
    return aba, _each(lambda: pin.computeABADerivatives(model, data, q, v, tau))


def _mujoco(arm: Any, q: np.ndarray, v: np.ndarray) -> float:
    import mujoco
    from mujoco import rollout

    model = mujoco.MjModel.from_xml_string(urdf(arm))
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, 0.1 * v
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state = np.zeros(size)
    mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    best = np.inf
    for _ in range(3):
        begin = time.perf_counter()
        rollout.rollout(model, data, state[None, :], nstep=STEPS)
        best = min(best, (time.perf_counter() - begin) / STEPS)
    return float(best)


def urdf(arm: Any) -> str:
    """An arm of hinges as a robot description."""
    links, joints = ['<link name="world"/>'], []
    for name, body in arm.bodies.items():
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
        links.append(
            f'<link name="{name}"><inertial><origin xyz="{_three(body.com)}"/><mass value="{body.mass!r}"/>'
            f'<inertia ixx="{xx!r}" ixy="{xy!r}" ixz="{xz!r}" iyy="{yy!r}" iyz="{yz!r}" izz="{zz!r}"/>'
            "</inertial></link>"
        )
    for name, joint in arm.joints.items():
        joints.append(
            f'<joint name="{name}" type="revolute"><parent link="{joint.parent}"/><child link="{joint.child}"/>'
            f'<origin xyz="{_three(joint.position)}" rpy="{_three(joint.orientation)}"/>'
            f'<axis xyz="{_three(unit(joint.axis))}"/>'
            '<limit lower="-10" upper="10" effort="1e6" velocity="100"/></joint>'
        )
    return f'<robot name="arm">{"".join(links)}{"".join(joints)}</robot>'


def _three(vector: Any) -> str:
    return " ".join(repr(float(x)) for x in vector)
