"""Meshes, models and worlds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from osculate import _osculate
from osculate._arrays import Floats, Indices, floats, indices
from osculate._errors import MeshError, OsculateError, PoseError
from osculate._results import Contacts, Crossings, Proximities, RayHits, SurfacePoints

Results: TypeAlias = Literal["all", "earliest", "any", "count"]
#: The bodies that move, with their poses at the end of the step.
Moves: TypeAlias = Mapping[int, npt.ArrayLike] | Iterable[tuple[int, npt.ArrayLike]]

_POSE = ((None, 3), (None, 3, 4))


def _options(
    method: str | None,
    results: str | None,
    min_separation: float,
    time_width: float | None,
    exclude_rings: int,
    exclude_close_at_rest: bool,
) -> dict[str, Any]:
    return {
        "method": method,
        "results": results,
        "min_separation": min_separation,
        "time_width": time_width,
        "exclude_rings": _natural(exclude_rings, "exclude_rings"),
        "exclude_close_at_rest": bool(exclude_close_at_rest),
    }


def _natural(given: int, name: str, largest: int = 2**32 - 1) -> int:
    number = int(given)
    if not 0 <= number <= largest:
        raise OsculateError(f"{name} is {number}; it must be from 0 to {largest}")
    return number


def _moves(moves: Moves | None) -> list[tuple[int, Floats]]:
    if moves is None:
        return []
    pairs: Iterable[Any] = moves.items() if isinstance(moves, Mapping) else moves
    found = []
    for pair in pairs:
        if not (isinstance(pair, (tuple, list)) and len(pair) == 2):
            raise OsculateError("moves are a mapping from bodies to poses, such as {body: pose}, or pairs of them")
        body, pose = pair
        found.append((_body(body), floats(pose, _POSE, f"the pose of body {body}", PoseError)))
    return found


def _body(given: int) -> int:
    if not isinstance(given, (int, np.integer)):
        raise OsculateError(f"a body is {given!r}; it must be a number that World.add returned")
    return _natural(given, "a body", 2**63)


def _expect(given: object, kind: type, name: str) -> None:
    if not isinstance(given, kind):
        raise TypeError(f"{name} is of type {type(given).__name__}, not osculate.{kind.__name__}")


class Mesh:
    """Triangles over vertices 0 to n - 1, checked once.

    >>> mesh = Mesh([[0, 1, 2], [2, 1, 3]], 4)
    >>> len(mesh.edges)
    5
    >>> Mesh([[0, 1, 7]], 3)
    Traceback (most recent call last):
      ...
    osculate.MeshError: triangle 0 names vertex 7 at corner 2, but there are 3 vertices
    """

    def __init__(self, faces: npt.ArrayLike, n: int) -> None:
        self._faces = indices(faces, ((None, 3),), "faces", MeshError)
        self._inner = _osculate.Mesh(self._faces, _natural(n, "n", 2**63 - 1))

    @property
    def faces(self) -> Indices:
        """The triangles, shape (m, 3)."""
        return self._inner.faces()

    @property
    def edges(self) -> Indices:
        """Each edge once, as its two vertices in ascending order, shape (e, 2); sorted."""
        return self._inner.edges()

    @property
    def n_vertices(self) -> int:
        """Number of vertices."""
        return self._inner.n_vertices()

    def __repr__(self) -> str:
        return f"<Mesh of {len(self._faces)} triangles over {self.n_vertices} vertices>"


class Skin:
    """The bones and weights of each vertex, for linear blend skinning.

    ``joints`` and ``weights`` have shape (n, j): the bones of each vertex and their weights, which
    sum to one. Without ``n_bones``, it is one more than the largest bone.

    >>> skin = Skin([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [[0], [1]], [[1.0], [1.0]])
    >>> moved = np.tile(np.eye(3, 4), (2, 1, 1))
    >>> moved[1, 2, 3] = 5.0
    >>> skin.pose(moved).tolist()
    [[0.0, 0.0, 0.0], [1.0, 0.0, 5.0]]
    """

    def __init__(
        self,
        rest: npt.ArrayLike,
        joints: npt.ArrayLike,
        weights: npt.ArrayLike,
        n_bones: int | None = None,
    ) -> None:
        positions = floats(rest, ((None, 3),), "rest", MeshError)
        of_vertices = indices(joints, ((len(positions), None),), "joints", MeshError)
        shares = floats(weights, (of_vertices.shape,), "weights", MeshError)
        if n_bones is None:
            n_bones = int(of_vertices.max()) + 1 if of_vertices.size else 0
        self._inner = _osculate.Skin(positions, of_vertices, shares, _natural(n_bones, "n_bones"))

    @property
    def n_bones(self) -> int:
        """Number of bones."""
        return self._inner.n_bones()

    def pose(self, bones: npt.ArrayLike) -> Floats:
        """Return the positions of all vertices for bones of shape (b, 3, 4)."""
        return self._inner.pose(floats(bones, ((None, 3, 4),), "bones", PoseError))

    def __repr__(self) -> str:
        return f"<Skin of {self.n_bones} bones>"


class Model:
    """A mesh with its hierarchy, built at a rest pose; with a skin, bodies are posed by bones."""

    def __init__(self, mesh: Mesh, rest: npt.ArrayLike, *, skin: Skin | None = None) -> None:
        _expect(mesh, Mesh, "mesh")
        if skin is not None:
            _expect(skin, Skin, "skin")
        self._mesh = mesh
        positions = floats(rest, ((None, 3),), "rest", PoseError)
        self._inner = _osculate.Model(mesh._inner, positions, None if skin is None else skin._inner)

    @property
    def mesh(self) -> Mesh:
        """The mesh."""
        return self._mesh

    def __repr__(self) -> str:
        return f"<Model of {len(self._mesh._faces)} triangles over {self._mesh.n_vertices} vertices>"


class World:
    """Bodies with their poses, and queries about them.

    A pose is an array of vertices (n, 3) or, for a model with a skin, of bones (b, 3, 4). A
    C-contiguous array of float64 is read in place and must not change during a call; anything else
    is copied. A step takes each body on straight lines from its pose to the one in ``moves``, a
    mapping from bodies to poses or pairs of them; bodies that are not there rest.

    Options of queries: ``method`` is a name with options (:func:`osculate.methods` lists them), such
    as ``"normal-cone:front"``; every complete one gives the same answer. ``results`` is ``"all"``,
    ``"earliest"``, ``"any"`` or ``"count"``. ``min_separation`` counts features that come closer.

    >>> triangle = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    >>> model = Model(Mesh([[0, 1, 2]], 3), triangle)
    >>> world = World()
    >>> floor = world.add(model, triangle)
    >>> sheet = world.add(model, triangle + [0.25, 0.25, 1.0])
    >>> found = world.contacts({sheet: triangle + [0.25, 0.25, -1.0]})
    >>> len(found), bool(np.all((found.lo <= 0.5) & (0.5 <= found.hi)))
    (3, True)
    """

    def __init__(self) -> None:
        self._inner = _osculate.World()

    def add(
        self,
        model: Model,
        pose: npt.ArrayLike,
        *,
        static: bool = False,
        self_contact: bool = True,
        groups: int = 1,
        touches: int = 0xFFFFFFFF,
    ) -> int:
        """Add an instance of a model at a pose, and return its number."""
        _expect(model, Model, "model")
        of_body = floats(pose, _POSE, "the pose", PoseError)
        bits = _natural(groups, "groups"), _natural(touches, "touches")
        return self._inner.add(model._inner, of_body, bool(static), bool(self_contact), *bits)

    def remove(self, body: int) -> None:
        """Remove a body. The others keep their numbers, and its number is not used again."""
        self._inner.remove(_body(body))

    @property
    def bodies(self) -> list[int]:
        """The numbers of the bodies."""
        return self._inner.bodies()

    def __len__(self) -> int:
        return len(self.bodies)

    def __repr__(self) -> str:
        return f"<World of {len(self)} {'body' if len(self) == 1 else 'bodies'}>"

    def set_pose(self, body: int, pose: npt.ArrayLike) -> None:
        """Set the pose of a body. Contacts on the way are not detected."""
        self.set_poses({body: pose})

    def set_poses(self, poses: Moves) -> None:
        """Set the poses of several bodies."""
        self._inner.set_poses(_moves(poses))

    def vertices(self, body: int) -> Floats:
        """Return the vertices of a body at its pose, shape (n, 3)."""
        return self._inner.vertices(_body(body))

    def contacts(
        self,
        moves: Moves | None = None,
        *,
        method: str | None = None,
        results: Results = "all",
        min_separation: float = 0.0,
        time_width: float | None = None,
        exclude_rings: int = 0,
        exclude_close_at_rest: bool = False,
    ) -> Contacts:
        """Return the contacts of the step to the poses in ``moves``. The world does not change."""
        options = _options(
            method, results, min_separation, time_width, exclude_rings, exclude_close_at_rest
        )
        return Contacts(*self._inner.contacts(_moves(moves), options))

    def crossings(self, *, method: str | None = None, results: Results = "all") -> Crossings:
        """Return the pairs of triangles that intersect at the poses."""
        columns, count = self._inner.crossings(_options(method, results, 0.0, None, 0, False))
        columns["segment"] = columns["segment"].reshape(-1, 2, 3)
        return Crossings(columns, count)

    def proximities(
        self,
        radius: float,
        *,
        method: str | None = None,
        results: Results = "all",
        exclude_rings: int = 0,
        exclude_close_at_rest: bool = False,
    ) -> Proximities:
        """Return the pairs of features that are at most ``radius`` apart at the poses."""
        options = _options(method, results, 0.0, None, exclude_rings, exclude_close_at_rest)
        return Proximities(*self._inner.proximities(float(radius), options))

    def largest_free_step(
        self,
        moves: Moves,
        *,
        method: str | None = None,
        min_separation: float = 0.0,
        time_width: float | None = None,
        exclude_rings: int = 0,
        exclude_close_at_rest: bool = False,
    ) -> tuple[float, Contacts]:
        """Return how much of the step is free of contacts, in [0, 1], and the contact that ends it."""
        options = _options(method, None, min_separation, time_width, exclude_rings, exclude_close_at_rest)
        size, limit = self._inner.largest_free_step(_moves(moves), options)
        return size, Contacts(limit)

    def closest_points(self, body: int, points: npt.ArrayLike) -> SurfacePoints:
        """Return the points of a body's surface that are closest to the given ones, shape (m, 3)."""
        given = floats(points, ((None, 3),), "points", PoseError)
        return SurfacePoints(self._inner.closest_points(_body(body), given))

    def signed_distances(self, body: int, points: npt.ArrayLike) -> Floats:
        """Return the distances of points from a closed body's surface: negative inside."""
        given = floats(points, ((None, 3),), "points", PoseError)
        distances: Floats = self._inner.signed_distances(_body(body), given)["distance"]
        return distances

    def ray_casts(self, body: int, start: npt.ArrayLike, end: npt.ArrayLike) -> RayHits:
        """Return where the segments from ``start`` to ``end``, both (m, 3), first meet a body."""
        first = floats(start, ((None, 3),), "start", PoseError)
        last = floats(end, (first.shape,), "end", PoseError)
        return RayHits(self._inner.ray_casts(_body(body), first, last))


def contacts_batch(
    model: Model,
    poses: npt.ArrayLike,
    *,
    method: str | None = None,
    results: Results = "all",
    min_separation: float = 0.0,
    time_width: float | None = None,
    exclude_rings: int = 0,
    exclude_close_at_rest: bool = False,
) -> Contacts:
    """Return the contacts of one body with itself in all steps of a sequence of poses.

    ``poses`` has shape (k, n, 3), or (k, b, 3, 4) for bones; ``step`` i is the one from pose i to
    pose i + 1. Steps are answered in parallel; the answer is that of a loop.
    """
    _expect(model, Model, "model")
    sequence = floats(poses, ((None, None, 3), (None, None, 3, 4)), "poses", PoseError)
    options = _options(method, results, min_separation, time_width, exclude_rings, exclude_close_at_rest)
    return Contacts(*_osculate.contacts_batch(model._inner, sequence, options))
