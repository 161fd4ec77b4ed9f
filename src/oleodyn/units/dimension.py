"""What a unit is: an exact factor and the powers of its base units, read from its text.

The table below holds what hydraulics and mechanics use; pint is asked, late, for all else.
"""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from oleodyn.errors import DeclarationError


@dataclass(frozen=True)
class Unit:
    """ratio · π^pi · loose times a product of base units; `zero` is where an offset scale starts.

    `ratio` is exact, so that "17 mm" is the float nearest to 0.017; `loose` holds what no
    fraction can (√bar).
    """

    ratio: Fraction
    dims: tuple[tuple[str, Fraction], ...] = ()
    pi: Fraction = Fraction(0)
    loose: float = 1.0
    zero: Fraction = Fraction(0)

    def __mul__(self, other: "Unit") -> "Unit":
        dims = dict(self.dims)
        for base, power in other.dims:
            dims[base] = dims.get(base, Fraction(0)) + power
        return Unit(self.ratio * other.ratio, _sorted(dims), self.pi + other.pi, self.loose * other.loose)

    def __pow__(self, power: Fraction) -> "Unit":
        dims = {base: exponent * power for base, exponent in self.dims}
        ratio, loose = self.ratio, self.loose ** float(power)
        if power.denominator == 2 and (root := _exact_root(ratio)) is not None:
            ratio, whole = root, power.numerator
        elif power.denominator == 1:
            whole = power.numerator
        else:
            ratio, whole, loose = Fraction(1), 1, loose * float(ratio) ** float(power)
        return Unit(ratio**whole, _sorted(dims), self.pi * power, loose)


def _sorted(dims: dict[str, Fraction]) -> tuple[tuple[str, Fraction], ...]:
    return tuple(sorted((base, power) for base, power in dims.items() if power))


def _exact_root(ratio: Fraction) -> Fraction | None:
    top, bottom = math.isqrt(ratio.numerator), math.isqrt(ratio.denominator)
    return Fraction(top, bottom) if Fraction(top * top, bottom * bottom) == ratio else None


# ------------------------------------------------------------------ the units we know

_PREFIXES = {"n": -9, "u": -6, "µ": -6, "μ": -6, "m": -3, "c": -2, "d": -1, "k": 3, "M": 6, "G": 9}
_BASE = {"m": "m", "s": "s", "A": "A", "K": "K", "rad": "rad", "mol": "mol"}
_PREFIXABLE = {
    "N": "kg·m/s2", "Pa": "N/m2", "J": "N·m", "W": "J/s", "V": "W/A", "Ω": "V/A", "Ohm": "V/A", "Hz": "1/s",
    "C": "A·s", "F": "C/V", "H": "V·s/A", "Wb": "V·s", "T": "Wb/m2", "Nm": "N·m", "St": ("1/10000", "m2/s"),
    "l": ("1/1000", "m3"), "L": ("1/1000", "m3"), "bar": ("100000", "Pa"), "P": ("1/10", "Pa·s"),
}  # fmt: skip
_PLAIN = {
    "%": ("1/100", ""), "ppm": ("1/1000000", ""), "t": ("1000", "kg"), "min": ("60", "s"), "h": ("3600", "s"),
    "day": ("86400", "s"), "hPa": ("100", "Pa"), "atm": ("101325", "Pa"), "litre": ("1", "l"), "liter": ("1", "l"),
    "cc": ("1", "cm3"), "lpm": ("1", "l/min"), "Nmm": ("1/1000", "N·m"), "gravity": ("9.80665", "m/s2"),
    "in": ("0.0254", "m"), "inch": ("0.0254", "m"), "ft": ("0.3048", "m"), "lb": ("0.45359237", "kg"),
    "lbf": ("4.4482216152605", "N"), "psi": ("1", "lbf/in2"), "gal": ("231", "in3"), "gpm": ("1", "gal/min"),
    "hp": ("550", "ft·lbf/s"), "Wh": ("3600", "J"), "kWh": ("3600000", "J"), "kgf": ("9.80665", "N"),
}  # fmt: skip
_ANGLES = {"deg": Fraction(1, 180), "°": Fraction(1, 180), "rev": Fraction(2), "turn": Fraction(2)}
_CELSIUS = ("degC", "°C", "℃")


# ------------------------------------------------------------------ reading a unit

_TOKEN = re.compile(
    r"\s*(?:(√|sqrt|\(|\)|/|[·⋅.*×])|([A-Za-zµμΩ°℃%]+|1)(?:(?:\^|\*\*)(-?\d*\.\d+)|(?:\^|\*\*)?(-?\d+))?|(\S))"
)
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


@lru_cache(maxsize=4096)
def unit_of(text: str) -> Unit:
    """The unit a text stands for: N.m.s/rad, kg m2, m³/(s·√Pa), l/min, 1/s, %; "-" is none.

    >>> float(unit_of("l/min").ratio)
    1.6666666666666667e-05
    """
    text = text.strip()
    if text in ("", "-"):
        return Unit(Fraction(1))
    if text in _CELSIUS:
        return Unit(Fraction(1), (("K", Fraction(1)),), zero=Fraction("273.15"))
    if len(text) > 80:
        raise DeclarationError(f"unit {text[:30]!r}…: longer than any unit")
    tokens = [match.groups() for match in _TOKEN.finditer(text.translate(SUPERSCRIPTS))]
    unit = _quotient(text, tokens)
    if tokens:
        raise _unreadable(text, f"{_shown(tokens[0])!r} has no place there")
    return unit


_Tokens = list[tuple[str | None, ...]]


def _shown(token: tuple[str | None, ...]) -> str:
    return next(part for part in token if part is not None)


def _unreadable(text: str, why: str) -> DeclarationError:
    return DeclarationError(f"unit {text!r}: {why}")


def _quotient(text: str, tokens: _Tokens) -> Unit:
    unit, divided = _factor(text, tokens), False
    while tokens and tokens[0][0] != ")":
        if tokens[0][0] == "/":
            divided = True
            tokens.pop(0)
            unit = unit * _factor(text, tokens) ** Fraction(-1)
            continue
        if divided:
            raise _unreadable(text, "a product after / needs brackets")
        if tokens[0][0] not in (None, "(", "√", "sqrt"):
            tokens.pop(0)
        unit = unit * _factor(text, tokens)
    return unit


def _factor(text: str, tokens: _Tokens) -> Unit:
    if not tokens:
        raise _unreadable(text, "it breaks off")
    mark, atom, broken, whole, stray = tokens.pop(0)
    if mark in ("√", "sqrt"):
        return _factor(text, tokens) ** Fraction(1, 2)
    if mark == "(":
        unit = _quotient(text, tokens)
        if not tokens or tokens.pop(0)[0] != ")":
            raise _unreadable(text, "a bracket is not closed")
        return unit
    if mark is not None or stray is not None:
        raise _unreadable(text, f"{mark or stray!r} has no place there")
    power = Fraction(broken or whole or 1)
    if abs(power) > 9:
        raise _unreadable(text, f"no unit has the power {power}")
    return Unit(Fraction(1)) if atom == "1" else _atom(str(atom)) ** power


@lru_cache(maxsize=4096)
def _atom(name: str) -> Unit:
    if name in _BASE:
        return Unit(Fraction(1), ((_BASE[name], Fraction(1)),))
    if name in ("g", "kg"):
        return Unit(Fraction(1, 1000 if name == "g" else 1), (("kg", Fraction(1)),))
    if name in _ANGLES:
        return Unit(_ANGLES[name], (("rad", Fraction(1)),), pi=Fraction(1))
    if name == "rpm":
        return unit_of("rev/min")
    if name in _PREFIXABLE:
        return _defined(_PREFIXABLE[name])
    if name in _PLAIN:
        return _defined(_PLAIN[name])
    if name in _CELSIUS:
        raise DeclarationError(f"unit {name!r}: is a point on a scale, a difference of temperature is in K")
    rest = name[1:]
    if name[0] in _PREFIXES and (rest in _PREFIXABLE or rest in _BASE or rest in ("g", "rev", "t", "Wh")):
        return Unit(Fraction(10) ** _PREFIXES[name[0]]) * _atom(rest)
    return _asked_of_pint(name)


def _defined(definition: str | tuple[str, str]) -> Unit:
    ratio, unit = definition if isinstance(definition, tuple) else ("1", definition)
    return Unit(Fraction(ratio)) * unit_of(unit)


def _asked_of_pint(name: str) -> Unit:
    """A unit our table lacks (knot, acre). pint takes 0.3 s to import, so it is asked last."""
    import pint

    bases = {"meter": "m", "second": "s", "ampere": "A", "kelvin": "K", "radian": "rad", "mole": "mol", "gram": "g"}
    try:
        one, none = (_registry().Quantity(number, name).to_root_units() for number in (1.0, 0.0))
        unit = Unit(Fraction(1), loose=float(one.magnitude))
        for base, power in one.unit_items():
            unit = unit * _atom(bases[base]) ** Fraction(str(power)).limit_denominator(100)
    except (pint.PintError, KeyError, TypeError, ValueError, AttributeError):
        raise DeclarationError(f"no unit is called {name!r}{_nearest_unit(name)}") from None
    if none.magnitude != 0.0:
        raise DeclarationError(f"unit {name!r}: is a point on a scale, use K or degC")
    return unit


@lru_cache(maxsize=1)
def _registry():
    import pint

    return pint.UnitRegistry()


def _nearest_unit(name: str) -> str:
    import difflib

    known = [*_BASE, "kg", "g", *_PREFIXABLE, *_PLAIN, *_ANGLES, "rpm", "mm", "cm", "kN", "MPa", "kPa", "mA", "degC"]
    folded = [unit for unit in known if unit.lower() == name.lower()]
    close = folded or difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""
