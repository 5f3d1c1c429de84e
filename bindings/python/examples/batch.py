"""The time of ``contacts_batch`` beside that of a loop over the same poses in Rust.

python batch.py [--cells N] [--poses K] [--rounds R] [--program target/release/examples/batch]
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import osculate

Floats: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.uint32]


def rolling_sheet(n: int, k: int) -> tuple[Indices, Floats]:
    """A sheet of 2 n^2 triangles that rolls up onto itself: faces and k poses."""
    i, j = (of.ravel() for of in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    a = i * (n + 1) + j
    faces = np.concatenate([np.stack([a, a + 1, a + n + 1], 1), np.stack([a + 1, a + n + 2, a + n + 1], 1)])
    u, v = (of.ravel() for of in np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1), indexing="ij"))
    times = np.linspace(0, 1, k)[:, None]
    curvature = 0.1 + 8 * times
    ripple = 1 + 0.05 * times * np.sin(7 * v + 9 * u)
    x, z = ripple * np.sin(curvature * u) / curvature, (1 - ripple * np.cos(curvature * u)) / curvature
    return faces.astype(np.uint32), np.stack([x, np.broadcast_to(v, x.shape), z], 2)


def of_package(model: osculate.Model, poses: Floats) -> tuple[float, int]:
    """The seconds of a batch, and its number of contacts."""
    osculate.contacts_batch(model, poses)  # The first time, memory and threads are new.
    start = time.perf_counter()
    count = osculate.contacts_batch(model, poses).count
    return time.perf_counter() - start, count


def of_program(program: str, path: pathlib.Path) -> tuple[float, int]:
    """The seconds of the loop in Rust, and its number of contacts."""
    words = subprocess.run([program, path], check=True, capture_output=True, text=True).stdout.split()
    return float(words[0]), int(words[2])


def main(arguments: list[str] | None = None) -> list[int]:
    """Run the example, and return the numbers of contacts that were found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=100)
    parser.add_argument("--poses", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--program")
    given = parser.parse_args(arguments)
    faces, poses = rolling_sheet(given.cells, given.poses)
    model = osculate.Model(osculate.Mesh(faces, poses.shape[1]), poses[0])
    counts, ratios = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "poses"
        header = np.array([len(faces), poses.shape[1], len(poses)], "<u4")
        path.write_bytes(header.tobytes() + faces.astype("<u4").tobytes() + poses.astype("<f8").tobytes())
        for _ in range(given.rounds):
            seconds, count = of_package(model, poses)
            counts.append(count)
            line = f"Python {seconds:.3f} s, {count} contacts"
            if given.program:
                of_loop, count = of_program(given.program, path)
                counts.append(count)
                ratios.append(seconds / of_loop)
                line += f"; Rust {of_loop:.3f} s, {count} contacts; ratio {ratios[-1]:.2f}"
            print(line)
    if ratios:
        print(f"median ratio {statistics.median(ratios):.2f}")
    return counts


if __name__ == "__main__":
    main()
