"""The docs: every block of code runs, every part has its page, nothing is fetched from a network."""

import doctest
import importlib.util
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from oleodyn.cli import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page, language):
    """(line, text) of every fenced block in a language."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 2, match[1]


@pytest.mark.parametrize("page", [p for p in PAGES if any(blocks(p, "python"))], ids=lambda p: p.name)
def test_the_code_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _, text in blocks(page, "yaml"):  # a file that begins with its name
        (tmp_path / re.match(r"# ([\w.-]+)\n", text)[1]).write_text(text, encoding="utf-8")
    names = {"__name__": "__main__"}
    for line, text in blocks(page, "python"):
        if text.startswith(">>>"):
            examples = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), line)
            outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, clear_globs=False)
            assert outcome.failed == 0
            names |= examples.globs
        else:
            exec(compile("\n" * (line - 1) + text, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_picture_is_there_and_we_make_it_ourselves(page):
    made = runpy.run_path(str(ROOT / "docs" / "pictures.py"))["PICTURES"]
    for shown in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / shown).exists()
        assert Path(shown).name in made


def command_lines():
    """Every line of the docs that shows how to call us."""
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "Makefile"]:
        for line in re.findall(r"(?:^|`|bin/)(oleodyn [a-z][^`\n]*)", page.read_text(encoding="utf-8"), re.MULTILINE):
            if not line.startswith("oleodyn simulates"):
                yield pytest.param(line, id=f"{page.name}: {line[:40]}")


@pytest.mark.parametrize("line", list(command_lines()))
def test_a_command_in_the_docs_and_its_options_exist(line):
    commands = typer.main.get_command(app).commands
    command = commands[line.split()[1]]
    options = {option for param in command.params for option in param.opts}
    assert set(re.findall(r"--[a-z-]+", line)) <= options


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_part_has_a_page_with_every_parameter():
    generate = generator()
    pages = generate.physics_pages()
    for room in generate.ROOMS:
        for module in generate.modules(room):
            for name, part in generate.parts(module).items():
                missing = [field for field in part.fields if f"| `{field}` |" not in pages[f"physics/{room}/{name}.md"]]
                assert not missing, f"{name}: {missing}"


def test_every_room_of_physics_has_a_title():
    from tests.test_rooms import PHYSICS

    assert set(generator().ROOMS) == set(PHYSICS)


def test_the_site_builds_without_warnings_and_opens_without_network(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True)
    fetched = re.compile(r"""(?:<(?:script|link|img|iframe)[^>]*(?:src|href)=["']|url\(["']?)((?:https?:)?//[^"')]+)""")
    files = [path for path in tmp_path.rglob("*") if path.suffix in (".html", ".css")]
    found = {match for path in files for match in fetched.findall(path.read_text(encoding="utf-8"))}
    assert len(files) > 10
    assert {url for url in found if "canonical" not in url} == set()
