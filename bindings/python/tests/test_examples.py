"""The examples run, and do what they say."""

from __future__ import annotations

import importlib.util
import pathlib
import sys
import types

import numpy as np
import osculate
import pytest
from test_many import library

FOLDER = pathlib.Path(__file__).parents[1] / "examples"


def example(name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    # Its data classes look for their module.
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
    return module


def test_the_cloth_lies_on_the_ball() -> None:
    cloth = example("cloth").main(["--steps", "40"])
    assert cloth.n_contacts > 1000 and len(cloth.world.crossings()) == 0
    # Its middle is held by the ball of radius 0.5, its rim falls.
    assert 0.5 <= cloth.pose[:, 2].max() < 0.6 and cloth.pose[:, 2].min() < 0.4


def test_the_cloth_would_fall_through_without_contacts(monkeypatch: pytest.MonkeyPatch) -> None:
    module = example("cloth")
    nothing = osculate.Contacts({"lo": np.empty(0)})
    cloth = module.Cloth.above_a_ball(24)
    for _ in range(40):
        monkeypatch.setattr(cloth.world, "contacts", lambda *_, **__: nothing)
        monkeypatch.setattr(cloth.world, "largest_free_step", lambda *_, **__: (1.0, nothing))
        cloth.step()
    assert len(cloth.world.crossings()) > 0


def test_the_picture(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "cloth.png"
    example("cloth").main(["--steps", "1", "--picture", str(path)])
    assert path.read_bytes().startswith(b"\x89PNG")


def test_the_arm_touches_itself_as_it_bends(capsys: pytest.CaptureFixture[str]) -> None:
    module = example("character")
    angle = module.of_arm()
    assert 0 < angle < module.BEND
    model = module.arm()
    world = osculate.World()
    body = world.add(model, module.bend(0))
    poses = [degrees for degrees in np.linspace(0, module.BEND, module.N_POSES) if degrees < angle]
    for degrees in poses:
        world.set_pose(body, module.bend(degrees))
        assert len(world.crossings()) == 0
    world.set_pose(body, module.bend(module.BEND))
    assert f"{len(world.crossings())} pairs" in capsys.readouterr().out


def test_the_character_of_a_file(data: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = min(data.rglob("*.glb"), key=lambda path: path.stat().st_size, default=None)
    if path is None:
        pytest.skip("there is no .glb file")
    report = example("character").of_file(str(path))
    assert capsys.readouterr().out.endswith(f"{len(report.problems)} problems\n")


def test_the_batch_finds_the_same_contacts_each_time() -> None:
    first, second = example("batch").main(["--cells", "30", "--poses", "20", "--rounds", "2"])
    assert first == second > 0


def test_the_overhead_is_measured() -> None:
    times = example("overhead").main(["--calls", "50", "--rounds", "3"])
    assert len(times) == 4 and all(0 < time < 1000 for time in times.values())


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_time_to_an_interrupt_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    arguments = ["--cells", "100", "--times", "3", "--most", "0.5", "--only"]
    [of_brute] = example("interrupt").main([*arguments, "brute"]).values()
    assert len(of_brute) == 3 and all(0 < time < 60 for time in of_brute)
    assert len(example("interrupt").main([*arguments, "Mesh"])) == 1


def test_one_and_two_processes_check_all_clips(tmp_path: pathlib.Path) -> None:
    library(tmp_path, 4)
    assert example("workers").main([str(tmp_path / "clips/**/*.npz"), "--rounds", "1"]) == [4, 4]
