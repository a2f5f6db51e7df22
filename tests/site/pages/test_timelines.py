from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsite.memory.model import Generation, Status, Topic
from memsite.memory.snapshot import Blob
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.timelines import LABEL_WIDTH, MARGIN, WIDTH, Timeline, draw_timeline

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
@given(dates=st.lists(days, max_size=30), generations=st.lists(days, max_size=6, unique=True))
def test_draw_timeline_stays_in_its_frame_and_its_labels_apart(
    make_source: Any, dates: list[date], generations: list[date]
) -> None:
    drawing = draw_timeline(Atlas(make_source({}, today=TODAY)), lineage(dates, generations))
    if drawing is None:
        return
    places = [*(dot.x for dot in drawing.dots), *(pin.x for pin in drawing.pins), *(tick.x for tick in drawing.ticks)]
    assert all(0 <= place <= WIDTH for place in places)
    assert len({dot.x for dot in drawing.dots}) == len(drawing.dots)
    for row in {pin.y for pin in drawing.pins} if len(drawing.pins) < 6 else ():
        starts = sorted(pin.x for pin in drawing.pins if pin.y == row)
        assert all(right - left >= LABEL_WIDTH for left, right in pairwise(starts))
