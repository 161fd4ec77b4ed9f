"""Make the pictures of the docs with our own commands: `make pictures` writes docs/images."""

from pathlib import Path

import oleodyn as od
from oleodyn.result.plots import figure, to_svg

IMAGES = Path(__file__).parent / "images"


def rigid_arm() -> str:
    """The six-joint arm, let go."""
    result = od.simulate(od.load("rigid-arm"), until=3.0)
    names = [f"{joint}.q" for joint in ("base", "shoulder", "elbow", "forearm", "wrist", "flange")]
    return to_svg(figure(result, [result.resolve(name) for name in names]))


PICTURES = {"rigid-arm.svg": rigid_arm}


def main() -> None:
    """Write every picture."""
    IMAGES.mkdir(exist_ok=True)
    for name, make in PICTURES.items():
        (IMAGES / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
