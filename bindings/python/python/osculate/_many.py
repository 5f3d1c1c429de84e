"""``osculate.check_many``: a library of clips as a data set, checked by any executor."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol, TypeAlias

from osculate import _osculate
from osculate._check import arguments_of

#: How many files may be waiting in the executor, so that 100,000 do not burden its scheduler.
_IN_FLIGHT = 256

#: Seconds between two looks at tasks that cannot be waited for: at first, and at most.
_POLL = (0.02, 1.0)


class Task(Protocol):
    """What ``submit`` of an executor returns: a ``Future``, or a job of submitit."""

    def done(self) -> bool:
        """Return whether :meth:`result` has an answer."""

    def result(self) -> Any:
        """Return what the function returned, or raise why there is no answer."""


class Submitter(Protocol):
    """What :func:`check_many` needs of an executor."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Task:
        """Let a function run elsewhere."""


AnyExecutor: TypeAlias = Executor | Submitter


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What became of a clip; ``state`` is ``"checked"``, ``"skipped"`` or ``"failed"``."""

    file: str
    clip: str | None
    state: str
    error: str | None
    problems: int
    severity_share: float | None


@dataclasses.dataclass(frozen=True, repr=False)
class Summary:
    """What :func:`check_many` did; all of it, and more, is in the data set ``out``."""

    out: str
    outcomes: list[Outcome]

    def __repr__(self) -> str:
        return f"<Summary: checked {self.checked}, skipped {self.skipped}, failed {self.failed}>"

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


def _is_done(task: Any) -> bool:
    try:
        return bool(task.done())
    except Exception:  # A debugging job of submitit runs when it is asked; its result says what failed.
        return True


def _wait(tasks: Iterable[Any], until: Callable[[Iterable[bool]], bool]) -> None:
    """Wait until ``any`` or ``all`` of the tasks are done."""
    tasks = list(tasks)
    futures = [task for task in tasks if isinstance(task, Future)]
    pause, longest = _POLL
    while not until(_is_done(task) for task in tasks):
        if len(futures) == len(tasks):
            wait([future for future in futures if not future.done()], return_when=FIRST_COMPLETED)
        else:
            time.sleep(pause)
            pause = min(1.5 * pause, longest)


def _end(pool: Any) -> None:
    """Let an executor that was made here end, if it has to."""
    if hasattr(pool, "shutdown"):
        pool.shutdown(wait=False)


def check_many(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    executor: AnyExecutor | Callable[[], AnyExecutor] | None = None,
    retries: int = 2,
    **options: Any,
) -> Summary:
    """Check the clips of many files, and add them to the data set in the folder ``out``.

    The same as ``osculate check --many PATHS --out OUT``, with each file a task of ``executor``: any
    of ``concurrent.futures``, that of Dask (``client.get_executor()``), one of submitit, or another
    whose ``submit`` returns something with ``done`` and ``result``; or a function that makes one,
    which is called again if its processes die. Without one, threads are used. Clips that are in the
    data set for the same content, options and version are skipped.

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
    running: dict[Any, tuple[str, int]] = {}
    failed: list[tuple[str, int, Exception]] = []

    def is_broken() -> bool:
        return any(isinstance(error, BrokenExecutor) for *_, error in failed)

    def collect(until: Callable[[Iterable[bool]], bool]) -> None:
        _wait(running, until)
        for task in [task for task in running if _is_done(task)]:
            path, n_tries = running.pop(task)
            try:
                found[path] = [Outcome(*row) for row in task.result()]
            except Exception as error:  # A dead worker, or a data set that cannot be written.
                failed.append((path, n_tries, error))

    try:
        while waiting or running:
            failed.clear()
            while waiting and len(running) < _IN_FLIGHT and not failed:
                path, n_tries = waiting.pop()
                try:
                    running[pool.submit(_task, common, path)] = (path, n_tries)
                except BrokenExecutor as error:
                    failed.append((path, n_tries, error))
            if running and not failed:
                collect(any)
            if is_broken():
                # An executor that is broken lets all of its tasks fail.
                collect(all)
                if make is not None:
                    _end(pool)
                    pool = make()
            for path, n_tries, why in failed:
                if n_tries < retries and (make is not None or not is_broken()):
                    waiting.append((path, n_tries + 1))
                else:
                    problem = f"{path}: its task failed: {type(why).__name__}: {why}"
                    found[path] = [Outcome(*_osculate.many_record([*common, "--", path], path, problem))]
    finally:
        for task in running:
            if hasattr(task, "cancel"):
                task.cancel()
        if make is not None:
            _end(pool)
    return Summary(os.fspath(out), [outcome for path in inputs for outcome in found[path]])
