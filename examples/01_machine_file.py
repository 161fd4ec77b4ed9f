"""A machine from a file: a boom on a pin, raised, held and lowered.

`lift.yaml`, the file beside this one, says what the machine consists of: a boom with a load, a
cylinder, a hose, a counterbalance valve that holds the load until the other side of the cylinder asks
it to move, a directional valve, and what its operator does with it. Every number in it has its unit.
The same from the command line: `oleodyn run examples/lift.yaml --report lift.html`.
"""

from pathlib import Path

import oleodyn as od
from oleodyn.result.plots import figure
from oleodyn.units import bar, deg


def main():
    """The angle of the boom, pressures and openings."""
    lift = od.load(Path(__file__).with_name("lift.yaml"))
    result = od.simulate(lift)
    angle, pressure = result.values("pin.q") / deg, result.values("ram.A.p") / bar
    print(
        f"{lift.text} It rose by {angle.max() - angle[0]:.1f} deg, the highest pressure was {pressure.max():.0f} bar."
    )
    held = (result.time > 5.5) & (result.time < 6.5)
    print(f"While the valve was shut it moved by {angle[held].max() - angle[held].min():.2g} deg.")
    print(result.energy)
    return figure(result, ["boom.pin.q", "ram.A.p", "ram.B.p", "hose.port.p", "valve.x", "counterbalance.x"])


if __name__ == "__main__":
    main().savefig("01_machine_file.svg")
