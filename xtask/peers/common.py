"""What the scripts of the peers share: reading meshes, writing arrays, answering."""

import json
import os
import sys

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


def answer(**values):
    print(json.dumps(values), flush=True)
