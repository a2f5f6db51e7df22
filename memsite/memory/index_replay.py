"""A planned change of INDEX.md, taken as what it says of topics, and made in another version of the file."""

from __future__ import annotations

from collections.abc import Mapping

from memsite.config import Config
from memsite.errors import FormatError, RefusedError
from memsite.memory.index import find_obstacle, parse_index
from memsite.memory.index_edit import add_aliases, add_generation, add_topic, set_description, set_status, touch_topic
from memsite.memory.model import GenerationRef, TopicEntry
from memsite.memory.names import parse_generation_name
from memsite.memory.snapshot import Blob
from memsite.values import replace

_Topics = Mapping[str, TopicEntry]


def replay_index(old: bytes, new: bytes, current: bytes, config: Config) -> bytes | None:
    """`current` with what leads from `old` to `new`: topics, dates, aliases, descriptions, statuses, generations.

    None where the change is more than that, or `current` cannot take it.
    """
    if any(find_obstacle(data, config.index_path) for data in (old, new, current)):
        return None
    before, after = _topics(old, config), _topics(new, config)
    changed = {slug: entry for slug, entry in after.items() if entry != before.get(slug)}
    try:
        is_all = _edited(old, before, changed, config) == new
        return _edited(current, before, changed, config) if is_all else None
    except (FormatError, RefusedError):
        return None


def _topics(data: bytes, config: Config) -> _Topics:
    """The topics by name, without their places."""
    entries = parse_index(Blob("", data), config.index_path, config).entries
    return {entry.slug: _content(entry) for entry in entries}


def _content(entry: TopicEntry) -> TopicEntry:
    listed = tuple(replace(ref, line=0) for ref in entry.consolidations)
    return replace(entry, first_line=0, last_line=0, consolidations=listed)


def _edited(data: bytes, before: _Topics, changed: _Topics, config: Config) -> bytes:
    there = _topics(data, config)
    for slug, entry in changed.items():
        old, held = before.get(slug), there.get(slug)
        data = _with_fields(data, entry, old, held, config) if held else _with_topic(data, entry, config)
        for ref in entry.consolidations:
            if old is None or ref not in old.consolidations:
                data = _with_generation(data, slug, ref, config)
    return data


def _with_topic(data: bytes, entry: TopicEntry, config: Config) -> bytes:
    """The index with the whole of a topic but its generations, which are told of one by one."""
    words, names = entry.description, entry.aliases
    data = add_topic(data, entry.slug, entry.category, entry.dates, config=config, description=words, aliases=names)
    return set_status(data, entry.slug, entry.status, config=config)


def _with_fields(data: bytes, entry: TopicEntry, old: TopicEntry | None, held: TopicEntry, config: Config) -> bytes:
    """The index with what a topic has that it had not before; `held` is the topic as the index has it."""
    data = touch_topic(data, entry.slug, set(entry.dates) - set(old.dates if old else ()), config=config)
    names = [name for name in entry.aliases if old is None or name not in old.aliases]
    data = add_aliases(data, entry.slug, names, config=config)
    if entry.description != (old or held).description and (old or not held.description):
        data = set_description(data, entry.slug, entry.description, config=config)
    if old and entry.status is not old.status:
        data = set_status(data, entry.slug, entry.status, config=config)
    return data


def _with_generation(data: bytes, slug: str, ref: GenerationRef, config: Config) -> bytes:
    name = parse_generation_name(ref.path.name)
    if name is None:
        raise FormatError(f"{str(ref.path)!r} is no generation", where=config.index_path)
    return add_generation(data, slug, name, ref.path, config=config)
