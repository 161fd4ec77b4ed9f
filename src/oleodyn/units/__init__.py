"""Units: bar, mm, l_per_min … as factors to SI, and reading what an engineer types ("80 mm").

Going in, `180 * bar`; coming out, `p / bar`; in files and on the command line, `read("180 bar", "Pa")`.
A radian counts here: rpm is an angular speed (rad/s), 1/min is not; a displacement is m³/rad or cm3/rev.
"""

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from oleodyn.errors import DeclarationError
from oleodyn.units.dimension import SUPERSCRIPTS, Unit, unit_of

# ------------------------------------------------------------------ factors for Python


class Factor(float):
    """A unit as a number in SI: `80 * mm` is the float nearest to 0.08, just as "80 mm" in a file."""

    unit: Unit

    def __new__(cls, name: str) -> "Factor":
        """The factor of a unit as it is typed, such as "l/min"."""
        unit = unit_of(name)
        made = super().__new__(cls, _converted("1", unit, Unit(Fraction(1), unit.dims)))
        made.unit = unit
        return made

    def __mul__(self, number: Any) -> Any:
        if type(number) in (int, float) and math.isfinite(number):
            return _converted(repr(number), self.unit, Unit(Fraction(1), self.unit.dims))
        return float(self) * number

    __rmul__ = __mul__

    def __reduce__(self):
        return float, (float(self),)


def _converted(number: str, given: Unit, wanted: Unit) -> float:
    """A number of one unit in another, rounded once where the factor is a fraction."""
    value = float(number)
    if given == wanted or not (value or given.zero or wanted.zero):
        return value
    try:
        value = float(Fraction(number) * given.ratio / wanted.ratio + given.zero - wanted.zero)
    except OverflowError:
        return math.inf
    if given.pi != wanted.pi:
        value *= math.pi ** float(given.pi - wanted.pi)
    if given.loose != wanted.loose:
        value *= given.loose / wanted.loose
    return value


um, mm, cm, km = Factor("um"), Factor("mm"), Factor("cm"), Factor("km")
mm2, cm2 = Factor("mm2"), Factor("cm2")
cm3, litre, ml = Factor("cm3"), Factor("l"), Factor("ml")
us, ms, minute, hour = Factor("us"), Factor("ms"), Factor("min"), Factor("h")
gram, tonne = Factor("g"), Factor("t")
kN, MN = Factor("kN"), Factor("MN")
mbar, bar, psi, kPa, MPa, GPa = (
    Factor("mbar"),
    Factor("bar"),
    Factor("psi"),
    Factor("kPa"),
    Factor("MPa"),
    Factor("GPa"),
)
deg, rev, rpm = Factor("deg"), Factor("rev"), Factor("rpm")
l_per_min, cm3_per_rev = Factor("l/min"), Factor("cm3/rev")
mA, mV, kW, kJ = Factor("mA"), Factor("mV"), Factor("kW"), Factor("kJ")
cSt, percent = Factor("cSt"), Factor("%")


def degC(temp: float) -> float:
    """Absolute temperature [K] of a temperature in degrees Celsius.

    >>> degC(40.0)
    313.15
    """
    return temp + 273.15


# ------------------------------------------------------------------ how dimensions are called

_NAMES = {
    "-": "a bare ratio", "m": "a length", "m2": "an area", "m3": "a volume", "kg": "a mass", "s": "a time",
    "rad": "an angle", "rad/s": "an angular speed", "rad/s2": "an angular acceleration", "m/s": "a speed",
    "m/s2": "an acceleration", "N": "a force", "N.m": "a torque", "Pa": "a pressure", "m3/s": "a flow",
    "m3/rad": "a displacement", "A": "a current", "V": "a voltage", "K": "a temperature", "W": "a power",
    "kg/m3": "a density", "N/m": "a stiffness", "N.s/m": "a damping", "kg.m2": "an inertia", "1/s": "a rate",
    "m2/s": "a kinematic viscosity", "Pa.s": "a dynamic viscosity", "N.m/rad": "a torsional stiffness",
    "N.m.s/rad": "a torsional damping", "m3/Pa": "a capacity", "Hz": "a rate", "1/Pa": "a compressibility",
}  # fmt: skip
_EXAMPLES = {
    "-": "0.8", "m": "80 mm", "m2": "20 cm2", "m3": "2 l", "kg": "12 kg", "s": "5 ms", "rad": "30 deg",
    "rad/s": "1500 rpm", "m/s": "0.2 m/s", "m/s2": "9.81 m/s2", "N": "5 kN", "N.m": "120 N.m", "Pa": "180 bar",
    "m3/s": "40 l/min", "m3/rad": "80 cm3/rev", "A": "40 mA", "V": "10 V", "K": "40 degC", "W": "5 kW",
    "kg/m3": "870 kg/m3", "m2/s": "46 cSt", "kg.m2": "0.02 kg.m2", "N/m": "1e6 N/m", "N.s/m": "500 N.s/m",
    "N.m.s/rad": "12 N.m.s/rad", "1/s": "5 1/s",
}  # fmt: skip
_WRITTEN = {
    "m": ("m", "mm", "um"), "m2": ("cm2", "mm2", "m2"), "m3": ("l", "cm3", "m3"), "s": ("s", "ms", "us"),
    "rad": ("deg", "rad"), "rad/s": ("rad/s", "rpm", "deg/s"), "Pa": ("bar", "Pa", "MPa", "GPa"),
    "m3/s": ("l/min", "m3/s"), "m3/rad": ("cm3/rev", "m3/rad"), "N": ("N", "kN"), "A": ("A", "mA"),
    "K": ("K", "degC"), "W": ("W", "kW"), "m2/s": ("cSt", "m2/s"), "m/s": ("m/s", "mm/s"),
}  # fmt: skip
"""the units in which a number is written, the usual one first: a later one must be shorter"""


# ------------------------------------------------------------------ reading a number with its unit

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?(?![\d.])")
_BETWEEN = re.compile(r"[\s,;()\[\]]*")


def read(text: str, unit: str | None) -> float:
    """The number in `text`, which carries a unit, as a number of `unit` (None: any, in SI).

    >>> read("80 mm", "m"), read("40 l/min", "m³/s"), read("0.7 -", "-")
    (0.08, 0.0006666666666666666, 0.7)
    """
    tidy = _tidied(text, 200)
    found = _NUMBER.match(tidy)
    if found is None:
        raise DeclarationError(f"{_quoted(text)}: must be a number with its unit, {_wanted(unit)}")
    number, written = found[0], tidy[found.end() :]
    if re.match(r",\d", written):
        raise DeclarationError(f"{_quoted(text)}: a decimal point is a point, not a comma; must be {_wanted(unit)}")
    return _number(text, number, *_matching(text, written, unit))


def read_numbers(text: str, unit: str | None) -> list[float]:
    """The numbers in a text that ends with one unit for all, such as "(0, 0, -9.81) m/s2".

    >>> read_numbers("(0, 0, -9.81) m/s2", "m/s²"), read_numbers("0 1 0", "-")
    ([0.0, 0.0, -9.81], [0.0, 1.0, 0.0])
    """
    tidy = _tidied(text, 1_000_000)
    numbers: list[str] = []
    place = _end(_BETWEEN, tidy, 0)
    while found := _NUMBER.match(tidy, place):
        numbers.append(found[0])
        place = _end(_BETWEEN, tidy, found.end())
    written = tidy[place:]
    if written.startswith("/") and numbers:  # "0 0 5 1/s"
        written = numbers.pop() + written
    if tidy.startswith("(") and tidy.count("(") > tidy.count(")"):
        remedy = f'within a list in [ ] write it as "0 0 1 {plain(unit or "mm")}"'
        raise DeclarationError(f"{_quoted(text)}: its bracket is not closed; {remedy}")
    if not numbers:
        raise DeclarationError(
            f'{_quoted(text)}: must be numbers and their unit, for example "(0, 0, 1) {plain(unit or "mm")}"'
        )
    given, wanted = _matching(text, written, unit)
    return [_number(text, number, given, wanted) for number in numbers]


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place


def _tidied(text: str, longest: int) -> str:
    if len(text) > longest:
        raise DeclarationError(f"{_quoted(text)}: has {len(text)} characters, too many for a number")
    return text.strip().replace("−", "-")


def _quoted(text: str) -> str:
    return f'"{text if len(text) <= 60 else text[:57] + "…"}"'


def _wanted(unit: str | None) -> str:
    if unit is None:
        return 'for example "80 mm"'
    names = ((choice, _NAMES.get(_key(choice))) for choice in choices(unit))
    texts = (f"{name} ({choice})" if name and choice != "-" else name or choice for choice, name in names)
    return f'{" or ".join(texts)}, for example "{example(unit)}"'


def _matching(text: str, written: str, unit: str | None) -> tuple[Unit, Unit]:
    """The unit as written and the one wanted, of the same dimension; or the error that says what is due."""
    written = written.strip()
    try:
        given = unit_of(written)
    except DeclarationError as error:
        raise DeclarationError(f"{_quoted(text)}: {error}; must be {_wanted(unit)}") from None
    due = [Unit(Fraction(1), given.dims)] if unit is None else [unit_of(choice) for choice in choices(unit)]
    wanted = next((choice for choice in due if choice.dims == given.dims), due[0])
    if not written and wanted.dims:
        raise DeclarationError(f"{_quoted(text)}: has no unit; must be {_wanted(unit)}")
    if given.dims != wanted.dims:
        raise DeclarationError(f"{_quoted(text)}: is {_described(given)}; must be {_wanted(unit)}")
    return given, wanted


def _number(text: str, number: str, given: Unit, wanted: Unit) -> float:
    if len(number) > 200:
        raise DeclarationError(f"{_quoted(text)}: has more digits than a number needs")
    value = _converted(number, given, wanted)
    if not math.isfinite(value):
        raise DeclarationError(f"{_quoted(text)}: is too large")
    return value


# ------------------------------------------------------------------ naming and writing


def choices(unit: str) -> list[str]:
    """The units of which any is right: a friction law works on a slide ("N") and on a shaft ("N·m").

    >>> choices("N|N·m"), read("2 kN.m", "N|N·m")
    (['N', 'N·m'], 2000.0)
    """
    return unit.split("|")


def plain(unit: str) -> str:
    """A unit in characters that any keyboard has: kg.m2 for kg·m²."""
    return re.sub(r"\s+|[·⋅*×]", ".", unit.strip().translate(SUPERSCRIPTS).replace("^", ""))


@lru_cache(maxsize=1024)
def _key(unit: str) -> str:
    """The name under which the tables above know a unit of this dimension; else the unit itself."""
    own = plain(unit)
    if own in _NAMES:
        return own
    dims = unit_of(unit).dims
    return next((name for name in _NAMES if unit_of(name).dims == dims), own)


def _described(unit: Unit) -> str:
    for name, words in _NAMES.items():
        if unit_of(name).dims == unit.dims:
            return words
    parts = [base if power == 1 else f"{base}^{power}" for base, power in unit.dims]
    return "in " + "·".join(parts)


def example(unit: str) -> str:
    """A number as one would type it where `unit` is due.

    >>> example("m³/s"), example("N/m²"), example("m³/(s·V)")
    ('40 l/min', '180 bar', '1 m3/(s.V)')
    """
    first = choices(unit)[0]
    return _EXAMPLES.get(_key(first), f"1 {plain(first)}")


def write(value: float, unit: str) -> str:
    """A text that reads back as exactly this number, in the unit an engineer would choose.

    >>> write(0.08, "m"), write(1.8e7, "Pa"), write(0.7, "-")
    ('80 mm', '180 bar', '0.7')
    """
    (number,), chosen = _written([value], unit)
    return f"{number} {chosen}".rstrip()


def write_numbers(values: Sequence[float], unit: str) -> tuple[list[str], str]:
    """Texts of several numbers and the one unit that they are in ("" for a bare ratio).

    >>> write_numbers([0.0, 0.08, -0.05], "m")
    (['0', '80', '-50'], 'mm')
    """
    return _written(values, unit)


def _written(values: Sequence[float], unit: str) -> tuple[list[str], str]:
    for value in values:
        if not math.isfinite(value):
            raise DeclarationError(f"{value} {unit}: is not a finite number and cannot be written")
    unit = choices(unit)[0]
    best = [_shortened(repr(float(value))) for value in values]
    if unit.strip() in ("", "-"):
        return best, ""
    chosen, best_cost = plain(unit), math.inf
    for rank, candidate in enumerate(_WRITTEN.get(_key(unit), ())):
        numbers = [_digits(value, candidate, unit) for value in values]
        if all(numbers):
            cost = sum(len(number) + rank + 2 * (abs(float(number)) >= 1e4) for number in numbers)
            if cost < best_cost:
                best, chosen, best_cost = numbers, candidate, cost
    return best, chosen


def _digits(value: float, candidate: str, unit: str) -> str:
    """The shortest digits that, followed by `candidate`, read back as `value`; "" if none does."""
    given, wanted = unit_of(candidate), unit_of(unit)
    number = repr(value)
    if given != wanted and value:
        size = Fraction(value - float(given.zero - wanted.zero)) * wanted.ratio / given.ratio
        if not 1e-300 < abs(size) < 1e300:
            return ""
        scaled = float(size) / (math.pi ** float(given.pi - wanted.pi) * given.loose / wanted.loose)
        texts = (f"{scaled:.{precision}g}" for precision in (15, 16, 17))
        number = next((text for text in texts if _converted(text, given, wanted) == value), "")
    return _shortened(number)


def _shortened(number: str) -> str:
    mantissa, _, exponent = number.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa
