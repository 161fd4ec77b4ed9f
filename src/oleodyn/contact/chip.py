"""How thick a chip the teeth of a saw take: for a steady feed, or for the way that the tool really made."""

from oleodyn.machine.part import Output, Part, State, Terms, parameter
from oleodyn.maths import fmax

CHIP = Output("m", "chip of a tooth that moves straight along the feed")


def fresh(x, cut, begun):
    """Chip of the next tooth, and the furthest advance that is then cut [m].

    What lies behind `cut` is gone: a tool that comes back to it takes nothing there.

    >>> fresh(x=0.75, cut=0.5, begun=1), fresh(x=0.25, cut=0.5, begun=1)
    ((0.25, 0.75), (0.0, 0.5))
    >>> fresh(x=0.75, cut=0.0, begun=0)  # the first sample: nothing is cut yet, here is where it begins
    (0.0, 0.75)
    """
    return begun * fmax(x - cut, 0.0), x + begun * fmax(cut - x, 0.0)


class NominalFeed(Part):
    """Chips of a steady feed, whatever the tool does.

    Equations   h = v T                    T: time from tooth to tooth
    Assumes     the tool keeps to its feed; by how much it does not, changes no chip.
    References  [1] Kim, Lee, Kim (2021) IEEE Access 9, eq. (9).
    """

    v: float = parameter("m/s", "nominal feed", within=(0, 1))

    h = CHIP

    def equations(self, x, T) -> Terms:
        del x
        return Terms(out=dict(h=self.v * T))


class FeedFromMotion(Part):
    """Chips of the tool's own advance: what it has gained on the furthest cut since the tooth before.

    Equations   at every tooth k:  h_k = max(0, x_k − c_{k−1}),  c_k = max(c_{k−1}, x_k),   held over T
                c_0 = x_0                  x: advance of the saw along the feed
    Limits      the chips add up to the advance, Σ h_k = max x_k − x_0, however the tool shakes: so a
                whole cut takes the energy of the wall, as with `NominalFeed`, but for what each tooth
                leaves at the rough rim (0.3 % on the pipe cutter). Chips of the tool's momentary speed
                would not: shaking at the teeth's own pace, it would cut the same steel twice.
    Assumes     one kerf along the feed: advance across it takes no chip of its own. `period` stays
                what it was when the machine was assembled.
    References  [1] Altintas (2012) Manufacturing Automation, 2nd ed., sec. 4: chips from one tooth to the next.
    """

    samples = "period"

    period: float = parameter("s", "time from tooth to tooth, 2π / (w · teeth) of the saw", above=0)

    cut = State("m", "furthest advance that is cut", kind="position", nominal=1e-3, sampled=True)
    taken = State("m", "chip of this tooth, held until the next", kind="position", nominal=1e-5, sampled=True)
    begun = State("-", "1 once the first tooth has passed", sampled=True)

    h = CHIP

    def equations(self, x, T) -> Terms:
        del T
        taken, cut = fresh(x, self.cut, self.begun)
        return Terms(next=dict(cut=cut, taken=taken, begun=1.0), out=dict(h=self.taken))
