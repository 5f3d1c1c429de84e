"""The time of ``check_many`` with one and with two processes, in turns.

python workers.py 'clips/**/*.glb' [--rounds R] [--dask]
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import osculate


def processes(n: int) -> Callable[[], Executor]:
    """What makes an executor of ``n`` new processes, whose start is part of the time."""
    return lambda: ProcessPoolExecutor(n, mp_context=get_context("spawn"))


def seconds(pattern: str, executor: Executor | Callable[[], Executor]) -> tuple[float, int]:
    """How long it takes to check all clips, and how many were checked."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        summary = osculate.check_many(pattern, folder, executor)
        return time.perf_counter() - start, summary.checked


def compare(pattern: str, rounds: int, executors: dict[int, Executor | Callable[[], Executor]]) -> list[int]:
    """Print the times with each number of processes, and return the numbers of clips."""
    counts, ratios = [], []
    for _ in range(rounds):
        (of_one, n_one), (of_two, n_two) = (seconds(pattern, executors[n]) for n in (1, 2))
        counts += [n_one, n_two]
        ratios.append(of_two / of_one)
        print(f"{n_one} clips: one process {of_one:.2f} s, two {of_two:.2f} s; ratio {ratios[-1]:.2f}")
    print(f"median ratio {statistics.median(ratios):.2f}")
    return counts


def main(arguments: list[str] | None = None) -> list[int]:
    """Run the example, and return the numbers of clips that were checked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pattern")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dask", action="store_true", help="workers of Dask, which run already")
    given = parser.parse_args(arguments)
    if not given.dask:
        return compare(given.pattern, given.rounds, {n: processes(n) for n in (1, 2)})
    distributed: Any = importlib.import_module("distributed")
    settings = {"threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    clusters = {n: distributed.LocalCluster(n_workers=n, **settings) for n in (1, 2)}
    with clusters[1], clusters[2]:
        of_clients = {n: distributed.Client(cluster).get_executor() for n, cluster in clusters.items()}
        return compare(given.pattern, given.rounds, of_clients)


if __name__ == "__main__":
    main()
