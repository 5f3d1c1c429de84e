"""Exact collision detection for deforming triangle meshes."""

from osculate._osculate import __version__

__all__ = ["__version__"]
