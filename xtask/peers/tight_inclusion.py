"""Times Tight-Inclusion and AdditiveCCD (ipc-toolkit) on the candidates of the cloth-ball step, on request.

usage: tight_inclusion.py DATA OUT

Reads `DATA/cloth-ball/cloth_ball92.ply` and `93.ply`, builds the vertex-face and edge-edge candidates of the step
between them, and writes to the folder OUT what another narrow phase needs to decide the same queries, in
little-endian order:

  positions.f64     one row for each vertex: x0 y0 z0 x1 y1 z1
  vertex_face.u32   one row for each query: v f0 f1 f2
  edge_edge.u32     one row for each query: ea0 ea1 eb0 eb1

Files of the right size are left alone. Then it answers the lines of standard input, each with one line of JSON:

  run THREADS CCD   seconds for all queries with the defaults of the library, by the clock and of processor time;
                    CCD is tight-inclusion or additive
  check             earliest time of impact by Tight-Inclusion, without the safety factor of the defaults
"""

import sys
import time
from pathlib import Path

import ipctk
import numpy as np

from common import answer, read_ply, write


def dump(out, mesh, t0, t1, candidates):
    """Writes positions and queries to `out`, except for files that are already there."""
    n_vf, n_ee = len(candidates.fv_candidates), len(candidates.ee_candidates)
    positions, vertex_face, edge_edge = out / "positions.f64", out / "vertex_face.u32", out / "edge_edge.u32"
    sizes = {positions: len(t0) * 6 * 8, vertex_face: n_vf * 4 * 4, edge_edge: n_ee * 4 * 4}
    if all(path.exists() and path.stat().st_size == size for path, size in sizes.items()):
        return n_vf, n_ee
    write(positions, np.concatenate([t0, t1], axis=1), "<f8")
    pairs = np.array([(c.vertex_id, c.face_id) for c in candidates.fv_candidates], dtype=np.uint32)
    write(vertex_face, np.concatenate([pairs[:, :1], mesh.faces[pairs[:, 1]]], axis=1), "<u4")
    pairs = np.array([(c.edge0_id, c.edge1_id) for c in candidates.ee_candidates], dtype=np.uint32)
    write(edge_edge, np.concatenate([mesh.edges[pairs[:, 0]], mesh.edges[pairs[:, 1]]], axis=1), "<u4")
    return n_vf, n_ee


def main():
    data, out = Path(sys.argv[1]), Path(sys.argv[2])
    # Its log goes to standard output, where the answers go.
    ipctk.set_logger_level(ipctk.LoggerLevel.off)
    t0, faces = read_ply(data / "cloth-ball" / "cloth_ball92.ply")
    t1, _ = read_ply(data / "cloth-ball" / "cloth_ball93.ply")
    mesh = ipctk.CollisionMesh(t0, ipctk.edges(faces), faces)
    candidates = ipctk.Candidates()
    candidates.build(mesh, t0, t1, 0.0, ipctk.LBVH())
    n_vf, n_ee = dump(out, mesh, t0, t1, candidates)
    answer(version=ipctk.__version__, vertex_face=n_vf, edge_edge=n_ee)

    for line in sys.stdin:
        command, *arguments = line.split()
        if command == "run":
            ipctk.set_num_threads(int(arguments[0]))
            ccd = {"additive": ipctk.AdditiveCCD, "tight-inclusion": ipctk.TightInclusionCCD}[arguments[1]]()
            start, start_cpu = time.perf_counter(), time.process_time()
            step = candidates.compute_collision_free_stepsize(mesh, t0, t1, 0.0, ccd)
            cpu_seconds = time.process_time() - start_cpu
            answer(seconds=time.perf_counter() - start, cpu_seconds=cpu_seconds, step=step)
        elif command == "check":
            exact = ipctk.TightInclusionCCD(conservative_rescaling=1.0)
            answer(earliest=candidates.compute_collision_free_stepsize(mesh, t0, t1, 0.0, exact))
        else:
            sys.exit(f"unknown command: {command}")


if __name__ == "__main__":
    main()
