"""Exceptions."""

from __future__ import annotations


class OsculateError(ValueError):
    """Why input was refused. All exceptions of the package about its input are of this class."""

    #: The element that is wrong: the number of a triangle, vertex, bone or body, or the name of a
    #: file; ``None`` if there is no single one.
    element: int | str | None

    def __init__(self, message: str, element: int | str | None = None) -> None:
        super().__init__(message)
        self.element = element

    def __reduce__(self) -> tuple[type[OsculateError], tuple[str, int | str | None]]:
        return type(self), (str(self), self.element)


class MeshError(OsculateError):
    """A mesh or a skin has faults; the element is the first triangle or vertex with one."""


class PoseError(OsculateError):
    """A pose does not fit; the element is the first vertex, or the bone or body, with a fault."""


class FileError(OsculateError):
    """A file cannot be read or written; the element is its name."""


# The name by which users import them, also in tracebacks.
for _error in (OsculateError, MeshError, PoseError, FileError):
    _error.__module__ = "osculate"
