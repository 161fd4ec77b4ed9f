"""One or more of every friction law: the seal of Jaiswal (2021), Publication II, and a pipe cutter's axis."""

from oleodyn.friction.bengisu_akay import BengisuAkay
from oleodyn.friction.brown_mcphee import BrownMcPhee
from oleodyn.friction.coulomb_viscous import CoulombViscous
from oleodyn.friction.lugre import LuGre
from oleodyn.friction.modified_lugre import ModifiedLuGre
from oleodyn.friction.rubbing import LineFriction, ShaftFriction
from oleodyn.friction.stribeck import ExponentialStribeck
from oleodyn.friction.viscous import Viscous

seal = dict(F_c=210.0, F_s=830.0, v_s=12.5e-3, sigma_2=330.0)
bristles = dict(sigma_0=54**0.5 * 1e6, sigma_1=10**0.5 * 1e4, n=0.5)
axis = dict(F_c=200.0, F_s=260.0, v_s=0.01, sigma_0=2e6, sigma_1=4e3, sigma_2=800.0)
film = dict(v_b=0.7, tau_hp=0.25, tau_hn=1.5, tau_h0=40.0)

FRICTION = {
    "viscous": Viscous(c=1.944e5),
    "Coulomb and viscous": CoulombViscous(F_c=1200.0, c=3000.0),
    "Stribeck": ExponentialStribeck(**seal),
    "Stribeck, exponent 1/2": ExponentialStribeck(**seal, n=0.5),
    "Bengisu-Akay": BengisuAkay(**seal, xi=50.0),
    "Bengisu-Akay, viscous everywhere": BengisuAkay(**seal, xi=50.0, viscous_everywhere=True),
    "Brown-McPhee": BrownMcPhee(**seal),
    "LuGre, exponent 1/2": LuGre(**seal, **bristles),
    "LuGre of a joint": LuGre(**axis),
    "LuGre with fading damping": LuGre(**axis, v_d=0.4),
    "modified LuGre": ModifiedLuGre(**seal, **bristles, **film),
    "modified LuGre with dwell": ModifiedLuGre(**seal, **bristles, **film, v_dw=1e-6),
    "a guide": LineFriction(law=BrownMcPhee(**seal)),
    "a bearing": ShaftFriction(law=LuGre(**axis, v_d=0.4)),
}
