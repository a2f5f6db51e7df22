from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsite.memory.model import Generation, Status, Topic
from memsite.memory.snapshot import Blob
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.dates import long_date
from memsite.site.pages.timelines import MARGIN, WIDTH, Timeline, draw_timeline

TODAY = date(2025, 4, 5)


def lineage(dates: Iterable[date], generations: Iterable[date], status: Status = Status.ACTIVE) -> Lineage:
    topic = Topic("blog", "Projects", status, tuple(sorted(set(dates))))
    blob = Blob("0" * 40, b"")
    items = [
        GenerationItem(
            Generation("blog", number, day, PurePosixPath(f"{number}.md"), blob, "Blog", covers=(day, day)),
            f"gen{number}",
            f"topics/blog/gen{number}/",
        )
        for number, day in enumerate(generations, start=1)
    ]
    return Lineage(topic, tuple(items), ())


def drawn(atlas: Atlas, line: Lineage) -> Timeline:
    drawing = draw_timeline(atlas, line)
    assert drawing is not None
    return drawing


def test_draw_timeline_without_dates_is_nothing(make_source: Any) -> None:
    assert draw_timeline(Atlas(make_source({}, today=TODAY)), lineage([], [])) is None


def test_draw_timeline_is_to_scale(make_source: Any) -> None:
    days = [date(2025, 1, 1), date(2025, 1, 11), date(2025, 1, 31)]
    drawing = drawn(Atlas(make_source({}, today=TODAY)), lineage(days, [], Status.COMPLETED))
    first, second, last = (dot.x for dot in drawing.dots)
    assert (first, last) == (MARGIN, WIDTH - MARGIN)
    assert abs((second - first) / (last - first) - 1 / 3) < 0.001
    assert drawing.now is None


def test_draw_timeline_of_an_active_topic_reaches_to_the_day_shown(make_source: Any) -> None:
    drawing = drawn(Atlas(make_source({}, today=TODAY)), lineage([date(2025, 3, 20)], [date(2025, 3, 25)]))
    assert (drawing.last, drawing.now) == (TODAY, WIDTH - MARGIN)
    assert [pin.text for pin in drawing.pins] == ["gen 1"]
    assert drawing.dots[0].settled


days = st.dates(date(1990, 1, 1), date(2030, 1, 1))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(dates=st.lists(days, max_size=30), generations=st.lists(days, max_size=60, unique=True))
def test_draw_timeline_stays_in_its_frame_and_its_labels_apart(
    make_source: Any, dates: list[date], generations: list[date]
) -> None:
    drawing = draw_timeline(Atlas(make_source({}, today=TODAY)), lineage(dates, generations))
    if drawing is None:
        return
    places = [*(dot.x for dot in drawing.dots), *(pin.x for pin in drawing.pins), *(tick.x for tick in drawing.ticks)]
    assert all(0 <= place <= WIDTH for place in places)
    assert len({dot.x for dot in drawing.dots}) == len(drawing.dots)
    assert len(drawing.pins) == len(generations)
    labelled = [pin for pin in drawing.pins if pin.text]
    assert all(pin in labelled for pin in drawing.pins if pin.current)
    for row in {pin.y for pin in labelled}:
        starts = sorted(pin.x for pin in labelled if pin.y == row)
        assert all(right - left >= drawing.label_width for left, right in pairwise(starts))


def test_draw_timeline_of_many_generations_labels_all_that_have_room(make_source: Any) -> None:
    monthly = [date(2023 + number // 12, number % 12 + 1, 5) for number in range(20)]
    drawing = drawn(Atlas(make_source({}, today=TODAY)), lineage(monthly, monthly))
    assert [pin.text for pin in drawing.pins] == [str(number) for number in range(1, 21)]


def test_draw_timeline_gives_numbers_room_for_their_digits(make_source: Any) -> None:
    many = [date(2000 + number // 12, number % 12 + 1, 5) for number in range(100)]
    hundred, fewer = (drawn(Atlas(make_source({}, today=TODAY)), lineage(many[:n], many[:n])) for n in (100, 99))
    assert hundred.label_width > fewer.label_width


def test_draw_timeline_says_how_long_a_gap_is(make_source: Any) -> None:
    drawing = drawn(
        Atlas(make_source({}, today=TODAY)), lineage([date(2024, 1, 1), date(2024, 9, 1), date(2025, 4, 1)], [])
    )
    assert [gap.text for gap in drawing.gaps] == ["8 months", "7 months"]


def test_draw_timeline_shows_since_when_a_status_holds(make_source: Any, commit: Any) -> None:
    commits = [
        commit({"memory/INDEX.md": text}, datetime(2025, month, 2, 9, tzinfo=UTC), subject)
        for month, text, subject in (
            (1, "1", "note: 2025-01-02"),
            (2, "2", "index: blog is paused"),
            (3, "3", "index: blog is active"),
            (3, "4", "index: other is paused"),
        )
    ]
    source = make_source({}, commits, today=TODAY)
    drawing = drawn(Atlas(source), lineage([date(2025, 1, 2), date(2025, 3, 20)], []))
    assert [flag.label for flag in drawing.flags] == [
        "paused from Sunday, 2 February 2025",
        "active from Sunday, 2 March 2025",
    ]
    assert [part.status for part in drawing.stretches] == [Status.ACTIVE, Status.PAUSED, Status.ACTIVE]
    assert [flag.x for flag in drawing.flags] == [part.end for part in drawing.stretches[:2]]
    assert drawing.flags[0].link.uri == "history/2025-02-02/"


def index_of(status: str, number: int) -> str:
    blog = f"## Projects\n- **blog**\n  - Dates: [2025-01-02, 2025-03-20]\n  - Status: {status}\n"
    return f"{blog}- **x{number}**\n  - Dates: [2025-01-02]\n"


def flags_of(make_source: Any, commits: list[Any], now: str | None = None) -> list[str]:
    files = {"memory/INDEX.md": index_of(now, 99)} if now else None
    atlas = Atlas(make_source(files, commits, today=TODAY))
    return [flag.label for flag in drawn(atlas, next(one for one in atlas.lineages if one.topic.slug == "blog")).flags]


@pytest.mark.parametrize("edits", [1, 2, 9, 60])
def test_a_status_that_was_changed_by_hand_holds_from_its_commit(make_source: Any, commit: Any, edits: int) -> None:
    for by_hand in {0, edits // 2, max(edits - 2, 0), edits - 1}:
        start = datetime(2025, 1, 3, 9, tzinfo=UTC)
        made = [commit({"memory/INDEX.md": index_of("paused", 0)}, start, "index: blog is paused")]
        for number in range(edits):
            status = "active" if number >= by_hand else "paused"
            at = start + timedelta(days=1 + number)
            made.append(commit({"memory/INDEX.md": index_of(status, number + 1)}, at, "Tidy up"))
        labels = flags_of(make_source, made)
        assert labels == ["paused from Friday, 3 January 2025", f"active from {long_date(made[by_hand + 1].at.date())}"]


def test_a_status_that_is_changed_in_no_commit_holds_from_the_day_shown(make_source: Any, commit: Any) -> None:
    made = [commit({"memory/INDEX.md": index_of("paused", 0)}, subject="index: blog is paused")]
    assert flags_of(make_source, made, "abandoned")[1:] == [f"abandoned from {long_date(TODAY)}"]
    assert len(flags_of(make_source, made, "paused")) == 1
