"""Single points of the dissertation's models: matrices, pressure rates, friction forces (MB-01 to MB-04)."""

from collections.abc import Iterator, Mapping
from typing import Any

from oleodyn.catalogue import four_bar, four_bar_friction, quick_return
from oleodyn.catalogue.dissertation_hydraulics import circuit, static_pressures
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.constraints import values
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning, full_pivoting
from oleodyn.equations.point import point_of
from oleodyn.friction.modified_lugre import steady_film
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.inertia import Mass
from oleodyn.result.content import Check
from oleodyn.studies.semi_recursive import Tree, random_tree

LAWS = four_bar_friction.LAWS


def relative(computed: Any, given: Any) -> float:
    """Largest deviation in units of the largest entry."""
    import numpy as np

    size = float(np.abs(np.asarray(given)).max())
    return float(np.abs(np.asarray(computed) - np.asarray(given)).max()) / (size or 1.0)


def formulation_identity() -> list[Check]:
    """MB-01: the engine's tree against both published forms and Lagrange's equations."""
    import numpy as np

    machine = Machine("tree")
    machine.add("tree", random_tree())
    equations = assemble(machine)
    point = point_of(equations)
    found = values(equations, point)
    tree = Tree(random_tree(), point.q, point.v)
    (M_Z, Q_Z), (M_Y, Q_Y) = tree.origin_form(), tree.centre_form()
    M, Q = found["M"], found["f"]
    kinetic = abs(found["energies"][0] - tree.kinetic()) / tree.kinetic()
    definite = float(np.linalg.eigvalsh(M).min())
    return [
        limit("MB-01 M with points at the origin = at the centres of mass", relative(M_Z, M_Y), 1e-12),
        limit("MB-01 M of the engine = published form", relative(M, M_Z), 1e-12),
        limit("MB-01 Q with points at the origin = at the centres of mass", relative(Q_Z, Q_Y), 1e-7),
        limit("MB-01 Q of the engine = published form", relative(Q, Q_Z), 1e-12),
        limit("MB-01 Q of the engine = Lagrange's equations", relative(Q, tree.lagrange()), 1e-7),
        limit("MB-01 kinetic energy = sum over bodies", kinetic, 1e-12),
        Check("MB-01 smallest eigenvalue of M", "> 0", definite, "kg·m²", definite > 0),
    ]


def limit(name: str, computed: float, most: float, unit: str = "-") -> Check:
    """A check that a deviation stays below a limit."""
    return Check(name, f"≤ {most:.3g}", computed, unit, bool(computed <= most))


POINTS: dict[str, dict[str, Any]] = {
    "four-bar": dict(
        machine=four_bar.machine, independent="z3", s_by="1.414213562 -0.707106781 -0.707106781",
        M="6425 -62.5 -33.3333333333; -62.5 290 116.666666667; -33.3333333333 116.666666667 66.6666666667",
        Q="-11281.5 1152.675 490.5", D="1 1 0; 0 -3 -2", R="0.666666666667 -0.666666666667 1", RMR=2906.66666667,
        RQ=-7798.95, T=14.5333333333, s_dot=0.0707106781, gamma="0.0066666666667 0",
        Q_moving="-11281.1 1153.075 490.5",
    ),
    "quick-return": dict(
        machine=quick_return.machine, independent="z4", s_by="0 0 0 -0.172805619 0",
        M="580.4983333333 3.645 0.045 0 0; 3.645 10.125 0.045 0 0; 0.045 0.045 0.045 0 0; "
        "0 0 0 63.7833333333 0.45; 0 0 0 0.45 0.45",
        Q="-216.208283678 105.182408276 0 -675.585541638 0",
        D="0 -1.19132867 0 0 0; 1 1 1 0 0; -3.612931795 0 0 0.699331795 0; -1 0 0 1 1",
        R="0.19356352 0 -0.19356352 1 -0.80643648", RMR=85.09794339, RQ=-717.4355781, T=0.425489717,
        gamma="-0.001873342 0 0.004380799 0",
    ),
    "four-bar-friction": dict(
        machine=four_bar_friction.machine, independent="z1", s_by="-0.5 0 0",
        M="6148.957699606 4935.14551647 150.841468025; 4935.14551647 4158.666666667 283.333333333; "
        "150.841468025 283.333333333 333.333333333",
        Q="-6645.763751657 -5547.043751657 -311.475480132", D="0 1.732050808 4.74127774; 10 9 1.587540673",
        R="1 -1.187641317 0.433860916", RMR=194.004445655, RQ=-193.002443719, T=0.970022228, s_dot=-0.05,
        gamma="-0.013572304 -0.015505678",
    ),
}  # fmt: skip
"""MB-02: matrices at the start, computed independently to nine or ten digits."""


def matrix(text: str) -> Any:
    """Numbers of rows parted by semicolons."""
    import numpy as np

    return np.array([[float(x) for x in row.split()] for row in text.split(";")])


def initial_matrices(name: str) -> list[Check]:
    """MB-02 for one mechanism: everything relative to its largest entry, to the digits that were given."""
    import numpy as np

    given = POINTS[name]
    equations = assemble(given["machine"](oil=False))
    start = point_of(equations)
    at_rest = values(equations, start)
    choice = CoordinatePartitioning(independent=(given["independent"],)).choose(equations, start.q, 0.0)
    D = at_rest["D"]
    R = np.zeros(equations.n_v)
    R[list(choice.independent)] = 1.0
    dependent = list(choice.dependent)
    R[dependent] = np.linalg.solve(D[:, dependent], -D[:, list(choice.independent)]).ravel()
    moving = values(equations, start.changed(equations, dict(zip(names(equations), 0.1 * R, strict=True))))
    signs = np.sign((D * matrix(given["D"])).sum(axis=1))  # a constraint may be written with either sign
    pairs: dict[str, tuple[Any, Any]] = {
        "M": (at_rest["M"], matrix(given["M"])),
        "Q": (at_rest["f"], matrix(given["Q"])[0]),
        "Φ_z": (signs[:, None] * D, matrix(given["D"])),
        "R": (R, matrix(given["R"])[0]),
        "RᵀMR": (R @ at_rest["M"] @ R, given["RMR"]),
        "RᵀQ": (R @ at_rest["f"], given["RQ"]),
        "T": (moving["energies"][0], given["T"]),
        "γ": (signs * moving["gamma"], matrix(given["gamma"])[0]),
    }
    if "Q_moving" in given:
        pairs["Q in motion"] = moving["f"], matrix(given["Q_moving"])[0]
    pairs |= line_of(given, R)
    worst = {what: relative(*pair) for what, pair in pairs.items()}
    bias = worst.pop("γ")
    return [
        limit(f"MB-02 {name}: {', '.join(worst)}", max(worst.values()), 1e-8),
        limit(f"MB-02 {name}: γ (given to six digits)", bias, 1e-6),
    ]


def line_of(given: Mapping[str, Any], R: Any) -> dict[str, tuple[Any, Any]]:
    """∂s/∂z and ṡ of the cylinder, from the machine with oil."""
    import numpy as np

    equations = assemble(given["machine"]())
    start = point_of(equations)

    def rate(v: Any) -> float:
        at = start.changed(equations, dict(zip(names(equations), v, strict=True)))
        return values(equations, at)["outputs"]["linkage.cylinder.v"]

    by = [rate(row) for row in np.eye(equations.n_v)]
    moving = {"ṡ": (rate(0.1 * R), given["s_dot"])} if "s_dot" in given else {}
    return {"∂s/∂z": (by, matrix(given["s_by"])[0])} | moving


def names(equations: Any) -> list[str]:
    """Names of the speeds."""
    return [card.name for card in equations.v_signals]


RATES = (
    (0.0, (5024303.73, 5024303.73, 3.5e6), (0.0, -2.066480336e8, 8.477289681e7)),
    (10.0, (4.2e6, 4.1e6, 2.3e6), (1.270224383e9, -4.737778728e6, -4.751064834e7)),
    (-10.0, (5.4e6, 5.6e6, 4.1e6), (-9.176692010e6, -6.104685432e8, 2.516237789e8)),
    (10.0, (7.5e6, 7.45e6, 1.5e5), (-6.406171846e8, -1.056929061e8, 7.480164942e7)),
)
"""MB-03: U [V], pressures [Pa] and their rates [Pa/s] at s = s₀ + 0.01 m, ṡ = 0.05 m/s."""


def pressure_rates() -> list[Check]:
    """MB-03: the circuit at four points, on a mass in place of the linkage."""
    machine = Machine("circuit")
    machine.add("load", Mass(m=1.0, s_0=four_bar.S_0 + 0.01))
    circuit(
        machine, line="load.rod", s_0=four_bar.S_0, stroke=1.1, l_2=four_bar.S_0 - 1.1, friction=None,
        pressures=static_pressures(four_bar.FORCE),
    )  # fmt: skip
    equations = assemble(machine)
    rows = [card.name for card in equations.x_signals]
    checks = []
    for U, p, p_dot in RATES:
        state = {f"hose_{i}.port.p": value for i, value in enumerate(p, start=1)}
        at = point_of(equations, {"valve.spool.x": U / 10, "load.rod.v": 0.05, **state})
        found = values(equations, at)["x_dot"][[rows.index(name) for name in state]]
        checks.append(limit(f"MB-03 pressure rates at {U:g} V, {p[0] / 1e5:.0f} bar", relative(found, p_dot), 1e-7))
    return checks


FORCES = {
    1e-4: (13.226880, 15.568087, 776.986199, 775.436853, 0.002041338),
    1e-3: (127.488000, 153.128985, 677.585756, 671.658924, 0.009475051),
    5e-3: (531.200000, 592.571506, 541.047078, 528.829989, 0.027705218),
    1.25e-2: (834.125000, 833.981386, 442.210254, 426.627704, 0.051033448),
    2e-2: (642.719353, 730.025396, 391.603927, 375.248228, 0.069812775),
    5e-2: (321.580079, 336.405831, 310.407876, 295.962882, 0.128596231),
    0.1: (250.804648, 260.656637, 279.645563, 269.631214, 0.204133792),
    0.3: (309.000354, 309.643776, 313.621596, 310.994511, 0.424615399),
    0.7: (441.000000, 440.901447, 441.348682, 441.000000, 0.746987952),
    1.0: (540.000000, 539.798026, 540.080899, 540.000000, 0.746987952),
}
"""MB-04: speed [m/s] → force of the four laws [N], LuGre types in steady state, and the steady film."""


def friction_forces() -> list[Check]:
    """MB-04: every law at ten speeds and at minus 0.05 m/s."""
    worst = dict.fromkeys([*LAWS, "steady film"], 0.0)
    film: Any = LAWS["modified LuGre"]
    for v, (*forces, h_ss) in FORCES.items():
        for (name, law), force in zip(LAWS.items(), forces, strict=True):
            worst[name] = max(worst[name], abs(steady(law, v) - force))
        found = steady_film(v, film.F_c, film.F_s, film.v_b)
        worst["steady film"] = max(worst["steady film"], abs(found - h_ss))
    odd = max(abs(steady(law, 0.05) + steady(law, -0.05)) for law in LAWS.values())
    checks = [limit(f"MB-04 {name}, ten speeds", value, 6e-7, "N") for name, value in worst.items() if name in LAWS]
    checks.append(limit("MB-04 steady film", worst["steady film"], 6e-10))
    return [*checks, limit("MB-04 forces are odd in the speed", odd, 1e-12, "N")]


def steady(law: Any, v: float) -> float:
    """The force of a law that has moved at v for ever [N]."""
    if not hasattr(law, "sigma_0"):
        return float(law.equations(v).out["F"])
    values: dict[str, float] = {}
    if hasattr(law, "v_b"):
        values["h"] = steady_film(v if v > 0 else -v, law.F_c, law.F_s, law.v_b)
    g = law.twin(values).g(v)
    values["z"] = g / law.sigma_0 * (1 if v > 0 else -1)
    return float(law.twin(values).equations(v).out["F"])


def independent(case: Any, run: Any) -> Iterator[Check]:
    """MB-10: what full pivoting chooses throughout a run, and how well conditioned Φ_z^d is."""
    import numpy as np

    wanted = {"four-bar": ("z3", 3.6), "quick-return": ("z4", 6.2)}.get(case.name, ("z2", 2.3))
    equations = run.program.equations
    chosen, worst = set(), 0.0
    for row in range(0, len(run.result.time), 50):
        q = [run.result.values(card.name)[row] for card in equations.q_signals]
        D = values(equations, point_of(equations, dict(zip([c.name for c in equations.q_signals], q, strict=True))))[
            "D"
        ]
        columns = full_pivoting(D)[1]
        chosen |= {i for i in range(D.shape[1]) if i not in columns}
        worst = max(worst, float(np.linalg.cond(D[:, columns])))
    told = ", ".join(sorted(f"z{i + 1}" for i in chosen))
    yield Check(f"MB-10 {case.name}: independent coordinate", wanted[0], told, "-", told == wanted[0])
    yield limit(f"MB-10 {case.name}: condition of Φ_z of the others", worst, wanted[1])
