"""The rules that a change of the memory must keep, whoever makes it.

Generations never change, topics and their dates are never removed, no unfinished merge, no file too large for git
hosts: the seed's "Consolidated files are immutable", "Index entries are append-only". Pure: bytes in, problems out.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.index import find_excess, parse_index
from memsite.memory.lines import split_lines
from memsite.memory.model import Problem, TopicEntry
from memsite.memory.names import parse_generation_name
from memsite.memory.snapshot import Blob, blob_id

MEGABYTE = 1_000_000
_CONFLICT = ("<<<<<<< ", "=======", ">>>>>>> ")
_MARKDOWN = frozenset({".md", ".markdown"})
_MOST_DATES = 3


def is_markdown(path: PurePosixPath) -> bool:
    """Whether a file is Markdown by its name."""
    return path.suffix.lower() in _MARKDOWN


def is_generation_path(path: PurePosixPath, config: Config) -> bool:
    """Whether a workspace-relative path is a consolidation generation."""
    return path.parent == config.consolidated_path and parse_generation_name(path.name) is not None


def changed_generation(path: PurePosixPath, *, is_gone: bool, first: str = "") -> Problem:
    """A generation is not what it was. `first` is the blob that it was; empty: HEAD has it."""
    done = "deleted, renamed or replaced" if is_gone else "changed"
    hint = f"undo it: git restore --source=HEAD --staged --worktree -- '{path}'"
    if first:
        hint = f"put the first back: git cat-file blob {first} > '{path}'"
    return Problem(path, None, f"a committed generation is {done}; generations are immutable", hint)


def returned_generation(path: PurePosixPath, first: str) -> Problem:
    """A generation that was deleted, whose blob was `first`, is there again and is another one."""
    message = "a generation that was deleted is added with other bytes; generations are immutable"
    return Problem(path, None, message, f"put the first back: git cat-file blob {first} > '{path}'")


def check_index(path: PurePosixPath, old: bytes, new: bytes | None, config: Config) -> Iterator[Problem]:
    """What is wrong with replacing an index by another content (None: there is no file): topics or dates are lost."""
    if new is not None and (excess := find_excess(new, path)):
        # It reads as empty; that is no removal.
        yield from () if find_excess(old, path) else (excess,)
        return
    kept = _dates(path, new, config) if new is not None else {}
    for slug, dates in _dates(path, old, config).items():
        if slug not in kept:
            hint = f"put it back; `memsite index status {slug} deprecated` marks it"
            yield Problem(path, None, f"the entry {slug!r} is removed; entries are marked, never removed", hint)
        elif lost := sorted(day.isoformat() for day in dates - kept[slug]):
            more = f" and {len(lost) - _MOST_DATES} more" if len(lost) > _MOST_DATES else ""
            shown = " ".join(lost[:_MOST_DATES])
            message = f"dates of {slug!r} are removed ({shown}{more}); dates are only ever added"
            yield Problem(path, None, message, f"put them back: memsite index touch {slug} {' '.join(lost)}")


def _dates(path: PurePosixPath, data: bytes, config: Config) -> dict[str, set[date]]:
    found: dict[str, set[date]] = {}
    for entry in _entries(path, data, config):
        found.setdefault(entry.slug, set()).update(entry.dates)
    return found


def _entries(path: PurePosixPath, data: bytes, config: Config) -> tuple[TopicEntry, ...]:
    return parse_index(Blob(blob_id(data), data), path, config).entries


def check_content(path: PurePosixPath, new: bytes, config: Config) -> Iterator[Problem]:
    """What is wrong with a file of the memory by itself, at a workspace-relative path."""
    if len(new) > config.max_file_mb * MEGABYTE:
        hint = "keep it out of the repository, or raise max_file_mb under [safety] in memsite.toml"
        yield Problem(path, None, f"is larger than {config.max_file_mb} MB", hint)
    elif is_markdown(path) and (line := find_conflict(new)) is not None:
        yield Problem(path, line, "an unfinished merge is in it", "settle the lines between <<<<<<< and >>>>>>>")


def find_conflict(data: bytes) -> int | None:
    """The line of git's first complete set of conflict markers outside code; None without one."""
    if b"<<<<<<< " not in data:
        return None
    begun: list[int] = []
    for line in split_lines(data):
        wanted = _CONFLICT[len(begun)]
        if not line.in_code and (line.text.startswith(wanted) if wanted.endswith(" ") else line.text == wanted):
            begun.append(line.number)
        if len(begun) == len(_CONFLICT):
            return begun[0]
    return None
