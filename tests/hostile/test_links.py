"""Links in a workspace that lead out of it: no command reads a byte behind one, none writes one there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git, Run, cpu_seconds
from tests.hostile.bombs import write_memory

WORD = "zanzibar"
"""In every file outside, and nowhere else."""
OUTSIDE = {
    "note.md": f"# {WORD}\n\nblog quagga {WORD}\n",
    "2025-03-22.md": f"# 2025-03-22\n\nblog {WORD}\n",
    "INDEX.md": f"# Index\n\n## {WORD}\n- **{WORD}**\n  - Dates: [2025-03-20]\n",
    "blog-gen9-2025-03-22.md": f"# Blog - Generation 9 Consolidation\n\n## Key Points\n- {WORD}\n",
    "pic.svg": f"<svg xmlns='http://www.w3.org/2000/svg'><text>{WORD}</text></svg>",
    "pic.png": f"\x89PNG {WORD}",
    "style.css": f"/* {WORD} */",
    "purged": f"# {WORD}\n",
    "ignore": f"# {WORD}\n",
    "settings.yml": f"site_name: {WORD}\n",
}


def some_files(root: Path, outside: Path) -> None:
    """Each kind of file, and the kinds of links."""
    memory = root / "memory"
    links = {
        "file.md": outside / "note.md",
        "relative.md": Path("../../outside/note.md"),
        "folder": outside,
        "upwards": Path("../.."),
        "disk": Path("/"),
        "first": Path("second"),
        "second": outside,
        "chain.md": Path("first/note.md"),
        "gone.md": outside / "unborn.md",
        "loop.md": Path("loop.md"),
        "proc": Path("/proc/self/cwd"),
        "2025-03-22.md": outside / "2025-03-22.md",
        "sessions/2025-03-22.md": outside / "2025-03-22.md",
        "consolidated/blog-gen9-2025-03-22.md": outside / "blog-gen9-2025-03-22.md",
        "pic.svg": outside / "pic.svg",
        "pic.png": outside / "pic.png",
        "style.css": outside / "style.css",
    }
    for name, target in links.items():
        (memory / name).symlink_to(target)
    (root / "MEMORY.md").symlink_to(outside / "note.md")
    (root / ".memsite").mkdir()
    (root / ".memsite" / "purged").symlink_to(outside / "purged")
    (root / ".gitignore").symlink_to(outside / "ignore")
    (root / ".gitattributes").symlink_to(outside / "unborn-attributes")
    (memory / "leads.md").write_text(
        "![p](pic.png) ![s](pic.svg) ![d](folder/pic.png) ![u](../../outside/pic.png) [n](file.md) [[file]]\n"
        f"[a]({outside}/note.md) [b](folder/note.md) ![[pic.svg]] [c](file://{outside}/note.md)\n",
        encoding="utf-8",
    )


def the_index(root: Path, outside: Path) -> None:
    (root / "memory" / "INDEX.md").unlink()
    (root / "memory" / "INDEX.md").symlink_to(outside / "INDEX.md")


def folders(root: Path, outside: Path) -> None:
    for name in ("sessions", "consolidated"):
        (root / "memory" / name).rename(root / f"old-{name}")
        (root / "memory" / name).symlink_to(outside)


def fields(root: Path, outside: Path) -> None:
    """Names and fields that lead out by what they say."""
    index = root / "memory" / "INDEX.md"
    for target in ("../../outside/note.md", f"{outside}/note.md", "consolidated/../../../outside/note.md"):
        text = index.read_text(encoding="utf-8")
        added = f"    - gen2 (2025-03-22): {target}\n  - Current: {target}\n- **../../outside/x**: [2025-03-20]\n"
        index.write_text(text.replace("  - Current:", f"{added}  - Was:"), encoding="utf-8")
    marker = "<!-- ARCHIVED: consolidated into ../../outside/note.md -->\n"
    (root / "memory" / "2025-03-21.md").write_text(f"# x\n\nblog\n{marker}", encoding="utf-8")


def included(root: Path, outside: Path) -> None:
    (root / "memsite.toml").write_text(f'timezone = "UTC"\ninclude = ["../outside/note.md", "{outside}/note.md"]\n')


def settings(root: Path, outside: Path) -> None:
    (root / "mkdocs.yml").symlink_to(outside / "settings.yml")
    (root / "memsite.toml").write_text('timezone = "UTC"\nmemory = "../outside"\n', encoding="utf-8")


COMMANDS = (
    ["recall", "blog", "--deep"],
    ["recall", "quagga"],
    ["sessions", "2025-03-22"],
    ["index", "list", "--json"],
    ["lineage", "blog", "--json"],
    ["blame", "blog"],
    ["diff", "blog"],
    ["history"],
    ["consolidate", "blog", "--brief"],
    ["review", "2025-03-22"],
    ["check"],
    ["note", "remember", "--date", "2025-03-22"],
    ["log", "--session", "s9", "--at", "2025-03-22T10:00"],
    ["index", "add", "garden", "--category", "Projects"],
    ["index", "touch", "blog", "2025-03-22"],
    ["consolidate", "blog", "--auto"],
    ["flush", "--date", "2025-03-22"],
    ["purge", "--value", "hunter2hunter2"],
    ["migrate"],
    ["hooks", "install"],
    ["init"],
    ["agent", "claude-code", "session-start"],
    ["commit"],
    ["build"],
    ["build", "--clean"],
    ["publish", "--yes"],
)


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in sorted(folder.rglob("*"))}


@pytest.mark.parametrize(
    "make", [some_files, the_index, folders, fields, included, settings], ids=lambda make: make.__name__
)
def test_no_command_reads_or_writes_behind_a_link(
    make: Callable[[Path, Path], None], workspace: Path, memsite: Run, git: Git
) -> None:
    outside = workspace.parent / "outside"
    outside.mkdir()
    for name, text in OUTSIDE.items():
        (outside / name).write_text(text, encoding="utf-8")
    write_memory(workspace)
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "sound", cwd=workspace)
    make(workspace, outside)
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "links, as git keeps them", cwd=workspace)
    before = state(outside)
    transcript = json.dumps([{"role": "user", "content": "Let us talk"}, {"role": "assistant", "content": "Yes"}])
    for command in COMMANDS:
        done = memsite(*command, now="2025-03-23T10:00", stdin=transcript)
        assert WORD not in done.out + done.err, command
        assert "Traceback" not in done.err, command
        assert state(outside) == before, command
    for path in workspace.rglob("*"):
        if path.is_file() and not any(above.is_symlink() for above in (path, *path.parents)):
            assert WORD.encode() not in path.read_bytes(), path
    everything = git("cat-file", "--batch", "--batch-all-objects", "--unordered", cwd=workspace)
    assert WORD not in everything


def test_a_list_of_purges_that_is_a_link_or_a_pipe_is_refused_not_followed(workspace: Path, memsite: Run) -> None:
    write_memory(workspace)
    (workspace / ".memsite").mkdir()
    place = workspace / ".memsite" / "purged"
    place.symlink_to(workspace / "memsite.toml")
    assert "symbolic link" in memsite("build", "--no-commit").err
    place.unlink()
    os.mkfifo(place)
    with cpu_seconds(60):
        assert "is no regular file" in memsite("build", "--no-commit").err
