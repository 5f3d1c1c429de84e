"""Compares the readers of files that animators exchange with Blender's own evaluation.

Blender builds and animates a figure, evaluates it at ten frames, and exports it. The poses that
osculate reads from each file must be within 1e-5 of the size of the figure, the triangles must be
those of Blender with the same side outside, and `check` must find the same episodes in all files.

usage: exchange.py POSES OSCULATE FOLDER [EXTENSION ...]
"""

import json
import math
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Euler

FPS = 24
N_FRAMES = 24
COMPARED = [1, 3, 5, 8, 10, 13, 15, 18, 21, 24]
BONES = ["Upper", "Middle", "Lower", "Tip"]
TOLERANCE = 1e-5


def tube(name, n_rings, n_sides, length, radius):
    """An object of triangles: a closed tube along z."""
    vertices = []
    for i in range(n_rings):
        for j in range(n_sides):
            angle = 2 * math.pi * j / n_sides
            vertices.append((radius * math.cos(angle), radius * math.sin(angle), length * i / (n_rings - 1)))
    faces = []
    for i in range(n_rings - 1):
        for j in range(n_sides):
            a, b = i * n_sides + j, i * n_sides + (j + 1) % n_sides
            faces += [(a, b, b + n_sides), (a, b + n_sides, a + n_sides)]
    bottom, last = len(vertices), (n_rings - 1) * n_sides
    vertices += [(0, 0, 0), (0, 0, length)]
    for j in range(n_sides):
        k = (j + 1) % n_sides
        faces += [(bottom, k, j), (bottom + 1, last + j, last + k)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.update()
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    return made


def rig():
    """An armature of a chain of bones, moved, turned and scaled."""
    armature = bpy.data.armatures.new("Rig")
    made = bpy.data.objects.new("Rig", armature)
    bpy.context.scene.collection.objects.link(made)
    bpy.context.view_layer.objects.active = made
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for i, name in enumerate(BONES):
        bone = armature.edit_bones.new(name)
        bone.head, bone.tail, bone.roll = (0, 0, i), (0, 0, i + 1), 0.1 * i
        bone.parent, bone.use_connect = above, above is not None
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    made.location, made.rotation_euler, made.scale = (0.3, -0.2, 0.5), (0.1, 0.2, 0.3), (1.5, 1.5, 1.5)
    return made


def figure(n_rings=81, n_sides=12):
    """A tube with bones and shape keys, one that moves as a whole, and one that is mirrored; all with
    keys in each frame."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, N_FRAMES
    armature, body, prop = rig(), tube("Body", n_rings, n_sides, 4.0, 0.22), tube("Prop", 5, 6, 0.8, 0.15)
    mirrored = tube("Mirrored", 4, 5, 0.6, 0.2)
    mirrored.scale, mirrored.rotation_euler = (-1, 1.2, 1), (0.3, 0.4, 0.5)
    for name in BONES:
        body.vertex_groups.new(name=name)
    for vertex in body.data.vertices:
        weights = [max(0.0, 1 - abs(vertex.co.z - i - 0.5)) for i in range(len(BONES))]
        for group, weight in zip(body.vertex_groups, weights):
            if 0 < weight:
                group.add([vertex.index], weight / sum(weights), "REPLACE")
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    body.shape_key_add(name="Basis")
    bulge, lean = body.shape_key_add(name="Bulge"), body.shape_key_add(name="Lean")
    for i, vertex in enumerate(body.data.vertices):
        x, y, z = vertex.co
        factor = 1 + 0.5 * math.exp(-((z - 2) ** 2) / 0.1)
        bulge.data[i].co, lean.data[i].co = (factor * x, factor * y, z), (x + 0.05 * z, y, z)
    prop.rotation_mode = "XYZ"
    for frame in range(1, N_FRAMES + 1):
        t = (frame - 1) / (N_FRAMES - 1)
        for i, name in enumerate(BONES[1:]):
            bone = armature.pose.bones[name]
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = Euler((t * (1.5 + 0.2 * i), 0.05 * i * t, 0.02)).to_quaternion()
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        bone = armature.pose.bones[BONES[0]]
        bone.location = (0.1 * t, 0, 0.05 * math.sin(6 * t))
        bone.keyframe_insert("location", frame=frame)
        bulge.value, lean.value = t, 0.5 * t * t
        for key in (bulge, lean):
            key.keyframe_insert("value", frame=frame)
        prop.location, prop.rotation_euler = (2.4 - 1.6 * t, -1.5 * t, 2.5), (2 * t, 0.3, t)
        prop.scale = (1, 1 + 0.5 * t, 1)
        for channel in ("location", "rotation_euler", "scale"):
            prop.keyframe_insert(channel, frame=frame)
        mirrored.location = (-4, 0, t)
        mirrored.keyframe_insert("location", frame=frame)
    armature.animation_data.action.name = "Curl"
    return [body, prop, mirrored]


def evaluated(objects):
    """For each object and frame, positions in meters with Y up, as glTF has them."""
    positions = {made.name: {} for made in objects}
    for frame in COMPARED:
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for made in objects:
            found = made.evaluated_get(graph)
            flat = np.empty(3 * len(found.data.vertices), dtype=np.float32)
            found.data.attributes["position"].data.foreach_get("vector", flat)
            matrix = np.array(found.matrix_world)
            x, y, z = (flat.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]).T
            positions[made.name][frame] = np.stack([x, z, -y], axis=1)
    bpy.context.scene.frame_set(1)
    return positions


def export(folder):
    """Writes the files."""
    bpy.ops.object.select_all(action="SELECT")
    path = lambda name: str(folder / name)
    fbx = dict(add_leaf_bones=False, bake_anim_simplify_factor=0.0, bake_anim_use_nla_strips=False)
    bpy.ops.export_scene.fbx(filepath=path("figure.fbx"), bake_anim_use_all_actions=False, **fbx)
    other = dict(fbx, axis_forward="X", axis_up="Z", apply_scale_options="FBX_SCALE_ALL")
    bpy.ops.export_scene.fbx(filepath=path("axes.fbx"), bake_anim_use_all_actions=False, **other)
    bpy.ops.export_scene.gltf(
        filepath=path("figure.glb"),
        export_animation_mode="SCENE",
        export_force_sampling=True,
        export_anim_slide_to_zero=True,
        export_anim_scene_split_object=False,
    )
    bpy.ops.wm.alembic_export(filepath=path("figure.abc"), start=1, end=N_FRAMES)
    usd = dict(export_animation=True, export_materials=False)
    for name in ("figure.usdc", "figure.usda", "figure.usdz"):
        bpy.ops.wm.usd_export(filepath=path(name), **usd)
    axes = dict(convert_orientation=True, export_global_forward_selection="NEGATIVE_Z", export_global_up_selection="Y")
    units = dict(convert_scene_units="CENTIMETERS")
    bpy.ops.wm.usd_export(filepath=path("axes.usdc"), **usd, **axes, **units)
    bpy.ops.wm.usd_export(filepath=path("points.usdc"), **usd, export_armatures=False, export_shapekeys=False)


def order(path, found, expected):
    """For each vertex of a file, the vertex of Blender: the same, as the formats keep their order,
    or, in glTF, the nearest one in the first frame."""
    if path.suffix != ".glb":
        assert found.shape == expected.shape, f"{path}: {len(found)} vertices of {len(expected)}"
        return np.arange(len(found))
    squares = ((expected[:, None] - found[None]) ** 2).sum(axis=2)
    nearest = squares.argmin(axis=0)
    assert sorted(set(nearest)) == list(range(len(expected))), f"{path}: vertices are missing"
    return nearest


def outside(made):
    """The triangles of an object with the sides outside that Blender shows there: those of one that
    is mirrored are turned."""
    turn = -1 if made.matrix_world.is_negative else 1
    return oriented([list(face.vertices)[::turn] for face in made.data.polygons])


def oriented(triangles):
    """The triangles, each from its lowest vertex on: the same set for the same sides outside."""
    return sorted(tuple(np.roll(triangle, -int(np.argmin(triangle)))) for triangle in triangles)


def compare(poses, path, positions, triangles):
    """The greatest distance from Blender's evaluation, as a share of the size of the figure. Fails
    if the triangles are others."""
    text = subprocess.run([poses, path], check=True, capture_output=True, text=True).stdout
    (clip,) = json.loads(text)
    of, faces = np.array(clip["vertex_object"]), np.array(clip["faces"])
    every = np.concatenate([pose for frames in positions.values() for pose in frames.values()])
    size = np.linalg.norm(every.max(axis=0) - every.min(axis=0))
    assert len(clip["frames"]) == N_FRAMES, f"{path}: {len(clip['frames'])} frames"
    assert sorted(clip["objects"]) == sorted(positions), f"{path}: {clip['objects']}"
    worst = 0
    for i, name in enumerate(clip["objects"]):
        own, first = of == i, positions[name][COMPARED[0]]
        here = order(path, np.array(clip["frames"][COMPARED[0] - 1])[own], first)
        number = np.full(len(of), -1)
        number[own] = here
        found = oriented(number[faces[own[faces].all(axis=1)]])
        assert found == triangles[name], f"{path}: other triangles of {name}"
        for frame, expected in positions[name].items():
            off = np.array(clip["frames"][frame - 1])[own] - expected[here]
            worst = max(worst, np.linalg.norm(off, axis=1).max() / size)
    return worst


def episodes(osculate, path):
    """What `check` finds: pairs of parts with their frames, and whether they have a depth."""
    report = path.with_suffix(path.suffix + ".json")
    subprocess.run([osculate, "check", path, "--fps", str(FPS), "--json", report], check=True, capture_output=True)
    found = json.loads(report.read_text())["episodes"]
    return sorted(
        (sorted(e["parts"]), e["first_frame"], e["last_frame"], e["status"], 0 < (e["depth"] or 0)) for e in found
    )


def compare_all(poses, osculate, folder, extensions, mirror):
    """Writes and compares the files of a figure; returns whether they are as they should be."""
    objects = figure()
    bpy.data.objects["Rig"].scale.x *= mirror
    bpy.context.view_layer.update()
    positions = evaluated(objects)
    triangles = {made.name: outside(made) for made in objects}
    export(folder)
    is_good = True
    # Episodes by whether parts are bones or, where only points are sampled, objects.
    first = {}
    for path in sorted(folder.glob("*.*")):
        if path.suffix[1:] not in extensions:
            continue
        worst = compare(poses, path, positions, triangles)
        line = f"{folder.name}/{path.name}: within {worst:.1e} of the size at {len(COMPARED)} frames"
        is_good &= worst <= TOLERANCE
        if path.stem != "axes":
            found = episodes(osculate, path)
            expected = first.setdefault(path.suffix == ".abc" or path.stem == "points", found)
            is_good &= found == expected and bool(found)
            line += f", {len(found)} episodes"
            line += "" if found == expected else f", NOT the same: {found} and {expected}"
        print(line)
    return is_good


def main():
    poses, osculate, folder, extensions = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4:]
    is_good = True
    for name, mirror in (("figure", 1), ("mirrored", -1)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        is_good &= compare_all(poses, osculate, folder / name, extensions, mirror)
    return int(not is_good)


if __name__ == "__main__":
    sys.exit(main())
