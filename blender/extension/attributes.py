# SPDX-License-Identifier: GPL-3.0-or-later
"""Attributes of the checked meshes: which faces overlap, and how deep vertices are inside.

They are those of the worst frames of all problems. Where modifiers make other vertices than the
mesh has, a vertex gets the largest depth on the faces around it.
"""

import bpy
import numpy as np

FACES = "osculate_overlap"
DEPTHS = "osculate_depth"


def write(found):
    """Write the attributes; return the names of the meshes, and notes about others."""
    faces, depths = {}, {}
    notes = []
    for k, piece in enumerate(found.pieces):
        if piece.object is None:
            continue
        mesh = piece.object.data
        if mesh.library is not None:
            notes.append(f"'{mesh.name}' gets no attributes, as it is linked")
            continue
        if found.face_maps[k] is None:
            notes.append(f"'{mesh.name}' gets no attributes, as its modifiers make other faces")
            continue
        if mesh.name not in faces:
            faces[mesh.name] = np.zeros(len(mesh.polygons), bool)
            depths[mesh.name] = np.zeros(len(mesh.vertices), np.float32)
    for episode, place in zip(found.report.episodes, found.report.places):
        if episode.status != "new":
            continue
        deep = np.zeros(len(found.piece_of_vertex), np.float64)
        deep[place.vertices] = np.maximum(place.depths, 0.0)
        for k, piece in enumerate(found.pieces):
            mesh = None if piece.object is None else piece.object.data
            if mesh is None or mesh.library is not None or found.face_maps[k] is None:
                continue
            name = mesh.name
            of_piece = deep[piece.vertices]
            first, n = piece.first_triangle, len(piece.triangles)
            crossing = place.triangles[(first <= place.triangles) & (place.triangles < first + n)] - first
            inside = (of_piece[piece.triangles] > 0.0).any(axis=1)
            hit = np.union1d(crossing, np.nonzero(inside)[0]).astype(np.int64)
            faces[name][found.face_maps[k][piece.faces[hit]]] = True
            _add_depths(depths[name], of_piece, piece, found.face_maps[k], mesh)
    for name in faces:
        mesh = bpy.data.meshes[name, None]
        remove([mesh])
        mesh.attributes.new(FACES, "BOOLEAN", "FACE").data.foreach_set("value", faces[name])
        mesh.attributes.new(DEPTHS, "FLOAT", "POINT").data.foreach_set("value", depths[name])
        mesh.update_tag()
    return sorted(faces), notes


def _add_depths(depths, of_piece, piece, face_map, mesh):
    """Raise the depths of the vertices of a mesh to those of a piece."""
    same = len(depths) == piece.n_vertices and len(face_map) == len(mesh.polygons)
    if same and np.array_equal(face_map, np.arange(len(face_map))):
        np.maximum(depths, of_piece, out=depths)
        return
    of_face = np.zeros(len(mesh.polygons))
    np.maximum.at(of_face, face_map[piece.faces], of_piece[piece.triangles].max(axis=1))
    for number in np.nonzero(of_face)[0]:
        for vertex in mesh.polygons[int(number)].vertices:
            depths[vertex] = max(depths[vertex], of_face[number])


def remove(meshes):
    """Remove the attributes from meshes, where they are."""
    for mesh in meshes:
        for name in (FACES, DEPTHS) if mesh is not None else ():
            attribute = mesh.attributes.get(name)
            if attribute is not None:
                mesh.attributes.remove(attribute)
