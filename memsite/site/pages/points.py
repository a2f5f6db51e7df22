"""How the points of a topic changed over its generations: new, kept, reworded, dropped."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise

from memsite.memory.model import Point
from memsite.prose.blocks import BlockType, SourceBlock
from memsite.prose.diff import TooLargeError, pair_blocks
from memsite.prose.tokens import without_loose_spaces
from memsite.site.pages.addresses import step_uri
from memsite.site.pages.articles import cited_document
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.views import Document, Link
from memsite.values import dataclass, field

CHANGES = ("new", "changed", "dropped")
"""States that a generation brings about."""
MAX_STEPS = 8
"""Generations that a table shows, the newest ones."""
MAX_POINTS = 200
"""Points of one generation that are followed; a list of thousands is no list of key points."""


@dataclass(frozen=True, slots=True)
class Step:
    """What became of a point in one generation."""

    state: str
    """`new`, `kept`, `changed`, `dropped`; empty before it came and after it went."""
    number: int
    link: Link
    change: Link | None = None
    """What the generation changed, where it changed this point and there is a page that compares it with the last."""


@dataclass(frozen=True, slots=True)
class PointStory:
    """One point over all generations, in its last wording."""

    text: Document
    steps: tuple[Step, ...]
    alive: bool
    """Whether the newest generation has it."""


@dataclass(slots=True)
class _Thread:
    """A point that is being followed."""

    start: int
    """Index of the generation that brought it."""
    words: list[str]
    point: Point
    item: GenerationItem
    """The generation that has it so."""
    changed: list[bool] = field(default_factory=list)


def point_stories(atlas: Atlas, line: Lineage, section: str) -> tuple[PointStory, ...]:
    """The points of `section` (`key_points` or `decisions`) over the last generations that are in the folder.

    Those that the newest has come first, in its order; then those that were dropped, the last ones first. Nothing for
    a topic of one generation: there the article says it all.
    """
    items = list(line.there)
    if len(items) < 2:
        return ()
    alive: list[_Thread] = []
    gone: list[_Thread] = []
    for index, item in enumerate(items):
        points: Sequence[Point] = getattr(item.generation, section)[:MAX_POINTS]
        pairs = _pairs_since(atlas, section, items[index - 1], item, alive, points) if index else {}
        alive, dropped = _advance(alive, points, index, item, pairs)
        gone = dropped + gone
    kept = {id(thread) for thread in alive}
    stories = (_story(atlas, line, thread, items, id(thread) in kept) for thread in (*alive, *gone))
    return tuple(story for story in stories if any(step.state for step in story.steps))


def _pairs_since(
    atlas: Atlas,
    section: str,
    before: GenerationItem,
    item: GenerationItem,
    threads: Sequence[_Thread],
    points: Sequence[Point],
) -> Mapping[int, int]:
    """Which of the threads, which are the points of the generation before, became which point. Kept: generations never
    change, and a topic's page compares all that it has."""
    texts = (before.generation.blob.id, item.generation.blob.id)

    def make() -> str:
        pairs = _pairs([thread.words[-1] for thread in threads], [_plain(point.text) for point in points])
        return json.dumps(list(pairs.items()))

    return dict(json.loads(atlas.key(f"pairs {section} {item.generation.path}", texts, make)))


def _advance(
    threads: list[_Thread], points: Sequence[Point], index: int, item: GenerationItem, pairs: Mapping[int, int]
) -> tuple[list[_Thread], list[_Thread]]:
    """The threads that go on (in the order of `points`, new ones among them), and those that end here."""
    texts = [_plain(point.text) for point in points]
    matched = {number: threads[key] for key, number in pairs.items()}
    result = []
    for number, (point, text) in enumerate(zip(points, texts, strict=True)):
        thread = matched.get(number) or _Thread(index, [], point, item)
        thread.changed.append(bool(thread.words) and thread.words[-1] != text)
        thread.words.append(text)
        thread.point, thread.item = point, item
        result.append(thread)
    return result, [thread for key, thread in enumerate(threads) if key not in pairs]


def _pairs(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Which point became which, by their indices: as the comparison of both generations has it; equal ones always."""
    olds, news = ([SourceBlock(BlockType.ITEM, "- ", text, ((0, 1),)) for text in texts] for texts in (before, after))
    try:
        pairs = {i: j for _, i, j in pair_blocks(olds, news) if i is not None and j is not None}
    except TooLargeError:
        pairs = {}
    places: dict[str, list[int]] = {}
    for key in reversed(range(len(before))):
        if key not in pairs:
            places.setdefault(before[key], []).append(key)
    taken = set(pairs.values())
    for number, text in enumerate(after):
        if number not in taken and places.get(text):
            pairs[places[text].pop()] = number
    return pairs


def _story(atlas: Atlas, line: Lineage, thread: _Thread, items: list[GenerationItem], alive: bool) -> PointStory:
    item, point = thread.item, thread.point
    prefix = f"s{item.generation.number}-{point.line}."
    text = cited_document(atlas, line.items, item, point.text, (point.line, point.line), prefix)
    steps = tuple(
        _step(line, _state(thread, index), items[index - 1] if index else None, item)
        for index, item in enumerate(items)
    )
    return PointStory(text, steps[-MAX_STEPS:], alive)


def _step(line: Lineage, state: str, before: GenerationItem | None, item: GenerationItem) -> Step:
    number = item.generation.number
    change = None
    if before and state in CHANGES and any(one is before and two is item for one, two in pairwise(line.items)):
        uri = step_uri(line.topic.slug, before.segment, item.segment)
        change = Link(f"{state} in generation {number}: what it changed", uri)
    return Step(state, number, Link(f"gen {number}", item.uri), change)


def _state(thread: _Thread, index: int) -> str:
    end = thread.start + len(thread.words)
    if index < thread.start or index > end:
        return ""
    if index == end:
        return "dropped"
    if index == thread.start:
        return "new"
    return "changed" if thread.changed[index - thread.start] else "kept"


def _plain(text: str) -> str:
    return without_loose_spaces(" ".join(text.split()))
