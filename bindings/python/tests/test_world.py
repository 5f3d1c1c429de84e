"""Worlds, batches, tables and errors."""

from __future__ import annotations

import pickle

import numpy as np
import osculate
import pytest
from conftest import waves
from hypothesis import given
from hypothesis import strategies as st


def bits(found: osculate.Table) -> dict[str, bytes]:
    return {name: column.tobytes() for name, column in found.to_dict().items()}


def test_a_batch_is_a_loop() -> None:
    faces, poses = waves(24, 9)
    model = osculate.Model(osculate.Mesh(faces, poses.shape[1]), poses[0])
    world = osculate.World()
    body = world.add(model, poses[0])
    loop = []
    for i, pose in enumerate(poses[1:]):
        found = world.contacts({body: pose}).to_dict()
        loop.append({**found, "step": np.full(len(found["lo"]), i, np.uint32)})
        world.set_pose(body, pose)
    expected = {name: np.concatenate([of[name] for of in loop]).tobytes() for name in loop[0]}
    for method in ["bvh", "normal-cone:front"]:
        batch = osculate.contacts_batch(model, poses, method=method)
        assert len(batch) > 100 and batch.count == len(batch)
        assert bits(batch) == expected
    counted = osculate.contacts_batch(model, poses, results="count")
    assert len(counted) == 0 and counted.count == len(batch)


def test_a_batch_of_bones_is_a_batch_of_vertices() -> None:
    faces, poses = waves(24, 2)
    rest = poses[0]
    share = rest[:, :1].clip(0, 1)
    skin = osculate.Skin(rest, np.tile([0, 1], (len(rest), 1)), np.hstack([1 - share, share]))
    model = osculate.Model(osculate.Mesh(faces, len(rest)), rest, skin=skin)
    bones = np.tile(np.eye(3, 4), (20, 2, 1, 1))
    bones[:, 1, 0, 3] = -np.linspace(0, 1.5, 20)
    bones[:, 1, 2, 3] = 0.3 * np.sin(np.linspace(0, 9, 20))
    by_bones = osculate.contacts_batch(model, bones, method="sphere-tree")
    assert len(by_bones) > 0
    vertices = np.stack([skin.pose(of) for of in bones])
    assert bits(by_bones) == bits(osculate.contacts_batch(model, vertices))


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_batch_without_steps_is_empty(n: int) -> None:
    faces, poses = waves(4, 2)
    model = osculate.Model(osculate.Mesh(faces, 16), poses[0])
    still = np.repeat(poses[:1], n, 0)
    assert osculate.contacts_batch(model, still).count == len(osculate.contacts_batch(model, still))


def test_answers_do_not_depend_on_threads() -> None:
    faces, poses = waves(40, 5)
    model = osculate.Model(osculate.Mesh(faces, poses.shape[1]), poses[0])
    answers = []
    for n in [1, 2, 3, 0]:
        osculate.set_num_threads(n)
        assert n == 0 or osculate.num_threads() == n
        world = osculate.World()
        body = world.add(model, poses[0])
        answers.append(
            (bits(osculate.contacts_batch(model, poses)), bits(world.contacts({body: poses[1]})), bits(world.crossings()))
        )
    assert all(answer == answers[0] for answer in answers)
    assert answers[0][0]["lo"]
    for n in (-1, 10**6):
        with pytest.raises(osculate.OsculateError, match=f"^{n} threads were asked for; 0 to 1024 are allowed"):
            osculate.set_num_threads(n)


def test_bodies_are_added_and_removed() -> None:
    triangle = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    model = osculate.Model(osculate.Mesh([[0, 1, 2]], 3), triangle)
    world = osculate.World()
    floor, sheet = world.add(model, triangle), world.add(model, triangle + [0.25, 0.25, 1])
    down = triangle + [0.25, 0.25, -1]
    size, limit = world.largest_free_step({sheet: down})
    assert 0.49 < size <= 0.5 and len(limit) == 1 and limit.lo[0] == size
    assert world.largest_free_step([(sheet, triangle + 5)])[0] == 1
    assert len(world.proximities(1.5)) > 0 and len(world.proximities(0.5)) == 0
    assert world.contacts({sheet: down}, results="any").count == 1
    world.set_pose(sheet, triangle[:, [0, 2, 1]] + [0.2, 0.2, -0.3])
    crossing = world.crossings()
    assert crossing.segment.shape == (1, 2, 3) and crossing.relation[0] == osculate.Relation.PIERCING
    world.remove(floor)
    assert world.bodies == [sheet] and len(world.crossings()) == 0
    for call in (
        lambda: world.contacts({floor: down}),
        lambda: world.remove(7),
        lambda: world.vertices(floor),
        lambda: world.set_poses({9: down}),
    ):
        with pytest.raises(osculate.OsculateError, match="there is no body"):
            call()


def test_distances_and_rays() -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    model = osculate.Model(osculate.Mesh([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], 4), corners)
    world = osculate.World()
    body = world.add(model, corners)
    assert world.signed_distances(body, [[0.125, 0.125, 0.125], [-1, 0.125, 0.125]]).tolist() == [-0.125, 1.0]
    assert world.closest_points(body, [[0.125, 0.125, -2]]).point.tolist() == [[0.125, 0.125, 0]]
    hits = world.ray_casts(body, [[0.1, 0.1, -1], [5, 5, 5]], [[0.1, 0.1, 1], [6, 6, 6]])
    assert hits.found.tolist() == [True, False] and hits.fraction[0] == 0.5
    with pytest.raises(osculate.OsculateError, match="not finite"):
        world.closest_points(body, [[np.nan, 0, 0]])


def test_methods_are_those_of_the_registry() -> None:
    triangle = np.eye(3)
    world = osculate.World()
    world.add(osculate.Model(osculate.Mesh([[0, 1, 2]], 3), triangle), triangle)
    for name, (_, options) in osculate.methods().items():
        if name != "sct":
            world.contacts(method=name)
        for option in options:
            world.crossings(method=f"{name}:{option}")
    with pytest.raises(osculate.OsculateError, match="there is no method `bhv`; there are brute"):
        world.contacts(method="bhv")
    with pytest.raises(osculate.OsculateError, match="has no option `frnt`"):
        world.contacts(method="normal-cone:frnt")
    with pytest.raises(osculate.OsculateError, match="time_width is 0.3"):
        world.contacts(time_width=0.3)
    with pytest.raises(osculate.OsculateError, match="no results"):
        world.contacts(results="some")  # type: ignore[arg-type]


def test_tables_have_rows_and_columns() -> None:
    faces, poses = waves(12, 2)
    model = osculate.Model(osculate.Mesh(faces, 144), poses[0])
    world = osculate.World()
    found = world.contacts({world.add(model, poses[0]): poses[1]})
    assert len(found[2:5]) == 3 and found[2:5].count == 3 and type(found[1:]) is osculate.Contacts
    early = found[found.lo < 0.25]
    assert np.array_equal(early.lo, found.lo[found.lo < 0.25])
    assert found[-1]["lo"] == found.lo[-1] and set(found.to_dict()) == set(found)
    assert found.point.shape == (len(found), 3) and found.kind.dtype == np.uint8
    with pytest.raises(AttributeError):
        found.nothing


@pytest.mark.parametrize("package", ["pyarrow", "nanoarrow"])
def test_arrow(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip(package)
    from osculate import _arrow

    real = _arrow.importlib.import_module

    def only(name: str, *of: str) -> object:
        if name in {"pyarrow", "nanoarrow"} - {package}:
            raise ImportError(name)
        return real(name, *of)

    faces, poses = waves(12, 2)
    model = osculate.Model(osculate.Mesh(faces, 144), poses[0])
    world = osculate.World()
    found = world.contacts({world.add(model, poses[0]): poses[1]})
    monkeypatch.setattr(_arrow.importlib, "import_module", only)
    for part in (found, found[:0]):
        table = pyarrow.RecordBatchReader.from_stream(part).read_all()
        assert table.column_names == list(part) and table.num_rows == len(part)
        for name in part:
            assert table[name].to_pylist() == part[name].tolist(), name


@pytest.mark.parametrize("package", ["polars", "pandas"])
def test_data_frames(package: str) -> None:
    """As users make them, and by the Arrow stream alone: a table is a mapping, too."""
    frames = pytest.importorskip(package)
    if package == "pandas":
        pytest.importorskip("pyarrow")
        if not hasattr(frames.DataFrame, "from_arrow"):
            pytest.skip("pandas reads Arrow streams from version 3 on")

    class Stream:
        def __init__(self, table: osculate.Table) -> None:
            self.__arrow_c_stream__ = table.__arrow_c_stream__

    faces, poses = waves(12, 2)
    world = osculate.World()
    found = world.contacts({world.add(osculate.Model(osculate.Mesh(faces, 144), poses[0]), poses[0]): poses[1]})
    assert len(found) > 10
    for part in (found, found[:0]):
        for table in (part, Stream(part)):
            frame = frames.DataFrame(table) if package == "polars" else frames.DataFrame.from_arrow(table)
            assert list(frame.columns) == list(part) and len(frame) == len(part)
            for name in part:
                rows = frame[name].to_list()
                assert np.array_equal(np.array(rows).reshape(part[name].shape), part[name]), name


def test_objects_say_what_they_are() -> None:
    triangle = np.eye(3)
    mesh = osculate.Mesh([[0, 1, 2]], 3)
    model = osculate.Model(mesh, triangle)
    world = osculate.World()
    world.add(model, triangle)
    report = osculate.check(frames="44..46")
    assert [repr(one) for one in (mesh, model, world, report)] == [
        "<Mesh of 1 triangles over 3 vertices>",
        "<Model of 1 triangles over 3 vertices>",
        "<World of 1 body>",
        f"<Report: clips 1, episodes {len(report.episodes)}, problems {len(report.problems)}>",
    ]
    wrong = {
        "mesh is of type list, not osculate.Mesh": lambda: osculate.Model([[0, 1, 2]], triangle),  # type: ignore[arg-type]
        "skin is of type dict": lambda: osculate.Model(mesh, triangle, skin={}),  # type: ignore[arg-type]
        "model is of type Mesh": lambda: world.add(mesh, triangle),  # type: ignore[arg-type]
        "model is of type ndarray": lambda: osculate.contacts_batch(triangle, [triangle]),  # type: ignore[arg-type]
    }
    for message, call in wrong.items():
        with pytest.raises(TypeError, match=message):
            call()
    for moves in (triangle, [triangle], [0, triangle]):
        with pytest.raises(osculate.OsculateError, match="moves are a mapping from bodies to poses"):
            world.contacts(moves)  # type: ignore[arg-type]
    with pytest.raises(osculate.OsculateError, match="a body is 'floor'"):
        world.contacts({"floor": triangle})  # type: ignore[dict-item]
    with pytest.raises(osculate.PoseError, match=r"its shape must be \(k, n, 3\)"):
        osculate.contacts_batch(model, triangle)


def test_errors_are_value_errors_and_can_be_pickled() -> None:
    for kind in (osculate.MeshError, osculate.PoseError, osculate.FileError):
        assert issubclass(kind, osculate.OsculateError) and issubclass(kind, ValueError)
        again = pickle.loads(pickle.dumps(kind("what", 3)))
        assert type(again) is kind and again.element == 3 and str(again) == "what"
        assert kind.__module__ == "osculate"


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.lists(st.lists(st.one_of(st.integers(-3, 5), st.floats()), max_size=4), max_size=4),
    st.builds(lambda shape, dtype: np.ones(shape, dtype), st.lists(st.integers(0, 4), max_size=4), st.sampled_from(["f8", "f4", "i8", "u4", "c8", "O", "M8[s]", "U3", "?"])),
    st.dictionaries(st.integers(-2, 3), st.lists(st.lists(st.floats(), min_size=3, max_size=3), max_size=4)),
)


@given(st.lists(anything, min_size=4, max_size=4))
def test_no_argument_causes_a_panic(arguments: list) -> None:
    a, b, c, d = arguments
    triangle = np.eye(3)
    model = osculate.Model(osculate.Mesh([[0, 1, 2]], 3), triangle)
    world = osculate.World()
    world.add(model, triangle)
    calls = [
        lambda: osculate.Mesh(a, b),
        lambda: osculate.Mesh([[0, 1, 2]], b),
        lambda: osculate.Skin(a, b, c, d),
        lambda: osculate.Skin(triangle, b, c, d),
        lambda: osculate.Model(model.mesh, a),
        lambda: world.add(model, a, groups=b, touches=c),
        lambda: world.contacts(a, method=b, results=c, min_separation=d),
        lambda: world.contacts({0: triangle}, exclude_rings=a, time_width=b, exclude_close_at_rest=c),
        lambda: world.proximities(a),
        lambda: world.closest_points(a, b),
        lambda: world.ray_casts(0, b, c),
        lambda: world.set_pose(a, b),
        lambda: osculate.contacts_batch(model, a, method=b),
        lambda: osculate.set_num_threads(d if isinstance(d, str) else -1),
        lambda: osculate.check(**{"frames": a, "method": b, "threads": c}, scene="no such scene"),
    ]
    for call in calls:
        try:
            call()
        except (ValueError, TypeError, OverflowError, ImportError):
            pass
