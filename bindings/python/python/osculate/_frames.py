"""``osculate.check_frames``: what ``check`` does, for a surface in memory."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from osculate import _osculate
from osculate._arrays import Floats, Indices, floats, indices
from osculate._check import Report, arguments_of, members_of
from osculate._errors import MeshError, OsculateError, PoseError


@dataclasses.dataclass(frozen=True)
class Bones:
    """The bones that name the parts of a surface: a triangle belongs to the bone with the most
    weight on its corners. They do not move it; ``frames`` do.

    ``parents`` are numbers of bones, -1 for none, and ``heads`` their positions at rest. ``joints``
    and ``weights`` have a row for each vertex; each vertex has a weight above 0.
    """

    names: Sequence[str]
    parents: Sequence[int]
    heads: npt.ArrayLike
    joints: npt.ArrayLike
    weights: npt.ArrayLike


@dataclasses.dataclass(frozen=True)
class Place:
    """Where an episode is in its worst frame, in numbers of the triangles and vertices given.

    ``triangles`` cross triangles of the other part, and ``curves`` are where. ``vertices`` are those
    around enclosed surface, with their ``depths``, negative outside. If the parts meet between two
    frames only, ``contacts`` are points with normals.
    """

    triangles: Indices
    curves: list[Floats]
    vertices: Indices
    depths: Floats
    contacts: Floats


@dataclasses.dataclass(frozen=True, repr=False)
class FramesReport(Report):
    """What ``check_frames`` found: ``places`` has a place for each of the ``episodes``; it is empty
    for those that are set aside."""

    places: list[Place]


def check_frames(
    faces: npt.ArrayLike,
    frames: npt.ArrayLike,
    *,
    rest: npt.ArrayLike | None = None,
    bones: Bones | None = None,
    objects: Sequence[str] | None = None,
    vertex_object: npt.ArrayLike | None = None,
    name: str = "frames",
    fps: float = 30.0,
    progress: Callable[[int], object] | None = None,
    **options: Any,
) -> FramesReport:
    """Check a surface in memory as ``check`` checks a file, with the same options.

    ``frames`` are the positions of the vertices, shape (k, n, 3), and ``rest`` those in the bind
    pose, with which overlaps are compared by default. Parts are named by ``bones``, or else by
    ``objects`` ("object 0" and so on), of which ``vertex_object`` gives that of each vertex.
    ``progress`` is called with the number of frames that are done, several times a second; if it
    raises an exception, the check ends with it. No ``osculate.toml`` is read.

    >>> hand = np.array([[-1.0, -1.0, 0.0], [2.0, -1.0, 0.0], [-1.0, 2.0, 0.0]])
    >>> pin = np.array([[0.0, 0.0, 1.0], [0.1, 0.0, 1.0], [0.0, 0.0, 2.0]])
    >>> frames = [np.concatenate([hand, pin - [0.0, 0.0, height]]) for height in (0.0, 0.5, 1.5)]
    >>> report = check_frames([[0, 1, 2], [3, 4, 5]], frames, objects=["hand", "pin"],
    ...                       vertex_object=[0, 0, 0, 1, 1, 1])
    >>> report.problems[0].parts, report.problems[0].frames
    (['hand', 'pin'], [[2, 2]])
    >>> len(report.places[0].curves), report.places[0].triangles.tolist()
    (1, [0, 1])
    """
    given_frames = floats(frames, ((None, None, 3),), "frames", PoseError)
    n = given_frames.shape[1]
    if vertex_object is None:
        vertex_object = np.zeros(n, np.uint32)
    of_vertex = indices(vertex_object, ((n,),), "vertex_object", MeshError)
    n_objects = int(of_vertex.max(initial=0)) + 1
    names = [f"object {k}" for k in range(n_objects)] if objects is None else [str(one) for one in objects]
    if of_vertex.size and int(of_vertex.max()) >= len(names):
        vertex = int(of_vertex.argmax())
        raise MeshError(f"vertex {vertex} is in object {of_vertex[vertex]} of {len(names)}", vertex)
    if not (np.isfinite(fps) and fps > 0):
        raise OsculateError(f"fps is {fps}; it must be a positive number")
    given = {
        "name": str(name),
        "fps": float(fps),
        "faces": indices(faces, ((None, 3),), "faces", MeshError),
        "frames": given_frames,
        "rest": None if rest is None else floats(rest, ((n, 3),), "rest", PoseError),
        "objects": names,
        "vertex_object": of_vertex,
        "bones": None if bones is None else _bones(bones, n),
    }
    answer, places = _osculate.check_frames(given, arguments_of(options), progress)
    return FramesReport(**members_of(answer), places=[_place(place) for place in places])


def _bones(bones: Bones, n: int) -> dict[str, Any]:
    names = [str(name) for name in bones.names]
    parents = [int(parent) for parent in bones.parents]
    if len(parents) != len(names):
        raise MeshError(f"there are {len(names)} bones, and {len(parents)} parents")
    for bone, parent in enumerate(parents):
        if not -1 <= parent < len(names):
            raise MeshError(f"bone {bone} has the parent {parent} of {len(names)} bones", bone)
    joints = indices(bones.joints, ((n, None),), "joints", MeshError)
    weights = floats(bones.weights, (joints.shape,), "weights", MeshError)
    bad = ~np.isfinite(weights) | (weights < 0)
    if bad.any():
        vertex = int(np.nonzero(bad)[0][0])
        raise MeshError(f"vertex {vertex} has a weight that is negative or not finite", vertex)
    heads = floats(bones.heads, ((len(names), 3),), "heads", MeshError)
    return {"names": names, "parents": parents, "heads": heads, "joints": joints, "weights": weights}


def _place(columns: dict[str, npt.NDArray[Any]]) -> Place:
    return Place(
        triangles=columns["triangles"],
        curves=np.split(columns["points"], columns["ends"][:-1]) if len(columns["ends"]) else [],
        vertices=columns["vertices"],
        depths=columns["depths"],
        contacts=columns["contacts"],
    )
