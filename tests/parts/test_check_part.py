"""The contract of parts can fail: every rule is broken once, on purpose, and found."""

from pathlib import Path

import pytest

from oleodyn.equations.check import RULES, check_part, contract
from oleodyn.errors import DeclarationError
from oleodyn.friction.bengisu_akay import BengisuAkay
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import (
    Declaration,
    Input,
    Output,
    Part,
    Power,
    State,
    Terms,
    ingredient,
    parameter,
)
from oleodyn.maths import fabs, sign, signed_root, sqrt, where
from oleodyn.mechanics.port import LinePort

SOUND = """

    Equations   as in the code below.
    References  [1] a book.
    """


class Gap(Part):
    """A part that keeps the contract, which the others below spoil in one place each.

    Equations   Q = C root(p_A − p_B)
    References  [1] Merritt (1967) Hydraulic Control Systems.
    """

    passive = True
    A, B = HydraulicPort("one side"), HydraulicPort("other side")
    C: float = parameter("m³/(s·√Pa)", "flow per root of the drop", above=0, default=1e-6)
    seen = Output("Pa", "drop")

    def flow(self, dp):
        return self.C * signed_root(dp, 1e4)

    def equations(self) -> Terms:
        dp = self.A.p - self.B.p
        Q = self.flow(dp)
        return Terms(into=dict(A=Q, B=-Q), out=dict(seen=dp), power=Power(lost=dict(throttling=Q * dp)))


class Sample(Part):
    """A part with a state, a line and a pressure, whose terms a test gives as a function."""

    __doc__ += SOUND
    A = HydraulicPort("oil")
    rod = LinePort("rod")
    z = State("m", "a state", nominal=0.1)
    u = Input("-", "a command", within=(0, 1))

    def equations(self) -> Terms:
        return terms_of(self)


def terms_of(twin):
    return Terms(der=dict(z=-twin.z))


def broken(part):
    """rule → sentences."""
    found = {}
    for rule, text in contract(part).violations:
        found.setdefault(rule, []).append(text)
    return found


def alone(part):
    """The one rule that a part breaks, and its sentences."""
    found = broken(part)
    assert len(found) == 1, found
    return next(iter(found.items()))


def spoiled(**body):
    return type("Spoiled", (Gap,), {"__doc__": Gap.__doc__, **body})()


def sample(monkeypatch, terms):
    """What is broken when the sample part returns these terms."""
    monkeypatch.setitem(globals(), "terms_of", terms)
    return broken(Sample())


def test_a_sound_part_keeps_the_contract():
    assert contract(Gap()).violations == ()
    assert str(contract(Gap())) == "Gap keeps the contract of parts."
    check_part(Gap())


def test_all_violations_come_in_one_error_with_rule_and_remedy():
    class Wrong(Gap):
        """Nothing."""

        def flow(self, dp):
            return -self.C * dp

    with pytest.raises(DeclarationError) as error:
        check_part(Wrong())
    text = str(error.value)
    assert text.startswith("Wrong breaks the contract:")
    assert "docstring: the docstring of Wrong has no block Equations" in text
    assert "a passive part never gives power" in text
    assert RULES["passive"] in text


# ------------------------------------------------------------------ what is written


def test_missing_units_and_texts_are_found():
    class Bare(Gap):
        __doc__ = Gap.__doc__
        d: float = parameter("", "a width", default=1.0)
        e: float = parameter("flurb", "a length", default=1.0)
        f: float = parameter("m|rad", " ", default=1.0)

    rule, texts = alone(Bare())
    assert rule == "declared"
    assert texts[0] == "d has the unit '', which cannot be read: a bare ratio is written -"
    assert "e has the unit 'flurb'" in texts[1]
    assert texts[2] == "f does not say what it means"


def test_an_exception_must_name_a_rule_and_a_reason():
    rule, texts = alone(spoiled(exceptions={"jumps": "as printed", "slope": ""}))
    assert rule == "declared"
    assert "'jumps', which is no rule; did you mean 'jump'?" in texts[0]
    assert texts[1] == "the exception 'slope' gives no reason"


def test_a_docstring_without_references_is_found():
    assert alone(spoiled(__doc__="A gap.\n\n    Equations   Q = 0\n")) == (
        "docstring",
        ["the docstring of Spoiled has no block References"],
    )


# ------------------------------------------------------------------ what is answered


WRONG_TERMS = {
    "no rate": (lambda twin: Terms(), "der lacks z"),
    "a rate too many": (lambda twin: Terms(der=dict(z=0.0, zz=0.0)), "der has zz, which is not declared; did you"),
    "a flow into nothing": (lambda twin: Terms(der=dict(z=0.0), into=dict(a=0.0)), "into has a, which is not"),
    "an output too many": (lambda twin: Terms(der=dict(z=0.0), out=dict(Q=0.0)), "out has Q, which is not"),
    "a strange quantity": (
        lambda twin: Terms(der=dict(z=0.0), hold=dict(rod=dict(s=0.1, w=0.0))),
        "hold.rod has w, which is not declared",
    ),
    "a sampled rate": (lambda twin: Terms(der=dict(z=0.0), next=dict(z=0.0)), "next has z"),
    "two numbers": (lambda twin: Terms(der=dict(z=0.0), into=dict(A=(0.0, 1.0))), "into.A has 2 numbers, but the"),
    "a mass from nowhere": (lambda twin: Terms(der=dict(z=0.0), mass=[[1.0]]), "mass has 1 numbers, but must have 0"),
    "no terms": (lambda twin: {"z": 0.0}, "equations() fails: TypeError: equations() returns dict, not Terms"),
    "an accident": (lambda twin: Terms(der=dict(z=twin.zz)), "equations() fails: AttributeError"),
    "a port's letter": (lambda twin: Terms(der=dict(z=twin.A.P)), "port A has no 'P' here. It has p, Q"),
}


@pytest.mark.parametrize(("terms", "sentence"), WRONG_TERMS.values(), ids=WRONG_TERMS)
def test_terms_must_answer_for_what_is_declared(monkeypatch, terms, sentence):
    found = sample(monkeypatch, terms)
    assert list(found) == ["terms"]
    assert sentence in found["terms"][0]


def test_an_ingredient_must_not_be_forgotten():
    class Holder(Part):
        __doc__ = "Holds a law." + SOUND
        law: Part = ingredient("a friction law", default=Viscous(c=1.0))

        def equations(self) -> Terms:
            return Terms()

    assert alone(Holder()) == ("terms", ["parts lacks the terms of the ingredient law"])


# ------------------------------------------------------------------ what is computed


def test_looking_at_a_parameter_is_found():
    rule, (text,) = alone(spoiled(flow=lambda self, dp: self.C * dp if self.C > 0 else 0 * dp))
    assert rule == "tunable"
    assert "fails when parameters are symbols" in text


def test_a_law_that_treats_floats_differently_is_found():
    law = spoiled(flow=lambda self, dp: (2.0 if isinstance(dp, float) else 2.0 + 1e-9) * self.C * signed_root(dp, 1e4))
    rule, texts = alone(law)
    assert rule == "symbols"
    assert "with floats" in texts[0]


def test_a_root_of_a_negative_drop_is_found():
    found = broken(spoiled(flow=lambda self, dp: self.C * sqrt(dp)))
    assert "into of A is nan" in found["finite"][0]


def test_an_infinite_slope_at_zero_drop_is_found():
    found = broken(spoiled(flow=lambda self, dp: self.C * sign(dp) * sqrt(fabs(dp))))
    assert any("the derivative of into of A in A.p is nan" in text for text in found["jacobian"])
    assert "slope" in found


def test_a_vanishing_derivative_where_the_law_has_a_slope_is_found():
    rule, texts = alone(spoiled(flow=lambda self, dp: self.C * sign(dp) * signed_root(fabs(dp), 1e4)))
    assert rule == "tangent"
    assert "the derivative of into of A in A.p is 0, but its slopes are 1e-08 and 1e-08" in texts[0]


def test_a_jump_is_found_wherever_it_is():
    def flow(self, dp):
        return self.C * signed_root(dp, 1e4) * where(fabs(dp) < 6.3e5, 1.0, 1.01)

    rule, texts = alone(spoiled(flow=flow))
    assert rule == "jump"
    assert "into of A jumps by" in texts[0]


def test_a_power_below_one_is_found():
    found = broken(spoiled(flow=lambda self, dp: self.C * dp / (dp * dp + 1e-12) ** (1 / 6)))
    assert "into of A has an infinite slope in" in found["slope"][0]


def test_a_declared_jump_is_excused_and_shown():
    report = contract(BengisuAkay(F_c=210.0, F_s=830.0, v_s=0.0125, sigma_2=330.0, xi=50.0))
    assert report.violations == ()
    assert [rule for rule, *_ in report.excused] == ["jump"]
    assert "jump (declared: F jumps by σ₂ v_s" in str(report)


def test_oil_from_nowhere_is_found():
    def equations(self):
        Q = self.flow(self.A.p - self.B.p)
        drop = self.A.p - self.B.p
        lost = dict(throttling=Q * self.A.p - 1.001 * Q * self.B.p)
        return Terms(into=dict(A=Q, B=-1.001 * Q), out=dict(seen=drop), power=Power(lost=lost))

    found = broken(spoiled(equations=equations, passive=False))
    assert list(found) == ["flows"]
    assert "oil appears or vanishes" in found["flows"][0]


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_oil_that_a_state_does_not_store_is_found(share):
    """With share 1 the chamber stores all that flows in; with 0.5 half of it vanishes."""

    class Chamber(Gap):
        __doc__ = Gap.__doc__
        p = State("Pa", "pressure inside", kind="pressure")

        def equations(self):
            Q_A, Q_B = self.flow(self.A.p - self.p), self.flow(self.B.p - self.p)
            C = 1e-14 / (1 + self.p / 1e8)
            lost = dict(A=Q_A * (self.A.p - self.p), B=Q_B * (self.B.p - self.p))
            stored = dict(oil=self.p * (Q_A + Q_B))
            return Terms(
                der=dict(p=(Q_A + share * Q_B) / C),
                into=dict(A=Q_A, B=Q_B),
                out=dict(seen=self.p),
                power=Power(lost=lost, stored=stored),
            )

    found = broken(Chamber())
    assert list(found) == ([] if share == 1 else ["flows"])


def test_a_source_that_calls_itself_passive_is_found():
    found = broken(spoiled(flow=lambda self, dp: -self.C * signed_root(dp, 1e4)))
    assert list(found) == ["passive"]
    assert "but a passive part never gives power" in found["passive"][0]


def test_a_loss_that_nobody_counts_is_found():
    def equations(self):
        Q = self.flow(self.A.p - self.B.p)
        return Terms(into=dict(A=Q, B=-Q), out=dict(seen=0.0))

    rule, (text,) = alone(spoiled(equations=equations))
    assert rule == "account"
    assert "but lost + stored + d(energy)/dt = 0 W" in text


def test_energy_of_a_pressure_is_the_business_of_the_store(monkeypatch):
    found = sample(monkeypatch, lambda twin: Terms(der=dict(z=-twin.z), energy=dict(oil=1e-12 * twin.A.p**2)))
    assert "its energy depends on A.p, whose rate it cannot know" in found["account"][0]


def test_a_spring_along_a_line_closes_its_account(monkeypatch):
    def spring(twin):
        F = 1e4 * (twin.rod.s - 0.5)
        return Terms(der=dict(z=0.0), into=dict(rod=F), energy=dict(spring=F * F / 2e4))

    assert sample(monkeypatch, spring) == {}
    assert "account" in sample(monkeypatch, lambda twin: Terms(der=dict(z=0.0), into=dict(rod=1e4 * twin.rod.s)))


class Slider(Part):
    """Two masses on one line, whose mass matrix and rate a test can spoil."""

    __doc__ += SOUND
    skew: float = parameter("kg", "error of the mass matrix", default=0.0)
    slip: float = parameter("-", "error of the rate", default=0.0)

    def declaration(self):
        position = {f"q_{i}": State("m", "a position", kind="position") for i in (1, 2)}
        speeds = {f"v_{i}": State("m/s", "a speed", kind="speed") for i in (1, 2)}
        return Declaration(ports=dict(rod=LinePort("the first")), coordinates=position, speeds=speeds)

    def equations(self) -> Terms:
        q, v = self.q, self.v
        M = [[3.0, 1.0 + self.skew], [1.0 - self.skew, 2.0]]
        kinetic = (M[0][0] * v[0] ** 2 + 2 * v[0] * v[1] + M[1][1] * v[1] ** 2) / 2
        return Terms(
            mass=M,
            force=[-5.0 * (q[0] - q[1]) - 0.5 * v[0], 5.0 * (q[0] - q[1])],
            hold=dict(rod=dict(s=q[0], v=(1 + self.slip) * v[0])),
            energy=dict(kinetic=kinetic, spring=5.0 * (q[0] - q[1]) ** 2 / 2),
            power=Power(lost=dict(drag=0.5 * v[0] ** 2)),
        )


def test_moving_masses_close_their_account():
    assert contract(Slider()).violations == ()


def test_a_skew_mass_matrix_is_found():
    assert "mass is not symmetric" in broken(Slider(skew=0.1))["mass"][0]


def test_a_held_rate_that_is_none_is_found():
    assert "the rate of rod.s is off by" in broken(Slider(slip=0.01))["rates"][0]


def test_every_rule_has_been_broken_here():
    text = Path(__file__).read_text(encoding="utf-8")
    assert [rule for rule in RULES if f'"{rule}"' not in text] == []
