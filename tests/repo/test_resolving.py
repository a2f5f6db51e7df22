"""What changesets come to: pure."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.errors import ConflictError
from memsite.memory.changeset import Append, Changeset, Write
from memsite.repo.files import Extend, Replace
from memsite.repo.resolving import View, resolve

A, B = PurePosixPath("a.md"), PurePosixPath("b.md")


def view(**files: bytes) -> View:
    return View({PurePosixPath(f"{name}.md"): data for name, data in files.items()}.get)


def test_steps_build_on_each_other() -> None:
    there = view(a=b"1\n")
    steps = resolve(
        [Changeset((Append(A, b"2\n"),), "x"), Changeset((Write(A, b"1\n2\n", b"3\n"), Append(B, b"b", b"# ")), "y")],
        there,
    )
    assert [dict(step.files) for step in steps] == [{A: b"1\n2\n"}, {A: b"3\n", B: b"# b"}]
    assert there.edits() == {A: Replace(b"1\n", b"3\n"), B: Extend(b"# b")}


def test_appends_alone_extend_the_file() -> None:
    there = view(a=b"no end")
    resolve([Changeset((Append(A, b"x\n"), Append(A, b"y\n")), "x")], there)
    assert there.edits() == {A: Extend(b"\nx\ny\n")}


def test_a_write_from_another_state_conflicts() -> None:
    with pytest.raises(ConflictError, match=r"a\.md"):
        resolve([Changeset((Write(A, b"old", b"new"),), "x")], view(a=b"other"))


def test_a_write_that_has_happened_is_done() -> None:
    there = view(a=b"new")
    assert resolve([Changeset((Write(A, b"old", b"new"),), "x")], there)[0].files == {A: b"new"}
    assert there.edits() == {}


@pytest.mark.parametrize(
    ("current", "size", "expected"),
    [
        (b"1\n", 2, b"1\nx\n"),  # killed before it appended
        (b"1\nx\n", 2, b"1\nx\n"),  # after
        (b"1\nx\nagent\n", 2, b"1\nx\nagent\n"),  # and another appended
        (b"x\n", 2, b"x\nx\n"),  # the same line was there before
        (b"# h\nx\n", -1, b"# h\nx\n"),  # it made the file
        (b"other branch", 400, b"other branch\nx\n"),  # the file is another one by now
    ],
)
def test_a_killed_append_happens_once(current: bytes, size: int, expected: bytes) -> None:
    steps = resolve([Changeset((Append(A, b"x\n", b"# h\n"),), "x")], view(a=current), sizes={A: size})
    assert steps[0].files == {A: expected}


@given(st.binary(max_size=20), st.binary(min_size=1, max_size=10))
def test_an_append_never_changes_what_is_there(current: bytes, data: bytes) -> None:
    there = View(lambda _: current)
    resolve([Changeset((Append(A, data),), "x")], there)
    edit = there.edits()[A]
    assert isinstance(edit, Extend)
    assert edit.data.endswith(data)
    assert len(edit.data) - len(data) <= 2


def test_an_empty_changeset_is_no_step() -> None:
    assert resolve([Changeset((), "x")], view()) == ()
