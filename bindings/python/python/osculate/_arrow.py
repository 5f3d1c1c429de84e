"""Columns as an Arrow stream, by pyarrow or nanoarrow, whichever is installed."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt


def stream(columns: dict[str, npt.NDArray[Any]], requested_schema: object | None) -> object:
    """Return a PyCapsule with an ArrowArrayStream of one batch."""
    for name, make in (("pyarrow", _by_pyarrow), ("nanoarrow", _by_nanoarrow)):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        return make(module, columns).__arrow_c_stream__(requested_schema)
    raise ImportError("Arrow needs nanoarrow or pyarrow: pip install 'osculate[arrow]'")


def _flat(column: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    """The numbers of a column in order, and how many are in a row."""
    per_row = int(np.prod(column.shape[1:], dtype=np.int64)) if column.ndim > 1 else 0
    return np.ascontiguousarray(column).reshape(-1), per_row


def _by_pyarrow(pa: Any, columns: dict[str, npt.NDArray[Any]]) -> Any:
    def array(column: npt.NDArray[Any]) -> Any:
        flat, per_row = _flat(column)
        items = pa.array(flat.tolist() if flat.dtype.kind in "OU" else flat)
        return pa.FixedSizeListArray.from_arrays(items, per_row) if per_row else items

    return pa.table({name: array(column) for name, column in columns.items()})


def _by_nanoarrow(na: Any, columns: dict[str, npt.NDArray[Any]]) -> Any:
    types = {"f8": na.float64, "u4": na.uint32, "u1": na.uint8, "i8": na.int64}

    def child(column: npt.NDArray[Any]) -> Any:
        flat, per_row = _flat(column)
        kind = flat.dtype.str[1:]
        if kind in types:
            items = na.c_array_from_buffers(types[kind](), len(flat), [None, flat])
        elif flat.dtype.kind == "U":
            items = na.c_array(flat.tolist(), na.string())
        elif flat.dtype.kind == "b":
            items = na.c_array(flat.tolist(), na.bool_())
        else:
            raise TypeError(f"nanoarrow does not take columns of {flat.dtype}; pyarrow may")
        if not per_row:
            return items
        of_rows = na.fixed_size_list(na.Schema(items.schema), per_row)
        return na.c_array_from_buffers(of_rows, len(column), [None], children=[items])

    children = {name: child(column) for name, column in columns.items()}
    schema = na.struct({name: na.Schema(array.schema) for name, array in children.items()})
    n_rows = len(next(iter(columns.values()), ()))
    rows = na.c_array_from_buffers(schema, n_rows, [None], children=list(children.values()))
    return na.ArrayStream(rows)
