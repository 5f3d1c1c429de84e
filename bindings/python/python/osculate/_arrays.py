"""Arrays of users as C-contiguous arrays of numbers: borrowed where possible, never transposed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from osculate._errors import OsculateError

Floats: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.uint32]

#: Numbers that every f64 can hold exactly.
_EXACT = 2**53


def floats(
    given: npt.ArrayLike, shapes: Sequence[tuple[int | None, ...]], name: str, error: type[OsculateError]
) -> Floats:
    """Return the numbers as C-contiguous f64: the array itself if it is one, else a copy.

    ``None`` in a shape is any length. Numbers that f64 does not hold exactly are refused.
    """
    array = _array(given, name, error)
    if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
        raise error(f"{name} has dtype {array.dtype}; it must be of real numbers of at most 64 bits")
    _check_shape(array, shapes, name, error)
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        if max(int(array.max()), -int(array.min())) > _EXACT:
            raise error(f"{name} has integers beyond 2**53, which float64 does not hold exactly")
    return np.require(array, np.dtype("=f8"), ["C_CONTIGUOUS", "ALIGNED"])


def indices(
    given: npt.ArrayLike, shapes: Sequence[tuple[int | None, ...]], name: str, error: type[OsculateError]
) -> Indices:
    """Return indices as C-contiguous u32: the array itself if it is one, else a copy.

    Negative ones and those of 2**32 or more are refused, with their row as the element.
    """
    array = _array(given, name, error)
    if array.size == 0 and array.dtype.kind == "f" and not isinstance(given, np.ndarray):
        array = array.astype(np.uint32)  # An empty list has no type.
    if array.dtype.kind not in "iu":
        raise error(f"{name} has dtype {array.dtype}; it must be of integers")
    _check_shape(array, shapes, name, error)
    if array.dtype != np.uint32 and array.size:
        outside = (array < 0) | (array > np.iinfo(np.uint32).max)
        if outside.any():
            place = tuple(int(i[0]) for i in np.nonzero(outside))
            where = ", ".join(map(str, place))
            raise error(f"{name}[{where}] is {array[place]}; indices are not negative", place[0])
    return np.require(array, np.dtype("=u4"), ["C_CONTIGUOUS", "ALIGNED"])


def _words(shape: tuple[int | None, ...]) -> str:
    """A shape in words; of two lengths that may be any, the first one is k."""
    letters = iter("kn" if shape.count(None) == 2 else "n")
    return f"({', '.join(next(letters) if n is None else str(n) for n in shape)})"


def _array(given: npt.ArrayLike, name: str, error: type[OsculateError]) -> npt.NDArray[Any]:
    try:
        return np.asarray(given)
    except (ValueError, TypeError) as why:
        raise error(f"{name} is no array of numbers: {why}") from None


def _check_shape(
    array: npt.NDArray[Any],
    shapes: Sequence[tuple[int | None, ...]],
    name: str,
    error: type[OsculateError],
) -> None:
    for shape in shapes:
        if len(shape) == array.ndim and all(n in (None, m) for n, m in zip(shape, array.shape)):
            return
    words = " or ".join(map(_words, shapes))
    raise error(f"{name} has shape {array.shape} and dtype {array.dtype}; its shape must be {words}")
