# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators of the panel."""

import time

import bpy

from . import baseline, navigate, results
from .errors import Cancelled, Refused
from .job import Job

#: Seconds that reading may take between two looks at events.
_SLICE = 0.05

#: The operator that is running, if there is one: only one at a time, in any scene.
_running = []


def is_running():
    """Whether a check is running."""
    return bool(_running)


class OSCULATE_OT_check(bpy.types.Operator):
    """Find the frames and places where parts pass through each other"""

    bl_idname = "osculate.check"
    bl_label = "Check"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.scene is not None and not is_running()

    def execute(self, context):
        """Check at once; the interface waits."""
        if not begin(self, context):
            return {"CANCELLED"}
        while self.status == "RUNNING":
            advance(self, context, float("inf"))
        return end(self, context)

    def invoke(self, context, event):
        """Check from a timer; the interface stays alive, and Escape ends it."""
        if not begin(self, context):
            return {"CANCELLED"}
        self.timer = context.window_manager.event_timer_add(0.02, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self.job.cancel()
        elif event.type != "TIMER":
            return {"PASS_THROUGH"}
        # Undo may have ended it.
        if self.status == "RUNNING":
            advance(self, context, _SLICE)
        if self.status == "RUNNING":
            return {"RUNNING_MODAL"} if event.type == "ESC" else {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self.timer)
        return end(self, context)

    def cancel(self, context):
        """Blender ends the operator, for example as it quits."""
        stop()


@bpy.app.handlers.persistent
def stop(*_):
    """End the check that is running, if there is one, and leave the scene as it was. Called before
    undo, redo and another file replace the data that the check refers to.
    """
    for one in _running:
        one.job.cancel()
        one.steps.close()
        one.status = "CANCELLED"
    _running.clear()


def begin(self, context):
    """Prepare a check; return whether there is something to do."""
    self.scene, self.status, self.why = context.scene, "RUNNING", ""
    try:
        self.job = Job(context, context.scene.osculate)
    except Refused as why:
        self.report({"ERROR"}, _sentence(why))
        return False
    self.steps = self.job.run()
    self.scene.osculate.progress = 0.0
    _running.append(self)
    return True


def advance(self, context, seconds):
    """Continue for some time."""
    settings = self.scene.osculate
    until = time.perf_counter() + seconds
    try:
        while time.perf_counter() < until:
            next(self.steps)
            if self.job.stage == "Checking":
                break
    except StopIteration:
        self.status = "DONE"
    except Cancelled:
        self.status = "CANCELLED"
    except Refused as why:
        self.status, self.why = "REFUSED", _sentence(why)
    except BaseException:
        self.status = "FAILED"
        _running.clear()
        raise
    if self.status != "RUNNING":
        _running.clear()
    settings.progress = self.job.share
    if settings.stage != "Cancelling" or self.status != "RUNNING":
        settings.stage = self.job.stage
    for area in context.screen.areas if context.screen is not None else ():
        if area.type == "VIEW_3D":
            area.tag_redraw()


def end(self, context):
    """Keep or tell what came out."""
    if self.status == "DONE":
        results.store(self.scene, context.view_layer, self.job)
        settings = self.scene.osculate
        self.report({"WARNING" if settings.episodes else "INFO"}, settings.verdict)
        return {"FINISHED"}
    if self.status == "REFUSED":
        self.report({"ERROR"}, self.why)
    else:
        self.report({"INFO"}, "The check was cancelled")
    return {"CANCELLED"}


def _sentence(why):
    text = str(why)
    return text[:1].upper() + text[1:]


class OSCULATE_OT_cancel(bpy.types.Operator):
    """End the check that is running"""

    bl_idname = "osculate.cancel"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, context):
        return is_running()

    def execute(self, context):
        for one in _running:
            one.job.cancel()
            one.scene.osculate.stage = "Cancelling"
        return {"FINISHED"}


class OSCULATE_OT_step(bpy.types.Operator):
    """Go to the next or the previous episode"""

    bl_idname = "osculate.step"
    bl_label = "Next Episode"
    bl_options = {"REGISTER", "UNDO"}
    by: bpy.props.IntProperty(default=1)

    @classmethod
    def poll(cls, context):
        return context.scene is not None and len(context.scene.osculate.episodes) > 0

    def execute(self, context):
        navigate.step(context, self.by)
        return {"FINISHED"}


class OSCULATE_OT_show(bpy.types.Operator):
    """Go to the worst frame of the episode, and select its parts"""

    bl_idname = "osculate.show"
    bl_label = "Show"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.scene is not None and context.scene.osculate.active >= 0

    def execute(self, context):
        navigate.show_active(context)
        return {"FINISHED"}


class OSCULATE_OT_accept(bpy.types.Operator):
    """Set the parts of the episode aside from now on, in the baseline file"""

    bl_idname = "osculate.accept"
    bl_label = "Accept"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.scene is not None and context.scene.osculate.active >= 0

    def execute(self, context):
        settings = context.scene.osculate
        try:
            path = baseline.accept(context.scene, settings.episodes[settings.active])
        except (Refused, OSError) as why:
            self.report({"ERROR"}, _sentence(why))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Written to {path}")
        return {"FINISHED"}


class OSCULATE_OT_clear(bpy.types.Operator):
    """Remove the list, the markers and the attributes"""

    bl_idname = "osculate.clear"
    bl_label = "Clear"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        results.clear(context.scene, context.view_layer)
        return {"FINISHED"}


_CLASSES = (
    OSCULATE_OT_check,
    OSCULATE_OT_cancel,
    OSCULATE_OT_step,
    OSCULATE_OT_show,
    OSCULATE_OT_accept,
    OSCULATE_OT_clear,
)


def _handlers():
    """The lists of what Blender calls before it replaces data."""
    handlers = bpy.app.handlers
    return (handlers.undo_pre, handlers.redo_pre, handlers.load_pre)


def register():
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    for handlers in _handlers():
        handlers.append(stop)


def unregister():
    stop()
    for handlers in _handlers():
        handlers.remove(stop)
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
