"""INDEX.md as earlier tools and hands wrote it, made into entries that memsite can edit (seed, "Migration").

The format is the seed's before and after: a name without bold marks gets them, a title becomes a slug and stays as an
alias, paths begin at the memory folder, generations that lie in the folder are listed. What is no topic stays as it is,
byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from unicodedata import normalize

from memsite.config import Config
from memsite.errors import FormatError, RefusedError
from memsite.memory.conflicts import conflict_problem
from memsite.memory.index import ReadIndex, format_error, parse_index, read_index_kept, require_readable
from memsite.memory.index_edit import add_aliases, add_generation, is_alias, move_generation
from memsite.memory.index_fields import fold
from memsite.memory.index_spans import FIELD_ORDER, Section, readable
from memsite.memory.lines import Kind, Line, encode_text
from memsite.memory.model import Memory
from memsite.memory.names import GenerationName, is_slug, parse_date, slugify
from memsite.memory.outline import plain_text
from memsite.memory.snapshot import Blob, blob_id
from memsite.values import dataclass

_HEAD = re.compile(
    r"(?P<start>\s*[-*+]\s+)(?P<bold>\*\*|__)?(?P<tick>`?)(?P<name>[^\[\]`*_:：\r\n]*?[^\[\]`*_:：\s])(?P=tick)(?P<inner>[:：]?)"
    r"(?(bold)(?P=bold)|)(?P<colon>\s*[:：])?(?P<dates>\s*\[[^\[\]]*\])?(?P<rest>\s*)"
)
_DATES_FIELD = re.compile(r"\s+[-*+]\s+(?:\*\*)?Dates(?:\*\*)?\s*[:：]", re.IGNORECASE)
_PROSE = re.compile(
    r"(?:last )?(?:updated?|modified|changed|reviewed|edited)(?: on| at)?|created|generated"
    r"|version|formats?|(?:for )?examples?|template|legend|notes?|tips?|usage|syntax|dates?|e\.g\.|i\.e\."
    r"|(?:最后|上次)?更新(?:时间|日期|于)?"
    r"|创建(?:时间|日期)?|格式|示例|例子?|模板|说明|备注",
    re.IGNORECASE,
)
"""What an index says of itself."""
_INSTRUCTIONS = re.compile(
    r"(?:how (?:to|this|it)\b.*|usage|format|conventions?|rules|instructions?|guidelines?|legend|examples?|templates?"
    r"|about(?: this.*)?|readme|syntax|help|使用(?:方法|说明)?|如何.*|怎么.*"
    r"|用法|格式|说明|规则|约定|示例|模板|关于.*)",
    re.IGNORECASE,
)
"""Headings that are no categories: what is below shows how an index is written."""
_LONGEST_TITLE = 200
"""Characters; it stays as an alias."""
_SEPARATOR = re.compile(r"[,，、]")


@dataclass(frozen=True, slots=True)
class Migration:
    """What becomes of INDEX.md."""

    data: bytes
    renamed: tuple[tuple[str, str], ...] = ()
    """Names as they were, and the slugs that they have now."""
    moved: tuple[tuple[str, str], ...] = ()
    """Paths of generations as they were, and as they are now."""
    listed: tuple[str, ...] = ()
    """Generations that INDEX.md did not know."""
    left: tuple[str, ...] = ()
    """What could not be done without guessing."""


def migrate_index(memory: Memory, config: Config) -> Migration:
    """The migrated index; the same bytes when there is nothing to do, so twice is once. Raises FormatError for an index
    that cannot be read or has an unfinished merge, and for one that would lose a topic by it."""
    require_readable(memory.index)
    if memory.index.blob is None:
        return Migration(b"")
    old = memory.index.blob.data
    if conflict := conflict_problem(old, config.index_path):
        raise format_error(conflict)
    left: list[str] = []
    data, named = _name_all(old, left, config)
    data, moved = _move_paths(data, left, config)
    listed: list[str] = []
    for ref, inner in _unlisted(memory, _read(data, config), config):
        before = data
        data = _try(data, left, partial(add_generation, slug=ref.topic, ref=ref, path=inner, config=config))
        listed += [inner.name] if data != before else []
    _check_kept(old, data, config)
    left += [str(format_error(half.problem)) for half in _read(data, config).halves if half.is_certain]
    return Migration(data, tuple((one.title, one.slug) for one in named), moved, tuple(listed), tuple(left))


def _read(data: bytes, config: Config) -> ReadIndex:
    return read_index_kept(data, config.index_path, config.consolidated_dir)


def _try(data: bytes, left: list[str], edit: Callable[[bytes], bytes]) -> bytes:
    try:
        return edit(data)
    except (FormatError, RefusedError) as error:
        left.append(str(error))
        return data


def _move_paths(data: bytes, left: list[str], config: Config) -> tuple[bytes, tuple[tuple[str, str], ...]]:
    """Paths that were written from the workspace on, as some agents do, begin at the memory folder."""
    moved: list[tuple[str, str]] = []
    for held in _read(data, config).entries:
        paths = [ref.path for ref in held.entry.consolidations]
        for old in dict.fromkeys([*paths, *([held.entry.current] if held.entry.current else [])]):
            new = old.relative_to(config.memory) if old.is_relative_to(config.consolidated_path) else old
            if new != old:
                before = data
                data = _try(data, left, partial(move_generation, slug=held.entry.slug, old=old, new=new, config=config))
                moved += [(str(old), str(new))] if data != before else []
    return data, tuple(moved)


@dataclass(frozen=True, slots=True)
class _Named:
    """A bullet that got a topic's name."""

    line: int
    slug: str
    title: str
    """As it was."""


def _name_all(data: bytes, left: list[str], config: Config) -> tuple[bytes, list[_Named]]:
    """Every bullet with a list of dates gets a bold slug and keeps its title as an alias; one that cannot, stays."""
    stay: dict[int, str] = {}
    while True:
        done, named, reasons = _name_topics(data, stay, config)
        failed: list[str] = []
        for one in named:
            if one.slug != one.title:
                before = len(failed)
                done = _try(done, failed, partial(add_aliases, slug=one.slug, aliases=[one.title], config=config))
                stay.update(dict.fromkeys([one.line][: len(failed) - before], "its title cannot become an alias"))
        if not failed:
            left += reasons
            return done, named


def _name_topics(data: bytes, stay: Mapping[int, str], config: Config) -> tuple[bytes, list[_Named], list[str]]:
    """The text with bold slugs, what was named, and why the rest was not. `stay` are lines, and why they stay."""
    read = _read(data, config)
    taken = {held.entry.slug: held.entry.first_line for held in read.entries}
    text, changed, left, shift = data.decode("utf-8", "surrogateescape"), [], [], 0
    for line, match in _heads(read.spans.lines):
        title = match["name"]
        slug = title if is_slug(title) else slugify(title)
        place = _section_of(line, read)
        if why := stay.get(line.number) or _reason_to_stay(title, slug, taken) or _reason_of_place(title, place, read):
            left.append(
                f"{config.index_path}:{line.number}: {readable(title)[:_LONGEST_TITLE]!r} stays as it is: {why}"
            )
            continue
        taken[slug] = line.number
        changed.append(_Named(line.number, slug, title))
        colon = ":" if match["dates"] else ""
        new = f"{match['start']}**{slug}**{colon}{match['dates'] or ''}{match['rest']}"
        start = line.start + shift
        text = text[:start] + new + text[start + len(line.text) :]
        shift += len(new) - len(line.text)
    return encode_text(text), changed, left


def _section_of(line: Line, read: ReadIndex) -> Section:
    return next(part for part in reversed(read.spans.sections) if part.first_line <= line.number)


def _reason_of_place(title: str, section: Section, read: ReadIndex) -> str:
    """Why a bullet is rather a word about the memory than a topic, by what it is called and where it stands."""
    has_categories = any(part.level == 2 for part in read.spans.sections)
    if _PROSE.fullmatch(fold(title)):
        return "its name is not that of a topic; write it in bold, if it is one"
    if section.level == 2 and _INSTRUCTIONS.fullmatch(fold(plain_text(section.title)).strip(" ?!.:？：")):
        return f"{section.title!r} is no category; move it, if it is a topic"
    if has_categories and section.level != 2 and not is_slug(title):
        return "it is under no category; move it, if it is a topic"
    return ""


def _reason_to_stay(title: str, slug: str, taken: Mapping[str, int]) -> str:
    if slug in taken:
        return f"the topic {slug!r} is there already, on line {taken[slug]}"
    if len(title) > _LONGEST_TITLE:
        return "it is too long for a name"
    if not slug:
        return "no name can be made of it"
    return "" if slug == title or is_alias(title) else "its title cannot become an alias"


def _heads(lines: list[Line]) -> Iterator[tuple[Line, re.Match[str]]]:
    """Bullets that are topics for a reader and not for memsite."""
    for number, line in enumerate(lines):
        is_outermost = line.kind is Kind.TEXT and line.opens == 1 and line.parent == 0
        match = _HEAD.fullmatch(line.text) if is_outermost else None
        if (
            match is None
            or (match["bold"] and is_slug(normalize("NFC", match["name"])))
            or match["name"].lower() in FIELD_ORDER
        ):
            continue
        follows = number + 1 < len(lines) and lines[number + 1].kind is Kind.TEXT
        nested = follows and _lists_dates(lines[number + 1].text)
        has_colon = bool(match["colon"] or match["inner"])
        if _are_dates(match["dates"]) if match["dates"] and has_colon else nested and not match["dates"]:
            yield line, match


def _lists_dates(text: str) -> bool:
    """Whether a line is a `Dates:` field with its dates in it."""
    match = _DATES_FIELD.match(text)
    listed = text[match.end() :].split("<!--", 1)[0].strip() if match else ""
    return _are_dates(listed if listed.startswith("[") else f"[{listed}]") or listed == "[]"


def _are_dates(brackets: str) -> bool:
    parts = [part.strip() for part in _SEPARATOR.split(brackets.strip()[1:-1]) if part.strip()]
    return bool(parts) and all(parse_date(part) for part in parts)


def _unlisted(memory: Memory, read: ReadIndex, config: Config) -> Iterator[tuple[GenerationName, PurePosixPath]]:
    """Generations in the folder that the index, as it has become, does not list under their topic, and their paths in
    the memory."""
    known = {held.entry.slug: {ref.path for ref in held.entry.consolidations} for held in read.entries}
    for one in (one for topic in memory.topics for one in topic.generations):
        inner = one.path.relative_to(config.memory)
        if one.topic in known and inner not in known[one.topic]:
            yield GenerationName(one.topic, one.number, one.day), inner


def _check_kept(old: bytes, new: bytes, config: Config) -> None:
    before, after = (
        {entry.slug: entry for entry in parse_index(Blob(blob_id(data), data), config.index_path, config).entries}
        for data in (old, new)
    )
    for slug, entry in before.items():
        if slug not in after or after[slug].dates != entry.dates or after[slug].category != entry.category:
            raise FormatError(
                f"the topic {slug!r} would not stay what it is", where=config.index_path, hint="edit by hand"
            )
