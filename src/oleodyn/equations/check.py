"""The contract of parts: what every part must be, so that machines of parts can be trusted."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.equations.bind import join
from oleodyn.equations.conservation import gained_power, lost_oil, open_account, unlike_masses, unlike_rates
from oleodyn.equations.continuity import breaks, where, wrong_tangents
from oleodyn.equations.points import Points, points
from oleodyn.equations.probe import Columns, Probe, leaves
from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Part, Terms, nearest
from oleodyn.units import choices
from oleodyn.units.dimension import unit_of


@dataclass(frozen=True)
class Contract:
    """What the contract found: broken rules, and those that the part declares to break."""

    part: Part
    violations: tuple[tuple[str, str], ...]
    """(rule, sentence)"""
    excused: tuple[tuple[str, str, str], ...]
    """(rule, sentence, the part's reason)"""

    def __str__(self):
        name = type(self.part).__name__
        lines = [f"{name} keeps the contract of parts." if not self.violations else f"{name} breaks the contract:"]
        lines += [f"  {rule}: {text}. {RULES[rule]}." for rule, text in self.violations]
        lines += [f"  {rule} (declared: {reason}): {text}" for rule, text, reason in self.excused]
        return "\n".join(lines)


RULES: Mapping[str, str] = {
    "declared": "Everything declared has a unit and says what it means",
    "docstring": "A part's docstring has the blocks Equations and References",
    "terms": "equations() answers for exactly what is declared",
    "tunable": "No parameter may be looked at in equations(): any may become a symbol",
    "symbols": "Floats and symbols give the same numbers",
    "finite": "Every law is finite at every pressure, drop, opening and speed",
    "jacobian": "Every slope is finite, at rest and at zero drop too",
    "tangent": "A derivative lies between the slopes on either side; write a law without sign(v) where it is smooth",
    "jump": "Laws are continuous",
    "slope": "Laws have finite slopes",
    "flows": "Oil neither appears nor vanishes",
    "passive": "A passive part never gives power",
    "account": "Energy in = lost + stored − supplied, in every part",
    "mass": "A mass matrix is symmetric and positive definite",
    "rates": "A held speed is the rate of the held length",
}
"""rule → what it asks; `Part.exceptions` names rules that a printed law breaks, with the reason"""


def check_part(part: Part) -> None:
    """Raise DeclarationError with every rule of the contract that a part breaks.

    For your own parts too: put `check_part(MyValve(Q_nom=1e-3))` into a test.
    """
    found = contract(part)
    if found.violations:
        raise DeclarationError(str(found))


def contract(part: Part) -> Contract:
    """All findings about a part, those excused by its `exceptions` apart."""
    reasons = exceptions(part)
    findings = [(rule, text) for rule, text in _findings(part)]
    return Contract(
        part,
        tuple((rule, text) for rule, text in findings if rule not in reasons),
        tuple((rule, text, reasons[rule]) for rule, text in findings if rule in reasons),
    )


def exceptions(part: Part, path: str = "") -> dict[str, str]:
    """The rules that a part, or what it holds, declares to break, with the reasons."""
    found = {rule: f"{path}: {reason}" if path else reason for rule, reason in part.exceptions.items()}
    for name, inside in part.ingredients().items():
        if isinstance(inside, Part):
            found = exceptions(inside, join(path, name)) | found
    return found


def _findings(part: Part) -> Iterator[tuple[str, str]]:
    yield from (("declared", text) for text in undeclared(part))
    yield from (("docstring", text) for text in undocumented(part))
    try:
        probe = Probe(part)
    except Exception as error:
        yield "terms", f"equations() fails: {type(error).__name__}: {error}"
        return
    wrong = list(unanswered(part, probe.terms, ""))
    yield from (("terms", text) for text in wrong)
    if wrong:
        return
    at = points(probe)
    if probe.rows("guard") and not at.ordinary.shape[1]:
        yield "finite", "no point within ordinary values keeps its guards positive"
        return
    yield from breaks(probe, at)
    for rule, broken in TRIALS.items():
        yield from ((rule, text) for text in broken(probe, at))


# ------------------------------------------------------------------ what is written


def undeclared(part: Part) -> Iterator[str]:
    """Declarations without unit or text, units that cannot be read, exceptions without rule."""
    declared = part.declaration()
    groups = (declared.states, declared.inputs, declared.outputs, declared.coordinates, declared.speeds)
    for name, item in [*part.fields.items(), *(pair for group in groups for pair in group.items())]:
        if not item.text.strip():
            yield f"{name} does not say what it means"
        unit = getattr(item, "unit", None)
        if unit is not None:
            yield from _unreadable(name, unit)
    yield from (
        f"port {name} does not say what it is" for name, port in declared.ports.items() if not port.text.strip()
    )
    for rule, reason in part.exceptions.items():
        if rule not in RULES:
            yield f"exceptions names {rule!r}, which is no rule{nearest(rule, RULES)}; the rules are {', '.join(RULES)}"
        elif not reason.strip():
            yield f"the exception {rule!r} gives no reason"


def _unreadable(name: str, unit: str) -> Iterator[str]:
    for choice in choices(unit):
        try:
            if not choice.strip():
                raise DeclarationError("a bare ratio is written -")
            unit_of(choice)
        except DeclarationError as error:
            yield f"{name} has the unit {unit!r}, which cannot be read: {error}"


def undocumented(part: Part) -> Iterator[str]:
    """Blocks that the docstring lacks."""
    text = type(part).__doc__ or ""
    for block in ("Equations", "References"):
        if not any(line.strip().startswith(block) for line in text.splitlines()):
            yield f"the docstring of {type(part).__name__} has no block {block}"


# ------------------------------------------------------------------ what is answered


def unanswered(part: Part, terms: Terms, path: str) -> Iterator[str]:
    """Differences between what a part declares and what its terms answer for."""
    declared = part.declaration()
    sampled = {name for name, state in declared.states.items() if state.sampled}
    yield from _unequal(path, "der", terms.der, set(declared.states) - sampled)
    yield from _unequal(path, "next", terms.next, sampled)
    yield from _unequal(path, "out", terms.out, declared.outputs)
    yield from _unequal(path, "constraint", terms.constraint, declared.constraints)
    stored = {name for name, port in declared.ports.items() if port.stored}
    for what, wanted in (("into", declared.ports), ("hold", declared.ports), ("store", stored)):
        yield from _strangers(path, what, getattr(terms, what), wanted)
    yield from _strangers(path, "clamp", terms.clamp, {*declared.states, *stored})
    yield from _misshapen(part, terms, path)
    inside = part.ingredients()
    yield from _strangers(path, "parts", terms.parts, inside)
    for name, held in inside.items():
        if name in terms.parts:
            yield from unanswered(held, terms.parts[name], join(path, name))
        elif isinstance(held, Part) and (held.declaration().states or held.declaration().outputs):
            yield f"{join(path, 'parts')} lacks the terms of the ingredient {name}"


def _unequal(path: str, what: str, given: Any, wanted: Any) -> Iterator[str]:
    yield from (f"{join(path, what)} lacks {name}" for name in sorted(set(wanted) - set(given)))
    yield from _strangers(path, what, given, wanted)


def _strangers(path: str, what: str, given: Any, wanted: Any) -> Iterator[str]:
    for name in sorted(set(given) - set(wanted)):
        yield f"{join(path, what)} has {name}, which is not declared{nearest(name, wanted)}"


def _misshapen(part: Part, terms: Terms, path: str) -> Iterator[str]:
    declared = part.declaration()
    for name, value in terms.into.items():
        port = declared.ports.get(name)
        wanted = sum(int(np.prod(quantity.shape)) for quantity in port.through.values()) if port else None
        if wanted is not None and len(leaves(value)) != wanted:
            yield f"{join(path, 'into', name)} has {len(leaves(value))} numbers, but the port takes {wanted}"
    for name, value in terms.hold.items():
        port = declared.ports.get(name)
        if port is not None and isinstance(value, Mapping):
            yield from _strangers(path, f"hold.{name}", value, port.across)
    n_q, n_v = len(declared.coordinates), len(declared.speeds)
    for what, wanted in (("mass", n_v * n_v), ("force", n_v), ("q_dot", n_q)):
        value = getattr(terms, what)
        if value is None and n_v and (what != "q_dot" or n_q != n_v):
            yield f"{what} is missing, but speeds are declared"
        elif value is not None and len(leaves(value)) != wanted:
            yield f"{what} has {len(leaves(value))} numbers, but must have {wanted}"
    for loop, rows in declared.constraints.items():
        if loop in terms.constraint and len(leaves(terms.constraint[loop])) != rows:
            yield f"constraint.{loop} has {len(leaves(terms.constraint[loop]))} rows, but declares {rows}"


# ------------------------------------------------------------------ what is computed


def not_tunable(probe: Probe, at: Points) -> Iterator[str]:
    """Parameters as symbols must not stop equations(), nor change its numbers."""
    try:
        tuned = Probe(probe.part, tunable=True)
    except Exception as error:
        yield f"equations() fails when parameters are symbols: {type(error).__name__}: {error}"
        return
    lacking = [entry for entry in probe.entries if entry not in tuned.row]
    if lacking:
        yield f"{lacking[0]} is missing when parameters are symbols"
        return
    values = tuned(at.ordinary[:, :20])[[tuned.row[entry] for entry in probe.entries]]
    yield from _different(probe, "parameters as symbols", values, at.ordinary[:, :20])


def unlike_floats(probe: Probe, at: Points) -> Iterator[str]:
    """The part computed with floats against its expressions."""
    stress = at.stress[:, :: max(1, at.stress.shape[1] // 40)]
    some = np.hstack([at.ordinary[:, :20], stress])
    if not some.shape[1]:
        return
    try:
        floats = np.stack([probe.floats(point) for point in some.T], axis=1)
    except Exception as error:
        yield f"equations() fails with floats: {type(error).__name__}: {error}"
        return
    yield from _different(probe, "floats", floats, some)


def _different(probe: Probe, what: str, values: np.ndarray, at: np.ndarray) -> Iterator[str]:
    symbols = probe(at)
    scale = np.abs(np.where(np.isfinite(symbols), symbols, 0)).max(axis=1, initial=0.0)
    room = 1e-12 * np.maximum(np.abs(symbols), scale[:, None])
    with np.errstate(invalid="ignore"):
        wrong = ~((np.abs(values - symbols) <= room) | (values == symbols))
    for row in np.flatnonzero(wrong.any(axis=1)):
        j = int(wrong[row].argmax())
        yield (
            f"{probe.entries[row]} is {values[row, j]:.15g} with {what}, {symbols[row, j]:.15g} with symbols "
            f"{where(probe, at[:, j])}"
        )


def not_finite(probe: Probe, at: Points) -> Iterator[str]:
    """NaN or infinity at any point."""
    values = probe(at.all)
    rows = [row for row in range(len(probe.entries)) if probe.entries[row].term != "clamp"]
    for row in rows:
        wrong = ~np.isfinite(values[row])
        if wrong.any():
            j = int(wrong.argmax())
            yield f"{probe.entries[row]} is {values[row, j]:g} {where(probe, at.all[:, j])}"


def not_finite_slopes(probe: Probe, at: Points) -> Iterator[str]:
    """NaN or infinity in any derivative at any point."""
    rows = [row for row, entry in enumerate(probe.entries) if entry.term not in ("clamp", "next")]
    columns = [index for index in probe.used() if probe.variables[index].role != "sampled"]
    if not rows or not columns:
        return
    jacobian: Any = ca.jacobian(probe.y[rows], probe.x[columns])
    places = list(zip(*jacobian.sparsity().get_triplet(), strict=True))
    slopes = Columns(probe.x, ca.vertcat(ca.SX(0, 1), *jacobian.nonzeros()))
    told: set[int] = set()
    for block in np.array_split(at.all, max(1, at.all.shape[1] * len(places) // 10**6), axis=1):
        values = slopes(block)
        for k in np.flatnonzero(~np.isfinite(values).all(axis=1)):
            row, column = places[k]
            if k not in told:
                told.add(int(k))
                j = int((~np.isfinite(values[k])).argmax())
                yield (
                    f"the derivative of {probe.entries[rows[row]]} in {probe.variables[columns[column]].name} is "
                    f"{values[k, j]:g} {where(probe, block[:, j])}"
                )


TRIALS: dict[str, Callable[[Probe, Points], Iterator[str]]] = {
    "tunable": not_tunable,
    "symbols": unlike_floats,
    "finite": not_finite,
    "jacobian": not_finite_slopes,
    "tangent": wrong_tangents,
    "flows": lost_oil,
    "passive": gained_power,
    "account": open_account,
    "mass": unlike_masses,
    "rates": unlike_rates,
}
