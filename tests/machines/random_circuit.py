"""Random circuits: parts drawn by lot, ports joined by lot, numbers of the size that machines have."""

import math
import random

from oleodyn.fluids.oil import Oil
from oleodyn.friction.bengisu_akay import BengisuAkay
from oleodyn.friction.brown_mcphee import BrownMcPhee
from oleodyn.friction.coulomb_viscous import CoulombViscous
from oleodyn.friction.lugre import LuGre
from oleodyn.friction.modified_lugre import ModifiedLuGre
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.accumulator import Accumulator
from oleodyn.hydraulics.check_valve import CheckValve, MakeUpValve, PilotedCheckValve, ShuttleValve
from oleodyn.hydraulics.counterbalance_valve import CounterbalanceValve
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import OpenCentreValve43, ProportionalValve43, VoltageValve43
from oleodyn.hydraulics.edge import LinearisedEdge, SmoothEdge
from oleodyn.hydraulics.leakage import LaminarLeak, RootLeak
from oleodyn.hydraulics.line import Hose, InertialHose, Pipe
from oleodyn.hydraulics.motor import GearMotor, ScrewMotor
from oleodyn.hydraulics.node import Plug, Volume
from oleodyn.hydraulics.orifice import Orifice
from oleodyn.hydraulics.plunger import Plunger
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.pressure_valve import PressureCompensator, ReducingValve, ReliefValve
from oleodyn.hydraulics.prime_mover import PrimeMover
from oleodyn.hydraulics.pump import FixedPump, LoadSensingPump, PressurePump, VariablePump
from oleodyn.hydraulics.resistance import Filter, Resistance
from oleodyn.hydraulics.rotary_actuator import RotaryActuator
from oleodyn.hydraulics.servo_valve import ServoValve43
from oleodyn.hydraulics.spool import FirstOrderSpool, InstantSpool, SecondOrderSpool
from oleodyn.hydraulics.stroke_end import Cushion
from oleodyn.hydraulics.supply import ConstantPressure, FlowSource
from oleodyn.hydraulics.tank import Tank
from oleodyn.hydraulics.throttle import Throttle, VariableThrottle
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.inertia import Inertia, Mass
from oleodyn.mechanics.port import LinePort, RotationPort
from oleodyn.mechanics.source import ForceSource, TorqueSource
from oleodyn.simulation.path import Steps
from oleodyn.units import bar, cm3, cm3_per_rev, l_per_min, litre, mm


class Lot:
    """Numbers and choices by lot."""

    def __init__(self, seed: int):
        self.chance = random.Random(seed)

    def size(self, low, high):
        """A number with as much chance in every decade."""
        return math.exp(self.chance.uniform(math.log(low), math.log(high)))

    def pick(self, *choices):
        return self.chance.choice(choices)()

    def maybe(self, make):
        return make() if self.chance.random() < 0.4 else None


def oil(lot):
    share = lot.size(1e-4, 0.01)
    return lot.pick(Oil, lambda: Oil(air=share), lambda: Oil(K=lot.size(0.7e9, 2e9)))


def edge(lot):
    return lot.pick(SmoothEdge, LinearisedEdge, lambda: SmoothEdge(dp_lam=lot.size(100.0, 1 * bar)))


def spool(lot):
    return lot.pick(
        InstantSpool,
        lambda: FirstOrderSpool(tau=lot.size(2e-3, 0.1)),
        lambda: SecondOrderSpool(w=lot.size(50, 600), zeta=lot.size(0.4, 1.2)),
    )


def leak(lot):
    return lot.pick(lambda: LaminarLeak(G=lot.size(1e-14, 1e-11)), lambda: RootLeak(C=lot.size(1e-11, 1e-9)))


def friction(lot, F=300.0):
    """A law of any kind, its largest force about F (N or N·m)."""
    F_c = lot.size(0.3 * F, F)
    F_s, v_s = F_c * lot.size(1.0, 3.0), lot.size(1e-3, 5e-2)
    dry = dict(F_c=F_c, F_s=F_s, v_s=v_s, sigma_2=lot.size(0.1, 3) * F)
    bristles = dict(sigma_0=lot.size(1e3, 3e4) * F, sigma_1=lot.size(1, 30) * F)
    return lot.pick(
        lambda: Viscous(c=lot.size(0.1, 100) * F),
        lambda: CoulombViscous(F_c=F_c, c=F),
        lambda: BengisuAkay(**dry, xi=lot.size(1, 100)),
        lambda: BrownMcPhee(**dry),
        lambda: LuGre(**dry, **bristles),
        lambda: ModifiedLuGre(**dry, **bristles, v_b=1.0, tau_hp=0.2, tau_hn=1.0, tau_h0=20.0),
    )


def flow(lot):
    return lot.size(3, 120) * l_per_min


def cylinder(lot):
    d_bore, stroke = lot.size(25 * mm, 160 * mm), lot.size(0.05, 1.5)
    dead = math.pi / 4 * d_bore**2 * lot.size(20, 100) * mm  # enough for the stop to bring the mass to rest
    return Cylinder(
        d_bore=d_bore, d_rod=d_bore * lot.size(0.3, 0.8), stroke=stroke, length_0=0.5, V_A_dead=dead,
        V_B_dead=dead, eta=lot.maybe(lambda: 0.95), oil=oil(lot), leak=lot.maybe(lambda: leak(lot)),
        friction=lot.maybe(lambda: friction(lot)), cushion=lot.maybe(lambda: Cushion(length=0.1 * stroke, C=1e-7)),
    )  # fmt: skip


def gear_motor(lot):
    return GearMotor(
        D=lot.size(10, 200) * cm3_per_rev, ratio=lot.size(1, 100), eta=0.85, J=lot.size(1e-4, 1e-2), oil=oil(lot),
        leak=lot.maybe(lambda: leak(lot)), friction=lot.maybe(lambda: friction(lot, 50.0)),
    )  # fmt: skip


def effort(part):
    """Force or torque of an actuator at 100 bar."""
    if isinstance(part, Cylinder):
        return 100 * bar * math.pi / 4 * part.d_bore**2
    if isinstance(part, Plunger):
        return 100 * bar * math.pi / 4 * part.d**2
    n = 2 * math.pi / part.lead if isinstance(part, ScrewMotor) else getattr(part, "ratio", 1.0)
    return 100 * bar * n * part.D


PARTS = [
    lambda lot: Orifice(C=lot.size(1e-9, 1e-6), edge=edge(lot)),
    lambda lot: Throttle(area=lot.size(1e-7, 1e-4), edge=edge(lot)),
    lambda lot: VariableThrottle(area=lot.size(1e-7, 1e-4), edge=edge(lot)),
    lambda lot: Resistance(R=lot.size(1e7, 1e11), R_2=lot.size(1e9, 1e13)),
    lambda lot: Filter(Q_nom=flow(lot)),
    lambda lot: CheckValve(Q_nom=flow(lot), edge=edge(lot)),
    lambda lot: PilotedCheckValve(Q_nom=flow(lot)),
    lambda lot: ShuttleValve(Q_nom=flow(lot)),
    lambda lot: MakeUpValve(G=lot.size(1e-10, 1e-8)),
    lambda lot: ReliefValve(p_set=lot.size(20, 300) * bar, Q_nom=flow(lot), spool=spool(lot)),
    lambda lot: ReducingValve(p_set=lot.size(10, 100) * bar, Q_nom=flow(lot)),
    lambda lot: PressureCompensator(Q_nom=flow(lot), spool=spool(lot)),
    lambda lot: CounterbalanceValve(p_set=lot.size(100, 300) * bar, Q_nom=flow(lot), spool=spool(lot)),
    lambda lot: ProportionalValve43(Q_nom=flow(lot), overlap=lot.size(1e-3, 0.2), spool=spool(lot), edge=edge(lot)),
    lambda lot: OpenCentreValve43(Q_nom=flow(lot), spool=spool(lot), edge=edge(lot)),
    lambda lot: VoltageValve43(**{f"C_{e}": lot.size(3e-9, 1e-7) for e in ("PA", "BT", "PB", "AT")}, spool=spool(lot)),
    lambda lot: ServoValve43(C_d=lot.size(1e-4, 2e-3), edge=edge(lot)),
    lambda lot: InertialHose(length=lot.size(0.5, 10), d=lot.size(6, 25) * mm, R=lot.size(1e7, 1e9), oil=oil(lot)),
    lambda lot: Pipe(length=lot.size(0.5, 10), d=lot.size(6, 25) * mm, oil=oil(lot)),
    lambda lot: Hose(volume=lot.size(0.05, 2) * litre, oil=oil(lot)),
    lambda lot: Accumulator(V_gas=lot.size(0.3, 10) * litre, p_pre=lot.size(5, 150) * bar),
    lambda lot: FlowSource(Q_nom=flow(lot)),
    lambda lot: FixedPump(D=lot.size(5, 100) * cm3_per_rev, leak=lot.maybe(lambda: leak(lot))),
    lambda lot: VariablePump(D=lot.size(5, 100) * cm3_per_rev),
    lambda lot: PressurePump(D=lot.size(5, 100) * cm3_per_rev, p_set=lot.size(50, 250) * bar, spool=spool(lot)),
    lambda lot: LoadSensingPump(D=lot.size(5, 100) * cm3_per_rev, p_max=250 * bar),
    cylinder,
    cylinder,
    cylinder,
    lambda lot: Plunger(
        d=lot.size(20, 120) * mm,
        stroke=lot.size(0.05, 1),
        length_0=0.5,
        V_dead=0.3 * litre,
        friction=lot.maybe(lambda: friction(lot)),
    ),
    lambda lot: RotaryActuator(D=lot.size(50, 1000) * 1e-6, eta=0.9, leak=lot.maybe(lambda: leak(lot))),
    gear_motor,
    lambda lot: ScrewMotor(D=lot.size(5, 60) * cm3_per_rev, lead=lot.size(3, 30) * mm, J=1e-4, oil=oil(lot)),
]


class RandomCircuit:
    """3 to 12 parts that a pump or a held pressure feeds; loads and steps of every input with it.

    machine, inputs     what to simulate
    """

    def __init__(self, seed: int):
        self.lot = Lot(seed)
        self.machine = Machine(f"circuit {seed}")
        self.nodes: list[list[str]] = []
        self.inputs: dict[str, Steps] = {}
        self.loads, self.held = 0, 2
        self._add("tank", Tank())
        self._add("supply", ConstantPressure(p=self.lot.size(20, 300) * bar))
        self.most = self.lot.chance.randint(3, 12)
        while self._count() < self.most:
            self._add(f"part_{len(self.machine.parts)}", self.lot.chance.choice(PARTS)(self.lot))
        for k in self._bare():
            self._add(f"oil_{k}", Volume(volume=self.lot.size(0.02, 1) * litre, oil=oil(self.lot)), node=k)
        for k, ends in enumerate(self.nodes):
            if len(ends) == 1 and k >= self.held:
                self._add(f"plug_{k}", Plug(volume=self.lot.size(1, 50) * cm3), node=k)
            if len(ends) > 1:
                self.machine.connect(*ends)
        self._drive()

    def _add(self, name, part, node=None):
        """Add a part, join each of its ports to an old node or a new one, and give it its load."""
        self.machine.add(name, part)
        for port, declared in part.declaration().ports.items():
            if isinstance(declared, HydraulicPort) and not declared.optional:
                self._join(f"{name}.{port}", node, holds=isinstance(part, Tank | ConstantPressure))
            elif isinstance(declared, LinePort):
                travel = getattr(part, "stroke", 0.0) * self.lot.chance.random()
                mass = Mass(m=effort(part) / self.lot.size(2, 200), s_0=0.5 + travel)
                self._load(f"{name}.{port}", mass, ForceSource())
            elif isinstance(declared, RotationPort) and name.startswith("part") and hasattr(part, "c"):
                self._load(f"{name}.{port}", PrimeMover())
            elif isinstance(declared, RotationPort):
                self._load(f"{name}.{port}", Inertia(I=effort(part) / self.lot.size(2, 200)), TorqueSource())

    def _join(self, end, node, holds):
        new = len(self.nodes)
        if node is None:
            may = holds or (self.lot.chance.random() < 0.35 and self._count() < self.most)
            node = new if may else self.lot.chance.randrange(new)
        if node == new:
            self.nodes.append([])
        self.nodes[node].append(end)

    def _load(self, end, *loads):
        """What hangs on a rod or a shaft, beside the parts that are counted."""
        name = end.partition(".")[0]
        ends = [end]
        for load in loads:
            (port,) = load.declaration().ports
            self.machine.add(f"{name}_{type(load).__name__.lower()}", load)
            self.loads += 1
            ends.append(f"{name}_{type(load).__name__.lower()}.{port}")
        self.machine.connect(*ends)

    def _count(self):
        """Parts without their loads, with the volumes and plugs that are still to come."""
        lonely = {k for k in range(self.held, len(self.nodes)) if len(self.nodes[k]) == 1}
        return len(self.machine.parts) - self.loads + len(lonely.union(self._bare()))

    def _bare(self):
        """Nodes that no part gives a pressure."""
        return [k for k in range(self.held, len(self.nodes)) if not any(self._stores(end) for end in self.nodes[k])]

    def _stores(self, end):
        name, _, port = end.partition(".")
        part = self.machine.parts[name]
        storing = (
            Volume
            | Plug
            | Accumulator
            | InertialHose
            | Pipe
            | Cylinder
            | Plunger
            | RotaryActuator
            | GearMotor
            | ScrewMotor
        )
        return isinstance(part, storing) and port != "D"

    def _drive(self):
        """Three steps of every input, within its range."""
        for name, part in self.machine.parts.items():
            for signal, declared in part.declaration().inputs.items():
                low, high = declared.within or (-1.0, 1.0)
                if isinstance(part, ForceSource | TorqueSource):
                    high = 0.5 * effort(self.machine.parts[name.rpartition("_")[0]])
                    low = -high
                elif isinstance(part, PrimeMover | FlowSource):
                    low, high = 0.0, 1.2
                times = sorted(self.lot.chance.uniform(0.0, 0.8) for _ in range(3))
                values = [self.lot.chance.uniform(low, high) for _ in range(3)]
                self.inputs[f"{name}.{signal}"] = Steps(times=times, values=values)
