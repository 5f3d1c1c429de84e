"""The time of a check in Blender, as a share of what it consists of.

A character of 27,000 triangles moves for 100 frames. Its check by the extension is compared with
`osculate check` on the exported GLB file, plus Blender's own evaluation of the frames. Times are
those of processors, with what other threads took, of interleaved rounds.

usage: speed.py OSCULATE EXTENSION FOLDER
"""

import importlib
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import bpy

import exchange

N_FRAMES = 100
ROUNDS = 3


def in_blender(job):
    """Processor seconds of a check by the extension, and its report."""
    start = time.process_time()
    made = job.Job(bpy.context, bpy.context.scene.osculate)
    for _ in made.run():
        pass
    return time.process_time() - start, made.found.report


def evaluation():
    """Processor seconds of Blender for all frames, without anything else."""
    start = time.process_time()
    for frame in range(1, N_FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        bpy.context.evaluated_depsgraph_get()
    return time.process_time() - start


def of_file(osculate, path):
    """Processor seconds of the command on a file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([osculate, "check", path, "--fps", str(exchange.FPS)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    osculate, extension, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    assert os.environ.get("BLENDER_USER_RESOURCES"), "the user's own Blender is not touched"
    exchange.N_FRAMES = N_FRAMES
    body, *others = exchange.figure(n_rings=225, n_sides=60)
    for other in others:
        bpy.data.objects.remove(other)
    bpy.ops.extensions.package_install_files(filepath=extension, repo="user_default", enable_on_install=True)
    job = importlib.import_module("bl_ext.user_default.osculate.job")
    bpy.context.scene.osculate.what = "VISIBLE"
    path = folder / "speed.glb"
    bpy.ops.export_scene.gltf(
        filepath=str(path), export_animation_mode="SCENE", export_force_sampling=True, export_anim_slide_to_zero=True
    )
    print(f"{len(body.data.polygons)} triangles, {N_FRAMES} frames; processor seconds:")
    for _ in range(ROUNDS):
        (here, report), own, there = in_blender(job), evaluation(), of_file(osculate, path)
        share = here / (own + there)
        print(f"in Blender {here:.2f}, Blender alone {own:.2f}, the file {there:.2f}: {share:.2f} times the sum")
        print(f"  {len(report.episodes)} episodes")


if __name__ == "__main__":
    main()
