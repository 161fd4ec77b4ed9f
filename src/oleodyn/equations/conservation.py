"""Conservation: a part keeps its oil, and its energy account closes."""

from collections.abc import Iterator
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.equations.continuity import where
from oleodyn.equations.points import Points
from oleodyn.equations.probe import Entry, Probe, evaluate, leaves
from oleodyn.machine.port import Port

SX = ca.SX
VOLUMES = ("pressure", "volume", "gas")
"""kinds of states that say how much oil a part holds"""


# ------------------------------------------------------------------ oil


def lost_oil(probe: Probe, points: Points) -> Iterator[str]:
    """Flows into a part must add up to what its own states store; stores at ports are apart.

    Equations   Σ Q = Σ cᵢ ẋᵢ with cᵢ(x) of the pressure and volume states x: so all that can
                change Σ Q at fixed x changes it through ẋ. Without such states Σ Q = 0.
                Swept volumes move with speed: they are tried at rest.
    """
    ports = [name for name, port in probe.declared.ports.items() if port.kind == "pressure"]
    if not ports or any(name in probe.terms.hold for name in ports):
        return
    flows = [row for row, e in enumerate(probe.entries) if e.term == "into" and not e.path and e.name in ports]
    at = _at_rest(probe, points)
    if not flows or not at.shape[1]:
        return
    total, size = ca.sum1(probe.y[flows]), ca.sum1(ca.fabs(probe.y[flows]))
    storing = {name: state for name, state in _states(probe).items() if state.kind in VOLUMES}
    if storing:
        yield from _lost_in_states(probe, total, storing, at)
        return
    both = evaluate(probe.x, ca.vertcat(total, size), at)
    wrong = np.abs(both[0]) > 1e-12 * both[1]
    if wrong.any():
        j = int(wrong.argmax())
        text = " + ".join(f"{name}.Q" for name in ports)
        yield f"{text} = {both[0, j]:.4g} m³/s {where(probe, at[:, j])}: oil appears or vanishes"


def _at_rest(probe: Probe, points: Points) -> np.ndarray:
    at = points.all.copy()
    for index, variable in enumerate(probe.variables):
        port = probe.port_of(variable)
        if port is not None and variable.path.rpartition(".")[2] in port.shadow.values():
            at[index] = 0.0
    return at


def _states(probe: Probe) -> dict[str, Any]:
    return {v.path: v.declared for v in probe.variables if v.role == "state"}


def _lost_in_states(probe: Probe, total: Any, storing: dict[str, Any], at: np.ndarray) -> Iterator[str]:
    """Σ Q may change only along the changes of the storing states' rates."""
    ders = [row for row, e in enumerate(probe.entries) if e.term == "der" and _path(e) in storing]
    free = [i for i in probe.used() if probe.variables[i].path not in storing]
    if not free:
        return
    stacked = ca.vertcat(total, probe.y[ders])
    slopes = ca.vec(ca.jacobian(stacked, probe.x[free]))
    for j, column in enumerate(evaluate(probe.x, slopes, at[:, :50]).T):
        J = column.reshape(len(free), stacked.numel()).T
        size = np.linalg.norm(J[1:], axis=1, keepdims=True)
        basis = J[1:] / np.where(size > 0, size, 1.0)
        left = J[0] - basis.T @ np.linalg.lstsq(basis.T, J[0], rcond=1e-12)[0]
        if np.linalg.norm(left) > 1e-8 * np.linalg.norm(J[0]):
            yield f"flows into the part do not add up to what its states store {where(probe, at[:, j])}"
            return


def _path(entry: Entry) -> str:
    return f"{entry.path}.{entry.name}" if entry.path else entry.name


# ------------------------------------------------------------------ energy


def gained_power(probe: Probe, points: Points) -> Iterator[str]:
    """A passive part supplies nothing and never loses less than nothing."""
    if not probe.part.passive:
        return
    if probe.rows("supplied"):
        yield f"{probe.entries[probe.rows('supplied')[0]]}: a passive part supplies no power"
    rows = probe.rows("lost")
    at = points.all
    if not rows or not at.shape[1]:
        return
    values = probe(at)[rows]
    total, size = values.sum(axis=0), np.abs(values).sum(axis=0)
    wrong = total < -1e-9 * size
    if wrong.any():
        j = int(np.where(wrong, total / np.where(size > 0, size, 1), 0).argmin())
        yield f"it gives {-total[j]:.4g} W {where(probe, at[:, j])}, but a passive part never gives power"


def open_account(probe: Probe, points: Points) -> Iterator[str]:
    """Power in through ports + supplied = lost + stored + d(energy)/dt.

    What a store at a port takes is accounted where ports meet, not here. Accelerations follow from
    M v̇ = f + Σ Jᵀ F − (Φ_q N)ᵀ λ; the power of the multipliers counts as power in.
    """
    at = np.hstack([points.ordinary, points.stress[:, :: max(1, points.stress.shape[1] // 200)]])
    if not at.shape[1]:
        return
    energy = probe.total("energy")
    rates, strangers = _rates(probe, energy)
    for name in strangers:
        yield f"its energy depends on {name}, whose rate it cannot know; offer a store at the port instead"
    if strangers:
        return
    speeds, a = probe.columns("speed"), SX.sym("a", len(probe.columns("speed")))
    power_in = _port_powers(probe)
    if speeds:
        at, power = _with_accelerations(probe, at)
        power_in.append(("multipliers", power))
        rates += [(probe.x[row], a[k]) for k, row in enumerate(speeds)]
    change = [SX(1.0 * ca.gradient(energy, symbol) * rate) for symbol, rate in rates]
    gains = [value for _, value in power_in] + [probe.y[row] for row in probe.rows("supplied")]
    uses = [probe.y[row] for row in probe.rows("lost", "stored")] + change
    sums = ca.vertcat(_sum(gains), _sum(uses), _sum(map(ca.fabs, gains)) + _sum(map(ca.fabs, uses)))
    value = evaluate(ca.vertcat(probe.x, a), sums, at)
    wrong = np.abs(value[0] - value[1]) > 1e-8 * value[2]
    if wrong.any():
        j = int(wrong.argmax())
        yield (
            f"power in through its ports + supplied = {value[0, j]:.6g} W, but lost + stored + d(energy)/dt = "
            f"{value[1, j]:.6g} W {where(probe, at[:, j])}"
        )


def unlike_masses(probe: Probe, points: Points) -> Iterator[str]:
    """A mass matrix is symmetric and positive definite."""
    n, rows = len(probe.columns("speed")), probe.rows("mass")
    for j, column in enumerate(probe(points.ordinary)[rows].T if n else []):
        M = column.reshape(n, n)
        if np.abs(M - M.T).max() > 1e-10 * np.abs(M).max():
            yield f"mass is not symmetric {where(probe, points.ordinary[:, j])}"
            return
        if np.linalg.eigvalsh(M)[0] <= 0:
            yield f"mass is not positive definite {where(probe, points.ordinary[:, j])}"
            return


def unlike_rates(probe: Probe, points: Points) -> Iterator[str]:
    """What a part holds as the rate of a length or a pose is its rate."""
    ders = {_path(entry): probe.y[row] for row, entry in enumerate(probe.entries) if entry.term == "der"}
    moving = probe.x[[*probe.columns("coordinate"), *probe.columns("state")]]
    motion = ca.vertcat(SX(0, 1), *_q_dot(probe), *(ders[name] for name in _states(probe)))
    for name, port in probe.declared.ports.items():
        held = probe.terms.hold.get(name)
        if not isinstance(held, dict) or not points.ordinary.shape[1]:
            continue
        pairs = [(held[a], held[b], a) for a, b in port.shadow.items() if a in held and b in held]
        if {"r", "R", "v", "w"} <= set(held):
            turned = [value for *_, value in sorted(_turning(held["R"], held["w"]), key=lambda item: item[:2])]
            pairs += [(held["r"], held["v"], "r"), (held["R"], turned, "R")]
        for value, rate, what in pairs:
            value, rate = (ca.vertcat(*map(SX, leaves(entry))) for entry in (value, rate))
            true = ca.jtimes(value, moving, motion) + ca.jacobian(value, probe.twin.t)
            both = ca.vertcat(ca.norm_inf(true - rate), ca.norm_inf(true) + ca.norm_inf(rate))
            error, size = evaluate(probe.x, both, points.ordinary)
            if np.any(error > 1e-9 * size):
                j = int((error - 1e-9 * size).argmax())
                yield f"the rate of {name}.{what} is off by {error[j]:.3g} {where(probe, points.ordinary[:, j])}"


def _sum(values: Any) -> Any:
    total = SX(0)
    for value in values:
        total = total + value
    return total


def _port_powers(probe: Probe) -> list[tuple[str, Any]]:
    """Power into the part through each of its ports, and what its holder gives an ingredient."""
    powers = []
    for name, port in probe.declared.ports.items():
        values = probe.terms.hold.get(name)
        if values is not None:
            held = values if isinstance(values, dict) else {next(iter(port.across)): values}
            through, rate = _symbols(probe, name, "through", port), held
        elif name in probe.terms.into:
            given = probe.terms.into[name]
            through = dict(zip(port.through, given if len(port.through) > 1 else (given,), strict=True))
            rate = _symbols(probe, name, "across", port)
        else:
            continue
        for what, with_rate in port.rate.items():
            pairs = zip(leaves(through[what]), leaves(rate[with_rate]), strict=True)
            powers += [(f"{name}.{what}", SX(effort * flow)) for effort, flow in pairs]
    if "v" in probe.arguments and "F" in probe.terms.out:
        powers.append(("F v", SX(probe.terms.out["F"] * probe.arguments["v"])))
    return powers


def _symbols(probe: Probe, name: str, role: str, port: Port) -> dict[str, Any]:
    twin = probe.twin.port(name) if callable(probe.twin.port) else getattr(probe.twin, name)
    return {what: getattr(twin, what) for what in (port.through if role == "through" else port.across)}


def _rates(probe: Probe, energy: Any) -> tuple[list[tuple[Any, Any]], list[str]]:
    """(symbol, its rate) for all that the energy depends on, speeds apart; and what has no rate."""
    known: dict[str, Any] = {_path(e): probe.y[row] for row, e in enumerate(probe.entries) if e.term == "der"}
    for name, port in probe.declared.ports.items():
        twin = _symbols(probe, name, "across", port)
        known |= {f"{name}.{length}": twin[rate] for length, rate in port.shadow.items()}
        if {"r", "R", "v", "w"} <= set(twin):
            known |= {f"{name}.r[{i}]": twin["v"][i] for i in range(3)}
            known |= {f"{name}.R[{i}][{j}]": value for i, j, value in _turning(twin["R"], twin["w"])}
    coordinates = [probe.variables[row].name for row in probe.columns("coordinate")]
    known |= dict(zip(coordinates, _q_dot(probe), strict=True)) | {"t": SX(1)}
    speeds = {probe.variables[row].name for row in probe.columns("speed")}
    names = {symbol.name() for symbol in ca.symvar(SX(energy))} - speeds
    rates = [(probe.x[row], known[v.name]) for row, v in enumerate(probe.variables) if v.name in names & set(known)]
    return rates, sorted(names - set(known))


def _turning(R: Any, w: Any) -> Iterator[tuple[int, int, Any]]:
    """Ṙ = w̃ R, entry by entry."""
    for j in range(3):
        for i in range(3):
            k, m = (i + 1) % 3, (i + 2) % 3
            yield i, j, w[k] * R[m][j] - w[m] * R[k][j]


def _q_dot(probe: Probe) -> list[Any]:
    rows = probe.rows("q_dot")
    return [probe.y[row] for row in rows] if rows else [probe.x[row] for row in probe.columns("speed")]


def _with_accelerations(probe: Probe, at: np.ndarray) -> tuple[np.ndarray, Any]:
    """The points with the accelerations that follow from them, and the power of the multipliers."""
    n = len(probe.columns("speed"))
    q, v, lam = (probe.x[probe.columns(role)] for role in ("coordinate", "speed", "multiplier"))
    q_dot = ca.vertcat(*_q_dot(probe))
    Phi = probe.y[probe.rows("constraint")]
    Phi_v = ca.mtimes(ca.jacobian(Phi, q), ca.jacobian(q_dot, v))
    force = ca.vertcat(*(probe.y[row] for row in probe.rows("force"))) - ca.mtimes(Phi_v.T, lam)
    for name, port in probe.declared.ports.items():
        held = probe.terms.hold.get(name)
        if held is None:
            continue
        rate = held if isinstance(held, dict) else {next(iter(port.across)): held}
        net = _symbols(probe, name, "through", port)
        for what, with_rate in port.rate.items():
            J = ca.jacobian(ca.vertcat(*leaves(rate[with_rate])), v)
            force = force + ca.mtimes(J.T, ca.vertcat(*leaves(net[what])))
    motion = ca.vertcat(probe.y[probe.rows("mass")], force)
    values = evaluate(probe.x, motion, at)
    a = np.stack([np.linalg.solve(c[: n * n].reshape(n, n), c[n * n :]) for c in values.T], axis=1)
    power = -ca.dot(lam, ca.mtimes(Phi_v, v)) if lam.numel() else SX(0)
    return np.vstack([at, a]), power
