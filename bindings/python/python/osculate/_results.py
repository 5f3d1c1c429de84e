"""What queries return."""

from __future__ import annotations

import enum
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from osculate._columns import Column, Table

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.uint32]
Bytes = npt.NDArray[np.uint8]


class Kind(enum.IntEnum):
    """The kind of two features in contact."""

    VERTEX_FACE = 0
    EDGE_EDGE = 1


class Relation(enum.IntEnum):
    """How two triangles intersect."""

    TOUCHING = 1
    PIERCING = 2
    OVERLAPPING = 3


class Found(Table):
    """Results of a query, sorted by bodies and features."""

    #: Number of results. It is the number of rows for ``results="all"``.
    count: int

    def __init__(self, columns: Mapping[str, Column], count: int | None = None) -> None:
        super().__init__(columns)
        self.count = len(self) if count is None else count

    def _of_rows(self, rows: object) -> Found:
        part = super()._of_rows(rows)
        part.count = len(part)
        return part


class Contacts(Found):
    """A vertex and a face, or two edges, that touch during a step: one row for each.

    ``lo`` and ``hi`` bracket the time of the first contact in [0, 1]; ``point``, ``normal`` (from
    the second feature to the first), ``weights`` of the four ``vertices`` and ``distance`` are
    those at ``lo``. ``kind`` is a :class:`Kind`; ``features`` are the numbers of vertex and
    triangle, or of two edges (``Mesh.edges``), each in its own mesh; ``bodies`` those of their
    bodies. ``step`` is the number of the step in a batch.
    """

    kind: Bytes
    features: Indices
    bodies: Indices
    vertices: Indices
    lo: Floats
    hi: Floats
    point: Floats
    normal: Floats
    weights: Floats
    distance: Floats
    step: Indices


class Proximities(Found):
    """A vertex and a face, or two edges, that are close at an instant; columns as in Contacts."""

    kind: Bytes
    features: Indices
    bodies: Indices
    vertices: Indices
    point: Floats
    normal: Floats
    weights: Floats
    distance: Floats


class Crossings(Found):
    """Pairs of triangles that intersect at an instant.

    ``relation`` is a :class:`Relation`; ``segment`` has the ends of the intersection, shape
    (m, 2, 3), NaN where it is no segment.
    """

    triangles: Indices
    bodies: Indices
    relation: Bytes
    segment: Floats


class SurfacePoints(Table):
    """Points of a surface: ``found`` says whether there is one, ``triangle`` which has it."""

    found: npt.NDArray[np.bool_]
    triangle: Indices
    weights: Floats
    point: Floats
    distance: Floats


class RayHits(Table):
    """Where segments first meet a surface, at ``fraction`` of their length, if ``found``."""

    found: npt.NDArray[np.bool_]
    triangle: Indices
    fraction: Floats
    point: Floats
