# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluated meshes as arrays: what modifiers, shape keys, drivers and instances make of objects.

A surface is read from pieces: the evaluated mesh of an object, or of one of the instances that it
makes. Triangles are those of the pose that is read first, as Blender may divide a face differently
when it bends. From then on the faces must stay the same.
"""

import dataclasses

import bpy
import numpy as np

from .culprit import name_of_culprit
from .errors import Refused
from .topology import topology


@dataclasses.dataclass
class Piece:
    """The part of the surface that one evaluated mesh is."""

    #: Name of the object that is checked.
    owner: str
    #: Name of the object whose mesh it is, and the file that it is linked from, if it is; another
    #: object than the owner for an instance.
    source: tuple
    #: Tells the instances of an owner apart; `None` for its own mesh.
    instance: tuple | None
    first_vertex: int
    n_vertices: int
    first_triangle: int
    #: Corners of the triangles, by vertices of the mesh.
    triangles: np.ndarray
    #: For each triangle, the face that it is part of.
    faces: np.ndarray
    n_faces: int
    #: The vertices of all corners of faces, and where faces start: they stay the same.
    corners: np.ndarray
    starts: np.ndarray

    @property
    def key(self):
        return (self.owner, self.instance)

    @property
    def vertices(self):
        return slice(self.first_vertex, self.first_vertex + self.n_vertices)

    @property
    def name(self):
        """The name of the object in reports."""
        return self.owner if self.instance is None else f"{self.owner}/{self.source[0]}"

    @property
    def object(self):
        """The object whose mesh it is, or `None`."""
        return bpy.data.objects.get(self.source)


def evaluated(scene, view_layer, names):
    """Yield the evaluated meshes of objects and of the instances that they make, in a fixed order:
    `(owner, source, instance, mesh, matrix)`. A mesh is valid until the next one.
    """
    depsgraph = view_layer.depsgraph
    instancers = {}
    for name in names:
        if makes_instances(object_of(scene, name)):
            instancers[name] = []
    if instancers:
        for instance in depsgraph.object_instances:
            if not instance.is_instance or instance.parent is None:
                continue
            owner = instance.parent.original.name
            if owner in instancers and instance.object.type == "MESH":
                key = tuple(instance.persistent_id)
                matrix = np.array(instance.matrix_world, np.float64)
                source = source_of(instance.object.original)
                instancers[owner].append((source, key, instance.object, matrix))
    for name in names:
        ob = scene.objects[name]
        if ob.type == "MESH":
            shown = ob.evaluated_get(depsgraph)
            yield name, source_of(ob), None, shown.data, np.array(shown.matrix_world, np.float64)
        ordered = sorted(instancers.get(name, ()), key=lambda one: (one[0][0], one[1]))
        for source, key, shown, matrix in ordered:
            yield name, source, key, shown.data, matrix


def source_of(ob):
    """Return what finds an object again: its name, and the file that it is linked from."""
    return (ob.name, None if ob.library is None else ob.library.filepath)


def object_of(scene, name):
    """Return an object of a scene by its name."""
    ob = scene.objects.get(name)
    if ob is None:
        raise Refused(f"'{name}' was removed while it was checked")
    return ob


def makes_instances(ob):
    """Whether an object may have instances."""
    if ob.instance_type != "NONE" or len(ob.particle_systems):
        return True
    return any(modifier.type == "NODES" and modifier.show_viewport for modifier in ob.modifiers)


def pieces(scene, view_layer, names):
    """Return the pieces of the surface at the current frame."""
    all_pieces, first_vertex, first_triangle = [], 0, 0
    for owner, source, instance, mesh, matrix in evaluated(scene, view_layer, names):
        mesh.calc_loop_triangles()
        n = len(mesh.loop_triangles)
        if n == 0:
            continue
        triangles, faces = np.empty(3 * n, np.int32), np.empty(n, np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
        mesh.loop_triangles.foreach_get("polygon_index", faces)
        triangles = triangles.reshape(n, 3)
        if np.linalg.det(matrix[:3, :3]) < 0:
            # A mirror turns a surface inside out; Blender shows the other side of its faces.
            triangles = triangles[:, [0, 2, 1]]
        corners, starts = topology(mesh)
        piece = Piece(
            owner=owner,
            source=source,
            instance=instance,
            first_vertex=first_vertex,
            n_vertices=len(mesh.vertices),
            first_triangle=first_triangle,
            triangles=triangles,
            faces=faces,
            n_faces=len(mesh.polygons),
            corners=corners,
            starts=starts,
        )
        all_pieces.append(piece)
        first_vertex += piece.n_vertices
        first_triangle += n
    if not all_pieces:
        raise Refused("the objects have no faces")
    return all_pieces


def read(scene, view_layer, names, all_pieces, first):
    """Return the positions of all vertices at the current frame, in the space of the world.

    Fails if the faces are not those of the pieces, which were made at the frame `first`; the
    message names the modifier.
    """
    last = all_pieces[-1]
    positions = np.empty((last.first_vertex + last.n_vertices, 3), np.float64)
    missing = {piece.key: piece for piece in all_pieces}
    frame = scene.frame_current
    for owner, source, instance, mesh, matrix in evaluated(scene, view_layer, names):
        piece = missing.pop((owner, instance), None)
        if piece is None:
            if len(mesh.polygons) == 0:
                continue
            raise Refused(f"'{owner}' has another number of instances in frame {frame}")
        if not has_topology(mesh, piece):
            culprit = name_of_culprit(scene, view_layer, piece, first)
            raise Refused(
                f"the faces of '{source[0]}' change in frame {frame}, by {culprit}; only surfaces whose "
                "faces stay the same can be checked"
            )
        local = np.empty(3 * piece.n_vertices, np.float32)
        mesh.attributes["position"].data.foreach_get("vector", local)
        local = local.reshape(-1, 3).astype(np.float64)
        positions[piece.vertices] = local @ matrix[:3, :3].T + matrix[:3, 3]
    if missing:
        owner = next(iter(missing))[0]
        raise Refused(f"'{owner}' has no faces, or fewer instances, in frame {frame}")
    return positions


def has_topology(mesh, piece):
    """Whether a mesh has the vertices and faces of a piece."""
    if len(mesh.vertices) != piece.n_vertices or len(mesh.polygons) != piece.n_faces:
        return False
    if len(mesh.loops) != len(piece.corners):
        return False
    corners, starts = topology(mesh)
    return np.array_equal(corners, piece.corners) and np.array_equal(starts, piece.starts)


def triangles_of(all_pieces):
    """Return the triangles of the surface, and for each vertex the number of its piece."""
    triangles = np.concatenate([piece.triangles + piece.first_vertex for piece in all_pieces])
    of_vertex = np.repeat(np.arange(len(all_pieces)), [piece.n_vertices for piece in all_pieces])
    return triangles.astype(np.uint32), of_vertex.astype(np.uint32)
