"""How numbers are shown to people: bar, mm, °, l/min, and no digit too many."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Display:
    """A unit for people: shown = SI value · factor."""

    unit: str
    factor: float = 1.0


_DEG = 180 / math.pi
_THOUSANDS = {"N": 1e4, "N·m": 1e4, "W": 1e3, "J": 1e3}
_SHOWN: dict[str, list[tuple[float, Display]]] = {
    "Pa": [(0.0, Display("Pa")), (1e3, Display("bar", 1e-5))],
    "m": [(0.0, Display("µm", 1e6)), (1e-4, Display("mm", 1e3)), (1.0, Display("m"))],
    "m/s": [(0.0, Display("mm/s", 1e3)), (0.1, Display("m/s"))],
    "m²": [(0.0, Display("cm²", 1e4)), (1.0, Display("m²"))],
    "m³": [(0.0, Display("cm³", 1e6)), (1e-3, Display("l", 1e3)), (10.0, Display("m³"))],
    "m³/s": [(0.0, Display("l/min", 6e4))],
    "rad": [(0.0, Display("°", _DEG))],
    "rad/s": [(0.0, Display("°/s", _DEG)), (40.0, Display("rpm", 30 / math.pi))],
    "rad/s²": [(0.0, Display("°/s²", _DEG))],
    "s": [(0.0, Display("µs", 1e6)), (1e-3, Display("ms", 1e3)), (1.0, Display("s"))],
    "A": [(0.0, Display("mA", 1e3)), (0.5, Display("A"))],
    "-": [(0.0, Display(""))],
    **{unit: [(0.0, Display(unit)), (size, Display(f"k{unit}", 1e-3))] for unit, size in _THOUSANDS.items()},
}  # fmt: skip
_SPELT = {
    "m3/s": "m³/s",
    "m^3/s": "m³/s",
    "m3": "m³",
    "m2": "m²",
    "Nm": "N·m",
    "N*m": "N·m",
    "rad/s2": "rad/s²",
    "": "-",
}


def display(unit: str, size: float = 0.0) -> Display:
    """The unit in which an SI number of this size is shown; unknown units are shown as they are.

    >>> display("Pa", 2e7), display("m", 0.08).unit, display("kg/m³")
    (Display(unit='bar', factor=1e-05), 'mm', Display(unit='kg/m³', factor=1.0))
    """
    chosen = Display(unit.replace("|", " or "))
    for smallest, shown in _SHOWN.get(_SPELT.get(unit, unit), []):
        if size >= smallest or smallest == 0.0:
            chosen = shown
    return chosen


def display_of(unit: str, values: Any) -> Display:
    """The unit in which an array of SI values is shown."""
    finite = np.asarray(values, dtype=float)
    finite = finite[np.isfinite(finite)]
    return display(unit, float(np.abs(finite).max()) if finite.size else 0.0)


def number(value: float, digits: int = 4) -> str:
    """A number in as few characters as `digits` significant digits need, with a true minus; whole up to a million.

    >>> number(180.0), number(0.00012345), number(-1234567.0), number(0.1 + 0.2), number(11978.6), number(math.nan)
    ('180', '1.234×10⁻⁴', '−1.235×10⁶', '0.3', '11979', '–')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{digits}g}"
    if abs(value) < 1e6 and "e+" in text:
        text = f"{value:.0f}"
    mantissa, _, exponent = text.partition("e")
    if value and not exponent and abs(value) < 1e-3:
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    if exponent:
        if "." in mantissa:
            mantissa = mantissa.rstrip("0").rstrip(".")
        power = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        mantissa = f"{mantissa}×10{power}"
    return mantissa.replace("-", "−")


def shown(value: float, unit: str, digits: int = 4) -> str:
    """A number with the unit that suits it.

    >>> shown(1.8e7, "Pa"), shown(0.08, "m"), shown(0.5, "-")
    ('180 bar', '80 mm', '0.5')
    """
    chosen = display(unit, abs(value))
    return f"{number(value * chosen.factor, digits)} {chosen.unit}".strip()
