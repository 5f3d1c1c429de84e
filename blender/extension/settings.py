# SPDX-License-Identifier: GPL-3.0-or-later
"""What users set, and the list of episodes; both are saved with the scene."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)


#: Whether the active episode is set without going there.
_is_quiet = False


def _on_active(group, context):
    from . import navigate

    if not _is_quiet and group.id_data == context.scene:
        navigate.show_active(context)


def set_active(settings, number):
    """Make an episode the active one, and stay where the user is."""
    global _is_quiet
    _is_quiet = True
    try:
        settings.active = number
    finally:
        _is_quiet = False


class OSCULATE_PG_episode(bpy.types.PropertyGroup):
    """Two parts that overlap in a run of frames."""

    part_a: StringProperty()
    part_b: StringProperty()
    first_frame: IntProperty()
    last_frame: IntProperty()
    worst_frame: IntProperty()
    depth: FloatProperty()
    #: Whether `depth` is a depth; else the parts cross without enclosing anything, or in no frame.
    has_depth: BoolProperty()
    #: Whether the parts cross in no frame: they meet between frames, or come closer than a thickness.
    is_between: BoolProperty()
    is_thick: BoolProperty()
    point: FloatVectorProperty(size=3)
    extent: FloatProperty()
    #: Number of the episode in the report that this run of Blender made.
    number: IntProperty()
    #: What a baseline file says of its pair.
    entry: StringProperty()


class OSCULATE_PG_settings(bpy.types.PropertyGroup):
    what: EnumProperty(
        name="Check",
        items=[
            ("SELECTED", "Selected", "Selected meshes, and those that selected armatures move"),
            ("COLLECTION", "Collection", "The meshes of a collection"),
            ("VISIBLE", "Visible", "All visible meshes"),
        ],
        default="SELECTED",
    )
    collection: PointerProperty(type=bpy.types.Collection, name="Collection")
    range: EnumProperty(
        name="Frames",
        items=[
            ("SCENE", "Scene", "The frames of the scene, or of its preview range"),
            ("CUSTOM", "Custom", "The frames given here"),
        ],
        default="SCENE",
    )
    first: IntProperty(name="First", default=1)
    last: IntProperty(name="Last", default=250)
    baseline: EnumProperty(
        name="Set Aside",
        description="Overlaps that are no problems",
        items=[
            ("REST", "Bind Pose", "What overlaps in the bind pose of the armatures, too"),
            ("FIRST", "First Frame", "What overlaps in the first frame, too"),
            ("FILE", "File", "What a baseline file has"),
            ("NONE", "Nothing", "Every overlap is a problem"),
        ],
        default="REST",
    )
    baseline_file: StringProperty(name="Baseline", subtype="FILE_PATH", default="")
    thickness: FloatProperty(
        name="Thickness",
        description="Also report parts that come closer than this between two frames",
        default=0.0,
        min=0.0,
        unit="LENGTH",
    )
    markers: BoolProperty(name="Markers", description="Mark worst frames in the timeline", default=True)
    attributes: BoolProperty(
        name="Attributes",
        description="Write attributes of faces that overlap, and of depths, into the meshes",
        default=True,
    )
    overlay: BoolProperty(
        name="Overlay", description="Draw the overlap of the selected episode", default=True
    )
    episodes: CollectionProperty(type=OSCULATE_PG_episode)
    active: IntProperty(update=_on_active, default=-1)
    #: The last check: a line about it, notes, and the entries of pairs that are set aside.
    verdict: StringProperty()
    notes: StringProperty()
    known_entries: StringProperty()
    #: Which check the list is of.
    stamp: StringProperty()
    #: Names of attributes and markers that were made, as JSON, so that they can be removed.
    made: StringProperty(default="{}")
    #: Of the check that is running.
    progress: FloatProperty(min=0.0, max=1.0)
    stage: StringProperty()


_CLASSES = (OSCULATE_PG_episode, OSCULATE_PG_settings)


def register():
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.osculate = PointerProperty(type=OSCULATE_PG_settings)


def unregister():
    del bpy.types.Scene.osculate
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
