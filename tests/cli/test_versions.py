"""`publish` with versions: snapshots of months and tags, and those asked for, beside the latest."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from memsite.cli import publishing
from tests.conftest import Git, Run
from tests.secret_kinds import KINDS

TOKEN = next(kind for kind in KINDS if kind.name == "github-classic").make(random.Random(77))
NOW = "2025-04-02T10:00"


@pytest.fixture
def years(workspace: Path, memsite: Run, tmp_path: Path, git: Git) -> Path:
    """A memory of three months, its settings wanting a version of each, and a bare repository to push to."""
    for day in ("2025-01-10", "2025-02-10", "2025-03-10"):
        memsite("note", f"What is true on {day}.", "--date", day, cwd=workspace, now=f"{day}T10:00")
    configure(workspace, git, 'versions = "month"')
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    git("remote", "add", "origin", str(tmp_path / "remote.git"), cwd=workspace)
    return workspace


def configure(root: Path, git: Git, setting: str) -> None:
    (root / "memsite.toml").write_text(f'timezone = "UTC"\n\n[publish]\n{setting}\n', encoding="utf-8")
    git("add", "memsite.toml", cwd=root)
    git("commit", "-q", "-m", "settings", cwd=root)


def names_in(git: Git, root: Path, revision: str = "gh-pages") -> set[str]:
    return set(git("ls-tree", "-r", "-z", "--name-only", revision, cwd=root).split("\0")[:-1])


def listed(git: Git, root: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(git("show", "gh-pages:versions.json", cwd=root))
    return entries


def versions(git: Git, root: Path) -> list[str]:
    return [entry["version"] for entry in listed(git, root)]


def everything(git: Git, root: Path, revision: str = "gh-pages") -> str:
    names = [name for name in sorted(names_in(git, root, revision)) if "/assets/" not in f"/{name}"]
    return "".join(git("show", f"{revision}:{name}", cwd=root) for name in names)


def test_each_month_that_is_over_is_a_version_of_what_was_known_then(memsite: Run, years: Path, git: Git) -> None:
    done = memsite("publish", "--yes", cwd=years, now=NOW)
    assert (done.code, done.err) == (0, "")
    assert versions(git, years) == ["latest", "2025-03", "2025-02", "2025-01"]
    names = names_in(git, years)
    assert {"index.html", "404.html", ".nojekyll", "_headers", "versions.json", ".memsite-site"} <= names
    days = {name for name in names if name.endswith("/index.html") and "/daily/2025-0" in name}
    assert "2025-02/daily/2025-02-10/index.html" in days
    assert not any(name.startswith("2025-02/daily/2025-03") for name in days)
    assert "latest/daily/2025-03-10/index.html" in days
    assert "The memory as it was" in git("show", "gh-pages:2025-02/index.html", cwd=years)
    assert "The memory as it was" not in git("show", "gh-pages:latest/index.html", cwd=years)
    assert 'url=latest/"' in git("show", "gh-pages:index.html", cwd=years)
    assert git("rev-list", "--count", "gh-pages", cwd=years).strip() == "1"


def test_the_month_that_is_not_over_is_no_version(memsite: Run, years: Path, git: Git) -> None:
    memsite("publish", "--yes", cwd=years, now="2025-03-20T10:00")
    assert versions(git, years) == ["latest", "2025-02", "2025-01"]


def test_another_publication_touches_only_what_has_changed(memsite: Run, years: Path, git: Git) -> None:
    memsite("publish", "--yes", cwd=years, now=NOW)
    first = git("rev-parse", "gh-pages", cwd=years).strip()
    assert "nothing new" in memsite("publish", cwd=years, now=NOW).out
    assert git("rev-parse", "gh-pages", cwd=years).strip() == first
    memsite("note", "One thing more.", "--date", "2025-04-02", cwd=years, now=NOW)
    memsite("publish", cwd=years, now=NOW)
    changed = git("diff", "--name-only", first, "gh-pages", cwd=years).split()
    assert changed
    assert {name.split("/")[0] for name in changed} == {"latest", "versions.json"}


def test_only_the_newest_are_kept(memsite: Run, years: Path, git: Git) -> None:
    memsite("publish", "--yes", cwd=years, now=NOW)
    configure(years, git, 'versions = "month"\nkeep = 1')
    memsite("publish", cwd=years, now=NOW)
    assert versions(git, years) == ["latest", "2025-03"]
    assert not any(name.startswith("2025-02/") for name in names_in(git, years))
    assert sorted(path.name for path in (years / ".git/memsite/versions").iterdir()) == ["2025-03", "latest"]


def test_a_tag_is_a_version_where_its_name_can_be_a_folder(memsite: Run, years: Path, git: Git) -> None:
    configure(years, git, 'versions = "tag"')
    git("tag", "v1.0", "HEAD~2", cwd=years)
    git("tag", "-a", "-m", "noted", "era/two", "HEAD~1", cwd=years)
    git("tag", "ärger", "HEAD", cwd=years)
    git("tag", f"leaks-{TOKEN}", "HEAD", cwd=years)
    git("tag", "latest", "HEAD", cwd=years)
    (years / "memory/2025-03-11.md").write_text(f"The token is {TOKEN}.\n", encoding="utf-8")
    done = memsite("publish", "--yes", cwd=years, now=NOW)
    assert done.code == 0
    assert set(versions(git, years)) == {"latest", "v1.0", "era-two"}
    assert "'ärger'" in done.err
    assert "'latest'" in done.err
    assert TOKEN not in done.err + done.out + everything(git, years)


def test_a_version_that_was_asked_for_stays_until_it_is_dropped(memsite: Run, years: Path, git: Git) -> None:
    configure(years, git, 'versions = "named"')
    done = memsite("publish", "--yes", "--version", "winter=2025-02-28", cwd=years, now=NOW)
    assert (done.code, done.err) == (0, "")
    memsite("note", "One thing more.", cwd=years, now=NOW)
    memsite("publish", cwd=years, now=NOW)
    assert versions(git, years) == ["latest", "winter"]
    assert "winter/daily/2025-02-10/index.html" in names_in(git, years)
    assert memsite("publish", "--drop", "summer", cwd=years, now=NOW).code == 1
    memsite("publish", "--drop", "winter", cwd=years, now=NOW)
    assert versions(git, years) == ["latest"]
    assert not any(name.startswith("winter/") for name in names_in(git, years))


def test_a_version_whose_commit_is_gone_is_left_out(memsite: Run, years: Path, git: Git) -> None:
    configure(years, git, 'versions = "named"')
    memsite("note", "A mistake.", "--date", "2025-03-30", cwd=years, now="2025-03-30T10:00")
    memsite("publish", "--yes", "--version", "wrong=HEAD", cwd=years, now=NOW)
    git("reset", "-q", "--hard", "HEAD~1", cwd=years)
    done = memsite("publish", cwd=years, now=NOW)
    assert "version wrong is left out" in done.err
    assert versions(git, years) == ["latest"]
    assert "A mistake" not in everything(git, years)


@pytest.mark.parametrize("name", ["../out", "latest", ".git", "index.html=HEAD", "x y=HEAD", "=HEAD", "-x"])
def test_what_cannot_be_a_folder_is_no_name(memsite: Run, years: Path, git: Git, name: str) -> None:
    done = memsite("publish", "--yes", f"--version={name}", cwd=years, now=NOW)
    assert done.code == 1
    assert "cannot be the name of a version" in done.err
    assert git("for-each-ref", "refs/heads/gh-pages", cwd=years) == ""


def test_a_name_that_is_refused_comes_with_what_names_are_and_another_way(memsite: Run, years: Path, git: Git) -> None:
    git("tag", "café", cwd=years)
    configure(years, git, 'versions = "tag"')
    for arguments in (("--version", "café"), ("--dry-run",)):
        said = memsite("publish", "--yes", *arguments, cwd=years, now=NOW).err
        assert "without accents" in said
        assert "--version NAME=café" in said


def test_a_list_that_others_wrote_names_no_folder_outside(memsite: Run, years: Path, git: Git, tmp_path: Path) -> None:
    memsite("publish", "--yes", cwd=years, now=NOW)
    head = git("rev-parse", "HEAD", cwd=years).strip()
    bad = [{"version": "../../up", "properties": {"commit": head, "pinned": True}}, 7, {"version": "x"}]
    git("worktree", "add", "-q", str(tmp_path / "pages"), "gh-pages", cwd=years)
    (tmp_path / "pages/versions.json").write_text(json.dumps(bad), encoding="utf-8")
    git("commit", "-q", "-am", "mine", cwd=tmp_path / "pages")
    git("worktree", "remove", str(tmp_path / "pages"), cwd=years)
    assert memsite("publish", cwd=years, now=NOW).code == 0
    assert versions(git, years) == ["latest", "2025-03", "2025-02", "2025-01"]


def test_without_the_setting_no_version_is_taken(memsite: Run, years: Path, git: Git) -> None:
    configure(years, git, 'emails = "mask"')
    done = memsite("publish", "--yes", "--version", "winter=2025-02-28", cwd=years, now=NOW)
    assert done.code == 1
    assert 'versions = "named"' in done.err


def test_a_secret_found_today_is_in_no_version_of_the_past(memsite: Run, years: Path, git: Git) -> None:
    path = years / "memory/2025-03-10.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nOur word is velvet-octopus-93.\n", encoding="utf-8")
    memsite("commit", cwd=years, now="2025-03-12T10:00")
    memsite("publish", "--yes", cwd=years, now=NOW)
    assert "velvet-octopus-93" in git("show", "gh-pages:2025-03/daily/2025-03-10/index.html", cwd=years)
    assert memsite("purge", "velvet-octopus-93", cwd=years, now=NOW).code in (0, 1)
    assert memsite("publish", cwd=years, now=NOW).code == 0
    assert versions(git, years)[1:] == ["2025-03", "2025-02", "2025-01"]
    assert "velvet" not in everything(git, years)


def test_a_later_publication_is_not_replaced_by_an_earlier_one(
    memsite: Run, years: Path, git: Git, tmp_path: Path
) -> None:
    remote = str(tmp_path / "remote.git")
    git("push", "-q", "origin", "main", cwd=years)
    git("clone", "-q", remote, str(tmp_path / "ci"))
    memsite("note", "What the other machine does not know.", cwd=years, now=NOW)
    git("push", "-q", "origin", "main", cwd=years)
    assert "pushed to" in memsite("publish", "--yes", "--push", cwd=years, now=NOW).out
    later = git("rev-parse", "gh-pages", cwd=tmp_path / "remote.git")
    done = memsite("publish", "--yes", "--push", cwd=tmp_path / "ci", now=NOW)
    assert done.code == 0
    assert "has a later commit of the memory" in done.err
    assert git("rev-parse", "gh-pages", cwd=tmp_path / "remote.git") == later


def test_what_was_taken_back_does_not_stay_published(memsite: Run, years: Path, git: Git, tmp_path: Path) -> None:
    git("push", "-q", "-u", "origin", "main", cwd=years)
    memsite("note", "A mistake.", "--date", "2025-03-30", cwd=years, now=NOW)
    git("push", "-q", cwd=years)
    memsite("publish", "--yes", "--push", cwd=years, now=NOW)
    git("reset", "-q", "--hard", "HEAD~1", cwd=years)
    git("push", "-qf", "--no-verify", cwd=years)
    assert "pushed to" in memsite("publish", "--push", cwd=years, now=NOW).out
    assert "A mistake" not in everything(git, tmp_path / "remote.git")


def test_a_history_that_was_rewritten_is_published(memsite: Run, years: Path, git: Git, tmp_path: Path) -> None:
    memsite("publish", "--yes", "--push", cwd=years, now=NOW)
    git("commit", "-q", "--amend", "-m", "other settings", cwd=years)
    git("tag", "x", cwd=years)
    memsite("note", "Something else.", cwd=years, now=NOW)
    assert "pushed to" in memsite("publish", "--push", cwd=years, now=NOW).out


def test_a_site_that_no_host_would_take_is_refused_beforehand(
    memsite: Run, years: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "MOST_BYTES", 100_000)
    done = memsite("publish", "--yes", cwd=years, now=NOW)
    assert done.code == 1
    assert "hosts take 100.0 kB" in done.err
    assert git("for-each-ref", "refs/heads/gh-pages", cwd=years) == ""
