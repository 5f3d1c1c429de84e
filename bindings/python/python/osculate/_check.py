"""``osculate.check``: the report of the command as objects and tables."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from osculate import _osculate
from osculate._columns import Table
from osculate._errors import OsculateError

_T = TypeVar("_T")

#: How a baseline file starts.
BASELINE_HEAD: str = _osculate.baseline_head


@dataclasses.dataclass(frozen=True)
class Episode:
    """Two parts that overlap in a run of frames; members as in the JSON report."""

    pair: int
    clip: int
    parts: list[str]
    status: str
    first_frame: int | None
    last_frame: int | None
    enter: float
    leave: float
    enter_seconds: float
    leave_seconds: float
    worst_frame: int
    depth: float | None
    depth_share: float | None
    severity_share: float
    area: float | None
    length: float
    extent: float
    crossings: int
    point: list[float]


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two parts that overlap in a clip; ``frames`` are the runs of frames, ``episodes`` a range."""

    clip: int
    parts: list[str]
    status: str
    frames: list[list[int]]
    worst_frame: int
    depth: float | None
    depth_share: float | None
    severity_share: float
    area: float | None
    length: float
    extent: float
    crossings: int
    point: list[float]
    episodes: list[int]


@dataclasses.dataclass(frozen=True)
class Clip:
    """A clip that was checked."""

    file: int
    name: str
    fps: float
    first_frame: int
    last_frame: int
    overlapping_frames: int
    problems: int
    known: int
    ignored: int
    worst_depth: float | None
    worst_share: float | None
    crossings: int | None = None
    contacts: int | None = None


@dataclasses.dataclass(frozen=True, repr=False)
class Report:
    """What ``osculate check`` found. Members are named as in the JSON report, which is ``json``."""

    json: dict[str, Any]
    notes: list[str]
    clips: list[Clip]
    pairs: list[Pair]
    episodes: list[Episode]
    #: For each pair, its entry in a baseline file.
    entries: list[str]

    def __repr__(self) -> str:
        counts = {"clips": len(self.clips), "episodes": len(self.episodes), "problems": len(self.problems)}
        words = ", ".join(f"{name} {count}" for name, count in counts.items())
        return f"<{type(self).__name__}: {words}>"

    @property
    def problems(self) -> list[Pair]:
        """The pairs that are problems, worst first."""
        return [pair for pair in self.pairs if pair.status == "new"]

    @property
    def totals(self) -> dict[str, int]:
        """Counts of clips, frames, problems and episodes."""
        totals: dict[str, int] = self.json["totals"]
        return totals

    @property
    def partial(self) -> bool:
        """Whether the check was interrupted."""
        return bool(self.json["partial"])

    def baseline(self, pairs: Iterable[Pair] | None = None) -> str:
        """Return a baseline file that sets some pairs aside, by default all of them: what
        ``write_baseline="F"`` writes, and ``baseline="F"`` reads.
        """
        wanted = self.pairs if pairs is None else list(pairs)
        return BASELINE_HEAD + "".join(self.entries[self.pairs.index(pair)] for pair in wanted)

    def table(self, name: str) -> Table:
        """Return ``"clips"``, ``"pairs"``, ``"episodes"`` or, with ``contacts=True``,
        ``"contacts"`` or ``"crossings"`` as columns. Numbers that do not exist are NaN.
        """
        if name in ("clips", "pairs", "episodes"):
            return _table(self.json[name])
        if name not in ("contacts", "crossings"):
            raise OsculateError(f"there is no table {name!r}; there are clips, pairs, episodes, contacts, crossings")
        if "frames" not in self.json:
            raise OsculateError(f"there are no {name} in the report; check(…, contacts=True) lists them")
        rows = [
            {"clip": frame["clip"], "frame": frame["frame"], **_row(found)}
            for frame in self.json["frames"]
            for found in frame[name]
        ]
        return _table(rows)


def _row(found: dict[str, Any]) -> dict[str, Any]:
    """A contact or crossing with the vertices of its features in one list of four."""
    if "a" not in found:
        return found
    rest = {name: value for name, value in found.items() if name not in ("a", "b")}
    return {"vertices": found["a"] + found["b"], **rest}


def _table(rows: list[dict[str, Any]]) -> Table:
    names = dict.fromkeys(name for row in rows for name in row)
    return Table({name: _column([row.get(name) for row in rows]) for name in names})


def _column(values: list[Any]) -> np.ndarray[Any, Any]:
    if any(isinstance(value, list) for value in values):
        if all(isinstance(value, list) for value in values):
            same = len({len(value) for value in values}) == 1
            is_flat = all(isinstance(item, (int, float, str)) for value in values for item in value)
            if same and is_flat:
                return np.array(values)
        column = np.empty(len(values), dtype=object)
        column[:] = values
        return column
    if any(value is None for value in values) and not any(isinstance(value, str) for value in values):
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return np.array(values)


def check(path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (), **options: Any) -> Report:
    """Check animation files as ``osculate check`` does, and return the report. Prints nothing.

    Options have the names of the command, with underscores: ``check("hero.glb", clip="Run",
    frames="10..20", contacts=True, ignore=["Arm*:Hand*"])``. ``True`` gives a flag, a list gives an
    option several times, ``None`` and ``False`` leave it out. Without a path, the built-in scene
    ``figure`` is checked.

    >>> report = check(frames="44..46")
    >>> report.problems[0].parts
    ['LowerArm.L', 'Hand.R']
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    arguments = [*arguments_of(options), "--", *(os.fspath(one) for one in paths)]
    return Report(**members_of(_osculate.check(arguments)))


def members_of(answer: tuple[bytes, list[str], list[str]]) -> dict[str, Any]:
    """The members of a report, of what the extension returns."""
    text, notes, entries = answer
    content = json.loads(text)
    return {
        "json": content,
        "notes": notes,
        "clips": [_of(Clip, row) for row in content["clips"]],
        "pairs": [_of(Pair, row) for row in content["pairs"]],
        "episodes": [_of(Episode, row) for row in content["episodes"]],
        "entries": entries,
    }


def arguments_of(options: dict[str, Any]) -> list[str]:
    """Options of the command, given as keywords, as its arguments."""
    arguments = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None or one is False:
                continue
            arguments.append(option if one is True else f"{option}={_text(one)}")
    return arguments


def _text(value: Any) -> str:
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _of(kind: type[_T], row: dict[str, Any]) -> _T:
    names = {field.name for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in row.items() if name in names})
