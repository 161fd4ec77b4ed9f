"""Efficiencies: how the loss of a motor's gears and bearings takes its share of the torque."""

from oleodyn.machine.part import Part, parameter
from oleodyn.maths import fabs, tanh


def motor_torque(dp, D_n, eta):
    """Torque (or force) at a joint that the oil drives [N·m or N]: η D_n dp, D_n the displacement per joint unit.

    >>> round(motor_torque(dp=140e5, D_n=80.5e-6 / 6.2832, eta=0.836), 1)  # OMP80: 150 N·m
    150.0
    """
    return eta * D_n * dp


def quadrant_torque(tau, w, eta, w_lam):
    """Torque left of an ideal one [N·m]: the loss always brakes, whoever drives.

    τ − (1 − η) |τ| tanh(ω / w_lam): η τ where the oil drives, (2 − η) τ where the load does.

    >>> round(quadrant_torque(tau=180.0, w=50.0, eta=0.85, w_lam=1.0), 9)
    153.0
    >>> round(quadrant_torque(tau=180.0, w=-50.0, eta=0.85, w_lam=1.0), 9)
    207.0
    """
    return tau - (1 - eta) * fabs(tau) * tanh(w / w_lam)


class QuadrantEfficiency(Part):
    """Efficiency that loses power in all four quadrants.

    Equations   τ = τ_ideal − (1 − η) |τ_ideal| tanh(ω / w_lam)      ω: speed of the motor
    Limits      at rest nothing is lost: the oil carries the load as it is.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 4: torque efficiency of motors.
    """

    passive = True

    w_lam: float = parameter("rad/s", "speed of the motor over which the loss turns round", above=0, default=1.0)

    def torque(self, dp, D_n, w, eta):
        """What is left of the ideal torque (or force) D_n dp at the speed of the motor."""
        return quadrant_torque(D_n * dp, w, eta, self.w_lam)


class PublishedEfficiency(Part):
    """Efficiency as printed: η multiplies the torque, whoever drives.

    Equations   τ = η τ_ideal
    Limits      where the load drives the motor the oil is spared what η takes: (1 − η)|τ_ideal ω|
                appears from nowhere. At rest the oil carries 1/η of the load.
    References  [1] Kim, Lee & Kim (2021) IEEE Access 9, eq. 4.
    """

    passive = True
    exceptions = {"passive": "η multiplies the torque also where the load drives the motor, as printed"}

    def torque(self, dp, D_n, w, eta):
        """What is left of the ideal torque (or force) D_n dp."""
        return motor_torque(dp, D_n, eta)


Efficiency = QuadrantEfficiency | PublishedEfficiency
"""what motors take as `efficiency`: these, or any part with a method torque(dp, D_n, w, eta)"""
