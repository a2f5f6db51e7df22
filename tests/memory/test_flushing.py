"""The daily flush: which days are missed, what closing one changes, and nothing the second time."""

from __future__ import annotations

from datetime import date, time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.config import Config
from memsite.memory.changeset import Write
from memsite.memory.flushing import FlushPlan, begun_day, first_day, left_out_days, missed_days, plan_flush
from memsite.memory.lineage import load_memory
from memsite.memory.model import Memory
from memsite.memory.snapshot import make_snapshot

CONFIG = Config()
TODAY = date(2025, 4, 10)
INDEX = "# Memory Index\n\n## Projects\n- **personal-blog**\n  - Dates: [2025-04-01]\n"
FLUSHED = "words\n<!-- NATIVE_FLUSH -->\n"
Files = dict[str, str | bytes]


def load(files: Files) -> Memory:
    return load_memory(make_snapshot(files), CONFIG)


def flush(files: Files, today: date = TODAY) -> tuple[Files, FlushPlan]:
    memory = load(files)
    plan = plan_flush(memory, missed_days(memory, today), today, time(11), CONFIG)
    done = dict(files)
    for change in (change for one in plan.changesets for change in one.changes):
        old = done.get(str(change.path))
        data = old.encode() if isinstance(old, str) else old
        if isinstance(change, Write):
            assert data == change.old
            done[str(change.path)] = change.data
        else:
            assert data is not None
            done[str(change.path)] = data + (b"" if data.endswith(b"\n") or not data else b"\n") + change.data
    return done, plan


def days(files: Files, today: date = TODAY) -> list[int]:
    return [day.day for day in missed_days(load(files), today)]


def test_the_first_flush_closes_yesterday_alone() -> None:
    assert days({}) == [9]
    assert days({"memory/2025-04-02.md": "x", "memory/2025-04-09.md": "y"}) == [9]


def test_missed_days_are_caught_up() -> None:
    assert days({"memory/2025-04-06.md": FLUSHED}) == [7, 8, 9]
    assert days({"memory/2025-04-05.md": FLUSHED, "memory/2025-04-07.md": FLUSHED}) == [6, 8, 9]
    assert days({"memory/2025-04-09.md": FLUSHED}) == []


def test_days_are_missed_since_a_flush_that_only_began_one() -> None:
    begun = begun_day("flush: begin 2025-04-06")
    assert [day.day for day in missed_days(load({}), TODAY, begun)] == [6, 7, 8, 9]
    assert begun_day("flush: 2025-04-06") is None
    assert left_out_days(load({}), TODAY, date(2025, 3, 8)) == (date(2025, 3, 8),)


def test_a_memory_begins_with_its_first_note_session_or_commit() -> None:
    assert first_day(load({}), None) is None
    assert first_day(load({}), date(2025, 4, 2)) == date(2025, 4, 2)
    assert first_day(load({"memory/2025-04-01.md": "x"}), date(2025, 4, 2)) == date(2025, 4, 1)
    assert first_day(load({"memory/sessions/2025-03-31.md": "x"}), None) == date(2025, 3, 31)


def test_after_months_only_the_last_ones_get_notes_of_their_own() -> None:
    files: Files = {"memory/2024-11-01.md": FLUSHED, "memory/2024-12-24.md": "snow"}
    missed = missed_days(load(files), TODAY)
    assert missed[0] == date(2024, 12, 24)
    assert missed[1] == date(2025, 3, 9)
    assert missed[-1] == date(2025, 4, 9)


def test_an_old_memory_is_not_marked_all_over() -> None:
    files: Files = {"memory/2023-01-01.md": "x", "memory/2023-05-01.md": FLUSHED, "memory/2025-04-08.md": FLUSHED}
    assert date(2023, 1, 1) not in missed_days(load(files), TODAY)


def test_a_day_with_a_note_gets_its_marker_its_topics_the_date_and_today_begins() -> None:
    written, plan = flush({"memory/INDEX.md": INDEX, "memory/2025-04-09.md": "The personal blog is live."})
    assert written["memory/2025-04-09.md"] == b"The personal blog is live.\n<!-- NATIVE_FLUSH -->\n"
    assert b"Dates: [2025-04-01, 2025-04-09]" in written["memory/INDEX.md"]
    assert written["memory/2025-04-10.md"] == b"# 2025-04-10\n"
    (changeset,) = plan.changesets
    assert changeset.message == "flush: 2025-04-09\n\nat: 11:00\ntopics: personal-blog\n"


def test_a_day_without_a_note_gets_one() -> None:
    written, plan = flush({})
    assert written["memory/2025-04-09.md"] == b"# 2025-04-09\n\n<!-- DAILY_FLUSH -->\n<!-- NATIVE_FLUSH -->\n"
    assert plan.days[0].created


def test_a_note_of_a_session_is_not_the_days_own() -> None:
    written, _ = flush({"memory/2025-04-09-1130.md": "session"})
    assert written["memory/2025-04-09-1130.md"] == "session"
    assert b"DAILY_FLUSH" in written["memory/2025-04-09.md"]


@pytest.mark.parametrize(
    "text",
    [
        "```\nnever closed",
        "<!-- open",
        "<div>\n",
        "",
        "a\r\nb\r\n",
        "`<!-- NATIVE_FLUSH -->`",
        "It ends with <!-- NATIVE_FLUSH -->",
    ],
)
def test_the_marker_is_read_whatever_the_note_leaves_open(text: str) -> None:
    written, _ = flush({"memory/2025-04-09.md": text})
    assert days(written) == []


def test_a_note_that_speaks_of_the_marker_is_not_flushed() -> None:
    written, plan = flush({"memory/2025-04-09.md": "The timer appends <!-- NATIVE_FLUSH --> to each note.\n"})
    assert [one.day.day for one in plan.days] == [9]
    assert (
        written["memory/2025-04-09.md"]
        == b"The timer appends <!-- NATIVE_FLUSH --> to each note.\n<!-- NATIVE_FLUSH -->\n"
    )


def test_several_days_are_several_commits_that_follow_each_other() -> None:
    files: Files = {
        "memory/INDEX.md": INDEX,
        "memory/2025-04-07.md": FLUSHED,
        "memory/2025-04-08.md": "personal blog",
        "memory/2025-04-09.md": "personal blog again",
    }
    written, plan = flush(files)
    assert [one.message.split("\n")[0] for one in plan.changesets] == ["flush: 2025-04-08", "flush: 2025-04-09"]
    assert b"[2025-04-01, 2025-04-08, 2025-04-09]" in written["memory/INDEX.md"]


def test_a_day_whose_topics_the_index_refuses_stays_open_until_it_is_corrected() -> None:
    files: Files = {
        "memory/INDEX.md": INDEX.replace("2025-04-01", "2025-04-31"),
        "memory/2025-04-07.md": FLUSHED,
        "memory/2025-04-08.md": "The personal blog is live.",
        "memory/2025-04-09.md": "A day of rest.",
    }
    written, plan = flush(files)
    assert [one.message.split("\n")[0] for one in plan.changesets] == ["flush: 2025-04-09"]
    assert [(one.day.day, one.is_closed) for one in plan.days] == [(8, False), (9, True)]
    assert written["memory/2025-04-08.md"] == files["memory/2025-04-08.md"]
    assert written["memory/2025-04-10.md"] == b"# 2025-04-10\n"
    written, plan = flush({**written, "memory/INDEX.md": INDEX})
    assert [one.message.split("\n")[0] for one in plan.changesets] == ["flush: 2025-04-08"]
    assert b"[2025-04-01, 2025-04-08]" in written["memory/INDEX.md"]


def test_today_begins_though_no_day_can_be_closed() -> None:
    files: Files = {"memory/INDEX.md": INDEX.replace("-04-01", "-04-31"), "memory/2025-04-09.md": "personal blog"}
    written, plan = flush(files)
    assert [one.message.split("\n")[0] for one in plan.changesets] == ["flush: begin 2025-04-10"]
    assert written["memory/2025-04-09.md"] == "personal blog"


def test_blocked_days_are_left_out_and_the_others_done() -> None:
    memory = load({"memory/2025-04-07.md": FLUSHED})
    days = missed_days(memory, TODAY)
    plan = plan_flush(memory, days, TODAY, time(11), CONFIG, blocked={date(2025, 4, 8)})
    assert [one.message.split("\n")[0] for one in plan.changesets] == ["flush: 2025-04-09"]
    assert plan.begun
    assert not plan_flush(memory, days, TODAY, time(11), CONFIG, blocked={TODAY}).begun


def test_a_written_day_before_the_newest_flushed_one_is_missed_however_old() -> None:
    files: Files = {
        "memory/2024-11-01.md": FLUSHED,
        "memory/2024-11-05.md": "late words",
        "memory/2025-04-09.md": FLUSHED,
    }
    missed = missed_days(load(files), TODAY)
    assert date(2024, 11, 5) in missed
    assert date(2024, 11, 6) not in missed


def test_empty_days_that_are_too_old_are_counted_once() -> None:
    files: Files = {"memory/2025-02-27.md": FLUSHED, "memory/2025-03-02.md": "words"}
    assert left_out_days(load(files), TODAY) == tuple(
        day for day in [date(2025, 2, 28), *(date(2025, 3, number) for number in range(1, 9))] if day.day != 2
    )
    written, _ = flush(files)
    assert left_out_days(load(written), TODAY) == ()
    assert left_out_days(load({}), TODAY) == ()


NOTES = st.dictionaries(st.integers(1, 10), st.one_of(st.text(max_size=60), st.just(FLUSHED)), max_size=8)


@settings(max_examples=100, deadline=None)
@given(NOTES)
def test_twice_is_once(notes: dict[int, str]) -> None:
    files: Files = {f"memory/2025-04-{day:02}.md": text.encode("utf-8", "replace") for day, text in notes.items()}
    once, _ = flush({**files, "memory/INDEX.md": INDEX})
    twice, plan = flush(once)
    assert plan.changesets == ()
    assert twice == once
    assert all(once[path][: len(data)] == data for path, data in files.items())
