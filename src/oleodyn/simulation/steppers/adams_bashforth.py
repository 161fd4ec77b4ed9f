"""AdamsBashforth3: one evaluation a step, started by Runge-Kutta steps backwards."""

from dataclasses import dataclass
from typing import Any, ClassVar

import casadi as ca
import numpy as np

from oleodyn.equations.closure.close import closed
from oleodyn.equations.equations import Equations
from oleodyn.program.kernels import Kernels
from oleodyn.simulation.steppers.rk4 import advance
from oleodyn.simulation.steppers.slots import Slots

NAMES = ("q", "v", "x", "E")


@dataclass(frozen=True)
class AdamsBashforth3:
    """Explicit, order 3, one evaluation a step.

    Equations   y₊ = y + h/12 (23 f_n − 16 f_{n−1} + 5 f_{n−2})
    Assumes     at a start, an input jump or a change of step the past is made anew: two RK4
                steps of size −h along the equations that hold from now on, inputs going on straight.
    Limits      stable for |λ| h < 0.545 (real λ < 0).
    References  Hairer, Nørsett & Wanner (1993) Solving ODEs I, III.1.
    """

    name: ClassVar[str] = "ab3"

    def amplification(self, z: complex) -> float:
        """Growth of a mode λ in one step, z = λ h: the largest root of the recurrence."""
        return float(np.max(np.abs(np.roots([1, -1 - 23 * z / 12, 16 * z / 12, -5 * z / 12]))))

    def kernels(self, equations: Equations, account: bool, choice: Any = None) -> Kernels:
        """One kernel for the step, one that makes the past."""
        e = closed(equations, self.name, choice)
        n = e.n_q + e.n_v + e.n_x + (e.powers.numel() if account else 0)
        slots = Slots(e, account, (0.0, 1.0), (("f_1", n), ("f_2", n)))
        now = ca.vertcat(*slots.rates(*slots.at()))
        past, before = slots.piece["f_1"], slots.piece["f_2"]
        flat = ca.vertcat(*(slots.piece[name] for name in NAMES))
        new = _cut(slots, flat + slots.h / 12 * (23 * now - 16 * past + 5 * before))
        new["q"] = slots.settled(new["q"], slots.t + slots.h)
        new["x"], _ = slots.clamped(new["x"], new["x"])
        end = slots.at(slots.u[1], t=slots.t + slots.h, **{name: new[name] for name in "qvx"})
        history = slots.function("history", [slots.packed(**_history(slots))])
        functions = {
            "start": history,
            "step": slots.function("step", [slots.packed(**new, f_1=now, f_2=past), slots.health(0, end)]),
            **{f"restart_{j}": history for j in range(1 + len(equations.samplers))},
            **slots.sample(),
        }
        return Kernels(functions, slots.blocks, slots.stages, multistep=True, notes={"slots": slots})


def _history(slots: Slots) -> dict[str, Any]:
    """Rates one and two steps ago, on the solution of the equations that hold now."""
    names = ("q", "v", "x")
    now, end = slots.u
    rise = end - now
    once = advance(slots, -slots.h, lambda stage: now - stage * rise)
    inputs = [slots.y, slots.p, slots.u_all, slots.c]
    back = ca.Function("back", inputs, [once[name] for name in names])
    earlier = slots.packed(**once, t=slots.t - slots.h)
    shifted = ca.vertcat(now - rise, now)
    twice = dict(zip(names, back(earlier, slots.p, shifted, ca.vertcat(slots.t - slots.h, slots.h)), strict=True))
    past = {}
    for k, then in ((1, {name: once[name] for name in names}), (2, twice)):
        past[f"f_{k}"] = ca.vertcat(*slots.rates(*slots.at(now - k * rise, t=slots.t - k * slots.h, **then)))
    return past


def _cut(slots: Slots, flat: Any) -> dict[str, Any]:
    sizes = {name: slots.piece[name].numel() for name in NAMES}
    new, start = {}, 0
    for name in NAMES:
        new[name] = flat[start : start + sizes[name], 0]
        start += sizes[name]
    return new
