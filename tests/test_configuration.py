"""What is configured exists, is pinned alike everywhere, and is explained."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TOOL = PROJECT["tool"]


def yaml(path):
    return YAML(typ="safe").load((ROOT / path).read_text(encoding="utf-8"))


def navigation(entries):
    for entry in entries:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            yield from navigation(value) if isinstance(value, list) else [value]


def spelled_out(pattern):
    """a/{b,c}/** → a/b, a/c"""
    head, _, rest = pattern.removesuffix("/**").partition("{")
    names, _, tail = rest.partition("}")
    return [head + name + tail for name in names.split(",")]


def configured_paths():
    yield from (PROJECT["project"]["readme"], *PROJECT["project"]["license-files"])
    yield from TOOL["hatch"]["build"]["targets"]["wheel"]["packages"]
    yield from TOOL["pytest"]["ini_options"]["testpaths"]
    yield from TOOL["pytest"]["ini_options"]["pythonpath"]
    yield from TOOL["ruff"]["src"]
    yield from (path for pattern in TOOL["ruff"]["lint"]["per-file-ignores"] for path in spelled_out(pattern))
    yield from TOOL["basedpyright"]["include"]
    site = yaml("mkdocs.yml")
    yield from site["hooks"]
    yield from (f"docs/{page}" for page in navigation(site["nav"]) if not page.startswith(("physics/", "examples/")))
    yield from (step["run"] for step in yaml(".github/workflows/ci.yml")["jobs"]["run"]["steps"] if "run" in step)


@pytest.mark.parametrize("path", sorted(set(configured_paths())))
def test_a_configured_path_exists(path):
    assert (ROOT / path).exists()


def test_pre_commit_has_the_pinned_versions():
    extra = {pin for pin in PROJECT["project"]["optional-dependencies"]["dev"] if "==" in pin}
    hooks = [hook for repo in yaml(".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    assert {pin for hook in hooks for pin in hook["additional_dependencies"]} == extra
    assert {pin.partition("==")[0] for pin in extra} == {"ruff", "basedpyright"}


def requirements():
    extras = PROJECT["project"]["optional-dependencies"].values()
    for line in [*PROJECT["project"]["dependencies"], *(line for extra in extras for line in extra)]:
        yield re.split(r"[=<>!~\[; ]", line, maxsplit=1)[0]


@pytest.mark.parametrize("name", sorted(set(requirements())))
def test_every_dependency_has_its_reason(name):
    assert re.search(rf"^\*\*{name}\*\*", (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_command_that_ci_calls_can_be_executed():
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_shell_scripts_parse():
    subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=True)


def test_the_version_has_its_place_in_the_changelog():
    version = PROJECT["project"]["version"]
    heading = "Unreleased" if ".dev" in version else version
    assert f"## {heading}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
