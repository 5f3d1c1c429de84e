"""Times a step on the cloth-ball meshes as users of two Python packages write it, in one process, on request.

usage: python.py THREADS DATA

Both packages, osculate and ipctk, run on THREADS threads. Reads `DATA/cloth-ball/cloth_ball92.ply` and `93.ply`, says
that it is ready, and then answers the lines of standard input, each with one line of JSON:

  ours free          seconds for the largest step that is free of contacts
  ours contacts      seconds for all contacts of the step
  additive, tight-inclusion
                     seconds for the largest step of ipc-toolkit by this CCD method, with its candidates
  ours anew, tight-inclusion anew
                     the same step, with all that is prepared once for the mesh
  check              the earliest time of impact by Tight-Inclusion without its safety factor, and the bracket of ours
"""

import os
import sys
import time
from pathlib import Path

import ipctk
import osculate

from common import answer, read_ply


class Step:
    def __init__(self, v0, v1, faces):
        self.v0, self.v1, self.faces = v0, v1, faces
        self.mesh, (self.world, self.body) = self.prepare_theirs(), self.prepare_ours()

    def prepare_theirs(self):
        return ipctk.CollisionMesh(self.v0, ipctk.edges(self.faces), self.faces)

    def prepare_ours(self):
        model = osculate.Model(osculate.Mesh(self.faces, len(self.v0)), self.v0)
        world = osculate.World()
        return world, world.add(model, self.v0)

    def ours_free(self):
        size, _ = self.world.largest_free_step({self.body: self.v1})
        return {"size": size}

    def ours_contacts(self):
        return {"contacts": len(self.world.contacts({self.body: self.v1}))}

    def ours_anew(self):
        world, body = self.prepare_ours()
        size, _ = world.largest_free_step({body: self.v1})
        return {"size": size}

    def theirs(self, mesh, ccd):
        size = ipctk.compute_collision_free_stepsize(mesh, self.v0, self.v1, narrow_phase_ccd=ccd)
        return {"size": size}

    def check(self):
        size, limit = self.world.largest_free_step({self.body: self.v1})
        exact = ipctk.TightInclusionCCD(conservative_rescaling=1.0)
        return {**self.theirs(self.mesh, exact), "lo": size, "hi": float(limit.hi[0]) if len(limit) else 1.0}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    threads, data = int(sys.argv[1]), Path(sys.argv[2])
    # What a package prints must not end up between the answers.
    sys.stdout = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    ipctk.set_logger_level(ipctk.LoggerLevel.off)
    ipctk.set_num_threads(threads)
    osculate.set_num_threads(threads)
    v0, faces = read_ply(data / "cloth-ball" / "cloth_ball92.ply")
    v1, _ = read_ply(data / "cloth-ball" / "cloth_ball93.ply")
    step = Step(v0, v1, faces)
    additive, tight = ipctk.AdditiveCCD(), ipctk.TightInclusionCCD()
    requests = {
        "ours free": step.ours_free,
        "ours contacts": step.ours_contacts,
        "ours anew": step.ours_anew,
        "additive": lambda: step.theirs(step.mesh, additive),
        "tight-inclusion": lambda: step.theirs(step.mesh, tight),
        "tight-inclusion anew": lambda: step.theirs(step.prepare_theirs(), tight),
        "check": step.check,
    }
    answer(version=ipctk.__version__, python=sys.version.split()[0], faces=len(faces))
    for line in sys.stdin:
        start, start_cpu = time.perf_counter(), time.process_time()
        found = requests[line.strip()]()
        answer(**found, seconds=time.perf_counter() - start, cpu_seconds=time.process_time() - start_cpu)


if __name__ == "__main__":
    main()
