"""The ways to break the memory's rules by git, each refused when staged and reported when committed all the same."""

from __future__ import annotations

import random
import re
import shutil
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from memsite.repo.guard import Violation, check_commits, check_history, check_refs, check_staged
from memsite.repo.objects import GitObject, ObjectReader
from memsite.repo.workspace import open_workspace
from tests.conftest import Git

GENERATION = Path("memory/consolidated/blog-gen1-2025-03-25.md")
INDEX = """# Memory Index

## Projects
- **blog**
  - Dates: [2025-03-20]
- **garden**
  - Dates: [2025-03-21]
"""


@pytest.fixture
def root(workspace: Path, git: Git) -> Path:
    (workspace / GENERATION).parent.mkdir(parents=True)
    (workspace / GENERATION).write_text("# Blog - Generation 1 Consolidation\n", encoding="utf-8")
    (workspace / "memory/INDEX.md").write_text(INDEX, encoding="utf-8")
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "memory", cwd=workspace)
    return workspace


def edit(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "more\n", encoding="utf-8")


def move(path: Path, target: str) -> None:
    destination = path.parent / target
    destination.parent.mkdir(exist_ok=True)
    path.rename(destination)


def link(path: Path) -> None:
    path.unlink()
    path.symlink_to("../INDEX.md")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "inside.md").write_text("x\n", encoding="utf-8")


WAYS: dict[str, Callable[[Path], object]] = {
    "edited": edit,
    "emptied": lambda path: path.write_text("", encoding="utf-8"),
    "deleted": lambda path: path.unlink(),
    "renamed": lambda path: move(path, "blog-gen2-2025-03-25.md"),
    "renamed-by-case": lambda path: move(path, "Blog-gen1-2025-03-25.md"),
    "moved": lambda path: move(path, "old/blog-gen1-2025-03-25.md"),
    "replaced-by-a-link": link,
    "replaced-by-a-folder": folder,
    "made-a-program": lambda path: path.chmod(0o755),
    "its-folder-deleted": lambda path: shutil.rmtree(path.parent),
}


def errors(violations: tuple[Violation, ...]) -> list[Violation]:
    return [one for one in violations if not one.warning]


@pytest.mark.parametrize("way", WAYS)
def test_a_generation_cannot_be(root: Path, git: Git, way: str) -> None:
    WAYS[way](root / GENERATION)
    git("add", "-A", cwd=root)
    staged = errors(check_staged(open_workspace(root)))
    assert [str(one.path) for one in staged] == [str(GENERATION)]
    assert "immutable" in staged[0].message
    git("commit", "-qm", "broken", "--no-verify", cwd=root)
    committed = errors(check_commits(open_workspace(root), ["HEAD~1..HEAD"]))
    assert [(one.path, one.commit) for one in committed] == [
        (staged[0].path, git("rev-parse", "HEAD", cwd=root).strip())
    ]


def test_an_amended_generation_is_reported_by_the_range(root: Path, git: Git) -> None:
    first = git("rev-parse", "HEAD", cwd=root).strip()
    edit(root / "README.md")
    git("commit", "-qam", "unrelated", cwd=root)
    edit(root / GENERATION)
    git("commit", "-qa", "--amend", "--no-edit", cwd=root)
    assert len(errors(check_commits(open_workspace(root), [f"{first}..HEAD"]))) == 1


def test_a_merge_that_changes_a_generation_by_itself_is_reported(root: Path, git: Git) -> None:
    first = git("rev-parse", "HEAD", cwd=root).strip()
    git("checkout", "-qb", "side", cwd=root)
    (root / "memory/2025-03-22.md").write_text("side\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    git("commit", "-qm", "side", cwd=root)
    git("checkout", "-q", "main", cwd=root)
    edit(root / "README.md")
    git("commit", "-qam", "main", cwd=root)
    git("merge", "-q", "--no-commit", "side", cwd=root)
    edit(root / GENERATION)
    git("add", "-A", cwd=root)
    git("commit", "-qm", "evil merge", cwd=root)
    assert {str(one.path) for one in errors(check_commits(open_workspace(root), [f"{first}..HEAD"]))} == {
        str(GENERATION)
    }


def test_what_is_allowed_is_not_refused(root: Path, git: Git) -> None:
    (root / "memory/consolidated/blog-gen2-2025-04-15.md").write_text("# Two\n", encoding="utf-8")
    (root / "memory/2025-03-20.md").write_text(
        "a note\n\n```\n<<<<<<< HEAD\n=======\n>>>>>>> side\n```\n", encoding="utf-8"
    )
    (root / "memory/INDEX.md").write_text(INDEX + "- **new**\n  - Dates: [2025-03-22]\n", encoding="utf-8")
    (root / "elsewhere.md").write_text("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    assert check_staged(open_workspace(root)) == ()


def test_a_removed_topic_is_named(root: Path, git: Git) -> None:
    (root / "memory/INDEX.md").write_text(INDEX.replace("garden", "orchard"), encoding="utf-8")
    git("add", "-A", cwd=root)
    (found,) = check_staged(open_workspace(root))
    assert "'garden'" in found.message
    assert "memsite index status garden deprecated" in found.hint


def test_conflict_markers_are_refused_with_their_line(root: Path, git: Git) -> None:
    (root / "memory/2025-03-20.md").write_text("ok\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    (found,) = check_staged(open_workspace(root))
    assert (str(found.path), found.line) == ("memory/2025-03-20.md", 2)


def test_a_file_over_the_limit_is_refused(root: Path, git: Git) -> None:
    (root / "memsite.toml").write_text("[safety]\nmax_file_mb = 1\n", encoding="utf-8")
    (root / "memory/big.bin").write_bytes(b"\0" * 1_000_001)
    git("add", "-A", cwd=root)
    (found,) = check_staged(open_workspace(root))
    assert "larger than 1 MB" in found.message


def test_a_secret_is_refused_by_rule_and_line_and_never_shown(root: Path, git: Git) -> None:
    token = "gh" + "p_" + "".join(random.Random(3).choices(string.ascii_letters + string.digits, k=36))
    (root / "memory/2025-03-20.md").write_text(f"# Day\n\nuse {token} for it\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    (found,) = errors(check_staged(open_workspace(root)))
    assert (found.path.name, found.line) == ("2025-03-20.md", 3)
    assert token not in repr(found) + str(found)


def test_a_line_that_was_there_before_is_not_reported_again(root: Path, git: Git) -> None:
    token = "gh" + "p_" + "".join(random.Random(4).choices(string.ascii_letters + string.digits, k=36))
    note = root / "memory/2025-03-20.md"
    note.write_text(f"use {token} for it\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    git("commit", "-qm", "leak", "--no-verify", cwd=root)
    edit(note)
    git("add", "-A", cwd=root)
    assert errors(check_staged(open_workspace(root))) == []


def test_the_stage_that_git_names_is_the_one_that_is_checked(root: Path, git: Git, tmp_path: Path) -> None:
    other = tmp_path / "other-index"
    shutil.copy(root / ".git" / "index", other)
    (root / "memory/INDEX.md").write_text("# Memory Index\n", encoding="utf-8")
    git("add", "-A", cwd=root, GIT_INDEX_FILE=str(other))
    assert check_staged(open_workspace(root)) == ()
    assert len(check_staged(open_workspace(root), str(other))) == 2


def test_a_repository_without_a_commit_can_be_checked(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "unborn"
    (root / "memory").mkdir(parents=True)
    git("init", "-q", cwd=root)
    (root / "memory/2025-03-20.md").write_text("<<<<<<< a\n=======\n>>>>>>> b\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    assert len(check_staged(open_workspace(root))) == 1
    assert check_history(open_workspace(root)) == ()


def commit_all(git: Git, root: Path, message: str) -> str:
    git("add", "-A", cwd=root)
    git("commit", "-qm", message, cwd=root)
    return git("rev-parse", "HEAD", cwd=root).strip()


def set_gitlink(git: Git, root: Path, path: Path) -> None:
    commit = git("rev-parse", "HEAD", cwd=root).strip()
    git("rm", "-q", "--cached", str(path), cwd=root)
    git("update-index", "--add", "--cacheinfo", f"160000,{commit},{path}", cwd=root)


@pytest.mark.parametrize("path", [GENERATION, Path("memory/INDEX.md")])
def test_a_gitlink_in_the_place_of_a_file_is_its_deletion(root: Path, git: Git, path: Path) -> None:
    set_gitlink(git, root, path)
    assert {str(one.path) for one in errors(check_staged(open_workspace(root)))} == {str(path)}
    git("commit", "-qm", "a gitlink", cwd=root)
    assert {str(one.path) for one in errors(check_history(open_workspace(root)))} == {str(path)}


def test_a_generation_that_comes_back_with_other_bytes_is_reported(root: Path, git: Git) -> None:
    set_gitlink(git, root, GENERATION)
    git("commit", "-qm", "a gitlink", cwd=root)
    git("rm", "-q", "--cached", str(GENERATION), cwd=root)
    (root / GENERATION).write_text("# Forged\n", encoding="utf-8")
    forged = commit_all(git, root, "forged")
    assert [one.commit for one in errors(check_history(open_workspace(root))) if "other bytes" in one.message] == [
        forged
    ]


def test_a_generation_that_is_what_it_was_again_is_only_worth_a_word(root: Path, git: Git) -> None:
    whole = (root / GENERATION).read_bytes()
    edit(root / GENERATION)
    changed = commit_all(git, root, "changed")
    assert [one.commit for one in errors(check_history(open_workspace(root)))] == [changed]
    (root / GENERATION).write_bytes(whole)
    commit_all(git, root, "as it was")
    found = check_history(open_workspace(root))
    assert errors(found) == []
    assert changed in {one.commit for one in found if one.warning}
    assert [one.commit for one in errors(check_commits(open_workspace(root), ["HEAD"]))][-1] == changed
    edit(root / GENERATION)
    commit_all(git, root, "changed again")
    assert errors(check_history(open_workspace(root)))


@pytest.mark.parametrize(
    "less",
    [
        INDEX.replace("- **garden**\n  - Dates: [2025-03-21]\n", ""),
        INDEX.replace("[2025-03-21]", "[]"),
        INDEX.replace("- **garden**", "- **garden"),
        "",
        None,
    ],
    ids=["entry", "date", "half-an-entry", "all", "file"],
)
def test_what_was_removed_from_the_index_and_is_back_is_only_worth_a_word(
    root: Path, git: Git, less: str | None
) -> None:
    index = root / "memory/INDEX.md"
    index.unlink() if less is None else index.write_text(less, encoding="utf-8")
    removed = commit_all(git, root, "removed")
    assert {one.commit for one in errors(check_history(open_workspace(root)))} == {removed}
    index.write_text(INDEX, encoding="utf-8")
    commit_all(git, root, "back")
    found = check_history(open_workspace(root))
    assert errors(found) == []
    assert removed in {one.commit for one in found if one.warning}
    assert removed in {one.commit for one in errors(check_commits(open_workspace(root), ["HEAD"]))}


def test_an_entry_that_is_back_without_a_date_lacks_that_date_alone(root: Path, git: Git) -> None:
    index = root / "memory/INDEX.md"
    index.write_text(INDEX.replace("- **garden**\n  - Dates: [2025-03-21]\n", ""), encoding="utf-8")
    commit_all(git, root, "removed")
    index.write_text(INDEX.replace("[2025-03-21]", "[]"), encoding="utf-8")
    commit_all(git, root, "back, but for its date")
    (found,) = errors(check_history(open_workspace(root)))
    assert found.message == "dates of 'garden' are removed (2025-03-21); dates are only ever added"


def test_an_unfinished_merge_that_was_settled_is_only_worth_a_word(root: Path, git: Git) -> None:
    note = root / "memory/2025-03-20.md"
    note.write_text("<<<<<<< a\nWe\n=======\nThey\n>>>>>>> b\n", encoding="utf-8")
    unfinished = commit_all(git, root, "unfinished")
    assert [one.commit for one in errors(check_history(open_workspace(root)))] == [unfinished]
    note.write_text("We\n", encoding="utf-8")
    commit_all(git, root, "settled")
    found = check_history(open_workspace(root))
    assert errors(found) == []
    assert [(one.commit, one.hint) for one in found] == [(unfinished, "it was settled since")]
    assert [one.commit for one in errors(check_commits(open_workspace(root), ["HEAD"]))] == [unfinished]


def test_an_index_that_could_not_be_read_and_can_again_is_only_worth_a_word(root: Path, git: Git) -> None:
    index = root / "memory/INDEX.md"
    index.write_bytes(INDEX.encode("utf-16"))
    commit_all(git, root, "UTF-16")
    assert errors(check_history(open_workspace(root)))
    index.write_text(INDEX, encoding="utf-8")
    commit_all(git, root, "UTF-8")
    assert errors(check_history(open_workspace(root))) == []


def test_an_index_that_can_be_read_again_and_lacks_a_topic_lacks_it(root: Path, git: Git) -> None:
    index = root / "memory/INDEX.md"
    index.write_bytes(INDEX.encode("utf-16"))
    unread = commit_all(git, root, "UTF-16")
    index.write_text(INDEX.replace("- **garden**\n  - Dates: [2025-03-21]\n", ""), encoding="utf-8")
    commit_all(git, root, "UTF-8, and less of it")
    assert {one.commit for one in errors(check_history(open_workspace(root)))} == {unread}


@pytest.mark.parametrize(
    "setting", ['consolidated_dir = "other"\n', 'memory = "other"\n', 'index_file = "OTHER.md"\nmemory = "elsewhere"\n']
)
def test_settings_changed_in_the_same_commit_hide_nothing(root: Path, git: Git, setting: str) -> None:
    (root / "memsite.toml").write_text(setting, encoding="utf-8")
    edit(root / GENERATION)
    (root / "memory/INDEX.md").write_text("# Memory Index\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    assert str(GENERATION) in {str(one.path) for one in errors(check_staged(open_workspace(root)))}
    commit_all(git, root, "hidden")
    assert str(GENERATION) in {str(one.path) for one in errors(check_history(open_workspace(root)))}


def test_settings_that_only_the_work_tree_has_hide_nothing(root: Path, git: Git) -> None:
    (root / "memsite.toml").write_text('memory = "memory"\n', encoding="utf-8")
    commit_all(git, root, "settings")
    edit(root / GENERATION)
    git("add", "-A", cwd=root)
    (root / "memsite.toml").write_text('memory = "other"\n', encoding="utf-8")
    assert len(errors(check_staged(open_workspace(root)))) == 1


def test_a_memory_that_moves_with_its_settings_is_not_lost(root: Path, git: Git) -> None:
    (root / "memsite.toml").write_text('memory = "notes"\n', encoding="utf-8")
    git("mv", "memory", "notes", cwd=root)
    git("add", "-A", cwd=root)
    assert errors(check_staged(open_workspace(root))) == []


def test_dates_are_never_removed(root: Path, git: Git) -> None:
    (root / "memory/INDEX.md").write_text(INDEX.replace("2025-03-20", ""), encoding="utf-8")
    git("add", "-A", cwd=root)
    (found,) = errors(check_staged(open_workspace(root)))
    assert "dates of 'blog' are removed (2025-03-20)" in found.message
    assert "memsite index touch blog 2025-03-20" in found.hint


def test_a_date_that_became_none_is_mended_where_it_stands(root: Path, git: Git) -> None:
    """`index touch` does not touch an entry with a broken date, so it is no advice."""
    (root / "memory/INDEX.md").write_text(INDEX.replace("2025-03-20", "2025-03-2x"), encoding="utf-8")
    git("add", "-A", cwd=root)
    (found,) = errors(check_staged(open_workspace(root)))
    line = INDEX[: INDEX.index("2025-03-20")].count("\n") + 1
    assert found.line == line
    assert "dates of 'blog' are removed (2025-03-20)" in found.message
    assert found.hint == "'2025-03-2x' is no date: write YYYY-MM-DD"


def test_a_topic_that_became_half_written_is_named_with_its_line(root: Path, git: Git) -> None:
    (root / "memory/INDEX.md").write_text(INDEX.replace("[2025-03-20]", "[2025-03-20"), encoding="utf-8")
    git("add", "-A", cwd=root)
    (found,) = errors(check_staged(open_workspace(root)))
    assert found.line == INDEX[: INDEX.index("2025-03-20")].count("\n") + 1
    assert found.message == "the topic 'blog' is half-written: '[2025-03-20' is no list of dates"


def token_of(seed: int) -> str:
    return "gh" + "p_" + "".join(random.Random(seed).choices(string.ascii_letters + string.digits, k=36))


@pytest.mark.parametrize("name", ["memory/x.py", "memory/.hidden/x", "memory/X.MD", "memsite.toml", "mkdocs.yml"])
def test_secrets_are_found_in_every_text(root: Path, git: Git, name: str) -> None:
    path = root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# a\n# {token_of(5)}\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    found = [(str(one.path), one.line) for one in errors(check_staged(open_workspace(root)))]
    assert found == ([] if "/." in name else [(name, 2)])


def test_a_lone_carriage_return_hides_no_secret(root: Path, git: Git) -> None:
    note = root / "memory/2025-03-20.md"
    note.write_bytes(b"a\rb\nc\n")
    commit_all(git, root, "note")
    note.write_bytes(f"a\rb\nc\n{token_of(6)}\n".encode())
    git("add", "-A", cwd=root)
    assert [one.line for one in errors(check_staged(open_workspace(root)))] == [3]


@pytest.mark.parametrize("name", ["x.markdown", "X.MD"])
def test_conflict_markers_are_found_under_every_name_of_markdown(root: Path, git: Git, name: str) -> None:
    (root / "memory" / name).write_text("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    assert [one.line for one in errors(check_staged(open_workspace(root)))] == [1]


@pytest.mark.parametrize("place", ["message", "author", "author's address", "committer", "file name", "picture"])
def test_a_secret_beside_the_text_of_files_is_found_before_it_is_pushed(root: Path, git: Git, place: str) -> None:
    token = token_of(8)
    (root / "memory" / (f"{token}.md" if place == "file name" else "note.md")).write_text("x\n", encoding="utf-8")
    if place == "picture":
        (root / "memory/shot.png").write_bytes(b"\x89PNG\0\0" + f" {token} ".encode() + bytes(50))
    git("add", "-A", cwd=root)
    authors = {"author": f"Ada {token} <ada@example.org>", "author's address": f"Ada <{token}@example.org>"}
    author = authors.get(place, "Ada <ada@example.org>")
    committer = ("-c", f"committer.name={token}") if place == "committer" else ()
    subject = f"note: {token if place == 'message' else 'x'}"
    git(*committer, "commit", "-qm", subject, f"--author={author}", cwd=root)
    (found,) = errors(check_commits(open_workspace(root), ["HEAD", "^HEAD~1"]))
    assert found.commit == git("rev-parse", "HEAD", cwd=root).strip()
    assert "github-" in found.message
    assert token not in found.message
    assert (found.line, found.secret) == (None, True)


def test_a_secret_in_the_message_of_an_empty_commit_is_found_before_it_is_pushed(root: Path, git: Git) -> None:
    git("commit", "-q", "--allow-empty", "-m", f"note: {token_of(11)}", cwd=root)
    (found,) = errors(check_commits(open_workspace(root), ["HEAD", "^HEAD~1"]))
    assert found.commit == git("rev-parse", "HEAD", cwd=root).strip()


def test_a_secret_of_a_ref_is_found_before_it_is_pushed(root: Path, git: Git) -> None:
    """In its name, in the message of a tag, and in that of a tag of a tag."""
    opened = open_workspace(root)
    token = token_of(10)
    git("tag", "-a", "inner", "-m", f"release {token}", cwd=root)
    git("tag", "-a", "outer", "-m", "of a tag", "inner", cwd=root)
    head, inner, outer = git("rev-parse", "HEAD", "inner", "outer", cwd=root).split()
    assert list(check_refs(opened, [("refs/heads/main", head), ("", "0" * 40)])) == []
    for name, ref in ((f"refs/heads/{token}", head), ("refs/tags/inner", inner), ("refs/tags/outer", outer)):
        (found,) = check_refs(opened, [(name, ref)])
        assert "github-" in found.message
        assert found.secret
        assert token not in str(found)


def test_a_secret_that_is_allowed_is_no_violation(root: Path, git: Git) -> None:
    token = token_of(9)
    (root / "memory/note.md").write_text(f"use {token}\n", encoding="utf-8")
    settings = f'[[safety.allow]]\nvalue = "{token}"\nreason = "the example of the manual"\n'
    (root / "memsite.toml").write_text(settings, encoding="utf-8")
    commit_all(git, root, f"note: {token}")
    assert errors(check_commits(open_workspace(root), ["HEAD", "^HEAD~1"])) == []


def test_what_was_in_order_once_is_not_read_again_and_what_is_wrong_is_found_again(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    def commit(index: str, note: str) -> None:
        (root / "memory/INDEX.md").write_text(index, encoding="utf-8")
        (root / "memory/2025-03-20.md").write_text(note, encoding="utf-8")
        git("add", "-A", cwd=root)
        git("commit", "-qm", "more", cwd=root)

    commit(INDEX.replace("-21]", "-21, 2025-03-22]"), "one\n")
    assert check_history(open_workspace(root)) == ()
    read: list[str] = []
    find = ObjectReader.find

    def seen(self: ObjectReader, name: str, *, most: int | None = None) -> GitObject | None:
        read.append(name)
        return find(self, name, most=most)

    monkeypatch.setattr(ObjectReader, "find", seen)
    assert check_history(open_workspace(root)) == ()
    assert [name for name in read if re.fullmatch("[0-9a-f]{40}", name)] == []
    commit(INDEX.replace("2025-03-20", ""), "<<<<<<< one\n=======\n>>>>>>> two\n")
    for _ in range(2):
        found = errors(check_history(open_workspace(root)))
        assert sorted(one.message[:16] for one in found) == ["an unfinished me", "dates of 'blog' ", "dates of 'garden"]
