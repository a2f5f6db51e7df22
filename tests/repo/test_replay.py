"""A planned change carried over to the file as it is by now."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from memsite.repo.replay import replay_in
from memsite.repo.workspace import Workspace

A = PurePosixPath("memory/a.md")


@pytest.mark.parametrize(
    ("old", "new", "current", "expected"),
    [
        (b"a\nb\nc\nd\n", b"A\nb\nc\nd\n", b"a\nb\nc\nD\n", b"A\nb\nc\nD\n"),
        (b"a\n", b"a\nours\n", b"a\ntheirs\n", b"a\ntheirs\nours\n"),
        (b"a\n", b"a\nours\n", b"a\nours\ntheirs\n", b"a\nours\ntheirs\n"),
        (b"a\n", b"ours\n", b"theirs\n", None),
        (b"a\n", b"b\n", None, b"b\n"),
        (None, b"# new\n", b"# theirs\n", b"# theirs\n# new\n"),
        (b"a\0\n", b"b\0\n", b"c\0\n", None),
    ],
)
def test_replay(ws: Workspace, old: bytes | None, new: bytes, current: bytes | None, expected: bytes | None) -> None:
    repository = ws.require_repository()
    assert replay_in(ws)(A, old, new, current) == expected
    assert not list(repository.own_dir.glob("merge-*"))
