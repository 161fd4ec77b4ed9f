"""Assembling: from parts and connections to one flat set of equations."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.equations.bind import bind, join
from oleodyn.equations.closure.consistent import consistent
from oleodyn.equations.closure.constraints import with_drives, with_gaps, without_idle
from oleodyn.equations.equations import Equations, Sampler, Signal
from oleodyn.equations.joining import Joining
from oleodyn.equations.motion import Motion
from oleodyn.equations.naming import aliases, outputs
from oleodyn.equations.resolve import Resolve, resolver
from oleodyn.equations.shapes import SX, column, number, stack
from oleodyn.equations.start import check_mass, check_start
from oleodyn.equations.storing import Rates, Stored, stored_by
from oleodyn.equations.symbols import Symbols
from oleodyn.equations.wiring import Meeting, check_meeting, signal_links
from oleodyn.errors import AssemblyError, DeclarationError, OleodynError
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Named, Part, Terms, nearest

Held = tuple[str, Part, Any, Terms]
"""path, part, twin, terms"""


def assemble(machine: Machine, loops: Any = None, tunable: Iterable[str] = ()) -> Equations:
    """The equations of a machine.

    `loops` is the policy that closes kinematic loops, such as `AugmentedLagrangian()`; `tunable`
    names parameters ("lift.d_bore") that stay inputs of the compiled program.
    """
    assembly = _Assembly(machine, loops, tuple(tunable))
    equations = with_gaps(with_drives(consistent(without_idle(assembly.equations()))))
    check_mass(equations)
    check_start(equations, assembly.fits)
    return equations


class _Assembly:
    """The work in progress of one call of `assemble`."""

    def __init__(self, machine: Machine, loops: Any, tunable: tuple[str, ...]):
        if not machine.parts:
            raise AssemblyError(f"{machine.name} has no parts")
        self.machine, self.loops, self.tunable = machine, loops, tunable
        self.symbols = Symbols(machine, tunable)
        self.terms: list[Held] = []
        self.start: dict[str, Any] = {}
        self.clamp: dict[str, tuple[Any, Any]] = {}
        self.fits: dict[str, tuple[Any, Any]] = {}
        self.x_dot: dict[str, Any] = {}
        self.capacity: dict[str, Any] = {}
        self.outputs: list[tuple[Signal, Any]] = []
        self.powers: list[tuple[Signal, str, Any]] = []
        self.energies: list[tuple[Signal, Any]] = []

    def equations(self) -> Equations:
        """Bind every part, collect its terms, join them, lay them out flat."""
        self._bind_parts()
        self._check_tunable()
        motion = Motion()
        for path, part, twin, terms in self.terms:
            self._place(path, part, terms)
            if part.declaration().speeds:
                motion.add_mechanism(part, twin, terms)
        for meeting in self.symbols.meetings:
            check_meeting(meeting, self.machine)
        joining = Joining(self.symbols, motion, self.start, self.clamp)
        joining.join_all()
        self.x_dot |= joining.x_dot
        self.energies += joining.energies
        self.capacity = joining.capacity
        self._link_signals(joining.floors)
        resolve = resolver(self.symbols.definitions, self.machine.name)
        moving = motion.flat(self.symbols.column("q"), self.symbols.column("v"))
        corrections = self._store(joining, resolve, moving[2])
        self.outputs += outputs(self.symbols, self.x_dot, self.powers)
        self.x_dot |= {name: self.x_dot[name] + value for name, value in corrections.items()}
        own = {path: bounds for path, bounds in self.clamp.items() if path in self.x_dot}
        return self._flat(motion, moving, own | joining.clamps, joining.floors, corrections, resolve)

    def _store(self, joining: Joining, resolve: Resolve, q_dot: Any) -> dict[str, Any]:
        """Energies, powers and outputs of what is stored; what cavities add to the rates."""
        s = self.symbols
        states = s.of("x")
        x_dot = column([self.x_dot[card.name] for card, _ in states], len(states))
        offered = [C for shares in joining.shares.values() for C in shares.values()]
        q_dot, x_dot, *capacities = resolve([q_dot, x_dot, *offered])
        resolved = iter(capacities)
        known = {card.name: (card.kind, symbol) for card, symbol in states}
        rows = [
            Stored(name, *known[name], joining.floors.get(name), {path: next(resolved) for path in shares})
            for name, shares in joining.shares.items()
        ]
        storing = stored_by(rows, Rates(s.column("q"), q_dot, s.column("x"), x_dot))
        self.powers += storing.powers
        self.energies += storing.energies
        self.outputs += storing.outputs
        return storing.corrections

    # ------------------------------------------------------------------ parts and terms

    def _bind_parts(self) -> None:
        for name, part in self.machine.parts.items():
            twin = bind(part, name, self.symbols.make)
            try:
                terms = twin.equations()
            except OleodynError:
                raise
            except Exception as error:
                place = self.machine.places.get(name, "")
                advice = (
                    " Decide with where(), fmin(), fmax() of oleodyn.maths: inside equations() all is symbols."
                    if "truth value" in str(error) else ""
                )  # fmt: skip
                raise AssemblyError(
                    f"{place}: {name} ({type(part).__name__}) gives no terms: {error!r}.{advice}"
                ) from error
            if not isinstance(terms, Terms):
                raise DeclarationError(
                    f"{name} ({type(part).__name__}): equations() gives {type(terms).__name__}, "
                    "but must return Terms(...)"
                )
            self.terms += self._flattened(name, part, twin, terms)

    def _flattened(self, path: str, part: Part, twin: Any, terms: Terms) -> Iterator[Held]:
        """The terms of a part and of all ingredients inside it."""
        declared = part.declaration()
        first_order = {name for name, state in declared.states.items() if not state.sampled}
        sampled = set(declared.states) - first_order
        for what, given, wanted in (("der", set(terms.der), first_order), ("next", set(terms.next), sampled)):
            if given != wanted:
                raise DeclarationError(
                    f"{path} ({type(part).__name__}): {what} gives {sorted(given)}, "
                    f"but the part declares {sorted(wanted)}"
                )
        for name in terms.out:
            if name not in declared.outputs:
                raise DeclarationError(
                    f"{path} ({type(part).__name__}): out gives {name!r}, which is no declared output"
                    f"{nearest(name, declared.outputs) or '.'} Declare it: {name} = Output(unit, text)."
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

    def _check_tunable(self) -> None:
        found = {card.name for card in self.symbols.cards.get("p", [])}
        for path in self.tunable:
            if path not in found:
                known = [join(part, name) for part, declared in self.machine.walk() for name in declared.fields]
                raise DeclarationError(f"tunable {path!r} is no parameter{nearest(path, known)}")

    def _place(self, path: str, part: Part, terms: Terms) -> None:
        """Sort the terms of one part to where they belong: meeting points, states, accounts."""
        for port, value in terms.into.items():
            self._meeting(path, part, port).into[f"{path}.{port}"] = value
        for port, value in terms.store.items():
            self._meeting(path, part, port).stores[f"{path}.{port}"] = value
        for port, value in terms.hold.items():
            self._meeting(path, part, port).holders[f"{path}.{port}"] = value
        self.x_dot |= {f"{path}.{name}": value for name, value in terms.der.items()}
        self.start |= {f"{path}.{name}": value for name, value in terms.start.items() if value is not None}
        self.clamp |= {f"{path}.{name}": bounds for name, bounds in terms.clamp.items()}
        self.fits |= {f"{path}.{name}": bounds for name, bounds in terms.fits.items()}
        declared = part.declaration().outputs
        for name, value in terms.out.items():
            if name in declared:
                unit = self.symbols.unit(path, declared[name].unit)
                self.outputs.append((Signal(f"{path}.{name}", unit, "output", declared[name].text), value))
        for account in ("supplied", "lost", "stored"):
            for name, value in getattr(terms.power, account).items():
                self.powers.append((Signal(join(path, name), "W", "power", account), account, value))
        for name, value in terms.energy.items():
            self.energies.append((Signal(join(path, name), "J", "energy", "stored energy"), value))

    def _meeting(self, path: str, part: Part, port: str) -> Meeting:
        if f"{path}.{port}" not in self.symbols.meeting_of:
            ports = part.declaration().ports
            raise DeclarationError(f"{path} ({type(part).__name__}) has no port {port!r}{nearest(port, ports)}")
        return self.symbols.meeting_of[f"{path}.{port}"]

    def _link_signals(self, floors: Mapping[str, Any]) -> None:
        """Inputs that an output, a state or what a port shares drives."""
        known = {card.name: symbol for role in "qvxz" for card, symbol in self.symbols.of(role)}
        known |= {name: ca.fmax(known[name], floor) for name, floor in floors.items()}
        known |= {card.name: value for card, value in self.outputs}
        inputs = {card.name: symbol for card, symbol in self.symbols.of("u")}
        for target, source in signal_links(self.machine).items():
            if source in known:
                value = known[source]
            else:
                port, _, name = source.rpartition(".")
                value = self.symbols.shared(self.symbols.meeting_of[port], name)
            self.symbols.definitions[target] = (inputs[target], value)

    # ------------------------------------------------------------------ flat

    def _flat(
        self,
        motion: Motion,
        moving: tuple[Any, Any, Any],
        clamps: dict[str, Any],
        floors: dict[str, Any],
        corrections: dict[str, Any],
        resolve: Resolve,
    ) -> Equations:
        s = self.symbols
        free = [
            (card, symbol, initial)
            for (card, symbol), initial in zip(s.of("u"), s.initial.get("u", []), strict=True)
            if card.name not in s.definitions
        ]
        names = [card.name for card in s.cards.get("x", [])]
        guards = [(join(path, name), value) for path, _, _, terms in self.terms for name, value in terms.guard.items()]
        samplers = self._samplers()
        delta, plus = motion.retraction()
        resolved = resolve(
            [
                *moving, plus, column([self.x_dot[name] for name in names], len(names)),
                column([self.capacity.get(name, 1.0) for name in names], len(names)), stack(motion.Phi),
                stack(value for _, value in self.outputs), stack(value for _, _, value in self.powers),
                stack(value for _, value in self.energies), stack(value for _, value in guards),
                *(sampler.next for sampler in samplers),
            ]
        )  # fmt: skip
        M, f, q_dot, plus, x_dot, capacity, Phi, values, powers, energies, guarded, *rest = resolved
        by_role: dict[str, Any] = {role: s.column(role) for role in ("q", "v", "x", "z", "p", "a", "lam")}
        by_role |= {f"{role}_signals": tuple(s.cards.get(role, [])) for role in ("q", "v", "x", "z", "p", "lam")}
        return Equations(
            name=self.machine.name, t=s.t, **by_role,
            u=stack(symbol for _, symbol, _ in free), q_dot=q_dot, delta=delta, q_plus=plus, M=M, f=f, x_dot=x_dot,
            capacity=capacity, Phi=Phi, outputs=values, powers=powers, energies=energies, guards=guarded,
            clamps=tuple((names.index(name), *bounds) for name, bounds in clamps.items()),
            floors=tuple((names.index(name), floor) for name, floor in floors.items()),
            torn=column([corrections.get(name, SX(1, 1)) for name in names], len(names)),
            samplers=tuple(Sampler(x.name, x.period, x.rows, new) for x, new in zip(samplers, rest, strict=True)),
            u_signals=tuple(card for card, _, _ in free), y_signals=tuple(card for card, _ in self.outputs),
            p_specs=tuple(s.tuned),
            power_signals=tuple(card for card, _, _ in self.powers), accounts=tuple(kind for _, kind, _ in self.powers),
            energy_signals=tuple(card for card, _ in self.energies),
            guard_signals=tuple(Signal(name, "-", "guard", "must stay positive") for name, _ in guards),
            **self._start_values(), u_0=np.array([initial for *_, initial in free], dtype=float),
            loops=self.loops, aliases=aliases(s) | self.machine.aliases, places=dict(self.machine.places),
        )  # fmt: skip

    def _samplers(self) -> list[Sampler]:
        rows = {card.name: row for row, card in enumerate(self.symbols.cards.get("z", []))}
        samplers = []
        for path, part, _, terms in self.terms:
            if terms.next and part.samples is None:
                raise DeclarationError(
                    f"{path} ({type(part).__name__}) has sampled states but names no period in `samples`"
                )
            if terms.next and part.samples is not None:
                mine = tuple(rows[f"{path}.{name}"] for name in terms.next)
                new = column(list(terms.next.values()), len(mine))
                samplers.append(Sampler(path, float(getattr(part, part.samples)), mine, new))
        return samplers

    def _start_values(self) -> dict[str, Any]:
        """q_0, v_0, ...: the declarations', then the parts' `start`, then the machine's `start`."""
        places, values = {}, {}
        for role in "qvxzp":
            cards = self.symbols.cards.get(role, [])
            places |= {card.name: (role, row) for row, card in enumerate(cards)}
            numbers = list(self.symbols.initial.get(role, []))
            if role != "p":
                numbers = [
                    number(self.start.get(card.name, initial)) for card, initial in zip(cards, numbers, strict=True)
                ]
            values[role] = np.array(numbers, dtype=float)
        second = aliases(self.symbols) | self.machine.aliases
        for path, value in self.machine.start.items():
            name = second.get(path, path)
            if name not in places:
                raise DeclarationError(f"{self.machine.name}.start: {path!r} is no state{nearest(path, places)}")
            role, row = places[name]
            values[role][row] = float(value)
        return {f"{role}_0": numbers for role, numbers in values.items()}
