"""Times whole queries of a peer on the cloth-ball meshes, on request.

usage: engine.py PEER THREADS DATA OUT

PEER is ipctk, or one of those in `crossers.py`; it runs on THREADS threads. Reads `DATA/cloth-ball/cloth_ball92.ply` and `93.ply`,
says that it is ready, and then answers the lines of standard input, each with one line of JSON:

  crossings    seconds to find the triangles of frame 93 that cross each other: building the hierarchy, searching
               it; ipctk only says whether there are any
  once         the same with the time to make the peer's mesh from arrays
  pairs        (not ipctk) writes the pairs last found to `OUT/crossings-PEER.u32`, one row of two faces each;
               pymeshlab, which finds faces only, writes rows of one face
  step CCD     (ipctk) seconds for the largest collision-free step from frame 92 to 93 by additive or tight-inclusion
               CCD: finding the candidates, deciding them, and both together
  thick CCD    (ipctk) seconds for the largest step with a minimum distance of a thousandth of the diagonal of the
               mesh, by additive or tight-inclusion CCD, with the candidates
  collisions   (ipctk) seconds to build the set of features of frame 93 within the same distance
  check        (ipctk) earliest time of impact of the candidates of the last `step`, without the safety factor of
               the defaults
  scene        (ipctk) writes to OUT what another engine needs to answer the same: `positions.f64`, one row of
               x0 y0 z0 x1 y1 z1 for each vertex, and `faces.u32`, one row of three vertices for each triangle
  sheet        (ipctk) writes the same to OUT/sheet for a sheet of 10,082 triangles that rests on a ball, at a
               distance of 0.003 to 0.007, and sinks by 0.001
  sequence F   (ipctk) writes the same to OUT/F for the last step of the sequence DATA/sequences/F.npz
  probes       (ipctk) writes `OUT/probes.f64`: rows of two random points around frame 93

Files are little-endian. An answer with `error` says why there is none.
"""

import sys
from pathlib import Path

import numpy as np

import crossers
from common import Clock, answer, fail, keep_stdout_for_answers, read_ply, write


class Ipctk:
    """ipc-toolkit: a hierarchy (LBVH) for candidates, Tight-Inclusion to decide them; sets its threads itself."""

    def __init__(self, threads, t0, t1, faces):
        import ipctk

        ipctk.set_logger_level(ipctk.LoggerLevel.off)
        ipctk.set_num_threads(threads)
        self.ipctk, self.version, self.t0, self.t1 = ipctk, ipctk.__version__, t0, t1
        clock = Clock()
        self.mesh = ipctk.CollisionMesh(t0, ipctk.edges(faces), faces)
        self.prepare_seconds, self.faces = clock.seconds(), faces

    def step(self, ccd):
        self.candidates = self.ipctk.Candidates()
        narrow_ccd = self.ccd(ccd)
        clock = Clock()
        self.candidates.build(self.mesh, self.t0, self.t1, 0.0, self.ipctk.LBVH())
        broad = clock.seconds()
        narrow_clock = Clock()
        step = self.candidates.compute_collision_free_stepsize(self.mesh, self.t0, self.t1, 0.0, narrow_ccd)
        narrow, narrow_cpu = narrow_clock.seconds(), narrow_clock.cpu_seconds()
        return {
            "broad_seconds": broad,
            "narrow_seconds": narrow,
            "narrow_cpu_seconds": narrow_cpu,
            "seconds": clock.seconds(),
            "candidates": len(self.candidates),
            "step": step,
        }

    def ccd(self, name):
        return {"additive": self.ipctk.AdditiveCCD, "tight-inclusion": self.ipctk.TightInclusionCCD}[name]()

    def distance(self):
        return 1e-3 * float(np.linalg.norm(self.t0.max(axis=0) - self.t0.min(axis=0)))

    def thick(self, ccd):
        narrow = self.ccd(ccd)
        clock = Clock()
        candidates = self.ipctk.Candidates()
        candidates.build(self.mesh, self.t0, self.t1, self.distance() / 2, self.ipctk.LBVH())
        step = candidates.compute_collision_free_stepsize(self.mesh, self.t0, self.t1, self.distance(), narrow)
        return {"seconds": clock.seconds(), "candidates": len(candidates), "step": step}

    def collisions(self):
        clock = Clock()
        collisions = self.ipctk.NormalCollisions()
        collisions.build(self.mesh, self.t1, self.distance())
        return {"seconds": clock.seconds(), "found": len(collisions)}

    def check(self):
        exact = self.ipctk.TightInclusionCCD(conservative_rescaling=1.0)
        return {"earliest": self.candidates.compute_collision_free_stepsize(self.mesh, self.t0, self.t1, 0.0, exact)}

    def crossings(self):
        clock = Clock()
        any_crossing = self.ipctk.has_intersections(self.mesh, self.t1, self.ipctk.LBVH())
        return {"seconds": clock.seconds(), "cpu_seconds": clock.cpu_seconds(), "any": any_crossing}

    def once(self):
        clock = Clock()
        mesh = self.ipctk.CollisionMesh(self.t1, self.ipctk.edges(self.faces), self.faces)
        self.ipctk.has_intersections(mesh, self.t1, self.ipctk.LBVH())
        return {"seconds": clock.seconds()}


CROSSERS = {
    "meshlib": crossers.Meshlib,
    "blender": crossers.Blender,
    "libigl": crossers.Libigl,
    "libigl-cgal": crossers.LibiglCgal,
    "pymeshlab": crossers.Pymeshlab,
    "coal": crossers.Coal,
    "newton": crossers.Newton,
}


def write_step(folder, t0, t1, faces):
    """Writes the meshes at both ends of a step, and returns the diagonal of the first."""
    folder.mkdir(exist_ok=True)
    write(folder / "positions.f64", np.concatenate([t0, t1], axis=1), "<f8")
    write(folder / "faces.u32", faces, "<u4")
    return float(np.linalg.norm(t0.max(axis=0) - t0.min(axis=0)))


def grid(n, m, first):
    """The triangles of a grid of n by m quads whose vertices are numbered row by row from `first`."""
    corner = (np.arange(n)[:, None] * (m + 1) + np.arange(m)).reshape(-1) + first
    a, b, c, d = corner, corner + 1, corner + m + 1, corner + m + 2
    return np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])


def sheet_on_ball():
    """A sheet of 71 x 71 quads that rests on a ball of radius 0.25, at both ends of a step, and the triangles."""
    n, radius = 71, 0.25
    u, v = np.meshgrid(np.linspace(-0.5, 0.5, n + 1), np.linspace(-0.5, 0.5, n + 1), indexing="ij")
    x, y = u.reshape(-1), v.reshape(-1)
    # Along a meridian of the ball for a while, then straight on.
    arc = np.hypot(x, y)
    angle = np.minimum(arc, 0.1) / radius
    above = radius + 0.005 + 0.002 * np.sin(40 * x) * np.sin(37 * y)
    on = np.maximum(arc - 0.1, 0)
    out = (above * np.sin(angle) + on * np.cos(angle)) / np.maximum(arc, 1e-300)
    sheet = np.stack([x * out, y * out, above * np.cos(angle) - on * np.sin(angle)], 1)
    # The poles are at the sides.
    across, around = np.meshgrid(np.linspace(0.3, np.pi - 0.3, 41), np.linspace(0, 2 * np.pi, 33), indexing="ij")
    sine = np.sin(across)
    ball = radius * np.stack([np.cos(across), sine * np.cos(around), sine * np.sin(around)], 2).reshape(-1, 3)
    faces = np.concatenate([grid(n, n, 0), grid(40, 32, len(sheet))])
    t0 = np.concatenate([sheet, ball])
    t1 = t0.copy()
    t1[: len(sheet), 2] -= 0.001
    return t0, t1, faces


def main():
    if len(sys.argv) != 5 or sys.argv[1] not in ["ipctk", *CROSSERS]:
        sys.exit(__doc__)
    name, threads, data, out = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4])
    # What a peer prints must not end up between the answers.
    keep_stdout_for_answers()
    t0, faces = read_ply(data / "cloth-ball" / "cloth_ball92.ply")
    t1, _ = read_ply(data / "cloth-ball" / "cloth_ball93.ply")
    peer = Ipctk(threads, t0, t1, faces) if name == "ipctk" else CROSSERS[name](threads, t1, faces)
    used = getattr(peer, "threads", threads)
    counts = {"vertices": len(t0), "faces": len(faces), "threads": used}
    answer(version=peer.version, prepare_seconds=peer.prepare_seconds, **counts)

    for line in sys.stdin:
        command = line.strip()
        if command == "crossings":
            answer(**peer.crossings())
        elif command == "pairs" and hasattr(peer, "pairs"):
            pairs = np.array(peer.pairs(), dtype=np.int64)
            write(out / f"crossings-{name}.u32", pairs, "<u4")
            answer(pairs=len(pairs))
        elif command == "once":
            answer(**peer.once())
        elif command.startswith("step ") and hasattr(peer, "step"):
            answer(**peer.step(command.split()[1]))
        elif command.startswith("thick ") and hasattr(peer, "thick"):
            answer(**peer.thick(command.split()[1]))
        elif command == "collisions" and hasattr(peer, "collisions"):
            answer(**peer.collisions())
        elif command == "check" and hasattr(peer, "check"):
            answer(**peer.check())
        elif command == "scene" and hasattr(peer, "step"):
            answer(diagonal=write_step(out, t0, t1, faces))
        elif command == "sheet" and hasattr(peer, "step"):
            answer(diagonal=write_step(out / "sheet", *sheet_on_ball()))
        elif command.startswith("sequence ") and hasattr(peer, "step"):
            name = command.split()[1]
            sequence = np.load(data / "sequences" / f"{name}.npz", allow_pickle=False)
            ends = sequence["frames"][-2:].astype(np.float64)
            answer(diagonal=write_step(out / name, *ends, sequence["faces"]))
        elif command == "probes" and hasattr(peer, "step"):
            low, high = t1.min(axis=0), t1.max(axis=0)
            probes = np.random.default_rng(7).uniform(low, high, (20_000, 2, 3)).reshape(-1, 6)
            write(out / "probes.f64", probes, "<f8")
            answer(probes=len(probes))
        else:
            fail(f"unknown command: {command}")


if __name__ == "__main__":
    main()
