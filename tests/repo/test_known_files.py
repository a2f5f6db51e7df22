"""Files that are known without being read: never when they may have changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from memsite.repo.known_files import KnownFiles
from memsite.repo.pending import commit_pending, uncommitted
from memsite.repo.snapshots import identify_current, read_worktree
from memsite.repo.workspace import Workspace
from tests.conftest import Git
from tests.repo.conftest import NOW, write_files


def kept(ws: Workspace) -> list[Path]:
    return list((ws.require_repository().own_dir).glob("files-*.json"))


def ids(ws: Workspace) -> dict[str, str]:
    snapshot = read_worktree(ws)
    return {str(path): blob.id for path, blob in {**snapshot.files, **snapshot.unnamed}.items()}


def age(root: Path) -> None:
    """Make every file older than a look that follows: the file system's clock has ticks."""
    stamp = root / "tick"
    newest = max(path.lstat().st_ctime_ns for path in (root / "memory").rglob("*"))
    while True:
        stamp.write_bytes(b"")
        if stamp.stat().st_ctime_ns > newest:
            break
    stamp.unlink()


def test_the_names_are_those_of_what_is_read_whatever_lies_in_the_folder(ws: Workspace) -> None:
    write_files(ws.root, {"memory/a.md": "a\n", "memory/deep/b.md": "b\n", "MEMORY.md": "m\n", "memory/.x": "no"})
    (ws.root / "memory" / "link.md").symlink_to("a.md")
    (ws.root / "memory" / "lost.md").symlink_to("nothing.md")
    Path(os.fsdecode(os.fsencode(ws.root / "memory") + b"/\xff.md")).write_text("no UTF-8\n", encoding="utf-8")
    age(ws.root)
    for _ in range(2):
        found = identify_current(ws)
        assert found.blobs == ids(ws)
        assert found.unreadable == read_worktree(ws).unreadable
    assert len(kept(ws)) == 1


def edit(path: Path) -> None:
    """Other bytes of the same length, and the time of before."""
    before = path.stat()
    path.write_text("B\n", encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(path: Path) -> None:
    """Another file in its place, as editors do, with the time of before."""
    before, other = path.stat(), path.with_suffix(".new")
    other.write_text("B\n", encoding="utf-8")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.rename(path)


@pytest.mark.parametrize("change", [edit, replace, Path.unlink])
def test_a_change_that_leaves_length_and_time_is_seen(ws: Workspace, change: Callable[[Path], object]) -> None:
    write_files(ws.root, {"memory/a.md": "A\n", "memory/b.md": "x\n"})
    age(ws.root)
    identify_current(ws)
    change(ws.root / "memory" / "a.md")
    assert identify_current(ws).blobs == ids(ws)


def test_what_changed_since_the_look_began_is_not_kept(ws: Workspace) -> None:
    repository = ws.require_repository()
    write_files(ws.root, {"memory/a.md": "a\n"})
    age(ws.root)
    old = (ws.root / "memory" / "a.md").stat()
    look = KnownFiles(repository, ws.root)
    write_files(ws.root, {"memory/b.md": "b\n"})
    new = (ws.root / "memory" / "b.md").stat()
    for name, status in (("a", old), ("b", new)):
        look.add(name, status, name * 40)
    look.save()
    again = KnownFiles(repository, ws.root)
    assert (again.find("a", old), again.find("b", new)) == ("a" * 40, None)


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"version": 1}', '{"version": 1, "files": {"memory/a.md": [1]}}'])
def test_a_damaged_list_is_none(ws: Workspace, damage: str) -> None:
    write_files(ws.root, {"memory/a.md": "a\n"})
    age(ws.root)
    identify_current(ws)
    kept(ws)[0].write_text(damage, encoding="utf-8")
    assert identify_current(ws).blobs == ids(ws)


def test_commit_sees_an_edit_of_the_same_length_and_time(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {"memory/2025-03-20.md": "A\n"})
    commit_pending(ws, now=NOW)
    age(ws.root)
    assert commit_pending(ws, now=NOW) == ()
    edit(ws.root / "memory" / "2025-03-20.md")
    made = commit_pending(ws, now=NOW)
    assert [one.paths for one in made] == [(PurePosixPath("memory/2025-03-20.md"),)]
    assert git("show", "HEAD:memory/2025-03-20.md", cwd=ws.root) == "B\n"
    assert uncommitted(ws).held_back == ()


def test_where_nothing_can_be_kept_everything_is_read(ws: Workspace) -> None:
    write_files(ws.root, {"memory/a.md": "a\n"})
    age(ws.root)
    (ws.require_repository().own_dir).write_text("in the way\n", encoding="utf-8")
    assert identify_current(ws).blobs == ids(ws)
