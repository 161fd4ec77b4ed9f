"""Parts: declare ports, parameters and states above, compute terms below."""

import dataclasses
import difflib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

from oleodyn.errors import DeclarationError
from oleodyn.machine.named import Named as Named
from oleodyn.machine.named import frozen
from oleodyn.machine.port import Port

Expr = Any
"""A number, an array or a symbol: the laws are written once for all three."""

INPUT_UNIT = "(unit of the input)"
"""The unit of a scenario's values: that of the input they drive."""


# ------------------------------------------------------------------ what a part declares


@dataclass(frozen=True)
class Parameter:
    """A number with unit, meaning and bounds. `shape` (3,) is a vector, (3, 3) a matrix, (None,) any length."""

    unit: str
    text: str
    above: float | None = None
    below: float | None = None
    within: tuple[float, float] | None = None
    shape: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Structure:
    """A value that shapes the equations and is never a symbol: a count, a flag, a name.

    `by_signal` is a dict of signal path: number, each number in the unit of its signal.
    """

    text: str
    by_signal: bool = False


@dataclass(frozen=True)
class Ingredient:
    """A part inside a part (a friction law in a cylinder), one or, if `many`, a `Named` set."""

    text: str
    many: bool = False


@dataclass(frozen=True)
class State:
    """A first-order state, or with `sampled` a number that only `next` changes.

    kind      position, speed, pressure, flow, spool, bristle, film, controller, ...
    initial   its value at the start unless `Terms.start` gives one
    nominal   the size it typically has: scales tolerances and pivots
    """

    unit: str
    text: str
    kind: str = "other"
    initial: float = 0.0
    nominal: float = 1.0
    sampled: bool = False

    if TYPE_CHECKING:  # inside equations() it reads as a symbol

        def __get__(self, part: Any, owner: Any) -> Any: ...


@dataclass(frozen=True)
class Input:
    """A command into a part: set by a scenario, a controller's output or by hand."""

    unit: str
    text: str
    within: tuple[float, float] | None = None
    default: float = 0.0

    if TYPE_CHECKING:  # inside equations() it reads as a symbol

        def __get__(self, part: Any, owner: Any) -> Any: ...


@dataclass(frozen=True)
class Output:
    """A named result of a part, or a signal for a controller."""

    unit: str
    text: str

    if TYPE_CHECKING:  # inside equations() it reads as a symbol

        def __get__(self, part: Any, owner: Any) -> Any: ...


NONE = Named({})
"""No parts."""


def parameter(
    unit: str,
    text: str,
    *,
    above: float | None = None,
    below: float | None = None,
    within: tuple[float, float] | None = None,
    default: Any = dataclasses.MISSING,
    shape: tuple[int | None, ...] = (),
) -> Any:
    """A parameter of a part: in SI, in `unit`, checked against its bounds when given."""
    return field(default=default, metadata={"is": Parameter(unit, text, above, below, within, shape)})


def structure(text: str, *, default: Any = dataclasses.MISSING, by_signal: bool = False) -> Any:
    """A value that shapes the equations (a flag, a count, a name): never tunable."""
    return field(default=default, metadata={"is": Structure(text, by_signal)})


def ingredient(text: str, *, default: Any = dataclasses.MISSING) -> Any:
    """A part that this part holds and asks for its terms, or None."""
    return field(default=default, metadata={"is": Ingredient(text)})


def ingredients(text: str, *, default: Any = NONE) -> Any:
    """Any number of named parts that this part holds (bodies, joints).

    None given is none; saying `default` tells type checkers so.
    """
    return field(default=default, metadata={"is": Ingredient(text, many=True)})


# ------------------------------------------------------------------ what a part contributes


@dataclass(frozen=True)
class Power:
    """Named rates of energy [W], integrated with the run into the energy account.

    supplied   work that enters the machine from outside, positive when it enters
    lost       turned into heat
    stored     rate of an energy that is known by its rate only (oil under pressure)
    """

    supplied: Mapping[str, Expr] = field(default_factory=dict)
    lost: Mapping[str, Expr] = field(default_factory=dict)
    stored: Mapping[str, Expr] = field(default_factory=dict)


@dataclass(frozen=True)
class Terms:
    """What one part contributes: the return value of `equations()`.

    der         d/dt of every declared State, by name
    into        flow, force, torque or wrench ON the part, per port; a wrench is (F, tau)
    store       capacity or inertia offered at a port
    hold        what a part imposes at a port: an expression, or a dict by across quantity
    out         declared outputs
    next        new value of sampled states
    parts       Terms of ingredients, by ingredient name ("bodies.link" for a named one)
    start       initial values: of states, of a port's stored quantity, of coordinates
    mass        M(q): rows and columns in the order of the declared speeds
    force       f(q, v, ...) without what comes through ports: M v̇ = f + Σ Jᵀ F
    q_dot       q̇ = N(q) v, in the order of the declared coordinates; default v
    plus        (q, δ) → q ⊕ δ with δ of the size of v; default q + δ
    constraint  Φ(q, t) = 0, by loop name, a list of rows
    power       Power(supplied, lost, stored)
    energy      stored energy as a function of the state [J], by name
    guard       expressions that must stay positive, by name: else StepError
    fits        (low, high) that an output must lie within at the start, by name: else AssemblyError
    clamp       (low, high) bounds of a state or stored port quantity, applied after a step; with high
                infinite, a stored port quantity keeps what it lacks of `low` (a cavity in the oil)
    """

    der: Mapping[str, Expr] = field(default_factory=dict)
    into: Mapping[str, Expr] = field(default_factory=dict)
    store: Mapping[str, Expr] = field(default_factory=dict)
    hold: Mapping[str, Expr] = field(default_factory=dict)
    out: Mapping[str, Expr] = field(default_factory=dict)
    next: Mapping[str, Expr] = field(default_factory=dict)
    parts: Mapping[str, "Terms"] = field(default_factory=dict)
    start: Mapping[str, Expr] = field(default_factory=dict)
    mass: Expr | None = None
    force: Expr | None = None
    q_dot: Expr | None = None
    plus: Callable[[Any, Any], Any] | None = None
    constraint: Mapping[str, Expr] = field(default_factory=dict)
    power: Power = field(default_factory=Power)
    energy: Mapping[str, Expr] = field(default_factory=dict)
    guard: Mapping[str, Expr] = field(default_factory=dict)
    fits: Mapping[str, tuple[Expr, Expr]] = field(default_factory=dict)
    clamp: Mapping[str, tuple[Expr, Expr]] = field(default_factory=dict)


@dataclass(frozen=True)
class Declaration:
    """All that one instance declares. Class bodies give it; a mechanism makes its own.

    coordinates, speeds   second-order states: q (n_q) and v (n_v), names with their State
    constraints           loop name → number of rows of Φ
    """

    ports: Mapping[str, Port] = field(default_factory=dict)
    states: Mapping[str, State] = field(default_factory=dict)
    inputs: Mapping[str, Input] = field(default_factory=dict)
    outputs: Mapping[str, Output] = field(default_factory=dict)
    coordinates: Mapping[str, State] = field(default_factory=dict)
    speeds: Mapping[str, State] = field(default_factory=dict)
    constraints: Mapping[str, int] = field(default_factory=dict)


# ------------------------------------------------------------------ the part itself


@dataclass_transform(
    kw_only_default=True, frozen_default=True, field_specifiers=(parameter, structure, ingredient, ingredients)
)
class Declared:
    """A frozen, keyword-only set of declared values, checked when it is made."""

    fields: ClassVar[dict[str, Any]] = {}
    """name → Parameter, Structure or Ingredient, in the order of declaration"""
    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        dataclass(frozen=True, kw_only=True, init=False)(cls)
        cls.fields = {f.name: f.metadata["is"] for f in dataclasses.fields(cls) if "is" in f.metadata}

    def __init__(self, *positional: Any, **values: Any):
        if positional:
            name = type(self).__name__
            raise DeclarationError(f"{name} takes its values by name: {name}({next(iter(self.fields), 'name')}=...)")
        for name in values:
            if name not in self.fields:
                raise DeclarationError(
                    f"{type(self).__name__} has no parameter {name!r}{nearest(name, self.fields)}. "
                    f"Its parameters are {', '.join(self.fields) or 'none'}."
                )
        for f in dataclasses.fields(type(self)):
            if f.name in values:
                value = values[f.name]
            elif f.default is not dataclasses.MISSING:
                value = f.default
            elif f.default_factory is not dataclasses.MISSING:
                value = f.default_factory()
            else:
                spec = self.fields[f.name]
                unit = f" [{spec.unit}]" if isinstance(spec, Parameter) else ""
                raise DeclarationError(
                    f"{type(self).__name__}.{f.name}{unit} is missing ({spec.text}). Give it a value."
                )
            spec = self.fields.get(f.name)
            if value is None and f.default is not None and isinstance(spec, Parameter):
                raise DeclarationError(
                    f"{type(self).__name__}.{f.name} = None: must be a number in {spec.unit} ({spec.text})"
                )
            object.__setattr__(self, f.name, _checked(type(self).__name__, f.name, spec, value))
        self.check()

    def check(self) -> None:
        """Rules between parameters; subclasses raise DeclarationError with the remedy."""


class Part(Declared):
    """A component: subclasses declare in the class body and return Terms from `equations`.

    `passive` parts never give power; `exceptions` names the contract's rules that a printed
    law breaks, with the reason; `samples` names the parameter that holds a controller's period.
    """

    passive: ClassVar[bool] = False
    exceptions: ClassVar[Mapping[str, str]] = {}
    samples: ClassVar[str | None] = None
    _declared: ClassVar[Declaration] = Declaration()

    if TYPE_CHECKING:  # inside equations() it is the time

        @property
        def t(self) -> Any:
            """Time [s]."""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        found: dict[type, dict[str, Any]] = {Port: {}, State: {}, Input: {}, Output: {}}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                for type_, names in found.items():
                    if isinstance(value, type_):
                        names[name] = value
        cls._declared = Declaration(ports=found[Port], states=found[State], inputs=found[Input], outputs=found[Output])

    def declaration(self) -> Declaration:
        """Ports, states, inputs and outputs of this instance."""
        return self._declared

    def equations(self, *args: Any, **kwargs: Any) -> Terms:
        """The part's terms. Here `self` is a twin: parameters, states and ports are symbols."""
        return Terms()

    def ingredients(self) -> dict[str, "Part"]:
        """The parts inside, by their path below this one."""
        inside: dict[str, Part] = {}
        for name, spec in self.fields.items():
            value = getattr(self, name)
            if isinstance(spec, Ingredient) and spec.many:
                inside |= {f"{name}.{key}": part for key, part in value.items()}
            elif isinstance(spec, Ingredient) and isinstance(value, Part):
                inside[name] = value
        return inside

    def twin(self, values: Mapping[str, Any]) -> Any:
        """A copy whose attributes are `values` where given: symbols in place of declarations."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.__dict__.update(values)
        return copy


def _checked(owner: str, name: str, spec: Any, value: Any) -> Any:
    """`value` as the field holds it: floats as float, vectors as nested tuples, dicts as Named."""
    if isinstance(spec, Ingredient):
        return _checked_ingredient(owner, name, spec, value)
    if not isinstance(spec, Parameter):
        return frozen(value)
    if value is None:
        return None
    where = f"{owner}.{name}"
    if spec.shape:
        return _checked_array(where, spec, value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise DeclarationError(f"{where} = {value!r}: must be a number in {spec.unit} ({spec.text})") from None
    check_bounds(where, spec, number)
    return number


def _checked_ingredient(owner: str, name: str, spec: Ingredient, value: Any) -> Any:
    items = value.values() if spec.many and isinstance(value, Mapping) else [value]
    if spec.many and not isinstance(value, Mapping):
        raise DeclarationError(f"{owner}.{name} must be a dict of name: part ({spec.text})")
    for item in items:
        if item is not None and not isinstance(item, Declared):
            raise DeclarationError(f"{owner}.{name} = {item!r}: must be a part ({spec.text})")
    return Named(value) if spec.many else value


def _checked_array(where: str, spec: Parameter, value: Any) -> Any:
    import numpy as np

    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = np.empty(())
    fits = array.ndim == len(spec.shape) and all(n in (None, m) for m, n in zip(array.shape, spec.shape, strict=True))
    if not fits:
        size = " × ".join("n" if n is None else str(n) for n in spec.shape)
        raise DeclarationError(f"{where} = {value!r}: must be {size} numbers in {spec.unit} ({spec.text})")
    for number in array.ravel():
        check_bounds(where, spec, float(number))
    return _nested(array.tolist())


def _nested(value: Any) -> Any:
    return tuple(map(_nested, value)) if isinstance(value, list) else value


def check_bounds(where: str, spec: Parameter, number: float) -> None:
    """Refuse a number that is not finite or outside the bounds of its parameter."""
    if not math.isfinite(number):
        rule = "be finite"
    elif spec.above is not None and not number > spec.above:
        rule = f"be above {spec.above:g}"
    elif spec.below is not None and not number < spec.below:
        rule = f"be below {spec.below:g}"
    elif spec.within is not None and not spec.within[0] <= number <= spec.within[1]:
        rule = f"lie within {spec.within[0]:g} and {spec.within[1]:g}"
    else:
        return
    raise DeclarationError(f"{where} = {number:g} {spec.unit}: must {rule} ({spec.text})")


def nearest(name: str, known: Any) -> str:
    """The known name most like this one, as the end of a message; empty if none is like it."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
