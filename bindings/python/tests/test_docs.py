"""The pages about the package and about data sets: their Python and SQL run."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
from typing import Any

import numpy as np
import osculate
import pytest
from test_many import library

DOCS = pathlib.Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "python.md").read_text()
MANY = (DOCS / "many.md").read_text()


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def test_blocks_of_the_page_run() -> None:
    names: dict[str, Any] = {}
    assert len(blocks(PAGE, "python")) == 2
    for block in blocks(PAGE, "python"):
        exec(block, names)
    assert len(names["found"]) > len(names["on_faces"]) > 0 and 0.49 < names["free"] <= 0.5
    assert names["report"].problems[0].parts == ["LowerArm.L", "Hand.R"]


def test_the_table_for_users_of_ipc_toolkit() -> None:
    expressions = re.findall(r"\| `(world\.[a-z_]+\([^…`]*)` \|$", PAGE, re.MULTILINE)
    faces, rest = np.array([[0, 1, 2], [3, 4, 5]]), np.eye(3)
    v0 = np.concatenate([rest, rest + 0.25])
    v1 = np.concatenate([rest, rest - 0.25])
    world = osculate.World()
    body = world.add(osculate.Model(osculate.Mesh(faces, len(v0)), v0), v0)
    names = {"world": world, "body": body, "v1": v1, "dhat": 0.5}
    size, is_free, crosses, close, square = (eval(of, names) for of in expressions)
    assert 0.49 < size <= 0.5 and not is_free and not crosses
    # The planes of the triangles are sqrt(3) / 4 apart.
    assert len(close) > 0 and abs(square - 3 / 16) < 1e-9


def test_blocks_about_data_sets_run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the page has them, with a cluster of this machine and files that have another ending."""
    duckdb, distributed = pytest.importorskip("duckdb"), pytest.importorskip("distributed")
    pytest.importorskip("submitit")
    monkeypatch.chdir(tmp_path)
    library(tmp_path, 6, 1)
    of_executor, of_dask, of_submitit, of_polars = blocks(MANY, "python")
    # A process of its own, as processes that are started import the file.
    (tmp_path / "page.py").write_text(of_executor.replace("*.glb", "*.npz"))
    done = subprocess.run([sys.executable, "page.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, *worst = done.stdout.splitlines()
    assert first == "5 0 1" and len(worst) == 2 and worst[0].startswith("clips/")
    settings = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**settings) as cluster:
        text = of_dask.replace("tcp://scheduler:8786", cluster.scheduler_address)
        exec(text.replace("/shared/", f"{tmp_path}/").replace("*.glb", "*.npz").replace("/dataset", "/other"), {})
    text = of_submitit.replace('"logs"', '"logs", cluster="local"')
    exec(text.replace("*.glb", "*.npz").replace('"dataset"', '"third"'), {})
    for name in ("other", "third"):
        rows = duckdb.sql(f"SELECT status FROM read_parquet('{name}/clips/*/*.parquet')").fetchall()
        assert rows.count(("ok",)) == 5 and len(rows) == 6
    clips, episodes, copy = blocks(MANY, "sql")
    rows = duckdb.sql(clips).fetchall()
    assert [row[0] for row in rows] == [line.split()[0] for line in worst]
    assert len(duckdb.sql(episodes).fetchall()) >= 2
    duckdb.sql(copy)
    assert duckdb.sql("SELECT count(*) FROM 'clips.parquet'").fetchall() == [(6,)]
    names: dict[str, Any] = {}
    exec(of_polars, names)
    assert names["worst"].rows() == [row[:5] for row in rows]
