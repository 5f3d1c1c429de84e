# SPDX-License-Identifier: GPL-3.0-or-later
"""Which modifier makes the faces of an object change from frame to frame."""

from .topology import topology

#: Modifiers that never change the number or the order of faces.
_KEEPS_FACES = {
    "ARMATURE", "CAST", "CLOTH", "COLLISION", "CORRECTIVE_SMOOTH", "CURVE", "DATA_TRANSFER", "DISPLACE",
    "HOOK", "LAPLACIANDEFORM", "LAPLACIANSMOOTH", "LATTICE", "MESH_CACHE", "MESH_DEFORM",
    "NORMAL_EDIT", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH", "SOFT_BODY", "SURFACE_DEFORM", "UV_PROJECT",
    "UV_WARP", "VERTEX_WEIGHT_EDIT", "VERTEX_WEIGHT_MIX", "VERTEX_WEIGHT_PROXIMITY", "WARP", "WAVE",
    "WEIGHTED_NORMAL",
}


def name_of_culprit(scene, view_layer, piece, first):
    """Return words that name the modifier by which the faces differ between the current frame and
    the frame `first`: the one without which, and without those below it, they do not.

    Modifiers are hidden from the last one up, and shown again at the end.
    """
    ob = piece.object
    if ob is None or ob.type != "MESH":
        return "what makes its instances"
    suspects = [one for one in ob.modifiers if one.show_viewport and one.type not in _KEEPS_FACES]
    if not suspects:
        return "its own data"
    here = scene.frame_current
    hidden = []
    try:
        for modifier in reversed(suspects):
            modifier.show_viewport = False
            hidden.append(modifier)
            faces = []
            for frame in (first, here):
                scene.frame_set(frame)
                mesh = ob.evaluated_get(view_layer.depsgraph).data
                faces.append((len(mesh.vertices), [part.tobytes() for part in topology(mesh)]))
            if faces[0] == faces[1]:
                return _words(modifier)
    except (AttributeError, RuntimeError):
        # Linked objects may not be changed.
        return " or ".join(_words(one) for one in suspects)
    finally:
        for modifier in hidden:
            modifier.show_viewport = True
        scene.frame_set(here)
    return "its own data"


def _words(modifier):
    return f"the modifier '{modifier.name}' ({modifier.type.replace('_', ' ').title()})"
