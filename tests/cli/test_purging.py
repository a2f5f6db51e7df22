"""`purge`: a value or a file is rendered no more, is nowhere written down, and the steps that are printed work."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import Git, Run
from tests.published import find_values, read_site

VALUE = "blue-Heron 4711 in Example Street"
"""What no rule takes for a secret."""


def commit(git: Git, root: Path, message: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git("add", "-A", cwd=root)
    git("commit", "-q", "--no-verify", "-m", message, cwd=root)


_MADE: list[Path] = []


@pytest.fixture
def leaked(workspace: Path, git: Git, memsite: Run, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A value in HEAD, in the history alone, in a message, in a published version; all of it pushed. Made once."""
    if not _MADE:
        make_leaked(workspace, git, memsite)
        _MADE.append(tmp_path_factory.mktemp("leaked"))
        shutil.copytree(tmp_path, _MADE[0], symlinks=True, dirs_exist_ok=True)
    else:
        shutil.rmtree(workspace)
        shutil.copytree(_MADE[0], tmp_path, symlinks=True, dirs_exist_ok=True)
        git("update-index", "-q", "--refresh", cwd=workspace)
    return workspace


def make_leaked(workspace: Path, git: Git, memsite: Run) -> None:
    git("init", "-q", "--bare", "-b", "main", "../remote.git", cwd=workspace)
    git("remote", "add", "origin", "../remote.git", cwd=workspace)
    first = {"memory/2025-03-20.md": f"# 2025-03-20\n\nOnly then: {VALUE}.\n"}
    commit(git, workspace, "note: a", {**first, "memsite.toml": "", ".gitignore": "/site/\n"})
    commit(git, workspace, f"note: the {VALUE}", {"memory/2025-03-20.md": "# 2025-03-20\n\nNot any more.\n"})
    settings = f"site_name: Notes\nsite_description: {VALUE}\ntheme:\n  name: material\nplugins:\n  - memsite\n"
    still = {"memory/2025-03-21.md": f"# 2025-03-21\n\nStill: {VALUE}.\n", "mkdocs.yml": settings}
    commit(git, workspace, "note: b", still)
    commit(git, workspace, "note: c", {"memory/diary.md": "# A diary of Zebras\n\nThe zebra came today, it said.\n"})
    assert memsite("publish", "--yes", "--push").code == 0
    git("push", "-q", "--no-verify", "-u", "origin", "main", cwd=workspace)
    assert memsite("build").code == 0


def published(git: Git, root: Path) -> dict[str, bytes]:
    names = git("ls-tree", "-r", "-z", "--name-only", "gh-pages", cwd=root).split("\0")[:-1]
    pages = [name for name in names if not name.startswith("assets/")]
    return {name: git("cat-file", "blob", f"gh-pages:{name}", cwd=root).encode("utf-8", "replace") for name in pages}


def test_a_purged_value_is_rendered_no_more(memsite: Run, leaked: Path, git: Git) -> None:
    assert find_values(published(git, leaked), [VALUE])
    assert find_values(read_site(leaked / "site"), [VALUE])
    done = memsite("purge", VALUE)
    assert done.code == 0
    assert "memory/2025-03-21.md:3: take it out there" in done.out
    assert "It is in 3 commits" in done.out
    assert "It is in 1 of their messages" in done.out
    assert "The site on gh-pages shows it" in done.out
    assert "rotate it" in done.out
    assert "It was pushed: origin/gh-pages, origin/main." in done.out
    assert memsite("publish", "--push").code == 0
    assert find_values(published(git, leaked), [VALUE]) == []
    assert memsite("build").code == 0
    assert find_values(read_site(leaked / "site"), [VALUE]) == []
    assert "[redacted:purged]" in (leaked / "site/daily/2025-03-21/index.html").read_text(encoding="utf-8")


def test_a_purged_value_goes_from_published_versions(memsite: Run, leaked: Path, git: Git) -> None:
    """In HEAD, in the history alone, in a message, in mkdocs.yml, and in versions of the past beside the latest."""
    commit(git, leaked, "settings", {"memsite.toml": '[publish]\nversions = "named"\n'})
    then = git("rev-parse", "main~4", cwd=leaked).strip()
    assert memsite("publish", "--version", f"then={then}", "--push").code == 0
    files = published(git, leaked)
    assert find_values({name: data for name, data in files.items() if name.startswith("then/")}, [VALUE])
    assert memsite("purge", VALUE).code == 0
    assert memsite("publish", "--push").code == 0
    files = published(git, leaked)
    assert "then/daily/2025-03-20/index.html" in files
    assert find_values(files, [VALUE]) == []


def test_no_output_of_a_publication_names_a_purged_value(memsite: Run, leaked: Path, git: Git) -> None:
    """Not even the list of the pages that go: in CI anybody reads it."""
    commit(git, leaked, "note: d", {f"memory/{VALUE}.md": "# Named\n"})
    assert memsite("publish").code == 0
    assert memsite("purge", VALUE).code == 0
    for arguments in (
        ("publish", "--dry-run"),
        ("publish", "--dry-run", "--json"),
        ("publish",),
        ("check", "--publish"),
    ):
        done = memsite(*arguments)
        assert done.code == 0
        assert VALUE not in done.out + done.err


def test_the_value_is_nowhere_written_down(memsite: Run, leaked: Path, git: Git) -> None:
    memsite("purge", "-", stdin=VALUE + "\n")
    assert git("log", "-1", "--format=%B", cwd=leaked).strip() == "purge: a value"
    assert git("show", "--format=", "--name-only", "HEAD", cwd=leaked).split() == [".memsite/purged"]
    listed = (leaked / ".memsite/purged").read_bytes()
    assert find_values({"list": listed}, [VALUE, "Heron", "Street"]) == []
    # Of four digits one digest in a thousand has these by chance.
    assert find_values({"list": re.sub(rb"[0-9a-f]{32,}", b"", listed)}, ["4711"]) == []
    own = leaked / ".git/memsite"
    kept = {str(path): path.read_bytes() for path in own.rglob("*") if path.is_file()}
    assert [name for name, data in kept.items() if VALUE.encode() in data] == []


def test_purged_twice_it_is_on_the_list_once(memsite: Run, leaked: Path, git: Git) -> None:
    memsite("purge", VALUE)
    listed, head = (leaked / ".memsite/purged").read_bytes(), git("rev-parse", "HEAD", cwd=leaked)
    again = memsite("purge", VALUE)
    assert again.code == 0
    assert "It was purged before." in again.out
    assert (leaked / ".memsite/purged").read_bytes() == listed
    assert git("rev-parse", "HEAD", cwd=leaked) == head
    memsite("purge", "another value of ours")
    assert (leaked / ".memsite/purged").read_bytes().startswith(listed)


def test_a_value_that_nothing_has_may_be_spelled_wrong(memsite: Run, leaked: Path) -> None:
    done = memsite("purge", "blue-Heron 4712 in Example Street")
    assert done.code == 0
    assert "No file of the memory and no commit has it: is it spelled right?" in done.out
    assert (leaked / ".memsite/purged").is_file()
    assert "spelled" not in memsite("purge", VALUE).out


def test_a_purged_file_is_rendered_no_more(memsite: Run, leaked: Path, git: Git) -> None:
    words = ["zebra came today", "Zebras", "diary"]
    assert find_values(published(git, leaked), words)
    done = memsite("purge", "diary.md")
    assert done.code == 0
    assert "--invert-paths --path memory/diary.md" in done.out
    assert b"diary" not in (leaked / ".memsite/purged").read_bytes()
    commit(git, leaked, "note: moved", {"memory/copy.md": (leaked / "memory/diary.md").read_text(encoding="utf-8")})
    commit(git, leaked, "note: see diary.md", {"memory/2025-03-22.md": "# 2025-03-22\n\nSee [it](diary.md).\n"})
    assert memsite("publish").code == 0
    assert find_values(published(git, leaked), words) == []
    assert memsite("build").code == 0
    assert find_values(read_site(leaked / "site"), words) == []


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [(("abc",), "too short"), (("no-such-file.md",), "the memory has no such file"), (("---- --- ---",), "too short")],
)
def test_what_cannot_be_purged_is_refused(
    memsite: Run, workspace: Path, arguments: tuple[str, ...], problem: str
) -> None:
    done = memsite("purge", *arguments)
    assert done.code == 1
    assert problem in done.err
    assert not (workspace / ".memsite").exists()


def test_what_was_purged_on_another_machine_leaves_the_pages_of_days_long_ago(
    memsite: Run, workspace: Path, git: Git, tmp_path: Path
) -> None:
    (workspace / "memory" / "2025-03-20.md").write_text("# 2025-03-20\n\nx\n", encoding="utf-8")
    git("add", "-A", cwd=workspace)
    stamp = {"GIT_AUTHOR_DATE": "2025-03-20T10:00:00Z", "GIT_COMMITTER_DATE": "2025-03-20T10:00:00Z"}
    git("commit", "-q", "--no-verify", "-m", f"note: the {VALUE}", cwd=workspace, **stamp)
    assert memsite("build", now="2025-06-01T10:00").code == 0
    assert find_values(read_site(workspace / "site"), [VALUE])
    kept = workspace / ".git" / "memsite"
    shutil.copytree(kept, tmp_path / "kept")
    assert memsite("purge", VALUE, now="2025-06-01T10:00").code == 0
    assert not [path for path in kept.rglob("*") if path.is_file() and VALUE.encode() in path.read_bytes()]
    shutil.rmtree(kept)  # where the list comes with a pull, what builds have kept is still there
    shutil.copytree(tmp_path / "kept", kept)
    assert memsite("build", now="2025-06-01T10:00").code == 0
    assert find_values(read_site(workspace / "site"), [VALUE]) == []
