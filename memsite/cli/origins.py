"""Whose folder this is: what `init` recognises before it does anything, and where the memory then is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath

from memsite.config import Config
from memsite.memory.names import MARKDOWN, parse_day_name
from memsite.values import dataclass

HERE = PurePosixPath()
"""The memory of a folder that is one."""
AGENT_FILES = ("AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md", "MEMORY.md", "DREAMS.md")
"""What OpenClaw keeps at the root of a workspace (it is named, never touched)."""
_OPENCLAW = {"SOUL.md", "IDENTITY.md", "USER.md"}
_CLAUDE_TYPES = {"user", "feedback", "project", "reference"}
_SAMPLE = 40
"""Notes of which the front matter is read."""
_HEAD = 4_096
"""Bytes of each."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the memory is, and what its folder looks like."""

    memory: PurePosixPath
    name: str = ""
    """`an Obsidian vault`; empty for nothing in particular."""
    advice: tuple[str, ...] = ()
    """What its owner should know, a line each."""


def recognise(root: Path) -> Origin:
    """Look at the names in a folder, and at the front matter of some notes."""
    names = {item.name for item in root.iterdir()} if root.is_dir() else set()
    usual = Config().memory
    if (root / usual).is_dir():
        return Origin(usual, "an OpenClaw workspace" if names & _OPENCLAW else "")
    if ".obsidian" in names:
        return Origin(HERE, "an Obsidian vault", tuple(_vault_advice(root)))
    heads = list(islice(_front_matters(root), _SAMPLE))
    if _is_claude_code(root, names, heads):
        return Origin(HERE, "Claude Code's memory of a project", (_CLAUDE,))
    if heads and 2 * sum("permalink" in head for head in heads) > len(heads):
        return Origin(HERE, "a basic-memory project", (_PLAIN,))
    if names & _OPENCLAW:
        return Origin(usual, "an OpenClaw workspace")
    if "consolidated" in names or any(map(parse_day_name, names)):
        return Origin(HERE, "a folder of dated notes")
    return _of_folders(root, usual)


_CLAUDE = "Claude Code goes on writing here; `memsite commit` (or the git hooks) commits it; MEMORY.md is not changed"
_PLAIN = "every note gets a page, `[[links]]` lead on; no note is changed; topics: `memsite review --all` proposes them"


def _vault_advice(root: Path) -> Iterator[str]:
    yield _PLAIN
    for folder in _dated_folders(root):
        yield f"days are read in the memory's own folder alone: the notes in {folder}/ are pages, but no days"


def _of_folders(root: Path, usual: PurePosixPath) -> Origin:
    found = _dated_folders(root)
    if len(found) == 1:
        return Origin(PurePosixPath(found[0]), f"a folder with dated notes in {found[0]}/")
    return Origin(usual)


def _dated_folders(root: Path) -> list[str]:
    """Folders right here with at least two notes that are called like days."""
    folders = sorted(item for item in root.iterdir() if _is_folder(item)) if root.is_dir() else []
    dated = (folder for folder in folders if sum(1 for item in folder.iterdir() if parse_day_name(item.name)) > 1)
    return [folder.name for folder in dated]


def _is_folder(item: Path) -> bool:
    return not item.name.startswith(".") and item.is_dir() and not item.is_symlink()


def _is_claude_code(root: Path, names: set[str], heads: list[dict[str, str]]) -> bool:
    if "MEMORY.md" not in names or names & _OPENCLAW:
        return False
    resolved = root.resolve()
    is_place = resolved.name == "memory" and resolved.parent.parent.name == "projects"
    return is_place or any(
        {"name", "description"} <= head.keys() and head.get("type") in _CLAUDE_TYPES for head in heads
    )


def _front_matters(root: Path) -> Iterator[dict[str, str]]:
    """Of the notes here and one folder below; a note without any counts as an empty one."""
    from memsite.site.front_matter import split_front_matter  # imports the YAML parser

    for path in _notes(root):
        with suppress(OSError), path.open("rb") as file:
            yield dict(split_front_matter(file.read(_HEAD).decode("utf-8", "replace"))[0])


def _notes(root: Path) -> Iterator[Path]:
    items = sorted(root.iterdir()) if root.is_dir() else []
    below = (inner for item in items if _is_folder(item) for inner in sorted(item.iterdir()))
    for item in (*items, *below):
        is_note = item.suffix.lower() in MARKDOWN and item.name != "MEMORY.md" and not item.name.startswith(".")
        if is_note and item.is_file() and not item.is_symlink():
            yield item
