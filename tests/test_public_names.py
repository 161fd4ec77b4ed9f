"""The public names: few, documented, typed, and nothing executed before they are used."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import oleodyn

ROOT = Path(__file__).parent.parent


def test_there_are_at_most_25():
    assert len(oleodyn.__all__) <= 25


def test_the_documented_names_are_the_public_names():
    documented = re.findall(r"^### (\w+)$", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(documented) == sorted(oleodyn.__all__)


@pytest.mark.parametrize("name", oleodyn.__all__)
def test_a_public_name_resolves_and_says_what_it_is(name):
    value = getattr(oleodyn, name)
    assert value.__name__ == name
    assert len((inspect.getdoc(value) or "").splitlines()) >= 1


def test_editors_and_type_checkers_see_the_same_table():
    tree = ast.parse(Path(oleodyn.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {node.names[0].name: node.module for node in block.body if isinstance(node, ast.ImportFrom)}
    assert typed == oleodyn._home


def test_an_unknown_name_is_answered_with_the_list():
    with pytest.raises(AttributeError, match=r"oleodyn has no 'simulat'. Its names are .*Machine"):
        oleodyn.simulat


def test_import_loads_the_standard_library_only():
    code = "import sys; before = set(sys.modules); import oleodyn; print(*sorted(set(sys.modules) - before))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in result.stdout.split()}
    assert loaded - sys.stdlib_module_names == {"oleodyn"}
    assert result.stderr == ""


def test_import_opens_no_file_but_code_and_reads_no_environment():
    code = """
import os, sys
opened = []
sys.addaudithook(lambda event, args: opened.append(args[0]) if event == "open" else None)
class Closed(dict):
    def __getitem__(self, name): raise SystemExit(f"environment {name} was read")
    get = __getitem__
os.environ = Closed()
import oleodyn
print(*(name for name in opened if not str(name).endswith((".py", ".pyc")) and "__pycache__" not in str(name)))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == []
