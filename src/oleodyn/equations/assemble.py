"""Assembling: from parts and connections to one flat set of equations."""

from collections.abc import Iterable, Iterator
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.equations.bind import bind, join
from oleodyn.equations.closure.consistent import consistent
from oleodyn.equations.closure.constraints import with_gaps, without_idle
from oleodyn.equations.equations import Equations, Sampler, Signal
from oleodyn.equations.resolve import resolver
from oleodyn.equations.start import check_start
from oleodyn.equations.wiring import Meeting, check_meeting, meetings, signal_links
from oleodyn.errors import AssemblyError, DeclarationError
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Named, Parameter, Part, State, Terms, nearest

SX = ca.SX


def assemble(machine: Machine, loops: Any = None, tunable: Iterable[str] = ()) -> Equations:
    """The equations of a machine.

    `loops` is the policy that closes kinematic loops, such as `AugmentedLagrangian()`; `tunable`
    names parameters ("lift.d_bore") that stay inputs of the compiled program.
    """
    assembly = _Assembly(machine, loops, tuple(tunable))
    equations = with_gaps(consistent(without_idle(assembly.equations())))
    check_start(equations, assembly.fits)
    return equations


class _Assembly:
    """The work in progress of one call of `assemble`."""

    def __init__(self, machine: Machine, loops: Any, tunable: tuple[str, ...]):
        if not machine.parts:
            raise AssemblyError(f"{machine.name} has no parts")
        self.machine, self.loops, self.tunable = machine, loops, tunable
        self.t = SX.sym("t")
        self.cards: dict[str, list[Signal]] = {}
        self.symbols: dict[str, list[Any]] = {}
        self.initial: dict[str, list[float]] = {}
        self.definitions: dict[str, tuple[Any, Any]] = {}
        self.meetings = meetings(machine)
        self.meeting_of = {path: meeting for meeting in self.meetings for path in meeting.paths}
        self.across: dict[tuple[int, str], Any] = {}
        self.through: dict[str, Any] = {}
        self.terms: list[tuple[str, Part, Any, Terms]] = []
        self.start: dict[str, Any] = {}
        self.fits: dict[str, tuple[Any, Any]] = {}
        self.x_dot: dict[str, Any] = {}
        self.outputs: list[tuple[Signal, Any]] = []
        self.powers: list[tuple[Signal, str, Any]] = []
        self.energies: list[tuple[Signal, Any]] = []

    def equations(self) -> Equations:
        """Bind every part, collect its terms, lay them out flat."""
        self._bind_parts()
        unknown = [path for path in self.tunable if path not in {c.name for c in self.cards.get("p", [])}]
        if unknown:
            known = [join(path, name) for path, part in self.machine.walk() for name in part.fields]
            raise DeclarationError(f"tunable {unknown[0]!r} is no parameter{nearest(unknown[0], known)}")
        self._place_terms()
        for meeting in self.meetings:
            check_meeting(meeting, self.machine)
        motion = self._motion()
        for meeting in self.meetings:
            self._join(meeting, motion)
        self._link_signals()
        self._name_outputs()
        return self._flat(motion)

    # ------------------------------------------------------------------ symbols

    def _new(self, role: str, card: Signal, initial: float = 0.0) -> Any:
        symbol = SX.sym(card.name)
        self.cards.setdefault(role, []).append(card)
        self.symbols.setdefault(role, []).append(symbol)
        self.initial.setdefault(role, []).append(initial)
        return symbol

    def _make(self, role: str, path: str, declared: Any) -> Any:
        """A symbol for one declaration; the roles are those of `bind`."""
        if role == "time":
            return self.t
        if role == "parameter":
            return self._tunable(path, declared)
        if role in ("across", "through"):
            return self._port_symbol(role, path, declared)
        if role == "multiplier":
            return self._new("lam", Signal(path, declared.unit, "multiplier", declared.text))
        if role == "acceleration":
            return self._new("a", Signal(path, declared.unit + "/s", "acceleration", declared.text))
        letter = {"state": "x", "sampled": "z", "input": "u", "coordinate": "q", "speed": "v"}[role]
        kind = {"u": "input", "q": "position", "v": "speed", "z": "controller"}.get(letter)
        initial = declared.default if letter == "u" else declared.initial
        nominal = getattr(declared, "nominal", 1.0)
        return self._new(letter, Signal(path, declared.unit, kind or declared.kind, declared.text, nominal), initial)

    def _tunable(self, path: str, declared: Parameter) -> Any:
        if path not in self.tunable:
            return None
        if declared.shape:
            raise DeclarationError(f"tunable {path!r} has {declared.shape} numbers: only single numbers can be tuned")
        value: Any = self.machine.parts[path.partition(".")[0]]
        for name in path.split(".")[1:]:
            value = value[name] if isinstance(value, Named) else getattr(value, name)
        return self._new("p", Signal(path, declared.unit, "parameter", declared.text), float(value))

    def _port_symbol(self, role: str, path: str, quantity: Any) -> Any:
        port, _, name = path.rpartition(".")
        store = self.across if role == "across" else self.through
        key: Any = (id(self.meeting_of[port]), name) if role == "across" else path
        if key not in store:
            prefix = f"shared {self.meeting_of[port].paths[0]}.{name}" if role == "across" else f"net {path}"
            store[key] = _array(prefix, quantity.shape)
        return store[key]

    def _bind_parts(self) -> None:
        for name, part in self.machine.parts.items():
            twin = bind(part, name, self._make)
            try:
                terms = twin.equations()
            except Exception as error:
                place = self.machine.places.get(name, "")
                raise type(error)(f"{place}: {name} ({type(part).__name__}): {error}") from error
            self.terms += self._flattened(name, part, twin, terms)

    def _flattened(self, path: str, part: Part, twin: Any, terms: Terms) -> Iterator[Any]:
        declared = part.declaration()
        expected = {name for name, state in declared.states.items() if not state.sampled}
        for what, given, wanted in (
            ("der", set(terms.der), expected),
            ("next", set(terms.next), set(declared.states) - expected),
        ):
            if given != wanted:
                raise DeclarationError(
                    f"{path} ({type(part).__name__}): {what} gives {sorted(given)}, "
                    f"but the part declares {sorted(wanted)}"
                )
        yield path, part, twin, terms
        for name, inside in part.ingredients().items():
            if name in terms.parts:
                held: Any = twin
                for key in name.split("."):
                    held = held[key] if isinstance(held, Named) else getattr(held, key)
                yield from self._flattened(f"{path}.{name}", inside, held, terms.parts[name])
            elif inside.declaration().states:
                raise DeclarationError(f"{path} ({type(part).__name__}): Terms.parts lacks its ingredient {name!r}")

    # ------------------------------------------------------------------ terms

    def _place_terms(self) -> None:
        """Sort every term to where it belongs: meeting points, states, accounts."""
        for path, part, _, terms in self.terms:
            for port, value in terms.into.items():
                self._meeting(path, part, port).into[f"{path}.{port}"] = value
            for port, value in terms.store.items():
                self._meeting(path, part, port).stores[f"{path}.{port}"] = value
            for port, value in terms.hold.items():
                self._meeting(path, part, port).holders[f"{path}.{port}"] = value
            self.x_dot |= {f"{path}.{name}": value for name, value in terms.der.items()}
            self.start |= {f"{path}.{name}": value for name, value in terms.start.items() if value is not None}
            self.fits |= {f"{path}.{name}": bounds for name, bounds in terms.fits.items()}
            for name, value in terms.out.items():
                card = part.declaration().outputs.get(name)
                if card is not None:
                    self.outputs.append((Signal(f"{path}.{name}", card.unit, "output", card.text), value))
            for account in ("supplied", "lost", "stored"):
                for name, value in getattr(terms.power, account).items():
                    self.powers.append((Signal(join(path, name), "W", "power", account), account, value))
            for name, value in terms.energy.items():
                self.energies.append((Signal(join(path, name), "J", "energy", "stored energy"), value))

    def _meeting(self, path: str, part: Part, port: str) -> Meeting:
        if f"{path}.{port}" not in self.meeting_of:
            ports = part.declaration().ports
            raise DeclarationError(f"{path} ({type(part).__name__}) has no port {port!r}{nearest(port, ports)}")
        return self.meeting_of[f"{path}.{port}"]

    def _motion(self) -> "_Motion":
        """Second-order states: mechanisms' coordinates, then lone masses and inertias."""
        motion = _Motion()
        for _, part, twin, terms in self.terms:
            if not part.declaration().speeds:
                continue
            n = len(twin.v)
            motion.masses.append(_matrix(terms.mass))
            motion.forces.append(_column(terms.force, n))
            motion.q_dots.append(_column(terms.q_dot, len(twin.q)) if terms.q_dot is not None else ca.vertcat(*twin.v))
            delta = [SX.sym(f"delta.{symbol.name()}") for symbol in twin.v]
            motion.deltas += delta
            plus = (
                terms.plus(list(twin.q), delta) if terms.plus else [q + d for q, d in zip(twin.q, delta, strict=True)]
            )
            motion.plus.append(_column(plus, len(twin.q)))
            for loop, rows in part.declaration().constraints.items():
                motion.Phi.append(_column(terms.constraint[loop], rows))
        for meeting in self.meetings:
            if meeting.stores and not meeting.holders and meeting.port.shadow:
                self._lone_mass(meeting, motion)
        return motion

    def _lone_mass(self, meeting: Meeting, motion: "_Motion") -> None:
        (position, speed), port = next(iter(meeting.port.shadow.items())), meeting.port
        q = self._new("q", Signal(f"{meeting.name}.{position}", port.across[position].unit, "position", port.text))
        v = self._new("v", Signal(f"{meeting.name}.{speed}", port.across[speed].unit, "speed", port.text))
        self._new("a", Signal(f"{meeting.name}.{speed}", port.across[speed].unit + "/s", "acceleration", port.text))
        self._define_across(meeting, {position: q, speed: v})
        mass = sum(meeting.stores.values())
        motion.masses.append(SX(mass))
        motion.forces.append(-_sum(SX(value) for value in meeting.into.values()))
        motion.q_dots.append(v)
        delta = SX.sym(f"delta.{v.name()}")
        motion.deltas.append(delta)
        motion.plus.append(q + delta)
        self.energies.append((Signal(f"{meeting.name}.kinetic", "J", "energy", "kinetic energy"), mass * v * v / 2))
        for path in meeting.paths:
            self.start |= {
                f"{meeting.name}.{k}": s for k in (position, speed) if (s := self.start.get(f"{path}.{k}")) is not None
            }

    # ------------------------------------------------------------------ meeting points

    def _join(self, meeting: Meeting, motion: "_Motion") -> None:
        """The law of one meeting point: held, or stored, or (a lone mass) already done."""
        if meeting.holders:
            (path, held), *_ = meeting.holders.items()
            self._hold(meeting, path, held, motion)
        elif meeting.stores and not meeting.port.shadow:
            self._store(meeting)
        elif not meeting.stores:
            for name in meeting.port.across:
                self._define_across(meeting, {name: _zeros(meeting.port.across[name].shape)})

    def _define_across(self, meeting: Meeting, values: dict[str, Any]) -> None:
        for name, value in values.items():
            symbols = self.across.get((id(meeting), name))
            if symbols is not None:
                for symbol, entry in zip(_leaves(symbols), _leaves(value), strict=True):
                    self.definitions[symbol.name()] = (symbol, entry)

    def _hold(self, meeting: Meeting, path: str, held: Any, motion: "_Motion") -> None:
        port = meeting.port
        values = held if isinstance(held, dict) else {next(iter(port.across)): held}
        self._define_across(meeting, values)
        v = ca.vertcat(*self.symbols.get("v", []))
        others = {p: value for p, value in meeting.into.items() if p != path}
        net = _net(port, others.values())
        for name, entries in net.items():
            for symbol, entry in zip(_leaves(self.through[f"{path}.{name}"]), entries, strict=True):
                self.definitions[symbol.name()] = (symbol, entry)
            rate = ca.vertcat(*_leaves(values[port.rate[name]])) if port.rate[name] in values else SX(0, 1)
            if others and v.numel() and ca.depends_on(rate, v):
                motion.port_forces.append(ca.jtimes(rate, v, ca.vertcat(*entries), True))
        stores = [value for p, value in meeting.stores.items() if p != path]
        if stores and port.shadow:
            rate = values[port.stored]
            motion.inertias.append((SX(rate), sum(stores)))
            self.energies.append(
                (Signal(f"{meeting.name}.kinetic", "J", "energy", "kinetic energy"), sum(stores) * rate**2 / 2)
            )

    def _store(self, meeting: Meeting) -> None:
        """store · d(effort)/dt = −Σ into."""
        port, name = meeting.port, meeting.name
        effort = port.stored or ""
        clamps = [
            terms.clamp[p] for path, _, _, terms in self.terms for p in terms.clamp if f"{path}.{p}" in meeting.paths
        ]
        starts = {p: self.start[p] for p in meeting.paths if p in self.start}
        quantity = port.across[effort]
        state = State(quantity.unit, quantity.text, kind=port.kind, nominal=1e5 if port.kind == "pressure" else 1.0)
        card = Signal(f"{name}.{effort}", state.unit, state.kind, state.text, state.nominal)
        symbol = self._new("x", card, port.rest)
        self._define_across(meeting, {effort: symbol})
        capacity = _sum(SX(value) for value in meeting.stores.values())
        rate = -_sum(SX(value) for value in meeting.into.values()) / capacity
        self.x_dot[f"{name}.{effort}"] = rate
        if starts:
            numbers = {path: _number(value) for path, value in starts.items()}
            if max(numbers.values()) - min(numbers.values()) > 1e-9 * max(map(abs, numbers.values())):
                text = ", ".join(f"{path} {value:g}" for path, value in numbers.items())
                raise DeclarationError(
                    f"{name}.{effort}: its parts start at different values ({text}). Give one of them."
                )
            self.start[f"{name}.{effort}"] = next(iter(starts.values()))
        if clamps:
            low = _extreme(ca.fmax, [low for low, _ in clamps])
            high = _extreme(ca.fmin, [high for _, high in clamps])
            self.definitions[f"clamp {name}.{effort}"] = (symbol, (low, high))
        flow = port.rate and next(iter(port.rate))
        self.powers.append(
            (
                Signal(f"{name}.oil" if flow == "Q" else f"{name}.stored", "W", "power", "stored"),
                "stored",
                symbol * capacity * rate,
            )
        )

    def _link_signals(self) -> None:
        known = {card.name: symbol for role in "qvxz" for card, symbol in self._pairs(role)}
        outputs = {card.name: value for card, value in self.outputs}
        for target, source in signal_links(self.machine).items():
            symbol = next(s for card, s in self._pairs("u") if card.name == target)
            value = outputs.get(source, known.get(source))
            if value is None:
                port, _, name = source.rpartition(".")
                value = self.across[id(self.meeting_of[port]), name]
            self.definitions[symbol.name()] = (symbol, value)

    def _pairs(self, role: str) -> list[tuple[Signal, Any]]:
        return list(zip(self.cards.get(role, []), self.symbols.get(role, []), strict=True))

    # ------------------------------------------------------------------ names of what flows

    def _name_outputs(self) -> None:
        """Port flows, held efforts, accelerations and powers as outputs."""
        for meeting in self.meetings:
            port = meeting.port
            states = {card.name for role in "qvx" for card in self.cards.get(role, [])}
            for name, quantity in port.across.items():
                symbol = self.across.get((id(meeting), name))
                if not quantity.shape and symbol is not None and f"{meeting.name}.{name}" not in states:
                    self.outputs.append(
                        (Signal(f"{meeting.name}.{name}", quantity.unit, "effort", quantity.text), symbol)
                    )
            for path in meeting.paths:
                self._name_flow(meeting, path)
        for card, symbol in self._pairs("a"):
            self.outputs.append(
                (Signal(card.name.removesuffix("_dot") + "_ddot", card.unit, card.kind, card.text), symbol)
            )
        for card, _, value in self.powers:
            self.outputs.append((Signal(f"{card.name}.power", "W", "power", card.text), value))

    def _name_flow(self, meeting: Meeting, path: str) -> None:
        port = meeting.port
        for name, quantity in port.through.items():
            if quantity.shape:
                continue
            if path in meeting.holders:
                value = self.through[f"{path}.{name}"]
            else:
                value = meeting.into.get(path, 0)
                if path in meeting.stores and not meeting.holders and not port.shadow:
                    value = value + meeting.stores[path] * self.x_dot[f"{meeting.name}.{port.stored}"]
            self.outputs.append((Signal(f"{path}.{name}", quantity.unit, "flow", quantity.text), value))

    # ------------------------------------------------------------------ flat

    def _flat(self, motion: "_Motion") -> Equations:
        clamps = {k: self.definitions.pop(k) for k in list(self.definitions) if k.startswith("clamp ")}
        resolve = resolver(self.definitions, self.machine.name)
        q, v, x, z, p = (ca.vertcat(SX(0, 1), *self.symbols.get(role, [])) for role in "qvxzp")
        driven = {name for name in self.definitions}
        free = [
            (c, s, i)
            for (c, s), i in zip(self._pairs("u"), self.initial.get("u", []), strict=True)
            if c.name not in driven
        ]
        M, f, q_dot = motion.flat(q, v)
        names = [card.name for card in self.cards.get("x", [])]
        rows = {name: row for row, name in enumerate(names)}
        expressions = [
            M, f, q_dot, *motion.flat_plus(),
            _column([self.x_dot[name] for name in names], len(names)), ca.vertcat(SX(0, 1), *motion.Phi),
            ca.vertcat(SX(0, 1), *(value for _, value in self.outputs)),
            ca.vertcat(SX(0, 1), *(value for _, _, value in self.powers)),
            ca.vertcat(SX(0, 1), *(value for _, value in self.energies)),
            ca.vertcat(SX(0, 1), *(value for *_, terms in self.terms for value in terms.guard.values())),
        ]  # fmt: skip
        samplers = self._samplers()
        M, f, q_dot, delta, plus, x_dot, Phi, outputs, powers, energies, guards, *rest = resolve(
            [*expressions, *(sampler.next for sampler in samplers)]
        )
        samplers = tuple(Sampler(s.name, s.period, s.rows, value) for s, value in zip(samplers, rest, strict=True))
        rowwise: dict[str, Any] = {f"{role}_0": self._initial(role) for role in "qvxzp"}
        for role in ("q", "v", "x", "z", "p", "lam"):
            rowwise[f"{role}_signals"] = tuple(self.cards.get(role, []))
        return Equations(
            name=self.machine.name, t=self.t, q=q, v=v, x=x, z=z, p=p,
            u=ca.vertcat(SX(0, 1), *(symbol for _, symbol, _ in free)),
            a=ca.vertcat(SX(0, 1), *self.symbols.get("a", [])), lam=ca.vertcat(SX(0, 1), *self.symbols.get("lam", [])),
            q_dot=q_dot, delta=delta, q_plus=plus, M=M, f=f, x_dot=x_dot, Phi=Phi, outputs=outputs, powers=powers,
            energies=energies, guards=guards, samplers=samplers,
            clamps=tuple((rows[key.removeprefix("clamp ")], *bounds) for key, (_, bounds) in clamps.items()),
            u_signals=tuple(card for card, _, _ in free),
            y_signals=tuple(card for card, _ in self.outputs),
            power_signals=tuple(card for card, _, _ in self.powers),
            accounts=tuple(account for _, account, _ in self.powers),
            energy_signals=tuple(card for card, _ in self.energies),
            guard_signals=tuple(
                Signal(join(path, name), "-", "guard", "must stay positive")
                for path, _, _, terms in self.terms for name in terms.guard
            ),
            **rowwise,
            u_0=np.array([initial for *_, initial in free], dtype=float),
            loops=self.loops, aliases=self._aliases(), places=dict(self.machine.places),
        )  # fmt: skip

    def _samplers(self) -> list[Sampler]:
        rows = {card.name: row for row, card in enumerate(self.cards.get("z", []))}
        samplers = []
        for path, part, _, terms in self.terms:
            if terms.next:
                if part.samples is None:
                    raise DeclarationError(
                        f"{path} ({type(part).__name__}) has sampled states but names no period in `samples`"
                    )
                mine = tuple(rows[f"{path}.{name}"] for name in terms.next)
                new = _column(list(terms.next.values()), len(mine))
                samplers.append(Sampler(path, float(getattr(part, part.samples)), mine, new))
        return samplers

    def _initial(self, role: str) -> np.ndarray:
        """Start values: the declaration's, the parts' `start`, then the machine's `start`."""
        values = list(self.initial.get(role, []))
        for row, card in enumerate(self.cards.get(role, [])):
            if role != "p" and card.name in self.start:
                values[row] = _number(self.start[card.name])
        named = {card.name: row for row, card in enumerate(self.cards.get(role, []))}
        for path, value in self.machine.start.items():
            row = named.get(self._aliases().get(path, path))
            if row is not None:
                values[row] = float(value)
        return np.array(values, dtype=float)

    def _aliases(self) -> dict[str, str]:
        aliases = {
            f"{path}.{name}": f"{meeting.name}.{name}"
            for meeting in self.meetings
            for path in meeting.paths
            for name in meeting.port.across
            if path != meeting.name
        }
        return aliases | self.machine.aliases


class _Motion:
    """Second-order terms, gathered block by block and port by port."""

    def __init__(self):
        self.masses: list[Any] = []
        self.forces: list[Any] = []
        self.q_dots: list[Any] = []
        self.deltas: list[Any] = []
        self.plus: list[Any] = []
        self.Phi: list[Any] = []
        self.port_forces: list[Any] = []
        self.inertias: list[tuple[Any, Any]] = []

    def flat(self, q: Any, v: Any) -> tuple[Any, Any, Any]:
        """M, f and q̇, with what ports add: f + Jᵀ F, and for inertia m there M + Jᵀ m J.

        Equations   J = ∂(rate)/∂v,   Jᵀ m d(J v)/dt = Jᵀ m J v̇ + Jᵀ m J̇ v
        """
        M = ca.diagcat(SX(0, 0), *self.masses)
        f = ca.vertcat(SX(0, 1), *self.forces)
        q_dot = ca.vertcat(SX(0, 1), *self.q_dots)
        for force in self.port_forces:
            f = f + force
        for rate, inertia in self.inertias:
            J = ca.jacobian(rate, v)
            M = M + inertia * ca.mtimes(J.T, J)
            f = f - J.T * (inertia * ca.jtimes(rate, q, q_dot))
        return M, f, q_dot

    def flat_plus(self) -> tuple[Any, Any]:
        """δ and q ⊕ δ."""
        return ca.vertcat(SX(0, 1), *self.deltas), ca.vertcat(SX(0, 1), *self.plus)


def _net(port: Any, intos: Iterable[Any]) -> dict[str, list[Any]]:
    """−Σ into for each through quantity, as a list of scalars."""
    names = list(port.through)
    sums = {name: [SX(0)] * len(_leaves(_zeros(port.through[name].shape))) for name in names}
    for into in intos:
        parts = into if len(names) > 1 else (into,)
        for name, part in zip(names, parts, strict=True):
            sums[name] = [total - entry for total, entry in zip(sums[name], _leaves(part), strict=True)]
    return sums


def _array(name: str, shape: tuple[int, ...]) -> Any:
    if not shape:
        return SX.sym(name)
    return tuple(_array(f"{name}.{'xyz'[i]}", shape[1:]) for i in range(shape[0]))


def _zeros(shape: tuple[int, ...]) -> Any:
    return tuple(_zeros(shape[1:]) for _ in range(shape[0])) if shape else SX(0)


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in _leaves(item)]
    return ca.vertsplit(value) if isinstance(value, SX) and value.numel() > 1 else [SX(value)]


def _column(values: Any, n: int) -> Any:
    column = ca.vertcat(SX(0, 1), *values) if isinstance(values, (list, tuple)) else SX(values)
    return ca.densify(ca.reshape(column, n, 1))


def _matrix(rows: Any) -> Any:
    return ca.vertcat(*(ca.horzcat(*row) for row in rows)) if isinstance(rows, (list, tuple)) else SX(rows)


def _sum(values: Iterable[Any]) -> Any:
    total = SX(0)
    for value in values:
        total = total + value
    return total


def _extreme(choose: Any, values: list[Any]) -> Any:
    result = SX(values[0])
    for value in values[1:]:
        result = choose(result, value)
    return result


def _number(value: Any) -> float:
    """A start value as a number: parameters that are tunable count with their present value."""
    return float(ca.evalf(SX(value))) if isinstance(value, SX) else float(value)
