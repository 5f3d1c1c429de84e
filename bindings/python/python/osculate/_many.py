"""``osculate.check_many``: a library of clips as a data set, checked by any executor."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from typing import Any

from osculate import _osculate
from osculate._check import arguments_of

#: How many files may be waiting in the executor, so that 100,000 do not burden its scheduler.
_IN_FLIGHT = 256


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What became of a clip; ``state`` is ``"checked"``, ``"skipped"`` or ``"failed"``."""

    file: str
    clip: str | None
    state: str
    error: str | None
    problems: int
    severity_share: float | None


@dataclasses.dataclass(frozen=True)
class Summary:
    """What :func:`check_many` did; all of it, and more, is in the data set ``out``."""

    out: str
    outcomes: list[Outcome]

    def _n(self, state: str) -> int:
        return sum(outcome.state == state for outcome in self.outcomes)

    @property
    def checked(self) -> int:
        """Number of clips that were checked now."""
        return self._n("checked")

    @property
    def skipped(self) -> int:
        """Number of clips that were in the data set already."""
        return self._n("skipped")

    @property
    def failed(self) -> int:
        """Number of rows with an error."""
        return self._n("failed")

    def worst(self, n: int = 10) -> list[Outcome]:
        """Return the clips with the worst problems, compared with the sizes of their models."""
        with_problems = [outcome for outcome in self.outcomes if outcome.problems]
        return sorted(with_problems, key=lambda outcome: -(outcome.severity_share or 0.0))[:n]


def _task(common: list[str], path: str) -> list[Any]:
    """Check one input; what an executor runs, also in another process."""
    return _osculate.many_check([*common, "--", path], path)


def _threads() -> Executor:
    return ThreadPoolExecutor(os.cpu_count())


def check_many(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    executor: Executor | Callable[[], Executor] | None = None,
    retries: int = 2,
    **options: Any,
) -> Summary:
    """Check the clips of many files, and add them to the data set in the folder ``out``.

    The same as ``osculate check --many PATHS --out OUT``, with each file a task of ``executor``: any
    of ``concurrent.futures``, such as that of Dask (``client.get_executor()``), or a function that
    makes one, which is called again if its processes die. Without one, threads are used. Clips that
    are in the data set for the same content, options and version are skipped.

    A task whose worker dies is tried again, ``retries`` times; then its file gets a row with the
    error. ``options`` are those of :func:`osculate.check`; ``threads`` is 1 unless given, as tasks
    run beside each other.
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    common = ["osculate", "check", "--many", "--out", os.fspath(out), *arguments_of({"threads": 1, **options})]
    inputs = _osculate.many_inputs([*common, "--", *(os.fspath(path) for path in given)])
    if executor is None:
        executor = _threads
    # Dask's executor is no subclass of Executor; a class of executors has their names, too.
    make = executor if isinstance(executor, type) or not hasattr(executor, "submit") else None
    pool: Any = executor if make is None else make()
    found: dict[str, list[Outcome]] = {}
    waiting = [(path, 0) for path in reversed(inputs)]
    running: dict[Future[list[Any]], tuple[str, int]] = {}
    try:
        while waiting or running:
            failed: list[tuple[str, int, BaseException]] = []
            while waiting and len(running) < _IN_FLIGHT and not failed:
                path, n_tries = waiting.pop()
                try:
                    running[pool.submit(_task, common, path)] = (path, n_tries)
                except BrokenExecutor as error:
                    failed.append((path, n_tries, error))
            # An executor that is broken lets all of its tasks fail.
            done = wait(running, return_when=ALL_COMPLETED if failed else FIRST_COMPLETED).done if running else set()
            if any(isinstance(future.exception(), BrokenExecutor) for future in done):
                done = wait(running).done
            for future in done:
                path, n_tries = running.pop(future)
                try:
                    found[path] = [Outcome(*row) for row in future.result()]
                except Exception as error:  # A dead worker, or a data set that cannot be written.
                    failed.append((path, n_tries, error))
            is_broken = any(isinstance(error, BrokenExecutor) for *_, error in failed)
            if is_broken and make is not None:
                pool.shutdown(wait=False)
                pool = make()
            for path, n_tries, why in failed:
                if n_tries < retries and (make is not None or not is_broken):
                    waiting.append((path, n_tries + 1))
                else:
                    problem = f"{path}: its task failed: {type(why).__name__}: {why}"
                    found[path] = [Outcome(*_osculate.many_record([*common, "--", path], path, problem))]
    finally:
        for future in running:
            future.cancel()
        if make is not None:
            pool.shutdown(wait=False)
    return Summary(os.fspath(out), [outcome for path in inputs for outcome in found[path]])
