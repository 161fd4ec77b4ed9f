"""Ports: where parts meet, what they share there and what they exchange."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar


@dataclass(frozen=True)
class Quantity:
    """One quantity of a port: its unit and its shape (() scalar, (3,) vector, (3, 3) matrix)."""

    unit: str
    text: str
    shape: tuple[int, ...] = ()


class Port:
    """A meeting place. Subclasses say what is shared across it and what flows through it.

    across    shared by all parts that meet; exactly one law sets it (a store or a holder)
    through   given by each part as `into`; all `into` and the stores add up to zero
    rate      for each through quantity the across quantity that makes power with it
    stored    the across quantity that a `store` integrates: store · d(stored)/dt = −Σ into
    shadow    {a: b} for across quantities whose time derivative is b (a length and its rate)
    rest      value of `stored` at the start where no part gives one
    """

    across: ClassVar[dict[str, Quantity]] = {}
    through: ClassVar[dict[str, Quantity]] = {}
    rate: ClassVar[dict[str, str]] = {}
    stored: ClassVar[str | None] = None
    shadow: ClassVar[dict[str, str]] = {}
    rest: ClassVar[float] = 0.0
    kind: ClassVar[str] = "other"

    def __init__(self, text: str, *, optional: bool = False):
        self.text = text
        self.optional = optional
        """An optional port may stay unconnected: nothing flows through it then."""

    if TYPE_CHECKING:  # inside equations() it reads as a symbol

        def __get__(self, part: Any, owner: Any) -> Any: ...

    def __repr__(self):
        return f"{type(self).__name__}({self.text!r})"

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self):
        return hash((type(self), self.text, self.optional))
