"""The command line: every command a thin door to what the package can do."""

import io
import json
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from oleodyn.errors import OleodynError, StepError

app = typer.Typer(
    no_args_is_help=True, add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False,
)  # fmt: skip
INTERRUPTED = 130
"""Exit status after Ctrl-C."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object; messages go to stderr.")]
Dt = Annotated[str | None, typer.Option("--dt", help="Step with its unit, such as 0.2ms.")]
Until = Annotated[str | None, typer.Option("--until", help="End of the run with its unit, such as 10s.")]
StepperName = Annotated[
    str | None,
    typer.Option("--stepper", help="rk4, ab3, trapezoidal, hht or hht-partitioned; also 'hht(alpha=-0.05)'."),
]
LoopsName = Annotated[
    str | None,
    typer.Option("--loops", help="augmented-lagrangian, partitioning or penalty; also 'penalty(alpha=1e8)'."),
]


def main() -> None:
    """Run a command; what is wrong is one line on stderr and exit status 1, 2 for a wrong call, 130 for Ctrl-C.

    With --json the same is on stdout too, as one object.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # µ and − on a terminal that has no such letters
    try:
        app()
    except OleodynError as error:
        _failed(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except OSError as error:
        _failed(f"{error.filename or 'output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _failed(message: str) -> None:
    if "--json" in sys.argv:
        _print_json({"ok": False, "error": message})
    print(f"error: {message}", file=sys.stderr)
    raise SystemExit(1) from None


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"oleodyn {version('oleodyn')}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Simulate, control and study hydraulically actuated machines."""


@app.command("list")
def list_names(json_: Json = False) -> None:
    """Machines with their scenarios, and studies. Example: oleodyn list"""
    from oleodyn.catalogue.shelf import MACHINES, load
    from oleodyn.studies.shelf import STUDIES, about

    machines = {name: load(name) for name in MACHINES}
    if json_:
        listed = [{"name": name, "text": m.text, "scenarios": list(m.scenarios)} for name, m in machines.items()]
        _print_json({"machines": listed, "studies": [{"name": name, "text": about(name)} for name in STUDIES]})
        return
    print("machines")
    for name, m in machines.items():
        print(f"  {name:22s} {m.text}")
        for scenario, what in m.scenarios.items():
            print(f"    --scenario {scenario:9s} {what.text}")
    print("studies")
    for name in STUDIES:
        print(f"  {name:22s} {about(name)}")


@app.command()
def run(
    machine: Annotated[str, typer.Argument(help="A catalogue name, a machine file (.yaml) or a robot file (.urdf).")],
    scenario: Annotated[str | None, typer.Option(help="Name of a scenario of the machine.")] = None,
    until: Until = None,
    stepper: StepperName = None,
    loops: LoopsName = None,
    dt: Dt = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="PATH=VALUE, such as lift.d_bore='90 mm'.")] = None,
    realtime: Annotated[bool, typer.Option("--realtime", help="Pace the run against the wall clock.")] = False,
    overrun: Annotated[
        str, typer.Option(help="In real time, when a step is late: catch-up, stretch or stop.")
    ] = "catch-up",
    resume: Annotated[Path | None, typer.Option(help="Go on from a state that --save-state wrote.")] = None,
    save_state: Annotated[Path | None, typer.Option(help="Write the final state here (.npz).")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the result: .nc (NetCDF) or .csv.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write a self-contained HTML report.")] = None,
    every: Annotated[int | None, typer.Option(help="Record every so many steps.")] = None,
    json_: Json = False,
) -> None:
    """Run a machine. Example: oleodyn run rigid-arm --until 5s --report arm.html"""
    from oleodyn.catalogue.shelf import SHELF, load
    from oleodyn.simulation.command import Options, execute
    from oleodyn.simulation.stopping import Stopped

    options = Options(
        machine=load(machine), shelf=SHELF, scenario=scenario, until=until, stepper=stepper, loops=loops, dt=dt,
        changes=set_ or [], realtime=realtime, overrun=overrun, resume=resume,
        save_state=save_state, out=out, report=report, every=every,
    )  # fmt: skip
    try:
        outcome = _with_progress(f"running {machine}", lambda progress: execute(options, progress))
    except StepError as error:
        _keep(error.result, out, report, options.machine)
        raise
    except Stopped as stopped:
        print(f"{stopped} by Ctrl-C", file=sys.stderr)
        if not realtime:
            _keep(stopped.result, out, report, options.machine)
        if json_:
            _print_json({"ok": False, "error": f"{stopped} by Ctrl-C"})
        elif realtime:
            print(stopped.result)
        raise typer.Exit(INTERRUPTED) from None
    for note in outcome.notes():
        print(f"note: {note}", file=sys.stderr)
    _keep(outcome.result, out, report, outcome.machine)
    _print_json(outcome.summary()) if json_ else print(outcome)
    if not outcome.ok:
        raise typer.Exit(1)


@app.command()
def study(
    name: Annotated[str, typer.Argument(help="Name of a study; see oleodyn list.")],
    report: Annotated[Path | None, typer.Option(help="Write the study's HTML report.")] = None,
    json_: Json = False,
) -> None:
    """Reproduce a published experiment. Example: oleodyn study pipe-cutter-circle --report circle.html"""
    from oleodyn.studies.shelf import study as named

    done = _with_progress(f"studying {name}", named(name))
    if report is not None:
        done.report(report)
        print(f"report written to {report}", file=sys.stderr)
    _print_json(done.summary()) if json_ else print(done)
    if not done.ok:
        raise SystemExit(1)


@app.command()
def bench(
    machine: Annotated[str | None, typer.Argument(help="A machine; without one, all of the catalogue.")] = None,
    json_: Json = False,
) -> None:
    """Measure cost per step, real-time factor, starts and batches. Example: oleodyn bench rigid-arm"""
    from oleodyn.studies.bench import bench as measure

    measured = _with_progress("measuring", lambda progress: measure(machine, progress))
    _print_json(measured.summary()) if json_ else print(measured)


@app.command()
def check(
    file: Annotated[str | None, typer.Argument(help="A machine file or a catalogue name.")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of machine files.")] = False,
    draw: Annotated[Path | None, typer.Option(help="Draw the circuit to this SVG file.")] = None,
    json_: Json = False,
) -> None:
    """Validate a machine file and say what limits its step. Example: oleodyn check crane.yaml"""
    if schema:
        from oleodyn.catalogue.shelf import SHELF
        from oleodyn.machine.schema import schema as schema_of

        print(json.dumps(schema_of(SHELF), indent=2))
        return
    if file is None:
        raise typer.BadParameter("give a machine file, or --schema")
    from oleodyn.catalogue.shelf import load
    from oleodyn.simulation.command import examine

    found = examine(load(file))
    if draw is not None:
        from oleodyn.result.drawing import draw as drawn

        drawn(found.machine, draw)
        print(f"circuit drawn to {draw}", file=sys.stderr)
    _print_json(found.summary()) if json_ else print(found)


@app.command()
def new(
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    from_: Annotated[str, typer.Option("--from", help="The machine to start from.")] = "rigid-arm",
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    json_: Json = False,
) -> None:
    """Write a machine file to start from. Example: oleodyn new my-arm.yaml --from rigid-arm"""
    from oleodyn.catalogue.shelf import SHELF, load
    from oleodyn.machine.save import save

    if file.exists() and not force:
        raise OleodynError(f"{file} exists already. Choose another name, or add --force.")
    if not file.parent.is_dir():
        raise OleodynError(f"{file}: there is no folder {str(file.parent)!r}. Make it, or write elsewhere.")
    save(load(from_), file, shelf=SHELF, notes=True)
    _print_json({"ok": True, "file": str(file)}) if json_ else print(f"{file} written; try: oleodyn run {file}")


def _keep(result: Any, out: Path | None, report: Path | None, machine: Any) -> None:
    """Write what a run recorded, if it recorded anything."""
    if result is None:
        return
    if out is not None:
        result.to_csv(out) if out.suffix == ".csv" else result.save(out)
        print(f"result written to {out}", file=sys.stderr)
    if report is not None:
        from oleodyn.result.report import report as write

        write(result, report, machine=machine)
        print(f"report written to {report}", file=sys.stderr)


def _print_json(value: Any) -> None:
    print(json.dumps(_plain(value), allow_nan=False))


def _plain(value: Any) -> Any:
    """A value as JSON has it: numbers that are none become null."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _with_progress(title: str, work: Callable[[Callable[[float], None]], Any]) -> Any:
    """Do the work with a progress bar on stderr: `progress(share)`, from 0 to 1."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=1.0)
        return work(lambda share: bar.update(task, completed=share))


if __name__ == "__main__":
    main()
