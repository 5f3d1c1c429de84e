# SPDX-License-Identifier: GPL-3.0-or-later
"""What the last check has found: in the scene as far as it is saved, and for the session."""

import json
import uuid

import bpy

from . import attributes
from .modes import object_mode
from .settings import set_active

#: What was found, by the stamp of the check; not saved.
_found = {}

#: How many checks are kept for undo; each may take some megabytes.
_KEPT = 4


def of_scene(scene):
    """Return what the check has found whose list a scene has, or `None` if that was in another
    session. Undo may bring back the list of an earlier check.
    """
    return _found.get(scene.osculate.stamp)


def store(scene, view_layer, job):
    """Keep what a job has found: the list of episodes, markers and attributes."""
    with object_mode(view_layer):
        _store(scene, job)


def _store(scene, job):
    settings, found = scene.osculate, job.found
    _clear(scene)
    settings.stamp = uuid.uuid4().hex
    _found[settings.stamp] = found
    while len(_found) > _KEPT:
        _found.pop(next(iter(_found)))
    report = found.report
    problems = [
        number for number, episode in enumerate(report.episodes) if episode.status == "new"
    ]
    problems.sort(key=lambda number: -report.episodes[number].severity_share)
    for number in problems:
        add(settings.episodes.add(), report, number, found.first)
    known = [k for k, pair in enumerate(report.pairs) if pair.status != "new"]
    settings.known_entries = "".join(report.entries[k] for k in known)
    n_pairs = len(report.problems)
    if problems:
        settings.verdict = f"{_counted(len(problems), 'episode')} of {_counted(n_pairs, 'pair')} of parts"
    else:
        settings.verdict = "Nothing passes through anything"
    if known:
        settings.verdict += f"; {_counted(len(known), 'pair')} set aside"
    notes = job.notes + report.notes
    made = {}
    if settings.attributes:
        made["meshes"], more = attributes.write(found)
        notes += more
    if settings.markers:
        made["markers"] = mark(scene)
    settings.made = json.dumps(made)
    settings.notes = "\n".join(notes)


def add(item, report, number, first):
    """Fill an item of the list with an episode."""
    episode = report.episodes[number]
    item.name = " × ".join(episode.parts)
    item.part_a, item.part_b = episode.parts
    item.is_between = episode.first_frame is None
    item.is_thick = report.json["thickness"] > 0
    item.worst_frame = first + episode.worst_frame
    item.first_frame = first + (episode.worst_frame if item.is_between else episode.first_frame)
    item.last_frame = first + (episode.worst_frame if item.is_between else episode.last_frame)
    item.has_depth = episode.depth is not None
    item.depth = episode.depth if item.has_depth else episode.extent
    item.point, item.extent, item.number = episode.point, episode.extent, number
    item.entry = report.entries[episode.pair]


def mark(scene):
    """Add a timeline marker at each worst frame; return the names of the markers."""
    by_frame = {}
    for item in scene.osculate.episodes:
        by_frame.setdefault(item.worst_frame, []).append(item.name)
    names = []
    for frame, parts in sorted(by_frame.items()):
        more = f" +{len(parts) - 1}" if len(parts) > 1 else ""
        names.append(scene.timeline_markers.new(f"{parts[0]}{more}", frame=frame).name)
    return names


def clear(scene, view_layer):
    """Remove the list, and the markers and attributes of the last check."""
    with object_mode(view_layer):
        _clear(scene)


def _clear(scene):
    settings = scene.osculate
    settings.episodes.clear()
    set_active(settings, -1)
    settings.verdict = settings.notes = settings.known_entries = ""
    made = json.loads(settings.made)
    for name in made.get("markers", ()):
        marker = scene.timeline_markers.get(name)
        if marker is not None:
            scene.timeline_markers.remove(marker)
    attributes.remove(bpy.data.meshes.get((name, None)) for name in made.get("meshes", ()))
    settings.made = "{}"
    settings.stamp = ""


def _counted(n, what):
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
