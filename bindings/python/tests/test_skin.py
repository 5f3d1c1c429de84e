"""Skins, compared with linear blend skinning that numpy computes."""

from __future__ import annotations

import pathlib

import numpy as np
import osculate
import pytest
from conftest import CONTACT, waves

#: The rounding of a sum of products of three factors, per addition or product.
UNIT = 2.0**-53


def blend(rest: np.ndarray, joints: np.ndarray, weights: np.ndarray, bones: np.ndarray) -> np.ndarray:
    """The sum over bones j of w_j (R_j x + t_j), in the order of numpy."""
    points = np.concatenate([rest, np.ones((len(rest), 1))], 1)
    of_bones = np.einsum("njrc,nc->njr", bones[joints], points)
    return np.einsum("nj,njr->nr", weights, of_bones)


def bound(rest: np.ndarray, joints: np.ndarray, weights: np.ndarray, bones: np.ndarray) -> np.ndarray:
    """How far two ways to sum may be apart: both within n units of the sum of absolute values.

    A coordinate is a sum of 4 j products of three factors: at most n = 4 j + 2 roundings each way.
    """
    n = 4 * joints.shape[1] + 2
    return 2 * 1.01 * n * UNIT * blend(np.abs(rest), joints, np.abs(weights), np.abs(bones))


def compare(
    faces: np.ndarray, rest: np.ndarray, joints: np.ndarray, weights: np.ndarray, bones: np.ndarray
) -> int:
    """Compares positions, and contacts of bones with those of positions; returns their number."""
    skin = osculate.Skin(rest, joints, weights, len(bones[0]))
    model = osculate.Model(osculate.Mesh(faces, len(rest)), rest, skin=skin)
    posed = osculate.World()
    body = posed.add(model, bones[0])
    ends = [posed.vertices(body), skin.pose(bones[1])]
    for ours, of_bones in zip(ends, bones):
        away = np.abs(ours - blend(rest, joints, weights, of_bones))
        assert (away <= bound(rest, joints, weights, of_bones)).all(), away.max()
    by_bones = posed.contacts({body: bones[1]})
    # The same surface by its vertices: as the library places them, the answers are equal.
    plain = osculate.World()
    other = plain.add(osculate.Model(osculate.Mesh(faces, len(rest)), rest), ends[0])
    by_vertices = plain.contacts({other: ends[1]})
    for name in CONTACT.names or ():
        assert np.array_equal(by_bones[name], by_vertices[name]), name
    return len(by_bones)


def numpy_contacts(faces: np.ndarray, rest: np.ndarray, ends: list[np.ndarray], way: str) -> bytes:
    """The features of the contacts of a step that numpy has posed, by a world or by a batch."""
    model = osculate.Model(osculate.Mesh(faces, len(rest)), rest)
    if way == "batch":
        return osculate.contacts_batch(model, np.stack(ends)).vertices.tobytes()
    world = osculate.World()
    return world.contacts({world.add(model, ends[0]): ends[1]}).vertices.tobytes()


@pytest.mark.parametrize("seed", range(20))
def test_random_skins(seed: int) -> None:
    random = np.random.default_rng(seed)
    faces, poses = waves(12, 1, seed)
    rest = poses[0]
    n_bones, n_joints = random.integers(1, 9), random.integers(1, 6)
    joints = random.integers(0, n_bones, (len(rest), n_joints))
    weights = random.dirichlet(np.ones(n_joints), len(rest))
    bones = np.eye(3, 4) + 0.3 * random.standard_normal((2, n_bones, 3, 4))
    assert compare(faces, rest, joints, weights, bones) > 0


def test_a_skinned_file(data: pathlib.Path) -> None:
    with np.load(data / "skins" / "fox_1k_Run.npz", allow_pickle=False) as file:
        faces, joints = file["faces"].astype(np.uint32), file["joints"].astype(np.int64)
        rest, weights, bones = (file[name].astype(np.float64) for name in ("rest_vertices", "weights", "bone_matrices"))
    weights /= weights.sum(1, keepdims=True)
    k = len(bones) // 2
    assert compare(faces, rest, joints, weights, bones[k - 1 : k + 1]) > 0
    ends = [blend(rest, joints, weights, of) for of in bones[k - 1 : k + 1]]
    of_world = numpy_contacts(faces, rest, ends, "world")
    assert len(of_world) > 0 and of_world == numpy_contacts(faces, rest, ends, "batch")
    # Positions differ by roundings only, and here no contact depends on them.
    skin = osculate.Skin(rest, joints, weights, bones.shape[1])
    assert of_world == numpy_contacts(faces, rest, [skin.pose(of) for of in bones[k - 1 : k + 1]], "world")
