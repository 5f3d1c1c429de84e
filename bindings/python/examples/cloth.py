"""A cloth of springs that falls over a ball: numpy moves it, osculate keeps it free of crossings.

python cloth.py [--steps N] [--picture FILE]    (the picture needs matplotlib)
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import osculate

Floats: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.uint32]

#: Features of the cloth that come closer than this are pushed apart.
THICKNESS = 0.01
SECONDS = 1 / 120
GRAVITY = np.array([0.0, 0.0, -9.8])
#: Force per mass and relative stretch.
STIFFNESS = 400.0
#: Share of the velocity that is lost in a step.
DAMPING = 0.01
#: How often contacts are found and pushed apart in a step before it is shortened.
ROUNDS = 8


def sheet(n: int) -> tuple[Indices, Floats]:
    """A square of side 2 above the ball, with 2 (n - 1)^2 triangles: faces and vertices."""
    i, j = (of.ravel() for of in np.meshgrid(np.arange(n - 1), np.arange(n - 1), indexing="ij"))
    a, b, c, d = i * n + j, i * n + j + 1, (i + 1) * n + j, (i + 1) * n + j + 1
    faces = np.concatenate([np.stack([a, c, b], 1), np.stack([b, c, d], 1)]).astype(np.uint32)
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n), indexing="ij")
    return faces, np.stack([x.ravel(), y.ravel(), np.full(n * n, 0.6)], 1)


def ball(n: int, radius: float) -> tuple[Indices, Floats]:
    """A sphere of n rings of 2 n vertices, and two poles: faces and vertices."""
    m = 2 * n
    polar, around = np.meshgrid(
        np.pi * np.arange(1, n + 1) / (n + 1), 2 * np.pi * np.arange(m) / m, indexing="ij"
    )
    rings = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], 2)
    vertices = radius * np.concatenate([rings.reshape(-1, 3), [[0, 0, 1], [0, 0, -1]]])
    here = np.arange(m)
    after = (here + 1) % m
    faces = [np.stack([np.full(m, n * m), here, after], 1)]
    for ring in range(n - 1):
        a, b = ring * m + here, ring * m + after
        faces += [np.stack([a, a + m, b], 1), np.stack([b, a + m, b + m], 1)]
    last = (n - 1) * m
    faces.append(np.stack([np.full(m, n * m + 1), last + after, last + here], 1))
    return np.concatenate(faces).astype(np.uint32), vertices


def pushed(found: osculate.Contacts, cloth: int, start: Floats, end: Floats) -> Floats:
    """The end of a step, moved so that the features of each contact stay THICKNESS apart.

    The gap of a contact along its normal is a sum over its four vertices, with positive weights for
    the first feature and negative ones for the second. Each vertex moves along the gradient of the
    gap, and by the mean of what its contacts ask for.
    """
    is_edges = (found.kind == osculate.Kind.EDGE_EDGE)[:, None]
    is_first = np.where(is_edges, [True, True, False, False], [True, False, False, False])
    is_cloth = np.where(is_first, found.bodies[:, :1], found.bodies[:, 1:]) == cloth
    gradient = np.where(is_first, found.weights, -found.weights) * is_cloth
    # The vertices of the ball have numbers of their own mesh; their gradient is zero.
    vertices = np.where(is_cloth, found.vertices, 0)
    moves = np.einsum("ck,ckx,cx->c", gradient, (end - start)[vertices], found.normal)
    gap = found.distance + (1 - found.lo) * moves
    push = np.maximum(THICKNESS - gap, 0) / np.sum(gradient**2, 1)
    change, count = np.zeros_like(end), np.zeros(len(end))
    np.add.at(change, vertices, (push[:, None] * gradient)[:, :, None] * found.normal[:, None])
    np.add.at(count, vertices, is_cloth)
    return end + change / np.maximum(count, 1)[:, None]


@dataclasses.dataclass
class Cloth:
    """A cloth over a ball, at its pose."""

    world: osculate.World
    body: int
    ball: tuple[Indices, Floats]
    mesh: osculate.Mesh
    lengths: Floats
    pose: Floats
    velocity: Floats
    n_contacts: int = 0

    @classmethod
    def above_a_ball(cls, n: int) -> Cloth:
        """The cloth at rest above the ball."""
        world = osculate.World()
        faces, vertices = ball(10, 0.5)
        model = osculate.Model(osculate.Mesh(faces, len(vertices)), vertices)
        world.add(model, vertices, static=True)
        of_sheet, rest = sheet(n)
        mesh = osculate.Mesh(of_sheet, len(rest))
        body = world.add(osculate.Model(mesh, rest), rest)
        a, b = mesh.edges.T
        lengths = np.linalg.norm(rest[a] - rest[b], axis=1)
        return cls(world, body, (faces, vertices), mesh, lengths, rest, np.zeros_like(rest))

    def forces(self) -> Floats:
        """The forces of the springs, per mass."""
        a, b = self.mesh.edges.T
        along = self.pose[b] - self.pose[a]
        length = np.linalg.norm(along, axis=1)
        pull = (STIFFNESS * (length / self.lengths - 1) / length)[:, None] * along
        forces = np.zeros_like(self.pose)
        np.add.at(forces, a, pull)
        np.add.at(forces, b, -pull)
        return forces

    def step(self) -> None:
        """Move on by SECONDS, without a contact."""
        velocity = (1 - DAMPING) * self.velocity + SECONDS * (GRAVITY + self.forces())
        end = self.pose + SECONDS * velocity
        for _ in range(ROUNDS):
            found = self.world.contacts({self.body: end}, min_separation=THICKNESS)
            if not found:
                break
            self.n_contacts += len(found)
            end = pushed(found, self.body, self.pose, end)
        # What is left of the contacts shortens the step: no crossing, whatever the pushes did.
        size, limit = self.world.largest_free_step({self.body: end})
        if limit:
            end = self.pose + 0.9 * size * (end - self.pose)
        self.velocity = (end - self.pose) / SECONDS
        self.pose = end
        self.world.set_pose(self.body, end)


def draw(cloth: Cloth, path: str) -> None:
    """Save a picture of the cloth and the ball."""
    matplotlib: Any = importlib.import_module("matplotlib")
    matplotlib.use("Agg")
    collection = importlib.import_module("mpl_toolkits.mplot3d.art3d").Poly3DCollection
    figure = importlib.import_module("matplotlib.pyplot").figure(figsize=(4.2, 3.0), dpi=100)
    # The ball first: it is below the cloth.
    axes = figure.add_axes((0, 0, 1, 1), projection="3d", computed_zorder=False)
    for (faces, vertices), color in ((cloth.ball, "tab:orange"), ((cloth.mesh.faces, cloth.pose), "tab:blue")):
        surface = collection(vertices[faces], facecolors=color, shade=True, antialiased=False, clip_on=False)
        axes.add_collection3d(surface)
    axes.set(xlim=(-1, 1), ylim=(-1, 1), zlim=(-0.7, 0.5), aspect="equal")
    axes.set_box_aspect((2, 2, 1.2), zoom=1.4)
    axes.view_init(elev=14, azim=-70)
    axes.set_axis_off()
    figure.savefig(path)


def main(arguments: list[str] | None = None) -> Cloth:
    """Run the example, and return the cloth at its end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=70)
    parser.add_argument("--picture")
    given = parser.parse_args(arguments)
    cloth = Cloth.above_a_ball(24)
    for _ in range(given.steps):
        cloth.step()
    crossings = cloth.world.crossings(results="count").count
    print(f"{given.steps} steps, {cloth.n_contacts} contacts, {crossings} crossings")
    if given.picture:
        draw(cloth, given.picture)
    return cloth


if __name__ == "__main__":
    main()
