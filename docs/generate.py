"""Pages made while the docs are built: one for every part, the public names, the table of rooms.

MkDocs calls the `on_...` functions (mkdocs.yml names this file under `hooks`). What they write
stands in docstrings and declarations only, six lines above the code it describes.
"""

import ast
import importlib
import inspect
import math
import pkgutil
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import oleodyn
from oleodyn.machine.part import Ingredient, Parameter, Part, Structure
from oleodyn.result.circuit.symbol_picture import symbol_picture
from oleodyn.result.circuit.symbols import symbol_of

sys.path.insert(0, str(Path(__file__).parent))
from law_plots import law_plot

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))
ROOMS = {
    "fluids": "Fluids",
    "friction": "Friction",
    "mechanics": "Mechanics",
    "hydraulics": "Hydraulics",
    "contact": "Contact",
    "terrain": "Terrain",
    "control": "Control",
}


# ------------------------------------------------------------------ what there is to describe


def modules(room: str) -> list[ModuleType]:
    """The modules of a room, in the order of their names."""
    if not (ROOT / "src" / "oleodyn" / room / "__init__.py").exists():
        return []
    package = importlib.import_module(f"oleodyn.{room}")
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [importlib.import_module(module.name) for module in found]


def own(module: ModuleType, kind: Any) -> dict[str, Any]:
    """Public things that a module defines itself, in the order they stand in it."""
    values = {name: value for name, value in vars(module).items() if kind(value) and not name.startswith("_")}
    return {name: value for name, value in values.items() if value.__module__ == module.__name__}


def parts(module: ModuleType) -> dict[str, type[Part]]:
    """The parts that a module defines."""
    return own(module, lambda value: inspect.isclass(value) and issubclass(value, Part))


# ------------------------------------------------------------------ pages


def part_page(name: str, part: type[Part], module: ModuleType) -> str:
    """Docstring and declarations of a part, and the laws of its file."""
    declared = part._declared
    lines = [f"# {name}", "", *symbol(name, part), *prose(inspect.getdoc(part) or ""), f"`{module.__name__}`", ""]
    fields = part.fields.items()
    lines += table(
        "Parameters",
        ("name", "unit", "meaning", "default", "bounds"),
        [(n, unit(s), s.text, default(part, n), bounds(s)) for n, s in fields if isinstance(s, Parameter)],
    )
    lines += table(
        "Structure",
        ("name", "meaning", "default"),
        [(n, s.text, default(part, n)) for n, s in fields if isinstance(s, Structure)],
    )
    lines += table(
        "Holds",
        ("name", "what", "default"),
        [(n, s.text + (" (any number)" * s.many), default(part, n)) for n, s in fields if isinstance(s, Ingredient)],
    )
    lines += table(
        "Ports",
        ("name", "meaning", "shared", "exchanged"),
        [(n, p.text, quantities(p.across), quantities(p.through)) for n, p in declared.ports.items()],
    )
    for title, signals in (("Inputs", declared.inputs), ("States", declared.states), ("Outputs", declared.outputs)):
        lines += table(title, ("name", "unit", "meaning"), [(n, unit(s), s.text) for n, s in signals.items()])
    lines += table("Exceptions to the contract", ("rule", "reason"), list(part.exceptions.items()))
    return "\n".join(lines + laws(module))


def prose(docstring: str) -> list[str]:
    """A docstring paragraph by paragraph: columns of equations and examples stay as they were typed."""
    lines: list[str] = []
    for paragraph in docstring.split("\n\n"):
        typed = re.search(r"\S {2,}\S|^ {2,}\S|^>>>", paragraph, re.MULTILINE)
        lines += ["```text", paragraph.strip("\n"), "```", ""] if typed else [paragraph.strip(), ""]
    return [*"\n".join(lines).replace("\n```\n\n```text\n", "\n\n").splitlines(), ""]


def symbol(name: str, part: type[Part]) -> list[str]:
    """The symbol of ISO 1219 that circuit drawings use, if there is one."""
    made = symbol_of([one.__name__ for one in part.__mro__])
    if made is None:
        return []
    _pictures[f"assets/symbols/{name}.svg"] = symbol_picture(made, name)
    return [f"![symbol](../../assets/symbols/{name}.svg)", ""]


def plot(name: str, law: Any, module: ModuleType) -> list[str]:
    """The curve of a law, if it has one."""
    made = law_plot(name, law, module)
    if made is None:
        return []
    _pictures[f"assets/laws/{name}.svg"] = made
    return [f"![{name}](../../assets/laws/{name}.svg)", ""]


def laws(module: ModuleType) -> list[str]:
    """The pure functions of a file with their docstrings and curves."""
    lines: list[str] = []
    for name, law in own(module, inspect.isfunction).items():
        doc = inspect.getdoc(law) or ""
        lines += [f"### {name}", "", "```python", f"{name}{inspect.signature(law)}", "```", "", *prose(doc)]
        lines += plot(name, law, module)
    return ["## Laws", "", *lines] if lines else []


def table(title: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """A section with a table, or nothing if there are no rows."""
    if not rows:
        return []
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [columns, ["---"] * len(columns), *([f"`{row[0]}`", *row[1:]] for row in cells)]
    return [f"## {title}", "", *(f"| {' | '.join(line)} |" for line in lines), ""]


def default(part: type[Part], name: str) -> str:
    """The default of a field as one would type it; a required one has none."""
    field = part.__dataclass_fields__[name]
    missing = type(field.default).__name__ == "_MISSING_TYPE"
    if missing:
        return "" if type(field.default_factory).__name__ == "_MISSING_TYPE" else "none"
    if field.default is None:
        return "none"
    return re.sub(r"\b\d+\.\d+(e-?\d+)?\b", lambda number: f"{float(number[0]):g}", str(field.default))


def unit(spec: Any) -> str:
    """The unit, or the units among which its use decides."""
    return spec.unit.replace("|", " or ")


def bounds(spec: Parameter) -> str:
    """The bounds of a parameter in words."""
    words = [f"above {spec.above:g}"] if spec.above is not None else []
    words += [f"below {spec.below:g}"] if spec.below is not None else []
    if spec.within is not None:
        low, high = spec.within
        words.append(f"at least {low:g}" if high == math.inf else f"{low:g} to {high:g}")
    words += [" × ".join("n" if size is None else str(size) for size in spec.shape)] if spec.shape else []
    return ", ".join(words)


def quantities(of: dict[str, Any]) -> str:
    """Names and units of what a port shares or exchanges."""
    return ", ".join(f"{name} [{quantity.unit}]" for name, quantity in of.items())


def physics_pages() -> dict[str, str]:
    """Path → text of every page about a part."""
    return {
        f"physics/{room}/{name}.md": part_page(name, part, module)
        for room in ROOMS
        for module in modules(room)
        for name, part in parts(module).items()
    }


def example_pages() -> dict[str, str]:
    """Path → text of every example's page: its paragraph, its picture, its code and the files it reads."""
    return {f"examples/{path.stem}.md": example_page(path) for path in EXAMPLES}


def example_page(path: Path) -> str:
    """The page of one example."""
    source = path.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(source)) or ""
    title, _, rest = docstring.partition("\n")
    lines = [f"# {title.rstrip('.')}", "", rest.strip(), "", f"![{title.rstrip('.')}](../images/{path.stem}.svg)", ""]
    lines += [f"`examples/{path.name}`", "", "```python", source.split('"""', 2)[2].strip(), "```", ""]
    for name in re.findall(r"`([\w-]+\.yaml)`", docstring):
        lines += [f"`examples/{name}`", "", "```yaml", (path.parent / name).read_text(encoding="utf-8").strip(), "```"]
    return "\n".join(lines)


def with_contents(markdown: str, pages: dict[str, str]) -> str:
    """The list of parts in place of its mark."""
    lines: list[str] = []
    for room, title in ROOMS.items():
        mine = [path for path in pages if path.startswith(f"physics/{room}/")]
        lines += [f"## {title}", "", importlib.import_module(f"oleodyn.{room}").__doc__ or "", ""] if mine else []
        for path in mine:
            first = pages[path].splitlines()[2]
            lines.append(f"- [{Path(path).stem}]({path.removeprefix('physics/')}): {first}")
        lines.append("")
    return markdown.replace("<!-- parts -->", "\n".join(lines))


def with_signatures(markdown: str) -> str:
    """Signature and docstring below each heading that is a public name."""

    def described(match: re.Match[str]) -> str:
        value = getattr(oleodyn, match[1])
        doc = "\n".join(prose(inspect.getdoc(value) or ""))
        return f"### {match[1]}\n\n```python\n{called(match[1], value)}\n```\n\n{doc}" + "\n".join(members(value))

    return re.sub(r"^### (\w+)$", described, markdown, flags=re.MULTILINE)


def called(name: str, value: Any) -> str:
    """How a class or function is called, or its name alone; a long list goes one to a line."""
    try:
        signature = inspect.signature(value)
    except ValueError:  # an exception that takes what every exception takes
        return name
    text = re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", f"{name}{signature}")
    text = re.sub(r" = <[^>]*>", " = ...", text.replace("'", '"'))
    if len(text) < 90:
        return text
    inner = [re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", str(p)) for p in signature.parameters.values()]
    kinds = [p.kind for p in signature.parameters.values()]
    if inspect.Parameter.KEYWORD_ONLY in kinds:
        inner.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    inner = [re.sub(r" = <[^>]*>", " = ...", line.replace("'", '"')) for line in inner]
    return f"{name}(\n" + "".join(f"    {line},\n" for line in inner) + ")"


def members(value: Any) -> list[str]:
    """The public methods and properties of a class, each with its first sentence."""
    if not inspect.isclass(value) or issubclass(value, Exception):
        return []
    found = {n: m for n, m in vars(value).items() if not n.startswith("_") and (callable(m) or is_property(m))}
    rows = [(n, (inspect.getdoc(getattr(value, n)) or "").partition("\n")[0]) for n in found]
    rows = [(n, text) for n, text in rows if text]
    return (
        ["", "| member | meaning |", "| --- | --- |", *(f"| `{n}` | {text.replace('|', '/')} |" for n, text in rows)]
        if rows
        else []
    )


def is_property(value: Any) -> bool:
    """True for what is read like an attribute or called on the class."""
    return isinstance(value, property | classmethod | staticmethod) or type(value).__name__ == "cached_property"


def rooms_table() -> dict[str, tuple[str, ...]]:
    """The table of tests/test_rooms.py: its assignments, without the tests around them."""
    path = ROOT / "tests" / "test_rooms.py"
    body = ast.parse(path.read_text(encoding="utf-8")).body
    tables = [node for node in body if isinstance(node, ast.Assign | ast.AnnAssign)]
    last = next(i for i, node in enumerate(tables) if ast.unparse(node).startswith("ROOMS"))
    names: dict[str, Any] = {"Path": Path, "__file__": str(path)}
    exec(compile(ast.Module(tables[: last + 1], []), str(path), "exec"), names)
    return names["ROOMS"]


def with_commands(markdown: str) -> str:
    """Every command with its options in place of its mark."""
    import typer

    from oleodyn.cli import app

    lines: list[str] = []
    for name, command in typer.main.get_command(app).commands.items():
        used = " ".join(param.name.upper() for param in command.params if param.param_type_name == "argument")
        lines += [f"## oleodyn {name}", "", inspect.cleandoc(command.help or ""), ""]
        lines += ["```text", f"oleodyn {name} {used}".rstrip() + " [OPTIONS]", "```", ""]
        options = [param for param in command.params if param.param_type_name == "option"]
        lines += ["| option | meaning |", "| --- | --- |"] if options else []
        lines += [f"| {code(param.opts)} | {(param.help or '').replace('|', '/')} |" for param in options]
        lines.append("")
    return markdown.replace("<!-- commands -->", "\n".join(lines))


def code(names: Any) -> str:
    """Names as code, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)


def with_rooms(markdown: str) -> str:
    """The table of rooms in place of its mark."""
    rooms = rooms_table()
    alike = {sees: [room for room in rooms if rooms[room] == sees] for sees in rooms.values()}
    lines = ["| room | sees |", "| --- | --- |"]
    lines += [f"| {code(names)} | {code(sees) or 'nothing'} |" for sees, names in alike.items()]
    return markdown.replace("<!-- rooms -->", "\n".join(lines))


# ------------------------------------------------------------------ called by MkDocs

_pages: dict[str, str] = {}
_pictures: dict[str, str] = {}


def on_config(config: Any) -> Any:
    """Find the parts and the examples and put their pages into the navigation."""
    _pages.clear()
    _pictures.clear()
    _pages.update(physics_pages() | example_pages())
    for entry in config.nav:
        if isinstance(entry, dict) and "Physics" in entry:
            rooms = [{title: mine} for room, title in ROOMS.items() if (mine := _of(room))]
            entry["Physics"] = ["physics/index.md", *rooms]
        if isinstance(entry, dict) and "Examples" in entry:
            entry["Examples"] = [f"examples/{path.stem}.md" for path in EXAMPLES]
    return config


def _of(room: str) -> list[str]:
    return [path for path in _pages if path.startswith(f"physics/{room}/")]


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages and the colours of code."""
    from mkdocs.structure.files import File
    from pygments.formatters import HtmlFormatter

    for path, text in (_pages | _pictures).items():
        files.append(File.generated(config, path, content=text))
    colours = HtmlFormatter(style="default").get_style_defs(".codehilite")
    files.append(File.generated(config, "assets/code.css", content=colours))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Fill the marks in the pages that are written by hand."""
    fill = {
        "api.md": with_signatures,
        "architecture.md": with_rooms,
        "command-line.md": with_commands,
        "physics/index.md": lambda text: with_contents(text, _pages),
    }.get(page.file.src_uri)
    return fill(markdown) if fill else markdown
