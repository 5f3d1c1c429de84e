# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender as a module, with the extension installed from its file, and scenes built by code."""

import math
import os
import pathlib

import bpy
import numpy as np
import pytest

MODULE = "bl_ext.user_default.osculate"


def pytest_configure(config):
    """Install the extension as a user does, once."""
    path = os.environ["OSCULATE_EXTENSION"]
    assert os.environ.get("BLENDER_USER_RESOURCES"), "the tests do not touch the user's own Blender"
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.extensions.package_install_files(filepath=path, repo="user_default", enable_on_install=True)
    assert hasattr(bpy.types.Scene, "osculate"), "the extension is not enabled"


@pytest.fixture
def module():
    """A module of the extension, by its name."""
    import importlib

    return lambda name: importlib.import_module(f"{MODULE}.{name}")


@pytest.fixture
def scene():
    """An empty scene of 30 frames at 24 a second."""
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    data = bpy.data
    for blocks in (data.meshes, data.armatures, data.actions, data.collections, data.libraries):
        for block in list(blocks):
            blocks.remove(block)
    scene = bpy.context.scene
    scene.timeline_markers.clear()
    scene.use_preview_range = False
    scene.frame_start, scene.frame_end = 1, 30
    scene.render.fps, scene.render.fps_base = 24, 1.0
    scene.frame_set(7)
    clear_settings(scene.osculate)
    bpy.ops.osculate.clear()
    return scene


def clear_settings(settings):
    for name in ("what", "collection", "range", "baseline", "baseline_file", "thickness"):
        settings.property_unset(name)
    for name in ("markers", "attributes", "overlay", "active"):
        settings.property_unset(name)


@pytest.fixture
def pictures():
    """The folder for pictures that people look at."""
    folder = pathlib.Path(os.environ.get("OSCULATE_PICTURES", "."))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def tube(low, high, n):
    """Return vertices and faces of a closed box from low to high, with n faces along its longest
    side and n / 4 along the others."""
    low, high = np.array(low, float), np.array(high, float)
    counts = [n if k == int(np.argmax(high - low)) else max(n // 4, 1) for k in range(3)]
    numbers, vertices, faces = {}, [], []

    def number(place):
        if place not in numbers:
            numbers[place] = len(vertices)
            vertices.append(low + (high - low) * np.array(place) / counts)
        return numbers[place]

    for axis in range(3):
        a, b = (axis + 1) % 3, (axis + 2) % 3
        for end in (0, counts[axis]):
            for i in range(counts[a]):
                for j in range(counts[b]):
                    corners = []
                    for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        place = [0, 0, 0]
                        place[axis], place[a], place[b] = end, i + di, j + dj
                        corners.append(number(tuple(place)))
                    faces.append(corners if end else corners[::-1])
    return np.array(vertices), faces


def mesh_object(name, vertices, faces):
    """Add an object with a mesh to the scene."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(map(float, v)) for v in vertices], [], faces)
    mesh.update()
    ob = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(ob)
    return ob


#: The figure: a trunk, and an arm that hangs beside it from a joint and swings into it.
TRUNK = ([-1.0, -1.0, 0.0], [1.0, 1.0, 4.0])
ARM = ([1.7, -0.3, 0.6], [2.3, 0.3, 3.6])
JOINT = np.array([2.0, 0.0, 3.6])
HEAD = ([-0.5, -0.5, 5.0], [0.5, 0.5, 6.0])
#: The arm swings as far as this at frame 15, and is back at frame 30.
SWING = math.radians(25.0)


def swing(frame):
    """The angle of the arm at a frame, linear from frame 1 to 15 and back to 30."""
    return SWING * ((frame - 1) / 14 if frame <= 15 else (30 - frame) / 15)


def arm_vertices(vertices, frame):
    """The vertices of the arm at a frame: turned around the y axis through the joint."""
    c, s = math.cos(swing(frame)), math.sin(swing(frame))
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return (vertices - JOINT) @ turn.T + JOINT


def figure(n=16, name="Body", has_head=False):
    """Add the figure: one mesh, a bone for each part, and an action. Return its object. It may have
    a head, which meets nothing.
    """
    parts = {"Trunk": tube(*TRUNK, n), "Arm": tube(*ARM, n)}
    if has_head:
        parts["Head"] = tube(*HEAD, n)
    groups, vertices, faces = {}, [], []
    for part, (of_part, its_faces) in parts.items():
        first = len(vertices)
        groups[part] = range(first, first + len(of_part))
        vertices += list(of_part)
        faces += [[v + first for v in face] for face in its_faces]
    body = mesh_object(name, vertices, faces)
    armature = bpy.data.armatures.new(f"{name} Rig")
    rig = bpy.data.objects.new(f"{name} Rig", armature)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    first = armature.edit_bones.new("Trunk")
    first.head, first.tail = (0, 0, 0), (0, 0, 3)
    second = armature.edit_bones.new("Arm")
    second.head, second.tail = JOINT, JOINT + [0, 0, 1]
    second.parent = first
    if has_head:
        third = armature.edit_bones.new("Head")
        third.head, third.tail, third.parent = (0, 0, 5), (0, 0, 6), first
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone, vertices in groups.items():
        body.vertex_groups.new(name=bone).add(list(vertices), 1.0, "REPLACE")
    body.parent = rig
    body.modifiers.new("Armature", "ARMATURE").object = rig
    animate(rig.pose.bones["Arm"])
    bpy.ops.object.select_all(action="DESELECT")
    body.select_set(True)
    bpy.context.view_layer.objects.active = body
    return body


def animate(bone):
    """Make the arm swing: around the local z axis of a bone that points up, which is the y axis of
    the scene or its opposite."""
    bone.rotation_mode = "XYZ"
    rest = np.array(bone.bone.matrix_local)[:3, :3]
    axis = int(np.argmax(np.abs(rest.T @ [0, 1, 0])))
    sign = float(np.sign((rest.T @ [0, 1, 0])[axis]))
    for frame in range(1, 31):
        bone.rotation_euler = (0, 0, 0)
        bone.rotation_euler[axis] = sign * swing(frame)
        bone.keyframe_insert("rotation_euler", frame=frame)


def faces_of(ob, parts):
    """The numbers of the faces of an object that are in these parts of the figure."""
    groups = {ob.vertex_groups[part].index for part in parts}
    of_vertex = [{element.group for element in vertex.groups} <= groups for vertex in ob.data.vertices]
    return {face.index for face in ob.data.polygons if all(of_vertex[v] for v in face.vertices)}


def turn_arm(body, angle):
    """Turn the arm of the figure around its own axis, so that one corner comes deepest."""
    c, s = math.cos(angle), math.sin(angle)
    for vertex in body.data.vertices:
        x, y, z = vertex.co
        if x > 1.5:
            vertex.co = (JOINT[0] + c * (x - JOINT[0]) - s * y, s * (x - JOINT[0]) + c * y, z)


def are_in_trunk(points):
    """Whether points are inside of the trunk."""
    low, high = map(np.array, TRUNK)
    return ((low < points) & (points < high)).all(axis=-1)


def are_in_arm(points, frame):
    """Whether points are inside of the arm at a frame."""
    c, s = math.cos(swing(frame)), math.sin(swing(frame))
    back = (np.asarray(points) - JOINT) @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) + JOINT
    low, high = map(np.array, ARM)
    return ((low < back) & (back < high)).all(axis=-1)


def frames_of_overlap():
    """The frames in which a vertex of the arm is inside of the trunk. The arm is convex and meets
    the trunk at one flat side, so that it passes through it exactly then.
    """
    arm, _ = tube(*ARM, 16)
    return [frame for frame in range(1, 31) if are_in_trunk(arm_vertices(arm, frame)).any()]


def depth_at(frame):
    """How deep the arm is inside of the trunk: its deepest vertex below the side at x = 1."""
    arm, _ = tube(*ARM, 16)
    return 1.0 - arm_vertices(arm, frame)[:, 0].min()


def check(**settings):
    """Run the operator with settings, and return those of the scene."""
    of_scene = bpy.context.scene.osculate
    for name, value in settings.items():
        setattr(of_scene, name, value)
    assert bpy.ops.osculate.check("EXEC_DEFAULT") == {"FINISHED"}
    return of_scene
