"""A full disk and a failing one: an exit that is not 0, bytes as they were, and a retry that lands once."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from memsite.repo.half_objects import remove_half_objects
from tests.conftest import Git
from tests.faults.conftest import LONG, _sound, run_worker, write_here

pytestmark = pytest.mark.faults
STRACE = shutil.which("strace")
CALLS = (
    "write",
    "pwrite64",
    "rename",
    "renameat",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "fsync",
    "ftruncate",
    "mkdir",
)
STEP = 1 if LONG else 12
"""Every call of the full profile, every so-many-th of the short one."""


@pytest.fixture
def small_disk(workspace: Path, git: Git) -> Iterator[Path]:
    """The workspace on a tmpfs of 3 MB."""
    place = workspace.parent / "small"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)], check=False, capture_output=True
    )
    if done.returncode:
        pytest.skip("!! NO RIGHT TO MOUNT A tmpfs: the full disk was not tried")
    try:
        shutil.copytree(workspace, place / "workspace", symlinks=True)
        yield place / "workspace"
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("action", ["log", "consolidate"])
def test_a_full_disk_changes_nothing_and_the_retry_lands_once(small_disk: Path, git: Git, action: str) -> None:
    assert write_here(small_disk, action, "first") == "done"
    for number, left in enumerate(range(0, 96, 4 if LONG else 12)):
        before = contents(small_disk)
        _fill(small_disk, left * 1024)
        said = run_worker(small_disk, action, f"d{number}", 1)
        (small_disk / ".git" / "filler").unlink()
        if said != [("done", 0)]:
            assert said == [("failed", 0)]
            assert contents(small_disk) == before
        assert write_here(small_disk, action, f"d{number}") == "done"
        assert_once(small_disk, git, action, f"d{number}")
    _sound(small_disk, git)


def _fill(root: Path, left: int) -> None:
    free = shutil.disk_usage(root).free
    with (root / ".git" / "filler").open("wb") as file:
        file.write(b"x" * max(0, free - left))


def contents(root: Path) -> dict[str, bytes]:
    """Every file of the work tree."""
    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def assert_once(root: Path, git: Git, action: str, name: str) -> None:
    """One write of this name is in HEAD, whole and once."""
    text = git("grep", "-h", "", "HEAD", "--", "memory", cwd=root)
    expected = {
        "log": {f"id={name}-0 ": 1},
        "consolidate": {f"/{name}-gen1-2025-03-20.md -->": 1, f"/{name}-gen1-2025-03-20.md\n": 1},
    }
    assert {part: text.count(part) for part in expected[action]} == expected[action]


def traced(calls: str, injection: str) -> list[str]:
    """The prefix of a command in which strace lets calls fail."""
    return [str(STRACE), "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}", "-e", f"inject={calls}:{injection}"]


@pytest.fixture(scope="session")
def strace_works(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip where strace is missing or may not trace."""
    if STRACE is None:
        pytest.skip("!! NO strace ON THIS MACHINE: no fault was injected; apt-get install strace")
    if subprocess.run([STRACE, "-o", "/dev/null", "true"], check=False, capture_output=True).returncode:
        pytest.skip("!! strace MAY NOT TRACE HERE: no fault was injected")


def count_calls(root: Path, action: str, log: Path) -> Counter[str]:
    """How often a write makes each of CALLS, its git children included."""
    prefix = [str(STRACE), "-f", "-qq", "-o", str(log), "-e", f"trace={','.join(CALLS)}"]
    assert run_worker(root, action, "count", 1, prefix) == [("done", 0)]
    return Counter(
        re.findall(rf"^\d+ +({'|'.join(CALLS)})\(", log.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
    )


def half_objects(root: Path) -> list[Path]:
    """Files into which some git was writing an object."""
    return [path for path in (root / ".git/objects").rglob("tmp_*") if path.is_file()]


@pytest.mark.usefixtures("strace_works")
@pytest.mark.parametrize("when", [1, 2, 3])
def test_objects_that_could_not_be_written_leave_nothing_behind(workspace: Path, when: int) -> None:
    assert run_worker(workspace, "log", "x", 1, traced("fsync", f"error=EIO:when={when}")) == [("failed", 0)]
    assert half_objects(workspace) == []


@pytest.mark.parametrize("kind", ["loose", "pack"])
def test_what_another_git_writes_is_left_alone(tmp_path: Path, kind: str) -> None:
    ours, theirs = b"blob 5\0ours\n", b"blob 7\0theirs\n"
    name = "tmp_obj_" if kind == "loose" else "tmp_pack_"
    folder = tmp_path / ("ab" if kind == "loose" else "pack")
    folder.mkdir()
    contents = {"empty": b"", "ours": ours[:8], "theirs": theirs, "none": b"\1\2"}
    for about, data in contents.items():
        packed = zlib.compress(data) if kind == "loose" and about != "none" else data
        (folder / f"{name}{about}").write_bytes(packed)
    remove_half_objects(tmp_path, {"ab" + "0" * 38: ours}, ours)
    assert {path.name.removeprefix(name) for path in folder.iterdir()} == {"theirs", "none"}


@pytest.mark.usefixtures("strace_works")
@pytest.mark.parametrize("action", ["log", "consolidate"])
@pytest.mark.parametrize("injection", ["error=EIO", "error=ENOSPC", "signal=KILL"])
def test_a_fault_at_any_call(workspace: Path, git: Git, tmp_path: Path, action: str, injection: str) -> None:
    """`when` counts per process: a call number of ours is tried in every git child too."""
    assert write_here(workspace, action, "first") == "done"
    counts = count_calls(workspace, action, tmp_path / "trace")
    assert counts["fsync"] > 3
    number = 0
    for call in CALLS:
        for when in range(1, counts[call] + 1, STEP):
            number += 1
            name = f"s{number}"
            before = contents(workspace)
            said = run_worker(workspace, action, name, 1, traced(call, f"{injection}:when={when}"))
            if said == [("failed", 0)]:
                assert contents(workspace) == before, (call, when)
            assert write_here(workspace, action, name) == "done", (call, when)
            assert_once(workspace, git, action, name)
            assert git("status", "--porcelain", "-uall", cwd=workspace) == "", (call, when)
    _sound(workspace, git)
