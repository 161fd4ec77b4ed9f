"""The rooms of the house and the doors between them. These two tables are the architecture.

Physics never imports the corridor, the corridor never imports physics; they meet in `machine/`.
In the corridor (machine, equations, program, simulation) each room sees only those before it.
"""

import ast
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "oleodyn"

GROUND = ("errors", "units")
PHYSICS = ("fluids", "friction", "mechanics", "hydraulics", "contact", "terrain", "control")
CORRIDOR = ("machine", "equations", "program", "simulation", "result")
PHYSICS_SEES = (*GROUND, "maths", "machine.part", "machine.port", *PHYSICS)
ALL = (*GROUND, "maths", *CORRIDOR, *PHYSICS, "kinematics", "estimation", "catalogue", "studies")

# room → what it may import of ours. The longest name that fits a module is its room.
ROOMS: dict[str, tuple[str, ...]] = {
    "errors": (),
    "units": ("errors", "units"),
    "maths": (),
    # the corridor, walked in this order
    "machine": (*GROUND, "machine"),
    "equations": (*GROUND, "maths", "machine", "equations"),
    "program": (*GROUND, "maths", "machine", "equations", "program"),
    "simulation": (*GROUND, "machine", "equations", "program", "simulation", "result"),
    "simulation.scenario": (*GROUND, "machine", "simulation.signal"),
    "simulation.steppers": (*GROUND, "maths", "machine.part", "equations", "program", "simulation.steppers"),
    "result": (*GROUND, "result"),
    # the physics
    **{room: PHYSICS_SEES for room in PHYSICS},
    "mechanics.urdf": (*PHYSICS_SEES, "machine"),
    # side rooms, the shelves and the doors
    "kinematics": (*GROUND, "maths", *CORRIDOR, *PHYSICS, "kinematics"),
    "estimation": (*GROUND, "maths", *CORRIDOR, *PHYSICS, "kinematics", "estimation"),
    "catalogue": (*GROUND, "maths", *CORRIDOR, *PHYSICS, "kinematics", "catalogue"),
    "studies": ALL,
    "cockpit": (*ALL, "cockpit"),
    "cli": (*ALL, "cockpit", "cli"),
}


@dataclass(frozen=True)
class Library:
    """Who may import a library at all, and who already when the module is loaded."""

    within: tuple[str, ...]
    at_load: tuple[str, ...] = ()


SYMBOLIC = ("maths", "equations", "program", "simulation.steppers", "kinematics", "estimation")
NOT_PHYSICS = ("units", *CORRIDOR, "catalogue", "studies", "cockpit", "cli")
LIBRARIES: dict[str, Library] = {
    "numpy": Library(
        within=("maths", *PHYSICS, *NOT_PHYSICS, *SYMBOLIC),
        at_load=("maths", *CORRIDOR, *PHYSICS, *SYMBOLIC, "catalogue", "studies"),
    ),
    "casadi": Library(within=SYMBOLIC, at_load=SYMBOLIC),
    "llvmlite": Library(within=("program",), at_load=("program",)),
    "typer": Library(within=("cli",), at_load=("cli",)),
    "rich": Library(within=("cli", "simulation"), at_load=("cli",)),
    "pint": Library(within=("units",)),
    "ruamel": Library(within=("machine",)),
    "xarray": Library(within=("result", "simulation", "studies")),
    "h5netcdf": Library(within=("result", "simulation")),
    "matplotlib": Library(within=("result", "studies", "kinematics", "cli")),
}


@dataclass(frozen=True)
class Import:
    """One import statement: what is imported where, and whether loading the module executes it."""

    module: str
    line: int
    target: str
    at_load: bool


def imports(source: str, module: str, package: bool = False):
    """Every import of a module, relative ones resolved."""
    tree = ast.parse(source)
    lazy = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or is_for_checkers(outer)
        for node in ast.walk(outer)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                parts = parts[: len(parts) - node.level + package]
                base = ".".join([*parts, base]).rstrip(".")
            targets = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for target in targets:
            yield Import(module, node.lineno, target, at_load=id(node) not in lazy)


def is_for_checkers(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def within(name, rooms):
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def broken(found: Import, modules, standard):
    """What is wrong with an import, or None."""
    inside = found.module.removeprefix("oleodyn.")
    row = max((room for room in ROOMS if within(inside, [room])), key=len, default=None)
    if row is None:
        return "is in no room of the table"
    first, _, rest = found.target.partition(".")
    if first == "oleodyn":
        if not any(within(found.target, [module]) for module in modules - {"oleodyn"}):
            return f"imports the package itself ({found.target}); import the module that holds the name"
        return (
            None if within(rest, ROOMS[row]) else f"may not see {rest}; {row} sees {', '.join(ROOMS[row]) or 'nothing'}"
        )
    if first in standard:
        return None
    library = LIBRARIES.get(first)
    if library is None:
        return f"imports {first}, which is not in the table of libraries"
    if not within(inside, library.within):
        return f"may not import {first}; only {', '.join(library.within)} may"
    if found.at_load and not within(inside, library.at_load):
        return f"imports {first} when it is loaded; import it inside the function that uses it"
    return None


def violations(source: Path):
    """All broken rules of a source tree, as file:line and sentence."""
    files = {}
    for file in sorted(source.rglob("*.py")):
        parts = ("oleodyn", *file.relative_to(source).with_suffix("").parts)
        files[file] = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    modules = set(files.values())
    for file, module in files.items():
        if module == "oleodyn":  # the table of public names, which test_public_names.py watches
            continue
        for found in imports(file.read_text(encoding="utf-8"), module, package=file.name == "__init__.py"):
            sentence = broken(found, modules, sys.stdlib_module_names)
            if sentence:
                yield f"{file.relative_to(source)}:{found.line}: {module.removeprefix('oleodyn.')} {sentence}"


def test_every_import_goes_through_a_door():
    found = list(violations(SOURCE))
    assert not found, "\n" + "\n".join(found)


def test_every_room_that_exists_is_in_the_table():
    rooms = {path.stem for path in SOURCE.iterdir() if path.is_dir() or path.suffix == ".py"} - {
        "__init__",
        "__pycache__",
    }
    assert rooms <= set(ROOMS)


def test_corridor_and_physics_are_strangers():
    for room in CORRIDOR:
        assert not set(ROOMS[room]) & set(PHYSICS)
    for room in PHYSICS:
        assert not {seen.partition(".")[0] for seen in ROOMS[room]} & set(CORRIDOR[1:])


PLANTED = {
    "physics sees the corridor": (
        "friction/lugre.py",
        "from oleodyn.equations.assemble import assemble",
        "may not see equations",
    ),
    "physics sees machines": (
        "friction/lugre.py",
        "from oleodyn.machine.machine import Machine",
        "may not see machine.machine",
    ),
    "corridor sees physics": ("equations/assemble.py", "import oleodyn.friction.lugre", "may not see friction.lugre"),
    "a later room": (
        "equations/assemble.py",
        "from oleodyn.program.compile import compile",
        "may not see program.compile",
    ),
    "a later room for its type": (
        "equations/assemble.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from oleodyn.program.compile import compile",
        "may not see program.compile",
    ),
    "inside a function": (
        "friction/lugre.py",
        "def f():\n    from oleodyn.equations import assemble",
        "may not see equations.assemble",
    ),
    "a relative import": (
        "friction/lugre.py",
        "from ..equations.assemble import assemble",
        "may not see equations.assemble",
    ),
    "a result knows its run": (
        "result/result.py",
        "from oleodyn.simulation.run import run",
        "may not see simulation.run",
    ),
    "CasADi in physics": ("friction/lugre.py", "def f():\n    import casadi as ca", "may not import casadi"),
    "CasADi in a run": ("simulation/run.py", "import casadi", "may not import casadi"),
    "xarray at load": ("result/result.py", "import xarray as xr", "imports xarray when it is loaded"),
    "pint in a class body": ("units.py", "class A:\n    import pint", "imports pint when it is loaded"),
    "an unknown library": ("result/result.py", "def f():\n    import pandas", "not in the table of libraries"),
    "the package itself": ("equations/assemble.py", "import oleodyn as od", "imports the package itself"),
    "a public name": ("equations/assemble.py", "from oleodyn import Machine", "imports the package itself"),
    "no room": ("misc.py", "import math", "is in no room"),
}


@pytest.mark.parametrize(("file", "text", "sentence"), PLANTED.values(), ids=PLANTED)
def test_a_wrong_door_is_found(tmp_path, file, text, sentence):
    for name in (
        "__init__",
        "friction/lugre",
        "equations/assemble",
        "program/compile",
        "simulation/run",
        "machine/machine",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").touch()
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text)
    assert [sentence in line for line in violations(tmp_path)] == [True]


ALLOWED = {
    "physics": (
        "friction/lugre.py",
        "from oleodyn.machine.part import Part\nfrom oleodyn.maths import exp\nimport math",
    ),
    "a sibling": ("hydraulics/cylinder.py", "from ..friction.lugre import LuGre"),
    "lazy": ("result/result.py", "def f():\n    import xarray as xr"),
    "for checkers": ("result/result.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import xarray"),
    "urdf": ("mechanics/urdf.py", "from oleodyn.machine.machine import Machine"),
}


@pytest.mark.parametrize(("file", "text"), ALLOWED.values(), ids=ALLOWED)
def test_a_right_door_is_open(tmp_path, file, text):
    for name in ("__init__", "friction/lugre", "machine/machine", "machine/part", "maths", file[:-3]):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").touch()
    (tmp_path / file).write_text(text)
    assert list(violations(tmp_path)) == []
