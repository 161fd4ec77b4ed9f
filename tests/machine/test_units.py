"""Units: what an engineer types is read exactly, and what is written reads back exactly."""

import copy
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oleodyn import units
from oleodyn.errors import DeclarationError
from oleodyn.units import degC, example, read, read_numbers, write

TYPED = [  # text, declared unit, the number in SI by hand
    ("80 mm", "m", 0.08),
    ("17 mm", "m", 0.017),
    ("180 bar", "Pa", 18e6),
    ("40 l/min", "m³/s", 40e-3 / 60),
    ("40 L/min", "m3/s", 40e-3 / 60),
    ("80 cm3/rev", "m³/rad", 80e-6 / (2 * math.pi)),
    ("5e-5 m/mA", "m/A", 0.05),
    ("0.75", "-", 0.75),
    ("0.75 -", "-", 0.75),
    ("75 %", "-", 0.75),
    ("30 deg", "rad", math.pi / 6),
    ("30°", "rad", math.pi / 6),
    ("180 deg", "rad", math.pi),
    ("1500 rpm", "rad/s", 50 * math.pi),
    ("25 rev/s", "rad/s", 50 * math.pi),
    ("12 N.m.s/rad", "N·m·s/rad", 12.0),
    ("7 Nm/rad", "N·m/rad", 7.0),
    ("3 m³/s", "m3/s", 3.0),
    ("2 kg m2", "kg·m²", 2.0),
    ("2 kg·m²", "kg m2", 2.0),
    ("2 kg*m^2", "kg·m²", 2.0),
    ("2 kg m**2", "kg·m²", 2.0),
    ("9.81 m s^-2", "m/s²", 9.81),
    ("9.81 m s⁻²", "m/s²", 9.81),
    ("5 1/s", "1/s", 5.0),
    ("5 Hz", "1/s", 5.0),
    ("40 degC", "K", 313.15),
    ("40 °C", "K", 313.15),
    ("46 cSt", "m²/s", 46e-6),
    ("1.5 GPa", "Pa", 1.5e9),
    ("3000 psi", "Pa", 3000 * 6894.757293168361),
    ("2.138e-8 m³/(s·V·√Pa)", "m³/(s·V·√Pa)", 2.138e-8),
    ("2e-9 m3/s/√kPa", "m³/(s·√Pa)", 2e-9 / math.sqrt(1000)),
    ("2e-9 m3/(s Pa^0.5)", "m³/(s·sqrt(Pa))", 2e-9),
    ("10s", "s", 10.0),
    ("0.2ms", "s", 0.0002),
    ("−3 mm", "m", -0.003),
    (".5 m", "m", 0.5),
    ("+1. m", "m", 1.0),
    ("2 knot", "m/s", 2 * 1852 / 3600),  # from pint
    ("90 arcmin", "rad", math.radians(1.5)),  # from pint
]


@pytest.mark.parametrize(("text", "unit", "value"), TYPED, ids=[row[0] for row in TYPED])
def test_a_typed_number_is_read_in_SI(text, unit, value):
    assert read(text, unit) == pytest.approx(value, rel=4e-16)  # one rounding each of the factor and the product


def test_decimal_units_give_the_float_nearest_to_the_decimal():
    assert [read(f"{n} mm", "m") for n in (3, 7, 17, 35, 63.5)] == [0.003, 0.007, 0.017, 0.035, 0.0635]


REFUSED = [  # text, declared unit, what the message says
    ("80 bar", "m", ['"80 bar": is a pressure', "must be a length (m)", '"80 mm"']),
    ("80", "m", ['"80": has no unit', "a length (m)", '"80 mm"']),
    ("80 mmm", "m", ["no unit is called 'mmm'", "did you mean 'mm'?", '"80 mm"']),
    ("180 BAR", "Pa", ["no unit is called 'BAR'", "did you mean 'bar'?", '"180 bar"']),
    ("80 cm3", "m³/rad", ["is a volume", "a displacement (m³/rad)", '"80 cm3/rev"']),
    ("120 N.m", "N·m/rad", ["is a torque", "torsional stiffness"]),
    ("1500 1/min", "rad/s", ["is a rate", "an angular speed (rad/s)", '"1500 rpm"']),
    ("3 mm", "-", ["is a length", "must be a bare ratio", '"0.8"']),
    ("thick", "m", ['"thick": must be a number with its unit', "a length (m)"]),
    ("0,8 mm", "m", ["a decimal point is a point, not a comma"]),
    ("nan m", "m", ["must be a number"]),
    ("inf m", "m", ["must be a number"]),
    ("1e999 m", "m", ["is too large"]),
    ("1e307 km", "mm", ["is too large"]),
    ("1.2.3 m", "m", ["must be a number"]),
    ("1 2 m", "m", ["'2' has no place there"]),
    ("3 m/s.m", "m", ["a product after / needs brackets"]),
    ("3 m/(s", "m/s", ["a bracket is not closed"]),
    ("3 m)", "m", ["')' has no place there"]),
    ("3 m/", "m", ["it breaks off"]),
    ("3 m^99", "m", ["no unit has the power 99"]),
    ("3 degC/s", "K/s", ["a point on a scale"]),
    ("70 degF", "K", ["a point on a scale, use K or degC"]),
    ("3 dB", "-", ["a point on a scale"]),
    ("1" * 300 + " m", "m", ["has 302 characters, too many"]),
]


@pytest.mark.parametrize(("text", "unit", "says"), REFUSED, ids=lambda row: str(row)[:20])
def test_what_is_no_number_of_that_unit_is_refused_with_an_example(text, unit, says):
    with pytest.raises(DeclarationError) as caught:
        read(text, unit)
    assert [part for part in says if part not in str(caught.value)] == []


UNITS = ["-", "m", "m²", "m³", "kg", "s", "rad", "rad/s", "Pa", "m³/s", "m³/rad", "N", "A", "K", "W", "m²/s", "m/s"]
UNITS += ["N·m·s/rad", "kg·m²", "m³/(s·V·√Pa)", "1/s", "m/s²"]


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(UNITS))
def test_a_written_number_reads_back_to_the_same_bits(value, unit):
    back = read(write(value, unit), unit)
    assert (back, math.copysign(1, back)) == (value, math.copysign(1, value))


@given(st.integers(1, 9999), st.integers(-3, 2), st.sampled_from(["mm", "bar", "l/min", "cm3/rev", "deg", "N", "cSt"]))
def test_a_short_number_in_a_usual_unit_is_written_as_short_again(digits, power, typed):
    unit = {"mm": "m", "bar": "Pa", "l/min": "m³/s", "cm3/rev": "m³/rad", "deg": "rad", "N": "N", "cSt": "m²/s"}[typed]
    value = read(f"{digits}e{power} {typed}", unit)
    assert len(write(value, unit).split()[0]) <= 8  # 4 digits, a point, up to 3 zeros


def test_numbers_are_written_in_the_units_of_a_hydraulic_drawing():
    assert write(0.08, "m") == "80 mm"
    assert write(18e6, "Pa") == "180 bar"
    assert write(read("40 l/min", "m³/s"), "m³/s") == "40 l/min"
    assert write(read("80 cm3/rev", "m³/rad"), "m³/rad") == "80 cm3/rev"
    assert write(math.radians(30), "rad") == "30 deg"
    assert write(313.15, "K") == "40 degC"
    assert write(12.0, "N·m·s/rad") == "12 N.m.s/rad"
    assert write(1e-8, "m³/(s·V·√Pa)") == "1e-8 m3/(s.V.√Pa)"


@pytest.mark.parametrize("unit", UNITS)
def test_every_example_in_a_message_is_readable(unit):
    assert read(example(unit), unit) > 0


def test_one_unit_serves_all_numbers_of_a_vector():
    assert read_numbers("(0, 0, -9.81) m/s2", "m/s²") == [0.0, 0.0, -9.81]
    assert read_numbers("0 0 20 mm", "m") == [0.0, 0.0, 0.02]
    assert read_numbers("((1, 0, 0), (0, 2, 0), (0, 0, 3)) kg.m2", "kg·m²") == [1, 0, 0, 0, 2, 0, 0, 0, 3]
    assert read_numbers("1 2 3 1/s", "1/s") == [1.0, 2.0, 3.0]
    assert read_numbers("0 1 0", "-") == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("text", ["(0, 0, 1)", "(0, 0, 1) bar", "(0, zero, 1) m", "east", "(0, nan, 1) m", "(0"])
def test_a_vector_without_its_unit_is_refused(text):
    with pytest.raises(DeclarationError, match=r"must be|bracket"):
        read_numbers(text, "m")


def test_hostile_texts_take_no_time():
    for text in (
        "1" * 10**7,
        "9" * 10**5 + " m",
        "(" * 10**5,
        "1e-" + "9" * 90,
        "√" * 70,
        "m." * 10**5,
        "1 " + "(" * 79,
    ):
        with pytest.raises(DeclarationError):
            read(text, "m")
        with pytest.raises(DeclarationError):
            read_numbers(text + " bar", "m")


NAMES = ["bar", "MPa", "kPa", "psi", "mm", "cm", "um", "deg", "rpm", "rev", "cm3", "kN", "ms", "us", "mA", "cSt", "kW"]


@pytest.mark.parametrize("name", NAMES)
@given(
    number=st.one_of(
        st.integers(-5000, 5000), st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda x: float(f"{x:.6g}"))
    )
)
def test_a_number_in_python_has_the_same_bits_as_the_same_text_in_a_file(name, number):
    factor = getattr(units, name)
    assert number * factor == factor * number == read(f"{number} {name}", None)


def test_constants_are_plain_numbers_in_SI():
    assert 50 * units.cm3 == 5e-5
    assert 9 * units.mm == 0.009
    assert 40 * units.l_per_min == read("40 l/min", "m³/s")
    assert 80 * units.cm3_per_rev == read("80 cm3/rev", "m³/rad")
    assert (units.bar, units.hour, units.tonne, units.litre) == (1e5, 3600.0, 1e3, 1e-3)
    assert type(3 * units.bar) is type(3.5 * units.bar) is type(18e6 / units.bar) is float
    assert (np.array([1.0, 2.0]) * units.bar).tolist() == [1e5, 2e5]
    assert pickle.loads(pickle.dumps(units.bar)) == copy.deepcopy(units.bar) == 1e5
    assert math.isnan(math.nan * units.bar)
    assert degC(40.0) == read("40 degC", "K")


def test_common_units_are_read_without_the_heavy_library():
    code = "import sys; from oleodyn.units import read; read('80 cm3/rev', 'm³/rad'); sys.exit('pint' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
