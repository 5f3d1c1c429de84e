"""How long it takes from Ctrl-C to ``KeyboardInterrupt``, in calls that are long.

A timer sends a signal to the process at a random moment of a call, which may be in its preparation.

python interrupt.py [--cells N] [--times K] [--most SECONDS] [--only TEXT]
"""

from __future__ import annotations

import argparse
import random
import signal
import statistics
import time
from collections.abc import Callable

import numpy as np
import osculate
from batch import rolling_sheet


def calls(n: int) -> dict[str, Callable[[], Callable[[], object]]]:
    """Long calls about a sheet of 2 n^2 triangles: for each, what makes it ready to be called."""
    faces, poses = rolling_sheet(n, 4)
    start, end = poses[2:]
    n_vertices = len(start)
    random_numbers = np.random.default_rng(1)
    joints = random_numbers.integers(0, 50, (n_vertices, 8)).astype(np.uint32)
    weights = np.full((n_vertices, 8), 0.125)
    mesh = osculate.Mesh(faces, n_vertices)
    sequence = np.tile(poses[1:3], (100, 1, 1))

    def query(ask: Callable[[osculate.World, int], object]) -> Callable[[], Callable[[], object]]:
        # A new model each time, so that what is prepared once for a model is part of the call.
        def ready() -> Callable[[], object]:
            world = osculate.World()
            body = world.add(osculate.Model(mesh, start), start)
            return lambda: ask(world, body)

        return ready

    def of_method(method: str) -> Callable[[], Callable[[], object]]:
        return query(lambda world, body: world.contacts({body: end}, method=method))

    return {
        "Mesh": lambda: lambda: osculate.Mesh(faces, n_vertices),
        "Model": lambda: lambda: osculate.Model(mesh, start),
        "Skin": lambda: lambda: osculate.Skin(start, joints, weights, 50),
        # "sct" is for crossings.
        **{f"contacts, {name}": of_method(name) for name in osculate.methods() if name != "sct"},
        "crossings": query(lambda world, _: world.crossings()),
        "proximities": query(lambda world, _: world.proximities(0.5 / n)),
        "largest_free_step": query(lambda world, body: world.largest_free_step({body: end})),
        "contacts_batch": lambda: lambda: osculate.contacts_batch(osculate.Model(mesh, start), sequence),
        "check": lambda: lambda: osculate.check(verify=True),
        "check_frames": lambda: lambda: osculate.check_frames(faces, sequence),
    }


def interrupted(call: Callable[[], object], after: float) -> tuple[float, float | None]:
    """Let a signal arrive some seconds after the start of a call.

    Return how long the call took, and the time from the signal to the exception, if the call had not
    ended before.
    """
    # The timer is of the system, so no thread of Python has to run at that moment.
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        start = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, after)
        call()
        taken = time.perf_counter() - start
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        return taken, None
    except KeyboardInterrupt:
        taken = time.perf_counter() - start
        return taken, taken - after
    finally:
        signal.signal(signal.SIGALRM, before)


def main(arguments: list[str] | None = None) -> dict[str, list[float]]:
    """Run the example, and return the times of each call from the signal to the exception."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=316)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--most", type=float, default=3.0, help="latest moment of a signal")
    parser.add_argument("--only", default="", help="calls with this text in their names")
    given = parser.parse_args(arguments)
    found: dict[str, list[float]] = {}
    moments = random.Random(1)
    for name, ready in calls(given.cells).items():
        if given.only not in name:
            continue
        # How long it takes, as far as it matters.
        length, _ = interrupted(ready(), given.most)
        trials = [interrupted(ready(), moments.uniform(0.02, 1.0) * min(length, given.most)) for _ in range(given.times)]
        late = [delay for _, delay in trials if delay is not None]
        found[name] = late
        if late:
            text = f"median {statistics.median(late):.3f} s, longest {max(late):.3f} s of {len(late)}"
        else:
            text = "ended before the signals"
        print(f"{name}: {text} (call of {length:.2f} s)", flush=True)
    return found


if __name__ == "__main__":
    main()
