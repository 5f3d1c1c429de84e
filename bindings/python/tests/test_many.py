"""`check_many`: complete, no row twice, no half file, whichever executor does the work and dies."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import osculate

duckdb = pytest.importorskip("duckdb")

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
BOX = np.array([face for a, b, c, d in QUADS for face in ((a, b, c), (a, c, d))], dtype=np.uint32)


def boxes(path: Path, low: float, n_frames: int = 3) -> None:
    """Two boxes; the upper one comes down to `low`, where below 1.5 it overlaps the lower one."""
    heights = np.where(np.arange(n_frames) % 2 == 1, low, 2.0)
    frames = [np.concatenate([CORNERS, 0.5 * CORNERS + [0.2, 0.1, z]]) for z in heights]
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, faces=np.concatenate([BOX, BOX + 8]), frames=np.array(frames))


def library(folder: Path, n: int, n_damaged: int = 0, n_frames: int = 3) -> None:
    """`n` files; every second one of the sound ones has a problem."""
    for i in range(n):
        path = folder / f"clips/{i % 7}/c{i:03}.npz"
        boxes(path, 1.4 - 0.002 * i if i % 2 == 0 else 1.75, n_frames)
        if i < n_damaged:
            path.write_bytes(path.read_bytes()[: 200 + i])


def tables(out: Path) -> dict[str, bytes]:
    """All files of the tables."""
    return {
        str(path.relative_to(out)): path.read_bytes()
        for table in ("clips", "episodes", "contacts")
        for path in sorted((out / table).rglob("*"))
        if path.is_file()
    }


def sql(out: Path, query: str) -> list[Any]:
    """A query about `clips` and `episodes`."""
    connection = duckdb.connect()
    for table in ("clips", "episodes"):
        connection.execute(f"create view {table} as from read_parquet('{out}/{table}/*/*.parquet')")
    return connection.execute(query).fetchall()


def is_whole(out: Path, n_ok: int, n_failed: int) -> None:
    """The data set has these rows, each once, and the episodes that belong to them."""
    counts = dict(sql(out, "select status, count(*) from clips group by 1"))
    assert (counts.get("ok", 0), counts.get("error", 0)) == (n_ok, n_failed)
    assert sql(out, "select file, clip from clips group by 1, 2 having 1 < count(*)") == []
    counted = "select c.key from clips c left join episodes e using (key) where c.status = 'ok' "
    assert sql(out, counted + "group by c.key, c.episodes having count(e.key) != c.episodes") == []
    assert all(name.endswith(".parquet") for name in tables(out))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


def test_every_executor_makes_the_data_set_of_the_command(here: Path) -> None:
    library(here, 12, 2)
    command = [sys.executable, "-m", "osculate", "check", "--many", "clips/**/*.npz", "--out", "command"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2
    expected = tables(here / "command")
    for name, executor in {"none": None, "threads": ThreadPoolExecutor(2), "processes": processes}.items():
        summary = osculate.check_many("clips/**/*.npz", name, executor)
        assert (summary.checked, summary.skipped, summary.failed) == (10, 0, 2)
        assert tables(here / name) == expected
        summary = osculate.check_many(sorted(Path("clips").rglob("*.npz")), name)
        assert (summary.checked, summary.skipped, summary.failed) == (0, 10, 2)
        assert tables(here / name) == expected
    assert [worst.problems for worst in summary.worst(3)] == [1, 1, 1]
    is_whole(here / "none", 10, 2)


class Job:
    """A task that is no ``Future`` and cannot be waited for: it runs when it is looked at again."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call, self.n_looks = (function, arguments), 0

    def done(self) -> bool:
        self.n_looks += 1
        return self.n_looks > 2

    def result(self) -> Any:
        function, arguments = self.call
        return function(*arguments)


class Jobs:
    """An executor of such tasks; every fifth one fails."""

    def __init__(self) -> None:
        self.n = 0

    def submit(self, function: Any, /, *arguments: Any) -> Job:
        self.n += 1
        return Job(lost, *arguments) if self.n % 5 == 0 else Job(function, *arguments)


def lost(*_: Any) -> None:
    raise RuntimeError("the job was lost")


def test_an_executor_of_tasks_that_are_no_futures(here: Path) -> None:
    library(here, 12, 2)
    osculate.check_many("clips/**/*.npz", "command")
    jobs = Jobs()
    summary = osculate.check_many("clips/**/*.npz", "jobs", jobs)
    assert (summary.checked, summary.failed, jobs.n) == (10, 2, 14)
    assert tables(here / "jobs") == tables(here / "command")
    summary = osculate.check_many("clips/**/*.npz", "again", Jobs, retries=0)
    without = [outcome for outcome in summary.outcomes if "the job was lost" in str(outcome.error)]
    assert without == summary.outcomes[4::5]
    assert without[0].error == f"{without[0].file}: its task failed: RuntimeError: the job was lost"


def test_jobs_of_submitit(here: Path) -> None:
    submitit = pytest.importorskip("submitit")
    library(here, 3, 1)
    executor = submitit.AutoExecutor(folder=here / "logs", cluster="local")
    executor.update_parameters(timeout_min=5)
    summary = osculate.check_many("clips/**/*.npz", "set", executor)
    assert (summary.checked, summary.skipped, summary.failed) == (2, 0, 1)
    is_whole(here / "set", 2, 1)
    # Each was a process of its own.
    assert len(list((here / "logs").glob("*_result.pkl"))) == 3
    osculate.check_many("clips/**/*.npz", "other")
    assert tables(here / "set") == tables(here / "other")


def test_errors_of_the_call_are_exceptions(here: Path) -> None:
    library(here, 1)
    with pytest.raises(osculate.OsculateError, match="matches"):
        osculate.check_many("clips/*.glb", "set")
    with pytest.raises(osculate.OsculateError, match="--json cannot be used with --many"):
        osculate.check_many("clips/**", "set", json="r.json")


def die_once(common: list[str], path: str) -> list[Any]:
    """A task whose process dies when it sees a file for the first time."""
    from osculate import _osculate

    mark = Path("mark")
    if path.endswith("c003.npz") and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return _osculate.many_check([*common, "--", path], path)


def die(common: list[str], path: str) -> list[Any]:
    """A task whose process dies whenever it sees a file."""
    from osculate import _osculate

    if path.endswith("c003.npz"):
        os.kill(os.getpid(), signal.SIGKILL)
    return _osculate.many_check([*common, "--", path], path)


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_a_dead_process_is_a_retry_or_an_error_row(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from osculate import _many

    library(here, 8)
    with monkeypatch.context() as patch:
        patch.setattr(_many, "_task", die_once)
        summary = osculate.check_many("clips/**/*.npz", "set", processes)
        assert (summary.checked + summary.skipped, summary.failed) == (8, 0)
        is_whole(here / "set", 8, 0)
        # Without a way to make another executor, what was not done gets a row.
        patch.setattr(_many, "_task", die)
        with processes() as broken:
            summary = osculate.check_many("clips/**/*.npz", "other", broken)
    assert len({outcome.file for outcome in summary.outcomes}) == 8
    failed = [str(outcome.error) for outcome in summary.outcomes if outcome.state == "failed"]
    assert failed
    assert all("its task failed: BrokenProcessPool" in error for error in failed)
    # And the next run does it.
    osculate.check_many("clips/**/*.npz", "other")
    is_whole(here / "other", 8, 0)
    assert tables(here / "other") == tables(here / "set")


def test_other_readers_see_one_table(here: Path) -> None:
    polars = pytest.importorskip("polars")
    dataset = pytest.importorskip("pyarrow.dataset")
    library(here, 9, 1)
    osculate.check_many("clips/**/*.npz", "set", contacts=True)
    columns = ["key", "file", "clip", "status", "episodes", "depth"]
    expected = sql(here / "set", f"select {', '.join(columns)} from clips order by file")
    assert len(expected) == 9
    frame = polars.scan_parquet("set/clips", hive_partitioning=True).collect()
    assert frame.sort("file").select(columns).rows() == expected
    arrow = dataset.dataset("set/clips", partitioning="hive").to_table().sort_by("file")
    assert [tuple(row[name] for name in columns) for row in arrow.to_pylist()] == expected
    n_contacts = dataset.dataset("set/contacts", partitioning="hive").count_rows()
    assert n_contacts == polars.scan_parquet("set/contacts").collect().height > 0


def test_spark_sees_one_table(here: Path) -> None:
    sql_of_spark = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    library(here, 9, 1)
    osculate.check_many("clips/**/*.npz", "set")
    columns = ["key", "file", "clip", "status", "episodes", "depth"]
    settings = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    builder = sql_of_spark.SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        rows = session.read.parquet(str(here / "set/clips")).orderBy("file").select(*columns).collect()
        n_episodes = session.read.parquet(str(here / "set/episodes")).count()
    finally:
        session.stop()
    expected = sql(here / "set", f"select {', '.join(columns)} from clips order by file")
    assert [tuple(row) for row in rows] == expected and len(expected) == 9
    assert [(n_episodes,)] == sql(here / "set", "select count(*) from episodes") != [(0,)]


@pytest.fixture
def cluster() -> Any:
    distributed = pytest.importorskip("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        yield client


def test_dask_with_damaged_clips(here: Path, cluster: Any) -> None:
    library(here, 200, 5)
    summary = osculate.check_many(here / "clips/**/*.npz", here / "set", cluster.get_executor())
    assert (summary.checked, summary.skipped, summary.failed) == (195, 0, 5)
    is_whole(here / "set", 195, 5)


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_dask_with_a_killed_worker(here: Path, cluster: Any) -> None:
    library(here, 60, n_frames=200)
    out = here / "set"
    pids = list(cluster.run(os.getpid).values())

    def kill() -> None:
        while len(list((out / "clips").rglob("*.parquet"))) < 8:
            time.sleep(0.005)
        os.kill(pids[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    first = osculate.check_many(here / "clips/**/*.npz", out, cluster.get_executor())
    killer.join()
    assert len({outcome.file for outcome in first.outcomes}) == 60
    is_whole(out, 60 - first.failed, first.failed)
    osculate.check_many(here / "clips/**/*.npz", out, cluster.get_executor())
    is_whole(out, 60, 0)
    osculate.check_many(here / "clips/**/*.npz", here / "whole")
    assert tables(out) == tables(here / "whole")


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_a_whole_run_that_is_killed(here: Path) -> None:
    library(here, 40, n_frames=200)
    script = "import osculate; osculate.check_many('clips/**/*.npz', 'set')"
    run = subprocess.Popen([sys.executable, "-c", script])
    while len(list((here / "set/clips").rglob("*.parquet"))) < 8:
        time.sleep(0.005)
    run.kill()
    run.wait()
    [(n,)] = sql(here / "set", "select count(*) from clips where status = 'ok'")
    is_whole(here / "set", n, 0)
    osculate.check_many("clips/**/*.npz", "set")
    is_whole(here / "set", 40, 0)
    osculate.check_many("clips/**/*.npz", "whole")
    assert tables(here / "set") == tables(here / "whole")
