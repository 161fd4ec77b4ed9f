"""PID position control of one joint, sampled: it acts at its instants and holds its command between."""

from dataclasses import replace
from typing import Any, NamedTuple

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Declaration, Input, Output, Part, State, Terms, parameter, structure
from oleodyn.maths import clip, fabs, where

COMMANDS = ("A", "V", "-")
AXES = ("rad", "m")


class Gains(NamedTuple):
    """What a PID makes of an error, of its integral and of its rate."""

    K_p: Any
    K_i: Any = 0.0
    K_d: Any = 0.0


def pid(e, e_dot, integral, gains, period, u_max, ahead=0.0, anti_windup=True):
    """Command and integral after one sample: integrate first, then add up, then clamp.

    The integral is that of K_i e, in the unit of the command, so that changing K_i gives no jump.
    With `anti_windup` it stands still while the command is clamped and e would drive it further out.

    >>> pid(e=0.5, e_dot=0.0, integral=1.0, gains=Gains(K_p=2.0, K_i=4.0), period=0.25, u_max=10.0)
    (2.5, 1.5)
    >>> pid(e=6.0, e_dot=0.0, integral=1.0, gains=Gains(K_p=2.0, K_i=4.0), period=0.25, u_max=10.0)
    (10.0, 1.0)
    """
    moved = integral + gains.K_i * e * period
    rest = ahead + gains.K_d * e_dot + gains.K_p * e
    if anti_windup:
        beyond = rest + moved - clip(rest + moved, -u_max, u_max)
        moved = where(beyond * (moved - integral) > 0, integral, moved)
    return clip(rest + moved, -u_max, u_max), moved


class PID(Part):
    """Position controller of one joint (revolute or prismatic) with a held command.

    Equations   every `period`:  e = q_ref − q,  I ← I + K_i e period
                u ← K_d (v_ref − v) + K_p e + I + K_ff v_ref,  clamped to ±u_max
                with `derivative_on_measurement` −K_d v in place of K_d (v_ref − v)
    Limits      while clamped, I does not run further out (`anti_windup`).
    Units       K_p in command per joint unit: 1.28 mA/deg, 3.2 mA/mm; `axis` is rad or m,
                `command` A, V or - (share of the full command).
    References  [1] Kim, Lee, Kim (2021) IEEE Access 9, eq. (30).
                [2] Åström & Hägglund (1995) PID Controllers, ch. 3: windup, derivative on measurement.
    """

    samples = "period"

    K_p: float = parameter("A/rad|A/m|V/rad|V/m|1/rad|1/m", "command per error", within=(0, 1e9))
    K_i: float = parameter("A/(rad·s)|A/(m·s)|V/(rad·s)|V/(m·s)|1/(rad·s)|1/(m·s)", "command per integral of the error",
                           within=(0, 1e9), default=0.0)  # fmt: skip
    K_d: float = parameter("A·s/rad|A·s/m|V·s/rad|V·s/m|s/rad|s/m", "command per rate of the error", within=(0, 1e9),
                           default=0.0)  # fmt: skip
    K_ff: float = parameter("A·s/rad|A·s/m|V·s/rad|V·s/m|s/rad|s/m", "command per reference rate", default=0.0)
    u_max: float = parameter("A|V|-", "largest command", above=0)
    u_0: float = parameter("A|V|-", "command at the start, kept up by the integral", default=0.0)
    period: float = parameter("s", "time between samples", above=0, default=0.01)
    anti_windup: bool = structure("the integral stands still while the command is clamped", default=True)
    derivative_on_measurement: bool = structure("K_d acts on the measured rate alone", default=False)
    axis: str = structure("unit of the joint: rad or m", default="rad")
    command: str = structure("unit of the command: A, V or -", default="A")

    q_ref = Input("rad", "where the joint shall be")
    v_ref = Input("rad/s", "how fast it shall move")
    q = Input("rad", "where the joint is")
    v = Input("rad/s", "how fast it moves")

    integral = State("A", "share of the command from the integral", kind="controller", nominal=1e-3, sampled=True)
    u = State("A", "command, held between samples", kind="controller", nominal=1e-3, sampled=True)
    e = State("rad", "error of the joint at the last sample", kind="controller", nominal=1e-3, sampled=True)

    saturated = Output("-", "1 while the command is clamped")

    def check(self):
        """A unit for the joint and for the command."""
        for name, known in (("axis", AXES), ("command", COMMANDS)):
            if getattr(self, name) not in known:
                raise DeclarationError(
                    f"PID.{name} = {getattr(self, name)!r}: must be {', '.join(known[:-1])} or {known[-1]}"
                )
        if abs(self.u_0) > self.u_max:
            raise DeclarationError(f"PID.u_0 = {self.u_0:g} {self.command}: must lie within ±u_max = {self.u_max:g}")

    def declaration(self) -> Declaration:
        """Signals in the units of this joint and this command."""
        declared = super().declaration()
        units = {"rad": self.axis, "rad/s": f"{self.axis}/s", "A": self.command, "-": "-"}
        typical = 1e-3 if self.command == "A" else 0.1
        return replace(
            declared,
            inputs={name: replace(item, unit=units[item.unit]) for name, item in declared.inputs.items()},
            outputs={name: replace(item, unit=units[item.unit]) for name, item in declared.outputs.items()},
            states={
                name: replace(s, unit=units[s.unit], nominal=typical if s.unit == "A" else s.nominal)
                for name, s in declared.states.items()
            },
        )

    def equations(self) -> Terms:
        """What changes at the next sample."""
        e = self.q_ref - self.q
        e_dot = -self.v if self.derivative_on_measurement else self.v_ref - self.v
        gains = Gains(self.K_p, self.K_i, self.K_d)
        ahead = self.K_ff * self.v_ref
        u, integral = pid(e, e_dot, self.integral, gains, self.period, self.u_max, ahead, self.anti_windup)
        return Terms(
            next=dict(integral=integral, u=u, e=e),
            start=dict(integral=self.u_0, u=self.u_0),
            out=dict(saturated=where(fabs(self.u) >= self.u_max, 1.0, 0.0)),
        )
