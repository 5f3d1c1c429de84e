# SPDX-License-Identifier: GPL-3.0-or-later
"""Accepted episodes: a baseline file, the same that `osculate check --write-baseline` writes."""

import os

import bpy

from .errors import Refused
from .settings import set_active


def accept(scene, item):
    """Add the pair of an episode to the baseline file, and compare with that file from now on.

    A new file also gets what is set aside now, so that it stays so.
    """
    import osculate

    settings = scene.osculate
    path = bpy.path.abspath(settings.baseline_file)
    if not path:
        if not bpy.data.filepath:
            raise Refused("choose a baseline file, or save the scene first")
        path = os.path.splitext(bpy.data.filepath)[0] + ".baseline.toml"
        settings.baseline_file = path
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
    else:
        text = osculate.BASELINE_HEAD
    if settings.baseline != "FILE":
        text += "".join(entry for entry in entries(settings.known_entries) if entry not in text)
    if item.entry not in text:
        text += item.entry
    whole = path + ".part"
    with open(whole, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(whole, path)
    settings.baseline = "FILE"
    pair = (item.part_a, item.part_b)
    for k in reversed(range(len(settings.episodes))):
        other = settings.episodes[k]
        if (other.part_a, other.part_b) == pair:
            settings.episodes.remove(k)
    set_active(settings, min(settings.active, len(settings.episodes) - 1))
    return path


def entries(text):
    """Return the entries of a text of several."""
    return ["\n[[pair]]" + part for part in text.split("\n[[pair]]")[1:]]
