"""The dissertation's own formulation of trees (2.1)-(2.19), in numbers: to check the engine's against.

Bodies hang on revolute and prismatic joints; everything is in world axes. Reference points lie at
the world's origin (Z) or at the centres of mass (Y).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from oleodyn.mechanics.body import Body
from oleodyn.mechanics.joint import Joint, Prismatic, Revolute
from oleodyn.mechanics.mechanism import Mechanism

GRAVITY = (0.0, -9.81, 0.0)


def random_tree(seed: int = 7) -> Mechanism:
    """Seven bodies, two branches, two slides, arbitrary axes, full inertias."""
    import numpy as np

    chance = np.random.default_rng(seed)
    parents = ("world", "b1", "b2", "b3", "b2", "b5", "b1")
    bodies, joints = {}, {}
    for i, parent in enumerate(parents, start=1):
        cloud = chance.normal(size=(3, 6))
        inertia = np.trace(cloud @ cloud.T) * np.eye(3) - cloud @ cloud.T
        com: Any = chance.normal(size=3)
        bodies[f"b{i}"] = Body(mass=float(chance.uniform(1, 5)), com=com, inertia=inertia)
        kind = Prismatic if i in (3, 6) else Revolute
        axis: Any = chance.normal(size=3)
        place: Any = chance.normal(size=3)
        joints[f"z{i}"] = kind(
            parent=parent, child=f"b{i}", position=place, axis=axis / np.linalg.norm(axis),
            q_0=float(chance.uniform(-1, 1)), q_dot_0=float(chance.uniform(-1, 1)),
        )  # fmt: skip
    return Mechanism(gravity=GRAVITY, bodies=bodies, joints=joints)


@dataclass(frozen=True, eq=False)
class Tree:
    """A mechanism at angles z with rates z_dot, numerically."""

    mechanism: Mechanism
    z: Any
    z_dot: Any

    @cached_property
    def placed(self) -> list[dict[str, Any]]:
        """For each body A, origin o, centre of mass g, axis n, joint r, spin ω, and its path to the ground."""
        import numpy as np

        places: dict[str, dict[str, Any]] = {"world": dict(A=np.eye(3), o=np.zeros(3), w=np.zeros(3), path=())}
        found = []
        for i, joint in enumerate(self.mechanism.joints.values()):
            p, body = places[joint.parent], self.mechanism.bodies[joint.child]
            r, n = p["o"] + p["A"] @ joint.position, p["A"] @ np.array(_axis(joint))
            turning = isinstance(joint, Revolute)
            A = (_turn(n, self.z[i]) if turning else np.eye(3)) @ p["A"]
            o = r if turning else r + n * self.z[i]
            here = dict(A=A, o=o, r=r, n=n, g=o + A @ body.com, turning=turning, path=(*p["path"], i))
            here["w"] = p["w"] + (n * self.z_dot[i] if turning else 0.0)
            here["parent"] = p
            here["m"], here["J"] = body.mass, A @ np.array(body.inertia) @ A.T
            places[joint.child] = here
            found.append(here)
        return found

    def origin_form(self) -> tuple[Any, Any]:
        """M and Q with reference points at the origin (Z)."""
        import numpy as np

        n = len(self.placed)
        TR, d = np.zeros((6 * n, n)), np.zeros(6 * n)
        M, Q = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
        for j, here in enumerate(self.placed):
            rows = slice(6 * j, 6 * j + 6)
            for k in here["path"]:
                b, d_k = self._step(self.placed[k], k)
                TR[rows, k] = b
                d[rows] += d_k
            m, g, J, w = here["m"], here["g"], here["J"], here["w"]
            G, W = _tilde(g), _tilde(w)
            M[rows, rows] = np.block([[m * np.eye(3), -m * G], [m * G, J - m * G @ G]])
            f = m * np.array(self.mechanism.gravity) - W @ W @ (m * g)
            Q[rows] = np.concatenate([f, -W @ J @ w + G @ f])
        return TR.T @ M @ TR, TR.T @ (Q - M @ d)

    def _step(self, here: dict[str, Any], k: int) -> tuple[Any, Any]:
        """b and d of one joint, d corrected for material accelerations."""
        import numpy as np

        w_p, w, n, r, rate = here["parent"]["w"], here["w"], here["n"], here["r"], self.z_dot[k]
        if not here["turning"]:
            return np.concatenate([n, np.zeros(3)]), np.concatenate([2 * np.cross(w_p, n) * rate, np.zeros(3)])
        n_dot = np.cross(w_p, n) * rate
        turning = np.cross(w_p, np.cross(w_p, r)) - np.cross(w, np.cross(w, r))
        return np.concatenate([np.cross(r, n), n]), np.concatenate([-np.cross(n_dot, r) + turning, n_dot])

    @cached_property
    def jacobian(self) -> Any:
        """R: velocities and spins of the centres of mass by ż."""
        import numpy as np

        n = len(self.placed)
        R = np.zeros((6 * n, n))
        for j, here in enumerate(self.placed):
            for k in here["path"]:
                axis, turning = self.placed[k]["n"], self.placed[k]["turning"]
                lever = np.cross(axis, here["g"] - self.placed[k]["r"])
                R[6 * j : 6 * j + 6, k] = np.concatenate([lever, axis] if turning else [axis, np.zeros(3)])
        return R

    def centre_form(self) -> tuple[Any, Any]:
        """M and Q with reference points at the centres of mass (Y)."""
        import numpy as np

        n, h = len(self.placed), 1e-6
        M, Q = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
        for j, here in enumerate(self.placed):
            rows = slice(6 * j, 6 * j + 6)
            M[rows, rows] = np.block([[here["m"] * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), here["J"]]])
            Q[rows] = np.concatenate(
                [here["m"] * np.array(self.mechanism.gravity), -np.cross(here["w"], here["J"] @ here["w"])]
            )
        ahead, behind = (Tree(self.mechanism, self.z + side * h * self.z_dot, self.z_dot).jacobian for side in (1, -1))
        bias = (ahead - behind) / (2 * h) @ self.z_dot
        return self.jacobian.T @ M @ self.jacobian, self.jacobian.T @ (Q - M @ bias)

    def kinetic(self) -> float:
        """Σ ½ m ġ² + ½ ωᵀ J ω, body by body, by the velocity of each."""
        total = 0.0
        for here, twist in zip(self.placed, (self.jacobian @ self.z_dot).reshape(-1, 6), strict=True):
            spin = here["A"].T @ here["w"]
            inertia = here["A"].T @ here["J"] @ here["A"]
            total += 0.5 * here["m"] * twist[:3] @ twist[:3] + 0.5 * spin @ inertia @ spin
        return float(total)

    def lagrange(self) -> Any:
        """Q of M z̈ = Q from Lagrange's equations, by differences of energies."""
        import numpy as np

        n, h = len(self.z), 1e-5

        def energies(z: Any, z_dot: Any) -> tuple[Any, float]:
            tree = Tree(self.mechanism, z, z_dot)
            M = tree.centre_mass()
            height = sum(here["m"] * np.array(self.mechanism.gravity) @ here["g"] for here in tree.placed)
            return M, 0.5 * z_dot @ M @ z_dot + float(height)

        Q = np.zeros(n)
        for k in range(n):
            e = np.eye(n)[k] * h
            Q[k] = (energies(self.z + e, self.z_dot)[1] - energies(self.z - e, self.z_dot)[1]) / (2 * h)
        ahead, behind = (energies(self.z + side * h * self.z_dot, self.z_dot)[0] for side in (1, -1))
        return Q - (ahead - behind) / (2 * h) @ self.z_dot

    def centre_mass(self) -> Any:
        """M alone, from the centres of mass."""
        M = 0.0
        for j, here in enumerate(self.placed):
            R = self.jacobian[6 * j : 6 * j + 6]
            M = M + here["m"] * R[:3].T @ R[:3] + R[3:].T @ here["J"] @ R[3:]
        return M


def _axis(joint: Joint) -> Any:
    assert isinstance(joint, (Revolute, Prismatic))
    return joint.axis


def _tilde(a: Any) -> Any:
    import numpy as np

    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def _turn(n: Any, angle: float) -> Any:
    import numpy as np

    N = _tilde(n)
    return np.eye(3) + np.sin(angle) * N + (1 - np.cos(angle)) * N @ N
