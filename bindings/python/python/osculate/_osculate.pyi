"""
The names of the module.
"""

from _typeshed import SupportsGetItem
from numpy import float64, uint32
from numpy.typing import NDArray
from typing import Any, Final, SupportsFloat, SupportsIndex, final

__all__ = ["__version__", "baseline_head", "Mesh", "Model", "Skin", "World", "address", "check", "check_frames", "contacts_batch", "main", "many_check", "many_inputs", "many_record", "methods", "num_threads", "set_num_threads"]

__version__: Final[str]
"""
The version of the package.
"""

baseline_head: Final[str]
"""
How a baseline file starts.
"""

@final
class Mesh:
    """
    Triangles over vertices.
    """
    def __new__(cls, /, faces: NDArray[uint32], n: SupportsIndex) -> Mesh: ...
    def edges(self, /) -> NDArray[uint32]:
        """
        The edges.
        """
    def faces(self, /) -> NDArray[uint32]:
        """
        The triangles.
        """
    def n_vertices(self, /) -> int:
        """
        Number of vertices.
        """

@final
class Model:
    """
    A mesh with its hierarchy.
    """
    def __new__(cls, /, mesh: Mesh, rest: NDArray[float64], skin: Skin | None = None) -> Model: ...

@final
class Skin:
    """
    The bones and weights of each vertex.
    """
    def __new__(cls, /, rest: NDArray[float64], joints: NDArray[uint32], weights: NDArray[float64], n_bones: SupportsIndex) -> Skin:
        """
        `joints` and `weights` have a row for each vertex; entries with weight zero do not count.
        """
    def n_bones(self, /) -> int:
        """
        Number of bones.
        """
    def pose(self, /, bones: NDArray[float64]) -> NDArray[float64]:
        """
        The positions of all vertices at a pose of the bones.
        """

@final
class World:
    """
    Bodies with their poses.
    """
    def __new__(cls, /) -> World: ...
    def add(self, /, model: Model, pose: NDArray[float64], is_static: bool, self_contact: bool, groups: SupportsIndex, touches: SupportsIndex) -> int: ...
    def bodies(self, /) -> list[int]:
        """
        The numbers of the bodies.
        """
    def closest_points(self, /, body: SupportsIndex, points: NDArray[float64]) -> dict[str, NDArray[Any]]: ...
    def contacts(self, /, moves: SupportsGetItem[int, tuple[SupportsIndex, NDArray[float64]]], options: "dict[str, object]") -> tuple[dict[str, NDArray[Any]], int]: ...
    def crossings(self, /, options: "dict[str, object]") -> tuple[dict[str, NDArray[Any]], int]: ...
    def largest_free_step(self, /, moves: SupportsGetItem[int, tuple[SupportsIndex, NDArray[float64]]], options: "dict[str, object]") -> tuple[float, dict[str, NDArray[Any]]]: ...
    def proximities(self, /, radius: SupportsFloat | SupportsIndex, options: "dict[str, object]") -> tuple[dict[str, NDArray[Any]], int]: ...
    def ray_casts(self, /, body: SupportsIndex, start: NDArray[float64], end: NDArray[float64]) -> dict[str, NDArray[Any]]: ...
    def remove(self, /, body: SupportsIndex) -> None: ...
    def set_poses(self, /, moves: SupportsGetItem[int, tuple[SupportsIndex, NDArray[float64]]]) -> None: ...
    def signed_distances(self, /, body: SupportsIndex, points: NDArray[float64]) -> dict[str, NDArray[Any]]: ...
    def vertices(self, /, body: SupportsIndex) -> NDArray[float64]: ...

def address(pose: NDArray[float64]) -> int:
    """
    The address of the rows that queries read; for tests.
    """

def check(arguments: "list[str]") -> "tuple[bytes, list[str], list[str]]":
    """
    Check a clip with the arguments of `osculate check`; return the JSON report, notes, and the
    entry of each pair in a baseline file.
    """

def check_frames(given: "dict[str, object]", arguments: "list[str]", progress: "object") -> "tuple[tuple[bytes, list[str], list[str]], list[dict[str, NDArray[Any]]]]":
    """
    Check frames in memory with the arguments of `osculate check`; return what `check` does, and the
    places of episodes. `progress` is called with the number of frames that are done; if it raises
    an exception, the check ends with it.
    """

def contacts_batch(model: Model, sequence: NDArray[float64], options: "dict[str, object]") -> tuple[dict[str, NDArray[Any]], int]:
    """
    Contacts of all steps of a sequence of poses, `(k, n, 3)` or `(k, b, 3, 4)`.
    """

def main(arguments: SupportsGetItem[int, str]) -> int:
    """
    Runs the `osculate` command with these arguments, of which the first one is the name of the
    program, and returns its exit code. Messages go to standard output and standard error.

    Ctrl-C makes `check` end with partial reports and code 130; a second one, or one in any other
    subcommand, ends the process with that code at once.
    """

def many_check(arguments: "list[str]", path: "str") -> "list[tuple[str, str | None, str, str | None, int, float | None]]":
    """
    Check the clips of one input that are not in the data set, and put them there.
    """

def many_inputs(arguments: "list[str]") -> "list[str]":
    """
    Open the data set of `osculate check` with these arguments, which have `--many`; return the
    inputs, in order.
    """

def many_record(arguments: "list[str]", path: "str", problem: "str") -> "tuple[str, str | None, str, str | None, int, float | None]":
    """
    Put an error about an input into the data set, for one whose process died.
    """

def methods() -> "dict[str, tuple[str, dict[str, str]]]":
    """
    Return the methods: for each name, a line about it, and its options with a line about each.
    """

def num_threads() -> int:
    """
    Return the number of threads of queries.
    """

def set_num_threads(n: SupportsIndex) -> None:
    """
    Set the number of threads of queries that follow; 0 is one per processor, the default.

    Answers do not depend on it.
    """
