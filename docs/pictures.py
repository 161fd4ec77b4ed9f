"""Make the pictures of the docs with our own commands: `make pictures` writes docs/images."""

import functools
import runpy
from pathlib import Path

import oleodyn as od
from oleodyn.result.plots import figure, to_svg

IMAGES = Path(__file__).parent / "images"
EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("[0-9]*.py"))


def rigid_arm() -> str:
    """The six-joint arm, let go."""
    result = od.simulate(od.load("rigid-arm"), until=3.0)
    names = [f"{joint}.q" for joint in ("base", "shoulder", "elbow", "forearm", "wrist", "flange")]
    return to_svg(figure(result, [result.resolve(name) for name in names]))


def pipe_cutter() -> str:
    """The pipe cutter's two tasks: its circle, the error magnified, and the force of the cut."""
    import numpy as np
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from oleodyn.catalogue.pipe_cutter_tasks import CIRCLE
    from oleodyn.result.plots import PALETTE, STYLE

    cutter = od.load("pipe-cutter")
    circle = od.simulate(cutter, scenario="circle")
    cut = od.simulate(cutter, scenario="cut", every=50)
    tool = np.stack([circle.values(f"arm.tool.r_{axis}") for axis in "xyz"], axis=1)
    path = CIRCLE.poses(circle.time)[:, :3, 3]
    magnified = path + 50 * (tool - path)
    t, force = cut.time, cut.values("saw.F")
    bins = np.arange(0.0, t[-1], 4.0)
    which = np.digitize(t, bins) - 1
    mean = np.array([force[which == k].mean() for k in range(len(bins))])
    most = np.array([force[which == k].max() for k in range(len(bins))])
    with rc_context(STYLE):
        drawing = Figure(figsize=(9.0, 3.6), layout="constrained")
        left, right = drawing.subplots(1, 2, width_ratios=(1, 1.9))
        left.plot(1e3 * path[:, 0], 1e3 * path[:, 2], color=PALETTE[0], label="path")
        left.plot(1e3 * magnified[:, 0], 1e3 * magnified[:, 2], color=PALETTE[1], linewidth=1, label="tool, error × 50")
        left.set_aspect("equal")
        left.set_xlabel("x [mm]")
        left.set_ylabel("z [mm]")
        left.legend(loc="center", frameon=False)
        right.fill_between(bins, 0, most, color=PALETTE[0], alpha=0.25, linewidth=0, label="largest in 4 s")
        right.plot(bins, mean, color=PALETTE[0], label="mean in 4 s")
        right.set_xlabel("time [s]")
        right.set_ylabel("cutting force [N]")
        right.legend(loc="upper center", frameon=False)
    return to_svg(drawing)


def example(path: Path) -> str:
    """The picture that an example ends in."""
    return to_svg(runpy.run_path(str(path))["main"]())


PICTURES = {
    "rigid-arm.svg": rigid_arm,
    "pipe-cutter.svg": pipe_cutter,
    **{f"{path.stem}.svg": functools.partial(example, path) for path in EXAMPLES},
}


def main() -> None:
    """Write every picture."""
    IMAGES.mkdir(exist_ok=True)
    for name, make in PICTURES.items():
        (IMAGES / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
