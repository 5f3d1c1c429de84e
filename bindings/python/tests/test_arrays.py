"""Arrays: borrowed where possible, copied rightly otherwise, refused with shape and dtype."""

from __future__ import annotations

import numpy as np
import osculate
import pytest
from conftest import waves
from osculate import _osculate
from osculate._arrays import floats
from osculate._errors import PoseError

FACES, POSES = waves(12, 2)
MODEL = osculate.Model(osculate.Mesh(FACES, POSES.shape[1]), POSES[0])


def answer(start: object, end: object) -> tuple[bytes, ...]:
    world = osculate.World()
    body = world.add(MODEL, start)  # type: ignore[arg-type]
    found = world.contacts({body: end})  # type: ignore[dict-item]
    return tuple(column.tobytes() for column in found.to_dict().values())


EXPECTED = answer(POSES[0], POSES[1])


def test_something_is_found() -> None:
    assert len(EXPECTED[0]) > 10


def test_c_contiguous_float64_is_borrowed() -> None:
    pose = POSES[1].copy()
    assert floats(pose, ((None, 3),), "pose", PoseError) is pose
    assert _osculate.address(pose) == pose.ctypes.data
    # A view of whole rows is borrowed, too.
    part = POSES[1][5:]
    assert floats(part, ((None, 3),), "pose", PoseError) is part
    assert _osculate.address(part) == part.ctypes.data
    other = floats(np.asfortranarray(pose), ((None, 3),), "pose", PoseError)
    assert _osculate.address(other) != pose.ctypes.data
    # The extension itself never takes another order.
    with pytest.raises(TypeError, match="not C-contiguous"):
        _osculate.address(np.asfortranarray(pose))


@pytest.mark.parametrize(
    "change",
    [
        np.asfortranarray,
        lambda pose: np.repeat(pose, 2, 0)[::2],
        lambda pose: pose[::-1].copy()[::-1],
        lambda pose: pose[:, ::-1].copy()[:, ::-1],
        lambda pose: pose.astype(">f8"),
        lambda pose: pose.tolist(),
        lambda pose: [tuple(row) for row in pose],
        lambda pose: np.frombuffer(b"x" + pose.tobytes(), np.float64, offset=1).reshape(-1, 3),
    ],
)
def test_other_layouts_give_the_same_bits(change: object) -> None:
    assert answer(change(POSES[0]), change(POSES[1])) == EXPECTED  # type: ignore[operator]


def test_a_transposed_array_is_refused_and_never_reinterpreted() -> None:
    with pytest.raises(PoseError, match=r"shape \(3, 144\) and dtype float64"):
        answer(POSES[0].T, POSES[1])
    # With three vertices, the shape alone cannot tell; the layout must not matter.
    square = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 6.0], [6.0, 7.0, 9.0]])
    world = osculate.World()
    body = world.add(osculate.Model(osculate.Mesh([[0, 1, 2]], 3), square), np.asfortranarray(square))
    assert np.array_equal(world.vertices(body), square)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.int8, np.uint16])
def test_narrower_numbers_are_widened_exactly(dtype: type) -> None:
    scale = 1 if np.issubdtype(dtype, np.floating) else 50
    narrow = np.abs(POSES * scale).astype(dtype)
    assert answer(narrow[0], narrow[1]) == answer(narrow[0].astype(np.float64), narrow[1].astype(np.float64))


@pytest.mark.parametrize(
    ("pose", "message"),
    [
        (POSES[0] * 1j, "dtype complex128"),
        (POSES[0].astype(object), "dtype object"),
        (POSES[0] > 0, "dtype bool"),
        (POSES[0].astype(str), "dtype <U"),
        (np.full((144, 3), 2**53 + 1), r"beyond 2\*\*53"),
        (POSES[0][:, :2], r"shape \(144, 2\)"),
        (POSES[0].ravel(), r"shape \(432,\)"),
        ([[1.0, 2.0, 3.0], [1.0]], "no array of numbers"),
        (None, "dtype object"),
        (POSES[0][:5], "5 positions, but the mesh has 144"),
    ],
)
def test_anything_else_is_refused(pose: object, message: str) -> None:
    with pytest.raises(PoseError, match=message):
        answer(pose, POSES[1])


def test_the_element_is_named() -> None:
    bad = POSES[0].copy()
    bad[17, 1] = np.nan
    with pytest.raises(PoseError, match="vertex 17 has a non-finite y") as raised:
        answer(bad, POSES[1])
    assert raised.value.element == 17
    with pytest.raises(osculate.MeshError) as mesh:
        osculate.Mesh([[0, 1, 2], [1, 2, 3], [0, 1, -1]], 5)
    assert mesh.value.element == 2
    with pytest.raises(osculate.MeshError, match="more than once") as mesh:
        osculate.Mesh([[0, 1, 2], [1, 1, 3]], 5)
    assert mesh.value.element == 1
    with pytest.raises(osculate.MeshError, match="dtype float64; it must be of integers"):
        osculate.Mesh([[0.0, 1.0, 2.0]], 3)
    assert osculate.Mesh(np.zeros((0, 3), int), 0).n_vertices == 0
