"""Every way that git knows to change a committed generation: refused by a hook, or reported by `check` and the push."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.test_hooks import try_git
from tests.conftest import Git, Run, users_settings
from tests.repo.conftest import write_files

NAME = "blog-gen1-2025-03-25.md"
GENERATION = f"memory/consolidated/{NAME}"
FIRST = "# Blog - Generation 1 Consolidation\n"
OTHER = "# Another belief\n"
SETTINGS = 'timezone = "UTC"\nmemory = "{}"\n'


@dataclass(frozen=True)
class Place:
    """A clone with git hooks, and the git of a person who is up to something."""

    root: Path
    git: Git

    def run(self, *arguments: str, **environment: str) -> str:
        return self.git(*arguments, cwd=self.root, **environment)

    def write(self, text: str = OTHER, path: str = GENERATION) -> None:
        write_files(self.root, {path: text})

    def blob(self, text: str = OTHER) -> str:
        command = ["git", "hash-object", "-w", "--stdin"]
        return subprocess.run(command, cwd=self.root, input=text, text=True, stdout=-1, check=True).stdout.strip()

    def side(self, *commands: tuple[str, ...]) -> None:
        """A branch with something on it that passed unverified."""
        self.run("checkout", "-q", "-b", "side")
        self.write()
        for command in commands:
            self.run(*command)
        self.run("commit", "-qnam", "side")
        self.run("checkout", "-q", "main")


@pytest.fixture
def place(workspace: Path, git: Git, memsite: Run, tmp_path: Path) -> Place:
    write_files(workspace, {"memsite.toml": 'timezone = "UTC"\n', "memory/INDEX.md": "# Memory Index\n"})
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "begun", cwd=workspace)
    write_files(workspace, {GENERATION: FIRST})
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "generation", cwd=workspace)
    write_files(workspace, {"code.py": "1\n"})
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "code", cwd=workspace)
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    git("remote", "add", "origin", str(tmp_path / "remote.git"), cwd=workspace)
    git("push", "-q", "-u", "origin", "main", cwd=workspace)
    assert memsite("hooks", "install").code == 0
    return Place(workspace, git)


def edit(place: Place) -> None:
    place.write()
    place.run("commit", "-am", "x")


def edit_a_part(place: Place) -> None:
    place.write(FIRST + "more\n")
    place.run("commit", "-m", "x", "--", GENERATION)


def amend(place: Place) -> None:
    place.write()
    place.run("commit", "-a", "--amend", "--no-edit")


def move(place: Place) -> None:
    place.run("mv", GENERATION, GENERATION.replace("gen1", "gen2"))
    place.run("commit", "-m", "x")


def rename_by_case(place: Place) -> None:
    place.run("mv", "-f", GENERATION, GENERATION.replace("blog", "Blog"))
    place.run("commit", "-m", "x")


def remove(place: Place) -> None:
    place.run("rm", "-q", GENERATION)
    place.run("commit", "-m", "x")


def make_a_program(place: Place) -> None:
    place.run("update-index", "--chmod=+x", GENERATION)
    place.run("commit", "-m", "x")


def replace_by_a_link(place: Place) -> None:
    (place.root / GENERATION).unlink()
    (place.root / GENERATION).symlink_to("../INDEX.md")
    place.run("commit", "-am", "x")


def link_the_folder(place: Place) -> None:
    shutil.move(place.root / "memory/consolidated", place.root / "elsewhere")
    (place.root / "memory/consolidated").symlink_to("../elsewhere")
    place.run("add", "-A")
    place.run("commit", "-m", "x")


def put_a_submodule_there(place: Place) -> None:
    place.run("rm", "-rq", "memory/consolidated")
    place.run("-c", "protocol.file.allow=always", "submodule", "add", "-q", "../remote.git", "memory/consolidated")
    place.run("commit", "-m", "x")


def stage_by_plumbing(place: Place) -> None:
    place.run("update-index", "--cacheinfo", f"100644,{place.blob()},{GENERATION}")
    place.run("commit", "-m", "x")


def commit_by_plumbing(place: Place) -> None:
    place.run("update-index", "--cacheinfo", f"100644,{place.blob()},{GENERATION}")
    tree = place.run("write-tree").strip()
    place.run("update-ref", "HEAD", place.run("commit-tree", tree, "-p", "HEAD", "-m", "x").strip())


def import_by_stream(place: Place) -> None:
    head = place.run("rev-parse", "HEAD").strip()
    stream = f"commit refs/heads/main\ncommitter A <a@example.org> 1742500000 +0000\ndata 1\nx\nfrom {head}\n"
    stream += f"M 100644 inline {GENERATION}\ndata {len(OTHER)}\n{OTHER}\n"
    subprocess.run(["git", "fast-import", "--quiet"], cwd=place.root, input=stream, text=True, check=True)
    place.run("reset", "-q", "--hard")


def unverified(place: Place) -> None:
    place.write()
    place.run("commit", "-qnam", "x")


def changed_twice(place: Place) -> None:
    unverified(place)
    place.write("# A third belief\n")
    place.run("commit", "-qnam", "y")


def deleted_with_its_folder(place: Place) -> None:
    place.run("rm", "-q", GENERATION)
    place.run("commit", "-qnm", "x")


def without_hooks(place: Place) -> None:
    place.write()
    place.run("-c", "core.hooksPath=/dev/null", "commit", "-qam", "x")


def cherry_pick(place: Place) -> None:
    place.side()
    place.run("cherry-pick", "side")


def apply_a_patch(place: Place) -> None:
    place.side()
    patch = place.run("format-patch", "-1", "--stdout", "side")
    command = ["git", "am", "-q"]
    environment = {**os.environ, **users_settings()}
    subprocess.run(command, cwd=place.root, input=patch, text=True, env=environment, check=True, capture_output=True)


def revert(place: Place) -> None:
    place.run("revert", "--no-edit", "HEAD~1")


def merge(place: Place) -> None:
    place.side()
    place.run("commit", "--allow-empty", "-qm", "main")
    place.run("merge", "-q", "--no-edit", "side")


def merge_evil(place: Place) -> None:
    place.run("checkout", "-q", "-b", "side")
    place.write("side\n", "side.txt")
    place.run("add", "side.txt")
    place.run("commit", "-qm", "side")
    place.run("checkout", "-q", "main")
    place.run("commit", "--allow-empty", "-qm", "main")
    place.run("merge", "-q", "--no-commit", "side")
    place.write()
    place.run("commit", "-qnam", "evil")


def begin_merge(place: Place) -> None:
    """A merge that is not committed yet; its side brings a second generation."""
    place.run("checkout", "-q", "-b", "side")
    place.write("# Two\n", GENERATION.replace("gen1", "gen2"))
    place.run("add", "-A")
    place.run("commit", "-qm", "side")
    place.run("checkout", "-q", "main")
    place.run("commit", "--allow-empty", "-qm", "main")
    place.run("merge", "-q", "--no-commit", "side")


def merge_evil_and_verified(place: Place) -> None:
    begin_merge(place)
    place.write(OTHER, GENERATION.replace("gen1", "gen2"))
    place.run("commit", "-qam", "evil")


def merge_and_drop(place: Place) -> None:
    begin_merge(place)
    place.run("rm", "-qf", GENERATION.replace("gen1", "gen2"))
    place.run("commit", "-qm", "dropped")


def squash(place: Place) -> None:
    place.side()
    place.run("merge", "-q", "--squash", "side")
    place.run("commit", "-m", "x")


def take_from_another_branch(place: Place) -> None:
    place.side()
    place.run("checkout", "-q", "side", "--", GENERATION)
    place.run("commit", "-m", "x")


def settings_first(place: Place) -> None:
    place.write(SETTINGS.format("notes"), "memsite.toml")
    place.run("commit", "-qam", "settings")
    edit(place)


def settings_at_once(place: Place) -> None:
    place.write(SETTINGS.format("notes"), "memsite.toml")
    edit(place)


def settings_there_and_back(place: Place) -> None:
    place.write(SETTINGS.format("notes"), "memsite.toml")
    place.run("commit", "-qam", "there")
    place.write()
    place.run("commit", "-qnam", "x")
    place.write(SETTINGS.format("memory"), "memsite.toml")
    place.run("commit", "-qam", "back")


def delete_and_forge(place: Place) -> None:
    place.run("rm", "-q", GENERATION)
    place.run("commit", "-qnm", "deleted")
    place.run("push", "-q", "--no-verify")
    place.write()
    place.run("add", "-A")
    place.run("commit", "-m", "forged")


def rebase(place: Place, *options: str) -> None:
    """`rebase -i`, with `edit` at the commit that has the generation."""
    place.run("rebase", "-q", "-i", "HEAD~2", GIT_SEQUENCE_EDITOR="sed -i 1s/pick/edit/")
    place.write()
    place.run("commit", "-qa", "--amend", "--no-edit", *options)
    place.run("rebase", "--continue")


def rebase_unverified(place: Place) -> None:
    rebase(place, "--no-verify")


def rebase_by_exec(place: Place) -> None:
    command = f"printf x > {GENERATION} && git commit -qna --amend --no-edit"
    place.run("rebase", "-q", "--exec", command, "HEAD~2")


def drop_its_commit(place: Place) -> None:
    place.run("rebase", "-q", "-i", "HEAD~2", GIT_SEQUENCE_EDITOR="sed -i 1d")


def rewrite_all(place: Place) -> None:
    script = f"[ ! -e {GENERATION} ] || printf other > {GENERATION}"
    place.run("filter-branch", "-f", "--tree-filter", script, "--", "main", FILTER_BRANCH_SQUELCH_WARNING="1")


def start_anew(place: Place) -> None:
    place.run("checkout", "-q", "--orphan", "anew")
    place.write()
    place.run("add", "-A")
    place.run("commit", "-qm", "anew")
    place.run("branch", "-qM", "anew", "main")


Way = Callable[[Place], None]
REFUSED: tuple[Way, ...] = (
    edit,
    edit_a_part,
    amend,
    move,
    rename_by_case,
    remove,
    make_a_program,
    replace_by_a_link,
    link_the_folder,
    put_a_submodule_there,
    stage_by_plumbing,
    merge_evil_and_verified,
    merge_and_drop,
    squash,
    take_from_another_branch,
    settings_first,
    settings_at_once,
    delete_and_forge,
    rebase,
)
"""The commit does not come about."""
REPORTED: tuple[Way, ...] = (
    commit_by_plumbing,
    import_by_stream,
    unverified,
    without_hooks,
    cherry_pick,
    apply_a_patch,
    revert,
    merge,
    merge_evil,
    settings_there_and_back,
)
"""No hook is asked: `check` tells, and the push is stopped."""
REWRITTEN: tuple[Way, ...] = (rebase_unverified, rebase_by_exec, drop_its_commit, rewrite_all, start_anew)
"""The history itself has another one from its beginning: only who has the old one can tell."""


def named(way: Way) -> str:
    return way.__name__


@pytest.mark.parametrize("way", REFUSED, ids=named)
def test_it_is_refused(place: Place, way: Way) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        way(place)
    assert "generations are immutable" in refused.value.stderr
    assert "nothing was committed" in refused.value.stderr


@pytest.mark.parametrize("way", REPORTED, ids=named)
def test_it_is_reported_and_not_pushed(place: Place, memsite: Run, way: Way) -> None:
    way(place)
    for arguments in (("check",), ("check", "--range", "origin/main..HEAD")):
        done = memsite(*arguments)
        assert (done.code, "generations are immutable" in done.out) == (1, True)
    assert_not_pushed(place, "-q", "origin", "main")


@pytest.mark.parametrize("way", REWRITTEN, ids=named)
def test_it_does_not_replace_what_the_remote_has(place: Place, way: Way) -> None:
    way(place)
    assert_not_pushed(place, "-q", "--force", "origin", "main")


@pytest.mark.parametrize("way", [changed_twice, deleted_with_its_folder, merge], ids=named)
def test_what_is_said_of_a_commit_brings_the_first_back(place: Place, memsite: Run, way: Way) -> None:
    way(place)
    told = [line for line in memsite("check").out.splitlines() if "generations are immutable" in line]
    assert told
    for line in told:
        subprocess.run(["sh", "-c", line.partition("undo it: ")[2]], cwd=place.root, check=True)
        assert (place.root / GENERATION).read_text(encoding="utf-8") == FIRST
        place.run("reset", "-q", "--hard")


def assert_not_pushed(place: Place, *arguments: str) -> None:
    before = place.run("ls-remote", "origin")
    pushed = try_git(place.root, "push", *arguments)
    assert (pushed.returncode, "generations are immutable" in pushed.stderr) == (1, True)
    assert place.run("ls-remote", "origin") == before


def test_a_forced_push_that_loses_nothing_passes(place: Place) -> None:
    place.write("2\n", "code.py")
    place.run("commit", "-qa", "--amend", "-m", "code, again")
    assert try_git(place.root, "push", "-q", "--force", "origin", "main").returncode == 0


def test_a_forced_push_over_commits_that_are_not_here_is_refused(place: Place, tmp_path: Path) -> None:
    place.git("clone", "-q", str(tmp_path / "remote.git"), str(tmp_path / "other"))
    there = Place(tmp_path / "other", place.git)
    there.write("# Two\n", GENERATION.replace("gen1", "gen2"))
    there.run("add", "-A")
    there.run("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "second")
    there.run("push", "-q", "origin", "main")
    before = place.run("ls-remote", "origin")
    for arguments in (("--force", "origin", "main"), ("origin", ":main")):
        pushed = try_git(place.root, "push", "-q", *arguments)
        assert (pushed.returncode, "`git fetch origin` first" in pushed.stderr) == (1, True)
    assert place.run("ls-remote", "origin") == before


def test_a_branch_that_alone_has_generations_is_not_deleted(place: Place, tmp_path: Path) -> None:
    place.git("symbolic-ref", "HEAD", "refs/heads/elsewhere", cwd=tmp_path / "remote.git")
    place.run("push", "-q", "origin", "main~2:refs/heads/begun")
    place.run("remote", "set-head", "origin", "main")
    assert_not_pushed(place, "-q", "origin", ":main")
    assert "--no-verify" in try_git(place.root, "push", "-q", "origin", ":main").stderr
    assert try_git(place.root, "push", "-q", "origin", "main:renamed", ":main").returncode == 0
    assert_not_pushed(place, "-q", "origin", ":renamed")
    assert try_git(place.root, "push", "-q", "origin", ":begun").returncode == 0
    assert try_git(place.root, "push", "-q", "--no-verify", "origin", ":renamed").returncode == 0


def test_a_branch_whose_generations_another_one_has_is_deleted(place: Place, tmp_path: Path) -> None:
    place.git("symbolic-ref", "HEAD", "refs/heads/elsewhere", cwd=tmp_path / "remote.git")
    place.run("checkout", "-q", "-b", "topic")
    place.write("2\n", "code.py")
    place.run("commit", "-qam", "topic")
    place.run("push", "-q", "origin", "topic")
    assert try_git(place.root, "push", "-q", "origin", ":topic").returncode == 0
