# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of an episode: its geometry, and the picture where Blender draws without a window."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

import conftest
from conftest import check, figure


def test_geometry_is_where_the_parts_intersect(scene, module):
    figure()
    settings = check()
    found = module("results").of_scene(scene)
    shapes = module("overlay").geometry(found, settings.episodes[0].number)
    lines = shapes["lines"]
    # The curve is closed, and on the side of the trunk at x = 1 and nowhere else.
    assert len(lines) % 2 == 0 and len(lines) > 8
    assert np.allclose(lines[1:-1:2], lines[2::2])
    assert np.allclose(lines[0], lines[-1], atol=1e-6)
    assert np.abs(lines[:, 0] - 1.0).max() < 1e-5
    # Corners of colored triangles are colored where they are inside of the other part, deepest at
    # the vertex of the arm that is deepest.
    corners, colors = shapes["triangles"].astype(float), shapes["colors"]
    on_trunk = np.abs(corners[:, 0] - 1.0) < 1e-5
    inside = np.where(on_trunk, conftest.are_in_arm(corners, 15), conftest.are_in_trunk(corners))
    assert ((colors[:, 3] > 0.0) == inside).all() and inside[on_trunk].any() and inside[~on_trunk].any()
    deepest = corners[np.argmin(colors[:, 1] + (colors[:, 3] == 0.0))]
    assert 1.0 - deepest[0] == pytest.approx(conftest.depth_at(15), abs=1e-5)


def test_it_is_drawn_at_the_worst_frame_only(scene, module):
    figure()
    settings = check()
    overlay = module("overlay")
    assert overlay.shown(scene) is None
    settings.active = 0
    assert overlay.shown(scene) == settings.episodes[0]
    scene.frame_set(3)
    assert overlay.shown(scene) is None
    scene.frame_set(15)
    settings.overlay = False
    assert overlay.shown(scene) is None


def offscreen(gpu, width, height):
    """An image to draw into, or a skipped test."""
    if not hasattr(gpu, "init"):
        pytest.skip("this Blender draws nothing without a window")
    try:
        gpu.init()
        return gpu.types.GPUOffScreen(width, height)
    except (SystemError, RuntimeError) as why:
        pytest.skip(f"nothing can be drawn here: {why}")


def test_the_picture(scene, module, pictures):
    import gpu
    from gpu_extras.batch import batch_for_shader

    target = offscreen(gpu, 640, 480)
    body = figure()
    settings = check()
    settings.active = 0
    found, number = module("results").of_scene(scene), settings.episodes[0].number
    view = look_at(Vector((6.0, -7.0, 5.0)), Vector(settings.episodes[0].point))
    projection = perspective(0.7, 640 / 480, 0.1, 100.0)
    shown = body.evaluated_get(bpy.context.view_layer.depsgraph).data
    points = [tuple(shown.vertices[v].co) for edge in shown.edges for v in edge.vertices]

    def draw(with_overlay):
        with target.bind():
            buffer = gpu.state.active_framebuffer_get()
            buffer.clear(color=(0.2, 0.2, 0.2, 1.0), depth=1.0)
            with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
                gpu.matrix.load_matrix(view)
                gpu.matrix.load_projection_matrix(projection)
                shader = gpu.shader.from_builtin("UNIFORM_COLOR")
                shader.uniform_float("color", (0.5, 0.55, 0.6, 1.0))
                batch_for_shader(shader, "LINES", {"pos": points}).draw(shader)
                if with_overlay:
                    module("overlay").draw_episode(found, number)
            pixels = buffer.read_color(0, 0, 640, 480, 4, 0, "FLOAT")
        return np.array(pixels.to_list()).reshape(480, 640, 4)

    plain, drawn = draw(False), draw(True)
    save(pictures / "overlay.png", drawn)
    changed = np.abs(drawn - plain)[..., :3].max(axis=2) > 0.05
    red = (drawn[..., 0] > 0.9) & (drawn[..., 1] < 0.25) & (drawn[..., 2] < 0.25)
    assert 500 < changed.sum() < 640 * 480 / 4
    assert 50 < red.sum() < changed.sum(), "the curve is red, the surface is not"
    # The curve is where the parts intersect: at the projections of its points.
    lines = module("overlay").geometry(found, number)["lines"]
    for point in lines[:: max(len(lines) // 20, 1)]:
        x, y, _, w = projection @ view @ Vector((*map(float, point), 1.0))
        column, row = (x / w + 1) / 2 * 640, (y / w + 1) / 2 * 480
        near = red[int(row) - 4 : int(row) + 5, int(column) - 4 : int(column) + 5]
        assert near.any(), (column, row)


def look_at(eye, target):
    back = (eye - target).normalized()
    right = Vector((0, 0, 1)).cross(back).normalized()
    above = back.cross(right)
    turn = Matrix((right, above, back)).to_4x4()
    return turn @ Matrix.Translation(-eye)


def perspective(angle, aspect, near, far):
    f = 1.0 / np.tan(angle / 2)
    return Matrix(
        (
            (f / aspect, 0, 0, 0),
            (0, f, 0, 0),
            (0, 0, (far + near) / (near - far), 2 * far * near / (near - far)),
            (0, 0, -1, 0),
        )
    )


def save(path, pixels):
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("picture", width, height)
    image.pixels.foreach_set(pixels.astype(np.float32).ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)
