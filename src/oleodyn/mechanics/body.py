"""Rigid bodies: mass, centre of mass and inertia."""

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Part, parameter
from oleodyn.mechanics.vector import ZERO, Matrix, Vector

NO_INERTIA: Matrix = (ZERO, ZERO, ZERO)


class Body(Part):
    """A rigid body. Its frame is where its joint puts it; com and inertia are given in it.

    Equations   I = ∫ (|r|² 1 − r rᵀ) dm, r from the centre of mass, in the body's axes
    Assumes     a mass distribution that exists: I ≥ 0, and no principal moment above the sum of
                the other two. A point mass, a thin rod and a body without mass are allowed.
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, sec. 2.13.
    """

    mass: float = parameter("kg", "mass", within=(0, float("inf")))
    com: Vector = parameter("m", "centre of mass, in the body frame", shape=(3,), default=ZERO)
    inertia: Matrix = parameter(
        "kg·m²", "inertia about the centre of mass, in the body's axes", shape=(3, 3), default=NO_INERTIA
    )

    def check(self) -> None:
        """An inertia that a mass distribution can have."""
        import numpy as np

        inertia = np.array(self.inertia)
        size = float(abs(inertia).max())
        if abs(inertia - inertia.T).max() > 1e-9 * size:
            raise DeclarationError(
                f"{type(self).__name__}.inertia is not symmetric: {inertia.tolist()}. Check its products of inertia."
            )
        a, b, c = np.linalg.eigvalsh((inertia + inertia.T) / 2)
        if a < -1e-9 * size:
            raise DeclarationError(
                f"{type(self).__name__}.inertia has the principal moment {a:.6g} kg·m²: must not be negative. "
                "Check the signs of its products of inertia."
            )
        if c > (a + b) * (1 + 1e-6) + 1e-12:
            raise DeclarationError(
                f"{type(self).__name__}.inertia has principal moments {a:.6g}, {b:.6g}, {c:.6g} kg·m²: the largest "
                "must not exceed the sum of the other two. Check that it is about the centre of mass."
            )
