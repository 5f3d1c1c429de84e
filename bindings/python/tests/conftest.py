"""What the tests share: scenes, real data, and the reference, a program without Python."""

from __future__ import annotations

import os
import pathlib
import struct
import subprocess
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None, derandomize=True)
settings.load_profile("default")

CONTACT = np.dtype(
    [("bodies", "<u4", 2), ("kind", "<u4"), ("features", "<u4", 2), ("vertices", "<u4", 4)]
    + [("lo", "<f8"), ("hi", "<f8"), ("point", "<f8", 3), ("normal", "<f8", 3)]
    + [("weights", "<f8", 4), ("distance", "<f8")]
)
CROSSING = np.dtype(
    [("bodies", "<u4", 2), ("triangles", "<u4", 2), ("relation", "<u4"), ("segment", "<f8", (2, 3))]
)


class Reference:
    """The example ``answer`` of the library: worlds go in, contacts and crossings come out."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(
        self, bodies: list[tuple[Any, Any, Any]], method: str, separation: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Contacts and crossings of bodies: faces, start and end."""
        assert self.process.stdin and self.process.stdout
        parts = [struct.pack("<I", len(bodies))]
        for faces, start, end in bodies:
            parts.append(struct.pack("<II", len(start), len(faces)))
            parts.append(np.ascontiguousarray(faces, "<u4").tobytes())
            parts.append(np.ascontiguousarray(start, "<f8").tobytes())
            parts.append(np.ascontiguousarray(end, "<f8").tobytes())
        parts.append(struct.pack("<dI", separation, len(method)) + method.encode())
        self.process.stdin.write(b"".join(parts))
        self.process.stdin.flush()
        return self.rows(CONTACT), self.rows(CROSSING)

    def rows(self, dtype: np.dtype) -> np.ndarray:
        assert self.process.stdout
        (n,) = struct.unpack("<I", self.process.stdout.read(4))
        return np.frombuffer(self.process.stdout.read(n * dtype.itemsize), dtype)


@pytest.fixture(scope="session")
def reference() -> Iterator[Reference]:
    program = os.environ.get("OSCULATE_REFERENCE")
    if not program:
        pytest.skip("OSCULATE_REFERENCE does not name the example `answer` of the library")
    found = Reference(program)
    yield found
    found.process.stdin.close()  # type: ignore[union-attr]
    found.process.wait()


@pytest.fixture(scope="session")
def data() -> pathlib.Path:
    folder = pathlib.Path(os.environ.get("OSCULATE_DATA", "../shared/data"))
    if not folder.is_dir():
        pytest.skip(f"there is no {folder}")
    return folder


def grid(n: int) -> tuple[np.ndarray, np.ndarray]:
    """A sheet of 2 (n - 1)^2 triangles: faces and vertices."""
    i, j = np.meshgrid(np.arange(n - 1), np.arange(n - 1), indexing="ij")
    a, b, c, d = (i * n + j).ravel(), (i * n + j + 1).ravel(), (i * n + n + j).ravel(), (i * n + n + j + 1).ravel()
    faces = np.concatenate([np.stack([a, c, b], 1), np.stack([b, c, d], 1)]).astype(np.uint32)
    x, y = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    return faces, np.stack([x.ravel(), y.ravel(), np.zeros(n * n)], 1)


def waves(n: int, k: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Faces of a sheet, and k poses in which it folds over itself."""
    faces, rest = grid(n)
    random = np.random.default_rng(seed)
    times = np.linspace(0, 1, k)[:, None]
    phase = 12 * rest[:, 0] + 5 * rest[:, 1]
    poses = np.repeat(rest[None], k, 0)
    poses[:, :, 2] += 0.2 * np.sin(phase + 9 * times)
    poses[:, :, 0] += 0.25 * np.cos(phase + 7 * times)
    return faces, poses + 1e-3 * random.standard_normal(poses.shape)
