"""Rubbing: any friction law on a line or a shaft of its own, such as the joint of a mechanism."""

from oleodyn.machine.part import Output, Part, Terms, ingredient
from oleodyn.mechanics.port import LinePort, RotationPort


class LineFriction(Part):
    """Friction of what slides: a guide, a prismatic joint.

    Equations   F of the law against the rate v of the line;   into the line: F
    References  [1] Armstrong-Hélouvry, Dupont & Canudas de Wit (1994) Automatica 30(7) 1083-1138: survey.
    """

    passive = True

    rod = LinePort("what slides")
    law: Part = ingredient("friction law, with its force in N")

    F = Output("N", "friction against the motion")

    def equations(self) -> Terms:
        rubbed = self.law.equations(self.rod.v)
        F = rubbed.out["F"]
        return Terms(into=dict(rod=F), out=dict(F=F), parts=dict(law=rubbed))


class ShaftFriction(Part):
    """Friction of what turns: a bearing, a seal, a revolute joint.

    Equations   F of the law against the speed of the shaft, in N·m;   into the shaft: F
    References  [1] Armstrong-Hélouvry, Dupont & Canudas de Wit (1994) Automatica 30(7) 1083-1138: survey.
    """

    passive = True

    shaft = RotationPort("what turns")
    law: Part = ingredient("friction law, with its force in N·m")

    tau = Output("N·m", "friction against the motion")

    def equations(self) -> Terms:
        rubbed = self.law.equations(self.shaft.speed)
        tau = rubbed.out["F"]
        return Terms(into=dict(shaft=tau), out=dict(tau=tau), parts=dict(law=rubbed))
