"""Consistent starts: positions and speeds that satisfy the constraints."""

from collections.abc import Collection
from dataclasses import replace

import casadi as ca
import numpy as np

from oleodyn.equations.closure.constraints import REDUNDANT, constraints
from oleodyn.equations.equations import Equations
from oleodyn.errors import AssemblyError

TOLERANCE = 1e-13
STEPS = 100
OPEN = 1e-6
"""Gaps [m, rad, and per second] that no stepper leaves."""
FAR = 1e4
"""Gaps beyond this belong to a cut joint turned half round, from where every way back is as near."""
SOON = 0.1
"""When redundant drives are compared again [s]: sooner where they move more than this meanwhile."""
NUDGE = 1e-2
"""About how far coordinates are moved [rad, m] to leave such a place, or one from where no step leads on."""


def consistent(e: Equations) -> Equations:
    """The equations with start positions and speeds that close the loops, near those given (see `Closing`)."""
    if not e.Phi.numel():
        return e
    closing = Closing(e)
    q, v = closing(e.q_0, e.v_0, 0.0)
    _check_drives(e, closing, q, v)
    return replace(e, q_0=q, v_0=v)


def _check_drives(e: Equations, closing: "Closing", q: np.ndarray, v: np.ndarray) -> None:
    """Drives that others imply at the start still agree with them soon after."""
    c = constraints(e)
    at = ca.Function("at", [e.q, e.t], [ca.densify(c.D), ca.densify(c.Phi_t)])
    D, Phi_t = (np.array(value) for value in at(q, 0.0))
    driven = [row for row in range(len(D)) if not c.Phi_t[row].is_zero()]
    rank = np.linalg.matrix_rank(D, REDUNDANT * np.abs(D).max())
    spare = [row for row in driven if np.linalg.matrix_rank(np.delete(D, row, 0), REDUNDANT * np.abs(D).max()) == rank]
    if not spare:
        return
    soon = SOON / max(1.0, np.abs(Phi_t).max())
    for t in (soon / 10, soon):
        try:
            closing(q, v, t)
        except AssemblyError as error:
            drives = list(dict.fromkeys(e.lam_signals[row].name.rpartition(".")[0] for row in spare))
            raise AssemblyError(
                f"{e.place(drives[0])}{e.name}: {' and '.join(drives)} agree with the other drives and loops at the "
                f"start, and contradict them at t = {t:.2g} s. Free one of them."
            ) from error


class Closing:
    """Positions and speeds that close the loops, near those given or with some of them kept.

    Equations   δ = −D⁺ Φ until Φ = 0 (halved while |Φ| does not fall);   v ← v − D⁺ (D v + Φ_t)
    Limits      every δ is the least that closes to first order, angles [rad] and lengths [m] weighing alike. Their
                sum is not the least of all: the nearest closed position is nearer by a part of the way that
                shrinks with the way. The speeds are the nearest.
    """

    def __init__(self, e: Equations):
        self.e, c = e, constraints(e)
        self.at = ca.Function("at", [e.q, e.v, e.t], [ca.densify(x) for x in (c.Phi, c.D, c.Phi_dot)])
        self.plus = ca.Function("plus", [e.q, e.delta], [e.q_plus])

    def __call__(
        self, q: np.ndarray, v: np.ndarray, t: float, keep: Collection[str] = ()
    ) -> tuple[np.ndarray, np.ndarray]:
        """q and v nearby that satisfy the constraints at t; states of `keep` stay if that can be."""
        speeds = [card.name for card in self.e.v_signals]
        placed = self._first_closed(q, t, [name.removesuffix("_dot") in keep for name in speeds])
        _, D, Phi_dot = self._at(placed, v, t)
        moved = v - _least(D, Phi_dot, [name in keep for name in speeds])
        if np.abs(self._at(placed, moved, t)[2]).max() > 1e-9 * (1 + np.abs(Phi_dot).max()):
            moved = v - _least(D, Phi_dot, [False] * len(speeds))
        q, v = placed, moved
        left = self._at(q, v, t)[2]
        if np.abs(left).max() > 1e-9 * (1 + np.abs(Phi_dot).max()):
            raise AssemblyError(
                f"{_worst(self.e, left.ravel())} per second. No speeds satisfy all loops and drives at t = {t:g} s. "
                "They contradict each other: free one of them."
            )
        return q, v

    def _first_closed(self, q: np.ndarray, t: float, kept: list[bool]) -> np.ndarray:
        """Closed without the kept coordinates, or with them where it does not close otherwise."""
        free = [False] * len(kept)
        q = self._nudged(self._nudged(q.copy(), t, kept), t, free)
        self._check_defined(q, t)
        if any(kept):
            try:
                return self._position(q, t, kept)
            except AssemblyError:
                pass
        try:
            return self._position(q, t, free)
        except AssemblyError as error:
            try:
                return self._position(self._away(q, free), t, free)  # no step leads on from where D vanishes
            except AssemblyError:
                raise error from None

    def holds(self, q: np.ndarray, v: np.ndarray, t: float) -> bool:
        """True if positions and speeds already close the loops, but for what a stepper leaves."""
        Phi, _, Phi_dot = self._at(q, v, t)
        return bool(np.abs(Phi).max() < OPEN and np.abs(Phi_dot).max() < OPEN)

    def _at(self, q: np.ndarray, v: np.ndarray, t: float) -> list[np.ndarray]:
        return [np.array(value) for value in self.at(q, v, t)]

    def _nudged(self, q: np.ndarray, t: float, kept: list[bool]) -> np.ndarray:
        """q, moved a little where a cut joint is turned half round: there its gap has no number."""
        far = not np.abs(self._at(q, np.zeros(self.e.n_v), t)[0]).max() < FAR
        return self._away(q, kept) if far else q

    def _away(self, q: np.ndarray, kept: list[bool]) -> np.ndarray:
        """q, moved a little in no direction of its own."""
        away = NUDGE * np.cos(1.0 + np.arange(self.e.n_v))
        return np.array(self.plus(q, np.where(kept, 0.0, away))).ravel()

    def _position(self, q: np.ndarray, t: float, kept: list[bool]) -> np.ndarray:
        zero = np.zeros(self.e.n_v)
        Phi, D, _ = self._at(q, zero, t)
        for _ in range(STEPS):
            size = np.abs(Phi).max()
            if size < TOLERANCE:
                return q
            step = -_least(D, Phi, kept)
            length = 1.0
            while length > 1e-4:
                new = np.array(self.plus(q, length * step)).ravel()
                Phi_new, D_new, _ = self._at(new, zero, t)
                if np.abs(Phi_new).max() < size:
                    break
                length /= 2
            else:
                break
            q, Phi, D = new, Phi_new, D_new
        if np.abs(Phi).max() < 1e-10:
            return q
        raise AssemblyError(
            f"{_worst(self.e, Phi.ravel())}. The loops do not close from the given positions. "
            "Check lengths and joint positions, start nearer to the closed position, or take a loop out."
        )

    def _check_defined(self, q: np.ndarray, t: float) -> None:
        """Every constraint has a value and a direction."""
        Phi, D, _ = self._at(q, np.zeros(self.e.n_v), t)
        for card, gap, row in zip(self.e.lam_signals, Phi, D, strict=True):
            if not np.isfinite([*gap, *row]).all():
                loop = card.name.rpartition(".")[0]
                raise AssemblyError(
                    f"{self.e.place(loop)}{loop} has no direction at the given positions: the points of a Distance "
                    "coincide there, or the sides of a joint are half a turn from where they belong. Start elsewhere, "
                    "or turn the joint's orientation by half a turn."
                )


def _least(D: np.ndarray, gap: np.ndarray, kept: list[bool]) -> np.ndarray:
    """The least x with D x = gap, zero where it is to be kept."""
    free = ~np.array(kept)
    x = np.zeros(len(kept))
    x[free] = np.linalg.lstsq(D[:, free], gap.ravel(), rcond=1e-10)[0]
    return x


def _worst(e: Equations, values: np.ndarray) -> str:
    """Where the mechanism was added, and its loops that gape most, each with its gap."""
    gaps: dict[str, float] = {}
    for card, value in zip(e.lam_signals, values, strict=True):
        loop = card.name.rpartition(".")[0]
        gaps[loop] = max(gaps.get(loop, 0.0), abs(value))
    most = max(gaps.values())
    told = [f"{loop} by {gap:.3g}" for loop, gap in gaps.items() if gap > most / 10]
    return f"{e.place(told[0])}{e.name} gapes at {' and '.join(told)}"
