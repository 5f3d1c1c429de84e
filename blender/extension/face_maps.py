# SPDX-License-Identifier: GPL-3.0-or-later
"""From faces of evaluated meshes to faces of the meshes that users edit."""

import numpy as np

from .meshes import evaluated
from .topology import topology

_NAME = "osculate_face_number"


def of_pieces(scene, view_layer, all_pieces, frame):
    """Return for each piece an array: for each face of the evaluated mesh, that of the mesh of the
    object. `None` where modifiers make other faces of a mesh that cannot be changed, as it is
    linked; an object is only known by its name then.

    Where modifiers change faces, the numbers of faces travel through them as an attribute, which is
    removed again.
    """
    found = [None] * len(all_pieces)
    others = []
    for k, piece in enumerate(all_pieces):
        mesh = piece.object.data
        corners, starts = topology(mesh)
        if np.array_equal(corners, piece.corners) and np.array_equal(starts, piece.starts):
            found[k] = np.arange(piece.n_faces)
        elif mesh.library is None:
            others.append(k)
    if not others:
        return found
    marked = {all_pieces[k].object.data for k in others}
    try:
        for mesh in marked:
            attribute = mesh.attributes.new(_NAME, "INT", "FACE")
            attribute.data.foreach_set("value", np.arange(len(mesh.polygons), dtype=np.int32))
        scene.frame_set(frame)
        names = sorted({all_pieces[k].owner for k in others})
        by_key = {all_pieces[k].key: k for k in others}
        for owner, _, instance, mesh, _ in evaluated(scene, view_layer, names):
            k = by_key.get((owner, instance))
            attribute = mesh.attributes.get(_NAME)
            if k is None or attribute is None or attribute.domain != "FACE":
                continue
            numbers = np.empty(len(mesh.polygons), np.int32)
            attribute.data.foreach_get("value", numbers)
            if len(numbers) == all_pieces[k].n_faces:
                found[k] = numbers
    finally:
        for mesh in marked:
            mesh.attributes.remove(mesh.attributes[_NAME])
    return found
