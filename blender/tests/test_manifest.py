# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own check of the file of an extension, as its extension platform runs it."""

import os
import pathlib
import subprocess
import sys

import bpy


def test_blender_accepts_the_file():
    scripts = pathlib.Path(bpy.utils.system_resource("SCRIPTS"))
    command = scripts / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
    validate = [sys.executable, command, "validate", os.environ["OSCULATE_EXTENSION"]]
    done = subprocess.run(validate, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
