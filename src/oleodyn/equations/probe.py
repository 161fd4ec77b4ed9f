"""Probing: one part alone, as a function from all that it may see to all that it contributes."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.equations.bind import bind, join
from oleodyn.machine.part import Named, Part, Terms
from oleodyn.machine.port import Port, Quantity

SX = ca.SX
ARGUMENT_UNITS = {
    "p": "Pa", "dp": "Pa", "Q": "m³/s", "s": "m", "x": "m", "z": "m", "v": "m/s", "w": "rad/s", "speed": "rad/s",
    "angle": "rad", "F": "N", "tau": "N·m", "u": "-", "t": "s", "temp": "K",
}  # fmt: skip
"""an ingredient's arguments by the letters that mean one thing in all files"""


@dataclass(frozen=True)
class Variable:
    """One number that a part sees: its role (as in `bind`, or "argument"), path and declaration."""

    role: str
    path: str
    declared: Any
    entry: tuple[int, ...] = ()
    """where it stands in a vector or matrix"""

    @property
    def name(self) -> str:
        """Its path, with its place in a vector or matrix."""
        return self.path + "".join(f"[{i}]" for i in self.entry)


@dataclass(frozen=True)
class Entry:
    """One number that a part contributes: "into" "A.Q" of the part itself or, by `path`, an ingredient."""

    path: str
    term: str
    name: str

    def __str__(self):
        return f"{self.term} of {join(self.path, self.name)}"


class Probe:
    """A part bound to symbols, its terms, and both as flat columns.

    variables, x   what it sees: names, and one column of symbols
    entries, y     what it contributes: names, and one column of expressions in x
    """

    def __init__(self, part: Part, tunable: bool = False):
        self.part = part
        self.declared = part.declaration()
        self.variables: list[Variable] = []
        self.parameters: list[tuple[str, Any, float]] = []
        self._symbols: list[Any] = []
        self._tunable = tunable
        self.twin = bind(part, "", self._make)
        self.arguments = {name: self._argument(name) for name in argument_names(part)}
        self.terms: Terms = self.twin.equations(**self.arguments)
        if not isinstance(self.terms, Terms):
            raise TypeError(f"equations() returns {type(self.terms).__name__}, not Terms")
        found = list(flat(self.terms, part))
        self.entries = [entry for entry, _ in found]
        self.x = ca.vertcat(SX(0, 1), *self._symbols)
        values = ca.vertcat(SX(0, 1), *(SX(value) for _, value in found))
        if self.parameters:
            values = ca.substitute(values, ca.vertcat(*(s for _, s, _ in self.parameters)), ca.DM(self.numbers()))
        self.y = ca.densify(values)
        self.row = {entry: row for row, entry in enumerate(self.entries)}
        self._columns = Columns(self.x, self.y)

    def numbers(self) -> list[float]:
        """Values of the parameters that are symbols here."""
        return [number for _, _, number in self.parameters]

    def _make(self, role: str, path: str, declared: Any) -> Any:
        if role == "parameter":
            return self._parameter(path, declared) if self._tunable else None
        if role == "time" and any(v.role == "time" for v in self.variables):
            return self._symbols[next(i for i, v in enumerate(self.variables) if v.role == "time")]
        return self._symbol(Variable(role, path, declared), getattr(declared, "shape", ()))

    def _symbol(self, variable: Variable, shape: tuple[int, ...]) -> Any:
        if shape:
            role, path, declared, entry = variable.role, variable.path, variable.declared, variable.entry
            return tuple(self._symbol(Variable(role, path, declared, (*entry, i)), shape[1:]) for i in range(shape[0]))
        symbol = SX.sym(variable.name)
        self.variables.append(variable)
        self._symbols.append(symbol)
        return symbol

    def _parameter(self, path: str, declared: Any) -> Any:
        if declared.shape:
            return None
        value: Any = self.part
        for name in path.split("."):
            value = value[name] if isinstance(value, Named) else getattr(value, name)
        symbol = SX.sym(path)
        self.parameters.append((path, symbol, float(value)))
        return symbol

    def _argument(self, name: str) -> Any:
        return self._symbol(Variable("argument", name, Quantity(ARGUMENT_UNITS.get(name, "-"), "argument")), ())

    # ------------------------------------------------------------------ numbers

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Entries (rows) at points (columns of numbers in the order of `variables`)."""
        return self._columns(points)

    def floats(self, point: np.ndarray) -> np.ndarray:
        """Entries at one point, computed by the part with plain floats."""
        numbers = iter(float(value) for value in point)
        known: dict[str, float] = {}

        def make(role: str, path: str, declared: Any) -> Any:
            if role == "parameter":
                return None
            if role == "time":
                return known[path] if path in known else known.setdefault(path, next(numbers))
            return nested(getattr(declared, "shape", ()), numbers)

        twin = bind(self.part, "", make)
        terms = twin.equations(**{name: next(numbers) for name in self.arguments})
        return np.array([float(value) for _, value in flat(terms, self.part)])

    def rows(self, *terms: str) -> list[int]:
        """Rows of the entries of these terms."""
        return [row for row, entry in enumerate(self.entries) if entry.term in terms]

    def columns(self, *roles: str) -> list[int]:
        """Indices of the variables in these roles."""
        return [index for index, variable in enumerate(self.variables) if variable.role in roles]

    @cached_property
    def _pattern(self) -> np.ndarray:
        rows, columns = ca.jacobian_sparsity(self.y, self.x).get_triplet()
        pattern = np.zeros((len(self.entries), len(self.variables)), dtype=bool)
        pattern[rows, columns] = True
        return pattern

    def depends(self, row: int, column: int) -> bool:
        """Whether an entry depends on a variable."""
        return bool(self._pattern[row, column])

    def used(self) -> list[int]:
        """Indices of the variables on which any entry depends."""
        return np.flatnonzero(self._pattern.any(axis=0)).tolist()

    def total(self, *terms: str) -> Any:
        """Sum of all entries of these terms."""
        return ca.sum1(self.y[self.rows(*terms)]) if self.rows(*terms) else SX(0)

    def port_of(self, variable: Variable) -> Port | None:
        """The port that a variable belongs to."""
        return self.declared.ports.get(variable.path.rpartition(".")[0])


class Columns:
    """Expressions of one column of symbols, evaluated at many columns of numbers at once."""

    block = 128

    def __init__(self, symbols: Any, expressions: Any):
        n, m = symbols.numel(), expressions.numel()
        self._arguments, self._results = np.zeros((self.block, n)), np.zeros((self.block, m))
        function = ca.Function("columns", [symbols], [ca.densify(expressions)]).map(self.block)
        self._buffer: Any
        self._buffer, self._run = function.buffer()
        if n:
            self._buffer.set_arg(0, self._arguments.data)
        if m:
            self._buffer.set_res(0, self._results.data)

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Values (rows) at points (columns)."""
        values = np.empty((self._results.shape[1], points.shape[1]))
        for start in range(0, points.shape[1], self.block):
            end = min(start + self.block, points.shape[1])
            self._arguments[: end - start] = points[:, start:end].T
            self._run()
            values[:, start:end] = self._results[: end - start].T
        return values


def evaluate(symbols: Any, expressions: Any, points: np.ndarray) -> np.ndarray:
    """Expressions of one column of symbols at columns of numbers, once."""
    return Columns(symbols, expressions)(points)


def nested(shape: tuple[int, ...], numbers: Iterator[float]) -> Any:
    """The next numbers in this shape."""
    return tuple(nested(shape[1:], numbers) for _ in range(shape[0])) if shape else next(numbers)


def argument_names(part: Part) -> list[str]:
    """What `equations` wants beside self."""
    parameters = list(inspect.signature(type(part).equations).parameters.values())[1:]
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [p.name for p in parameters if p.kind in plain and p.default is p.empty]


# ------------------------------------------------------------------ flattening


def flat(terms: Terms, part: Part, path: str = "") -> Iterator[tuple[Entry, Any]]:
    """Every number in the terms of a part and its ingredients, in a fixed order."""
    for term in ("der", "into", "store", "hold", "out", "next", "constraint", "energy", "guard", "clamp"):
        for name, value in getattr(terms, term).items():
            yield from _named(path, term, name, value)
    for term in ("mass", "force", "q_dot"):
        if getattr(terms, term) is not None:
            yield from _named(path, term, "", getattr(terms, term))
    for account in ("supplied", "lost", "stored"):
        for name, value in getattr(terms.power, account).items():
            yield from _named(path, account, name, value)
    inside = part.ingredients()
    for name, held in terms.parts.items():
        if name in inside:
            yield from flat(held, inside[name], join(path, name))


def _named(path: str, term: str, name: str, value: Any) -> Iterator[tuple[Entry, Any]]:
    if isinstance(value, Mapping):
        for key, inside in value.items():
            yield from _named(path, term, join(name, str(key)), inside)
        return
    numbers = leaves(value)
    for place, number in enumerate(numbers):
        yield Entry(path, term, name if len(numbers) == 1 else f"{name}[{place}]"), number


def leaves(value: Any) -> list[Any]:
    """The scalars in nested sequences, arrays or expressions, row by row."""
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    if isinstance(value, (ca.SX, ca.DM)):
        return [value[i, j] for i in range(value.shape[0]) for j in range(value.shape[1])]
    if isinstance(value, np.ndarray):
        return value.ravel().tolist()
    return [value]
