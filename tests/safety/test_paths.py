"""Not a byte from outside the folder: every way of putting a symbolic link in the way, and swaps while looking."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath

import pytest

from memsite.errors import UnsafePathError
from memsite.safety.paths import confine, open_below, read_below

OUTSIDE = b"not for readers\n"
INSIDE = b"a note\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A memory folder with a note in a nested folder, and a private file beside it."""
    memory = tmp_path / "memory"
    (memory / "nested" / "deep").mkdir(parents=True)
    (memory / "nested" / "deep" / "note.md").write_bytes(INSIDE)
    (memory / "note.md").write_bytes(INSIDE)
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "note.md").write_bytes(OUTSIDE)
    return memory


def link_file(root: Path) -> str:
    (root / "link.md").symlink_to(root.parent / "private" / "note.md")
    return "link.md"


def link_file_relative(root: Path) -> str:
    (root / "link.md").symlink_to("../private/note.md")
    return "link.md"


def link_folder(root: Path) -> str:
    (root / "folder").symlink_to(root.parent / "private")
    return "folder/note.md"


def link_nested_folder(root: Path) -> str:
    (root / "nested" / "folder").symlink_to("../../private")
    return "nested/folder/note.md"


def link_to_parent(root: Path) -> str:
    (root / "up").symlink_to("..")
    return "up/private/note.md"


def link_to_root_of_disk(root: Path) -> str:
    (root / "disk").symlink_to("/")
    return "disk" + str(root.parent / "private" / "note.md")


def link_chain(root: Path) -> str:
    (root / "second").symlink_to(root.parent / "private")
    (root / "first").symlink_to("second")
    return "first/note.md"


def link_dangling(root: Path) -> str:
    (root / "LATEST.md").symlink_to("gone.md")
    return "LATEST.md"


def link_loop(root: Path) -> str:
    (root / "a.md").symlink_to("b.md")
    (root / "b.md").symlink_to("a.md")
    return "a.md"


def link_to_itself(root: Path) -> str:
    (root / "self").symlink_to("self")
    return "self/note.md"


def link_inside(root: Path) -> str:
    (root / "inside.md").symlink_to("note.md")
    return "inside.md"


def link_through_proc(root: Path) -> str:
    (root / "proc").symlink_to("/proc/self/cwd")
    return "proc/note.md"


def link_swapped_for_folder(root: Path) -> str:
    (root / "nested").rename(root / "moved")
    (root / "nested").symlink_to(root.parent / "private")
    return "nested/note.md"


LINKS = [
    link_file, link_file_relative, link_folder, link_nested_folder, link_to_parent, link_to_root_of_disk, link_chain,
    link_dangling, link_loop, link_to_itself, link_inside, link_through_proc, link_swapped_for_folder,
]  # fmt: skip


@pytest.mark.parametrize("make", LINKS, ids=lambda make: make.__name__)
def test_a_link_is_never_followed(root: Path, make: Callable[[Path], str]) -> None:
    path = PurePosixPath(make(root))
    for attempt in (confine, open_below, read_below):
        with pytest.raises(UnsafePathError, match="symbolic link"):
            attempt(root, path)


@pytest.mark.parametrize("make", LINKS, ids=lambda make: make.__name__)
def test_nothing_is_written_through_a_link(root: Path, make: Callable[[Path], str]) -> None:
    path = PurePosixPath(make(root))
    with pytest.raises(UnsafePathError):
        open_below(root, path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    assert (root.parent / "private" / "note.md").read_bytes() == OUTSIDE
    assert not (root / "gone.md").exists()


def test_a_link_committed_by_git_is_not_followed(workspace: Path, git: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "private.md").write_bytes(OUTSIDE)
    (workspace / "memory" / "link.md").symlink_to(tmp_path / "private.md")
    git("add", "memory", cwd=workspace)
    git("commit", "-q", "-m", "a link", cwd=workspace)
    assert git("ls-files", "-s", "memory/link.md", cwd=workspace).startswith("120000")
    git("clone", "-q", str(workspace), str(tmp_path / "clone"))
    with pytest.raises(UnsafePathError):
        read_below(tmp_path / "clone", PurePosixPath("memory/link.md"))


def test_a_folder_swapped_between_check_and_open_is_not_followed(root: Path) -> None:
    path = PurePosixPath("nested/deep/note.md")
    confine(root, path)
    (root / "nested" / "deep").rename(root / "moved")
    (root / "nested" / "deep").symlink_to(root.parent / "private")
    with pytest.raises(UnsafePathError):
        open_below(root, path)


def test_a_folder_swapped_again_and_again_never_leaks(root: Path) -> None:
    stop = threading.Event()
    (root / "link").symlink_to(root.parent / "private")

    def swap() -> None:
        while not stop.is_set():
            (root / "nested").rename(root / "away")
            (root / "link").rename(root / "nested")
            (root / "nested").rename(root / "link")
            (root / "away").rename(root / "nested")

    (root / "nested" / "note.md").write_bytes(INSIDE)
    swapper = threading.Thread(target=swap)
    swapper.start()
    seen = set()
    for _ in range(2_000):
        with suppress(UnsafePathError, OSError):
            seen.add(read_below(root, PurePosixPath("nested/note.md")))
    stop.set()
    swapper.join()
    assert seen <= {INSIDE}


@pytest.mark.parametrize("path", ["../private/note.md", "nested/../../private/note.md", "/etc/hostname", "a\0b", ".."])
def test_a_path_that_leaves_the_folder_is_refused(root: Path, path: str) -> None:
    for attempt in (confine, open_below):
        with pytest.raises(UnsafePathError):
            attempt(root, PurePosixPath(path))


def test_traversal_strings_reach_nothing_outside(root: Path, corpus_lines: Callable[[str], list[str]]) -> None:
    for line in corpus_lines("path-traversal.txt"):
        with suppress(UnsafePathError):
            assert root in (confine(root, PurePosixPath(line)), *confine(root, PurePosixPath(line)).parents)
        with suppress(UnsafePathError, OSError):
            os.close(open_below(root, PurePosixPath(line), os.O_RDONLY))
            pytest.fail(f"{line!r} opened a file")


def test_the_root_itself_may_be_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    assert read_below(tmp_path / "alias", PurePosixPath("nested/deep/note.md")) == INSIDE
    assert confine(tmp_path / "alias", PurePosixPath("note.md")) == tmp_path / "alias" / "note.md"


def test_a_file_that_is_not_there_yet_has_its_place(root: Path) -> None:
    assert confine(root, PurePosixPath("sessions/2025-03-20.md")) == root / "sessions" / "2025-03-20.md"
    with pytest.raises(FileNotFoundError):
        open_below(root, PurePosixPath("sessions/2025-03-20.md"))
    os.close(open_below(root, PurePosixPath("new.md"), os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    assert (root / "new.md").exists()


def test_a_pipe_is_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe.md")
    with pytest.raises(UnsafePathError, match="no regular file"):
        open_below(root, PurePosixPath("pipe.md"))


def test_a_folder_opens_only_as_a_folder(root: Path) -> None:
    os.close(open_below(root, PurePosixPath("nested"), os.O_RDONLY | os.O_DIRECTORY))
    os.close(open_below(root, PurePosixPath("."), os.O_RDONLY | os.O_DIRECTORY))
    with pytest.raises(UnsafePathError):
        open_below(root, PurePosixPath("nested"))


def test_no_descriptor_is_left_open(root: Path) -> None:
    before = len(os.listdir("/dev/fd"))
    for path in ("nested/deep/note.md", "nested/deep/gone.md", "nested/gone/x.md", link_folder(root)):
        with suppress(UnsafePathError, OSError):
            os.close(open_below(root, PurePosixPath(path)))
    assert len(os.listdir("/dev/fd")) == before
