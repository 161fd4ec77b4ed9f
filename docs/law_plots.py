"""Plots of the laws: each swept over speed, drop or travel, the others as in its doctest."""

import ast
import doctest
import inspect
import io
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

POINTS = 201
SWEPT = ("v", "dp", "p", "Re", "depth", "travel", "x")
"""Arguments that a law is drawn over, the first that it has."""
SIGNED = {"dp", "v", "x"}
"""Those of both signs."""


def law_plot(name: str, law: Callable[..., Any], module: ModuleType) -> str | None:
    """The curve of a law as SVG, or None if its first example is no single call with numbers by name."""
    given = example(name, law, module)
    swept = next((argument for argument in SWEPT if argument in given), None)
    if swept is None:
        return None
    size = 5 * given["v_s"] if swept == "v" and "v_s" in given else 2 * abs(given[swept]) or 1.0
    values = np.linspace(-size if swept in SIGNED else 0.0, size, POINTS)
    try:
        results = np.array([law(**given | {swept: float(value)}) for value in values], dtype=float)
    except (ArithmeticError, ValueError, TypeError):
        return None
    if results.ndim != 1 or not np.isfinite(results).all() or is_straight(values, results):
        return None
    unit = re.search(r"\[([^\]]+)\]", (inspect.getdoc(law) or "").partition("\n")[0])
    return drawn(values, results, swept, f"{name} [{unit[1]}]" if unit else name)


def is_straight(x: np.ndarray, y: np.ndarray) -> bool:
    """True for a straight line, which needs no picture."""
    chord = y[0] + (y[-1] - y[0]) * (x - x[0]) / (x[-1] - x[0])
    return bool(np.abs(y - chord).max() <= 1e-6 * np.abs(y).max())


def example(name: str, law: Callable[..., Any], module: ModuleType) -> dict[str, float]:
    """The arguments of the first call in a law's doctest, if all are numbers by name."""
    for found in doctest.DocTestParser().get_examples(inspect.getdoc(law) or ""):
        for node in ast.walk(ast.parse(found.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name and not node.args:
                values = {key.arg: eval(ast.unparse(key.value), vars(module) | {}) for key in node.keywords if key.arg}
                numbers = all(isinstance(value, int | float) for value in values.values())
                return {key: float(value) for key, value in values.items()} if numbers else {}
    return {}


def drawn(x: np.ndarray, y: np.ndarray, over: str, title: str) -> str:
    """A small figure as the text of an SVG."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "oleodyn", "font.size": 9}):
        figure = Figure(figsize=(4.6, 2.6), layout="constrained")
        axes = figure.add_subplot()
        axes.plot(x, y, linewidth=1.8, color="#0072b2")
        axes.locator_params(axis="x", nbins=6)
        axes.set_xlabel(over)
        axes.set_ylabel(title)
        axes.grid(linewidth=0.5, color="#dddddd")
        axes.spines[["top", "right"]].set_visible(False)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
