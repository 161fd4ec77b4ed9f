"""Linkages with closed loops that tests run, and what is known of them in closed form."""

import numpy as np

from oleodyn.catalogue.dissertation_hydraulics import rod
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame
from oleodyn.mechanics.joint import Floating, Revolute
from oleodyn.mechanics.loop import Drive, Motion
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.units import deg

DOWN = (0.0, -9.81, 0.0)
CRANK, COUPLER, ROCKER, GROUND = 2.0, 8.0, 5.0, 10.0


def alone(name, mechanism):
    """A machine of one mechanism."""
    machine = Machine(name)
    machine.add("linkage", mechanism)
    return machine


def chain(masses, lengths, angles, end, *, gravity=DOWN, speed=0.0, loops=None, more=None):
    """Rods in a chain of hinges z1, z2, ...; the last one's tip is cut from the ground at `end`."""
    names = [f"rod_{i}" for i in range(1, len(lengths) + 1)]
    joints = {}
    for i, (name, angle) in enumerate(zip(names, angles, strict=True)):
        before = dict(parent=names[i - 1], position=(lengths[i - 1], 0.0, 0.0)) if i else {}
        joints[f"z{i + 1}"] = Revolute(child=name, q_0=angle, q_dot_0=0.0 if i else speed, **before)
    cut = {"cut": Revolute(child=names[-1], position=(*end, 0.0), child_position=(lengths[-1], 0.0, 0.0))}
    bodies = {name: rod(m, length) for name, m, length in zip(names, masses, lengths, strict=True)}
    return Mechanism(
        gravity=gravity, bodies=bodies, joints=joints, loops=(cut if loops is None else loops) | (more or {})
    )


def parallelogram(**options):
    """Links of 1, 2 and 1 m on ground of 2 m, from 60° at rest: a pendulum on the parallelogram's branch."""
    return alone(
        "parallelogram", chain((1.0, 2.0, 1.0), (1.0, 2.0, 1.0), np.array([60, -60, -120]) * deg, (2.0, 0.0), **options)
    )


PARALLELOGRAM = {0.5: 12.930668, 0.6: -11.774978, 1: -148.395727, 2: -220.866814, 3: 40.943046, 5: -239.999940}
"""Its first angle [°] over time: (8/3) θ̈ = −3 g cos θ, to rtol 1e-11."""


def assembled(z_1):
    """z1, z2, z3 of the crank-rocker at crank angles z_1, coupler above: shape (n, 3)."""
    tip = CRANK * np.exp(1j * np.asarray(z_1))
    reach = np.abs(GROUND - tip)
    coupler = np.angle(GROUND - tip) + np.arccos((COUPLER**2 + reach**2 - ROCKER**2) / (2 * COUPLER * reach))
    rocker = np.angle(GROUND - tip - COUPLER * np.exp(1j * coupler))
    return np.stack([z_1, coupler - z_1, rocker - coupler], axis=-1)


def crank_rocker(z_1=1.0, **options):
    """Crank 2 m (16 kg), coupler 8 m (64 kg), rocker 5 m (40 kg) on ground of 10 m; the crank can go round."""
    return alone(
        "crank-rocker",
        chain((16.0, 64.0, 40.0), (CRANK, COUPLER, ROCKER), assembled(z_1), (GROUND, 0.0), **options),
    )


MOTION = Motion(offset=1.0, speed=2.0, amplitude=0.3, w=3.0, phase=0.4)


def driven():
    """The crank-rocker with its crank driven: nothing is left free. Started 0.01 rad off, to be closed."""
    start = float(MOTION.offset + MOTION.amplitude * np.sin(MOTION.phase))
    return alone(
        "driven",
        chain(
            (16.0, 64.0, 40.0), (CRANK, COUPLER, ROCKER), np.add(assembled(start), [0, 0.01, 0]), (GROUND, 0.0),
            more={"drive": Drive(joint="z1", motion=MOTION)},
        ),
    )  # fmt: skip


def driven_in_closed_form(t):
    """Positions, speeds and accelerations of z1, z2, z3 over time, each (n, 3)."""
    phase = MOTION.w * t + MOTION.phase
    z_1 = MOTION.offset + MOTION.speed * t + MOTION.amplitude * np.sin(phase)
    w_1 = MOTION.speed + MOTION.amplitude * MOTION.w * np.cos(phase)
    a_1 = -MOTION.amplitude * MOTION.w**2 * np.sin(phase)
    angles = np.cumsum(assembled(z_1), axis=1)
    arms = np.array([CRANK, COUPLER, ROCKER]) * np.exp(1j * angles)  # they add up to the ground
    A = np.stack([(1j * arms[:, 1:]).real, (1j * arms[:, 1:]).imag], axis=1)

    def solved(b):
        return np.linalg.solve(A, np.stack([b.real, b.imag], axis=1)[..., None])[..., 0]

    w = np.column_stack([w_1, solved(-1j * w_1 * arms[:, 0])])
    a = np.column_stack([a_1, solved(-1j * a_1 * arms[:, 0] + (w**2 * arms).sum(axis=1))])
    return tuple(np.diff(x, axis=1, prepend=0.0) for x in (angles, w, a))


ARM = Body(mass=2.0, com=(0.3, 0.02, 0.0), inertia=((0.15, 0.0, 0.01), (0.0, 0.2, 0.0), (0.01, 0.0, 0.3)))
BOX = Body(mass=3.0, com=(0.1, -0.2, 0.05), inertia=((0.5, 0.02, -0.03), (0.02, 0.7, 0.01), (-0.03, 0.01, 0.4)))
TIP = dict(parent="arm", child="box", position=(0.6, 0.1, -0.05), orientation=(0.4, -0.3, 0.9))


def swinging(joint, **free):
    """An arm on a hinge, swinging, and a box on its tip: by `joint` in the tree, or floating and cut there."""
    hinge = Revolute(child="arm", axis=(0.2, 1.0, 0.3), q_dot_0=2.0)
    bodies = {"arm": ARM, "box": BOX}
    frames = {"box_frame": Frame(body="box"), "eye": Frame(body="box", position=(0.3, 0.1, -0.2))}
    if free:
        joints = {"hinge": hinge, "box": Floating(child="box", **free)}
        return alone("cut", Mechanism(bodies=bodies, joints=joints, loops={"tip": joint}, frames=frames))
    return alone("tree", Mechanism(bodies=bodies, joints={"hinge": hinge, "tip": joint}, frames=frames))
