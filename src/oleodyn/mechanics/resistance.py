"""Resistance: viscous friction and stops of all joints of a mechanism."""

from collections.abc import Iterable, Sequence

from oleodyn.machine.part import Expr
from oleodyn.mechanics.freedom import Freedom
from oleodyn.mechanics.stop import act
from oleodyn.mechanics.vector import plus, times, total


class Resistance:
    """force: along each speed; stops: of the stops alone; lost: power; energy: in the stops' springs."""

    def __init__(self, freedoms: Iterable[tuple[str, Freedom, slice, slice]], q: Sequence[Expr], v: Sequence[Expr]):
        self.force: list[Expr] = []
        self.stops: dict[str, Expr] = {}
        self.lost: dict[str, Expr] = {}
        self.energy: dict[str, Expr] = {}
        for joint, freedom, at_q, at_v in freedoms:
            path, rates = freedom.path(joint), v[at_v]
            force = [times(-1.0, times(freedom.damping, rate)) for rate in rates]
            if not (type(freedom.damping) is float and freedom.damping == 0.0):
                self.lost[f"{path}.damping"] = total(*(times(times(freedom.damping, rate), rate) for rate in rates))
            if freedom.stop is not None:
                pushed, lost, energy = act(freedom.stop, q[at_q][0], rates[0])
                force = [plus(force[0], pushed)]
                self.stops[f"{path}.stop"] = pushed
                self.lost[f"{path}.stop"], self.energy[f"{path}.stop"] = lost, energy
            self.force += force
