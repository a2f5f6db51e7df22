"""`publish`: one orphan commit without secrets, nothing else touched; `check --publish`: what it has to hide."""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

import pytest

from tests.conftest import Git, Run
from tests.leaky_memory import make_leaky_memory
from tests.published import find_values
from tests.secret_kinds import KINDS

TOKEN = next(kind for kind in KINDS if kind.name == "github-classic").make(random.Random(51))
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(40)


COUNT = 402 if os.environ.get("MEMSITE_TEST_LONG") else 80
INDEX = "# Memory Index\n\n## Projects\n\n- **personal-blog**\n  - Dates: [2025-03-20]\n"


@pytest.fixture
def story(workspace: Path, memsite: Run, tmp_path: Path, git: Git) -> Path:
    """A memory of a topic and a day, with a bare repository that it may push to."""
    (workspace / "memsite.toml").write_text('timezone = "UTC"\n', encoding="utf-8")
    (workspace / "memory/INDEX.md").write_text(INDEX, encoding="utf-8")
    (workspace / "memory/2025-03-20.md").write_text("# 2025-03-20\n\nWe begin a blog.\n", encoding="utf-8")
    git("add", "-A", cwd=workspace)
    git("commit", "-q", "-m", "note: a blog", cwd=workspace)
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    git("remote", "add", "origin", str(tmp_path / "remote.git"), cwd=workspace)
    return workspace


def files_of(git: Git, root: Path, revision: str) -> dict[str, bytes]:
    names = git("ls-tree", "-r", "-z", "--name-only", revision, cwd=root).split("\0")[:-1]
    return {
        name: git("cat-file", "blob", f"{revision}:{name}", cwd=root).encode("utf-8", "surrogateescape")
        for name in names
        if not name.startswith("assets/")
    }


def test_a_publication_is_one_orphan_commit_and_touches_nothing_else(memsite: Run, story: Path, git: Git) -> None:
    (story / "staged.txt").write_text("mine", encoding="utf-8")
    git("add", "staged.txt", cwd=story)
    before = (git("rev-parse", "HEAD", cwd=story), git("status", "--porcelain", cwd=story))
    done = memsite("publish", "--yes", cwd=story)
    assert (done.code, done.err) == (0, "")
    assert "gh-pages is at" in done.out
    assert (git("rev-parse", "HEAD", cwd=story), git("status", "--porcelain", cwd=story)) == before
    assert git("rev-list", "--count", "gh-pages", cwd=story).strip() == "1"
    names = set(git("ls-tree", "-r", "--name-only", "gh-pages", cwd=story).split("\n"))
    assert {".nojekyll", "index.html", "topics/personal-blog/index.html"} <= names


def test_a_second_publication_replaces_the_commit_and_leaves_no_reflog(memsite: Run, story: Path, git: Git) -> None:
    memsite("publish", "--yes", cwd=story)
    first = git("rev-parse", "gh-pages", cwd=story)
    again = memsite("publish", cwd=story, now="2025-06-01")
    assert "nothing new" in again.out
    assert git("rev-parse", "gh-pages", cwd=story) == first
    memsite("note", "One more thing about the blog.", cwd=story, now="2025-06-02T10:00")
    done = memsite("publish", cwd=story, now="2025-06-02T11:00")
    assert "added" in done.out
    assert git("rev-parse", "gh-pages", cwd=story) != first
    assert git("rev-list", "--count", "gh-pages", cwd=story).strip() == "1"
    assert git("reflog", "show", "gh-pages", cwd=story) == ""


def test_settings_that_no_commit_has_are_named(memsite: Run, story: Path) -> None:
    said = "memsite.toml: is not committed: what it says holds on this machine alone; git add memsite.toml"
    (story / "memsite.toml").write_text('timezone = "UTC"\nprivate = ["people/"]\n', encoding="utf-8")
    done = memsite("publish", "--dry-run", cwd=story)
    assert (done.code, done.err.count(said)) == (0, 1)


def test_the_first_publication_asks(memsite: Run, story: Path, git: Git) -> None:
    done = memsite("publish", cwd=story)
    assert done.code == 1
    assert "first publication" in done.err
    assert "--yes" in done.err
    assert git("for-each-ref", "refs/heads/gh-pages", cwd=story) == ""


def test_a_dry_run_shows_files_sizes_and_findings_and_changes_no_branch(memsite: Run, story: Path, git: Git) -> None:
    (story / "memory/2025-04-30.md").write_text(f"# 2025-04-30\n\n{TOKEN}\n", encoding="utf-8")
    git("add", "-A", cwd=story)
    git("commit", "-q", "--no-verify", "-m", "note: x", cwd=story)
    done = memsite("publish", "--dry-run", cwd=story)
    assert done.code == 0
    assert "1 x looks like a secret (github-pat)" in done.err or "1 x looks like a secret (github-token)" in done.err
    assert any(
        line.startswith("+") and line.endswith("topics/index.html") and " kB" in line for line in done.out.splitlines()
    )
    assert TOKEN not in done.out + done.err
    assert git("for-each-ref", "refs/heads/gh-pages", cwd=story) == ""
    answer = json.loads(memsite("publish", "--dry-run", "--json", cwd=story).out)
    assert answer["commit"] is None
    assert answer["files"] == len(answer["changes"])
    assert [one["path"] for one in answer["findings"]] == ["memory/2025-04-30.md"]


def test_what_cannot_be_redacted_fails_with_file_and_rule(memsite: Run, story: Path, git: Git) -> None:
    (story / "memory/shot.png").write_bytes(PNG + f" {TOKEN} ".encode() + PNG)
    git("add", "-A", cwd=story)
    git("commit", "-q", "--no-verify", "-m", "note: a picture", cwd=story)
    done = memsite("publish", "--yes", cwd=story)
    assert done.code == 1
    assert "memory/shot.png" in done.err
    assert "github-" in done.err
    assert git("for-each-ref", "refs/heads/gh-pages", cwd=story) == ""
    checked = memsite("check", "--publish", cwd=story)
    assert checked.code == 1
    assert any(line.startswith("error:") and "memory/shot.png" in line for line in checked.out.splitlines())
    git("rm", "-q", "memory/shot.png", cwd=story)
    git("commit", "-q", "--no-verify", "-m", "note: without it", cwd=story)
    assert memsite("publish", "--yes", cwd=story).code == 0


def test_a_value_of_a_picture_that_is_known_from_a_note_is_one_there_too(memsite: Run, story: Path, git: Git) -> None:
    (story / "memory/shot.png").write_bytes(PNG + b"my own Passw0rdNr77 here" + PNG)
    (story / "memory/2025-04-30.md").write_text(
        "# 2025-04-30\n\npostgres://ada:Passw0rdNr77@example.org\n", encoding="utf-8"
    )
    git("add", "-A", cwd=story)
    git("commit", "-q", "--no-verify", "-m", "note: a picture", cwd=story)
    done = memsite("publish", "--yes", cwd=story)
    assert done.code == 1
    assert "memory/shot.png: has something that others must not see (url-password)" in done.err


def test_a_branch_that_memsite_did_not_make_is_left_alone(memsite: Run, story: Path, git: Git) -> None:
    git("branch", "gh-pages", cwd=story)
    before = git("rev-parse", "gh-pages", cwd=story)
    done = memsite("publish", "--yes", cwd=story)
    assert done.code == 1
    assert "did not publish" in done.err
    assert git("rev-parse", "gh-pages", cwd=story) == before


def test_a_branch_that_is_checked_out_is_left_alone(memsite: Run, story: Path, git: Git, tmp_path: Path) -> None:
    memsite("publish", "--yes", cwd=story)
    git("worktree", "add", "-q", str(tmp_path / "pages"), "gh-pages", cwd=story)
    memsite("note", "Something new.", cwd=story, now="2025-06-02T10:00")
    done = memsite("publish", cwd=story)
    assert done.code == 1
    assert "is checked out" in done.err


def test_the_branch_and_its_remote_are_settings(memsite: Run, story: Path, git: Git, tmp_path: Path) -> None:
    with (story / "memsite.toml").open("a", encoding="utf-8") as settings:
        settings.write('[publish]\nbranch = "public"\nremote = "mirror"\n')
    done = memsite("publish", "--yes", "--push", cwd=story)
    assert done.code == 1
    assert "no remote 'mirror'" in done.err
    git("remote", "rename", "origin", "mirror", cwd=story)
    assert memsite("publish", "--yes", "--push", cwd=story).code == 0
    assert "public" in git("branch", "--list", cwd=tmp_path / "remote.git")


def test_a_push_replaces_what_the_remote_has(memsite: Run, story: Path, git: Git, tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    assert memsite("publish", "--yes", "--push", cwd=story).code == 0
    other = tmp_path / "other"
    git("clone", "-q", str(remote), str(other))
    first = git("rev-parse", "gh-pages", cwd=remote)
    memsite("note", "Something new.", cwd=story, now="2025-06-02T10:00")
    assert memsite("publish", "--push", cwd=story).code == 0
    assert git("rev-parse", "gh-pages", cwd=remote) != first
    assert git("rev-list", "--count", "gh-pages", cwd=remote).strip() == "1"


def test_what_the_host_put_there_stays(memsite: Run, story: Path, git: Git, tmp_path: Path) -> None:
    memsite("publish", "--yes", cwd=story)
    pages = tmp_path / "pages"
    git("worktree", "add", "-q", str(pages), "gh-pages", cwd=story)
    (pages / "CNAME").write_text("memory.example.org\n", encoding="utf-8")
    git("add", "-A", cwd=pages)
    git("commit", "-q", "-m", "own domain", cwd=pages)
    git("worktree", "remove", str(pages), cwd=story)
    memsite("note", "Something new.", cwd=story, now="2025-06-02T10:00")
    assert memsite("publish", cwd=story).code == 0
    assert git("cat-file", "blob", "gh-pages:CNAME", cwd=story) == "memory.example.org\n"


def test_the_pages_branch_says_nothing_of_who_published(memsite: Run, story: Path, git: Git) -> None:
    git("config", "user.email", "ada@example.org", cwd=story)
    memsite("publish", "--yes", cwd=story)
    assert "ada@example.org" not in git("cat-file", "commit", "gh-pages", cwd=story)


@pytest.mark.parametrize("shown", ["show", "mask"])
def test_addresses_are_shown_by_setting(memsite: Run, story: Path, git: Git, shown: str) -> None:
    with (story / "memsite.toml").open("a", encoding="utf-8") as settings:
        settings.write(f'[publish]\nemails = "{shown}"\nphones = "{shown}"\n')
    note = "# 2025-04-30\n\nWrite to grace@example.org or call +49 30 5550123.\n"
    (story / "memory/2025-04-30.md").write_text(note, encoding="utf-8")
    git("add", "-A", cwd=story)
    git("commit", "-q", "-m", "note: x\n\nCo-authored-by: Heidi <heidi@example.org>", cwd=story)
    assert memsite("publish", "--yes", cwd=story).code == 0
    values = ["grace@example.org", "heidi@example.org", "+49 30 5550123"]
    found = {value for _, _, value in find_values(files_of(git, story, "gh-pages"), values)}
    assert found == (set(values) if shown == "show" else set())


def test_nothing_planted_is_on_the_remote_after_a_push_through_the_hooks(
    memsite: Run, workspace: Path, git: Git, tmp_path: Path
) -> None:
    remote = tmp_path / "remote.git"
    git("init", "-q", "--bare", "-b", "main", str(remote))
    git("remote", "add", "origin", str(remote), cwd=workspace)
    memsite("init", cwd=workspace)
    git("push", "-q", "-u", "origin", "main", cwd=workspace)
    secrets = make_leaky_memory(workspace, 52, COUNT)
    with pytest.raises(Exception, match="push"):
        git("push", "-q", "origin", "main", cwd=workspace)
    assert memsite("sync", cwd=workspace).code == 1
    # A version of when all of them were there, beside the latest, in which half of them are.
    everything = git("log", "--format=%H", "--grep=^note: everything$", cwd=workspace).strip()
    git("tag", "full", everything, cwd=workspace)
    with (workspace / "memsite.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[publish]\nversions = "tag"\n')
    git("commit", "-q", "--no-verify", "-m", "settings", "memsite.toml", cwd=workspace)
    assert memsite("publish", "--yes", "--push", cwd=workspace).code == 0
    assert git("cat-file", "-t", "gh-pages:full/index.html", cwd=remote) == "blob\n"
    listing = git("cat-file", "--batch-all-objects", "--batch-check", cwd=remote).splitlines()
    objects = {line.split(" ")[0]: line.split(" ")[1] for line in listing}
    contents = {
        name: git("cat-file", kind, name, cwd=remote).encode("utf-8", "surrogateescape")
        for name, kind in objects.items()
        if kind in ("blob", "commit")
    }
    assert find_values(contents, [part for one in secrets for part in one.parts]) == []


def test_a_check_names_rule_file_line_and_commit(memsite: Run, story: Path, git: Git) -> None:
    path = story / "memory/2025-04-30.md"
    path.write_text(f"# 2025-04-30\n\nWe use {TOKEN}.\n", encoding="utf-8")
    git("add", "-A", cwd=story)
    git("commit", "-q", "--no-verify", "-m", f"note: with {TOKEN}", cwd=story)
    commit = git("rev-parse", "HEAD", cwd=story).strip()
    path.write_text("# 2025-04-30\n\nNothing.\n", encoding="utf-8")
    git("commit", "-q", "--no-verify", "-am", "note: without", cwd=story)
    done = memsite("check", "--publish", cwd=story)
    assert done.code == 0
    assert f"warning: {commit[:10]} memory/2025-04-30.md:3: looks like a secret (github-" in done.out
    assert f"warning: {commit[:10]} (commit message): looks like a secret (github-" in done.out
    assert "only in the history" in done.out
    assert TOKEN not in done.out
    assert memsite("check", "--publish", "--range", "HEAD~1..HEAD", cwd=story).out == "no errors\n"


@pytest.mark.parametrize("shown", ["show", "mask"])
def test_a_check_names_the_addresses_and_numbers_that_are_masked(
    memsite: Run, workspace: Path, git: Git, shown: str
) -> None:
    settings = f'[publish]\nemails = "{shown}"\nphones = "{shown}"\n'
    (workspace / "memsite.toml").write_text(settings, encoding="utf-8")
    note = "# 2025-03-20\n\nWrite to grace@example.org or call +49 30 5550123.\nOn 2025-03-20, +1234567 lines.\n"
    (workspace / "memory/2025-03-20.md").write_text(note, encoding="utf-8")
    (workspace / "memory/a.png").write_bytes(b"\x89PNG\0grace@example.org\xff")
    git("add", "-A", cwd=workspace)
    git("commit", "-q", "-m", "note: x", cwd=workspace)
    done = memsite("check", "--publish")
    assert done.code == 0
    told = [line.partition("; publishing masks it")[0] for line in done.out.splitlines()]
    expected = [
        "warning: memory/2025-03-20.md:3: has an e-mail address",
        "warning: memory/2025-03-20.md:3: has a phone number",
    ]
    assert told == [*(expected if shown == "mask" else ()), "no errors"]
    assert "grace" not in done.out


def test_a_secret_that_publishing_hides_is_a_warning_of_the_doctor(memsite: Run, workspace: Path, git: Git) -> None:
    (workspace / "memory/2025-03-20.md").write_text(f"# 2025-03-20\n\n{TOKEN}\n", encoding="utf-8")
    git("add", "-A", cwd=workspace)
    git("commit", "-q", "--no-verify", "-m", "note: x", cwd=workspace)
    done = memsite("check")
    assert done.code == 0
    assert "warning:" in done.out
    assert "looks like a secret" in done.out
    assert memsite("check", "--range", "HEAD~1..HEAD").code == 1


def test_private_settings_that_hide_nothing_are_named(memsite: Run, story: Path, git: Git) -> None:
    (story / "memsite.toml").write_text(
        'timezone = "UTC"\nprivate = ["personel-blog", "personal-blog"]\n', encoding="utf-8"
    )
    note = "# 2025-04-30\n\n```\n<!-- private -->\n```\n\n<!-- private -->\nhidden\n"
    (story / "memory/2025-04-30.md").write_text(note, encoding="utf-8")
    git("add", "-A", cwd=story)
    git("commit", "-q", "--no-verify", "-m", "private: x", cwd=story)
    out = memsite("check", "--publish", cwd=story).out
    assert "'personel-blog' names no topic, file or folder" in out
    assert "'personal-blog'" not in out
    assert "memory/2025-04-30.md:4: a private mark in code is text" in out
    assert "memory/2025-04-30.md:7: a private block is left open" in out


def test_what_is_allowed_is_shown_and_no_finding(memsite: Run, story: Path, git: Git) -> None:
    with (story / "memsite.toml").open("a", encoding="utf-8") as settings:
        settings.write(f'[safety]\nallow = [{{ value = "{TOKEN}", reason = "the example of the manual" }}]\n')
    (story / "memory/2025-04-30.md").write_text(f"# 2025-04-30\n\n{TOKEN}\n", encoding="utf-8")
    git("add", "-A", cwd=story)
    git("commit", "-q", "-m", "note: x", cwd=story)
    assert memsite("check", "--publish", cwd=story).out == "no errors\n"
    assert memsite("publish", "--yes", cwd=story).code == 0
    assert find_values(files_of(git, story, "gh-pages"), [TOKEN])


def test_what_ci_has_checked_out_is_published(memsite: Run, story: Path, git: Git) -> None:
    """A runner checks out a commit, not a branch."""
    git("checkout", "-q", "--detach", cwd=story)
    done = memsite("publish", "--yes", cwd=story)
    assert (done.code, done.err) == (0, "")
    (story / "memory/2025-03-21.md").write_text("# 2025-03-21\n\nOf the agent's.\n", encoding="utf-8")
    before = git("rev-parse", "gh-pages", cwd=story)
    done = memsite("publish", "--yes", cwd=story)
    assert done.code == 1
    assert "nothing was published, for what is pending may hide something" in done.err
    assert git("rev-parse", "gh-pages", cwd=story) == before


def test_without_the_engine_it_is_said_who_looks(memsite: Run, story: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "betterleaks" not in memsite("check", "--publish", cwd=story).err
    monkeypatch.setitem(sys.modules, "betterleaks", None)
    assert "by memsite's rules alone" in memsite("check", "--publish", cwd=story).err
    assert "by memsite's rules alone" in memsite("publish", "--dry-run", cwd=story).err
