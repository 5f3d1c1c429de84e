"""Times a crowd of skinned creatures in coal, on request.

usage: crowd.py OUT BODIES FRAMES

Reads the crowd from OUT, where the bench `crowd_peers` has written it, says that it is ready, and then answers the lines
of standard input (`any`, `bodies`, `triangles`) as that bench does; what was found goes to `OUT/crowd-coal.u32`. The
time is that of moving all vertices, refitting the trees of those bodies whose boxes overlap, and looking at these
pairs; it does not contain the conversion of contacts to Python objects.
"""

import importlib.metadata
import sys
import time
from pathlib import Path

import coal
import numpy as np

from common import answer, write

ALL = 10**9
STAY = coal.Transform3s()


class Crowd:
    def __init__(self, out, n_bodies, n_frames):
        rest = np.fromfile(out / "crowd-rest.f64", "<f8").reshape(-1, 3)
        faces = np.fromfile(out / "crowd-faces.u32", "<u4").reshape(-1, 3).astype(np.int64)
        weights = np.fromfile(out / "crowd-weights.f64", "<f8").reshape(len(rest), -1)
        bones = np.fromfile(out / "crowd-bones.f64", "<f8").reshape(n_frames, n_bodies, -1, 3, 4)
        # The sum of w (A x + t) over all bones is one product of matrices: rows of w x, w y, w z, w for each bone ...
        homogeneous = np.concatenate([rest, np.ones((len(rest), 1))], axis=1)
        self.held = (weights[:, :, None] * homogeneous[:, None, :]).reshape(len(rest), -1)
        # ... times columns of all maps; three columns for each body.
        self.maps = [np.ascontiguousarray(m.transpose(1, 3, 0, 2).reshape(-1, 3 * n_bodies)) for m in bones]
        self.n_bodies = n_bodies
        self.models = [self.build(vertices, faces) for vertices in self.skin(0)]
        # `replaceSubModel` takes a list that is slow to fill from Python. This one only says that all vertices change;
        # the new ones are written to where the model keeps them.
        self.all_vertices = coal.StdVec_Vec3s()
        self.all_vertices.extend(list(rest))

    def build(self, vertices, faces):
        # Refitted three times as fast as BVHModelOBBRSS, which gains less in the queries than that.
        model = coal.BVHModelOBB()
        model.beginModel(len(faces), len(vertices))
        model.addVertices(np.ascontiguousarray(vertices))
        model.addTriangles(faces)
        model.endModel()
        return model

    def skin(self, frame):
        """Returns the vertices of all bodies."""
        moved = self.held @ self.maps[frame]
        return moved.reshape(len(moved), self.n_bodies, 3).transpose(1, 0, 2)

    def overlapping(self, vertices):
        """Returns the pairs of bodies whose boxes overlap."""
        low, high = vertices.min(axis=1), vertices.max(axis=1)
        overlap = (low[:, None] <= high[None]).all(axis=2) & (low[None] <= high[:, None]).all(axis=2)
        return np.argwhere(np.triu(overlap, 1)).tolist()

    def refit(self, body, vertices):
        model = self.models[body]
        model.beginReplaceModel()
        model.replaceSubModel(self.all_vertices)
        model.vertices()[:] = vertices
        if model.endReplaceModel(True, True) != 0:
            raise RuntimeError("coal does not refit")

    def ask(self, question, frame):
        """Returns the seconds of each stage, and the pairs of bodies that touch with all contacts that were found."""
        start = time.perf_counter()
        vertices = self.skin(frame)
        moved = time.perf_counter()
        pairs = self.overlapping(vertices)
        for body in sorted({body for pair in pairs for body in pair}):
            self.refit(body, vertices[body])
        refitted = time.perf_counter()
        request = coal.CollisionRequest()
        request.enable_contact = False
        request.num_max_contacts = ALL if question == "triangles" else 1
        found = []
        for a, b in pairs:
            result = coal.CollisionResult()
            if coal.collide(self.models[a], STAY, self.models[b], STAY, request, result):
                found.append((a, b, result))
                if question == "any":
                    break
        queried = time.perf_counter()
        return [moved - start, refitted - moved, queried - refitted], found


def rows(question, frame, found):
    if question == "any":
        return [(frame,) for _ in found]
    if question == "bodies":
        return [(frame, a, b) for a, b, _ in found]
    return [(frame, a, b, contact.b1, contact.b2) for a, b, result in found for contact in result.getContacts()]


def main():
    out, n_bodies, n_frames = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    crowd = Crowd(out, n_bodies, n_frames)
    answer(version=importlib.metadata.version("coal"))
    for line in sys.stdin:
        question = line.strip()
        stages, table = np.zeros(3), []
        for frame in range(n_frames):
            seconds, found = crowd.ask(question, frame)
            stages += seconds
            table += rows(question, frame, found)
        write(out / "crowd-coal.u32", np.array(table, dtype=np.uint32), "<u4")
        answer(seconds=stages.sum(), stages=dict(zip(["skin", "refit", "query"], stages.tolist())))


if __name__ == "__main__":
    main()
