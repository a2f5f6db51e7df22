"""A publication has no secret in it, wherever it stood and however it was written."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from memsite.errors import RefusedError
from memsite.repo.workspace import open_workspace
from memsite.safety.purges import purge_value
from memsite.safety.secrets import redact
from memsite.site.build import build_site
from memsite.site.publication import build_publication, read_publication
from tests.conftest import Git
from tests.leaky_memory import MESSAGES, SURFACES, make_leaky_memory
from tests.published import find_values, read_site
from tests.secret_kinds import KINDS, mixed, plant


def test_no_secret_of_any_kind_on_any_surface_is_published(workspace: Path) -> None:
    secrets = make_leaky_memory(workspace, 41, 402)
    assert len(SURFACES) + len(MESSAGES) >= 12
    found = [one for one in secrets if not any(part in redact(f"- {one.text}\n").text for part in one.parts)]
    assert len(found) >= 0.95 * len(secrets)
    opened = open_workspace(workspace)
    result = build_publication(opened, read_publication(opened))
    files = read_site(result.index.parent)
    assert len(files) > 30
    leaks = find_values(files, [part for one in found for part in one.parts])
    assert Counter((name, way) for name, way, _ in leaks) == {}


def commit(git: Git, root: Path, message: str, **files: str) -> None:
    for name, text in files.items():
        (root / "memory" / f"{name}.md").write_text(text, encoding="utf-8")
    git("add", "-A", cwd=root)
    git("commit", "-q", "--no-verify", "-m", message, cwd=root)


def build(root: Path, folder: Path | None = None, at: str | None = None, *, clean: bool = False) -> dict[str, bytes]:
    opened = open_workspace(root)
    result = build_publication(opened, read_publication(opened, at), folder=folder, clean=clean)
    return read_site(result.index.parent)


def test_a_value_that_becomes_known_later_goes_from_pages_that_were_there(workspace: Path, git: Git) -> None:
    value = mixed(random.Random(61), 20)
    commit(git, workspace, "note: a", one=f"# One\n\nThe word is {value}.\n", two="# Two\n\nNothing.\n")
    assert find_values(build(workspace), [value])
    commit(git, workspace, "note: b", three=f"# Three\n\npassword: {value}\n")
    incremental = build(workspace)
    assert find_values(incremental, [value]) == []
    assert incremental == build(workspace, clean=True)
    git("rm", "-q", "memory/three.md", cwd=workspace)
    git("commit", "-q", "-m", "note: c", cwd=workspace)
    assert find_values(build(workspace), [value]) == []


def test_copies_in_other_letters_and_over_hard_breaks_are_not_published(workspace: Path, git: Git) -> None:
    """Not in the shards of the search either, which hold words in small letters."""
    value, token = (
        mixed(random.Random(68), 20),
        next(one for one in KINDS if one.name == "gitlab").make(random.Random(69)),
    )
    commit(
        git,
        workspace,
        "note: a",
        one=f"# One\n\npassword: {value}\n",
        two=f"# Two\n\nThe word is {value.lower()}, or {value.upper()}.\n\n## {value.lower()}\n",
        three=f"# Three\n\nIt is {token[:12]}\\\n{token[12:]}  \nand that is it.\n",
    )
    files = {name: data.lower() for name, data in build(workspace).items()}
    assert find_values(files, [value.lower(), token[:12].lower(), token[12:].lower()]) == []


def test_pieces_of_the_owners_site_are_never_taken_for_a_publication(workspace: Path, git: Git, tmp_path: Path) -> None:
    value = mixed(random.Random(62), 20)
    commit(git, workspace, "note: a", one=f"# One\n\npassword: {value}\n", two="# Two\n\nNothing.\n")
    folder = tmp_path / "site"
    build_site(open_workspace(workspace), destination=folder)
    assert find_values(read_site(folder), [value])
    published = build(workspace, folder)
    assert find_values(published, [value]) == []
    assert published == build(workspace, tmp_path / "other", clean=True)
    build_site(open_workspace(workspace), destination=folder)
    assert find_values(read_site(folder), [value])


def test_a_version_of_the_past_is_hidden_by_the_settings_of_today(workspace: Path, git: Git) -> None:
    value = mixed(random.Random(63), 20)
    commit(git, workspace, "note: a", one=f"# One\n\nThe zebra is {value}, and nobody knows.\n\nSeen.\n")
    first = git("rev-parse", "HEAD", cwd=workspace).strip()
    commit(git, workspace, "note: b", one=f"# One\n\n<!-- private -->\npassword: {value}\n<!-- /private -->\n\nSeen.\n")
    (workspace / "memory/people").mkdir()
    files = build(workspace, at=first)
    assert find_values(files, [value, "zebra"]) == []
    assert b"Seen." in files["notes/one/index.html"]


def test_a_note_with_zero_bytes_is_published_without_its_secret_and_private_block(workspace: Path, git: Git) -> None:
    """Also where it is UTF-16, in its old versions, and in files that are no notes."""
    planted = next(plant(64, 4))
    text = f"# Title\n\nSeen.\n\n{planted.text}\n\n<!-- private -->\nThe zebra is hidden here.\n<!-- /private -->\n"
    notes = {"utf16.md": text.encode("utf-16"), "nul.md": b"a\0b\n\n" + text.encode()}
    notes |= {"a.txt": text.encode(), "b.txt": b"\xe9" + text.replace(planted.text, "").encode()}
    for name, data in notes.items():
        (workspace / "memory" / name).write_bytes(data)
    commit(git, workspace, "note: a", one="# One\n\n[a](a.txt), [b](b.txt)\n")
    (workspace / "memory/nul.md").write_bytes(b"# Title\n\nNothing.\n")
    commit(git, workspace, "note: b", one="# One\n\n[a](a.txt), [b](b.txt), [c](c.txt)\n")
    files = {name: data.replace(b"\0", b"") for name, data in build(workspace).items()}
    assert find_values(files, [planted.value, "zebra"]) == []
    assert b"Seen." in files["notes/utf16/index.html"]


def test_a_value_in_a_file_of_the_themes_own_stops_the_publication(workspace: Path, git: Git) -> None:
    value = mixed(random.Random(65), 20)
    commit(git, workspace, "note: a", one=f"# One\n\npassword: {value}\n")
    opened = open_workspace(workspace)
    scene = read_publication(opened)
    build_publication(opened, scene)
    folder = opened.require_repository().own_dir / "publication"
    (folder / "assets/extra.txt").write_text(f"left here: {value}", encoding="utf-8")
    with pytest.raises(RefusedError, match=r"assets/extra.txt: would show what others must not see"):
        build_publication(opened, scene)


def test_a_purged_word_that_every_page_has_is_told_with_a_way_out(workspace: Path, git: Git) -> None:
    commit(git, workspace, "note: a", one="# One\n\nWe search for it.\n")
    (workspace / ".memsite").mkdir()
    (line,) = purge_value("search", bytes(16), date(2025, 3, 20))
    (workspace / ".memsite/purged").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(RefusedError, match=r"take its line out of \.memsite/purged") as refused:
        build(workspace)
    assert "would show what others must not see (redacted:purged)" in str(refused.value)


def test_names_of_files_are_told_apart_when_they_look_the_same(workspace: Path, git: Git) -> None:
    tokens = [next(kind for kind in KINDS if kind.name == "gitlab").make(random.Random(seed)) for seed in (66, 67)]
    commit(
        git, workspace, "note: a", **{token: f"# {number}\n\nPage {number}.\n" for number, token in enumerate(tokens)}
    )
    files = build(workspace)
    pages = [name for name in files if "redacted" in name and name.endswith(".html")]
    assert sorted(pages) == ["notes/redacted-gitlab-pat-2/index.html", "notes/redacted-gitlab-pat/index.html"]
    assert find_values(files, tokens) == []


def test_a_shallow_clone_is_not_published(workspace: Path, git: Git, tmp_path: Path) -> None:
    commit(git, workspace, "note: a", one="# One\n")
    git("clone", "-q", "--depth=1", f"file://{workspace}", str(tmp_path / "shallow"))
    with pytest.raises(RefusedError, match="shallow"):
        read_publication(open_workspace(tmp_path / "shallow"))
