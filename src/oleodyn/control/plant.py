"""A linear plant with one command and one joint, continuous or sampled, and its loop under a PID."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from oleodyn.control.pid import Gains
from oleodyn.errors import DeclarationError
from oleodyn.machine.part import nearest


@dataclass(frozen=True, eq=False)
class Plant:
    """ẋ = A x + B u,  q = C x,  q̇ = C A x: one command u, one joint q; strictly proper.

    With a `period`, u is held between samples and everything below is exact at the samples:
    frequencies go into z = exp(s period), and the controller is the one of `PID`.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    rate: np.ndarray
    period: float | None = None

    @classmethod
    def of(cls, A: Any, B: Any, C: Any, *, period: float | None = None) -> "Plant":
        """From matrices (n × n, n or n × 1, n or 1 × n), brought to states of one size."""
        A, B, C = (np.asarray(x, dtype=float) for x in (A, B, C))
        B, C = B.reshape(-1), C.reshape(-1)
        n = len(A)
        if A.shape != (n, n) or B.shape != (n,) or C.shape != (n,):
            raise DeclarationError(
                f"A is {A.shape}, B {B.shape}, C {C.shape}: must be n × n, n and n (one command, one joint). "
                "Take one column of B and one row of C, for example by Linear.select."
            )
        scale = balance(A)
        A, B, C = A * scale / scale[:, None], B / scale, C * scale
        if abs(C @ B) > 1e-9 * np.linalg.norm(C) * np.linalg.norm(B):
            raise DeclarationError("C B is not zero: the command moves the joint at once, so its rate is no output")
        if period is None:
            return cls(A, B, C, C @ A)
        both = exponential(np.block([[A, B[:, None]], [np.zeros((1, n + 1))]]) * period)
        return cls(both[:n, :n], both[:n, n], C, C @ A, period)

    @classmethod
    def of_joint(cls, linear: Any, command: str, joint: str, *, period: float | None = None) -> "Plant":
        """From a machine linearised where the joint moves: command "valve_1.i", joint "arm.joint_1.q".

        `linear` is what `equations.linearise` gives; the joint is one of its states or outputs.
        """
        column, row = _place(command, linear.inputs), _row(linear, command, joint)
        return cls.of(linear.A, linear.B[:, column], row, period=period)

    @classmethod
    def of_speed(cls, linear: Any, command: str, speed: str, *, period: float | None = None) -> "Plant":
        """The same where the machine knows a speed only, such as that of a motor: its integral is the joint."""
        column, row = _place(command, linear.inputs), _row(linear, command, speed)
        n = len(linear.A)
        A = np.block([[np.zeros((1, 1)), row[None]], [np.zeros((n, 1)), linear.A]])
        return cls.of(A, np.append(0.0, linear.B[:, column]), np.eye(n + 1)[0], period=period)

    @cached_property
    def eigenvalues(self) -> np.ndarray:
        """Poles of the plant itself, as s [1/s]."""
        return self.as_s(np.linalg.eigvals(self.A))

    def as_s(self, values: Any) -> np.ndarray:
        """Eigenvalues of a matrix of this plant's kind, as s [1/s]."""
        values = np.asarray(values, dtype=complex)
        if self.period is None:
            return values
        return np.log(np.where(values == 0, 1e-300, values)) / self.period

    def joint(self, s: Any) -> tuple[np.ndarray, np.ndarray]:
        """Joint and joint rate per command at complex s (…); for a sampled plant at z = exp(s period)."""
        s = np.asarray(s, dtype=complex)
        z = s if self.period is None else np.exp(s * self.period)
        x = np.linalg.solve(z[..., None, None] * np.eye(len(self.A)) - self.A, self.B.astype(complex)[:, None])[..., 0]
        return x @ self.C, x @ self.rate

    def integral(self, s: Any) -> np.ndarray:
        """Integral per error at complex s, as the controller forms it."""
        s = np.asarray(s, dtype=complex)
        if self.period is None:
            return 1 / s
        return self.period / (1 - np.exp(-s * self.period))

    def loop(self, gains: Gains, s: Any) -> np.ndarray:
        """Loop gain L: command of the PID into the joint and back."""
        q, rate = self.joint(s)
        integral = gains.K_i * self.integral(s) if gains.K_i else 0.0
        return (gains.K_p + integral) * q + gains.K_d * rate

    def closed(self, gains: Gains) -> np.ndarray:
        """Matrix of the closed loop, states (x, integral of the error), for reference 0."""
        n = len(self.A)
        step = 1.0 if self.period is None else self.period
        held = gains.K_p * self.C + gains.K_d * self.rate
        if self.period is None:
            return np.block(
                [[self.A - np.outer(self.B, held), gains.K_i * self.B[:, None]], [-self.C, np.zeros((1, 1))]]
            )
        held = held + gains.K_i * step * self.C
        top = np.hstack([self.A - np.outer(self.B, held), gains.K_i * self.B[:, None]])
        return np.vstack([top, np.concatenate([-step * self.C, np.ones(1)]).reshape(1, n + 1)])

    def step_response(self, gains: Gains, t: Any) -> tuple[np.ndarray, np.ndarray]:
        """Joint and command at times t, after the reference jumps by 1 (its rate stays 0).

        `t` are equal steps; for a sampled plant they must be its samples.
        """
        t = np.asarray(t, dtype=float)
        n, dt = len(self.A), float(t[1] - t[0])
        if self.period is not None and abs(dt - self.period) > 1e-9 * self.period:
            raise DeclarationError(f"times in steps of {dt:g} s: must be the samples, every {self.period:g} s")
        closed, ahead, count = self.closed(gains), np.zeros(n + 1), 0.0 if self.period is None else self.period
        ahead[:n], ahead[n] = (gains.K_p + gains.K_i * count) * self.B, count or 1.0
        if self.period is None:
            both = exponential(np.block([[closed, ahead[:, None]], [np.zeros((1, n + 2))]]) * dt)
            closed, ahead = both[: n + 1, : n + 1], both[: n + 1, n + 1]
        x, states = np.zeros(n + 1), np.empty((len(t), n + 1))
        for k in range(len(t)):
            states[k] = x
            x = closed @ x + ahead
        q, rate = states[:, :n] @ self.C, states[:, :n] @ self.rate
        integral = states[:, n] + count * (1 - q)
        return q, gains.K_p * (1 - q) - gains.K_d * rate + gains.K_i * integral


def _place(name: str, known: Sequence[str], shown: int | None = None) -> int:
    """Where a name, or the one that ends so, stands; the message lists the first `shown`, or all."""
    hits = [i for i, each in enumerate(known) if each == name or each.endswith("." + name)]
    if len(hits) != 1:
        what = "is not one" if not hits else f"is {len(hits)}"
        close, more = nearest(name, known), ", … and its outputs" if shown is not None else ""
        raise DeclarationError(f"{name!r} {what} of the linear system's names{close}: {', '.join(known[:shown])}{more}")
    return hits[0]


def _row(linear: Any, command: str, name: str) -> np.ndarray:
    """A state, or an output that the command does not move at once, as a row of states."""
    row = _place(name, (*linear.states, *linear.outputs), shown=len(linear.states))
    if row < len(linear.states):
        return np.eye(len(linear.states))[row]
    row -= len(linear.states)
    if linear.D[row, _place(command, linear.inputs)] != 0:
        raise DeclarationError(f"{command} moves {name} at once: must be a joint or a speed, with inertia before it")
    return linear.C[row]


def holding(linear: Any, *joints: str) -> Any:
    """A linearised machine in which these joints stand still, as others' controllers hold them.

    A joint is named by the beginning of its states, such as "arm.joint_2" for "arm.joint_2.q" and ".q_dot".
    """
    owners = [name.rpartition(".")[0] for name in linear.states]
    for joint in set(joints) - set(owners):
        raise DeclarationError(f"holding: no state is of {joint!r}{nearest(joint, owners)}")
    keep = [i for i, owner in enumerate(owners) if owner not in joints]
    return replace(
        linear, A=linear.A[np.ix_(keep, keep)], B=linear.B[keep], C=linear.C[:, keep],
        states=tuple(linear.states[i] for i in keep),
    )  # fmt: skip


def balance(A: np.ndarray) -> np.ndarray:
    """Powers of two d that make rows and columns of D⁻¹ A D alike in size (Osborne).

    >>> balance(np.array([[0.0, 2.0**40], [1.0, 0.0]])).tolist()
    [1048576.0, 1.0]
    """
    d = np.ones(len(A))
    size = np.abs(A) - np.diag(np.abs(np.diag(A)))
    for _ in range(50):
        before = d.copy()
        for i in range(len(A)):
            scaled = size * d / d[:, None]
            row, column = scaled[i].sum(), scaled[:, i].sum()
            if row > 0 and column > 0:
                d[i] *= 2.0 ** np.round(0.5 * np.log2(row / column))
        if (before == d).all():
            break
    return d


def exponential(M: np.ndarray) -> np.ndarray:
    """exp(M): Taylor series of a matrix halved until it is small, squared back."""
    halvings = max(0, int(np.ceil(np.log2(max(np.abs(M).sum(axis=1).max(), 1e-300)))) + 1)
    small = M / 2.0**halvings
    total = term = np.eye(len(M))
    for k in range(1, 19):
        term = term @ small / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total
