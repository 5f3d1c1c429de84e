# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel in the sidebar of 3-D views."""

import bpy

from .operators import is_running


class OSCULATE_UL_episodes(bpy.types.UIList):
    """The list of episodes, worst first."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flag=0):
        row = layout.row(align=True)
        row.label(text=item.name, icon="ERROR" if item.has_depth else "DOT")
        right = row.row()
        right.alignment = "RIGHT"
        right.label(text=words(context.scene, item))


def words(scene, item):
    """Return the depth and the frames of an episode."""
    if item.first_frame == item.last_frame:
        frames = f"{item.first_frame}"
    else:
        frames = f"{item.first_frame}–{item.last_frame}"
    if item.is_between:
        return f"closer  {frames}" if item.is_thick else f"between frames  {frames}"
    if item.has_depth and item.depth == 0:
        return f"touches  {frames}"
    unit = scene.unit_settings
    depth = bpy.utils.units.to_string(unit.system, "LENGTH", item.depth * unit.scale_length, precision=3)
    return f"{depth}  {frames}" if item.has_depth else f"{depth} wide  {frames}"


class OSCULATE_PT_panel(bpy.types.Panel):
    bl_idname = "OSCULATE_PT_panel"
    bl_label = "Osculate"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Osculate"

    def draw(self, context):
        layout, settings = self.layout, context.scene.osculate
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.enabled = not is_running()
        column.prop(settings, "what")
        if settings.what == "COLLECTION":
            column.prop(settings, "collection")
        column.prop(settings, "range")
        if settings.range == "CUSTOM":
            column.prop(settings, "first")
            column.prop(settings, "last")
        column.prop(settings, "baseline")
        column.prop(settings, "baseline_file")
        column.prop(settings, "thickness")
        row = column.row(heading="Write")
        row.prop(settings, "markers", toggle=True)
        row.prop(settings, "attributes", toggle=True)
        if not is_running():
            layout.operator("osculate.check", icon="VIEWZOOM")
        else:
            row = layout.row(align=True)
            row.progress(factor=settings.progress, text=settings.stage)
            row.operator("osculate.cancel", text="", icon="X")
        self.draw_results(layout, settings)

    def draw_results(self, layout, settings):
        if not settings.verdict:
            return
        box = layout.column(align=True)
        box.label(text=settings.verdict, icon="ERROR" if settings.episodes else "CHECKMARK")
        for note in settings.notes.split("\n") if settings.notes else ():
            box.label(text=note, icon="INFO")
        if settings.episodes:
            layout.template_list("OSCULATE_UL_episodes", "", settings, "episodes", settings, "active", rows=6)
            row = layout.row(align=True)
            row.operator("osculate.step", text="Previous", icon="TRIA_LEFT").by = -1
            row.operator("osculate.show", text="Show")
            row.operator("osculate.step", text="Next", icon="TRIA_RIGHT").by = 1
            row = layout.row(align=True)
            row.operator("osculate.accept", icon="CHECKMARK")
            row.prop(settings, "overlay", toggle=True)
        layout.operator("osculate.clear", icon="TRASH")


_CLASSES = (OSCULATE_UL_episodes, OSCULATE_PT_panel)


def register():
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
