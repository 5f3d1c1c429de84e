# SPDX-License-Identifier: GPL-3.0-or-later
"""The faces of a mesh as arrays."""

import numpy as np


def topology(mesh):
    """Return the vertices of all corners of faces, and the first corner of each face."""
    corners = np.empty(len(mesh.loops), np.int32)
    starts = np.empty(len(mesh.polygons), np.int32)
    if len(corners):
        mesh.attributes[".corner_vert"].data.foreach_get("value", corners)
        mesh.polygons.foreach_get("loop_start", starts)
    return corners, starts
