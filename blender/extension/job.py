# SPDX-License-Identifier: GPL-3.0-or-later
"""A check, in steps: frames are read one by one, then checked in another thread.

`Job.run` is a generator, which the modal operator continues from a timer, and the plain one at
once. Whatever happens, its end leaves the scene as it was: frame, mode, and pose of armatures.
"""

import os
import threading
import time

import bpy
import numpy as np
import osculate

from . import face_maps, meshes, skeleton
from .errors import Cancelled, Refused
from .modes import object_mode
from .subjects import armature_of, chosen


class Job:
    """A check of a scene with settings."""

    def __init__(self, context, settings):
        self.scene, self.view_layer = context.scene, context.view_layer
        self.settings = settings
        self.subjects = chosen(self.scene, self.view_layer, settings)
        self.first, self.last = frame_range(self.scene, settings)
        #: What is done now, and the part of all work that is done.
        self.stage, self.share = "Reading", 0.0
        #: What was found, at the end.
        self.found = None
        self.notes = list(self.subjects.notes)
        self._is_cancelled = False
        #: Seconds for reading frames and for checking them.
        self.seconds = [0.0, 0.0]

    def cancel(self):
        """End the check as soon as possible. To be called from any thread."""
        self._is_cancelled = True

    def run(self):
        """Do the work; yield often. Raises `Refused` or `Cancelled`."""
        state = _State(self.scene)
        start = time.perf_counter()
        with object_mode(self.view_layer):
            try:
                frames, rest = yield from self._read(state)
            finally:
                state.restore()
        self.seconds[0] = time.perf_counter() - start
        start = time.perf_counter()
        yield from self._check(frames, rest)
        self.seconds[1] = time.perf_counter() - start

    def _look(self):
        if self._is_cancelled:
            raise Cancelled

    def _read(self, state):
        """Read the bind pose and all frames."""
        scene, view_layer, names = self.scene, self.view_layer, self.subjects.names
        armatures = {armature_of(meshes.object_of(scene, name)) for name in names} - {None}
        state.rest(armatures)
        scene.frame_set(self.first)
        self.pieces = meshes.pieces(scene, view_layer, names)
        self.skeleton = skeleton.read(scene, view_layer, names, self.pieces)
        rest = meshes.read(scene, view_layer, names, self.pieces, self.first) if armatures else None
        state.unrest()
        yield
        self._look()
        self.face_maps = face_maps.of_pieces(scene, view_layer, self.pieces, self.first)
        n = self.last - self.first + 1
        n_vertices = self.pieces[-1].first_vertex + self.pieces[-1].n_vertices
        frames = np.empty((n, n_vertices, 3))
        for k in range(n):
            scene.frame_set(self.first + k)
            frames[k] = meshes.read(scene, view_layer, names, self.pieces, self.first)
            self.share = 0.5 * (k + 1) / n
            yield
            self._look()
        return frames, rest

    def _check(self, frames, rest):
        """Check what was read, in another thread."""
        self.stage = "Checking"
        outcome = {}

        def progress(n_done):
            self.share = 0.5 + 0.5 * n_done / len(frames)
            self._look()

        def work():
            try:
                outcome["report"] = check(self, frames, rest, progress)
            except BaseException as why:
                outcome["why"] = why

        thread = threading.Thread(target=work, name="osculate")
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.02)
                yield
        finally:
            self._is_cancelled |= thread.is_alive()
            thread.join()
        why = outcome.get("why")
        if isinstance(why, osculate.OsculateError):
            raise Refused(str(why)) from why
        if why is not None:
            raise why
        # Cancelled after the last frame.
        self._look()
        self.found = Found(self, outcome["report"], frames)


class Found:
    """What a check has found: the report, with what is needed to show it."""

    def __init__(self, job, report, frames):
        self.report = report
        self.first = job.first
        self.clip = report.clips[0].name
        self.pieces, self.face_maps = job.pieces, job.face_maps
        self.part_names = job.skeleton.names
        self.triangles, self.piece_of_vertex = meshes.triangles_of(job.pieces)
        bones = job.skeleton
        self.part_of_triangle = skeleton.part_of_triangles(self.triangles, bones.joints, bones.weights)
        #: The positions of the vertices around enclosed surface in the worst frame of each episode.
        self.points = [
            frames[episode.worst_frame][place.vertices]
            for episode, place in zip(report.episodes, report.places)
        ]


def check(job, frames, rest, progress):
    """Check frames with the settings of a job; return the report of the package."""
    settings, bones = job.settings, job.skeleton
    triangles, piece_of_vertex = meshes.triangles_of(job.pieces)
    return osculate.check_frames(
        triangles,
        frames,
        rest=rest,
        bones=osculate.Bones(bones.names, bones.parents, bones.heads, bones.joints, bones.weights),
        objects=[piece.name for piece in job.pieces],
        vertex_object=piece_of_vertex,
        name=name_of_clip(job),
        fps=job.scene.render.fps / job.scene.render.fps_base,
        progress=progress,
        baseline=baseline_of(settings),
        thickness=settings.thickness or None,
    )


def name_of_clip(job):
    """Return the name of the action that moves the armatures, if it is one; else of the scene."""
    actions = set()
    for name in job.subjects.names:
        armature = armature_of(meshes.object_of(job.scene, name))
        if armature is not None and armature.animation_data and armature.animation_data.action:
            actions.add(armature.animation_data.action.name)
    return actions.pop() if len(actions) == 1 else job.scene.name


def baseline_of(settings):
    """Return the option `--baseline` of the command."""
    if settings.baseline != "FILE":
        return {"REST": "rest", "FIRST": "first", "NONE": "none"}[settings.baseline]
    path = bpy.path.abspath(settings.baseline_file)
    if not path or not os.path.isfile(path):
        raise Refused("choose a baseline file that exists, or another baseline")
    return path


def frame_range(scene, settings):
    """Return the first and the last frame."""
    if settings.range == "CUSTOM":
        first, last = settings.first, settings.last
    elif scene.use_preview_range:
        first, last = scene.frame_preview_start, scene.frame_preview_end
    else:
        first, last = scene.frame_start, scene.frame_end
    if last < first:
        raise Refused(f"the last frame, {last}, comes before the first one, {first}")
    return first, last


class _State:
    """What reading changes in a scene, to be restored."""

    def __init__(self, scene):
        self.scene = scene
        self.frame, self.subframe = scene.frame_current, scene.frame_subframe
        self.positions = []

    def rest(self, armatures):
        """Show armatures in their bind pose."""
        for armature in armatures:
            key = (armature.data.name, armature.data.library and armature.data.library.filepath)
            self.positions.append((key, armature.data.pose_position))
            armature.data.pose_position = "REST"

    def unrest(self):
        """Show them as they were."""
        while self.positions:
            key, position = self.positions.pop()
            armature = bpy.data.armatures.get(key)
            if armature is not None:
                armature.pose_position = position

    def restore(self):
        self.unrest()
        self.scene.frame_set(self.frame, subframe=self.subframe)
