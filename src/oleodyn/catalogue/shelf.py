"""The shelf: every name a machine file or the command line may use, imported when first taken."""

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from oleodyn.errors import DeclarationError
from oleodyn.machine.file import load as load_file
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import nearest

TYPES = {
    "mechanics.mechanism": "Mechanism",
    "mechanics.body": "Body",
    "mechanics.joint": "Fixed Revolute Prismatic Cylindrical Universal Spherical Floating",
    "mechanics.frame": "Frame Line",
    "mechanics.inertia": "Inertia Mass",
    "mechanics.source": "ForceSource TorqueSource WrenchSource",
    "mechanics.spring": "SpringDamper TorsionSpringDamper",
    "mechanics.loop": "Distance Drive Motion",
    "mechanics.stop": "LineStop RotationStop",
    "friction.stribeck": "ExponentialStribeck",
    "friction.viscous": "Viscous",
    "friction.coulomb_viscous": "CoulombViscous",
    "friction.bengisu_akay": "BengisuAkay",
    "friction.brown_mcphee": "BrownMcPhee",
    "friction.lugre": "LuGre",
    "friction.modified_lugre": "ModifiedLuGre",
    "friction.rubbing": "LineFriction ShaftFriction",
    "contact.chip": "NominalFeed FeedFromMotion",
    "contact.saw": "Saw",
    "control.pid": "PID",
    "fluids.oil": "Oil",
    "catalogue.oils": "ISO_VG_32 ISO_VG_46 ISO_VG_68",
    "hydraulics.accumulator": "Accumulator",
    "hydraulics.check_valve": "CheckValve PilotedCheckValve ShuttleValve MakeUpValve",
    "hydraulics.counterbalance_valve": "CounterbalanceValve",
    "hydraulics.cylinder": "Cylinder",
    "hydraulics.directional_valve": "ProportionalValve43 OpenCentreValve43 VoltageValve43",
    "hydraulics.edge": "SmoothEdge LinearisedEdge",
    "hydraulics.efficiency": "QuadrantEfficiency PublishedEfficiency",
    "hydraulics.hose_valve": "HoseValve43",
    "hydraulics.leakage": "LaminarLeak GapLeak RootLeak",
    "hydraulics.line": "Hose InertialHose Pipe",
    "hydraulics.motor": "GearMotor ScrewMotor",
    "hydraulics.node": "Volume Plug",
    "hydraulics.orifice": "Orifice",
    "hydraulics.plunger": "Plunger",
    "hydraulics.pressure_valve": "ReliefValve ReducingValve PressureCompensator",
    "hydraulics.prime_mover": "PrimeMover",
    "hydraulics.pump": "FixedPump VariablePump PressurePump LoadSensingPump",
    "hydraulics.resistance": "Resistance Filter",
    "hydraulics.restricted_actuator": "RestrictedMotor RestrictedCylinder",
    "hydraulics.rotary_actuator": "RotaryActuator",
    "hydraulics.servo_valve": "ServoValve43",
    "hydraulics.spool": "InstantSpool FirstOrderSpool SecondOrderSpool",
    "hydraulics.stroke_end": "EndStop Cushion",
    "hydraulics.supply": "ConstantPressure LoadSensingSupply FlowSource",
    "hydraulics.tank": "Tank",
    "hydraulics.throttle": "Throttle VariableThrottle",
    "kinematics.follow": "JointReference",
    "kinematics.parallel_axes": "ParallelAxes6R",
    "kinematics.path": "CirclePath StraightPath WaypointPath",
    "kinematics.progress": "SteadyProgress CruiseProgress QuinticProgress",
    "kinematics.sliding_boom": "SlidingBoomArm",
    "simulation.scenario": "Scenario",
    "simulation.signal": "Constant Sum Product",
    "simulation.path": "Steps Ramp Table Spline Quintic",
    "simulation.wave": "Sine Chirp Pulse",
}
"""module below oleodyn → the classes and ready parts it has"""

MACHINES = {
    "rigid-arm": "oleodyn.catalogue.rigid_arm",
    "pipe-cutter": "oleodyn.catalogue.pipe_cutter",
    "hydm": "oleodyn.catalogue.hydm",
    "four-bar": "oleodyn.catalogue.four_bar",
    "valve-bench": "oleodyn.catalogue.valve_bench",
    "quick-return": "oleodyn.catalogue.quick_return",
    "four-bar-friction": "oleodyn.catalogue.four_bar_friction",
    "loader-crane": "oleodyn.catalogue.loader_crane",
    "andrews": "oleodyn.catalogue.andrews",
    "bricard": "oleodyn.catalogue.bricard",
    "flyball-governor": "oleodyn.catalogue.flyball_governor",
}
"""machine name → the module whose `machine()` makes it"""


class Shelf(Mapping[str, Any]):
    """Names and what they stand for, imported on first use; `|` adds or replaces entries."""

    def __init__(self, places: Mapping[str, Any]):
        self._places = dict(places)

    def __getitem__(self, name: str) -> Any:
        place = self._places[name]
        if isinstance(place, str):
            module, _, item = place.partition(":")
            place = self._places[name] = getattr(import_module(module), item)
        return place

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __or__(self, more: Mapping[str, Any]) -> "Shelf":
        return Shelf({**self._places, **more})


SHELF = Shelf({name: f"oleodyn.{module}:{name}" for module, names in TYPES.items() for name in names.split()})
"""Every type that machine files know; users add their own: SHELF | {"MyValve": MyValve}."""


def variants(name: str) -> dict[str, Machine]:
    """Relatives of a catalogue machine, by what sets them apart, to be compared with it."""
    made = getattr(import_module(MACHINES[name]), "variants", dict) if name in MACHINES else dict
    return made()


def load(name: str | os.PathLike[str], shelf: Mapping[str, Any] = SHELF) -> Machine:
    """A machine by its catalogue name, or from a machine file (.yaml) or a robot file (.urdf)."""
    if not isinstance(name, str | os.PathLike):
        raise DeclarationError(f"load({name!r}): give the name of a machine or of a file")
    text = os.fspath(name)
    if text in MACHINES:
        return machine(text)
    path = Path(text)
    if "\n" not in text and path.is_dir():
        raise DeclarationError(f"{text} is a folder. Give a machine file inside it, or one of {', '.join(MACHINES)}.")
    if path.suffix in (".urdf", ".xml"):
        return _from_urdf(path)
    if path.suffix in (".yaml", ".yml") or "\n" in text or path.exists():
        return load_file(name, shelf)
    raise DeclarationError(
        f"there is no machine {text!r}{nearest(text, MACHINES)}, and no such file. "
        f"Machines are {', '.join(MACHINES)}; files end in .yaml or .urdf."
    )


def machine(name: str) -> Machine:
    """A machine of the catalogue."""
    return import_module(MACHINES[name]).machine()


def _from_urdf(path: Path) -> Machine:
    from oleodyn.friction.coulomb_viscous import CoulombViscous
    from oleodyn.friction.rubbing import LineFriction, ShaftFriction
    from oleodyn.mechanics.joint import Prismatic
    from oleodyn.mechanics.urdf import load_urdf, urdf_friction

    rubbing = urdf_friction(path)
    mechanism = load_urdf(path, ignore=["friction"] if rubbing else ())
    built = Machine(path.stem, text=f"imported from {path.name}")
    built.add("mechanism", mechanism, place=str(path))
    for joint, F_c in rubbing.items():
        slides = isinstance(mechanism.joints[joint], Prismatic)
        law = CoulombViscous(F_c=F_c)
        built.add(f"{joint}_friction", (LineFriction if slides else ShaftFriction)(law=law), place=str(path))
        built.connect(f"mechanism.{joint}", f"{joint}_friction.{'rod' if slides else 'shaft'}")
    return built
