# SPDX-License-Identifier: GPL-3.0-or-later
"""The same clip through Blender, and through `check` on the file that Blender exports."""

import bpy
import numpy as np
import osculate
import pytest

from conftest import figure, turn_arm


def report_of(module, scene):
    """The report of a check in Blender."""
    job = module("job").Job(bpy.context, scene.osculate)
    for _ in job.run():
        pass
    return job.found.report


def exported(path):
    """The report of the command about the scene as a GLB file."""
    bpy.ops.export_scene.gltf(filepath=str(path), export_anim_slide_to_zero=True)
    return osculate.check(path, fps=24)


def exported_fbx(path):
    """The same as an FBX file."""
    baked = dict(bake_anim_simplify_factor=0.0, bake_anim_use_nla_strips=False, bake_anim_use_all_actions=False)
    bpy.ops.export_scene.fbx(filepath=str(path), add_leaf_bones=False, **baked)
    return osculate.check(path)


def exported_usd(path):
    """The same as a USD file."""
    bpy.ops.wm.usd_export(filepath=str(path), export_animation=True)
    return osculate.check(path)


def exported_abc(path):
    """The same as an Alembic file."""
    bpy.ops.wm.alembic_export(filepath=str(path), start=1, end=30)
    return osculate.check(path)


def up(point):
    """A point of a file, whose y axis points up, in Blender's axes."""
    x, y, z = point
    return [x, -z, y]


@pytest.mark.parametrize("twist", [False, True])
def test_episodes_are_those_of_the_exported_file(scene, module, tmp_path, twist):
    body = figure(n=24)
    if twist:
        # A smooth border between the bones.
        arm = body.vertex_groups["Arm"]
        trunk = body.vertex_groups["Trunk"]
        for vertex in body.data.vertices:
            if vertex.co.x > 1.5 and vertex.co.z > 2.0:
                arm.add([vertex.index], 0.75, "REPLACE")
                trunk.add([vertex.index], 0.25, "REPLACE")
    here, there = report_of(module, scene), exported(tmp_path / "figure.glb")
    assert len(here.episodes) == len(there.episodes) > 0
    size = there.json["files"][0]["size"]
    for one, other in zip(here.episodes, there.episodes):
        assert sorted(one.parts) == sorted(other.parts) and one.status == other.status
        assert [one.first_frame, one.last_frame] == [other.first_frame, other.last_frame]
        assert one.worst_frame == other.worst_frame
        assert one.depth == pytest.approx(other.depth, abs=1e-5 * size)
        assert one.enter == pytest.approx(other.enter, abs=1e-3)
        assert one.leave == pytest.approx(other.leave, abs=1e-3)
        assert np.abs(np.subtract(one.point, up(other.point))).max() < 1e-5 * size
    assert here.clips[0].name == there.clips[0].name, "a baseline file of one fits the other"


@pytest.mark.parametrize(
    ("export", "name"),
    [(exported_fbx, "figure.fbx"), (exported_usd, "figure.usdc"), (exported_abc, "figure.abc")],
)
def test_episodes_are_those_of_other_files(scene, module, tmp_path, export, name):
    # With one deepest point; on the straight arm, there is a line of them.
    turn_arm(figure(n=24), 0.4)
    here, there = report_of(module, scene), export(tmp_path / name)
    assert len(here.episodes) == len(there.episodes) > 0
    size = there.json["files"][0]["size"]
    for one, other in zip(here.episodes, there.episodes):
        # The parts of sampled points are objects.
        parts = ["Body", "Body"] if export is exported_abc else sorted(one.parts)
        assert parts == sorted(other.parts) and one.status == other.status
        assert [one.first_frame, one.last_frame] == [other.first_frame, other.last_frame]
        assert one.worst_frame == other.worst_frame
        assert one.depth == pytest.approx(other.depth, abs=1e-5 * size)
        assert np.abs(np.subtract(one.point, up(other.point))).max() < 1e-5 * size
        assert one.enter == pytest.approx(other.enter, abs=1e-3)
        assert one.leave == pytest.approx(other.leave, abs=1e-3)


def test_a_baseline_of_one_sets_aside_the_same_in_the_other(scene, module, tmp_path):
    figure()
    path = tmp_path / "known.toml"
    path.write_text(report_of(module, scene).baseline())
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "figure.glb"), export_anim_slide_to_zero=True)
    there = osculate.check(tmp_path / "figure.glb", fps=24, baseline=path)
    assert not there.problems and there.pairs
