"""`sync` between two clones and a bare remote: nothing of either machine is lost, nothing of the user's is touched."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path, PurePosixPath

import pytest

from memsite.errors import MemsiteError, PendingError, RefusedError
from memsite.memory.index_edit import add_topic, touch_topic
from memsite.memory.lineage import load_memory
from memsite.memory.model import Problem, SessionEntry
from memsite.memory.names import session_log_path
from memsite.memory.planning import plan_consolidation
from memsite.memory.session_log import plan_session_entry
from memsite.repo import upstream
from memsite.repo.adopt import adopt, recover
from memsite.repo.guard import check_history
from memsite.repo.history import read_history
from memsite.repo.left_behind import find_left_behind
from memsite.repo.pending import commit_pending
from memsite.repo.snapshots import read_worktree
from memsite.repo.sync import SyncResult, sync
from memsite.repo.transaction import transact
from memsite.repo.workspace import Workspace, open_workspace
from tests.conftest import Git
from tests.repo.conftest import NOW, write_files

PROGRAM = Path(sys.executable).with_name("memsite")
DAY = date(2025, 3, 25)
BODY = """## Summary
The story of {0}.

## Key Points
- A point of {0} [2025-03-20]

## Decisions Made
- None.

## Current Status
Going on.
"""


@dataclass(frozen=True)
class Machine:
    """A clone, and what its agent does there."""

    ws: Workspace

    @property
    def root(self) -> Path:
        return self.ws.root

    def sync(self, remote: str | None = None) -> SyncResult:
        return sync(self.ws, now=NOW, remote=remote, program=PROGRAM)

    def log(self, name: str, minute: int = 0) -> None:
        path = session_log_path(PurePosixPath("memory"), DAY)
        entry = SessionEntry(time(9, minute), f"About {name}", 2, 2, 40, name, "claude-code")
        transact(self.ws, lambda reader: [plan_session_entry(reader.read(path), path, DAY, entry)], now=NOW)

    def note(self, text: str, day: int = 25) -> None:
        """As an agent does: without memsite's lock or commit."""
        path = self.root / f"memory/2025-03-{day}.md"
        before = path.read_text("utf-8") if path.exists() else f"# 2025-03-{day}\n"
        path.write_text(f"{before}\n{text}\n", encoding="utf-8")

    def index(self, slug: str, *days: int) -> None:
        path = self.root / "memory/INDEX.md"
        data = path.read_bytes() if path.exists() else None
        dates = [date(2025, 3, day) for day in days]
        if data is None or f"**{slug}**".encode() not in data:
            path.write_bytes(add_topic(data, slug, "Projects", dates, config=self.ws.config))
        else:
            path.write_bytes(touch_topic(data, slug, dates, config=self.ws.config))

    def consolidate(self, slug: str, words: str, day: int = 25) -> None:
        today = date(2025, 3, day)

        def plan(reader: object) -> list[object]:
            memory = load_memory(read_worktree(self.ws), self.ws.config)
            return [plan_consolidation(memory, slug, BODY.format(words), today, self.ws.config, known_numbers=())]

        transact(self.ws, plan, now=NOW)  # type: ignore[arg-type] # the plan reads the work tree itself

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def problems(self) -> tuple[Problem, ...]:
        return load_memory(read_worktree(self.ws), self.ws.config).problems

    def generations(self) -> list[str]:
        return sorted(path.name for path in (self.root / "memory/consolidated").iterdir())


@pytest.fixture
def remote(tmp_path: Path, git: Git) -> Path:
    git("init", "-q", "--bare", "-b", "main", "remote.git")
    return tmp_path / "remote.git"


def clone(git: Git, remote: Path, name: str) -> Machine:
    root = remote.parent / name
    git("clone", "-q", str(remote), name)
    git("config", "user.name", name.title(), cwd=root)
    git("config", "user.email", f"{name}@example.org", cwd=root)
    return Machine(open_workspace(root))


@pytest.fixture
def ada(git: Git, remote: Path, workspace: Path) -> Machine:
    git("remote", "add", "origin", str(remote), cwd=workspace)
    write_files(workspace, {"memory/2025-03-20.md": "# 2025-03-20\n\nBegun.\n", "code.py": "1\n2\n3\n4\n5\n"})
    machine = Machine(open_workspace(workspace))
    git("add", "code.py", cwd=workspace)
    git("commit", "-qm", "code", cwd=workspace)
    machine.index("blog", 20)
    git("push", "-q", "-u", "origin", "main", cwd=workspace)
    machine.sync()
    return machine


@pytest.fixture
def grace(git: Git, remote: Path, ada: Machine) -> Machine:
    return clone(git, remote, "grace")


def head(git: Git, folder: Path, revision: str = "HEAD") -> str:
    return git("rev-parse", revision, cwd=folder).strip()


def clean(machine: Machine) -> None:
    """`check` has nothing to say, and git neither."""
    assert machine.problems() == ()
    assert [one for one in check_history(machine.ws) if not one.warning] == []


def test_what_both_machines_did_is_on_both(ada: Machine, grace: Machine, remote: Path, git: Git) -> None:
    ada.log("a", 5)
    ada.note("Ada was here.")
    ada.index("blog", 25)
    ada.index("app", 25)
    grace.log("g", 1)
    grace.note("Grace was here.")
    grace.index("blog", 24)
    grace.index("zoo", 25)
    assert ada.sync().sent == 3
    result = grace.sync()
    assert (result.received, result.sent, result.upstream) == (3, 4, "origin/main")
    assert [one.message for one in result.committed] == ["note: 2025-03-25", "index: add zoo; dates of blog"]
    assert ada.sync().received == 4
    assert head(git, ada.root) == head(git, grace.root) == head(git, remote, "main") == result.head
    for machine in (ada, grace):
        text = machine.read("memory/sessions/2025-03-25.md")
        assert (text.count("id=a"), text.count("id=g")) == (1, 1)
        assert machine.read("memory/2025-03-25.md") == "# 2025-03-25\n\nAda was here.\n\nGrace was here.\n"
        assert "- Dates: [2025-03-20, 2025-03-24, 2025-03-25]" in machine.read("memory/INDEX.md")
        assert git("status", "--porcelain", cwd=machine.root) == ""
        clean(machine)
    assert git("log", "-1", "--format=%s|%an|%cn", cwd=ada.root).strip() == "sync: merge origin/main|Grace|Grace"


def test_it_changes_nothing_the_second_time(ada: Machine, grace: Machine, git: Git) -> None:
    grace.log("g")
    first = grace.sync()
    assert (first.received, first.sent) == (0, 1)
    second = grace.sync()
    assert (second.head, second.received, second.sent, second.committed) == (first.head, 0, 0, ())
    assert (ada.sync().received, ada.sync().received) == (1, 0)
    assert head(git, ada.root) == first.head


def test_it_needs_neither_the_attributes_nor_the_driver_of_the_clone(ada: Machine, grace: Machine, git: Git) -> None:
    assert not (grace.root / ".gitattributes").exists()
    git("config", "core.attributesFile", str(grace.root / "none"), cwd=grace.root)
    ada.log("a")
    ada.sync()
    grace.log("g")
    grace.sync()
    assert "<<<<" not in grace.read("memory/sessions/2025-03-25.md")


def test_the_users_code_is_merged_as_well(ada: Machine, grace: Machine, git: Git) -> None:
    write_files(ada.root, {"code.py": "one\n2\n3\n4\n5\n"})
    git("commit", "-qam", "one", cwd=ada.root)
    ada.sync()
    write_files(grace.root, {"code.py": "1\n2\n3\n4\nfive\n"})
    git("commit", "-qam", "five", cwd=grace.root)
    grace.sync()
    assert grace.read("code.py") == "one\n2\n3\n4\nfive\n"


def test_a_conflict_leaves_everything_as_it_was(ada: Machine, grace: Machine, git: Git) -> None:
    write_files(ada.root, {"code.py": "one\n2\n3\n4\n5\n"})
    git("commit", "-qam", "one", cwd=ada.root)
    ada.sync()
    write_files(grace.root, {"code.py": "uno\n2\n3\n4\n5\n"})
    git("commit", "-qam", "uno", cwd=grace.root)
    before = head(git, grace.root)
    with pytest.raises(RefusedError, match=r"code\.py.*git merge origin/main"):
        grace.sync()
    assert head(git, grace.root) == before
    assert git("status", "--porcelain", cwd=grace.root) == ""
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "-q", "origin/main", cwd=grace.root)
    with pytest.raises(RefusedError, match="a merge is under way"):
        grace.sync()
    write_files(grace.root, {"code.py": "eins\n2\n3\n4\n5\n"})
    git("commit", "-qam", "settled", cwd=grace.root)
    assert grace.sync().sent == 2


def test_staged_and_unsaved_work_elsewhere_stays(ada: Machine, grace: Machine, git: Git) -> None:
    ada.log("a")
    ada.sync()
    grace.log("g")
    write_files(grace.root, {"code.py": "1\n2\n3\nfour\n5\n", "new.py": "x\n", "README.md": "# Mine\n"})
    git("add", "code.py", "new.py", cwd=grace.root)
    status = git("status", "--porcelain", cwd=grace.root)
    grace.sync()
    assert (
        git("status", "--porcelain", cwd=grace.root) == status == " M README.md\nM  code.py\nA  new.py\n"[:0] + status
    )
    assert sorted(status.splitlines()) == [" M README.md", "A  new.py", "M  code.py"]
    assert git("show", "--format=", "--name-only", "HEAD^1", cwd=grace.root).split() == [
        "memory/sessions/2025-03-25.md"
    ]


@pytest.mark.parametrize("staged", [False, True])
def test_work_that_the_merge_would_overwrite_refuses_it(
    ada: Machine, grace: Machine, git: Git, *, staged: bool
) -> None:
    write_files(ada.root, {"code.py": "one\n2\n3\n4\n5\n"})
    git("commit", "-qam", "one", cwd=ada.root)
    ada.sync()
    grace.log("g")
    write_files(grace.root, {"code.py": "1\n2\n3\n4\nfive\n"})
    if staged:
        git("add", "code.py", cwd=grace.root)
    before, status = head(git, grace.root), git("status", "--porcelain", cwd=grace.root)
    with pytest.raises(RefusedError, match=r"code\.py.*git stash"):
        grace.sync()
    assert head(git, grace.root) == before
    assert git("status", "--porcelain", cwd=grace.root) == status


@pytest.mark.parametrize(
    ("fetched", "here", "told"),
    [
        ("tool.py", ["tool.py"], "tool.py"),
        ("tool", ["tool/own.py", "tool/deep/too.py"], "tool/deep/too.py"),
        ("tool/a.py", ["tool"], "tool"),
        ("a 'tool'/記.py", ["a 'tool'/記.py"], "a 'tool'/記.py"),
        ("a 'tool'", ["a 'tool'/記.py"], "a 'tool'/記.py"),
    ],
)
def test_an_untracked_file_in_the_way_refuses_it_and_is_named(
    ada: Machine, grace: Machine, git: Git, fetched: str, here: list[str], told: str
) -> None:
    write_files(ada.root, {fetched: "ada\n"})
    git("add", fetched, cwd=ada.root)
    git("commit", "-qm", "tool", cwd=ada.root)
    ada.sync()
    write_files(grace.root, dict.fromkeys(here, "grace\n"))
    before = head(git, grace.root)
    with pytest.raises(RefusedError) as refused:
        grace.sync()
    assert refused.value.where == told
    assert refused.value.hint == "move it elsewhere, or add and commit it, then run `memsite sync` again"
    assert "\n" not in str(refused.value)
    assert [grace.read(name) for name in here] == ["grace\n"] * len(here)
    assert head(git, grace.root) == before
    for name in here:
        (grace.root / name).rename(grace.root.parent / name.replace("/", "-"))
    grace.sync()
    assert grace.read(fetched) == "ada\n"


def test_refusals_in_one_line(ada: Machine, git: Git, tmp_path: Path, workspace: Path) -> None:
    git("checkout", "-qb", "other", cwd=workspace)
    with pytest.raises(RefusedError, match="follows no branch"):
        ada.sync()
    with pytest.raises(RefusedError, match="no remote 'nowhere'"):
        ada.sync("nowhere")
    assert ada.sync("origin").sent == 0
    git("checkout", "-q", "--detach", cwd=workspace)
    with pytest.raises(RefusedError, match="HEAD is on no branch"):
        ada.sync()
    ada.note("waits")
    with pytest.raises(PendingError):
        ada.sync()
    git("checkout", "-q", "main", cwd=workspace)
    git("remote", "remove", "origin", cwd=workspace)
    with pytest.raises(RefusedError, match="no remote to sync with"):
        ada.sync()


def test_a_remote_that_cannot_be_reached_is_said_and_the_entry_is_committed(ada: Machine, git: Git) -> None:
    git("remote", "set-url", "origin", str(ada.root / "gone"), cwd=ada.root)
    ada.note("Kept")
    with pytest.raises(MemsiteError, match="gone"):
        ada.sync()
    assert git("log", "-1", "--format=%s", cwd=ada.root).strip() == "note: 2025-03-25"


def test_the_first_push_makes_the_branch(git: Git, remote: Path, workspace: Path) -> None:
    git("remote", "add", "origin", str(remote), cwd=workspace)
    machine = Machine(open_workspace(workspace))
    machine.log("a")
    assert machine.sync("origin").sent == 2
    assert head(git, remote, "main") == head(git, workspace)


def test_another_machine_that_pushes_in_between_is_merged_too(
    ada: Machine, grace: Machine, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, rounds = upstream.push, [3, 2, 1]

    def push_after_ada(*arguments: object) -> bool:
        if rounds:
            ada.log(f"a{rounds.pop()}", len(rounds))
            git("-c", "core.hooksPath=/dev/null", "pull", "-q", "--rebase", cwd=ada.root)
            git("push", "-q", cwd=ada.root)
        return real(*arguments)  # type: ignore[arg-type] # handed on as they are

    monkeypatch.setattr("memsite.repo.sync.push", push_after_ada)
    grace.log("g", 50)
    result = grace.sync()
    assert result.received == 3
    text = grace.read("memory/sessions/2025-03-25.md")
    assert [text.count(f"id={name} ") for name in ("a1", "a2", "a3", "g")] == [1, 1, 1, 1]
    monkeypatch.undo()
    assert ada.sync().head == result.head


def test_what_a_rule_forbids_is_not_pushed(ada: Machine, remote: Path, git: Git) -> None:
    before = head(git, remote, "main")
    secret = "ghp_" + "0123456789abcdefghij" + "ABCDEFGHIJ012345"
    ada.note(f"The token is {secret}")
    with pytest.raises(RefusedError, match=r"nothing was pushed: .*secret") as caught:
        ada.sync()
    assert secret not in str(caught.value)
    assert "memory/2025-03-25.md:3" in str(caught.value)
    assert head(git, remote, "main") == before
    # What the message says to do is enough.
    commands = caught.value.hint.partition("one: ")[2].partition("; then")[0]
    note = ada.root / "memory/2025-03-25.md"
    note.write_text(note.read_text("utf-8").replace(secret, "[gone]"), encoding="utf-8")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["sh", "-c", commands], cwd=ada.root, env=environment, check=True, capture_output=True)
    ada.sync()
    assert secret not in git("log", "-p", "main", cwd=remote)
    assert "[gone]" in git("show", "main:memory/2025-03-25.md", cwd=remote)


def test_a_merge_of_the_users_own_is_checked_as_well(ada: Machine, grace: Machine, remote: Path, git: Git) -> None:
    ada.consolidate("blog", "one")
    ada.sync()
    grace.sync()
    grace.note("Grace")
    ada.note("Ada")
    ada.sync()
    (name,) = grace.generations()
    git("fetch", "-q", cwd=grace.root)
    git("checkout", "-q", "--", ".", cwd=grace.root)
    git("merge", "-q", "--no-commit", "-s", "ours", "origin/main", cwd=grace.root)
    (grace.root / "memory/consolidated" / name).write_text("forged\n", encoding="utf-8")
    git("add", "-A", cwd=grace.root)
    git("commit", "-qm", "evil merge", cwd=grace.root)
    before = head(git, remote, "main")
    with pytest.raises(RefusedError, match="a committed generation is changed"):
        grace.sync()
    assert head(git, remote, "main") == before


def test_git_merges_files_outside_of_the_work_tree(ada: Machine, grace: Machine, git: Git) -> None:
    """Killed in the middle, it leaves nothing there."""
    stand_in = ada.root / ".git/memsite/merging-999999999-x"
    stand_in.mkdir(parents=True)
    for machine, place in ((ada, ada.root), (grace, grace.root)):
        (place / "code.py").write_text(machine.root.name, encoding="utf-8")
        git("add", "code.py", cwd=place)
        git("commit", "-qm", "code", cwd=place)
    seen = ada.root.parent / "seen"
    git("config", "merge.spy.driver", f"ls -a > {seen}; pwd >> {seen}; exit 0", cwd=ada.root)
    (ada.root / ".git/info").mkdir(exist_ok=True)
    (ada.root / ".git/info/attributes").write_text("code.py merge=spy\n", encoding="utf-8")
    grace.sync()
    ada.sync()
    assert ".merge_file_" in seen.read_text("utf-8")
    assert "/.git/memsite/merging-" in seen.read_text("utf-8")
    assert not list((ada.root / ".git/memsite").glob("merging-*"))


def test_attributes_of_every_folder_count_in_a_merge(ada: Machine, grace: Machine, git: Git) -> None:
    for place in (ada.root, grace.root):
        git("config", "merge.mine.driver", "true", cwd=place)
    write_files(ada.root, {"sub/.gitattributes": "*.txt merge=mine\n", "sub/x.txt": "1\n"})
    git("add", "sub", cwd=ada.root)
    git("commit", "-qm", "sub", cwd=ada.root)
    ada.sync()
    grace.sync()
    for machine in (ada, grace):
        (machine.root / "sub/x.txt").write_text(machine.root.name, encoding="utf-8")
        git("commit", "-qam", "sub", cwd=machine.root)
    ada.sync()
    grace.sync()
    assert grace.read("sub/x.txt") == "grace"


def test_the_users_own_pre_push_hook_runs(ada: Machine, git: Git) -> None:
    hook = ada.root / ".git/hooks/pre-push"
    hook.write_text("#!/bin/sh\necho 'no pushing on Fridays' >&2\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    ada.log("a")
    with pytest.raises(RefusedError, match="a pre-push hook refused it: no pushing on Fridays"):
        ada.sync()
    hook.unlink()
    assert ada.sync().sent == 1


def prepared(ada: Machine, grace: Machine) -> None:
    """Both machines have generation 1 and a note of the 22nd for the next one."""
    ada.consolidate("blog", "the beginning", 21)
    ada.note("More.", 22)
    ada.index("blog", 22)
    ada.sync()
    grace.sync()


@pytest.mark.parametrize("day", [25, 26])
def test_two_second_generations_are_settled(ada: Machine, grace: Machine, git: Git, day: int) -> None:
    prepared(ada, grace)
    ada.consolidate("blog", "Ada", 25)
    grace.log("g")
    grace.consolidate("blog", "Grace", day)
    write_files(grace.root, {"code.py": "1\n2\n3\n4\nfive\n"})
    git("commit", "-qam", "five", cwd=grace.root)
    ada.sync()
    result = grace.sync()
    old, new = f"blog-gen2-2025-03-{day}.md", f"blog-gen3-2025-03-{day}.md"
    assert [(one.old_file, one.new_file) for one in result.renumbered] == [(old, new)]
    assert ada.sync().head == result.head
    for machine in (ada, grace):
        assert machine.generations() == ["blog-gen1-2025-03-21.md", "blog-gen2-2025-03-25.md", new]
        text = machine.read(f"memory/consolidated/{new}")
        assert text.startswith("# Blog - Generation 3 Consolidation\n")
        assert "**Previous**: consolidated/blog-gen2-2025-03-25.md\n" in text
        assert "The story of Grace." in text
        assert "The story of Ada." in machine.read("memory/consolidated/blog-gen2-2025-03-25.md")
        note = machine.read("memory/2025-03-22.md")
        assert note.count("blog-gen2-2025-03-25.md") == note.count(new) == 1
        index = machine.read("memory/INDEX.md")
        assert f"    - gen3 (2025-03-{day}): consolidated/{new}\n  - Current: consolidated/{new}\n" in index
        assert index.count("gen2 (") == 1
        assert machine.read("code.py") == "1\n2\n3\n4\nfive\n"
        assert git("status", "--porcelain", cwd=machine.root) == ""
        clean(machine)
    subjects = git("log", "--format=%s|%an", "--first-parent", cwd=grace.root).splitlines()
    assert subjects[:3] == ["sync: merge origin/main|Grace", "five|Grace", "consolidate(blog): gen3|Grace"]
    assert "consolidate(blog): gen2" in {one.subject for one in read_history(grace.ws).commits}


def test_first_generations_of_both_machines_are_settled(ada: Machine, grace: Machine) -> None:
    grace.consolidate("blog", "Grace", 21)
    ada.consolidate("blog", "Ada", 21)
    ada.sync()
    grace.sync()
    assert grace.generations() == ["blog-gen1-2025-03-21.md", "blog-gen2-2025-03-21.md"]
    text = grace.read("memory/consolidated/blog-gen2-2025-03-21.md")
    assert "**Previous**: consolidated/blog-gen1-2025-03-21.md\n\n## Summary" in text
    clean(grace)


def test_a_chain_of_generations_moves_as_a_whole(ada: Machine, grace: Machine) -> None:
    prepared(ada, grace)
    for machine, days in ((ada, (25,)), (grace, (24, 26))):
        for day in days:
            machine.note(f"Word {day}", day)
            machine.index("blog", day)
            machine.consolidate("blog", f"day {day}", day)
    ada.sync()
    grace.sync()
    assert grace.generations() == [
        "blog-gen1-2025-03-21.md",
        "blog-gen2-2025-03-25.md",
        "blog-gen3-2025-03-24.md",
        "blog-gen4-2025-03-26.md",
    ]
    last = grace.read("memory/consolidated/blog-gen4-2025-03-26.md")
    assert "**Previous**: consolidated/blog-gen3-2025-03-24.md" in last
    assert "- gen3: consolidated/blog-gen3-2025-03-24.md" in last
    clean(grace)


def test_generations_that_were_both_pushed_stay_and_check_reports_them(ada: Machine, grace: Machine, git: Git) -> None:
    prepared(ada, grace)
    grace.consolidate("blog", "Grace", 26)
    git("push", "-q", "origin", "main:refs/heads/elsewhere", cwd=grace.root)
    git("fetch", "-q", cwd=grace.root)
    ada.consolidate("blog", "Ada", 25)
    ada.sync()
    assert grace.sync().renumbered == ()
    assert grace.generations()[1:] == ["blog-gen2-2025-03-25.md", "blog-gen2-2025-03-26.md"]
    assert any("exists twice" in problem.message for problem in grace.problems())


def test_signed_commits_are_not_made_again(ada: Machine, grace: Machine, git: Git) -> None:
    prepared(ada, grace)
    ada.consolidate("blog", "Ada", 25)
    ada.sync()
    grace.consolidate("blog", "Grace", 25)
    data = git("cat-file", "commit", "HEAD", cwd=grace.root).replace("\n\n", "\ngpgsig -----BEGIN\n\n", 1)
    (grace.root.parent / "signed").write_text(data, encoding="utf-8")
    signed = git("hash-object", "-t", "commit", "-w", str(grace.root.parent / "signed"), cwd=grace.root).strip()
    git("reset", "-q", "--soft", signed, cwd=grace.root)
    with pytest.raises(RefusedError, match="signed"):
        grace.sync()
    assert head(git, grace.root) == signed


def test_a_killed_sync_is_taken_back_or_finished(ada: Machine, grace: Machine, git: Git) -> None:
    ada.log("a")
    ada.note("Ada")
    ada.sync()
    old = head(git, grace.root)
    git("fetch", "-q", cwd=grace.root)
    new = head(git, grace.root, "origin/main")
    record = grace.root / ".git/memsite.adopting"
    # Killed after the work tree, before the branch.
    git("checkout", "-q", new, "--", "memory", cwd=grace.root)
    git("reset", "-q", cwd=grace.root)
    record.write_text(f"{old} {new}", encoding="ascii")
    recover(grace.ws.require_repository())
    assert git("status", "--porcelain", cwd=grace.root) == ""
    # Killed after the branch, before the stage.
    stage = (grace.root / ".git/index").read_bytes()
    adopt(grace.ws.require_repository(), old, new, "x")
    (grace.root / ".git/index").write_bytes(stage)
    record.write_text(f"{old} {new}", encoding="ascii")
    assert grace.sync().received == 0
    assert git("status", "--porcelain", cwd=grace.root) == ""
    assert not record.exists()


@pytest.fixture
def halfway(ada: Machine, grace: Machine, git: Git) -> Machine:
    """A sync of Grace's that was killed after the work tree and before the branch."""
    write_files(ada.root, {"code.py": "one\n2\n3\n4\n5\n", "new.py": "x\n"})
    git("add", "-A", cwd=ada.root)
    git("commit", "-qm", "one", cwd=ada.root)
    ada.log("a")
    ada.note("Ada")
    ada.sync()
    git("fetch", "-q", cwd=grace.root)
    old, new = head(git, grace.root), head(git, grace.root, "origin/main")
    git("checkout", "-q", new, "--", ".", cwd=grace.root)
    git("reset", "-q", cwd=grace.root)
    (grace.root / ".git/memsite.adopting").write_text(f"{old} {new}", encoding="ascii")
    return grace


def test_any_command_takes_a_killed_sync_back_first(halfway: Machine, git: Git) -> None:
    (found,) = find_left_behind(halfway.ws)
    assert "`memsite commit`" in found.hint
    halfway.log("g")
    assert git("show", "--format=", "--name-only", cwd=halfway.root) == "memory/sessions/2025-03-25.md\n"
    assert halfway.read("memory/sessions/2025-03-25.md").count("memsite:session") == 1
    assert git("status", "--porcelain", cwd=halfway.root) == ""
    assert list(find_left_behind(halfway.ws)) == []
    halfway.sync()
    assert halfway.read("memory/sessions/2025-03-25.md").count("memsite:session") == 2
    clean(halfway)


def test_what_the_user_did_after_a_killed_sync_stays(halfway: Machine, git: Git) -> None:
    write_files(halfway.root, {"code.py": "mine\n"})
    git("add", "new.py", cwd=halfway.root)
    assert commit_pending(halfway.ws, now=NOW) == ()
    assert halfway.read("code.py") == "mine\n"
    assert git("status", "--porcelain", cwd=halfway.root) == " M code.py\nA  new.py\n"


def test_a_merge_that_the_user_began_after_a_killed_sync_is_theirs(halfway: Machine, git: Git) -> None:
    git("add", "-A", cwd=halfway.root)
    git("stash", "-q", cwd=halfway.root)
    git("merge", "-q", "--no-ff", "--no-commit", "origin/main", cwd=halfway.root)
    with pytest.raises(PendingError, match="merge"):
        halfway.log("g")
    assert halfway.read("code.py") == "one\n2\n3\n4\n5\n"
    git("commit", "-qm", "merged by hand", cwd=halfway.root)
    commit_pending(halfway.ws, now=NOW)
    assert halfway.read("memory/sessions/2025-03-25.md").count("memsite:session") == 2
    assert list(find_left_behind(halfway.ws)) == []
    assert git("status", "--porcelain", cwd=halfway.root) == ""


def test_an_entry_is_kept_while_a_killed_sync_cannot_be_completed(halfway: Machine, git: Git) -> None:
    lock = halfway.root / ".git/index.lock"
    lock.touch()
    with pytest.raises(PendingError, match="killed"):
        commit_pending(halfway.ws, now=NOW)
    with pytest.raises(PendingError, match="killed"):
        halfway.log("g")
    lock.unlink()
    halfway.sync()
    assert halfway.read("memory/sessions/2025-03-25.md").count("memsite:session") == 2
    assert git("status", "--porcelain", cwd=halfway.root) == ""


def test_a_workspace_below_the_top_of_its_repository(git: Git, remote: Path, workspace: Path) -> None:
    git("remote", "add", "origin", str(remote), cwd=workspace)
    write_files(workspace, {"agents/my one/memory/2025-03-20.md": "# 2025-03-20\n\nBegun.\n"})
    ada = Machine(open_workspace(workspace / "agents/my one"))
    ada.index("blog", 20)
    ada.sync("origin")
    git("clone", "-q", str(remote), "grace")
    grace = Machine(open_workspace(remote.parent / "grace/agents/my one"))
    for machine, name in ((ada, "a"), (grace, "g")):
        machine.log(name)
        machine.consolidate("blog", name, 21)
        machine.sync("origin")
    text = grace.read("memory/sessions/2025-03-25.md")
    assert (text.count("id=a"), text.count("id=g")) == (1, 1)
    assert grace.generations() == ["blog-gen1-2025-03-21.md", "blog-gen2-2025-03-21.md"]
    clean(grace)
