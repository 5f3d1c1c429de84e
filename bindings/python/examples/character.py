"""Where a skinned character passes through itself: the clips of a file, or an arm that bends.

python character.py [FILE]
"""

from __future__ import annotations

import sys
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import osculate

Floats: TypeAlias = npt.NDArray[np.float64]

N_AROUND = 24
N_RINGS = 61
RADIUS = 0.15
N_POSES = 46
#: The largest angle of the elbow, in degrees.
BEND = 150.0


def arm() -> osculate.Model:
    """A tube along x from -1 to 1 with two bones that meet at the origin, the elbow."""
    x, around = np.meshgrid(
        np.linspace(-1, 1, N_RINGS), 2 * np.pi * np.arange(N_AROUND) / N_AROUND, indexing="ij"
    )
    rest = np.stack([x, RADIUS * np.cos(around), RADIUS * np.sin(around)], 2).reshape(-1, 3)
    ring, here = (of.ravel() for of in np.meshgrid(np.arange(N_RINGS - 1), np.arange(N_AROUND), indexing="ij"))
    after = (here + 1) % N_AROUND
    a, b = ring * N_AROUND + here, ring * N_AROUND + after
    faces = np.concatenate([np.stack([a, b, a + N_AROUND], 1), np.stack([b, b + N_AROUND, a + N_AROUND], 1)])
    # The share of the lower arm grows smoothly from 0 to 1 about the elbow.
    share = np.clip(0.5 + rest[:, 0] / 0.3, 0, 1)
    share = share * share * (3 - 2 * share)
    skin = osculate.Skin(rest, np.tile([0, 1], (len(rest), 1)), np.stack([1 - share, share], 1))
    return osculate.Model(osculate.Mesh(faces, len(rest)), rest, skin=skin)


def bend(degrees: float) -> Floats:
    """The two bones, shape (2, 3, 4), with the lower arm turned about z."""
    angle = np.radians(degrees)
    bones = np.tile(np.eye(3, 4), (2, 1, 1))
    bones[1, :2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return bones


def of_arm() -> float | None:
    """Bend the arm; return the angle at which its skin first touches itself."""
    model = arm()
    angles = np.linspace(0, BEND, N_POSES)
    found = osculate.contacts_batch(model, np.stack([bend(angle) for angle in angles]))
    if not found:
        print(f"the arm bends to {BEND} degrees without a contact")
        return None
    first = found[found.step == found.step.min()]
    step, time = int(first.step[0]), float(first.lo.min())
    angle = float(angles[step] + time * (angles[step + 1] - angles[step]))
    world = osculate.World()
    world.add(model, bend(BEND))
    crossings = world.crossings(results="count").count
    print(f"the skin of the elbow touches itself at {angle:.1f} degrees")
    print(f"at {BEND:.0f} degrees, {crossings} pairs of its triangles intersect")
    return angle


def of_file(path: str) -> osculate.Report:
    """Print which parts of a file pass through each other, worst first, and return the report."""
    report = osculate.check(path)
    for problem in report.problems:
        clip = report.clips[problem.clip].name
        print(f"{clip}: {' and '.join(problem.parts)}, worst at frame {problem.worst_frame}")
    print(f"{report.totals['problems']} problems")
    return report


if __name__ == "__main__":
    if len(sys.argv) > 1:
        of_file(sys.argv[1])
    else:
        of_arm()
