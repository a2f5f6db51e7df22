from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from functools import partial
from pathlib import PurePosixPath

import pytest

from memsite.config import Config
from memsite.memory.daily import parse_daily_note
from memsite.memory.lineage import load_memory
from memsite.memory.model import Memory
from memsite.memory.planning import consolidation_grade, sources_since, turning_days
from memsite.memory.snapshot import Blob, make_snapshot
from memsite.repo.history import History
from memsite.site.facts import Fact
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.calendars import spark_bars, spark_turns
from memsite.site.pages.cards import days_so_far
from memsite.site.pages.headlines import headline
from memsite.site.spec import SiteSource


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# The framework\n\nText.\n", "The framework"),
        ("# 2025-03-20\n\n<!-- DAILY_FLUSH -->\n\n## Blog\n\n- [x] **New** project: `blog`\n", "New project: blog"),
        ("# 2025-03-20\n\n## Blog\n", "Blog"),
        ("## Blog\n\n- Moved.\n", "Moved."),
        ("# Thursday, 20 March 2025\n\n## Blog\n\nMoved.\n", "Moved."),
        ("# Thu 20th Mar\n\nMoved.\n", "Moved."),
        ("# 2025年3月20日 星期四\n\n迁移完成。\n", "迁移完成。"),
        ("# 3月20日（木曜日）\n\n引っ越し\n", "引っ越し"),
        ("# March of the penguins\n\nA film.\n", "March of the penguins"),
        ("---\nmood: good\n---\n今天讨论了部署方案。\n", "今天讨论了部署方案。"),
        ("<!-- DAILY_FLUSH -->\n", ""),
        ("", ""),
    ],
)
def test_headline_says_what_a_note_is_about(text: str, line: str) -> None:
    path = PurePosixPath("memory/2025-03-20.md")
    assert headline(parse_daily_note(path, date(2025, 3, 20), "", Blob("", text.encode()))) == line


DATES = (date(2025, 1, 1), date(2025, 1, 20), date(2025, 1, 21), date(2025, 2, 3), date(2025, 4, 9), date(2026, 1, 1))
INDEX = f"## Projects\n- **blog**\n  - Dates: [{', '.join(map(str, DATES))}]\n  - Consolidations: [{{}}]\n"
GENERATION = "# blog - Generation {0} Consolidation\n\n**Covers**: 2025-01-01 to {1}\n\n## Key Points\n- One.\n"
ENDS = {1: "2025-01-20", 2: "2025-03-01"}


def _memory() -> Memory:
    files = {f"memory/consolidated/blog-gen{n}-2025-02-0{n}.md": GENERATION.format(n, end) for n, end in ENDS.items()}
    names = ", ".join(name.removeprefix("memory/") for name in files)
    notes = {f"memory/{day}.md": "# A day\n\nText.\n" for day in DATES}
    all_files = {"memory/INDEX.md": INDEX.format(names), **files, **notes}
    return load_memory(make_snapshot({name: text.encode() for name, text in all_files.items()}), Config())


MEMORY = _memory()
TOPIC = MEMORY.topics[0]
BY_DAY: Mapping[str, tuple[Callable[[Atlas, date], object], Callable[[date], Iterable[date]]]] = {
    "bars": (lambda _atlas, today: spark_bars(DATES, today), partial(spark_turns, DATES)),
    "grade": (lambda _atlas, today: consolidation_grade(TOPIC, today, 3), lambda _today: turning_days(TOPIC)),
    "sources": (
        lambda _atlas, today: [note.path for note in sources_since(MEMORY, TOPIC, today)],
        lambda _today: turning_days(TOPIC),
    ),
}


def _atlas(today: date) -> Atlas:
    return Atlas(SiteSource(MEMORY, History(), Config(), today, lambda _ids: {}))


@pytest.mark.parametrize("name", BY_DAY)
def test_what_asks_which_days_have_come_holds_until_the_next_of_them(name: str) -> None:
    find, turns = BY_DAY[name]
    _check_holds(find, lambda atlas: atlas.today_among(turns))


def test_the_days_so_far_hold_until_the_next_of_them() -> None:
    _check_holds(lambda atlas, _today: days_so_far(atlas, DATES), lambda atlas: days_so_far(atlas, DATES))


def _check_holds(find: Callable[[Atlas, date], object], read: Callable[[Atlas], object]) -> None:
    """On each day: the fact that was noted on the day before holds where it should, and only where all is as it was."""
    held: set[bool] = set()
    before: tuple[object, list[Fact]] | None = None
    for number in range(500):
        today = date(2024, 12, 1) + timedelta(days=number)
        atlas = _atlas(today)
        with atlas._facts.noted() as noted:
            read(atlas)
        facts = [fact for fact in noted if fact[0] == "today_among"]
        assert facts
        assert [atlas.fact(fact) for fact in facts] == ["True"] * len(facts)
        found = find(atlas, today)
        if before is not None:
            holds = all(atlas.fact(fact) == "True" for fact in before[1])
            assert not holds or found == before[0]
            held.add(holds)
        before = (found, facts)
    assert held == {True, False}
