"""The rules that a change of the memory must keep, whoever makes it.

Generations never change, topics and their dates are never removed, no unfinished merge, no file too large for git
hosts: the seed's "Consolidated files are immutable", "Index entries are append-only". Pure: bytes in, problems out.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import date
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.conflicts import conflict_problem
from memsite.memory.index import ReadIndex, find_obstacle, read_index_kept
from memsite.memory.index_pieces import read_topic_dates
from memsite.memory.model import Problem
from memsite.memory.names import MARKDOWN, parse_generation_name
from memsite.values import replace

_MOST_DATES = 3


def is_markdown(path: PurePosixPath) -> bool:
    """Whether a file is Markdown by its name."""
    return path.suffix.lower() in MARKDOWN


def is_generation_path(path: PurePosixPath, config: Config) -> bool:
    """Whether a workspace-relative path is a consolidation generation."""
    return path.parent == config.consolidated_path and parse_generation_name(path.name) is not None


def changed_generation(path: PurePosixPath, *, is_gone: bool, undo: str) -> Problem:
    """A generation is not what it was. `undo`: see `undo_hint`."""
    done = "deleted, renamed or replaced" if is_gone else "changed"
    return Problem(path, None, f"a committed generation is {done}; generations are immutable", undo)


def returned_generation(path: PurePosixPath, undo: str) -> Problem:
    """A generation that was deleted is there again and is another one. `undo`: see `undo_hint`."""
    message = "a generation that was deleted is added with other bytes; generations are immutable"
    return Problem(path, None, message, undo)


def undo_hint(path: PurePosixPath, blob: str, commit: str) -> str:
    """How to have the first content of a generation again, `blob`; a `commit` that has it there; empty: none has."""
    quoted = shlex.quote(str(path))
    if commit:
        return f"undo it: git restore --source={commit} --staged --worktree -- {quoted}"
    return f"undo it: git cat-file blob {blob} > {quoted}"


def check_index(
    path: PurePosixPath, old: bytes, new: bytes | None, config: Config, now: bytes | None = None
) -> Iterator[Problem]:
    """What is wrong with replacing an index by another content (None: there is no file): topics or dates are lost.

    `now` is the index of today, for a change of the past: what it has again is worth a word, no more.
    """
    if new is not None and (obstacle := find_obstacle(new, path)):
        # It reads as empty; that is no removal.
        is_mended = now is not None and not find_obstacle(now, path) and _has_all(path, old, now, config)
        yield from () if find_obstacle(old, path) else (_repaired(obstacle) if is_mended else obstacle,)
        return
    if _has_all(path, old, new or b"", config):
        return
    kept, before = _dates(path, new or b"", config), _dates(path, old, config)
    read, today = read_index_kept(new or b"", path, config.consolidated_dir), _dates(path, now or b"", config)
    for slug, dates in before.items():
        lost = dates - kept.get(slug, frozenset())
        is_back = slug in today and lost <= today[slug]
        if slug not in kept and slug in today and not is_back:  # the entry is back without some of its dates
            problems = _check_dates(path, slug, sorted(lost - today[slug]), read)
        else:
            problems = _check_entry(path, slug, sorted(lost), read, is_kept=slug in kept)
        yield from map(_repaired, problems) if is_back else problems


def _has_all(path: PurePosixPath, old: bytes, now: bytes, config: Config) -> bool:
    """Whether an index has all topics and dates of another one."""
    there = _dates(path, now, config)
    return all(slug in there and dates <= there[slug] for slug, dates in _dates(path, old, config).items())


def _repaired(problem: Problem) -> Problem:
    return replace(problem, warning=True, hint="it is there again")


def _check_entry(
    path: PurePosixPath, slug: str, lost: list[date], read: ReadIndex, *, is_kept: bool
) -> Iterator[Problem]:
    if is_kept:
        yield from _check_dates(path, slug, lost, read)
    elif half := read.find_half(slug):
        yield half
    else:
        hint = f"put it back; `memsite index status {slug} deprecated` marks it"
        yield Problem(path, None, f"the entry {slug!r} is removed; entries are marked, never removed", hint)


def _check_dates(path: PurePosixPath, slug: str, lost: list[date], read: ReadIndex) -> Iterator[Problem]:
    if not lost:
        return
    named = [day.isoformat() for day in lost]
    more = f" and {len(lost) - _MOST_DATES} more" if len(lost) > _MOST_DATES else ""
    message = f"dates of {slug!r} are removed ({' '.join(named[:_MOST_DATES])}{more}); dates are only ever added"
    fault = next((fault for held in read.entries if held.entry.slug == slug for fault in held.faults), None)
    if fault:  # no command may touch such an entry
        yield Problem(path, fault.line, message, f"{fault.message}: {fault.hint}")
    else:
        yield Problem(path, None, message, f"put them back: memsite index touch {slug} {' '.join(named)}")


def _dates(path: PurePosixPath, data: bytes, config: Config) -> dict[str, frozenset[date]]:
    return read_topic_dates(b"" if find_obstacle(data, path) else data, path, config.consolidated_dir)


def check_content(path: PurePosixPath, new: bytes, config: Config) -> Iterator[Problem]:
    """What is wrong with a file of the memory by itself, at a workspace-relative path."""
    if len(new) > config.max_file_bytes:
        hint = "keep it out of the repository, or raise max_file_mb under [safety] in memsite.toml"
        yield Problem(path, None, f"is larger than {config.max_file_mb} MB", hint)
    elif is_markdown(path) and (conflict := conflict_problem(new, path)):
        yield conflict
