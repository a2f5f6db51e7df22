"""Edits of the work tree: all or nothing, and taken back without touching what others wrote."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsite.errors import ConflictError, UnsafePathError
from memsite.repo.files import Edit, Extend, Replace, WorkTreeEdit, read_file, remove_leftovers, write_atomic

A, B, C = (PurePosixPath(f"memory/{name}.md") for name in "abc")


def edit(root: Path, edits: dict[PurePosixPath, Edit]) -> WorkTreeEdit:
    return WorkTreeEdit(root, "token", edits)


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_all_is_put_in_place(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / A).write_bytes(b"a")
    work = edit(tmp_path, {A: Extend(b"+"), B: Replace(None, b"b"), C: Extend(b"c")})
    work.prepare()
    work.apply()
    work.clean()
    assert files(tmp_path) == {"memory/a.md": b"a+", "memory/b.md": b"b", "memory/c.md": b"c"}


def test_undo_restores_every_byte(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / A).write_bytes(b"a")
    (tmp_path / B).write_bytes(b"b")
    before = files(tmp_path)
    work = edit(
        tmp_path, {A: Extend(b"+"), B: Replace(b"b", b"B"), C: Replace(None, b"c"), PurePosixPath("d"): Extend(b"d")}
    )
    work.prepare()
    work.apply()
    assert work.undo()
    assert files(tmp_path) == before


def test_undo_leaves_what_another_appended_after_us(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    work = edit(tmp_path, {A: Extend(b"ours\n")})
    work.prepare()
    work.apply()
    with (tmp_path / A).open("ab") as file:
        file.write(b"theirs\n")
    assert not work.undo()
    assert (tmp_path / A).read_bytes() == b"ours\ntheirs\n"


def test_a_file_that_changed_stops_all(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / B).write_bytes(b"b")
    work = edit(tmp_path, {A: Extend(b"+"), B: Replace(b"b", b"B")})
    work.prepare()
    (tmp_path / B).write_bytes(b"other")
    with pytest.raises(ConflictError):
        work.apply()
    assert work.undo()
    assert files(tmp_path) == {"memory/b.md": b"other"}


def test_leftovers_of_a_killed_run_are_removed_by_their_token(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    edit(tmp_path, {A: Replace(None, b"a")}).prepare()
    (tmp_path / "memory" / ".memsite-other-0.new").touch()
    assert len(files(tmp_path)) == 2
    remove_leftovers(tmp_path, "token", [A])
    assert set(files(tmp_path)) == {"memory/.memsite-other-0.new"}


@pytest.mark.parametrize("one", [Extend(b"x"), Replace(None, b"x")])
def test_links_are_not_followed(tmp_path: Path, one: Edit) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "root" / "memory").symlink_to(tmp_path / "out")
    work = edit(tmp_path / "root", {A: one})
    with pytest.raises(UnsafePathError):
        work.prepare()
    assert not list((tmp_path / "out").iterdir())


def test_read_file_of_nothing_is_none(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    assert read_file(tmp_path, PurePosixPath("no/file")) is None
    assert read_file(tmp_path, PurePosixPath("x/y")) is None


def test_write_atomic_replaces_and_leaves_nothing_beside(tmp_path: Path) -> None:
    write_atomic(tmp_path, "x", b"1")
    (tmp_path / "x.new").write_bytes(b"left by a killed run")
    write_atomic(tmp_path, "x", b"2")
    assert files(tmp_path) == {"x": b"2"}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.sampled_from("abcd"), st.tuples(st.booleans(), st.none() | st.binary(max_size=9), st.binary(max_size=9))
    )
)
def test_apply_and_undo_is_nothing(
    tmp_path_factory: pytest.TempPathFactory, plan: dict[str, tuple[bool, bytes | None, bytes]]
) -> None:
    root = tmp_path_factory.mktemp("root")
    edits: dict[PurePosixPath, Edit] = {}
    for name, (appends, old, new) in plan.items():
        if old is not None:
            (root / name).write_bytes(old)
        edits[PurePosixPath(name)] = Extend(new) if appends else Replace(old, new)
    before = files(root)
    work = edit(root, edits)
    work.prepare()
    work.apply()
    # The copy for undo is still there.
    seen = {name: data for name, data in files(root).items() if not name.startswith(".memsite-")}
    assert seen == before | {name: (old or b"") + new if appends else new for name, (appends, old, new) in plan.items()}
    assert work.undo()
    assert files(root) == before


def test_what_an_editor_wrote_in_place_at_the_last_moment_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / A).write_bytes(b"a\n")
    work = edit(tmp_path, {A: Replace(b"a\n", b"ours\n")})
    work.prepare()
    rename = os.rename

    def write_first(source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        if source.endswith(".new"):
            with (tmp_path / A).open("ab") as file:
                file.write(b"theirs\n")
        rename(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(os, "rename", write_first)
    with pytest.raises(ConflictError):
        work.apply()
    assert work.undo()
    assert files(tmp_path) == {"memory/a.md": b"a\ntheirs\n"}


def test_a_failed_append_to_a_new_file_leaves_what_another_wrote_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory").mkdir()

    def fail(descriptor: int) -> None:
        with (tmp_path / A).open("ab") as file:
            file.write(b"theirs")
        raise OSError(5, "Input/output error")

    work = edit(tmp_path, {A: Extend(b"ours")})
    work.prepare()
    with monkeypatch.context() as patch, pytest.raises(OSError, match="Input/output"):
        patch.setattr(os, "fsync", fail)
        work.apply()
    assert (tmp_path / A).read_bytes().endswith(b"theirs")


def test_a_failed_append_leaves_no_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory").mkdir()

    def fail(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    work = edit(tmp_path, {A: Extend(b"ours")})
    with monkeypatch.context() as patch, pytest.raises(OSError, match="Input/output"):
        patch.setattr(os, "fsync", fail)
        work.apply()
    assert not (tmp_path / A).exists()
