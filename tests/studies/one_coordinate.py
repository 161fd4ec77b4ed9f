"""Publication II's linkage with oil in one coordinate, written anew: no part of oleodyn is used."""

import numpy as np
from scipy.optimize import root

L, M = np.array([2.0, 8.0, 5.0]), np.array([16.0, 64.0, 40.0])
GROUND, G, G_N = 10.0, -1.0, 9.81
A_2, A_3, C_VD, C_T = 5.026548246e-3, 4.064435496e-3, 2.138e-8, 1.09820131e-6
V_H = np.array([4.71e-5, 3.14e-5, 7.85e-5])
STROKE, L_2, S_0, TAU = 0.9, 0.45, 3**0.5, 4e-3
B_OIL, B_HOSE, B_WALL = 1500e6, 550e6, 31500e6


def orifice(C, dp):
    """Flow, linear below 2 bar."""
    return C * dp / np.sqrt(max(abs(dp), 2e5))


def brown_mcphee(v, F_c=210.0, F_s=830.0, v_s=1.25e-2, sigma_2=330.0):
    """Publication II, equation 2.44 of the dissertation."""
    x = abs(v) / v_s
    return (F_c * np.tanh(4 * x) + (F_s - F_c) * x / (x**2 / 4 + 0.75) ** 2) * np.sign(v) + sigma_2 * v * np.tanh(4)


def linkage(z):
    """Mass, half its derivative, torque of the weights, and the cylinder's length and arm at crank angle z."""
    tip = L[0] * np.exp(1j * z)
    reach = abs(GROUND - tip)
    coupler = np.angle(GROUND - tip) + np.arccos((L[1] ** 2 + reach**2 - L[2] ** 2) / (2 * L[1] * reach))
    rocker = np.angle(GROUND - tip - L[1] * np.exp(1j * coupler))
    arms = L * np.exp(1j * np.array([z, coupler, rocker]))
    A = np.array([(1j * arms[1:]).real, (1j * arms[1:]).imag])

    def closed(b):
        return np.linalg.solve(A, [b.real, b.imag])

    turn = np.array([1.0, *closed(-1j * arms[0])])
    bend = np.array([0.0, *closed((turn**2 * arms).sum())])
    middle = np.tril(np.ones((3, 3)), -1) + np.eye(3) / 2
    first, second = middle @ (1j * turn * arms), middle @ ((1j * bend - turn**2) * arms)
    J = M * L**2 / 12
    mass = (M * abs(first) ** 2 + J * turn**2).sum()
    half = (M * (first.conj() * second).real + J * turn * bend).sum()
    line = arms[0] / 2 - G
    s = abs(line)
    return mass, half, -(M * G_N * first.imag).sum(), s, (line.conj() * 1j * arms[0] / 2).real / s


def rates(y, U_ref):
    """Rates of z, ż, p1, p2, p3 and U."""
    z, w, p_1, p_2, p_3, U = y
    mass, half, weight, s, arm = linkage(z)
    v = arm * w
    l_2 = L_2 + s - S_0
    oil = V_H + np.array([0.0, A_2 * l_2, A_3 * (STROKE - l_2)])
    softness = 1 / B_OIL + (V_H / B_HOSE + (oil - V_H) / B_WALL) / oil
    if U >= 0:
        Q_in, Q_out = orifice(C_VD * U, 7.6e6 - p_1), orifice(C_VD * U, p_3 - 0.1e6)
    else:
        Q_in, Q_out = orifice(C_VD * U, p_1 - 0.1e6), orifice(C_VD * U, 7.6e6 - p_3)
    Q_t = orifice(C_T, p_1 - p_2)
    p_dot = np.array([Q_in - Q_t, Q_t - A_2 * v, A_3 * v - Q_out]) / (softness * oil)
    F = p_2 * A_2 - p_3 * A_3 - brown_mcphee(v)
    return np.array([w, (weight + F * arm - half * w * w) / mass, *p_dot, (U_ref - U) / TAU])


def opened(dt, until):
    """Trapezoidal rule from rest, 10 V from the first instant on: the state `until` seconds later."""
    p = (-386.004887 + 3.5e6 * A_3) / A_2
    y, size = np.array([np.pi / 3, 0.0, p, p, 3.5e6, 0.0]), np.array([1.0, 1.0, 1e6, 1e6, 1e6, 10.0])
    for _ in range(round(until / dt)):
        known = y + dt / 2 * rates(y, 10.0)
        found = root(lambda x, known=known: x - (known + dt / 2 * rates(x * size, 10.0)) / size, y / size, tol=1e-13)
        y = found.x * size
    return y
