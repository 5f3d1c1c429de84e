"""The time of a query of two triangles, nearly all of which is the way from Python to Rust and back.

python overhead.py [--calls N] [--rounds R]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import osculate


def queries() -> dict[str, Callable[[], object]]:
    """Queries about two triangles, one of which falls through the other."""
    triangle = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    model = osculate.Model(osculate.Mesh([[0, 1, 2]], 3), triangle)
    world = osculate.World()
    world.add(model, triangle, static=True)
    falling = world.add(model, triangle[:, [1, 2, 0]] + [0.2, 0.1, 0.25])
    step = {falling: triangle[:, [1, 2, 0]] + [0.2, 0.1, -1.5]}
    found = world.contacts(step)
    assert len(found) > 0 and world.largest_free_step(step)[0] < 1.0
    return {
        "contacts": lambda: world.contacts(step),
        "largest_free_step": lambda: world.largest_free_step(step),
        "crossings": lambda: world.crossings(),
        "proximities": lambda: world.proximities(0.3),
    }


def microseconds(query: Callable[[], object], n: int) -> float:
    """The processor time of one of n calls."""
    start = time.process_time()
    for _ in range(n):
        query()
    return 1e6 * (time.process_time() - start) / n


def main(arguments: list[str] | None = None) -> dict[str, float]:
    """Run the example, and return the median time of each query in microseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args(arguments)
    medians = {}
    for name, query in queries().items():
        times = [microseconds(query, given.calls) for _ in range(given.rounds)]
        medians[name] = statistics.median(times)
        print(f"{name}: {medians[name]:.1f} us ({min(times):.1f} to {max(times):.1f})")
    return medians


if __name__ == "__main__":
    main()
