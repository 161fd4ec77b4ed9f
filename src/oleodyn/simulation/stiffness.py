"""Stiffness: the fastest modes, whose they are, and the step each explicit stepper can bear."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from oleodyn.equations.equations import Equations
from oleodyn.equations.linearise import Mode, linearise
from oleodyn.equations.point import Point
from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3
from oleodyn.simulation.steppers.rk4 import RK4

EXPLICIT = (RK4(), AdamsBashforth3())
GROWTH = 1e-9
"""Amplification above one that still counts as rounding."""


@dataclass(frozen=True)
class Stiffness:
    """The fastest modes, fastest first, and the largest stable step [s] by stepper name, at one point."""

    modes: tuple[Mode, ...]
    steps: Mapping[str, float]

    def __str__(self):
        lines = ["fastest modes:"]
        for mode in self.modes:
            who = ", ".join(f"{name} ({share:.0%})" for name, share in zip(mode.signals, mode.shares, strict=True))
            swings = f"{mode.frequency:.4g} rad/s, damping {mode.damping:.2f}"
            kind = swings if mode.eigenvalue.imag else f"{mode.frequency:.4g} 1/s"
            lines.append(f"  {kind}: {who}")
        if self.steps:
            told = ", ".join(f"{name} {1e3 * step:.3g} ms" for name, step in self.steps.items())
            lines.append(f"largest stable step at the start: {told}; less where bristles slip or stops are met")
        return "\n".join(lines)


def stiffness(equations: Equations, point: Point | Mapping[str, float] | None = None, most: int = 3) -> Stiffness:
    """Modes and stable steps of the system linearised at `point` (default: the machine's start)."""
    modes = [mode for mode in reversed(linearise(equations, point).modes()) if mode.eigenvalue.imag >= 0]
    bounded = [mode.eigenvalue for mode in modes if mode.eigenvalue.real < 1e-9 * abs(mode.eigenvalue)]
    steps = {stepper.name: largest_step(stepper, bounded) for stepper in EXPLICIT if bounded}
    return Stiffness(tuple(modes[:most]), steps)


def unstable(equations: Equations, stepper: str, dt: float) -> str:
    """What to say if an explicit stepper cannot bear this step at the machine's start; else nothing."""
    e = equations
    if stepper not in (explicit.name for explicit in EXPLICIT) or not (e.n_v or e.n_x):
        return ""
    found = stiffness(e, most=1)
    largest = found.steps.get(stepper, dt)
    if not largest < dt:
        return ""
    mode = found.modes[0]
    return (
        f"At the machine's start {stepper} is stable up to {largest:.3g} s, because of the fastest mode, "
        f"{mode.frequency:.3g} 1/s at {mode.signals[0]}."
    )


def largest_step(stepper: RK4 | AdamsBashforth3, eigenvalues: list[complex]) -> float:
    """The step [s] up to which no mode grows that does not grow by itself, by bisection."""
    high = 10.0 / max(map(abs, eigenvalues))

    def stable(h: float) -> bool:
        return all(stepper.amplification(h * value) <= 1 + GROWTH for value in eigenvalues)

    low = high
    while not stable(low) and low > 1e-300:
        high, low = low, low / 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if stable(middle) else (low, middle)
    return float(np.round(low, 15))
