import math

import matplotlib
import numpy as np
import pytest

from oleodyn.errors import DataError
from oleodyn.result.display import display, number, shown
from oleodyn.result.energy import EnergyAccount
from oleodyn.result.plots import energy_figure, energy_layers, figure, groups, path_figure, thinned, to_png, to_svg
from oleodyn.result.result import Card, Result


def a_result(n=500, pressures=2):
    t = np.linspace(0.0, 2.0, n)
    cards = [Card(f"c{i}.p", "Pa", "pressure") for i in range(pressures)]
    cards += [Card("elbow.q", "rad", "position"), Card("lift.s", "m", "position"), Card("still.x", "-")]
    columns = [2e7 + 1e6 * i * t for i in range(pressures)] + [np.sin(t), 0.08 * np.cos(t), 0.3 + 0 * t]
    return Result(t, np.stack(columns, axis=1), cards)


# ------------------------------------------------------------------ units and numbers for people


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1.8e7, "Pa", "180 bar"), (300.0, "Pa", "300 Pa"), (0.08, "m", "80 mm"), (2.5, "m", "2.5 m"),
        (3e-6, "m", "3 µm"), (math.pi / 6, "rad", "30 °"), (1500 * math.pi / 30, "rad/s", "1500 rpm"),
        (40e-3 / 60, "m³/s", "40 l/min"), (40e-3 / 60, "m3/s", "40 l/min"), (-25000.0, "N", "−25 kN"),
        (2e-4, "m³", "200 cm³"), (4e-3, "s", "4 ms"), (0.7, "-", "0.7"), (870.0, "kg/m³", "870 kg/m³"),
        (0.0, "m", "0 µm"), (math.nan, "Pa", "– Pa"), (200.0, "N|N·m", "200 N or N·m"),
    ],
)  # fmt: skip
def test_a_number_is_shown_as_an_engineer_writes_it(value, unit, text):
    assert shown(value, unit) == text


def test_a_unit_for_people_is_a_factor():
    assert display("Pa", 2e7).factor * 2e7 == pytest.approx(200.0, rel=1e-15)


@pytest.mark.parametrize(("value", "text"), [(math.inf, "∞"), (-math.inf, "−∞"), (0.0, "0"), (1e-300, "1×10⁻³⁰⁰")])
def test_odd_numbers_have_a_text(value, text):
    assert number(value) == text


# ------------------------------------------------------------------ figures


def test_signals_of_one_unit_and_kind_share_a_plot_of_few_lines():
    found = groups(a_result(pressures=13))
    assert [len(group.names) for group in found] == [5, 5, 3, 1, 1, 1]
    assert [group.display.unit for group in found] == ["bar", "bar", "bar", "°", "mm", ""]


def test_signals_that_are_asked_for_share_a_plot_by_unit():
    assert [group.names for group in groups(a_result(), ["elbow.q", "c1.p", "c0.p"])] == [
        ("elbow.q",),
        ("c1.p", "c0.p"),
    ]


def test_a_figure_shows_the_values_in_the_display_unit():
    axes = figure(a_result(), ["c1.p", "lift.s"]).axes
    assert [ax.get_ylabel() for ax in axes] == ["bar", "mm"]
    assert axes[0].lines[0].get_ydata()[-1] == pytest.approx(220.0, rel=1e-14)
    assert axes[1].lines[0].get_ydata()[0] == pytest.approx(80.0, rel=1e-14)


def test_a_reference_is_drawn_behind_its_signal():
    axes = figure(a_result(), ["c1.p"], reference=a_result(n=30)).axes[0]
    assert [len(line.get_xdata()) for line in axes.lines] == [30, 500]


def test_a_signal_that_only_rounds_looks_flat():
    t = np.linspace(0.0, 1.0, 50)
    result = Result.from_arrays(t, {"p": (2e7 + 1e-8 * np.sin(50 * t), "Pa")})
    low, high = figure(result).axes[0].get_ylim()
    assert high - low > 1e-5 * 200


def test_one_signal_against_another_keeps_the_scale():
    axes = path_figure(a_result(), "lift.s", "lift.s").axes[0]
    assert axes.get_aspect() == 1.0
    assert (axes.get_xlabel(), path_figure(a_result(), "elbow.q", "c1.p").axes[0].get_aspect()) == (
        "lift.s [mm]",
        "auto",
    )


def test_energy_is_stacked_under_what_was_supplied():
    t = np.linspace(0.0, 1.0, 2001)
    rows = {"pump": ("supplied", 30e3), "valve": ("lost", 20e3)}
    history = {"pump": 30e3 * t, "valve": 20e3 * t, "load": 10e3 * t}
    axes = energy_figure(EnergyAccount.of(rows, {"load": (0.0, 10e3)}, time=t, history=history)).axes[0]
    tops = [collection.get_paths()[0].vertices[:, 1].max() for collection in axes.collections]
    assert tops == pytest.approx([20.0, 30.0], rel=1e-12)
    assert axes.lines[-1].get_ydata()[-1] == pytest.approx(30.0, rel=1e-12)
    assert axes.get_ylabel() == "kJ"


def test_many_small_energies_are_summed_as_others():
    names = [f"e{i}" for i in range(12)]
    history = {name: np.array([0.0, i + 1.0]) for i, name in enumerate(names)}
    account = EnergyAccount.of({name: ("lost", y[-1]) for name, y in history.items()}, time=[0.0, 1.0], history=history)
    layers = energy_layers(account)
    assert (len(layers), layers[0][0], layers[-1][0]) == (7, "e11", "others")
    assert sum(y[-1] for _, y in layers) == pytest.approx(78.0)


REFUSED = {
    "no signals": (lambda: figure(Result([0.0], np.empty((1, 0)), [])), "nothing to plot"),
    "no history": (lambda: energy_figure(EnergyAccount.of({"pump": ("supplied", 1.0)})), "not recorded over time"),
    "unknown name": (lambda: figure(a_result(), ["elbow.p"]), "no signal 'elbow.p'"),
}


@pytest.mark.parametrize(("draw", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_drawn_is_refused(draw, sentence):
    with pytest.raises(DataError, match=sentence):
        draw()


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_result_of_few_instants_can_be_drawn(n):
    assert to_png(figure(a_result(n=n)), dpi=20)[:4] == b"\x89PNG"


def test_gaps_and_infinities_can_be_drawn():
    t = np.linspace(0.0, 1.0, 9000)
    y = np.where((t > 0.4) & (t < 0.6), np.nan, np.sin(40 * t))
    result = Result.from_arrays(
        t, {"gap": (y, "Pa"), "none": (y * np.nan, "m"), "far": (np.where(t > 2, 1, np.inf), "K")}
    )
    assert len(to_svg(figure(result))) > 1000


def test_a_thinned_curve_keeps_its_peaks_and_its_ends():
    t = np.linspace(0.0, 10.0, 100_001)
    y = np.sin(t)
    y[54_321], y[77_777] = 9.0, -7.0
    few_t, few = thinned(t, y, 1000)
    assert len(few) <= 1002
    assert (few.max(), few.min(), few_t[np.argmax(few)]) == (9.0, -7.0, t[54_321])
    assert (few_t[0], few_t[-1]) == (0.0, 10.0)
    assert np.all(np.diff(few_t) > 0)


def test_drawing_changes_nothing_global():
    before = dict(matplotlib.rcParams)
    to_svg(figure(a_result()))
    assert dict(matplotlib.rcParams) == before
    from matplotlib import _pylab_helpers

    assert not _pylab_helpers.Gcf.figs


def test_the_same_figure_is_the_same_text():
    assert to_svg(figure(a_result())) == to_svg(figure(a_result()))
