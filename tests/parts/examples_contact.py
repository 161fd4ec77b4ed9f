"""The saw of the pipe cutter."""

from math import pi

from oleodyn.contact.saw import Saw
from oleodyn.units import deg, mm

CONTACT = {
    "saw": Saw(
        R_saw=0.15, w=pi, width=4 * mm, v_feed=0.2 * mm, r_pipe=(0.0, 2.76, -1.445), r_o=30 * mm, r_i=25 * mm,
        tau_s=880e6, phi_s=20 * deg, beta_f=35 * deg, alpha_r=5 * deg,
    ),
}  # fmt: skip
