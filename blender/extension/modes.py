# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves edit mode for a while: there, evaluated meshes and attributes are not those of the mesh."""

import contextlib

import bpy


@contextlib.contextmanager
def object_mode(view_layer):
    """Leave edit mode, if the active object is in it, and enter it again at the end."""
    active = view_layer.objects.active
    was_editing = active is not None and active.mode == "EDIT"
    if was_editing:
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        if was_editing and view_layer.objects.active is not None:
            bpy.ops.object.mode_set(mode="EDIT")
