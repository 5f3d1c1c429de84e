"""The page about the package: its Python runs."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import numpy as np
import osculate

PAGE = (pathlib.Path(__file__).parents[3] / "docs" / "python.md").read_text()


def test_blocks_of_the_page_run() -> None:
    names: dict[str, Any] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(block, names)
    assert len(names["found"]) > len(names["on_faces"]) > 0 and 0.49 < names["free"] <= 0.5
    assert names["report"].problems[0].parts == ["LowerArm.L", "Hand.R"]


def test_the_table_for_users_of_ipc_toolkit() -> None:
    expressions = re.findall(r"\| `(world\.[a-z_]+\([^…`]*)` \|$", PAGE, re.MULTILINE)
    faces, rest = np.array([[0, 1, 2], [3, 4, 5]]), np.eye(3)
    v0 = np.concatenate([rest, rest + 0.25])
    v1 = np.concatenate([rest, rest - 0.25])
    world = osculate.World()
    body = world.add(osculate.Model(osculate.Mesh(faces, len(v0)), v0), v0)
    names = {"world": world, "body": body, "v1": v1, "dhat": 0.5}
    size, is_free, crosses, close, square = (eval(of, names) for of in expressions)
    assert 0.49 < size <= 0.5 and not is_free and not crosses
    # The planes of the triangles are sqrt(3) / 4 apart.
    assert len(close) > 0 and abs(square - 3 / 16) < 1e-9
