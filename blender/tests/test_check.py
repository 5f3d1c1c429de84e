# SPDX-License-Identifier: GPL-3.0-or-later
"""A rigged figure with a known overlap: what the operator finds, writes, and leaves as it was."""

import bpy
import numpy as np
import pytest

import conftest
from conftest import check, faces_of, figure


def state(scene):
    """What a check leaves as it was."""
    view_layer = bpy.context.view_layer
    return (
        scene.frame_current,
        scene.frame_subframe,
        bpy.context.mode,
        view_layer.objects.active.name,
        sorted(ob.name for ob in view_layer.objects if ob.select_get()),
        [armature.pose_position for armature in bpy.data.armatures],
        [bool(face.select) for mesh in bpy.data.meshes for face in mesh.polygons],
        [modifier.show_viewport for ob in scene.objects for modifier in ob.modifiers],
    )


def test_finds_the_overlap_in_its_frames_and_faces(scene, module):
    body = figure()
    before = state(scene)
    settings = check()
    assert state(scene) == before
    frames = conftest.frames_of_overlap()
    assert 3 < len(frames) < 29 and frames == list(range(frames[0], frames[-1] + 1))
    (item,) = settings.episodes
    assert sorted([item.part_a, item.part_b]) == ["Arm", "Trunk"]
    assert [item.first_frame, item.last_frame] == [frames[0], frames[-1]]
    assert item.worst_frame == 15
    assert item.has_depth and item.depth == pytest.approx(conftest.depth_at(15), abs=1e-5)
    faces = np.zeros(len(body.data.polygons), bool)
    body.data.attributes["osculate_overlap"].data.foreach_get("value", faces)
    depths = np.zeros(len(body.data.vertices), np.float32)
    body.data.attributes["osculate_depth"].data.foreach_get("value", depths)
    arm, _ = conftest.tube(*conftest.ARM, 16)
    posed = np.array([vertex.co for vertex in body.data.vertices], float)
    n_trunk = len(posed) - len(arm)
    posed[n_trunk:] = conftest.arm_vertices(posed[n_trunk:], 15)
    of_trunk = np.arange(len(posed)) < n_trunk
    inside = np.where(of_trunk, conftest.are_in_arm(posed, 15), conftest.are_in_trunk(posed))
    assert inside[of_trunk].any() and inside[~of_trunk].any()
    assert (depths > 0).tolist() == inside.tolist()
    # The side of the trunk that the arm passes through is the nearest one.
    deep = inside & ~of_trunk
    assert depths[deep] == pytest.approx(1.0 - posed[deep, 0], abs=1e-5)
    for face in body.data.polygons:
        if inside[list(face.vertices)].any():
            assert faces[face.index]
        elif face.vertices[0] >= n_trunk:
            # A face of the arm without a vertex in the trunk does not reach into it.
            assert not faces[face.index]
    assert [(marker.name, marker.frame) for marker in scene.timeline_markers] == [(item.name, 15)]


def test_going_to_an_episode(scene, module):
    body = figure(has_head=True)
    settings = check()
    (item,) = settings.episodes
    settings.active = 0
    assert scene.frame_current == 15
    involved = faces_of(body, {"Trunk", "Arm"})
    assert len(involved) < len(body.data.polygons)
    assert {face.index for face in body.data.polygons if face.select} == involved
    views = [area.spaces.active.region_3d for area in bpy.context.screen.areas if area.type == "VIEW_3D"]
    # What is enclosed is at least as wide as the arm, and the view sees all of it.
    assert 0.6 < item.extent < 3.0
    for view in views:
        assert np.allclose(view.view_location, item.point, atol=1e-6)
        assert view.view_distance == pytest.approx(4.0 * item.extent, rel=1e-5)
    assert views
    # With a second figure, whose parts stay as they are.
    other = figure(name="Twin", has_head=True)
    other.location.x = 0.0
    other.parent.location.x = 20.0
    settings = check(what="VISIBLE")
    assert len(settings.episodes) == 2
    for _ in range(2):
        assert bpy.ops.osculate.step(by=1) == {"FINISHED"}
        item = settings.episodes[settings.active]
        for ob in (body, other):
            of_parts = {face.index for face in ob.data.polygons if face.select}
            expected = faces_of(ob, {"Trunk", "Arm"}) if is_of(ob, item) else set()
            assert of_parts == expected
            assert ob.select_get() == is_of(ob, item)
    assert bpy.ops.osculate.step(by=-1) == {"FINISHED"} and settings.active == 0


def is_of(ob, item):
    return ("Twin" in item.part_a) == (ob.name == "Twin")


def test_cancelling_in_the_middle(scene, module):
    """The operator is continued as its timer does it, and cancelled while frames are read, and while
    they are checked."""
    figure(n=80)
    operators = module("operators")

    class Fake:
        """What an operator has; Blender makes real ones only with a window."""

        report = staticmethod(lambda kind, text: None)

    class Event:
        type = "TIMER"

    for stage, share in (("Reading", 0.0), ("Reading", 0.2), ("Checking", 0.5)):
        before = state(scene)
        fake = Fake()
        assert operators.begin(fake, bpy.context)
        while fake.job.stage != stage or fake.job.share <= share:
            assert fake.status == "RUNNING", (stage, share)
            operators.advance(fake, bpy.context, 0.0001)
        assert not bpy.ops.osculate.check.poll()
        assert bpy.ops.osculate.cancel() == {"FINISHED"}
        fake.timer = None
        removed = []
        window_manager = type("W", (), {"event_timer_remove": lambda self, timer: removed.append(timer)})()
        context = type("C", (), {"window_manager": window_manager, "screen": None, "scene": scene})()
        for _ in range(1000):
            result = operators.OSCULATE_OT_check.modal(fake, context, Event)
            if result != {"PASS_THROUGH"}:
                break
        assert result == {"CANCELLED"} and removed == [None]
        assert state(scene) == before
        assert not scene.osculate.episodes and bpy.ops.osculate.check.poll()
        assert not any(mesh.attributes.get("osculate_overlap") for mesh in bpy.data.meshes)
    assert len(check().episodes) == 1


class Window:
    """What a modal operator needs of a window; Blender has none here."""

    def __init__(self, scene):
        self.scene, self.view_layer = scene, bpy.context.view_layer
        self.window, self.screen = "window", None
        self.window_manager, self.calls = self, []

    def event_timer_add(self, seconds, window):
        self.calls.append(("timer", window))
        return "timer"

    def modal_handler_add(self, operator):
        self.calls.append(("handler", operator))

    def event_timer_remove(self, timer):
        self.calls.append(("removed", timer))


def invoked(module, scene):
    """An operator that was invoked, and a function that hands it an event by its type."""
    told = []
    fake = type("Fake", (), {"report": staticmethod(lambda kind, text: told.append(text))})()
    operator, window = module("operators").OSCULATE_OT_check, Window(scene)
    assert operator.invoke(fake, window, None) == {"RUNNING_MODAL"}
    assert window.calls == [("timer", "window"), ("handler", fake)]

    def hand(kind):
        result = operator.modal(fake, window, type("Event", (), {"type": kind}))
        assert (result <= {"FINISHED", "CANCELLED"}) == (window.calls[-1] == ("removed", "timer"))
        return result

    return fake, hand, told


def test_invoking_and_escape(scene, module, monkeypatch):
    # A frame for each event.
    monkeypatch.setattr(module("operators"), "_SLICE", 1e-6)
    figure(n=80)
    before = state(scene)
    fake, hand, told = invoked(module, scene)
    assert hand("MOUSEMOVE") == {"PASS_THROUGH"} and fake.job.share == 0.0
    while fake.job.share < 0.1:
        assert hand("TIMER") == {"PASS_THROUGH"}
    result = hand("ESC")
    while result & {"RUNNING_MODAL", "PASS_THROUGH"}:
        result = hand("TIMER")
    assert result == {"CANCELLED"} and told == ["The check was cancelled"]
    assert state(scene) == before and not scene.osculate.episodes
    # To its end.
    fake, hand, told = invoked(module, scene)
    while (result := hand("TIMER")) == {"PASS_THROUGH"}:
        pass
    assert result == {"FINISHED"} and told == [scene.osculate.verdict]
    assert len(scene.osculate.episodes) == 1 and scene.frame_current == before[0]


@pytest.mark.parametrize(("stage", "share"), [("Reading", 0.1), ("Checking", 0.5)])
def test_undo_ends_a_check(scene, module, stage, share, monkeypatch):
    """Undo replaces the scene and its objects, to which a check refers."""
    # A frame for each event.
    monkeypatch.setattr(module("operators"), "_SLICE", 1e-6)
    figure(n=80)
    bpy.ops.ed.undo_push(message="figure")
    scene.frame_set(9)
    bpy.ops.ed.undo_push(message="frame")
    fake, hand, told = invoked(module, scene)
    while fake.job.share < share or fake.job.stage != stage:
        assert hand("TIMER") == {"PASS_THROUGH"}
    assert (bpy.context.scene.frame_current == 9) == (stage == "Checking")
    assert bpy.ops.ed.undo() == {"FINISHED"}
    assert not module("operators").is_running() and fake.status == "CANCELLED"
    assert hand("TIMER") == {"CANCELLED"} and told == ["The check was cancelled"]
    assert bpy.context.scene.frame_current == 7
    assert [armature.pose_position for armature in bpy.data.armatures] == ["POSE"]
    assert len(check().episodes) == 1


def test_stages_yield_so_that_the_interface_stays_alive(scene, module):
    figure()
    fake = type("Fake", (), {"report": staticmethod(lambda kind, text: None)})()
    operators = module("operators")
    assert operators.begin(fake, bpy.context)
    shares = []
    for _ in fake.steps:
        shares.append(fake.job.share)
    assert shares == sorted(shares) and len(shares) > 30 and shares[-1] <= 1.0
    assert fake.job.found is not None
    operators.advance(fake, bpy.context, 1.0)
    assert fake.status == "DONE"


def test_edit_mode_is_left_and_entered_again(scene):
    figure()
    bpy.ops.object.mode_set(mode="EDIT")
    before = state(scene)
    assert len(check().episodes) == 1
    assert state(scene)[:5] == before[:5] and bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")


def test_pose_mode_and_a_selected_armature(scene):
    body = figure()
    body.select_set(False)
    body.parent.select_set(True)
    bpy.context.view_layer.objects.active = body.parent
    bpy.ops.object.mode_set(mode="POSE")
    before = state(scene)
    assert len(check().episodes) == 1
    assert state(scene) == before and bpy.context.mode == "POSE"
    bpy.ops.object.mode_set(mode="OBJECT")


def test_baselines(scene, tmp_path):
    figure()
    # In the first frame, the arm is in the trunk already.
    inside = conftest.frames_of_overlap()[0]
    settings = check(range="CUSTOM", first=inside, last=30, baseline="REST")
    assert len(settings.episodes) == 1
    path = tmp_path / "known.toml"
    settings.baseline_file = str(path)
    settings.active = 0
    entry = settings.episodes[0].entry
    assert bpy.ops.osculate.accept() == {"FINISHED"}
    assert settings.baseline == "FILE" and not settings.episodes
    import osculate

    assert path.read_text() == osculate.BASELINE_HEAD + entry
    assert not check().episodes and settings.verdict.startswith("Nothing")
    assert len(check(baseline="NONE").episodes) == 1
    settings.baseline, settings.baseline_file = "FILE", str(tmp_path / "missing.toml")
    with pytest.raises(RuntimeError, match="baseline file"):
        bpy.ops.osculate.check()


def test_clearing_removes_all_that_was_written(scene):
    body = figure()
    names = set(body.data.attributes.keys())
    check()
    assert set(body.data.attributes.keys()) - names == {"osculate_overlap", "osculate_depth"}
    bpy.ops.osculate.clear()
    assert set(body.data.attributes.keys()) == names
    assert not scene.timeline_markers and not scene.osculate.episodes


def test_a_list_of_another_session_is_still_a_list(scene, module, tmp_path):
    figure()
    check()
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    module("results")._found.clear()
    bpy.ops.wm.open_mainfile(filepath=path)
    scene = bpy.context.scene
    assert [item.name for item in scene.osculate.episodes] == ["Trunk × Arm"]
    assert module("results").of_scene(scene) is None and module("overlay").shown(scene) is None
    scene.osculate.active = 0
    assert scene.frame_current == 15
    assert len(check().episodes) == 1 and module("results").of_scene(scene) is not None
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module=conftest.MODULE)


def test_a_clean_scene(scene):
    figure()
    settings = check(range="CUSTOM", first=1, last=conftest.frames_of_overlap()[0] - 2)
    assert not settings.episodes and settings.verdict == "Nothing passes through anything"
