"""Edits of INDEX.md: bytes in, bytes out. Only the lines of the edited entry change; every other byte stays.

`data` is the file, None where there is none yet. An entry that cannot be edited without guessing is refused with its
file and line (FORMATS, "INDEX.md"). Every edit done twice gives what it gives once; nothing to do gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.errors import FormatError, RefusedError
from memsite.memory.index_fields import TopicEdit, find_topic, fold, open_topic
from memsite.memory.index_place import place_topic
from memsite.memory.index_spans import find_spans
from memsite.memory.index_splice import IndexSplices
from memsite.memory.lines import encode_text
from memsite.memory.model import Dialect, GenerationRef, Status, TopicEntry
from memsite.memory.names import GenerationName, is_one_line, parse_inner_path, parse_slug
from memsite.memory.outline import plain_text

_TAG = re.compile(r"</?[A-Za-z]")
_LIST_MARKS = frozenset(",，、[]")
_QUOTES = "\"'`“”‘’"


def add_topic(
    data: bytes | None,
    slug: str,
    category: str,
    dates: Iterable[date],
    *,
    config: Config,
    description: str = "",
    aliases: Iterable[str] = (),
) -> bytes:
    """Write a topic after the last of its category; the category's heading too, and the file, where there is none.

    A topic that is already there in that category gets the dates and aliases that it lacks, and the description if it
    has none. Raises RefusedError when it is in another category, FormatError for a bad slug, category or text.
    """
    slug, title, words = (
        parse_slug(slug),
        _clean_line(category, "a category"),
        _clean_line(description, "a description"),
    )
    names, days = _clean_aliases(slug, aliases), tuple(sorted(set(dates)))
    splices = IndexSplices(data or b"", config)
    held = find_topic(splices, slug)
    if not any(part.level == 2 and fold(part.title) == fold(title) for part in splices.read.spans.sections):
        _check_category_name(title)
    if held is None:
        topic = TopicEntry(slug, title, Dialect.NESTED, 0, 0, days, aliases=names, description=words)
        return place_topic(splices, topic)
    _check_category(held.entry, title, config.index_path)
    edit = TopicEdit(splices, held)
    edit.unite_dates(days)
    edit.unite_aliases(names)
    edit.set_description(held.entry.description or words)
    return edit.finish()


def touch_topic(data: bytes | None, slug: str, dates: Iterable[date], *, config: Config) -> bytes:
    """Add the dates that a topic lacks; its list is then sorted and unique. Raises RefusedError for no such topic."""
    edit = open_topic(data, slug, config)
    edit.unite_dates(dates)
    return edit.finish()


def set_status(data: bytes | None, slug: str, status: Status, *, config: Config) -> bytes:
    """Mark a topic. One without a `Status:` is active, so it gets the line for any other status only."""
    edit = open_topic(data, slug, config)
    edit.set_status(status)
    return edit.finish()


def set_description(data: bytes | None, slug: str, description: str, *, config: Config) -> bytes:
    """Say in one line what a topic is. Raises FormatError for control characters or a comment in it."""
    words = _clean_line(description, "a description")
    edit = open_topic(data, slug, config)
    edit.set_description(words)
    return edit.finish()


def add_aliases(data: bytes | None, slug: str, aliases: Iterable[str], *, config: Config) -> bytes:
    """Add names by which recall finds the topic as well. Raises FormatError for one that a list cannot hold."""
    names = _clean_aliases(slug, aliases)
    edit = open_topic(data, slug, config)
    edit.unite_aliases(names)
    return edit.finish()


def add_generation(data: bytes, slug: str, ref: GenerationName, path: PurePosixPath, *, config: Config) -> bytes:
    """List a generation under `Consolidations:` and point `Current:` to the newest. `path` is relative to the memory.

    Raises RefusedError when the topic has another file of that number, or does not exist.
    """
    if ref.topic != slug or parse_inner_path(str(path)) != path:
        raise FormatError(f"{str(path)!r} is no generation of {slug!r}", where=config.index_path)
    edit = open_topic(data, slug, config)
    known = [listed for listed in edit.entry.consolidations if listed.number == ref.number]
    if not known:
        listed = GenerationRef(ref.number, ref.day, path, 0)
        edit.add_generation(listed, f"gen{ref.number} ({ref.day.isoformat()}): {path}")
    elif path not in [other.path for other in known]:
        message = f"{slug!r} has a generation {ref.number} already, {known[0].path}"
        raise RefusedError(message, where=config.index_path, line=known[0].line)
    if ref.number >= max((listed.number for listed in edit.entry.consolidations), default=0):
        edit.set_current(path)
    return edit.finish()


def move_generation(data: bytes, slug: str, old: PurePosixPath, new: PurePosixPath, *, config: Config) -> bytes:
    """Name a generation by another path, in its line and in `Current:`. Both are relative to the memory."""
    edit = open_topic(data, slug, config)
    edit.move(old, new)
    return edit.finish()


def _check_category(entry: TopicEntry, title: str, path: PurePosixPath) -> None:
    if fold(entry.category) != fold(title):
        place = f"under {entry.category!r}" if entry.category else "under no category"
        message = f"the topic {entry.slug!r} is already there {place}"
        raise RefusedError(message, where=path, line=entry.first_line)


def _clean_line(text: str, what: str) -> str:
    """One line of text that is nothing but text."""
    words = " ".join(text.split())
    if not is_one_line(words) or "<!--" in words:
        raise FormatError(f"{what} may not have control characters or comments: {words[:80]!r}")
    return words


def _check_category_name(words: str) -> None:
    """A new heading must be read as what was asked for, and show it."""
    read = find_spans(encode_text(f"## {words}\n")).sections[-1]
    has_marks = words.startswith("#") or "`" in words or plain_text(words) != words or _TAG.search(words)
    if has_marks or read.title != words or not any(map(str.isalnum, words)):
        raise FormatError(f"{words[:80]!r} is no name for a category", hint="use plain words")


def is_alias(text: str) -> bool:
    """Whether a list of aliases can hold a name as it is written."""
    try:
        return _clean_aliases("", [text]) == (" ".join(text.split()),)
    except FormatError:
        return False


def _clean_aliases(slug: str, aliases: Iterable[str]) -> tuple[str, ...]:
    """Each name once, without quotes, the topic's own name left out."""
    names: dict[str, str] = {}
    for alias in aliases:
        name = _clean_line(alias, "an alias").strip(_QUOTES)
        if not name.strip() or name != name.strip() or _LIST_MARKS & set(name):
            raise FormatError(f"{alias[:80]!r} cannot be an alias", hint="use words without commas and brackets")
        names.setdefault(fold(name), name)
    return tuple(name for folded, name in names.items() if folded != slug)
