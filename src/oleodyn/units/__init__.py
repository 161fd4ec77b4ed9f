"""Units: bar, mm, l_per_min … as factors to SI, and reading what an engineer types ("80 mm").

Going in, `180 * bar`; coming out, `p / bar`; in files and on the command line, `read("180 bar", "Pa")`.
A radian counts here: rpm is an angular speed (rad/s), 1/min is not; a displacement is m³/rad or cm3/rev.
"""

import math
import re
from fractions import Fraction
from functools import lru_cache

from oleodyn.errors import DeclarationError
from oleodyn.units.dimension import SUPERSCRIPTS, Unit, unit_of

# ------------------------------------------------------------------ factors for Python

um, mm, cm, km = 1e-6, 1e-3, 1e-2, 1e3
cm2, mm2 = 1e-4, 1e-6
cm3, litre, ml = 1e-6, 1e-3, 1e-6
us, ms, minute, hour = 1e-6, 1e-3, 60.0, 3600.0
gram, tonne = 1e-3, 1e3
kN, MN = 1e3, 1e6
kPa, MPa, GPa, bar, mbar, psi = 1e3, 1e6, 1e9, 1e5, 1e2, 6894.757293168361
deg, rev = math.pi / 180, 2 * math.pi
rpm = math.pi / 30
l_per_min, cm3_per_rev = 1e-3 / 60, 1e-6 / (2 * math.pi)
mA, mV = 1e-3, 1e-3
kW, kJ = 1e3, 1e3
cSt, mPa_s = 1e-6, 1e-3
percent = 1e-2


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
    "m": ("m", "mm"), "m2": ("cm2", "mm2", "m2"), "m3": ("l", "cm3", "m3"), "s": ("s", "ms", "us"),
    "rad": ("deg", "rad"), "rad/s": ("rad/s", "rpm", "deg/s"), "Pa": ("bar", "Pa", "MPa", "GPa"),
    "m3/s": ("l/min", "m3/s"), "m3/rad": ("cm3/rev", "m3/rad"), "N": ("N", "kN"), "A": ("A", "mA"),
    "K": ("K", "degC"), "W": ("W", "kW"), "m2/s": ("cSt", "m2/s"), "m/s": ("m/s", "mm/s"),
}  # fmt: skip
"""the units in which a number is written, the usual one first: a later one must be shorter"""


# ------------------------------------------------------------------ reading a number with its unit

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?(?![\d.])")
_BETWEEN = re.compile(r"[\s,;()\[\]]*")


def read(text: str, unit: str) -> float:
    """The number in `text`, which carries a unit, as a number of `unit`.

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
    return _number(text, number, _matching(text, written, unit), unit_of(unit))


def read_numbers(text: str, unit: str) -> list[float]:
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
    if not numbers:
        raise DeclarationError(
            f'{_quoted(text)}: must be numbers and their unit, for example "(0, 0, 1) {plain(unit)}"'
        )
    given, wanted = _matching(text, written, unit), unit_of(unit)
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


def _wanted(unit: str) -> str:
    name = _NAMES.get(_key(unit))
    return f'{f"{name} ({unit})" if name and unit != "-" else name or unit}, for example "{example(unit)}"'


def _matching(text: str, written: str, unit: str) -> Unit:
    """The unit as written, of the same dimension as `unit`, or the error that says what is due."""
    wanted = unit_of(unit)
    written = written.strip()
    if not written and wanted.dims:
        raise DeclarationError(f"{_quoted(text)}: has no unit; must be {_wanted(unit)}")
    try:
        given = unit_of(written)
    except DeclarationError as error:
        raise DeclarationError(f"{_quoted(text)}: {error}; must be {_wanted(unit)}") from None
    if given.dims != wanted.dims:
        raise DeclarationError(f"{_quoted(text)}: is {_described(given)}; must be {_wanted(unit)}")
    return given


def _number(text: str, number: str, given: Unit, wanted: Unit) -> float:
    if len(number) > 200:
        raise DeclarationError(f"{_quoted(text)}: has more digits than a number needs")
    value = _converted(number, given, wanted)
    if not math.isfinite(value):
        raise DeclarationError(f"{_quoted(text)}: is too large")
    return value


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


# ------------------------------------------------------------------ naming and writing


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
    return _EXAMPLES.get(_key(unit), f"1 {plain(unit)}")


def write(value: float, unit: str) -> str:
    """A text that reads back as exactly this number, in the unit an engineer would choose.

    >>> write(0.08, "m"), write(1.8e7, "Pa"), write(0.7, "-")
    ('80 mm', '180 bar', '0.7')
    """
    if not math.isfinite(value):
        raise DeclarationError(f"{value} {unit}: is not a finite number and cannot be written")
    if not unit_of(unit).dims and unit.strip() in ("", "-"):
        return _shortened(repr(float(value)))
    own = plain(unit)
    best, best_cost = f"{_shortened(repr(float(value)))} {own}", math.inf
    for rank, candidate in enumerate(_WRITTEN.get(_key(unit), (own,))):
        number = _digits(value, candidate, unit)
        cost = len(number) + rank + 2 * (abs(float(number)) >= 1e4) if number else math.inf
        if cost < best_cost:
            best, best_cost = f"{number} {candidate}", cost
    return best


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
