"""Runs of the pipe cutter for its studies: programs made once, tool points, their errors."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from oleodyn.catalogue.pipe_cutter import machine
from oleodyn.equations.assemble import assemble
from oleodyn.errors import StepError
from oleodyn.kinematics.path import Path
from oleodyn.program.compile import compile
from oleodyn.program.kernels import Stepper
from oleodyn.program.program import Program
from oleodyn.result.content import Check, Checks, Section
from oleodyn.result.result import Result
from oleodyn.simulation.run import changed_by, run
from oleodyn.simulation.scenario import Scenario
from oleodyn.units import deg, mm

AXES = ("X", "Y", "Z")
JOINTS = tuple(f"joint {i}" for i in range(1, 7))
UNITS = ("deg", "mm", "deg", "deg", "deg", "deg")
SCALES = np.array([deg, mm, deg, deg, deg, deg])
"""What one unit of each joint is in SI."""
TOOL = ("arm.tool.r_x", "arm.tool.r_y", "arm.tool.r_z")
SAMPLE = 0.01
"""Between two compared instants [s]: a period of the controllers."""


@dataclass(frozen=True, eq=False)
class Track:
    """The tool point r [m] at instants t; `failed` is when the run broke off [s]."""

    t: np.ndarray
    r: np.ndarray
    us_per_step: float
    failed: float | None = None

    def off(self, path: Path) -> np.ndarray:
        """Tool point minus path [m]."""
        return self.r - path.poses(self.t)[:, :3, 3]

    def apart(self, other: "Track") -> float:
        """Largest distance to another track at common instants [m]; infinite if one broke off."""
        n = min(len(self.t), len(other.t))
        if self.failed is not None or other.failed is not None:
            return np.inf
        return float(np.linalg.norm(self.r[:n] - other.r[:n], axis=1).max())


@dataclass
class Tasks:
    """The circle and the cut with any stepper, on the nominal or the stiff plant; each program is made once."""

    made: dict[Any, tuple[Program, Scenario]] = field(default_factory=dict)

    def program(self, task: str, stepper: Stepper, stiff: bool = False) -> tuple[Program, Scenario]:
        """The program of a task, tool point recorded only, and its scenario."""
        key = task, stepper, stiff
        if key not in self.made:
            plant = machine(stiff=stiff, saw=task == "cut")
            scenario = plant.scenarios[task]
            equations = assemble(changed_by(scenario, plant))
            self.made[key] = compile(equations, stepper, record=TOOL, account=False), scenario
        return self.made[key]

    def track(
        self,
        task: str,
        stepper: Stepper,
        dt: float,
        until: float | None = None,
        *,
        stiff: bool = False,
        sample: float = SAMPLE,
        progress: Callable[[float], None] | None = None,
    ) -> Track:
        """The tool point over a run, or until it fails."""
        program, scenario = self.program(task, stepper, stiff)
        failed = None
        try:
            until, every = until or scenario.until or 60.0, max(1, round(sample / dt))
            result = run(program, until=until, dt=dt, inputs=scenario, every=every, progress=progress)
        except StepError as error:
            assert error.result is not None and error.time is not None
            result, failed = error.result, error.time
        return Track(result.time, tool_point(result), result.timing["us_per_step"], failed)


def grouped(groups: Mapping[str, Iterable[Check]]) -> tuple[list[Check], Section]:
    """All checks in a row, and a section that shows them by group."""
    lists = {title: list(rows) for title, rows in groups.items()}
    section = Section("Published and computed", [LEGEND, *(Checks(rows, title) for title, rows in lists.items())])
    return [check for rows in lists.values() for check in rows], section


LEGEND = (
    "'Paper' is printed in it. 'Reference' was computed independently with the same numbers, closed forms are exact, "
    "and '≤' is a bound. Rows without a verdict are for comparison only."
)


def tool_point(result: Result) -> np.ndarray:
    """Tool point (n, 3) [m]."""
    return np.stack([result.values(name) for name in TOOL], axis=1)


def tool_error(result: Result, path: Path) -> np.ndarray:
    """Tool point minus path (n, 3) [m] at the recorded instants."""
    return tool_point(result) - path.poses(result.time)[:, :3, 3]


def rms(values: np.ndarray) -> np.ndarray:
    """Root of the mean square over the first axis."""
    return np.sqrt(np.mean(np.square(values), axis=0))


def joints(result: Result, name: str = "q") -> np.ndarray:
    """Joints (n, 6), or their speeds (`q_dot`), in deg and mm."""
    return np.stack([result.values(f"arm.joint_{i}.{name}") for i in range(1, 7)], axis=1) / SCALES


def within(computed: float, published: float, share: float) -> bool:
    """Whether a figure lies within a share of the published one."""
    return bool(abs(computed - published) <= share * abs(published))
