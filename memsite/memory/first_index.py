"""A first set of topics for a folder that has no usable index: what its own names repeat (`review --all`).

Evidence, no model: headings and wikilinks of several days, the names of files, front matter, what a free-form INDEX.md
links to. A person accepts or lets it be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.counting import counted
from memsite.memory.lines import Kind, split_lines
from memsite.memory.mentions import Passage, read_passages
from memsite.memory.model import DailyNote, Memory, OtherNote
from memsite.memory.names import parse_day_name, slugify
from memsite.memory.outline import plain_text
from memsite.memory.proposing import MOST_WORDS, PLAIN_HEADINGS, WIKILINK, Proposal, category_named, is_telling
from memsite.memory.query import fold
from memsite.memory.struck import without_struck
from memsite.values import dataclass, field

MOST = 40
"""Proposals of one review."""
_ENOUGH_DAYS = 2
_HEADING_LEVELS = range(2, 5)
_FOLDERS = {
    "project": "Projects", "projects": "Projects", "topics": "Projects", "topic": "Projects", "项目": "Projects",
    "events": "Major Events", "decisions": "Decisions", "决定": "Decisions", "preferences": "Preferences",
    "偏好": "Preferences",
}  # fmt: skip
"""Folders whose files are topics, and the categories that they mean."""
_KEYS = {
    "project": "Projects",
    "projects": "Projects",
    "topic": "Projects",
    "topics": "Projects",
    "tags": "",
    "tag": "",
}
"""Keys of front matter that name topics; a tag does so when it comes back."""
_PAIR = re.compile(r"(?P<key>\w+)\s*:\s*(?P<value>.*)")
_LISTED = re.compile(r"\s*-\s+(?P<value>.+)")
_LINK = re.compile(r"\[(?P<text>[^\[\]]+)\]\((?P<path>[^()\s]+\.(?:md|markdown))(?:#[^()]*)?\)")


@dataclass(slots=True)
class _Evidence:
    """Where a name was found."""

    passage: Passage
    category: str = ""
    days: set[date] = field(default_factory=set)
    is_certain: bool = False
    """Somebody has given it a file, a key or a link in the index of its own."""


@dataclass(frozen=True, slots=True)
class FirstTopics:
    """What a whole folder suggests."""

    proposals: tuple[Proposal, ...]
    """Those with most days first."""
    known: int
    """Names that were found and are topics already."""
    seldom: int
    """Those on one day only, or on none, of which nothing says that they are a topic's."""
    common: int
    """Those on too many days to be one topic's."""

    @property
    def why_none(self) -> str:
        """Why there is no proposal, if there is none."""
        counts = {
            f"{_are(self.known)} in the index already": self.known,
            f"{_are(self.seldom)} on one day only": self.seldom,
            f"{_are(self.common)} on too many days": self.common,
        }
        said = [text for text, number in counts.items() if number]
        return ", ".join(said) or "no heading, link, file name or tag names one"


def _are(number: int) -> str:
    return f"{counted(number, 'name')} {'is' if number == 1 else 'are'}"


def propose_first_topics(memory: Memory, config: Config) -> FirstTopics:
    """The topics that a whole folder suggests and INDEX.md does not have."""
    known = {slugify(name) for topic in memory.topics for name in (topic.slug, *topic.aliases)}
    met: set[str] = set()
    found: dict[str, _Evidence] = {}
    for name, day, seen in _iter_names(memory):
        slug = slugify(name)
        if slug in known:
            met.add(slug)
        if slug in known or not is_telling(slug) or slug in PLAIN_HEADINGS or slug.count("-") > MOST_WORDS:
            continue
        held = found.setdefault(slug, _Evidence(seen.passage))
        held.category = held.category or seen.category
        held.is_certain = held.is_certain or seen.is_certain
        held.days |= {day} if day else set()
    most = max(3, len({note.day for note in memory.notes}) // 2)
    kept = {slug: one for slug, one in found.items() if one.is_certain or _ENOUGH_DAYS <= len(one.days) <= most}
    order = sorted(kept, key=lambda slug: (-len(kept[slug].days), not kept[slug].is_certain, slug))
    proposals = tuple(_proposal(slug, kept[slug], config) for slug in order[:MOST])
    seldom = sum(len(one.days) < _ENOUGH_DAYS and not one.is_certain for one in found.values())
    return FirstTopics(proposals, len(met), seldom, len(found) - len(kept) - seldom)


def _proposal(slug: str, one: _Evidence, config: Config) -> Proposal:
    return Proposal(slug, category_named(one.category or "Projects", config), one.passage, tuple(sorted(one.days)))


_Seen = tuple[str, date | None, _Evidence]


def _iter_names(memory: Memory) -> Iterator[_Seen]:
    """Every name with the day on which it was used, None outside of daily notes."""
    pages = {page.path.stem for page in memory.pages}
    for page in memory.pages:
        yield from _of_page(page)
    yield from _of_index(memory, pages)
    for note in memory.notes:
        yield from _of_note(note, {fold(stem) for stem in pages})


def _of_page(page: OtherNote) -> Iterator[_Seen]:
    category = _FOLDERS.get(fold(page.path.parent.name))
    if category:
        yield page.path.stem, None, _Evidence(Passage(page.path, 1, page.title), category, is_certain=True)
    yield from _of_front_matter(page.path, page.blob.data, None)


def _of_note(note: DailyNote, pages: Iterable[str]) -> Iterator[_Seen]:
    if note.label and not note.label.isdigit():
        yield note.label, note.day, _Evidence(Passage(note.path, 1, note.title))
    yield from _of_front_matter(note.path, note.blob.data, note.day)
    for passage in read_passages(note):
        if passage.level in _HEADING_LEVELS:
            yield plain_text(without_struck(passage.text).strip("# \t")), note.day, _Evidence(passage)
        for match in WIKILINK.finditer(without_struck(passage.text)):
            name = match[1].strip()
            if parse_day_name(f"{name}.md") is None:
                yield name, note.day, _Evidence(passage, is_certain=fold(name) in pages)


def _of_index(memory: Memory, pages: Iterable[str]) -> Iterator[_Seen]:
    """Pages that a free-form index links to, under the heading that it has them."""
    if memory.index.blob is None:
        return
    category = ""
    for line in split_lines(memory.index.blob.data):
        if line.level:
            category = plain_text(line.text.strip("# \t"))
        for match in _LINK.finditer(line.text) if line.kind is Kind.TEXT else ():
            stem = PurePosixPath(match["path"]).stem
            if stem in pages:
                seen = _Evidence(Passage(memory.index.path, line.number, line.text.strip()), category, is_certain=True)
                yield stem, None, seen


def _of_front_matter(path: PurePosixPath, data: bytes, day: date | None) -> Iterator[_Seen]:
    key = ""
    for line in split_lines(data[:8192]) if data.startswith((b"---", b"\xef\xbb\xbf---")) else ():
        if line.kind is not Kind.FRONT_MATTER:
            return
        pair, item = _PAIR.match(line.text), _LISTED.match(line.text)
        if pair:
            key = pair["key"].lower()
        value = pair["value"] if pair else item["value"] if item else ""
        if key in _KEYS:
            for name in value.strip("[] ").split(","):
                seen = _Evidence(Passage(path, line.number, line.text.strip()), _KEYS[key], is_certain=bool(_KEYS[key]))
                yield name.strip("\"'# "), day, seen
