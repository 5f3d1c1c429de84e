"""Python and Rust give the same contacts, bit for bit: compared with a program without Python."""

from __future__ import annotations

import pathlib

import numpy as np
import osculate
import pytest
from conftest import CONTACT, CROSSING, Reference, waves
from hypothesis import given, settings
from hypothesis import strategies as st

METHODS = ["auto", "bvh", "brute", "spatial-hash", "normal-cone:front", "chromatic", "sphere-tree", "radial"]


def compare(reference: Reference, bodies: list, method: str, separation: float) -> int:
    """Asserts that both answers have the same bits, and returns the number of contacts."""
    world = osculate.World()
    moves = {}
    for faces, start, end in bodies:
        model = osculate.Model(osculate.Mesh(faces, len(start)), start)
        moves[world.add(model, start)] = end
    ours = world.contacts(moves, method=method, min_separation=separation)
    theirs, crossings = reference.ask(bodies, method, separation)
    same_bits(ours, theirs, CONTACT)
    crossed = world.crossings(method=method)
    same_bits(crossed, crossings, CROSSING)
    relations.update(crossed.relation.tolist())
    return len(ours)


def same_bits(ours: osculate.Contacts | osculate.Crossings, theirs: np.ndarray, columns: np.dtype) -> None:
    """Asserts that two tables have the same bits in some columns."""
    assert len(ours) == len(theirs) == ours.count
    for name in columns.names or ():
        same = np.ascontiguousarray(ours[name]).astype(theirs[name].dtype)
        assert same.tobytes() == np.ascontiguousarray(theirs[name]).tobytes(), name


#: The relations of all crossings that were compared.
relations: set[int] = set()


@st.composite
def worlds(draw: st.DrawFn) -> list:
    """One to three bodies of a few triangles, at random or on a small lattice, where much touches."""
    bodies = []
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    coarse = draw(st.booleans())
    for _ in range(draw(st.integers(1, 3))):
        n = draw(st.integers(3, 12))
        faces = np.array([random.permutation(n)[:3] for _ in range(draw(st.integers(1, 10)))])
        ends = random.uniform(-1, 1, (2, n, 3))
        start, end = np.round(2 * ends) if coarse else ends
        bodies.append((faces, start, end))
    return bodies


found = 0


@settings(max_examples=500)
@given(worlds(), st.sampled_from(METHODS), st.sampled_from([0.0, 0.0, 0.125]))
def test_random_worlds(reference: Reference, bodies: list, method: str, separation: float) -> None:
    global found
    found += compare(reference, bodies, method, separation)


def test_random_worlds_touch() -> None:
    if found == 0:
        pytest.skip("no random world was compared")
    assert found > 1000
    assert relations == {osculate.Relation.TOUCHING, osculate.Relation.PIERCING, osculate.Relation.OVERLAPPING}


@st.composite
def large_worlds(draw: st.DrawFn) -> list:
    """Two sheets of together more than 512 triangles, which threads of the pool share."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    bodies = []
    for _ in range(2):
        faces, poses = waves(draw(st.integers(13, 24)), 2, int(random.integers(2**32)))
        away = random.uniform(-0.2, 0.2, (2, 1, 3))
        bodies.append((faces, *(poses + away)))
    assert 512 < sum(len(faces) for faces, *_ in bodies)
    return bodies


@settings(max_examples=40)
@given(large_worlds(), st.sampled_from(METHODS), st.sampled_from([0.0, 0.01]))
def test_random_worlds_of_many_triangles(
    reference: Reference, bodies: list, method: str, separation: float
) -> None:
    assert compare(reference, bodies, method, separation) > 0


def steps(path: pathlib.Path) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The step in the middle of an NPZ file."""
    with np.load(path, allow_pickle=False) as file:
        faces = file["faces"].astype(np.uint32)
        if "frames" in file:
            k = len(file["frames"]) // 2
            start, end = file["frames"][k - 1 : k + 1].astype(np.float64)
        else:
            rest = file["rest_vertices"].astype(np.float64)
            weights = file["weights"].astype(np.float64)
            weights /= weights.sum(1, keepdims=True)
            bones = file["bone_matrices"].astype(np.float64)
            skin = osculate.Skin(rest, file["joints"], weights, bones.shape[1])
            k = len(bones) // 2
            start, end = skin.pose(bones[k - 1]), skin.pose(bones[k])
    return [(faces, start, end)]


#: Pairs of triangles up to which all of them are tested one by one.
FEW = 2_000_000


def test_ten_files(reference: Reference, data: pathlib.Path) -> None:
    files = sorted(data.glob("sequences/*.npz")) + sorted(data.glob("skins/*.npz"))
    smallest = sorted(files, key=lambda path: path.stat().st_size)[:10]
    assert len(smallest) == 10
    n_found = []
    for path in smallest:
        bodies = steps(path)
        n_pairs = len(bodies[0][0]) ** 2 // 2
        methods = [method for method in METHODS if method != "brute" or n_pairs < FEW]
        counts = {compare(reference, bodies, method, 0.0) for method in methods}
        assert len(counts) == 1, path
        n_found += counts
    assert sum(n_found) > 100, n_found
