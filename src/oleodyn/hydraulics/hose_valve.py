"""Valves seen together with the oil columns of their hoses, as training simulators do."""

from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Input, Output, Part, Power, State, Terms, parameter
from oleodyn.maths import clip, fabs, fmax, signed_root, where


def progressive_conductance(u, u_db, u_max, K_v, a=(0.20, 0.55, 0.25)):
    """Conductance of an overlapped, progressive spool [m³/(s·√Pa)]: K_v (a₁ s + a₂ s² + a₃ s³).

    s is the opening beyond the dead band u_db, from 0 to 1.

    >>> f"{1 / progressive_conductance(u=5.0, u_db=1.0, u_max=10.0, K_v=1.667e-6) ** 2:.6e}"
    '7.470401e+12'
    """
    s = clip((fabs(u) - u_db) / (u_max - u_db), 0.0, 1.0)
    return K_v * s * (a[0] + s * (a[1] + s * a[2]))


class HoseValve43(Part):
    """Overlapped 4/3 valve with the inertance of the hoses at A and B.

    Equations   C_R = min(1/g(u)², C_R_max),   valve closed where the maximum is reached
                open:    I_A Q̇_A = p_SA − C_R Q_A |Q_A| − p_A       valve → hose A
                         I_B Q̇_B = p_B − p_SB − C_R Q_B |Q_B|       hose B → valve
                closed:  τ Q̇ = Q_res − Q,   Q_res = root(Δp / C_R_max), and nothing passes:
                         Q_A and Q_B are then shadows that wait for the valve to open
                p_SA, p_SB = p_P, p_T for u ≥ 0, else p_T, p_P
    Assumes     a spool without lag; the hoses' capacities are parts of their own (Volume or Hose).
                u comes from a sampled controller, so the valve opens and closes on samples.
    References  [1] Papadopoulos & Gonthier (2002): eq. 13-15 and A6, with corrected signs.
    """

    exceptions = {"jump": "the valve opens, closes and swaps its sources between two instants, as printed"}

    P, T = HydraulicPort("supply"), HydraulicPort("tank")
    A, B = HydraulicPort("far end of hose A"), HydraulicPort("far end of hose B")

    K_v: float = parameter("m³/(s·√Pa)", "conductance of one edge fully open", above=0)
    u_db: float = parameter("V", "voltage at which the valve begins to open", within=(0, 9.9), default=1.0)
    u_max: float = parameter("V", "voltage at which it is fully open", above=0, default=10.0)
    a: tuple[float, float, float] = parameter(
        "-", "shares of s, s², s³ in the conductance", shape=(3,), default=(0.20, 0.55, 0.25)
    )
    C_R_max: float = parameter("kg/m⁷", "resistance from which the valve counts as closed", above=0, default=1e16)
    I_A: float = parameter("kg/m⁴", "inertance ρ L / area of hose A", above=0)
    I_B: float = parameter("kg/m⁴", "inertance ρ L / area of hose B", above=0)
    tau: float = parameter("s", "time in which the shadow flows follow", above=0, default=0.01)
    dp_lam: float = parameter("Pa", "drop over which the root of Q_res turns round", above=0, default=100.0)

    u = Input("V", "command: positive opens P→A and B→T", within=(-10, 10))
    Q_A = State("m³/s", "flow from the valve into hose A", kind="flow", nominal=1e-3)
    Q_B = State("m³/s", "flow from hose B into the valve", kind="flow", nominal=1e-3)
    opened = Output("-", "1 open, 0 closed")

    def equations(self) -> Terms:
        P, A, B, T = self.P.p, self.A.p, self.B.p, self.T.p
        forward = self.u >= 0
        dp_A, dp_B = where(forward, P, T) - A, B - where(forward, T, P)
        g = progressive_conductance(self.u, self.u_db, self.u_max, self.K_v, self.a)
        C_R = 1 / fmax(g * g, 1 / self.C_R_max)
        opened = g * g > 1 / self.C_R_max

        def rate(Q, dp, I):
            shadow = (signed_root(dp, self.dp_lam) / self.C_R_max**0.5 - Q) / self.tau
            return where(opened, (dp - C_R * Q * fabs(Q)) / I, shadow)

        def lost(Q, Q_dot, I):
            return where(opened, C_R * Q * Q * fabs(Q), -I * Q * Q_dot)

        Q_A_dot, Q_B_dot = rate(self.Q_A, dp_A, self.I_A), rate(self.Q_B, dp_B, self.I_B)
        Q_A, Q_B = where(opened, self.Q_A, 0.0), where(opened, self.Q_B, 0.0)
        return Terms(
            der=dict(Q_A=Q_A_dot, Q_B=Q_B_dot),
            into=dict(A=-Q_A, B=Q_B, P=where(forward, Q_A, -Q_B), T=where(forward, -Q_B, Q_A)),
            out=dict(opened=where(opened, 1.0, 0.0)),
            power=Power(lost=dict(edge_A=lost(self.Q_A, Q_A_dot, self.I_A), edge_B=lost(self.Q_B, Q_B_dot, self.I_B))),
            energy=dict(hose_A=self.I_A * self.Q_A**2 / 2, hose_B=self.I_B * self.Q_B**2 / 2),
        )
