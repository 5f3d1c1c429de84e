"""``check_frames`` against ``check`` of the same clip in a file, and what it adds."""

from __future__ import annotations

import pathlib
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import osculate
from osculate import Bones, MeshError, OsculateError, PoseError, check, check_frames


def sheet(n: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A square of n by n vertices, and its triangles."""
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
    i = np.arange(n * n).reshape(n, n)
    quads = np.stack([i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]], axis=-1).reshape(-1, 4)
    return np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1), np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])


def clip(n: int = 9, k: int = 12) -> dict[str, Any]:
    """An upright sheet that moves through one that lies, and away again."""
    flat, faces = sheet(n)
    upright = 0.4 * flat[:, [0, 2, 1]] + [0.013, 0.007, 0.0]
    heights = [1.0 - 1.55 * np.sin(np.pi * i / (k - 1)) for i in range(k)]
    frames = np.array([np.concatenate([flat, upright + [0, 0, height]]) for height in heights])
    return {
        "faces": np.concatenate([faces, faces + len(flat)]),
        "frames": frames,
        "vertex_object": np.repeat([0, 1], len(flat)).astype(np.uint32),
    }


def without_names(report: osculate.Report) -> list[dict[str, Any]]:
    rows = [dict(row) for row in report.json["episodes"]]
    for row in rows:
        del row["clip"]
    return rows


def test_the_report_is_that_of_a_file(tmp_path: pathlib.Path) -> None:
    given = clip()
    np.savez(tmp_path / "sheets.npz", **given)
    all_options: list[dict[str, Any]] = [{}, {"baseline": "first"}, {"thickness": 0.05}, {"discrete": True}]
    for options in all_options:
        there = check(tmp_path / "sheets.npz", **options)
        here = check_frames(**given, name="sheets", **options)
        assert here.episodes and without_names(here) == without_names(there)
        assert here.entries == there.entries and here.json["totals"] == there.json["totals"]
        assert len(here.places) == len(here.episodes)


def test_bones_name_parts_and_rest_is_the_baseline() -> None:
    given = clip()
    n = given["frames"].shape[1]
    weights = np.eye(2)[given["vertex_object"]]
    bones = Bones(["Root", "Blade"], [-1, 0], np.zeros((2, 3)), np.tile([0, 1], (n, 1)), weights)
    inside = given["frames"][2]
    report = check_frames(**given, bones=bones)
    assert [pair.parts for pair in report.problems] == [["Root", "Blade"]]
    assert report.json["files"][0]["part_kind"] == "bone"
    assert not check_frames(**given, bones=bones, rest=inside, ignore_adjacent_bones=True).pairs
    aside = check_frames(**given, bones=bones, rest=inside)
    assert [pair.status for pair in aside.pairs] == ["baseline"] and not aside.problems
    assert all(not len(place.triangles) for place in aside.places)


def test_bones_do_not_move_the_surface() -> None:
    """Each part has one bone, as if it were rigid, but the second one bends."""
    given = clip()
    n = given["frames"].shape[1]
    ones = given["vertex_object"]
    bones = Bones(["Root", "Blade"], [-1, -1], np.zeros((2, 3)), ones[:, None], np.ones((n, 1)))
    frames = given["frames"].copy()
    frames[7:, ones == 1, 2] *= 1.5
    plain = check_frames(given["faces"], frames, objects=["Root", "Blade"], vertex_object=ones)
    named = check_frames(given["faces"], frames, bones=bones)
    keys = ("first_frame", "last_frame", "worst_frame", "depth", "extent", "point", "crossings")
    rows = [[{key: row[key] for key in keys} for row in r.json["episodes"]] for r in (plain, named)]
    assert rows[0] == rows[1] and rows[0]


def test_places_are_those_of_crossings() -> None:
    given = clip()
    report = check_frames(**given, contacts=True)
    for episode, place in zip(report.episodes, report.places):
        rows = report.table("crossings")
        here = rows["frame"] == episode.worst_frame
        assert set(place.triangles) == set(rows["triangles"][here].ravel())
        points = np.concatenate(place.curves)
        # Curves are joined segments: of the same points.
        segments = np.array([row for row in rows["segment"][here]]).reshape(-1, 3)
        assert {tuple(p) for p in points} <= {tuple(p) for p in segments}
        assert np.abs(points[:, 2]).max() < 1e-12
    assert report.episodes


def test_progress_and_an_end() -> None:
    given = clip(n=60, k=60)
    seen: list[int] = []
    check_frames(**given, progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 60

    class Stop(Exception):
        pass

    def stop(n_done: int) -> None:
        raise Stop(n_done)

    with pytest.raises(Stop):
        check_frames(**given, progress=stop)
    # From another thread, which does not get signals.
    outcome: list[object] = []

    def work() -> None:
        try:
            check_frames(**given, progress=stop)
        except Stop as why:
            outcome.append(why)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert len(outcome) == 1


def test_a_baseline_is_that_of_the_command(tmp_path: pathlib.Path) -> None:
    given = clip()
    path = tmp_path / "known.toml"
    report = check_frames(**given, write_baseline=path)
    assert report.baseline() == path.read_text()
    assert report.baseline([]) == osculate.BASELINE_HEAD
    assert not check_frames(**given, baseline=path).problems


def bones_of(n: int, parents: Sequence[int] = (-1, 0), bone: int = 0, weight: float = 1.0) -> Bones:
    """Two bones, of which one has all vertices."""
    return Bones(["a", "b"], parents, np.zeros((2, 3)), np.full((n, 1), bone), np.full((n, 1), weight))


def test_what_is_wrong_is_said() -> None:
    given = clip()
    n = given["frames"].shape[1]
    with pytest.raises(PoseError, match=r"frames has shape \(2, 3\)"):
        check_frames(given["faces"], np.zeros((2, 3)))
    with pytest.raises(MeshError, match="vertex 81 is in object 1 of 1") as caught:
        check_frames(**given, objects=["one"])
    assert caught.value.element == 81
    with pytest.raises(MeshError, match="bone 1 has the parent 7 of 2 bones"):
        check_frames(**given, bones=bones_of(n, parents=[-1, 7]))
    with pytest.raises(OsculateError, match="vertex 0: it follows no bone"):
        check_frames(**given, bones=bones_of(n, weight=0.0))
    with pytest.raises(OsculateError, match="bone 4, but there are 2 bones"):
        check_frames(**given, bones=bones_of(n, bone=4))
    with pytest.raises(OsculateError, match="frames"):
        check_frames(given["faces"], given["frames"][:0])
    nan = given["frames"].copy()
    nan[3, 5, 1] = np.nan
    with pytest.raises(OsculateError, match="frame 3"):
        check_frames(given["faces"], nan)
    with pytest.raises(OsculateError, match="no other input"):
        check_frames(given["faces"], given["frames"], scene="figure")
    with pytest.raises(OsculateError, match="fps"):
        check_frames(given["faces"], given["frames"], fps=0.0)
