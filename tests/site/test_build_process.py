"""The process that builds for the preview: another one where that is safe, and never a reason not to build."""

from __future__ import annotations

import gc
import os
import signal
import threading
import weakref
from collections.abc import Callable, Iterator

import pytest

from memsite.site import build_process
from memsite.site.build_process import BuildProcess
from memsite.site.crew import cores

LONG = "x" * 100_000
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")


@pytest.fixture
def builder(monkeypatch: pytest.MonkeyPatch) -> Iterator[BuildProcess]:
    """Says who builds, and how often it has."""
    monkeypatch.setattr(build_process, "cores", lambda: 2)
    builds: list[int] = []

    def build(shown: Callable[[], None]) -> str:
        shown()
        builds.append(os.getpid())
        return f"{os.getpid()} {len(builds)} \udcff\0{LONG}"

    process = BuildProcess(build)
    yield process
    process.end()


def who(builder: BuildProcess) -> tuple[int, int]:
    """Build: by which process, and how often it has built. It tells once that pages can be looked at."""
    told: list[int] = []
    process, count, text = builder.build(lambda: told.append(1)).split(" ", 2)
    assert told == [1]
    assert text in ("\udcff\ufffd" + LONG, "\udcff\0" + LONG), "nothing of it is lost on its way"
    return int(process), int(count)


def test_another_process_builds_and_knows_what_it_has_built(builder: BuildProcess) -> None:
    (first, one), (second, two) = who(builder), who(builder)
    assert first == second != os.getpid()
    assert (one, two) == (1, 2)


class Cycle:
    """Rubbish that nothing but Python's collector finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize("processes", [1, 2])
def test_what_a_build_leaves_is_gone_before_the_next(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_process, "cores", lambda: processes)
    left: list[weakref.ref[Cycle]] = []

    def build(_shown: Callable[[], None]) -> str:
        count = sum(one() is not None for one in left)
        left.append(weakref.ref(Cycle()))
        return str(count)

    gc.disable()
    process = BuildProcess(build)
    try:
        assert [process.build(lambda: None) for _ in range(3)] == ["0", "0", "0"]
    finally:
        gc.enable()
        process.end()


def test_after_its_end_this_process_builds(builder: BuildProcess) -> None:
    process, _ = who(builder)
    os.kill(process, signal.SIGKILL)
    assert who(builder)[0] == os.getpid()
    assert who(builder)[0] == os.getpid()


def test_it_ends_in_the_middle_of_a_build() -> None:
    process = BuildProcess(lambda _shown: str(threading.Event().wait()))
    process.end()
    process.end()


def test_it_ends_with_the_process_that_asks(builder: BuildProcess) -> None:
    process, _ = who(builder)
    builder._ours.close()
    assert os.waitpid(process, 0) == (process, 0)
    builder._process = 0


def test_beside_other_threads_this_process_builds() -> None:
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    try:
        assert cores() == 1
        process = BuildProcess(lambda _shown: str(os.getpid()))
        assert process.build(lambda: None) == str(os.getpid())
    finally:
        ended.set()
        other.join()
