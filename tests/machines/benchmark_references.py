"""The benchmark machines apart from this package: their equations in other coordinates, integrated with SciPy."""

from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

from oleodyn.studies.loop_benchmarks_published import ANGLES

G = 9.81

# ------------------------------------------------------------------ Andrews' squeezing mechanism

RR, D, SS, E, ZT, ZF, U = 0.007, 0.028, 0.035, 0.02, 0.04, 0.02, 0.04
"""Links O-F, F-E, B-E, G-E, A-G, H-E, A-H, named as there [m]."""


@cache
def andrews():
    """The angles at 0.03 s, DOP853 at 2e-14 on their accelerations, in the seven angles of the Test Set."""
    from oleodyn.catalogue.andrews import START

    start = np.array([START[name] for name in ANGLES])
    found = solve_ivp(
        lambda _, y: np.r_[y[7:], _andrews_accelerations(y[:7], y[7:])], (0, 0.03), np.r_[start, 0 * start],
        method="DOP853", rtol=2.3e-14, atol=1e-13,
    )  # fmt: skip
    return found.y[:7, -1]


def _andrews_accelerations(q, v):
    M, f = _andrews_motion(q, v)
    D_q, gamma = _andrews_closure(q, v)
    A = np.block([[M, D_q.T], [D_q, np.zeros((6, 6))]])
    return np.linalg.solve(A, np.r_[f, -gamma])[:7]


def _andrews_closure(q, v):
    """∂Φ/∂q and γ of E − E = 0 for three chains, each link r exp(i (w · q + shift))."""
    right = np.pi / 2
    b, T, c, P, d, W, e = np.eye(7)
    shared = [(RR, b, 0.0), (-D, b + T, 0.0)]
    others = [
        [(SS, c, -right)], [(E, P + d, -right), (ZT, d, 0.0)], [(ZF, W + e, 0.0), (U, e, -right)],
    ]  # fmt: skip
    rows, bias = [], []
    for links in others:
        terms = shared + [(-r, w, shift) for r, w, shift in links]
        arms = [(r * np.exp(1j * (w @ q + shift)), w) for r, w, shift in terms]
        row, gamma = sum(1j * z * w for z, w in arms), sum(-z * (w @ v) ** 2 for z, w in arms)
        rows += [row.real, row.imag]
        bias += [gamma.real, gamma.imag]
    return np.array(rows), np.array(bias)


def _andrews_motion(q, v):
    """Mass matrix and forces: each centre of mass is a sum of arms, as above; the spring pulls D on K3 to C."""
    b, T, c, P, d, W, e = np.eye(7)
    right = np.pi / 2
    bodies = [  # mass, inertia, rates of the body's angle, arms to its centre of mass
        (0.04325, 2.194e-6, b, [(0.00092, b, 0.0)]),
        (0.00365, 4.410e-7, b + T, [(RR, b, 0.0), (-0.0115, b + T, 0.0)]),
        (0.02373, 5.255e-6, c, [(0.01043, c, 0.0), (0.01874, c, -right)]),
        (0.00706, 5.667e-7, P + d, [(ZT, d, 0.0), (E - 0.01421, P + d, -right)]),
        (0.07050, 1.169e-5, d, [(0.02308, d, 0.0), (0.00916, d, right)]),
        (0.00706, 5.667e-7, W + e, [(U, e, -right), (ZF - 0.01421, W + e, 0.0)]),
        (0.05498, 1.912e-5, e, [(0.01228, e, -right), (-0.00449, e, 0.0)]),
    ]
    M, f = np.zeros((7, 7)), 0.033 * b
    for m, J, rates, arms in bodies:
        z = [(r * np.exp(1j * (w @ q + shift)), w) for r, w, shift in arms]
        jacobian = sum(1j * arm * w for arm, w in z)
        bias = sum(-arm * (w @ v) ** 2 for arm, w in z)
        M += m * np.outer(jacobian.conj(), jacobian).real + J * np.outer(rates, rates)
        f = f - m * (jacobian.conj() * bias).real
    arm = (0.02 - 0.018j) * np.exp(1j * q[2])
    away = -0.03635 + 0.03273j + arm - (0.014 + 0.072j)
    force = -4530 * (abs(away) - 0.07785) * away / abs(away)
    return M, f + (np.conj(1j * arm) * force).real * c


# ------------------------------------------------------------------ Bricard's mechanism

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
HINGES = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], float)


@cache
def bricard(until=10.0):
    """P3 over time as a function, in natural coordinates: four corners and four hinge vectors, 24 numbers.

    All constraints are quadratic and the mass matrix is constant (García de Jalón & Bayo 1994). DOP853
    at 1e-12 on the accelerations of least norm multipliers, put back onto the constraints every 50 ms.
    """
    parts = _BricardRods()
    y, t, pieces = np.r_[parts.start, 0 * parts.start], 0.0, []
    while t < until - 1e-9:
        piece = solve_ivp(parts.rates, (t, t + 0.05), y, method="DOP853", rtol=1e-12, atol=1e-13, dense_output=True)
        pieces.append(piece.sol)
        y, t = parts.closed(piece.y[:, -1]), t + 0.05
    return lambda instants: np.array([pieces[min(int(t / 0.05), len(pieces) - 1)](t)[3:6] for t in instants])


class _BricardRods:
    """Rod i from corner i to i + 1, with hinge vectors i and i + 1: x = corner, vectors; four free ones of each."""

    def __init__(self):
        self.start = np.r_[CORNERS[1:5].ravel(), HINGES[1:5].ravel()]
        A = np.zeros((60, 24))  # d, u, w of each rod and each corner, linear in the unknowns
        b = np.zeros(60)
        for i in range(5):
            ends = (0, -1, i, CORNERS), (0, 1, i + 1, CORNERS), (3, 1, i, CORNERS)
            uses = *ends, (1, 1, i, HINGES), (2, 1, i + 1, HINGES)
            for what, sign, index, fixed in uses:
                rows = slice(12 * i + 3 * what, 12 * i + 3 * what + 3)
                if 1 <= index <= 4:
                    first = 3 * (index - 1) + (12 if fixed is HINGES else 0)
                    A[rows, first : first + 3] += sign * np.eye(3)
                else:
                    b[rows] += sign * fixed[index]
        self.A, self.b = A, b
        pairs = [(12 * i + 3 * j, 12 * i + 3 * k) for i in range(5) for j, k in ((0, 0), (0, 1), (0, 2), (1, 2))]
        self.pairs = pairs + [(12 * i + 6, 12 * i + 6) for i in range(4)]  # lengths, right angles, unit vectors
        self.M, self.f = self._mass()

    def _mass(self):
        """A point of a rod is corner + x d + y u + z w: ∫x² = 1/3, ∫x = 1/2, ∫y² = ∫z² = side²/12, per mass."""
        M, f = np.zeros((24, 24)), np.zeros(24)
        for i in range(5):
            d, u, w, r = (self.A[12 * i + 3 * k : 12 * i + 3 * k + 3] for k in range(4))
            M += r.T @ r + d.T @ d / 3 + (r.T @ d + d.T @ r) / 2 + 0.01 / 12 * (u.T @ u + w.T @ w)
            f += (r + d / 2).T @ np.array([0, -G, 0])
        return M, f

    def constraints(self, x):
        """a · b − (their value at the start), and the Jacobian."""
        at, first = self.A @ x + self.b, self.A @ self.start + self.b
        Phi = [at[a : a + 3] @ at[b : b + 3] - first[a : a + 3] @ first[b : b + 3] for a, b in self.pairs]
        D = [at[a : a + 3] @ self.A[b : b + 3] + at[b : b + 3] @ self.A[a : a + 3] for a, b in self.pairs]
        return np.array(Phi), np.array(D)

    def rates(self, _, y):
        """Speeds and accelerations."""
        x, v = y[:24], y[24:]
        moving = self.A @ v
        gamma = np.array([2 * moving[a : a + 3] @ moving[b : b + 3] for a, b in self.pairs])
        _, D = self.constraints(x)
        free = np.linalg.solve(self.M, np.c_[self.f, D.T])
        lam = np.linalg.lstsq(D @ free[:, 1:], D @ free[:, 0] + gamma, rcond=1e-10)[0]
        return np.r_[v, free[:, 0] - free[:, 1:] @ lam]

    def closed(self, y):
        """The nearest state on the constraints."""
        x, v = y[:24].copy(), y[24:]
        for _ in range(4):
            Phi, D = self.constraints(x)
            x -= np.linalg.lstsq(D, Phi, rcond=1e-10)[0]
        D = self.constraints(x)[1]
        return np.r_[x, v - np.linalg.lstsq(D, D @ v, rcond=1e-10)[0]]


# ------------------------------------------------------------------ flyball governor

M_ROD, M_SLIDER, BALL = 0.3, 3.0, 5.0
ALONG, ACROSS = M_ROD * 2e-4 / 12, M_ROD * 1.0001 / 12
HINGE = ACROSS + M_ROD / 4 + BALL


def spinning(alpha):
    """Moment of inertia about the shaft with the rods alpha below the level, and its derivative."""
    c, s = np.cos(alpha), np.sin(alpha)
    fixed = M_ROD * 2e-4 / 12 + M_SLIDER * 0.02 / 12
    J = fixed + 2 * (
        ALONG * s**2 + ACROSS * c**2 + M_ROD * (0.05 + 0.5 * c) ** 2 + BALL * (0.05 + c) ** 2
    )  # fmt: skip
    dJ = 2 * (2 * (ALONG - ACROSS) * s * c - M_ROD * (0.05 + 0.5 * c) * s - 2 * BALL * (0.05 + c) * s)
    return J, dJ


MOMENTUM = spinning(np.pi / 6)[0] * 2 * np.pi


@cache
def governor(until=10.0):
    """s over time, for symmetric rods with L = J ω kept: two coordinates, Radau at 1e-11."""

    def rates(_, y):
        alpha, s, alpha_dot, s_dot = y
        J, dJ = spinning(alpha)
        x, z = 0.5 * np.cos(alpha), 1 - 0.5 * np.sin(alpha) - s  # coupler, from the slider
        length = np.hypot(x, z)
        x_alpha, z_alpha = -0.5 * np.sin(alpha), -0.5 * np.cos(alpha)
        rate = (x * x_alpha + z * z_alpha) * alpha_dot / length - z * s_dot / length
        pull = 8e5 * (length - 0.5) + 4e4 * rate
        weight = (M_ROD / 2 + BALL) * G * np.cos(alpha)
        turn = MOMENTUM**2 * dJ / (4 * J**2) + weight - pull * (x * x_alpha + z * z_alpha) / length
        return [alpha_dot, s_dot, turn / HINGE, 2 * pull * z / length / M_SLIDER - G]

    return solve_ivp(rates, (0, until), [np.pi / 6, 0.5, 0, 0], method="Radau", rtol=1e-11, atol=1e-12,
                     dense_output=True).sol  # fmt: skip


@cache
def rigid_governor(until=10.0):
    """α over time where the couplers are rigid, s = 1 − sin α: one coordinate, DOP853 at 1e-13."""

    def rates(_, y):
        alpha, alpha_dot = y
        (J, dJ), c, s = spinning(alpha), np.cos(alpha), np.sin(alpha)
        weight = (2 * (M_ROD / 2 + BALL) + M_SLIDER) * G * c
        turn = MOMENTUM**2 * dJ / (2 * J**2) + weight + M_SLIDER * s * c * alpha_dot**2
        return [alpha_dot, turn / (2 * HINGE + M_SLIDER * c**2)]

    return solve_ivp(rates, (0, until), [np.pi / 6, 0], method="DOP853", rtol=1e-13, atol=1e-14, dense_output=True).sol
