import re
from html.parser import HTMLParser

import numpy as np
import pytest

from oleodyn.errors import DataError
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Part, ingredient, parameter
from oleodyn.result.content import Block, Check, Checks, Picture, Plots, Row, Section, Table
from oleodyn.result.energy import EnergyAccount
from oleodyn.result.plots import path_figure
from oleodyn.result.report import report
from oleodyn.result.result import Card, Result

NASTY = "<script>alert('x')</script>\"&"
VOID = {"meta", "input", "img", "br", "wbr", "link"}


class Reader(HTMLParser):
    """Collects tags, attributes and text; complains about tags that do not match."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.attrs, self.words, self.faults = [], [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attrs += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attrs += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


class Spring(Part):
    """A spring that holds a load."""

    k: float = parameter("N/m", "stiffness", default=2e3)
    s_0: float = parameter("m", "free length", default=0.12)


class Holder(Part):
    """Holds a spring."""

    spring: Spring = ingredient("the spring", default=Spring())


def a_result():
    t = np.linspace(0.0, 2.0, 300)
    history = {"pump": 30e3 * t, "valve": 20e3 * t, "load": 5.0 + 10e3 * t}
    return Result(
        t,
        np.stack([2e7 + 1e6 * np.sin(t), np.sin(t), 0.08 * np.cos(t)], axis=1),
        [Card("lift.A.p", "Pa", "pressure", "in the head"), Card("elbow.q", "rad", "position"), Card("lift.s", "m")],
        timing={"steps": 12345, "wall_s": 0.0613, "us_per_step": 6.13, "real_time_factor": 163.2, "dt": 2e-4},
        energy=EnergyAccount.of(
            {"pump": ("supplied", 60e3), "valve": ("lost", 40e3)}, {"load": (5.0, 20005.0)}, time=t, history=history
        ),
        attrs={"machine": "crane", "stepper": "trapezoidal", "versions": {"numpy": "2.4"}},
    )


def page_of(tmp_path, result=None, **options):
    path = report(a_result() if result is None else result, tmp_path / "run.html", **options)
    return path.read_text(encoding="utf-8")


def test_a_report_tells_the_run_in_the_units_of_an_engineer(tmp_path):
    text = Reader(page_of(tmp_path)).text
    for words in (
        "crane",
        "12 345",
        "61.3 ms",
        "200 µs",
        "163 ×",
        "6.13 µs",
        "stepper trapezoidal",
        "numpy 2.4",
    ):
        assert all(word in text for word in words.split()), words
    assert re.search(r"lift\. A\. p 200 210 209\.1 bar in the head", text)


def test_a_report_is_well_formed_and_loads_nothing(tmp_path):
    page = page_of(tmp_path, machine=Machine("crane"), checks=[{"name": "a", "published": 1.0, "computed": 1.0}])
    reader = Reader(page)
    assert (reader.faults, reader.open) == ([], [])
    assert not {"link", "iframe", "object", "embed"} & set(reader.tags)
    assert not [
        row for row in reader.attrs if row[1] in ("src", "href", "action") and not row[2].startswith(("#", "data:"))
    ]
    assert "url(http" not in page and "@import" not in page
    assert ("meta", "http-equiv", "Content-Security-Policy") in reader.attrs
    assert "default-src 'none'" in page


def test_every_reference_on_the_page_has_one_target(tmp_path):
    picture = path_figure(a_result(), "lift.s", "elbow.q")
    page = page_of(tmp_path, sections=[Section("Path", [Picture(picture), Picture(picture)])])
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r'(?:href="#|url\(#)([^")]*)', page)) <= set(ids)


def test_colours_follow_the_theme(tmp_path):
    page = page_of(tmp_path)
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL))
    assert "var(--s1)" in drawn and "var(--grid)" in drawn
    assert not re.findall(r"#[0-9a-f]{6}\b", drawn)
    assert "prefers-color-scheme: dark" in page


def test_labels_of_the_axes_are_not_cut(tmp_path):
    t = np.linspace(0.0, 1.0, 50)
    page = page_of(tmp_path, Result.from_arrays(t, {"x": (0.3 + 0.02 * t, "-")}))
    labels = re.findall(r"<text[^>]*>([^<]*)</text>", page)
    assert "0.3125" in [label.strip() for label in labels]


def test_nothing_a_user_wrote_becomes_markup(tmp_path):
    machine = Machine(NASTY, text=NASTY)
    machine.add("holder", Holder(), place="here")
    t = np.linspace(0.0, 1.0, 20)
    result = Result(
        t, np.stack([t, t], axis=1), [Card(NASTY, NASTY, NASTY, NASTY), Card("b", "m")],
        timing={NASTY: NASTY}, attrs={"machine": NASTY, NASTY: NASTY, "versions": {NASTY: NASTY}},
        energy=EnergyAccount.of({NASTY: ("lost", 1.0)}, time=t, history={NASTY: t}),
    )  # fmt: skip
    sections = [
        Section(NASTY, [
            NASTY, Table([NASTY], [[NASTY]], NASTY), Plots(result, [["b"]], titles=[NASTY]),
            Picture(path_figure(result, "b", NASTY), NASTY), Picture(b"\x89PNG", NASTY), Row([NASTY]),
            Checks([{"name": NASTY, "published": NASTY, "computed": NASTY, "unit": NASTY}], NASTY),
            Block("<p>free</p>", "root.data = data", [NASTY]),
        ])
    ]  # fmt: skip
    page = page_of(tmp_path, result, title=NASTY, machine=machine, sections=sections)
    reader = Reader(page)
    assert "<script>alert" not in page
    assert reader.tags.count("script") == 2  # the block's and the filter's
    assert (reader.faults, reader.open) == ([], [])
    assert reader.text.count("alert('x')") > 15


def test_checks_show_the_verdict_in_words(tmp_path):
    checks = [
        {"name": "rise time", "published": 0.412, "computed": 0.4125, "unit": "s", "ok": True},
        {"name": "pressure", "published": 180.0, "computed": 171.0, "unit": "bar", "ok": False},
        {"name": "in words", "published": "none", "computed": 0.02},
    ]
    text = Reader(page_of(tmp_path, checks=checks)).text
    assert "rise time 0.412 s 0.4125 s ✓ agrees pressure 180 bar 171 bar ✗ differs in words none 0.02 –" in text


def test_a_verdict_from_numpy_is_a_verdict():
    assert Check("rise time", 0.412, 0.52, "s", np.float64(0.52) < 0.5).ok is False


def test_the_machine_shows_its_numbers_and_those_inside(tmp_path):
    machine = Machine("crane", text="a crane of one spring")
    machine.add("holder", Holder(), place="here")
    text = Reader(page_of(tmp_path, machine=machine)).text
    assert "a crane of one spring" in text
    assert "holder Holder Holds a spring. spring Spring the spring spring. k 2000 N/m stiffness" in text
    assert "spring. s_0 120 mm free length" in text


def test_a_machine_may_be_a_text(tmp_path):
    assert "one <boom>" in Reader(page_of(tmp_path, machine="one <boom>")).text


def test_an_animation_gets_its_element_and_its_data(tmp_path):
    block = Block("<canvas></canvas>", "root.querySelector('canvas')", {"q": np.array([0.5, 1.5]), "text": "</script>"})
    page = page_of(tmp_path, sections=[Section("Motion", [block])])
    anchor = re.search(r'<div class="card" id="(part-\d+)"><canvas></canvas>', page)[1]
    assert f'(document.getElementById("{anchor}"), {{"q": [0.5, 1.5], "text": "\\u003c/script>"}})' in page


def test_signals_are_plotted_as_asked(tmp_path):
    page = page_of(tmp_path, plots=[["elbow.q"], ["lift.A.p", "lift.s"]], reference=a_result())
    drawn = re.findall(r'aria-label="([^"]*) over time"', page)
    assert drawn == ["elbow.q: elbow.q", "lift.A.p: lift.A.p", "lift.s: lift.s"]
    assert page.count("dashed: reference") == 3


ODD = {
    "no signals": Result([0.0, 1.0], np.empty((2, 0)), []),
    "no instants": Result([], np.empty((0, 1)), [Card("x", "m")]),
    "one instant": Result([0.0], [[3.0]], [Card("x", "m")]),
    "nothing but NaN": Result([0.0, 1.0], [[np.nan], [np.nan]], [Card("x", "m")]),
    "an account without history": Result(
        [0.0], [[3.0]], [Card("x", "m")], energy=EnergyAccount.of({"a": ("lost", 0.0)})
    ),
    "many signals": Result([0.0, 1.0], np.ones((2, 75)), [Card(f"x{i}", "m") for i in range(75)]),
}


@pytest.mark.parametrize("result", ODD.values(), ids=ODD)
def test_any_result_has_a_report(tmp_path, result):
    reader = Reader(page_of(tmp_path, result))
    assert (reader.faults, reader.open) == ([], [])
    assert "Simulation result" in reader.text


REFUSED = {
    "a number as content": (lambda: Section("s", [3.0]), "3.0 cannot stand in a report. Use a text, Table"),
    "a path as picture": (lambda: Section("s", [Picture("a.png")]), "a Picture holds a matplotlib Figure or the bytes"),
    "a short row": (lambda: Section("s", [Table(["a", "b"], [[1]])]), r"table row \[1\] has 1 values under 2 names"),
    "a check of nothing": (lambda: Section("s", [Checks([{"name": "a"}])]), "must have name, published, computed"),
    "a script that ends": (lambda: Section("s", [Block("", "'</script>'")]), "neither '</script' nor '<!--'"),
    "data of objects": (lambda: Section("s", [Block("", "x", object())]), "cannot be written as JSON"),
}


@pytest.mark.parametrize(("section", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_content_is_refused_and_leaves_no_file(tmp_path, section, sentence):
    with pytest.raises(DataError, match=sentence):
        page_of(tmp_path, sections=[section()])
    assert list(tmp_path.iterdir()) == []
