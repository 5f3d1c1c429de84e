# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the overlap of the active episode in 3-D views: the curves in which its parts intersect, and
the enclosed surface, colored by depth. It is drawn at its worst frame only, where it was computed.
"""

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from . import results

_CURVE = (1.0, 0.1, 0.1, 1.0)
_CONTACT = (1.0, 0.8, 0.0, 1.0)
#: Colors of no depth and of the largest one.
_SHALLOW, _DEEP = np.array([1.0, 0.85, 0.2]), np.array([0.75, 0.0, 0.35])

_handle = None
#: The batches of the last picture, with what they show.
_batches = (None, [])


def geometry(found, number):
    """Return what is drawn of an episode: ends of line segments, corners of triangles with their
    colors, and points.

    Colors fade out where the surface leaves the other part.
    """
    place, points = found.report.places[number], found.points[number]
    lines = [np.stack([curve[:-1], curve[1:]], axis=1).reshape(-1, 3) for curve in place.curves]
    lines = np.concatenate(lines) if lines else np.zeros((0, 3))
    row_of = np.full(len(found.piece_of_vertex), -1)
    row_of[place.vertices] = np.arange(len(place.vertices))
    rows = row_of[found.triangles.astype(np.int64)]
    rows = rows[(rows >= 0).all(axis=1)]
    depths = place.depths[rows]
    rows, depths = rows[(depths > 0.0).any(axis=1)], depths[(depths > 0.0).any(axis=1)]
    most = depths.max(initial=0.0) or 1.0
    share = np.clip(depths / most, 0.0, 1.0)[..., None]
    colors = np.concatenate([_SHALLOW + share * (_DEEP - _SHALLOW), (depths > 0.0)[..., None] * 0.8], axis=2)
    return {
        "lines": lines.astype(np.float32),
        "triangles": points[rows].reshape(-1, 3).astype(np.float32),
        "colors": colors.reshape(-1, 4).astype(np.float32),
        "contacts": place.contacts[:, :3].astype(np.float32),
    }


def draw():
    """Draw into the current view."""
    scene = bpy.context.scene
    item = shown(scene)
    if item is not None:
        draw_episode(results.of_scene(scene), item.number)


def shown(scene):
    """Return the episode that is drawn now, or `None`."""
    settings, found = scene.osculate, results.of_scene(scene)
    if found is None or not settings.overlay or not 0 <= settings.active < len(settings.episodes):
        return None
    item = settings.episodes[settings.active]
    return item if scene.frame_current == item.worst_frame else None


def draw_episode(found, number):
    """Draw an episode, over everything else."""
    global _batches
    if _batches[0] is None or _batches[0][0] is not found or _batches[0][1] != number:
        _batches = ((found, number), _made(geometry(found, number)))
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("ALPHA")
    for shader, batch, uniforms in _batches[1]:
        shader.bind()
        for name, value in uniforms.items():
            shader.uniform_float(name, value)
        if "lineWidth" in uniforms:
            shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
        batch.draw(shader)
    gpu.state.blend_set("NONE")
    gpu.state.depth_test_set("LESS_EQUAL")


def _made(shapes):
    """Batches with their shaders and uniforms."""
    made = []
    if len(shapes["triangles"]):
        shader = gpu.shader.from_builtin("SMOOTH_COLOR")
        content = {"pos": shapes["triangles"], "color": shapes["colors"]}
        made.append((shader, batch_for_shader(shader, "TRIS", content), {}))
    if len(shapes["lines"]):
        shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
        batch = batch_for_shader(shader, "LINES", {"pos": shapes["lines"]})
        made.append((shader, batch, {"color": _CURVE, "lineWidth": 3.0}))
    if len(shapes["contacts"]):
        shader = gpu.shader.from_builtin("UNIFORM_COLOR")
        batch = batch_for_shader(shader, "POINTS", {"pos": shapes["contacts"]})
        made.append((shader, batch, {"color": _CONTACT}))
    return made


def register():
    global _handle
    _handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")


def unregister():
    global _handle, _batches
    bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
    _handle, _batches = None, (None, [])
