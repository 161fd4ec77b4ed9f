"""Check valves: one way free, the other way shut; piloted ones, shuttles, make-up valves."""

from oleodyn.hydraulics.edge import Edge, SmoothEdge, flow_constant
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.pressure_valve import opening
from oleodyn.machine.part import Output, Part, Power, Terms, ingredient, parameter
from oleodyn.maths import clip, fmax
from oleodyn.units import bar


class CheckValve(Part):
    """Check valve: A → B from p_open on, fully open p_band later; B → A exactly nothing.

    Equations   Q = Q_nom x root(p_A − p_B) / √dp_nom,   x = (p_A − p_B − p_open) / p_band in 0 … 1
    Assumes     a poppet without mass.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 3; ISO 1219-1 (2012).
    """

    passive = True

    A, B = HydraulicPort("inlet"), HydraulicPort("outlet")

    p_open: float = parameter("Pa", "cracking pressure", within=(0, 1e7), default=0.5 * bar)
    p_band: float = parameter("Pa", "further drop until fully open", above=0, default=1 * bar)
    Q_nom: float = parameter("m³/s", "flow of the open valve at dp_nom", above=0)
    dp_nom: float = parameter("Pa", "drop at Q_nom", above=0, default=5 * bar)
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    x = Output("-", "opening, part of full")

    def equations(self) -> Terms:
        dp = self.A.p - self.B.p
        x = opening(dp, self.p_open, self.p_band)
        Q = flow_constant(self.Q_nom, self.dp_nom) * x * self.edge.root(dp)
        return Terms(into=dict(A=Q, B=-Q), out=dict(x=x), power=Power(lost=dict(throttling=Q * dp)))


class PilotedCheckValve(Part):
    """Pilot-operated check valve: A → B free, B → A only while the pilot X lifts the poppet.

    Equations   lift = (p_A − p_B) + max(ratio (p_X − p_A), 0) − p_open
                x = lift / p_band in 0 … 1,   Q = Q_nom x root(p_A − p_B) / √dp_nom
    Assumes     pilot and poppet without mass, pilot chamber drained to A, no flow into X.
    References  [1] ISO 1219-1 (2012): pilot-operated non-return valve, opened by pilot pressure.
    """

    passive = True

    A, B = HydraulicPort("inlet"), HydraulicPort("locked side")
    X = HydraulicPort("pilot")

    p_open: float = parameter("Pa", "cracking pressure", within=(0, 1e7), default=0.5 * bar)
    p_band: float = parameter("Pa", "further pressure until fully open", above=0, default=1 * bar)
    ratio: float = parameter("-", "pilot area over seat area", within=(0, 20), default=3.0)
    Q_nom: float = parameter("m³/s", "flow of the open valve at dp_nom", above=0)
    dp_nom: float = parameter("Pa", "drop at Q_nom", above=0, default=5 * bar)
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    x = Output("-", "opening, part of full")

    def equations(self) -> Terms:
        A, B, X = self.A.p, self.B.p, self.X.p
        lift = (A - B) + fmax(self.ratio * (X - A), 0.0)
        x = opening(lift, self.p_open, self.p_band)
        Q = flow_constant(self.Q_nom, self.dp_nom) * x * self.edge.root(A - B)
        lost = dict(throttling=Q * (A - B))
        return Terms(into=dict(A=Q, B=-Q, X=0.0), out=dict(x=x), power=Power(lost=lost))


class ShuttleValve(Part):
    """Shuttle valve: C is joined to A or B, whichever is higher; the other is shut.

    Equations   x = (p_A − p_B) / p_band + ½, limited to 0 … 1      ball: 1 at seat B, 0 at seat A
                Q_AC = C x root(p_A − p_C),   Q_BC = C (1 − x) root(p_B − p_C)
    Limits      within ±p_band/2 both seats are partly open.
    References  [1] ISO 1219-1 (2012): shuttle valve.
    """

    passive = True

    A, B = HydraulicPort("inlet A"), HydraulicPort("inlet B")
    C = HydraulicPort("the higher of the two")

    p_band: float = parameter("Pa", "difference over which the ball crosses", above=0, default=0.5 * bar)
    Q_nom: float = parameter("m³/s", "flow of an open seat at dp_nom", above=0)
    dp_nom: float = parameter("Pa", "drop at Q_nom", above=0, default=5 * bar)
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    x = Output("-", "ball: 1 lets A through, 0 lets B through")

    def equations(self) -> Terms:
        A, B, C = self.A.p, self.B.p, self.C.p
        x = clip((A - B) / self.p_band + 0.5, 0.0, 1.0)
        K = flow_constant(self.Q_nom, self.dp_nom)
        Q_AC, Q_BC = K * x * self.edge.root(A - C), K * (1 - x) * self.edge.root(B - C)
        lost = dict(seat_A=Q_AC * (A - C), seat_B=Q_BC * (B - C))
        return Terms(into=dict(A=Q_AC, B=Q_BC, C=-Q_AC - Q_BC), out=dict(x=x), power=Power(lost=lost))


class MakeUpValve(Part):
    """Make-up valve: lets oil from T into A when A falls below it, in proportion to the drop.

    Equations   Q = G max(p_T − p_A, 0)                        from T to A
    References  [1] Papadopoulos & Gonthier (2002), with the make-up flow against cavitation.
    """

    passive = True

    T, A = HydraulicPort("tank"), HydraulicPort("line to be filled")

    G: float = parameter("m³/(s·Pa)", "flow per pascal", within=(0, 1), default=1e-9)

    def equations(self) -> Terms:
        dp = fmax(self.T.p - self.A.p, 0.0)
        Q = self.G * dp
        return Terms(into=dict(T=Q, A=-Q), power=Power(lost=dict(throttling=Q * dp)))
