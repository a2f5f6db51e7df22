"""The merge driver: real git calls it, from configurations and folders with difficult names."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from memsite.config import Config
from memsite.memory.changeset import Append
from memsite.repo.merge import (
    ATTRIBUTES,
    attribute_lines,
    install_merge_driver,
    merge_driver_status,
    merge_file,
    merge_text,
    plan_merge_attributes,
)
from memsite.repo.workspace import Workspace, open_workspace
from tests.conftest import Git
from tests.repo.conftest import write_files

PROGRAM = Path(sys.executable).with_name("memsite")
LOG = "memory/sessions/2025-03-20.md"
HEADER = "# Session Log — 2025-03-20\n\n"


def session(name: str, minute: int) -> str:
    facts = f"- **Topic:** {name}\n- **Messages:** 1 user / 1 assistant\n"
    return f"### 09:{minute:02}\n<!-- memsite:session id={name} -->\n{facts}\n"


def attributes(config: Config = Config()) -> str:  # noqa: B008 - a frozen value
    [change] = plan_merge_attributes(None, config).changes
    assert isinstance(change, Append)
    return change.data.decode()


def branches(git: Git, root: Path, path: str, base: str, ours: str, theirs: str) -> None:
    """A file as two branches have it; `main` is checked out, `theirs` is the other."""
    write_files(root, {path: base})
    git("add", "-A", cwd=root)
    git("commit", "-qm", "base", cwd=root)
    git("checkout", "-qb", "theirs", cwd=root)
    write_files(root, {path: theirs})
    git("commit", "-qam", "theirs", cwd=root)
    git("checkout", "-q", "main", cwd=root)
    write_files(root, {path: ours})
    git("commit", "-qam", "ours", cwd=root)


def test_git_merges_session_logs_with_the_driver(ws: Workspace, git: Git) -> None:
    assert install_merge_driver(ws, PROGRAM)
    assert not install_merge_driver(ws, PROGRAM)
    write_files(ws.root, {str(ATTRIBUTES): attributes()})
    base = HEADER + session("a", 1)
    branches(git, ws.root, LOG, base, base + session("c", 3), base + session("b", 2))
    git("merge", "-q", "--no-edit", "theirs", cwd=ws.root)
    assert (ws.root / LOG).read_text("utf-8") == base + session("b", 2) + session("c", 3)


def test_git_shows_the_conflict_that_the_driver_left(ws: Workspace, git: Git) -> None:
    install_merge_driver(ws, PROGRAM)
    base = "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n  - Status: active\n"
    write_files(ws.root, {str(ATTRIBUTES): attributes()})
    ours, theirs = (
        base.replace("active", "paused"),
        base.replace("active", "completed").replace("20]", "20, 2025-03-21]"),
    )
    branches(git, ws.root, "memory/INDEX.md", base, ours, theirs)
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "-q", "--no-edit", "theirs", cwd=ws.root)
    text = (ws.root / "memory/INDEX.md").read_text("utf-8")
    assert "=======\n  - Status: completed\n>>>>>>> theirs\n" in text
    assert "[2025-03-20, 2025-03-21]" in text
    assert "UU memory/INDEX.md" in git("status", "--porcelain", cwd=ws.root)


@pytest.mark.parametrize("folder", ["my memory", 'a "b" %O', "it's $(x)", "glob*[1]", "记忆"])
def test_names_with_spaces_and_quotes(tmp_path: Path, git: Git, workspace: Path, folder: str) -> None:
    root = workspace / folder
    config = f'memory = """{folder} notes"""\n'
    write_files(root, {"memsite.toml": config, f"{folder} notes/x.md": "x\n"})
    program = tmp_path / f"bin {folder}" / "memsite"
    write_files(program.parent, {"memsite": f"#!/bin/sh\nexec '{PROGRAM}' \"$@\"\n"})
    program.chmod(0o755)
    ws = open_workspace(root)
    write_files(root, {str(ATTRIBUTES): attributes(ws.config)})
    install_merge_driver(ws, program)
    base = HEADER + session("a", 1)
    path = f"{folder}/{folder} notes/sessions/2025-03-20.md"
    branches(git, workspace, path, base, base + session("c", 3), base + session("b", 2))
    assert merge_driver_status(ws).problem == ""
    git("merge", "-q", "--no-edit", "theirs", cwd=workspace)
    assert (workspace / path).read_text("utf-8") == base + session("b", 2) + session("c", 3)


@pytest.mark.parametrize("program", ["gone", "broken"])
def test_a_program_that_is_gone_or_fails_leaves_gits_own_merge(
    ws: Workspace, git: Git, tmp_path: Path, program: str
) -> None:
    write_files(tmp_path, {"broken": "#!/bin/sh\nexit 1\n"})
    (tmp_path / "broken").chmod(0o755)
    install_merge_driver(ws, tmp_path / program)
    write_files(ws.root, {str(ATTRIBUTES): attributes()})
    base = HEADER + session("a", 1)
    branches(git, ws.root, LOG, base, base + session("c", 3), base + session("b", 2))
    assert ("is gone" in merge_driver_status(ws).problem) is (program == "gone")
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "-q", "--no-edit", "theirs", cwd=ws.root)
    text = (ws.root / LOG).read_text("utf-8")
    assert "id=b" in text
    assert "id=c" in text


def test_linked_work_trees_use_it_too(ws: Workspace, git: Git, tmp_path: Path) -> None:
    install_merge_driver(ws, PROGRAM)
    write_files(ws.root, {str(ATTRIBUTES): attributes()})
    base = HEADER + session("a", 1)
    branches(git, ws.root, LOG, base, base + session("c", 3), base + session("b", 2))
    git("worktree", "add", "-q", "-b", "linked", str(tmp_path / "linked"), cwd=ws.root)
    git("merge", "-q", "--no-edit", "theirs", cwd=tmp_path / "linked")
    assert (tmp_path / "linked" / LOG).read_text("utf-8") == base + session("b", 2) + session("c", 3)


def test_status_says_what_is_missing(ws: Workspace, git: Git) -> None:
    assert merge_driver_status(ws).problem == ""
    write_files(ws.root, {str(ATTRIBUTES): attributes()})
    status = merge_driver_status(ws)
    assert status.named
    assert "plain text" in status.problem
    install_merge_driver(ws, PROGRAM)
    assert merge_driver_status(ws).problem == ""
    (ws.root / ATTRIBUTES).unlink()
    assert "does not name it" in merge_driver_status(ws).problem


def test_attributes_are_appended_once_and_what_is_there_stays() -> None:
    assert attributes().splitlines() == ["/memory/sessions/*.md merge=memsite", "/memory/*.md merge=memsite"]
    [change] = plan_merge_attributes(b"* text=auto\r\n/memory/*.md merge=memsite", Config()).changes
    assert isinstance(change, Append)
    assert change.data == b"/memory/sessions/*.md merge=memsite\r\n"
    assert not plan_merge_attributes(attributes().encode(), Config())


def test_attribute_lines_of_other_layouts() -> None:
    root = replace(Config(), memory=PurePosixPath("."), index_file=PurePosixPath("meta/IN*DEX.md"))
    assert attribute_lines(root) == (
        "/sessions/*.md merge=memsite",
        "/*.md merge=memsite",
        "/meta/IN\\*DEX.md merge=memsite",
    )
    assert attribute_lines(Config(), PurePosixPath("a b"))[1] == '"/a b/memory/*.md" merge=memsite'


def test_merge_file_chooses_by_the_path(tmp_path: Path) -> None:
    base = HEADER + session("a", 1)
    texts = {"base": base, "ours": base + session("c", 3), "theirs": base + session("b", 2)}
    for name, is_merged in ((LOG, True), ("memory/CURRENT_STATE.md", False), ("sessions/2025-03-20.md", False)):
        write_files(tmp_path, texts)
        files = [tmp_path / file for file in ("base", "ours", "theirs")]
        assert merge_file(files[0], files[1], files[2], name, Config()) is is_merged
        assert ("<<<<<<< ours" in files[1].read_text("utf-8")) is not is_merged


def test_text_that_is_none_keeps_ours_in_conflict() -> None:
    assert merge_text(b"a\0", b"b\0", b"c\0") == (b"b\0", True)
    assert merge_text(b"1\n2\n3\n", b"0\n2\n3\n", b"1\n2\n4\n") == (b"0\n2\n4\n", False)
