"""The mass matrix of a tree, by composite bodies.

Equations   M_ij = effort along freedom i of the wrench that accelerates by one, along freedom j,
            all that hangs on j
References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 6.
"""

from oleodyn.machine.part import Expr
from oleodyn.mechanics.freedom import Slide, Wrench
from oleodyn.mechanics.link import WORLD
from oleodyn.mechanics.posture import Posture
from oleodyn.mechanics.vector import IDENTITY, ZERO, Matrix, Vector, add, apply, cross, dot, plus, scale, transposed

LONG, NEAR = 14, 3
"""In chains of more than LONG links, a wrench that must pass more than NEAR goes by way of the root:
carried from link to link it costs some 16 to 36 operations each, at the root 11 and 42 once."""


def mass_matrix(posture: Posture) -> list[list[Expr]]:
    """M(q), rows and columns in the order of the speeds."""
    return _MassMatrix(posture).M


class _MassMatrix:
    def __init__(self, posture: Posture):
        self.posture, self.links, self.ways = posture, posture.links, posture.ways
        size = len(posture.v)
        self.M: list[list[Expr]] = [[0.0] * size for _ in range(size)]
        self.root, self.depth = self._chains()
        self.pose = self._poses()
        self.screws = {i: self.links[i].freedom.screws(R, r) for i, (R, r) in self.pose.items()}
        for i, (link, mass) in enumerate(zip(self.links, posture.beyond, strict=True)):
            for column, wrench in enumerate(link.freedom.pushes(mass.m, mass.mc, mass.J), start=link.v):
                for row, effort in enumerate(link.freedom.efforts(wrench), start=link.v):
                    self.M[row][column] = effort
                if i in self.pose and self.depth[i] > NEAR:
                    self._carry(self._by_the_root(wrench, i, column), self.root[i], column)
                else:
                    self._carry(wrench, i, column)

    def _carry(self, wrench: Wrench, i: int, column: int) -> None:
        """Entries of a column for all links before link i, where the wrench acts."""
        while self.links[i].parent != WORLD:
            wrench, i = self.ways[i].wrench_up(wrench), self.links[i].parent
            link = self.links[i]
            for row, effort in enumerate(link.freedom.efforts(wrench), start=link.v):
                self.M[row][column] = self.M[column][row] = effort

    # ------------------------------------------------------------------ long chains

    def _chains(self) -> tuple[list[int], list[int]]:
        """For each link the root of its chain and how many links lie between, slides under a floating base apart."""
        root: list[int] = []
        depth: list[int] = []
        for i, link in enumerate(self.links):
            above = link.parent
            first = above == WORLD or (isinstance(self.links[above].freedom, Slide) and depth[above] == 0)
            root.append(i if first else root[above])
            depth.append(0 if first else depth[above] + 1)
        return root, depth

    def _poses(self) -> dict[int, tuple[Matrix, Vector]]:
        """R and r of the links of long chains in the frame of their root."""
        long = {root for root, depth in zip(self.root, self.depth, strict=True) if depth > LONG}
        pose: dict[int, tuple[Matrix, Vector]] = {}
        for i, (link, way) in enumerate(zip(self.links, self.ways, strict=True)):
            if self.root[i] == i:
                pose[i] = IDENTITY, ZERO
            elif self.root[i] in long:
                (R, r), x, y, z = pose[link.parent], *(way.down(row) for row in pose[link.parent][0])
                r = add(add(r, apply(R, way.r)), scale(way.along, transposed((x, y, z))[2]))
                pose[i] = (x, y, z), r
        return {i: at for i, at in pose.items() if self.root[i] in long}

    def _by_the_root(self, wrench: Wrench, i: int, column: int) -> Wrench:
        """Entries of a column for the links from the root to link i; the wrench about the root."""
        R, r = self.pose[i]
        f = apply(R, wrench[0])
        n = add(apply(R, wrench[1]), cross(r, f))
        above = i
        while above != self.root[i]:
            above = self.links[above].parent
            for row, (turning, pushing) in enumerate(self.screws[above], start=self.links[above].v):
                self.M[row][column] = self.M[column][row] = plus(dot(turning, n), dot(pushing, f))
        return f, n
