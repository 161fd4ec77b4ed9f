"""Gains of a PID from the plant: a bandwidth and a damping are asked for, gains and margins answered.

The plant is the machine linearised where the joint moves: at rest the bristles of a LuGre friction
hold it like a spring, and a plant taken there shows no more than that.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from oleodyn.control.margins import Margins, Step, is_stable, margins, settling, step
from oleodyn.control.pid import Gains
from oleodyn.control.plant import Plant
from oleodyn.errors import DeclarationError


@dataclass(frozen=True, eq=False)
class Selection:
    """Gains, what the loop bears with them, and how it answers a step."""

    gains: Gains
    margins: Margins
    step: Step

    def __str__(self):
        m, s = self.margins, self.step
        return (
            f"K_p = {self.gains.K_p:.4g}, K_i = {self.gains.K_i:.4g}, K_d = {self.gains.K_d:.4g}\n"
            f"gain margin {m.gain_margin:.3g}, phase margin {np.degrees(m.phase_margin):.3g} deg, "
            f"delay margin {1000 * m.delay_margin:.3g} ms, sensitivity {m.sensitivity:.3g}\n"
            f"bandwidth {m.bandwidth:.3g} rad/s; step: rise {s.rise_time:.3g} s, overshoot {s.overshoot:.1%}, "
            f"settled in {s.settling_time:.3g} s, command up to {s.peak_command:.3g} per unit"
        )


def gains_of(
    linear: Any,
    command: str,
    *,
    joint: str | None = None,
    speed: str | None = None,
    bandwidth: float,
    damping: float,
    derivative: float = 0.0,
    period: float | None = None,
) -> Selection:
    """Gains for any joint of any machine, from the machine linearised where that joint moves.

    linear      what `equations.linearise` gives; `plant.holding` keeps its other joints still
    command     the input that moves it, such as "valve.u"
    joint       its position, such as "arm.boom.q"; or `speed`, where the machine knows a speed only
    period      of the controller [s]; none: continuous
    bandwidth, damping, derivative as in `select_gains`
    """
    if (joint is None) == (speed is None):
        raise DeclarationError(
            f"gains_of: joint = {joint!r}, speed = {speed!r}: must be given one of them, and one only"
        )
    if period is not None:
        _above_zero(period=period)
    if joint is not None:
        plant = Plant.of_joint(linear, command, joint, period=period)
    else:
        plant = Plant.of_speed(linear, command, str(speed), period=period)
    return select_gains(plant, bandwidth, damping, derivative=derivative)


def select_gains(plant: Plant, bandwidth: float, damping: float, *, derivative: float = 0.0) -> Selection:
    """Gains that put two poles of the closed loop at the natural frequency and damping asked for.

    Equations   s² + 2 ζ ω s + ω² = 0 gives s;  K_p (G(s) + T_d s G(s)) + K_i G(s) / s = −1
                two real equations for K_p and K_i; exact for the whole plant, its lags and samples
    Arguments   bandwidth ω [rad/s], damping ζ [-], `derivative` T_d = K_d / K_p [s]
    Limits      the other poles go where they must: a loop that is then unstable is refused, with the
                largest bandwidth that can be had.

    >>> integrator = Plant.of(A=[[0.0, 1.0], [0.0, -1e4]], B=[0.0, 2e4], C=[1.0, 0.0])  # 2 rad/s per unit
    >>> gains = select_gains(integrator, bandwidth=3.0, damping=0.5).gains
    >>> [round(k, 3) for k in gains]  # 2 ζ ω / 2 and ω² / 2
    [1.5, 4.499, 0.0]
    """
    _above_zero(bandwidth=bandwidth, damping=damping)
    gains = placed(plant, bandwidth, damping, derivative)
    if gains.K_p < 0 and gains.K_i < 0 and is_stable(plant, gains):
        raise DeclarationError(
            f"K_p = {gains.K_p:.3g}, K_i = {gains.K_i:.3g}: must be above 0, and the joint moves against its command. "
            "Join the drive the other way round (A with B), or give the command the other sign."
        )
    if not _good(plant, gains):
        reachable = largest_bandwidth(plant, bandwidth, damping, derivative)
        remedy = f"The largest that can be had is about {reachable:.3g} rad/s." if reachable else _none_in_words(plant)
        raise DeclarationError(
            f"bandwidth = {bandwidth:g} rad/s with damping {damping:g}: no PID gives it stably "
            f"(K_p = {gains.K_p:.3g}, K_i = {gains.K_i:.3g}). {remedy}"
        )
    return judged(plant, gains)


def _none_in_words(plant: Plant) -> str:
    """Why no bandwidth can be had, as far as the plant tells."""
    drift = float(np.real(plant.eigenvalues).max())
    if drift <= 1e-9 * float(np.abs(plant.eigenvalues).max()):
        return "None can be had."
    return (
        f"None can be had: the plant by itself runs away at {drift:.3g} 1/s, perhaps joints that nothing holds. "
        "Hold them: plant.holding(linear, joints)."
    )


def judged(plant: Plant, gains: Gains) -> Selection:
    """Margins and step response of given gains."""
    return Selection(gains, margins(plant, gains), step(plant, gains, settling(plant, gains)))


def placed(plant: Plant, bandwidth: float, damping: float, derivative: float = 0.0) -> Gains:
    """K_p and K_i that put the two poles there, whatever becomes of the others."""
    if abs(damping - 1) < 1e-6:
        damping = 1 + 1e-6  # two poles that are one give one equation only
    root = np.emath.sqrt(damping**2 - 1)
    s = bandwidth * np.array([-damping + root, -damping - root], dtype=complex)
    q, rate = plant.joint(s)
    columns = np.stack([q + derivative * rate, plant.integral(s) * q], axis=-1)
    if damping < 1:  # the second equation is the conjugate of the first
        A, b = np.stack([columns[0].real, columns[0].imag]), np.array([-1.0, 0.0])
    else:
        A, b = columns.real, np.array([-1.0, -1.0])
    K_p, K_i = np.linalg.solve(A, b)
    return Gains(float(K_p), float(K_i), float(K_p * derivative))


def largest_bandwidth(plant: Plant, bandwidth: float, damping: float, derivative: float = 0.0) -> float:
    """The largest bandwidth up to `bandwidth` that is stable with positive gains [rad/s]; 0 if none is."""
    tried = bandwidth * np.geomspace(1.0, 1e-3, 120)
    return next((float(w) for w in tried if _good(plant, placed(plant, w, damping, derivative))), 0.0)


def error_dynamics(K_d: float, bandwidth: float = 8.0, damping: float = 2.0) -> Gains:
    """Gains in the ratio 1 : 2 ζ ω : ω² of rate, error and integral, for one K_d.

    The PID that a time-delay controller of a second-order plant amounts to [1]: its error obeys
    ë + 2 ζ ω ė + ω² e = 0, and K_d alone remains to be chosen. The printed tables of the pipe
    cutter, K_p = 32 K_d and K_i = 2 K_p, are ω = 8 rad/s and ζ = 2, which are the defaults.

    [1] Chang & Jung (2009) IEEE Trans. Control Syst. Technol. 17(2) 473-483.

    >>> error_dynamics(K_d=0.04)
    Gains(K_p=1.28, K_i=2.56, K_d=0.04)
    """
    _above_zero(K_d=K_d, bandwidth=bandwidth, damping=damping)
    return Gains(2 * damping * bandwidth * K_d, bandwidth**2 * K_d, K_d)


def raised(plant: Plant, shape: Gains, *, gain_margin: float = 2.0, phase_margin: float = np.pi / 4) -> Selection:
    """The largest multiple of `shape` (such as error_dynamics(1)) that keeps both margins."""

    def keeps(factor: float) -> bool:
        gains = Gains(*(factor * k for k in shape))
        if not is_stable(plant, gains):
            return False
        found = margins(plant, gains)
        return found.gain_margin >= gain_margin and found.phase_margin >= phase_margin

    factors = np.geomspace(1e-4, 1e4, 25) / max(abs(shape.K_p * _gain_at_mid(plant)), 1e-300)
    kept = [k for k, factor in enumerate(factors) if keeps(factor)]
    if not kept:
        raise DeclarationError(
            f"no multiple of K_p : K_i : K_d = {shape.K_p:g} : {shape.K_i:g} : {shape.K_d:g} keeps a gain margin of "
            f"{gain_margin:g} and a phase margin of {np.degrees(phase_margin):g} deg. Ask for smaller margins."
        )
    low, high = factors[kept[-1]], factors[min(kept[-1] + 1, len(factors) - 1)]
    for _ in range(18):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if keeps(float(middle)) else (low, middle)
    return judged(plant, Gains(*(float(low) * k for k in shape)))


def _gain_at_mid(plant: Plant) -> float:
    """|G| at the geometric middle of the plant's modes: where to begin to look."""
    modes = np.abs(plant.eigenvalues)
    modes = modes[modes > 1e-6 * max(modes.max(), 1e-300)]
    middle = float(np.exp(np.mean(np.log(modes)))) if len(modes) else 1.0
    if plant.period is not None:
        middle = min(middle, 1 / plant.period)
    return float(np.abs(plant.joint(1j * middle)[0]))


def _good(plant: Plant, gains: Gains) -> bool:
    return gains.K_p > 0 and gains.K_i > 0 and is_stable(plant, gains)


def _above_zero(**values: float) -> None:
    for name, value in values.items():
        if not (np.isfinite(value) and value > 0):
            raise DeclarationError(f"{name} = {value:g}: must be above 0")
