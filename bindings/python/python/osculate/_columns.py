"""Tables: results as columns, which are numpy arrays of one length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[Any]
_Self = TypeVar("_Self", bound="Table")


class Table(Mapping[str, Column]):
    """Columns by name, which are also attributes.

    ``len(table)`` is the number of rows. ``table["lo"]`` and ``table.lo`` are a column; a slice, a
    mask or an array of row numbers gives the table of these rows.

    >>> table = Table({"a": np.array([1, 2, 3]), "b": np.array([[1.0, 2.0]] * 3)})
    >>> len(table), len(table[1:]), table[table.a > 2].b.tolist()
    (3, 2, [[1.0, 2.0]])
    """

    _columns: dict[str, Column]

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self._columns = dict(columns)

    def __len__(self) -> int:
        return next((len(column) for column in self._columns.values()), 0)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __getattr__(self, name: str) -> Column:
        try:
            return self.__dict__["_columns"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(f"there is no column {name!r}") from None

    def __getitem__(self: _Self, key: Any) -> Any:
        if isinstance(key, str):
            return self._columns[key]
        if isinstance(key, (int, np.integer)):
            return {name: column[key] for name, column in self._columns.items()}
        return self._of_rows(key)

    def _of_rows(self: _Self, rows: Any) -> _Self:
        part = object.__new__(type(self))
        part.__dict__.update(self.__dict__)
        part._columns = {name: column[rows] for name, column in self._columns.items()}
        return part

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rows: {', '.join(self)}>"

    def to_dict(self) -> dict[str, Column]:
        """Return the columns by name: the arrays themselves."""
        return dict(self._columns)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the table as an Arrow stream, for pyarrow, polars, pandas and DuckDB.

        Needs ``nanoarrow`` or ``pyarrow``. Columns of rows are lists of fixed size.
        """
        from osculate._arrow import stream

        return stream(self._columns, requested_schema)
