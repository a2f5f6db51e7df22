"""Files that git keeps in another form (git-crypt, LFS): memsite commits that form, and never the plain one."""

from __future__ import annotations

import codecs
import subprocess
from datetime import date, time
from pathlib import Path, PurePosixPath

import pytest

from memsite.errors import PendingError
from memsite.memory.model import SessionEntry
from memsite.memory.session_log import plan_session_entry
from memsite.repo.guard import check_history, check_staged
from memsite.repo.pending import commit_pending, uncommitted
from memsite.repo.transaction import pending_operations, transact
from memsite.repo.workspace import Workspace, open_workspace
from tests.conftest import Git, Run
from tests.repo.conftest import NOW, append, commit, write_files
from tests.repo.test_sync import Machine, clone

NOTE = "memory/2025-03-20.md"
LOG = PurePosixPath("memory/sessions/2025-03-20.md")
SECRET = "Kingfisher"
ROT = "tr A-Za-z N-ZA-Mn-za-m"


def set_filter(git: Git, root: Path, clean: str = ROT, smudge: str = ROT) -> None:
    for name, command in (("clean", clean), ("smudge", smudge)):
        if command:
            git("config", f"filter.rot.{name}", command, cwd=root)


@pytest.fixture
def root(workspace: Path, git: Git) -> Path:
    """A workspace whose memory git is to have turned by 13 letters."""
    write_files(workspace, {".gitattributes": "/memory/** filter=rot\n"})
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "attributes", cwd=workspace)
    set_filter(git, workspace)
    return workspace


def in_git(root: Path, path: PurePosixPath | str, revision: str = "HEAD") -> str:
    blob = subprocess.check_output(["git", "cat-file", "blob", f"{revision}:{path}"], cwd=root)
    return codecs.decode(blob.decode(), "rot13")


def assert_never_plain(root: Path) -> None:
    command = ["git", "cat-file", "--batch-all-objects", "--batch", "--unordered"]
    assert SECRET.encode() not in subprocess.check_output(command, cwd=root)


def log(ws: Workspace, name: str) -> None:
    entry = SessionEntry(time(9), f"{SECRET} {name}", 1, 1, 10, session_id=name)
    transact(ws, lambda reader: [plan_session_entry(reader.read(LOG), LOG, date(2025, 3, 20), entry)], now=NOW)


def test_what_agents_write_is_committed_in_its_other_form(root: Path, git: Git) -> None:
    ws = open_workspace(root)
    write_files(root, {NOTE: f"# Day\n\n{SECRET}\n", "memory/INDEX.md": "# Memory Index\n"})
    assert len(commit_pending(ws, now=NOW)) == 2
    assert in_git(root, NOTE) == (root / NOTE).read_text() == f"# Day\n\n{SECRET}\n"
    assert git("status", "--porcelain", cwd=root) == ""
    assert commit_pending(ws, now=NOW) == ()
    assert_never_plain(root)


def test_an_unchanged_file_is_not_filtered_again(root: Path, git: Git) -> None:
    ws = open_workspace(root)
    write_files(root, {NOTE: f"{SECRET}\n"})
    commit_pending(ws, now=NOW)
    commit_pending(ws, now=NOW)
    set_filter(git, root, clean="false")
    write_files(root, {"README.md": "else\n"})
    assert uncommitted(ws).held_back == ()
    write_files(root, {NOTE: f"{SECRET} more\n"})
    assert [one.path for one in uncommitted(ws).held_back] == [PurePosixPath(NOTE)]


def test_what_memsite_writes_is_committed_in_its_other_form(root: Path, git: Git) -> None:
    ws = open_workspace(root)
    for name in ("one", "two"):
        log(ws, name)
        commit(ws, append(NOTE, f"{SECRET} {name}\n"))
    assert in_git(root, LOG) == (root / LOG).read_text("utf-8")
    assert in_git(root, LOG).count("memsite:session") == 2
    assert in_git(root, NOTE) == f"{SECRET} one\n{SECRET} two\n"
    messages = git("log", "--format=%B", cwd=root)
    assert "session: 2025-03-20.md\n\nday: 2025-03-20\nid: two\n" in messages
    assert SECRET not in (root / ".git/logs/HEAD").read_text()
    assert git("status", "--porcelain", cwd=root) == ""
    assert_never_plain(root)


@pytest.mark.parametrize("broken", ["", "false", "cat; exit 1"])
def test_without_its_filter_nothing_is_committed_and_the_entry_is_kept(root: Path, git: Git, broken: str) -> None:
    ws = open_workspace(root)
    git("config", "--remove-section", "filter.rot", cwd=root)
    if broken:
        set_filter(git, root, clean=broken)
    write_files(root, {"memory/other.md": f"{SECRET}\n", "MEMORY.md": "plain\n"})
    with pytest.raises(PendingError, match="'rot'"):
        commit(ws, append(NOTE, f"{SECRET}\n"))
    assert [one.message for one in commit_pending(ws, now=NOW)] == ["note: MEMORY.md"]
    assert [str(one.path) for one in uncommitted(ws).held_back] == ["memory/other.md"]
    assert len(pending_operations(ws)) == 1
    assert_never_plain(root)
    set_filter(git, root)
    assert len(commit_pending(ws, now=NOW)) == 2
    assert in_git(root, NOTE) == in_git(root, "memory/other.md") == f"{SECRET}\n"
    assert_never_plain(root)


def test_the_command_line_says_which_filter_is_missing(root: Path, git: Git, memsite: Run) -> None:
    git("config", "--remove-section", "filter.rot", cwd=root)
    write_files(root, {"memory/other.md": f"{SECRET}\n"})
    kept = memsite("note", SECRET)
    assert kept.code == 3
    assert f"{NOTE}: git is to filter it through 'rot', which is not set up in this clone" in kept.err
    assert "memory/other.md: not committed: git is to filter it" in memsite("commit").err
    assert memsite("check").code == 1


@pytest.mark.parametrize("place", ["info", "user", "folder", "macro"])
def test_every_attribute_file_counts(workspace: Path, git: Git, sealed_environment: Path, place: str) -> None:
    line = "*.md filter=rot\n"
    set_filter(git, workspace)
    if place == "info":
        write_files(workspace / ".git/info", {"attributes": line})
    elif place == "user":
        write_files(sealed_environment / ".config/git", {"attributes": line})
        git("config", "core.attributesFile", "~/.config/git/attributes", cwd=workspace)  # hostile settings name another
    elif place == "folder":
        write_files(workspace, {"memory/.gitattributes": line})
    else:
        write_files(workspace, {".gitattributes": "[attr]hidden filter=rot\n*.md hidden\n"})
    commit(open_workspace(workspace), append(NOTE, f"{SECRET}\n"))
    assert in_git(workspace, NOTE) == f"{SECRET}\n"
    assert_never_plain(workspace)


def test_attributes_that_are_staged_alone_count(root: Path) -> None:
    """git's own `hash-object` does not see them, and stores the content as it is."""
    (root / ".gitattributes").unlink()
    with pytest.raises(PendingError, match=r"git restore \.gitattributes"):
        commit(open_workspace(root), append(NOTE, f"{SECRET}\n"))
    write_files(root, {"memory/other.md": f"{SECRET}\n"})
    assert [str(one.path) for one in uncommitted(open_workspace(root)).held_back] == ["memory/other.md"]
    assert_never_plain(root)


def test_what_the_user_has_staged_of_the_same_file_stays_theirs(root: Path, git: Git) -> None:
    ws = open_workspace(root)
    commit(ws, append(NOTE, "".join(f"line {number}\n" for number in range(20))))
    text = (root / NOTE).read_text()
    (root / NOTE).write_text(text.replace("line 2\n", f"the user's {SECRET}\n"))
    git("add", "memory", cwd=root)
    commit(ws, append(NOTE, f"{SECRET}\n"))
    assert in_git(root, NOTE) == f"{text}{SECRET}\n"
    assert in_git(root, NOTE, "") == (root / NOTE).read_text()
    git("commit", "-qm", "the user's", cwd=root)
    assert in_git(root, NOTE) == (root / NOTE).read_text()
    assert git("status", "--porcelain", cwd=root) == ""
    assert_never_plain(root)


def test_the_rules_hold_for_what_is_in_it(root: Path) -> None:
    ws = open_workspace(root)
    generation = "memory/consolidated/blog-gen1-2025-03-25.md"
    sections = "".join(f"## {name}\nx\n\n" for name in ("Summary", "Key Points", "Decisions Made", "Current Status"))
    index = "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n"
    write_files(root, {generation: f"# Blog\n\n{sections}## Source References\nx\n", "memory/INDEX.md": index})
    assert commit_pending(ws, now=NOW)
    assert uncommitted(ws).held_back == ()
    write_files(root, {generation: "# Another\n", "memory/INDEX.md": "# Memory Index\n"})
    assert commit_pending(ws, now=NOW) == ()
    assert [str(one.path) for one in uncommitted(ws).held_back] == ["memory/INDEX.md", generation]


def test_the_hook_reads_an_index_that_git_has_in_another_form(root: Path, git: Git) -> None:
    write_files(root, {"memory/INDEX.md": "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n"})
    git("add", "-A", cwd=root)
    git("commit", "-qm", "index", cwd=root)
    write_files(root, {"memory/INDEX.md": "# Memory Index\n"})
    git("add", "-A", cwd=root)
    (found,) = check_staged(open_workspace(root))
    assert "'blog' is removed" in found.message
    git("commit", "-qm", "gutted", cwd=root)
    assert [one.message for one in check_history(open_workspace(root))] == [found.message]


def test_a_filter_that_makes_another_form_each_time_makes_no_commit_each_time(root: Path, git: Git) -> None:
    ws = open_workspace(root)
    set_filter(git, root, clean="cat; od -An -N8 -tx8 /dev/urandom", smudge="sed '$d'")
    write_files(root, {NOTE: "a note\n"})
    assert len(commit_pending(ws, now=NOW)) == 1
    assert commit_pending(ws, now=NOW) == ()
    commit(ws, append(NOTE, "more\n"))
    assert git("rev-list", "--count", "HEAD", cwd=root).strip() == "4"
    assert commit_pending(ws, now=NOW) == ()


def test_a_driver_that_only_smudges_leaves_contents_as_they_are(root: Path, git: Git) -> None:
    git("config", "--unset", "filter.rot.clean", cwd=root)
    commit(open_workspace(root), append(NOTE, "a note\n"))
    assert git("show", f"HEAD:{NOTE}", cwd=root) == "a note\n"


def test_a_driver_that_only_cleans_does(root: Path, git: Git) -> None:
    git("config", "--unset", "filter.rot.smudge", cwd=root)
    ws = open_workspace(root)
    for text in ("a\n", "b\n"):
        commit(ws, append(NOTE, text))
    assert in_git(root, NOTE) == "a\nb\n"
    assert commit_pending(ws, now=NOW) == ()


def test_a_process_filter_is_run(root: Path, git: Git, tmp_path: Path) -> None:
    git("config", "--remove-section", "filter.rot", cwd=root)
    program = tmp_path / "filter.py"
    program.write_text(PROCESS, encoding="utf-8")
    git("config", "filter.rot.process", f"python3 {program}", cwd=root)
    ws = open_workspace(root)
    write_files(root, {"memory/other.md": f"{SECRET}\n"})
    commit(ws, append(NOTE, f"{SECRET}\n"))
    commit_pending(ws, now=NOW)
    assert in_git(root, NOTE) == in_git(root, "memory/other.md") == f"{SECRET}\n"
    assert_never_plain(root)


@pytest.mark.parametrize("locked", [False, True])
def test_two_machines_merge_what_is_in_it(root: Path, git: Git, locked: bool) -> None:
    git("init", "-q", "--bare", "-b", "main", "remote.git")
    remote = root.parent / "remote.git"
    git("remote", "add", "origin", str(remote), cwd=root)
    ada = Machine(open_workspace(root))
    ada.note(SECRET, 20)
    ada.index("blog", 20)
    git("push", "-q", "-u", "origin", "main", cwd=root)
    ada.sync()
    grace = clone(git, remote, "grace")
    set_filter(git, grace.root)
    git("rm", "-q", "--cached", "-r", ".", cwd=grace.root)
    git("reset", "-q", "--hard", cwd=grace.root)
    for machine, name in ((ada, "ada"), (grace, "grace")):
        machine.log(name)
        machine.note(f"{SECRET} of {name}", 20)
        machine.index(name, 25)
        machine.consolidate("blog", f"{SECRET} of {name}", 21)
    ada.sync()
    if locked:
        commit_pending(grace.ws, now=NOW)
        git("config", "--remove-section", "filter.rot", cwd=grace.root)
        before = git("rev-parse", "HEAD", cwd=grace.root)
        with pytest.raises(PendingError, match="'rot'"):
            grace.sync()
        assert git("rev-parse", "HEAD", cwd=grace.root) == before
        return
    grace.sync()
    ada.sync()
    for machine in (ada, grace):
        assert machine.read("memory/sessions/2025-03-25.md").count("memsite:session") == 2
        assert machine.read("memory/2025-03-20.md").count(SECRET) == 3
        assert machine.problems() == ()
        assert machine.generations() == ["blog-gen1-2025-03-21.md", "blog-gen2-2025-03-21.md"]
        assert "Generation 2" in machine.read("memory/consolidated/blog-gen2-2025-03-21.md")
        assert git("status", "--porcelain", cwd=machine.root) == ""
        assert_never_plain(machine.root)


PROCESS = """
import codecs, sys

def read():
    size = sys.stdin.buffer.read(4)
    if not size:
        sys.exit()
    return None if size == b"0000" else sys.stdin.buffer.read(int(size, 16) - 4)

def read_list():
    return list(iter(read, None))

def write(*lines):
    for line in lines:
        sys.stdout.buffer.write(b"%04x" % (len(line) + 4) + line)
    sys.stdout.buffer.write(b"0000")
    sys.stdout.buffer.flush()

read_list()
write(b"git-filter-server", b"version=2")
read_list()
write(b"capability=clean", b"capability=smudge")
while True:
    read_list()
    data = b"".join(read_list()).decode()
    write(b"status=success")
    write(*[codecs.encode(data, "rot13").encode()] if data else [])
    write()
"""
