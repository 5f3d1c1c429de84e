"""Exact collision detection for deforming triangle meshes.

A :class:`Mesh` is checked once and becomes a :class:`Model`. A :class:`World` holds bodies, and
finds the contacts of a step and the crossings, proximities and distances at an instant.
:func:`check` reads an animation file and reports where parts pass through each other;
:func:`check_frames` does the same for a surface in memory.
"""

from osculate._check import BASELINE_HEAD, Clip, Episode, Pair, Report, check
from osculate._columns import Table
from osculate._errors import FileError, MeshError, OsculateError, PoseError
from osculate._frames import Bones, FramesReport, Place, check_frames
from osculate._many import Outcome, Summary, check_many
from osculate._osculate import __version__, methods, num_threads, set_num_threads
from osculate._results import Contacts, Crossings, Kind, Proximities, RayHits, Relation, SurfacePoints
from osculate._world import Mesh, Model, Skin, World, contacts_batch

__all__ = [
    "BASELINE_HEAD",
    "Bones",
    "Clip",
    "Contacts",
    "Crossings",
    "Episode",
    "FileError",
    "FramesReport",
    "Kind",
    "Mesh",
    "MeshError",
    "Model",
    "OsculateError",
    "Outcome",
    "Pair",
    "Place",
    "PoseError",
    "Proximities",
    "RayHits",
    "Relation",
    "Report",
    "Skin",
    "Summary",
    "SurfacePoints",
    "Table",
    "World",
    "__version__",
    "check",
    "check_frames",
    "check_many",
    "contacts_batch",
    "methods",
    "num_threads",
    "set_num_threads",
]
