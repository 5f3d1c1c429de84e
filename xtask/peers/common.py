"""What the scripts of the peers share: reading meshes, writing arrays, clocks, processors, answering."""

import json
import os
import sys
import time
from pathlib import Path

import numpy as np


def read_ply(path):
    """Returns vertices (n,3 float64) and faces (m,3 int32) of a big-endian PLY with float positions."""
    data = path.read_bytes()
    end = b"end_header\n"
    start = data.index(end) + len(end)
    header = data[:start].decode("ascii").split("\n")
    if "format binary_big_endian 1.0" not in header:
        sys.exit(f"{path}: not a big-endian binary PLY")
    counts = {words[1]: int(words[2]) for words in map(str.split, header) if words[:1] == ["element"]}
    vertices = np.frombuffer(data, ">f4", counts["vertex"] * 3, start).reshape(-1, 3)
    face = np.dtype([("count", "u1"), ("vertices", ">i4", 3)])
    faces = np.frombuffer(data, face, counts["face"], start + vertices.nbytes)
    if not (faces["count"] == 3).all():
        sys.exit(f"{path}: not all faces are triangles")
    return vertices.astype(np.float64), faces["vertices"].astype(np.int32)


def write(path, rows, dtype):
    """Writes an array as raw little-endian rows; never leaves half a file behind."""
    partial = path.with_suffix(".partial")
    rows.astype(dtype).tofile(partial)
    os.replace(partial, path)


ANSWERS = [sys.stdout]


def keep_stdout_for_answers():
    """Sends everything that others print to standard error, also what is printed by C."""
    ANSWERS[0] = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)


def answer(**values):
    print(json.dumps(values), file=ANSWERS[0], flush=True)


def fail(sentence):
    answer(error=sentence)
    sys.exit(1)


def hold(threads):
    """Holds the process to `threads` processors, of different cores if there are enough; call before importing."""
    if not hasattr(os, "sched_setaffinity"):
        fail("this system cannot hold a process to some of the processors")
    free = sorted(os.sched_getaffinity(0))
    first_of_core, others, seen = [], [], set()
    for processor in free:
        siblings = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list")
        core = siblings.read_text() if siblings.exists() else str(processor)
        (others if core in seen else first_of_core).append(processor)
        seen.add(core)
    if len(free) < threads:
        fail(f"there are fewer than {threads} processors")
    os.sched_setaffinity(0, (first_of_core + others)[:threads])


class Clock:
    """Seconds since it was made, by the clock and of processor time."""

    def __init__(self):
        self.start, self.start_cpu = time.perf_counter(), time.process_time()

    def seconds(self):
        return time.perf_counter() - self.start

    def cpu_seconds(self):
        return time.process_time() - self.start_cpu
