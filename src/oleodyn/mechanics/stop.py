"""Stops: springs with damping that a joint runs into at the ends of its range."""

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Expr, Part, parameter
from oleodyn.maths import clip, fmax, positive


def spring_force(depth: Expr, stiffness: Expr, width: Expr) -> Expr:
    """Elastic force at a depth into the stop: stiffness · depth, eased in over width.

    >>> spring_force(depth=0.01, stiffness=1e6, width=1e-4), spring_force(-0.01, 1e6, 1e-4)
    (10000.0, 0.0)
    """
    return stiffness * positive(depth, width)


def spring_energy(depth: Expr, stiffness: Expr, width: Expr) -> Expr:
    """∫ spring_force over the depth [J].

    >>> spring_energy(depth=1e-4, stiffness=1e6, width=1e-4)
    0.004166666666666667
    """
    y, beyond = clip(depth, 0.0, width), fmax(depth - width, 0.0)
    eased = y * y * y * (8 * width - 3 * y) / (12 * width * width)
    return stiffness * (eased + beyond * (width + beyond / 2))


def push(depth: Expr, rate: Expr, stiffness: Expr, damping: Expr, width: Expr) -> Expr:
    """Force of one stop against growing depth: spring and damper, never a pull.

    >>> push(depth=0.01, rate=0.1, stiffness=1e6, damping=1e4, width=1e-4)
    11000.0
    >>> push(depth=0.01, rate=-2.0, stiffness=1e6, damping=1e4, width=1e-4)
    0.0
    """
    engaged = clip(depth / width, 0.0, 1.0)
    return fmax(spring_force(depth, stiffness, width) + damping * engaged * rate, 0.0)


def act(stop: "RotationStop | LineStop", q: Expr, q_dot: Expr) -> tuple[Expr, Expr, Expr]:
    """(force along growing q, power lost, energy stored) of both ends of a range."""
    force, lost, energy = 0.0, 0.0, 0.0
    for end, sign in ((stop.low, -1.0), (stop.high, 1.0)):
        if end is not None:
            depth, rate = sign * (q - end), sign * q_dot
            pushed = push(depth, rate, stop.stiffness, stop.damping, stop.width)
            force = force - sign * pushed
            lost = lost + (pushed - spring_force(depth, stop.stiffness, stop.width)) * rate
            energy = energy + spring_energy(depth, stop.stiffness, stop.width)
    return force, lost, energy


def check_range(stop: "RotationStop | LineStop") -> None:
    """The lower end lies below the upper one."""
    if stop.low is not None and stop.high is not None and not stop.low < stop.high:
        raise DeclarationError(f"{type(stop).__name__}.low = {stop.low:g}: must be below high = {stop.high:g}")


class RotationStop(Part):
    """The ends of a turning range, which push back and never pull.

    Equations   d = q − high, or low − q                         depth
                τ = max(k d + c a ḋ, 0),  a = d / width up to 1   a smooth start, no jump
    Assumes     k d is eased in over width too, so the slope at d = 0 is zero.
    References  [1] Hunt & Crossley (1975) J. Appl. Mech. 42(2) 440-445: damping must start at zero.
    """

    stiffness: float = parameter("N·m/rad", "stiffness of the stop", above=0)
    damping: float = parameter("N·m·s/rad", "damping of the stop", within=(0, float("inf")), default=0.0)
    low: float | None = parameter("rad", "lower end of the range, or none", default=None)
    high: float | None = parameter("rad", "upper end of the range, or none", default=None)
    width: float = parameter("rad", "depth over which the stop is eased in", above=0, default=1e-3)

    def check(self) -> None:
        """The lower end lies below the upper one."""
        check_range(self)


class LineStop(Part):
    """The ends of a sliding range, which push back and never pull.

    Equations   d = q − high, or low − q                         depth
                F = max(k d + c a ḋ, 0),  a = d / width up to 1   a smooth start, no jump
    Assumes     k d is eased in over width too, so the slope at d = 0 is zero.
    References  [1] Hunt & Crossley (1975) J. Appl. Mech. 42(2) 440-445: damping must start at zero.
    """

    stiffness: float = parameter("N/m", "stiffness of the stop", above=0)
    damping: float = parameter("N·s/m", "damping of the stop", within=(0, float("inf")), default=0.0)
    low: float | None = parameter("m", "lower end of the range, or none", default=None)
    high: float | None = parameter("m", "upper end of the range, or none", default=None)
    width: float = parameter("m", "depth over which the stop is eased in", above=0, default=1e-4)

    def check(self) -> None:
        """The lower end lies below the upper one."""
        check_range(self)
