"""What memsite commits is what `git add` would have stored: line ends, encodings, `$Id$` and the mode of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from memsite.errors import PendingError
from memsite.repo.pending import commit_pending, uncommitted
from memsite.repo.transaction import pending_operations
from memsite.repo.workspace import Workspace
from tests.conftest import Git
from tests.repo.conftest import NOW, append, commit, write_files

NOTE = "memory/2025-03-20.md"
CRLF = b"# Day\r\n\r\n$Id: 123 $ a word\r\n"
MIXED = b"# Day\r\n\none\r\n"
BINARY = b"# Day\r\n\0\r\n"
UTF_16 = "# Tag\r\n\r\n記憶\r\n".encode("utf-16")

WAYS = {
    "text": ("*.md text", "", CRLF),
    "text, mixed": ("*.md text", "", MIXED),
    "auto": ("* text=auto", "", CRLF),
    "auto, binary": ("* text=auto", "", BINARY),
    "eol=lf": ("*.md eol=lf", "", CRLF),
    "eol=crlf": ("*.md text eol=crlf", "", CRLF),
    "eol=crlf, LF": ("*.md text eol=crlf", "", b"# Day\n"),
    "crlf": ("*.md crlf", "", CRLF),
    "-text": ("*.md -text eol=lf", "core.autocrlf=true", CRLF),
    "autocrlf": ("", "core.autocrlf=true", CRLF),
    "autocrlf=input": ("", "core.autocrlf=input", CRLF),
    "autocrlf=false": ("", "core.autocrlf=false", CRLF),
    "UTF-16": ("*.md working-tree-encoding=UTF-16", "", UTF_16),
    "UTF-16, text": ("*.md text working-tree-encoding=UTF-16", "", UTF_16),
    "UTF-8": ("*.md working-tree-encoding=UTF-8", "", CRLF),
    "ident": ("*.md ident", "", CRLF),
    "program": ("", "", b"#!/bin/sh\n"),
    "program, no file modes": ("", "core.fileMode=false", b"#!/bin/sh\n"),
}


def set_up(ws: Workspace, git: Git, way: str) -> bytes:
    attributes, setting, content = WAYS[way]
    write_files(ws.root, {".gitattributes": f"{attributes}\n"})
    git("add", ".gitattributes", cwd=ws.root)
    git("commit", "-qm", "attributes", cwd=ws.root)
    for one in filter(None, ("core.autocrlf=false", setting)):  # hostile settings say something else
        git("config", *one.split("="), cwd=ws.root)
    return content


def added(root: Path, git: Git, tmp_path: Path, *paths: str) -> str:
    """What `git add` makes of files, beside the real stage."""
    stage = tmp_path / "stage"
    stage.write_bytes((root / ".git/index").read_bytes())
    git("-c", "core.safecrlf=false", "add", *paths, cwd=root, GIT_INDEX_FILE=str(stage))
    return git("ls-files", "-s", *paths, cwd=root, GIT_INDEX_FILE=str(stage))


def in_head(root: Path, git: Git, *paths: str) -> str:
    """HEAD's version of files, as `ls-files -s` writes it."""
    return "".join(
        line.replace(" blob ", " ").replace("\t", " 0\t")
        for line in git("ls-tree", "HEAD", *paths, cwd=root).splitlines(keepends=True)
    )


@pytest.mark.parametrize("way", WAYS)
def test_what_agents_write_is_committed_as_git_add_would(ws: Workspace, git: Git, tmp_path: Path, way: str) -> None:
    content = set_up(ws, git, way)
    write_files(ws.root, {NOTE: content, "memory/other.markdown": b"plain\n"})
    if "program" in way:
        (ws.root / NOTE).chmod(0o755)
    expected = added(ws.root, git, tmp_path, NOTE, "memory/other.markdown")
    assert len(commit_pending(ws, now=NOW)) == 2
    assert in_head(ws.root, git, NOTE, "memory/other.markdown") == expected
    assert git("status", "--porcelain", cwd=ws.root) == ""
    assert commit_pending(ws, now=NOW) == ()
    write_files(ws.root, {NOTE: content + ("mehr\r\n".encode("utf-16-le") if "UTF-16" in way else b"more\r\n")})
    expected = added(ws.root, git, tmp_path, NOTE)
    assert len(commit_pending(ws, now=NOW)) == 1
    assert in_head(ws.root, git, NOTE) == expected
    assert git("status", "--porcelain", cwd=ws.root) == ""
    assert git("diff", "HEAD~1", "--shortstat", cwd=ws.root).strip().startswith("1 file changed, 1 insertion(+)") or (
        way == "auto, binary"
    )


@pytest.mark.parametrize("way", ["text", "auto", "eol=crlf", "autocrlf", "ident", "program"])
def test_so_is_what_memsite_writes_into_it(ws: Workspace, git: Git, tmp_path: Path, way: str) -> None:
    content = set_up(ws, git, way)
    write_files(ws.root, {NOTE: content + b"by memsite\r\n"})
    if way == "program":
        (ws.root / NOTE).chmod(0o755)
    expected = added(ws.root, git, tmp_path, NOTE)
    write_files(ws.root, {NOTE: content})
    commit(ws, append(NOTE, "by memsite\r\n"))
    assert (ws.root / NOTE).read_bytes() == content + b"by memsite\r\n"
    assert in_head(ws.root, git, NOTE) == expected
    assert git("status", "--porcelain", cwd=ws.root) == ""


@pytest.mark.parametrize("way", ["auto", "autocrlf"])
def test_line_ends_that_git_has_already_stay_where_it_only_guesses(
    ws: Workspace, git: Git, tmp_path: Path, way: str
) -> None:
    write_files(ws.root, {NOTE: CRLF})
    git("-c", "core.autocrlf=false", "add", NOTE, cwd=ws.root)
    git("commit", "-qm", "as it is", cwd=ws.root)
    set_up(ws, git, way)
    write_files(ws.root, {NOTE: CRLF + b"more\r\n"})
    expected = added(ws.root, git, tmp_path, NOTE)
    assert len(commit_pending(ws, now=NOW)) == 1
    assert in_head(ws.root, git, NOTE) == expected
    assert git("status", "--porcelain", cwd=ws.root) == ""


def test_what_the_user_has_staged_as_it_is_on_disk_is_not_left_to_them(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {NOTE: set_up(ws, git, "text")})
    git("-c", "core.safecrlf=false", "add", NOTE, cwd=ws.root)
    assert uncommitted(ws).left_to_user == ()
    assert len(commit_pending(ws, now=NOW)) == 1
    assert git("status", "--porcelain", cwd=ws.root) == ""


@pytest.mark.parametrize("content", [None, UTF_16])
def test_memsite_writes_into_no_file_of_another_encoding(ws: Workspace, git: Git, content: bytes | None) -> None:
    set_up(ws, git, "UTF-16")
    if content:
        write_files(ws.root, {NOTE: content})
    with pytest.raises(PendingError, match="UTF-16"):
        commit(ws, append(NOTE, "by memsite\n"))
    assert (ws.root / NOTE).read_bytes() == content if content else not (ws.root / NOTE).exists()
    assert len(pending_operations(ws)) == 1


def test_what_is_not_in_its_encoding_is_held_back_and_said(ws: Workspace, git: Git) -> None:
    set_up(ws, git, "UTF-16")
    write_files(ws.root, {NOTE: b"plain\n", "memory/other.md": UTF_16})
    assert [one.message for one in commit_pending(ws, now=NOW)] == ["note: other.md"]
    held = uncommitted(ws).held_back
    assert [str(one.path) for one in held] == [NOTE]
    assert "UTF-16" in held[0].message
