"""Processes: forks, threads, interrupts, the command, and what is printed."""

from __future__ import annotations

import json
import multiprocessing
import pathlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import osculate
import pytest
from conftest import waves
from osculate import _osculate


def found(n: int = 40) -> bytes:
    faces, poses = waves(n, 3)
    model = osculate.Model(osculate.Mesh(faces, poses.shape[1]), poses[0])
    return osculate.contacts_batch(model, poses).lo.tobytes()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_child_does_not_hang() -> None:
    expected = found()
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        assert pool.map_async(found, [40] * 4).get(timeout=60) == [expected] * 4
    assert found() == expected


def checked(frames: str) -> tuple[int, list[float]]:
    report = osculate.check(frames=frames, contacts=True)
    return report.clips[0].contacts, report.table("pairs").severity_share.tolist()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_check_in_a_forked_child_does_not_hang() -> None:
    expected = checked("44..46")
    assert expected[0] > 0
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        assert pool.map_async(checked, ["44..46"] * 3).get(timeout=60) == [expected] * 3
    assert checked("44..46") == expected


def ready(name: str) -> Callable[[], object]:
    """A long call of the extension, without what numpy does before and after it."""
    faces, poses = waves(120, 3)
    n, random = poses.shape[1], np.random.default_rng(1)
    joints = random.integers(0, 9, (n, 8)).astype(np.uint32)
    weights, bones = np.full((n, 8), 0.125), random.standard_normal((9, 3, 4))
    mesh, skin = _osculate.Mesh(faces, n), _osculate.Skin(poses[0], joints, weights, 9)
    model = _osculate.Model(mesh, poses[0], skin)
    world = _osculate.World()
    world.add(model, bones, False, True, 1, 1)
    options = dict.fromkeys(["method", "results", "min_separation", "time_width", "exclude_rings"])
    given: dict[str, object] = {**options, "exclude_close_at_rest": False}
    calls: dict[str, Callable[[], object]] = {
        "Mesh": lambda: _osculate.Mesh(faces, n),
        "Mesh.edges": mesh.edges,
        "Skin": lambda: _osculate.Skin(poses[0], joints, weights, 9),
        "Skin.pose": lambda: skin.pose(bones),
        "Model": lambda: _osculate.Model(mesh, poses[0]),
        "World.contacts": lambda: world.contacts([(0, bones + 0.1)], given),
        "contacts_batch": lambda: _osculate.contacts_batch(model, poses, given),
        "check": lambda: _osculate.check(["--frames", "44..46"]),
    }
    return calls[name]


@pytest.mark.parametrize(
    "name", ["Mesh", "Mesh.edges", "Skin", "Skin.pose", "Model", "World.contacts", "contacts_batch", "check"]
)
def test_other_threads_go_on_during_a_call(name: str) -> None:
    count, is_over = 0, False

    def work() -> None:
        nonlocal count
        while not is_over:
            count += 1
            time.sleep(1e-4)

    # So a thread that waits for the interpreter gets it only if another one gives it away.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    thread = threading.Thread(target=work)
    thread.start()
    try:
        while count == 0:
            time.sleep(1e-3)
        # Several times, as the system may let the thread wait for a processor.
        n_meanwhile = 0
        for _ in range(50):
            call = ready(name)
            before = count
            call()
            n_meanwhile += count - before
            if n_meanwhile:
                break
        assert n_meanwhile > 0
    finally:
        is_over = True
        sys.setswitchinterval(interval)
        thread.join()


def test_threads_share_models_and_worlds() -> None:
    faces, poses = waves(40, 2)
    model = osculate.Model(osculate.Mesh(faces, poses.shape[1]), poses[0])
    world = osculate.World()
    body = world.add(model, poses[0])
    expected = world.contacts({body: poses[1]}).lo.tobytes()
    answers = []

    def work() -> None:
        own = osculate.World()
        moves = {own.add(model, poses[0]): poses[1]}
        for _ in range(5):
            answers.append(own.contacts(moves).lo.tobytes())
            answers.append(world.contacts({body: poses[1]}).lo.tobytes())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 40 and set(answers) == {expected}


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    "query",
    [
        "world.contacts({body: poses[1]}, method='brute')",
        "osculate.contacts_batch(model, np.tile(poses, (200, 1, 1)))",
        "osculate.check(verify=True)",
    ],
)
def test_a_long_query_is_interrupted(query: str) -> None:
    code = f"""
import signal, sys, threading, time
sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
import numpy as np
import osculate
from conftest import waves
faces, poses = waves(250, 2)
model = osculate.Model(osculate.Mesh(faces, poses.shape[1]), poses[0])
world = osculate.World()
body = world.add(model, poses[0])
print("ready", flush=True)
try:
    {query}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted\n"


def osculate_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "osculate", *arguments], capture_output=True, text=True)


def test_the_command() -> None:
    assert osculate_command("--version").stdout == f"osculate {osculate.__version__}\n"
    failed = osculate_command("check", "nothing.glb")
    assert failed.returncode == 2 and failed.stderr == "error: nothing.glb: No such file or directory (os error 2)\n"
    shown = osculate_command("scene")
    assert shown.returncode == 0 and "figure" in shown.stdout
    script = pathlib.Path(sys.executable).parent / "osculate"
    assert subprocess.run([script, "scene"], capture_output=True, text=True).stdout == shown.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("arguments", [["check", "--verify"], ["bench", "--scene", "figure"]])
def test_the_command_is_interrupted(arguments: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "osculate", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(1.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


def test_check_is_the_report_of_the_command(tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.json"
    done = osculate_command("check", "--frames", "44..46", "--contacts", "--json", str(path))
    assert done.returncode == 0, done.stderr
    expected = json.loads(path.read_text())
    other = tmp_path / "other.json"
    report = osculate.check(frames="44..46", contacts=True, json=other)
    assert capfd.readouterr() == ("", "")
    for content in (report.json, expected, both := json.loads(other.read_text())):
        for frame in content["frames"]:
            del frame["ms"]
    assert report.json == expected == both
    assert report.problems[0].parts == ["LowerArm.L", "Hand.R"] and not report.partial
    assert [clip.problems for clip in report.clips] == [len(report.problems)] == [report.totals["problems"]]
    contacts = report.table("contacts")
    assert len(contacts) == report.clips[0].contacts and contacts.weights.shape == (len(contacts), 4)
    assert len(report.table("episodes")) == len(report.episodes)
    assert np.isfinite(report.table("pairs").severity_share).all()
    with pytest.raises(osculate.OsculateError, match="no crossings"):
        osculate.check(frames="44..46").table("crossings")


def test_check_says_what_is_wrong(tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(osculate.FileError, match="No such file") as raised:
        osculate.check("nothing.glb")
    assert raised.value.element == "nothing.glb"
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(b"PK\x05\x06")
    with pytest.raises(osculate.FileError) as raised:
        osculate.check(damaged)
    assert raised.value.element is not None and "damaged.npz" in str(raised.value.element)
    for options, message in [
        ({"thickness": -1.0}, "--thickness is -1"),
        ({"no_such_option": 1}, "--no-such-option"),
        ({"json": "-"}, "standard output"),
        ({"list_clips": True}, "checks nothing"),
        ({"help": True}, "Exact|Find"),
    ]:
        with pytest.raises(osculate.OsculateError, match=message):
            osculate.check(**options)
    notes = osculate.check(frames="44..44", threads=10_000).notes
    assert any("10000 threads" in note for note in notes)
    assert capfd.readouterr() == ("", "")


def of_subinterpreter(statements: str) -> str:
    """The exception that statements raise in a second interpreter, once this one has the package."""
    inner = f"""
try:
    {statements}
    print("no exception", flush=True)
except BaseException as why:
    print(type(why).__name__, str(why).replace(chr(10), " "), flush=True)
"""
    code = f"""
import sys
sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
from test_process import found
try:
    import _interpreters
except ImportError:
    import _xxsubinterpreters as _interpreters
expected = found()
_interpreters.run_string(_interpreters.create(), {inner!r})
assert found() == expected
print("unharmed")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done
    raised, after = done.stdout.splitlines()
    assert after == "unharmed"
    return raised


def test_a_subinterpreter_cannot_import_the_package() -> None:
    # numpy refuses it.
    assert of_subinterpreter("import osculate").startswith("ImportError")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="no interpreter has a lock of its own")
def test_a_subinterpreter_cannot_load_the_extension() -> None:
    from osculate import _osculate

    load = "import _imp, importlib.machinery as m; " + (
        f"_imp.create_dynamic(m.ModuleSpec('osculate._osculate', None, origin={_osculate.__file__!r}))"
    )
    expected = "ImportError module osculate._osculate does not support loading in subinterpreters"
    assert of_subinterpreter(load) == expected
