"""The saw of the pipe cutter, and one so large that it cuts almost anywhere."""

from math import pi

from oleodyn.contact.chip import FeedFromMotion, NominalFeed
from oleodyn.contact.saw import Saw
from oleodyn.units import deg, mm

CONTACT = {
    "nominal feed": NominalFeed(v=0.2 * mm),
    "feed from motion": FeedFromMotion(period=1 / 30),
    "saw": Saw(
        R_saw=0.15, w=pi, width=4 * mm, chip=NominalFeed(v=0.2 * mm), r_pipe=(0.0, 2.76, -1.445), r_o=30 * mm,
        r_i=25 * mm, tau_s=880e6, phi_s=20 * deg, beta_f=35 * deg, alpha_r=5 * deg,
    ),
    "saw as large as a house": Saw(
        R_saw=2.0, teeth=12, w=pi, width=4 * mm, chip=FeedFromMotion(period=1 / 6), moment=True,
        r_pipe=(0.0, 0.3, -0.2), r_o=1.5, r_i=0.5, tau_s=880e6, phi_s=20 * deg, beta_f=35 * deg, alpha_r=5 * deg,
    ),
}  # fmt: skip
