"""Kernels: what a stepper gives the compiler, one set of functions with one signature."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from oleodyn.equations.equations import Equations


@dataclass(frozen=True)
class Block:
    """A named stretch of the numbers of one simulation."""

    name: str
    start: int
    size: int

    @property
    def slice(self) -> slice:
        """Where it lies."""
        return slice(self.start, self.start + self.size)


@dataclass(frozen=True, eq=False)
class Kernels:
    """Functions (y, p, u, c[, w]) → …, all columns dense; c = (t, h), u stage after stage.

    functions   start, sample_i, restart_j, step | predict, iterate, [inner], finish; observe
    blocks      the layout of y: q, v, x, z, E (energies), then the stepper's memory
    stages      where in the step the inputs are taken, 0 to 1; the last one is its end
    multistep   True if a change of step size spoils the memory
    max_iterations, max_inner   caps of the Newton loops
    unknowns    names of the Newton unknowns or of the rows of the linear system
    """

    functions: dict[str, Any]
    blocks: tuple[Block, ...]
    stages: tuple[float, ...]
    multistep: bool = False
    max_iterations: int = 0
    max_inner: int = 0
    unknowns: tuple[str, ...] = ()
    notes: dict[str, Any] = field(default_factory=dict)

    def block(self, name: str) -> Block:
        """The block of y with this name."""
        return next(block for block in self.blocks if block.name == name)

    @property
    def size(self) -> int:
        """How many numbers one simulation has."""
        return self.blocks[-1].start + self.blocks[-1].size


class Stepper(Protocol):
    """Turns equations into kernels. Objects with parameters, frozen: `HHT(alpha=-0.1)`."""

    name: ClassVar[str]

    def kernels(self, equations: Equations, account: bool, choice: Any = None) -> Kernels:
        """The kernels of this stepper; with `account` energies are integrated along.

        `choice` is what the policy for loops has chosen, such as the independent coordinates.
        """
        ...
