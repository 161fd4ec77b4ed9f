"""Every part keeps the contract: one test body for all of them."""

import importlib
import inspect
import pkgutil

import pytest

import oleodyn
from oleodyn.equations.check import check_part, contract
from oleodyn.errors import DeclarationError
from oleodyn.hydraulics.efficiency import PublishedEfficiency
from oleodyn.hydraulics.motor import GearMotor
from oleodyn.machine.part import Part
from tests.parts.examples import EXAMPLES

# class → the rules that its printed law breaks; every other part keeps them all
PRINTED_SO = {
    "ExponentialStribeck": {"jump", "tangent"},
    "BengisuAkay": {"jump"},
    "LuGre": {"passive"},
    "ModifiedLuGre": {"jump", "slope", "passive"},
    "HoseValve43": {"jump"},
    "PublishedEfficiency": {"passive"},
    "Saw": {"jump"},
}


def parts_of_the_library():
    """Every class of part, but not those that only gather what others share: without equations, derived from."""
    for module in pkgutil.walk_packages(oleodyn.__path__, "oleodyn."):
        importlib.import_module(module.name)
    found, waiting = [], [Part]
    while waiting:
        class_ = waiting.pop()
        below = [derived for derived in class_.__subclasses__() if derived.__module__.startswith("oleodyn.")]
        waiting += below
        shared = below and class_.equations is Part.equations
        if class_ is not Part and not shared and not inspect.isabstract(class_):
            found.append(class_)
    return sorted(found, key=lambda class_: (class_.__module__, class_.__name__))


CASES = EXAMPLES | {
    class_.__name__: class_
    for class_ in parts_of_the_library()
    if not any(type(part) is class_ for part in EXAMPLES.values())
}
"""the examples, and by its class each part that has none: it must be made of defaults alone"""


@pytest.mark.parametrize("part", CASES.values(), ids=CASES)
def test_part_keeps_the_contract(part):
    if isinstance(part, type):
        try:
            part = part()
        except DeclarationError as error:
            pytest.fail(f"{error} Or add a {part.__name__} to tests/parts/examples_*.py.", pytrace=False)
    check_part(part)


def test_only_printed_laws_break_a_rule():
    declared = {class_.__name__: set(class_.exceptions) for class_ in parts_of_the_library() if class_.exceptions}
    assert declared == PRINTED_SO


def test_a_cylinder_shows_the_exceptions_of_its_friction():
    from oleodyn.friction.bengisu_akay import BengisuAkay
    from oleodyn.hydraulics.cylinder import Cylinder

    friction = BengisuAkay(F_c=210.0, F_s=830.0, v_s=0.0125, sigma_2=330.0, xi=50.0)
    report = contract(Cylinder(d_bore=0.08, d_rod=0.035, stroke=0.9, length_0=1.1, friction=friction))
    assert report.violations == ()
    assert {(rule, reason.partition(":")[0]) for rule, _, reason in report.excused} == {("jump", "friction")}


def test_a_motor_gives_power_only_as_published():
    sizes = dict(D=1.3e-5, ratio=160, eta=0.836)
    published = contract(GearMotor(**sizes, efficiency=PublishedEfficiency()))
    assert published.violations == ()
    assert {(rule, reason.partition(":")[0]) for rule, _, reason in published.excused} == {("passive", "efficiency")}
    assert contract(GearMotor(**sizes)).excused == ()
