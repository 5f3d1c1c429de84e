# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects are checked, and why others are left out."""

import dataclasses

from .errors import Refused


@dataclasses.dataclass
class Subjects:
    #: Names of mesh objects, and of objects that make instances, sorted.
    names: list
    #: A sentence for each object that is left out.
    notes: list


def chosen(scene, view_layer, settings):
    """Return the objects that the settings name. Fails if there is nothing to check."""
    if settings.what == "COLLECTION":
        if settings.collection is None:
            raise Refused("choose a collection to check")
        candidates = list(settings.collection.all_objects)
        where = f"the collection '{settings.collection.name}'"
    elif settings.what == "VISIBLE":
        candidates = [ob for ob in view_layer.objects if ob.visible_get(view_layer=view_layer)]
        where = "what is visible"
    else:
        candidates = [ob for ob in view_layer.objects if ob.select_get(view_layer=view_layer)]
        # A selected armature stands for the meshes that it moves, as in pose mode.
        armatures = [ob for ob in candidates if ob.type == "ARMATURE"]
        moved = [ob for ob in view_layer.objects if armature_of(ob) in armatures]
        candidates += [ob for ob in moved if ob not in candidates]
        where = "the selection"
    names, notes = [], []
    for ob in sorted(candidates, key=lambda ob: ob.name):
        makes_instances = ob.instance_type != "NONE"
        if ob.type != "MESH" and not makes_instances:
            if ob.type in {"CURVE", "SURFACE", "FONT", "META", "CURVES", "POINTCLOUD", "VOLUME"}:
                notes.append(f"'{ob.name}' is left out, as it is not a mesh")
        elif ob.name not in view_layer.objects or not ob.visible_get(view_layer=view_layer):
            notes.append(f"'{ob.name}' is left out, as it is hidden")
        elif ob.type == "MESH" and not ob.data.polygons and not ob.modifiers and not makes_instances:
            notes.append(f"'{ob.name}' is left out, as it has no faces")
        else:
            names.append(ob.name)
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise Refused(f"two objects have the name '{twice[0]}', as one is linked; rename the other")
    if not names:
        hidden = " (" + "; ".join(notes) + ")" if notes else ""
        raise Refused(f"there is no visible mesh in {where}{hidden}")
    return Subjects(names, notes)


def armature_of(ob):
    """Return the armature object that deforms a mesh object, or `None`."""
    if ob.type != "MESH":
        return None
    for modifier in ob.modifiers:
        if modifier.type == "ARMATURE" and modifier.object is not None and modifier.show_viewport:
            return modifier.object
    if ob.parent is not None and ob.parent.type == "ARMATURE" and ob.parent_type == "ARMATURE":
        return ob.parent
    return None
