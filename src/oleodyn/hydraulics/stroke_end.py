"""Ends of a stroke: stops that push back, cushions that brake before them."""

from oleodyn.machine.part import Part, parameter
from oleodyn.maths import clip, fmax
from oleodyn.mechanics.stop import push, spring_energy, spring_force
from oleodyn.units import mm


def end_stops(x, v, stroke, K, C, width):
    """Both stops of a stroke: (force along growing x, energy in their springs, power turned into heat).

    >>> F, energy, lost = end_stops(x=0.501, v=0.1, stroke=0.5, K=1e8, C=1e5, width=1e-4)
    >>> round(F), round(energy, 3), round(lost)  # 1 mm deep, eased in over 0.1 mm
    (-110000, 49.917, 1000)
    """
    force, energy, lost = 0.0, 0.0, 0.0
    for depth, rate, way in ((-x, -v, 1.0), (x - stroke, v, -1.0)):
        pushed = push(depth, rate, K, C, width)
        force = force + way * pushed
        energy = energy + spring_energy(depth, K, width)
        lost = lost + (pushed - spring_force(depth, K, width)) * rate
    return force, energy, lost


class EndStop(Part):
    """The stops at both ends of a stroke, which push back and never pull.

    Equations   depth d beyond the end:  F = max(K d + C a ḋ, 0),   a = d / width up to 1
    Assumes     K d is eased in over width too, so the slope is zero where the stop is touched.
    References  [1] Hunt & Crossley (1975) J. Appl. Mech. 42(2) 440-445: damping must start at zero.
    """

    K: float = parameter("N/m|N·m/rad", "stiffness", above=0, default=1e8)
    C: float = parameter("N·s/m|N·m·s/rad", "damping", within=(0, 1e9), default=1e5)
    width: float = parameter("m|rad", "depth over which it sets in", above=0, default=0.1 * mm)

    def act(self, x, v, stroke):
        """(force along growing x, energy in the springs, power turned into heat)."""
        return end_stops(x, v, stroke, self.K, self.C, self.width)


class Cushion(Part):
    """End cushions: near the end of the stroke the oil of the chamber must leave through a throttle.

    Equations   Δp = (Q e / C)²,   e = 1 − (distance to the end) / length, limited to 0 … 1
                Q: flow out of the chamber; into it a check valve lets oil pass freely
    Assumes     quasi-steady: the oil between piston and throttle is not a volume of its own.
    References  [1] Findeisen (2006) Ölhydraulik, ch. 3: end-position cushioning.
    """

    passive = True

    length: float = parameter("m", "distance from the end at which it begins", above=0)
    C: float = parameter("m³/(s·√Pa)", "flow per root of the drop at the very end", above=0)

    def drop(self, Q, distance):
        """Pressure above that at the port [Pa], for a flow out of the chamber."""
        e = clip(1 - distance / self.length, 0.0, 1.0)
        return (fmax(Q, 0.0) * e / self.C) ** 2
