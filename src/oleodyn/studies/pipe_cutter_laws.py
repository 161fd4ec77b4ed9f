"""What the pipe cutter is made of, against exact figures: geometry, dynamics, friction, end stop, energy."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
from oleodyn.catalogue.at_rest import mass_and_force
from oleodyn.catalogue.pipe_cutter import machine
from oleodyn.catalogue.pipe_cutter_drives import AXES as DRIVES
from oleodyn.catalogue.pipe_cutter_drives import I_MAX, OIL, arm, friction, motor, turns
from oleodyn.catalogue.pipe_cutter_tasks import gravity, loaded_pressures
from oleodyn.friction.lugre import bristle_rate
from oleodyn.maths import pi
from oleodyn.program.kernels import Stepper
from oleodyn.result.content import Check
from oleodyn.result.result import Result
from oleodyn.simulation.run import simulate
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.signal import as_signal
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.wave import Sine
from oleodyn.studies.pipe_cutter_runs import joints, within
from oleodyn.units import bar, deg

POSTURE = (0.3, 0.15, -0.35, -0.5, 0.2, 0.4)
"""A posture with no zero in it [rad, m]."""
TORQUES = tuple(f"motor_{i}.{'F' if i == 2 else 'tau'}" for i in range(1, 7))
"""Torques and force of the oil at the joints."""
OPEN_LOOP = (0.0, 0.2, -0.2, -0.3, 0.0, 0.0)
"""Where the open-loop runs begin."""


def deviation(name: str, computed: ArrayLike, reference: ArrayLike, bound: float, unit: str) -> Check:
    """The largest deviation of several figures from their reference, and the bound on it."""
    worst = float(np.abs(np.asarray(computed) - np.asarray(reference)).max())
    return Check(f"{name}: worst deviation", f"≤ {bound:g}", worst, unit, bool(worst <= bound))


def geometry() -> Iterator[Check]:
    """Forward and inverse kinematics."""
    arm = PIPE_CUTTER
    yield Check("reach at q = 0 (paper: 3.2 m)", 3.2421, float(arm.forward(np.zeros(6))[1, 3]), "m",
                within(float(arm.forward(np.zeros(6))[1, 3]), 3.2421, 1e-6))  # fmt: skip
    R = ((0.913152, -0.145028, -0.380947), (0.102645, -0.822635, 0.559227), (-0.394484, -0.549762, -0.736305))
    T = arm.forward(POSTURE)
    yield deviation("tool point at a general posture", T[:3, 3], (-1.024377, 2.686928, -1.218353), 1e-6, "m")
    yield deviation("tool axes at a general posture", T[:3, :3], R, 1e-6, "-")
    low, high = np.array(arm.limits).T
    q = low + (high - low) * (0.02 + 0.96 * np.random.default_rng(7).random((2000, 6)))
    branches = arm.inverse(arm.forward(q))
    inside = branches.real & branches.inside
    found = np.take_along_axis(branches.q, inside.argmax(axis=1)[:, None, None], axis=1)[:, 0]
    yield deviation("2000 random joint sets through pose and inverse", found, q, 1e-9, "rad")
    yield Check(
        "solutions within the limits", 1, int(inside.sum(axis=1).max()), "-", bool((inside.sum(axis=1) == 1).all())
    )
    rho = 1.329 + q[:, 1] + 0.502 * np.cos(q[:, 2]) + 0.482 * np.cos(q[:, 2] + q[:, 3])
    closed = 0.502 * np.cos(q[:, 2]) * np.cos(q[:, 4]) * rho
    yield deviation(
        "det J relative to its closed form", np.linalg.det(arm.jacobian(q)) / closed, np.ones(2000), 1e-9, "-"
    )


def dynamics() -> Iterator[Check]:
    """Gravity, mass matrix and inverse dynamics at a posture."""
    M = np.array(mass_and_force(arm(), POSTURE, (0.0,) * 6)[0], dtype=float)
    expected = (0, 0, 1945.616, 744.358, 44.651, -7.278)
    yield deviation("gravity torques", gravity(POSTURE), expected, 1e-3, "N·m")
    diagonal = (1788.845, 500, 263.440, 99.432, 26.511, 0.6405)
    yield deviation("diagonal of M", np.diag(M), diagonal, 1e-3, "kg·m²")
    yield deviation("M12, M15, M34", (M[0, 1], M[0, 4], M[2, 3]), (-6.0606, 112.962, 150.236), 1e-3, "kg·m²")
    yield deviation("M against its transpose", M, M.T, 1e-12 * 1789, "kg·m²")
    yield Check(
        "smallest eigenvalue of M above",
        0,
        float(np.linalg.eigvalsh(M)[0]),
        "kg·m²",
        bool(np.linalg.eigvalsh(M)[0] > 0),
    )
    v, a = np.array((0.1, 0.05, -0.2, 0.3, -0.1, 0.2)), np.array((0.5, -0.2, 0.3, -0.4, 0.6, -0.7))
    force = np.array(mass_and_force(arm(), POSTURE, v.tolist())[1])
    torque = (M + np.diag(rotors())) @ a - force - PIPE_CUTTER.jacobian(POSTURE)[:3].T @ (0.0, -50.0, -90.0)
    expected = (927.213457, -97.389073, 2121.668124, 855.787738, 113.853624, -8.530068)
    yield deviation("inverse dynamics with rotors and a tool force", torque, expected, 1e-5, "N·m")


def rotors() -> list[float]:
    """Rotor inertia of each motor as its joint feels it."""
    drives = [motor(i, axis, stiff=False) for i, axis in enumerate(DRIVES, start=1)]
    return [drive.J * turns(drive) ** 2 for drive in drives]


def sliding() -> Iterator[Check]:
    """LuGre of joint 1: steady sliding and presliding, by stepping the bristles."""
    law = friction(DRIVES[0])
    for v, expected in ((0.5, 600.0), (0.05, 240.0), (-0.2, -360.0), (0.005, 250.728)):
        z, h = 0.0, 0.2 * law.F_c / (law.sigma_0 * abs(v))
        for _ in range(400):
            z += h * bristle_rate(v, z, law.sigma_0, law.g(v))
        F = law.sigma_0 * z + law.sigma_1 * bristle_rate(v, z, law.sigma_0, law.g(v)) + law.sigma_2 * v
        yield Check(f"LuGre, steady at {v:g} rad/s", expected, F, "N·m", within(F, expected, 2e-6))
    size, n, z, ends = 1e-5, 4000, 0.0, []
    for k in range(2 * n):  # two slow cycles; the speed is zero at both ends of the second
        v = size * 2 * pi * np.sin(2 * pi * (k + 0.5) / n)
        z += bristle_rate(v, z, law.sigma_0, law.g(v)) / n
        ends.append(law.sigma_0 * z)
    stiffness = (max(ends[n:]) - min(ends[n:])) / (2 * size)
    yield Check(
        "LuGre, stiffness of a cycle of ±1e-5 rad",
        law.sigma_0,
        stiffness,
        "N·m/rad",
        within(stiffness, law.sigma_0, 0.05),
    )


def driven(
    axis: int, until: float, stepper: Stepper, dt: float, every: int = 1, record: Sequence[str] | None = None
) -> Result:
    """10 sin(πt) mA on one valve, the others closed, from the loaded start; no controller, no saw."""
    pushed = {f"valve_{axis}.i": Sine(amplitude=I_MAX, w=pi)}
    scenario = Scenario(signals=pushed, start=loaded_pressures(OPEN_LOOP), until=until)
    plant = machine(controlled=False, saw=False)
    return simulate(plant, scenario=scenario, stepper=stepper, dt=dt, every=every, record=record)


def energy() -> Iterator[Check]:
    """Joint 3 driven for 1 s: the mechanics' and the oil's account."""
    for stepper, dt, bound in ((RK4(), 0.02e-3, 1e-6), (HHT(), 0.2e-3, 1e-4)):
        name = "RK4 0.02 ms" if dt < 1e-4 else "HHT 0.2 ms"
        moved, shaft, rubbed, oil = works(driven(3, 1.0, stepper, dt, record=TORQUES))
        if dt < 1e-4:
            for what, expected, computed in (("gained", 645.716, moved), ("given by the shafts", 778.355, shaft),
                                             ("lost to friction", 132.639, rubbed)):  # fmt: skip
                yield Check(
                    f"joint 3 driven 1 s: energy {what}", expected, computed, "J", bool(abs(computed - expected) < 5e-4)
                )
        left = abs(moved - shaft + rubbed)
        yield Check(f"mechanical account left over, {name}", f"≤ {bound:g}", left, "J", bool(left < bound))
        yield Check(f"oil account left over, {name}", "≤ 1e-05", oil, "J", bool(oil < 1e-5))


def works(result: Result) -> tuple[float, float, float, float]:
    """Mechanical energy gained, work of the shafts, work against friction, oil account left over [J]."""

    def gained(name: str) -> float:
        return float(result.values(name)[-1] - result.values(name)[0])

    each = range(1, 7)
    moved = gained("arm.kinetic.energy") + gained("arm.potential.energy")
    moved += sum(gained(f"arm.joint_{i}.kinetic.energy") for i in each)
    pairs = [
        (result.values(torque), result.values(f"arm.joint_{i}.q_dot")) for i, torque in zip(each, TORQUES, strict=True)
    ]
    shaft = float(sum(np.trapezoid(tau * v, result.time) for tau, v in pairs))
    rubbed = sum(
        gained(f"motor_{i}.friction.friction.work") + gained(f"motor_{i}.friction.bristle.energy") for i in each
    )
    throttled = sum(gained(f"valve_{i}.edge_{side}.work") for i in each for side in "AB")
    leaked = sum(gained(f"motor_{i}.{name}.work") for i in each for name in ("leakage", "efficiency"))
    held = [(motor(i, DRIVES[i - 1], stiff=False).V_A, result.values(f"motor_{i}.{s}.p")) for i in each for s in "AB"]
    pressed = sum(V * float(p[-1] ** 2 - p[0] ** 2) / (2 * OIL.K) for V, p in held)
    brought = gained("supply.supply.work") + gained("tank.tank.work")
    return moved, shaft, rubbed, abs(brought - throttled - leaked - shaft - pressed)


def end_stop() -> tuple[list[Check], Result]:
    """Joint 1 driven against its stop with all it has."""
    start = loaded_pressures((1.4, *OPEN_LOOP[1:]))
    scenario = Scenario(signals={"valve_1.i": as_signal(I_MAX)}, start=start, until=4.0)
    result = simulate(machine(controlled=False, saw=False), scenario=scenario, every=1)
    excess = joints(result)[:, 0] - 90.0
    p_A, p_B = (result.values(f"motor_1.{side}.p")[-1] / bar for side in "AB")
    rows = [
        Check("beyond the end stop at rest", 0.6870, float(excess[-1]), "deg", within(float(excess[-1]), 0.6870, 1e-3)),
        Check("beyond the end stop at most", 1.04, float(excess.max()), "deg", within(float(excess.max()), 1.04, 5e-3)),
        Check("pressure that pushes", 139.93, float(p_A), "bar", within(float(p_A), 139.93, 1e-4)),
        Check("pressure opposite", 0.069, float(p_B), "bar", within(float(p_B), 0.069, 0.02)),
        Check("torque over stop stiffness", float(excess[-1]),
              float(result.values("motor_1.tau")[-1] / DRIVES[0].stop[0] / deg), "deg", None),
    ]  # fmt: skip
    return rows, result
