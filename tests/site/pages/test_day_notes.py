"""Facts about the notes of a day: a marker is none of most of them, and what a page says follows from those it read."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath

import pytest

from memsite.config import Config
from memsite.memory.daily import archived_until
from memsite.memory.lineage import load_memory
from memsite.memory.mentions import TopicNames
from memsite.memory.model import Memory, SourceRef
from memsite.memory.planning import sources_since
from memsite.memory.snapshot import Blob, make_snapshot
from memsite.repo.history import History
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.cited_lines import _changed_lines
from memsite.site.pages.day_notes import (
    find_notes,
    key_of,
    names_of,
    read_key,
    tell_notes,
    what_is_cited,
    what_is_said,
)
from memsite.site.pages.headlines import headline
from memsite.site.pages.lookups import NoteItem
from memsite.site.pages.mentions import Mention, find_mentions, fresh_lines
from memsite.site.spec import SiteSource

DAY = date(2025, 3, 1)
INDEX = "## Projects\n- **blog**\n  - Dates: [2025-03-01]\n- **garden**\n  - Dates: [2025-03-01]\n"
MARKERS = [
    f"<!-- ARCHIVED: consolidated into consolidated/{slug}-gen1-2025-03-02.md -->" for slug in ("blog", "garden")
]
LINES = ["The blog moved.", "Beans.", "", "# The garden", "- One\n- two", "<!-- aside -->", *MARKERS]
NAMES = ["2025-03-01", "2025-03-01-standup", "2025-03-01-下周"]
REFS = [
    SourceRef(DAY, first, last, label)
    for first, last in [(None, None), (1, 1), (2, 2), (2, 4), (9, 12)]
    for label in ("", "standup", "none")
]


def _memory(notes: dict[str, str]) -> Memory:
    files = {f"memory/{name}.md": text for name, text in notes.items()}
    return load_memory(
        make_snapshot({name: text.encode() for name, text in {"memory/INDEX.md": INDEX, **files}.items()}), Config()
    )


def _items(memory: Memory) -> list[NoteItem]:
    return [NoteItem(note) for note in memory.notes]


def test_a_marker_changes_nothing_that_is_told_named_or_cited_of_a_note_nor_said_to_another_topic() -> None:
    text = "# The blog\n\nMoved.\nAgain.\n"
    before, after = (_items(_memory({"2025-03-01": text + more})) for more in ("", f"\n{MARKERS[0]}\n"))
    assert before[0].note.blob.id != after[0].note.blob.id
    assert tell_notes(before, headline) == tell_notes(after, headline)
    assert names_of(before) == names_of(after)
    assert what_is_said(before, "garden") == what_is_said(after, "garden")
    assert what_is_said(before, "blog") != what_is_said(after, "blog")
    for ref in REFS:
        assert repr(what_is_cited(before, ref)) == repr(what_is_cited(after, ref)) or ref.last_line == 12


def test_a_reference_is_read_as_it_was_written() -> None:
    for ref in (*REFS, SourceRef(DAY, 3, 4, 'a\0"下 b')):
        assert read_key(key_of(ref)) == ref


def _generated(chance: random.Random) -> dict[str, str]:
    names = chance.sample(NAMES, chance.randint(1, 3))
    return {name: "\n".join(chance.choices(LINES, k=chance.randint(0, 6))) + "\n" for name in names}


def _edited(chance: random.Random, notes: dict[str, str]) -> dict[str, str]:
    name = chance.choice(list(notes))
    lines = notes[name].split("\n")
    lines.insert(chance.randint(0, len(lines)), chance.choice(LINES))
    return {**notes, name: "\n".join(lines)}


@pytest.mark.parametrize("seed", range(4))
def test_who_reads_the_same_facts_shows_the_same(seed: int) -> None:
    chance = random.Random(seed)
    same = 0
    for _ in range(25):
        notes = _generated(chance)
        one, other = _memory(notes), _memory(_edited(chance, notes))
        for ref in REFS:
            if repr(what_is_cited(_items(one), ref)) == repr(what_is_cited(_items(other), ref)):
                same += 1
                assert _shown(one, ref, notes) == _shown(other, ref, notes)
        for slug in ("blog", "garden"):
            said, naming = zip(
                *((what_is_said(_items(memory), slug), _naming(memory, slug)) for memory in (one, other)), strict=True
            )
            if said[0] == said[1] and naming[0] == naming[1]:
                same += 1
                assert _since(one, slug) == _since(other, slug)
    assert same > 50


def _shown(memory: Memory, ref: SourceRef, old: dict[str, str]) -> object:
    """What a page shows of a reference, the lines that are others than in some old texts included."""
    found = find_notes(_items(memory), ref)
    texts = {name: Blob(name, text.encode()) for name, text in old.items()}
    atlas = Atlas(SiteSource(memory, History(), Config(), DAY, lambda ids: {name: texts[name] for name in ids}))
    lines = range(ref.first_line or 1, (ref.last_line or ref.first_line or 0) + 1)
    changed = [
        [number for number in _changed_lines(atlas, name, one.note) if number in lines]
        for name in texts
        for one in found
    ]
    return [repr(one) for one in found], [sorted(numbers) for numbers in changed]


def _naming(memory: Memory, slug: str) -> Mapping[PurePosixPath, Sequence[Mention]]:
    names = TopicNames(memory.topics)
    return {note.path: lines for note in memory.notes if (lines := find_mentions(note, names).get(slug))}


def _since(memory: Memory, slug: str) -> Sequence[object]:
    """What a topic's page says that its newest generation does not hold."""
    topic = next(one for one in memory.topics if one.slug == slug)
    mentions = _naming(memory, slug)
    sources = sources_since(memory, topic, DAY)
    return [
        (note.path, fresh_lines(note, slug, mentions.get(note.path, ())), bool(archived_until(note, slug)))
        for note in sources
    ]


@pytest.mark.parametrize(
    ("text", "added", "holds"),
    [
        ("The blog moved.", MARKERS[1], True),
        ("The blog moved.", "Beans.", True),
        ("The blog moved.", "The blog is back.", False),
        ("It is\n    <!-- aside --> the blog. <!-- aside -->", MARKERS[1], True),
        ("It is\n    <!-- aside --> the blog. <!-- aside -->", "Beans.", False),
    ],
)
def test_a_note_names_a_topic_as_before_while_its_lines_and_their_anchors_do(
    text: str, added: str, holds: bool
) -> None:
    """A consolidation marks dozens of notes, which name many topics: the pages of those must not be made again."""
    before, after = (_memory({"2025-03-01": f"{text}\n{rest}"}) for rest in ("", f"{added}\n"))
    sources = (SiteSource(memory, History(), Config(), DAY, lambda _ids: {}) for memory in (before, after))
    values = [Atlas(source).fact(("mentions", "blog")) for source in sources]
    assert (values[0] == values[1]) is holds


def test_paths_are_told_apart() -> None:
    items = _items(_memory({"2025-03-01": "One.\n", "2025-03-01-standup": "Two.\n"}))
    assert names_of(items) == {
        PurePosixPath("memory/2025-03-01.md"): "note",
        PurePosixPath("memory/2025-03-01-standup.md"): "standup",
    }
