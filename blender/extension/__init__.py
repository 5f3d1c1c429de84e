# SPDX-License-Identifier: GPL-3.0-or-later
"""Osculate in Blender: a panel that checks characters for overlaps of their parts.

`subjects` chooses objects, `meshes` and `skeleton` read them into arrays, `job` does so frame by
frame and has the package `osculate` check them; `results` keeps what was found, `attributes` and
`overlay` show it, `navigate` goes there; `operators` and `panel` are the interface.
"""

from . import operators, overlay, panel, settings

_MODULES = (settings, operators, panel, overlay)


def register():
    for module in _MODULES:
        module.register()


def unregister():
    for module in reversed(_MODULES):
        module.unregister()
