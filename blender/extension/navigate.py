# SPDX-License-Identifier: GPL-3.0-or-later
"""Goes to an episode: its worst frame, its place in the 3-D views, and its parts."""

import bpy
import numpy as np
from mathutils import Vector

from . import results

#: How far a view looks at an episode from, as a multiple of its extent.
_DISTANCE = 4.0


def show_active(context):
    """Go to the episode that is active in the list."""
    settings = context.scene.osculate
    if 0 <= settings.active < len(settings.episodes):
        show(context, settings.episodes[settings.active])


def show(context, item):
    """Go to an episode."""
    scene = context.scene
    scene.frame_set(item.worst_frame)
    found = results.of_scene(scene)
    if found is not None:
        select(context, found, {item.part_a, item.part_b})
    frame_views(context, Vector(item.point), extent_of(found, item))
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            area.tag_redraw()


def extent_of(found, item):
    """Return the size of the place, at least a fiftieth of that of the surface."""
    size = found.report.json["files"][0]["size"] if found is not None else 0.0
    return max(item.extent, size / 50, 1e-3)


def frame_views(context, point, extent):
    """Move all 3-D views of the window to a place; their directions stay."""
    if context.screen is None:
        return
    for area in context.screen.areas:
        if area.type != "VIEW_3D":
            continue
        view = area.spaces.active.region_3d
        if view.view_perspective == "CAMERA":
            view.view_perspective = "PERSP"
        view.view_location = point
        view.view_distance = _DISTANCE * extent


def select(context, found, parts):
    """Select the objects that have the parts, and the faces of the parts. In edit mode, objects
    stay as they are.
    """
    numbers = [k for k, name in enumerate(found.part_names) if name in parts]
    of_triangles = np.isin(found.part_of_triangle, numbers)
    scene, view_layer = context.scene, context.view_layer
    in_object_mode = context.mode == "OBJECT"
    chosen = {}
    for piece, face_map in zip(found.pieces, found.face_maps):
        ob = piece.object
        if ob is None or ob.type != "MESH":
            continue
        here = of_triangles[piece.first_triangle : piece.first_triangle + len(piece.triangles)]
        owner = scene.objects.get(piece.owner)
        if here.any() and owner is not None:
            chosen[owner.name] = owner
        if ob.data.library is not None or face_map is None or ob.mode == "EDIT":
            continue
        if len(ob.data.polygons) <= int(face_map.max(initial=-1)):
            continue  # It was edited since.
        _select_faces(ob.data, face_map[piece.faces[here]])
    if in_object_mode:
        for ob in view_layer.objects:
            is_chosen = ob.name in chosen
            if ob.select_get(view_layer=view_layer) != is_chosen:
                ob.select_set(is_chosen, view_layer=view_layer)
        if chosen:
            view_layer.objects.active = chosen[sorted(chosen)[0]]


def _select_faces(mesh, faces):
    """Select these faces of a mesh, with their edges and vertices, and nothing else."""
    of_faces = np.zeros(len(mesh.polygons), bool)
    of_faces[faces] = True
    starts, totals = np.empty(len(of_faces), np.int32), np.empty(len(of_faces), np.int32)
    mesh.polygons.foreach_get("loop_start", starts)
    mesh.polygons.foreach_get("loop_total", totals)
    of_corners = np.zeros(len(mesh.loops), bool)
    order = np.argsort(starts, kind="stable")
    of_corners[:] = np.repeat(of_faces[order], totals[order])
    vertices, edges = np.empty(len(mesh.loops), np.int32), np.empty(len(mesh.loops), np.int32)
    mesh.attributes[".corner_vert"].data.foreach_get("value", vertices)
    mesh.attributes[".corner_edge"].data.foreach_get("value", edges)
    of_vertices, of_edges = np.zeros(len(mesh.vertices), bool), np.zeros(len(mesh.edges), bool)
    of_vertices[vertices[of_corners]] = True
    of_edges[edges[of_corners]] = True
    for name, domain, chosen in (
        (".select_poly", "FACE", of_faces),
        (".select_edge", "EDGE", of_edges),
        (".select_vert", "POINT", of_vertices),
    ):
        attribute = mesh.attributes.get(name)
        if attribute is not None and attribute.data_type != "BOOLEAN":
            # Blender 5.0 gives meshes that Python has made an attribute of a wrong type, and
            # crashes when the selection of their edges is set.
            mesh.attributes.remove(attribute)
            attribute = None
        if attribute is None:
            attribute = mesh.attributes.new(name, "BOOLEAN", domain)
        attribute.data.foreach_set("value", chosen)
    mesh.update_tag()


def step(context, by):
    """Go to the next or the previous episode of the list, around its ends."""
    settings = context.scene.osculate
    n = len(settings.episodes)
    if n:
        start = settings.active if settings.active >= 0 else (-1 if by > 0 else 0)
        settings.active = (start + by) % n
