# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read from a scene: modifiers, shape keys, drivers, scaled, linked, instanced and hidden
objects; and what is refused."""

import bpy
import numpy as np
import pytest

import conftest
from conftest import check, figure, mesh_object, tube


def two_boxes():
    """A box that stays, and a higher one that moves through it along x from frame 1 to 30."""
    still = mesh_object("Still", *tube([-1, -1, -1], [1, 1, 1], 4))
    moving = mesh_object("Moving", *tube([-0.5, -0.5, -1.5], [0.5, 0.5, 1.5], 12))
    for frame, x in ((1, -4.6), (30, 9.9)):
        moving.location.x = x
        moving.keyframe_insert("location", frame=frame)
    for ob in (still, moving):
        ob.select_set(True)
    make_linear(moving)
    return still, moving


def make_linear(ob):
    for curve in curves_of(ob.animation_data.action):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def curves_of(action):
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]


def frames_of(low, high):
    """The frames in which the box that moves is between these places."""
    x = [-4.6 + 0.5 * (frame - 1) for frame in range(1, 31)]
    return [frame for frame, at in zip(range(1, 31), x) if low < at < high]


def assert_only(settings, parts, frames):
    (item,) = settings.episodes
    assert [item.part_a, item.part_b] == parts
    assert [item.first_frame, item.last_frame] == [frames[0], frames[-1]]
    return item


def test_objects_without_armature_are_parts(scene):
    two_boxes()
    item = assert_only(check(), ["Moving", "Still"], frames_of(-1.5, 1.5))
    assert 0.49 < item.depth < 1.01


def test_scaled_and_mirrored_objects(scene):
    still, moving = two_boxes()
    moving.scale = (2.0, 1.0, -1.0)
    still.parent = bpy.data.objects.new("Root", None)
    scene.collection.objects.link(still.parent)
    still.parent.scale = (0.5, -3.0, 1.0)
    assert_only(check(), ["Moving", "Still"], frames_of(-1.5, 1.5))


def test_mirrored_objects_have_the_other_side_outside(scene, module):
    _, moving = two_boxes()

    def triangles(scale):
        moving.scale = scale
        view_layer = bpy.context.view_layer
        view_layer.update()
        (piece,) = module("meshes").pieces(scene, view_layer, [moving.name])
        return piece.triangles

    straight = triangles((1, 1, 1))
    assert (triangles((2, 1, -1)) == straight[:, [0, 2, 1]]).all()
    assert (triangles((-2, 1, -1)) == straight).all()


def test_shape_keys_and_drivers(scene):
    """The box grows by a shape key that a driver opens at frame 7 and later."""
    still, moving = two_boxes()
    still.shape_key_add(name="Basis")
    key = still.shape_key_add(name="Large")
    for point in key.data:
        point.co = (2.0 * point.co.x, point.co.y, point.co.z)
    driver = key.driver_add("value").driver
    driver.expression = "frame >= 7"
    # Without the driver, from frame 8 on; with the key open all the time, from frame 6 on.
    expected = [frame for frame in frames_of(-2.5, 2.5) if frame >= 7]
    assert expected[0] == 7 and frames_of(-1.5, 1.5)[0] == 8 and frames_of(-2.5, 2.5)[0] == 6
    assert_only(check(), ["Moving", "Still"], expected)


def test_modifiers_that_divide_faces(scene):
    """With a subdivision surface, attributes are those of the faces that users edit."""
    body = figure()
    # Simple subdivision keeps the shape, so that the frames are known.
    modifier = body.modifiers.new("Subdivision", "SUBSURF")
    modifier.subdivision_type, modifier.levels = "SIMPLE", 1
    n_faces = len(body.data.polygons)
    names = set(body.data.attributes.keys())
    settings = check()
    frames = conftest.frames_of_overlap()
    item = assert_only(settings, ["Trunk", "Arm"], frames)
    assert item.depth == pytest.approx(conftest.depth_at(15), abs=1e-5)
    faces = np.zeros(n_faces, bool)
    body.data.attributes["osculate_overlap"].data.foreach_get("value", faces)
    assert 0 < faces.sum() < n_faces / 2
    assert set(body.data.attributes.keys()) - names == {"osculate_overlap", "osculate_depth"}
    # The faces without the modifier, that overlap, are among them.
    modifier.show_viewport = False
    check()
    coarse = np.zeros(n_faces, bool)
    body.data.attributes["osculate_overlap"].data.foreach_get("value", coarse)
    assert (faces >= coarse).all()
    settings.active = 0
    assert all(face.select for face in body.data.polygons)


@pytest.mark.parametrize("below", [False, True])
def test_a_modifier_that_changes_faces_is_named(scene, below):
    body = figure()
    if below:
        # With the default method, it divides faces in another way when they bend.
        body.modifiers.new("Innocent", "TRIANGULATE").quad_method = "FIXED"
    culprit = body.modifiers.new("Grower", "BUILD")
    culprit.frame_start, culprit.frame_duration = -10, 60
    if below:
        body.modifiers.new("Later", "WELD")
    before = scene.frame_current
    told = r"The faces of 'Body' change in frame \d+, by the modifier 'Grower'"
    with pytest.raises(RuntimeError, match=told):
        check()
    assert scene.frame_current == before
    assert all(modifier.show_viewport for modifier in body.modifiers)
    assert {armature.pose_position for armature in bpy.data.armatures} == {"POSE"}


def test_hidden_objects_are_named(scene):
    _, moving = two_boxes()
    collection = bpy.data.collections.new("Both")
    scene.collection.children.link(collection)
    for ob in list(scene.collection.objects):
        collection.objects.link(ob)
    moving.hide_set(True)
    settings = check(what="COLLECTION", collection=collection)
    assert not settings.episodes and "'Moving' is left out, as it is hidden" in settings.notes
    for ob in collection.objects:
        ob.hide_set(True)
    with pytest.raises(RuntimeError, match="There is no visible mesh in the collection 'Both'"):
        check()


def test_instances_are_checked(scene):
    """An empty makes an instance of a collection with the box that moves."""
    still, moving = two_boxes()
    collection = bpy.data.collections.new("Props")
    scene.collection.objects.unlink(moving)
    collection.objects.link(moving)
    empty = bpy.data.objects.new("Crowd", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    empty.location.x = 0.0
    scene.collection.objects.link(empty)
    empty.select_set(True)
    item = assert_only(check(), ["Crowd/Moving", "Still"], frames_of(-1.5, 1.5))
    settings = scene.osculate
    settings.active = 0
    assert empty.select_get() and still.select_get() and item.worst_frame == scene.frame_current


def test_linked_objects_are_checked_and_stay_as_they_are(scene, tmp_path):
    still, moving = two_boxes()
    path = str(tmp_path / "props.blend")
    bpy.data.libraries.write(path, {still})
    bpy.data.objects.remove(still)
    for mesh in list(bpy.data.meshes):
        if mesh.users == 0:
            bpy.data.meshes.remove(mesh)
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.objects = ["Still"]
    linked = here.objects[0]
    scene.collection.objects.link(linked)
    linked.select_set(True)
    settings = check()
    assert_only(settings, ["Moving", "Still"], frames_of(-1.5, 1.5))
    assert "'Still' gets no attributes, as it is linked" in settings.notes
    assert "osculate_overlap" in moving.data.attributes
    assert "osculate_overlap" not in linked.data.attributes
    settings.active = 0
    assert scene.frame_current == settings.episodes[0].worst_frame


def test_a_linked_character(scene, tmp_path):
    """Its armature is shown in its bind pose for a while, and nothing else is changed."""
    body = figure()
    path = str(tmp_path / "hero.blend")
    bpy.data.libraries.write(path, {body, body.parent})
    for ob in (body, body.parent):
        bpy.data.objects.remove(ob)
    for blocks in (bpy.data.meshes, bpy.data.armatures, bpy.data.actions):
        for block in list(blocks):
            blocks.remove(block)
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.objects = there.objects
    for ob in here.objects:
        scene.collection.objects.link(ob)
        ob.select_set(ob.type == "MESH")
    assert_only(check(), ["Trunk", "Arm"], conftest.frames_of_overlap())
    (armature,) = bpy.data.armatures
    assert armature.library is not None and armature.pose_position == "POSE"


def test_thickness_reports_what_comes_close(scene):
    still, moving = two_boxes()
    still.location.y = 1.6
    assert not check().episodes
    (item,) = check(thickness=0.2).episodes
    assert item.is_between and item.is_thick and [item.part_a, item.part_b] == ["Moving", "Still"]


def test_other_kinds_of_objects_are_named(scene):
    two_boxes()
    curve = bpy.data.objects.new("Rope", bpy.data.curves.new("Rope", "CURVE"))
    scene.collection.objects.link(curve)
    settings = check(what="VISIBLE")
    assert "'Rope' is left out, as it is not a mesh" in settings.notes and len(settings.episodes) == 1


def test_a_removed_object_is_no_crash(scene, module):
    _, moving = two_boxes()
    operators = module("operators")
    told = []
    fake = type("Fake", (), {"report": staticmethod(lambda kind, text: told.append(text))})()
    assert operators.begin(fake, bpy.context)
    operators.advance(fake, bpy.context, 0.0)
    bpy.data.objects.remove(moving)
    while fake.status == "RUNNING":
        operators.advance(fake, bpy.context, 0.01)
    assert operators.end(fake, bpy.context) == {"CANCELLED"}
    assert told == ["'Moving' was removed while it was checked"]
