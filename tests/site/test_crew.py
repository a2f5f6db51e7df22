"""Work that several processes share is done once, in order, and fails as it would in one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import pytest

from memsite.repo.workspace import open_workspace
from memsite.site import crew
from memsite.site.build import build_site
from memsite.site.crew import FEWEST, beside, do_all
from memsite.site.facts import Legacy
from tests.conftest import Demo
from tests.site.test_site import contents

JOBS = 5 * FEWEST


def children() -> set[str]:
    """The processes of this one, but the one that lists them."""
    listing = subprocess.Popen(["ps", "-o", "pid=", "--ppid", str(os.getpid())], stdout=subprocess.PIPE, text=True)
    return set(listing.communicate()[0].split()) - {str(listing.pid)}


def test_all_is_done_in_order_whoever_does_it() -> None:
    done = do_all(JOBS, lambda number: (number, os.getpid()), processes=3)
    assert [number for number, _ in done] == list(range(JOBS))


def test_each_process_enters_what_is_to_be_around_its_share() -> None:
    entered: list[int] = []

    @contextmanager
    def within() -> Iterator[None]:
        entered.append(os.getpid())
        yield
        entered.clear()

    assert set(do_all(JOBS, lambda _: entered == [os.getpid()], within=within, processes=3)) == {True}


def test_few_jobs_and_one_core_are_one_process() -> None:
    assert set(do_all(FEWEST - 1, lambda _: os.getpid(), processes=3)) == {os.getpid()}
    assert set(do_all(JOBS, lambda _: os.getpid(), processes=1)) == {os.getpid()}


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGTERM, None])
def test_what_a_process_that_fails_has_taken_is_done_all_the_same(fault: signal.Signals | None) -> None:
    first = os.getpid()

    def do(number: int) -> int:
        if os.getpid() != first and number % 7 == 0:
            if fault is None:
                raise ValueError(number)
            os.kill(os.getpid(), fault)
        return number

    assert do_all(JOBS, do, processes=3) == list(range(JOBS))


def test_what_fails_everywhere_is_raised_and_no_process_is_left() -> None:
    before = children()
    with pytest.raises(ZeroDivisionError):
        do_all(JOBS, lambda number: 1 // (number - 3), processes=3)
    assert children() <= before  # other tests of this process may have some


def test_each_of_the_others_leaves_what_it_has_found() -> None:
    mine: list[int] = []
    left: list[int] = []
    done = do_all(JOBS, mine.append, legacy=Legacy(lambda: mine, left.extend), processes=3)
    assert done == [None] * JOBS
    assert sorted([*mine, *left]) == list(range(JOBS))


@pytest.mark.parametrize("fault", [False, True])
def test_the_first_process_says_what_it_keeps_of_each_result(fault: bool) -> None:
    first, kept = os.getpid(), dict[int, int]()

    def do(number: int) -> int:
        if fault and number == JOBS - 1 and os.getpid() != first:
            raise ValueError(number)
        return number

    def keep(number: int, result: int) -> int:
        assert os.getpid() == first
        kept[number] = result
        return -result

    assert do_all(JOBS, do, keep=keep, processes=3) == [-number for number in range(JOBS)]
    assert kept == {number: number for number in range(JOBS)}


KILLED = """
import os, signal, sys, time
from memsite.site.crew import beside, do_all
first = os.getpid()
begun, began = os.pipe()

def work(_number=0):
    if os.getpid() == first:
        os.read(begun, 1)
        os.kill(first, signal.SIGKILL)
    os.write(began, b".")
    time.sleep(300)

if sys.argv[1] == "beside":
    with beside(work):
        work()
do_all(8, work, processes=3, fewest=1)
"""


@pytest.mark.parametrize("way", ["beside", "shared"])
def test_no_process_outlives_a_first_one_that_is_killed(way: str) -> None:
    command = [sys.executable, "-c", KILLED, way]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=60, check=False)  # all of them hold the pipe
    assert done.returncode == -signal.SIGKILL


def test_few_jobs_are_shared_where_each_of_them_is_long(tmp_path: Path) -> None:
    def meet(_number: int) -> int:
        (tmp_path / str(os.getpid())).touch()
        while len(list(tmp_path.iterdir())) < 2:
            sleep(0.001)
        return os.getpid()

    assert len(set(do_all(3, meet, processes=2, fewest=3))) == 2
    assert set(do_all(3, lambda _: os.getpid(), processes=2)) == {os.getpid()}


def test_progress_counts_what_all_have_done() -> None:
    told: list[int] = []
    do_all(JOBS, lambda number: number, told=told.append, processes=2)
    assert told == sorted(told)
    assert all(0 < done <= JOBS for done in told)  # none where the others were faster


@pytest.mark.parametrize("processes", [1, 2])
def test_work_beside_something_is_done_when_that_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    monkeypatch.setattr(crew, "cores", lambda: processes)
    with beside(lambda: (tmp_path / "by").write_text(str(os.getpid()))):
        pass
    assert ((tmp_path / "by").read_text() == str(os.getpid())) == (processes == 1)
    assert not children()


def test_what_fails_beside_something_is_done_here_where_it_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "cores", lambda: 2)
    first = os.getpid()

    def work() -> None:
        if os.getpid() != first:
            raise OSError
        (tmp_path / "done").touch()

    with beside(work):
        assert not (tmp_path / "done").exists()
    assert (tmp_path / "done").exists()
    with pytest.raises(ZeroDivisionError), beside(lambda: 1 // 0):
        pass


def test_what_is_done_beside_work_fails_as_it_would_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "cores", lambda: 2)
    with pytest.raises(KeyError), beside(lambda: None):
        raise KeyError
    assert not children()


def test_a_site_that_several_processes_make_is_that_of_one(
    demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {}
    for processes in (1, 3):
        monkeypatch.setattr(crew, "cores", lambda wanted=processes: wanted)
        result = build_site(open_workspace(demo.workspace), destination=tmp_path / str(processes), clean=True)
        made[processes] = contents(tmp_path / str(processes)), result.pages, result.rendered, result.warnings
    assert made[1] == made[3]


def test_a_site_that_several_processes_bring_up_to_date_is_that_of_one(
    demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "demo"
    shutil.copytree(demo.workspace, root, symlinks=True, ignore=shutil.ignore_patterns("site"))
    note = next((root / "memory").glob("20*.md"))
    text = note.read_bytes()
    monkeypatch.setattr(crew, "FEWEST", 1)
    made = {}
    for processes in (1, 3):
        monkeypatch.setattr(crew, "cores", lambda wanted=processes: wanted)
        note.write_bytes(text)
        site = tmp_path / str(processes)
        build_site(open_workspace(root), destination=site, clean=True)
        note.write_bytes(text + b"\nThe cellar is dry.\n")
        result = build_site(open_workspace(root), destination=site)
        made[processes] = contents(site), result.pages, result.rendered, result.warnings
    assert made[1] == made[3]
    assert 0 < made[1][2] < made[1][1]
