"""RK4: the classical explicit method of order four."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from oleodyn.equations.closure.close import closed
from oleodyn.equations.equations import Equations
from oleodyn.program.kernels import Kernels
from oleodyn.simulation.steppers.slots import Slots


@dataclass(frozen=True)
class RK4:
    """Explicit, order 4, four evaluations a step; unit quaternions are renormalised.

    Equations   y₊ = y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
    Limits      stable for |λ| h < 2.78 (real λ < 0); a stiff valve or volume sets the step.
    References  Hairer, Nørsett & Wanner (1993) Solving ODEs I, II.1.
    """

    name: ClassVar[str] = "rk4"

    def amplification(self, z: complex) -> float:
        """Growth of a mode λ in one step, z = λ h."""
        return abs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4))))

    def kernels(self, equations: Equations, account: bool, choice: Any = None) -> Kernels:
        """One kernel: the whole step."""
        slots = Slots(closed(equations, self.name, choice), account, (0.0, 0.5, 1.0), ())
        new = advance(slots, slots.h, lambda stage: slots.u[slots.stages.index(stage)])
        x, _ = slots.clamped(new["x"], new["x"])
        end = slots.at(slots.u[2], t=slots.t + slots.h, q=new["q"], v=new["v"], x=x)
        functions = {
            "start": slots.function("start", [slots.y]),
            "step": slots.function("step", [slots.packed(**new | {"x": x}), slots.health(0, end)]),
            **slots.sample(),
        }
        return Kernels(functions, slots.blocks, slots.stages, notes={"slots": slots})


def advance(slots: Slots, h: Any, inputs: Callable[[float], Any]) -> dict[str, Any]:
    """One classical step of size h from the start of the step: new q, v, x, E.

    `inputs` gives the inputs at a stage, a share of h.
    """
    start = {name: slots.piece[name] for name in ("q", "v", "x", "E")}
    k: list[Any] = []
    total = dict.fromkeys(start, 0)
    for stage, weight in ((0.0, 1), (0.5, 2), (0.5, 2), (1.0, 1)):
        at = {name: start[name] + stage * h * k[-1][name] if k else start[name] for name in ("q", "v", "x")}
        rates = slots.rates(*slots.at(inputs(stage), t=slots.t + stage * h, **at))
        k.append(dict(zip(start, rates, strict=True)))
        total = {name: total[name] + weight * k[-1][name] for name in start}
    new = {name: start[name] + h / 6 * total[name] for name in start}
    return new | {"q": slots.settled(new["q"], slots.t + h)}
