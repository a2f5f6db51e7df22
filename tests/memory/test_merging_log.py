"""Session logs of two machines: every session once, whichever machine merges."""

from __future__ import annotations

import os
from collections import Counter
from datetime import date, time
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.memory.merging import Merged, merge_session_log
from memsite.memory.model import SessionEntry
from memsite.memory.session_log import parse_session_log, upsert_session_entry
from memsite.memory.snapshot import Blob
from memsite.repo.merge import merge_text

FACTOR = 20 if os.environ.get("MEMSITE_TEST_LONG") else 1
DAY = date(2025, 3, 20)
HEADER = b"# Session Log \xe2\x80\x94 2025-03-20\n\n"


def merge(base: bytes, ours: bytes, theirs: bytes) -> Merged:
    return merge_session_log(base, ours, theirs, merge_text=merge_text)


def entry(minute: int, name: str = "", messages: int = 1, topic: str = "Talk") -> SessionEntry:
    return SessionEntry(time(9, minute), topic, messages, messages, 10 * messages, name, "claude-code" if name else "")


def log(*entries: SessionEntry, data: bytes | None = None) -> bytes:
    for one in entries:
        data = upsert_session_entry(data, DAY, one)
    return data or HEADER


def read(data: bytes) -> tuple[SessionEntry, ...]:
    return parse_session_log(PurePosixPath("x"), DAY, Blob("", data)).entries


def told(data: bytes) -> list[tuple[str, int, int]]:
    return [(one.session_id, one.time.minute, one.user_messages) for one in read(data)]


def test_sessions_of_both_machines_are_there_once() -> None:
    base = log(entry(1, "a"))
    merged = merge(base, log(entry(5, "c"), data=base), log(entry(2, "b"), data=base))
    assert merged == Merged(log(entry(1, "a"), entry(2, "b"), entry(5, "c")), conflict=False)


def test_both_machines_began_the_log() -> None:
    merged = merge(b"", log(entry(5, "c")), log(entry(2, "b")))
    assert merged == Merged(log(entry(2, "b"), entry(5, "c")), conflict=False)


def test_identical_entries_without_an_id_added_on_both_sides_both_stay() -> None:
    base = log(entry(1))
    merged = merge(base, log(entry(7), data=base), log(entry(7), entry(8), data=base))
    assert [minute for _, minute, _ in told(merged.data)] == [1, 7, 7, 8]


def test_a_session_that_both_logged_is_the_one_that_went_on_further() -> None:
    base = log(entry(1, "a", 1))
    ours, theirs = log(entry(1, "a", 3), data=base), log(entry(1, "a", 2), data=base)
    assert merge(base, ours, theirs) == merge(base, theirs, ours) == Merged(ours, conflict=False)
    assert merge(b"", ours, theirs) == Merged(ours, conflict=False)


def test_a_line_that_a_person_added_to_a_session_stays_when_the_other_machine_went_on() -> None:
    base = log(entry(1, "a", 1), entry(2, "b"))
    ours = log(entry(1, "a", 3), entry(2, "b"))
    theirs = base.replace(b"~10\n", b"~10\n- I liked this one\n", 1).replace(b"1 user", b"2 user", 1)
    merged = merge(base, ours, theirs).data
    assert told(merged) == [("a", 1, 3), ("b", 2, 1)]
    assert merged.count(b"- I liked this one\n") == 1
    assert merge(base, merged, theirs).data == merge(base, ours, merged).data == merged


def test_an_entry_deleted_on_one_side_and_untouched_on_the_other_is_gone() -> None:
    base = log(entry(1, "a"), entry(2, "b"), entry(3))
    ours, theirs = log(entry(1, "a")), log(entry(4, "d"), data=base)
    assert told(merge(base, ours, theirs).data) == [("a", 1, 1), ("d", 4, 1)]


def test_an_entry_deleted_on_one_side_and_grown_on_the_other_stays() -> None:
    base = log(entry(1, "a"), entry(2, "b"))
    ours, theirs = log(entry(1, "a"), entry(9, "z")), log(entry(2, "b", 5), data=base)
    assert told(merge(base, ours, theirs).data) == [("a", 1, 1), ("b", 2, 5), ("z", 9, 1)]


def test_a_log_of_the_seeds_plugin_without_blank_lines_takes_entries() -> None:
    base = HEADER + b"### 08:15\n- **Topic:** x\n- **Messages:** 1 user / 1 assistant\n- **Est. tokens:** ~3\n"
    ours = base + b"### 08:20\n- **Topic:** y"
    theirs = log(entry(30, "t"), data=base)
    merged = merge(base, ours, theirs).data
    assert [one.topic for one in read(merged)] == ["x", "y", "Talk"]
    assert merge(base, theirs, ours).data == merged


def test_a_preamble_that_both_changed_is_a_conflict_and_the_entries_are_merged() -> None:
    base = log(entry(1, "a"))
    ours = log(entry(2, "b"), data=base.replace(b"2025-03-20\n", b"2025-03-20 mine\n"))
    theirs = log(entry(3, "c"), data=base.replace(b"2025-03-20\n", b"2025-03-20 yours\n"))
    merged = merge(base, ours, theirs)
    assert merged.conflict
    assert merged.data.index(b"mine") < merged.data.index(b"yours")
    assert [name for name, _, _ in told(merged.data)] == ["a", "b", "c"]


NAMES = st.sampled_from(["", "a", "b", "c", "d"])
ENTRIES = st.builds(
    entry, st.integers(0, 59), NAMES, st.integers(1, 4), st.sampled_from(["Talk", "記憶", "### 10:00", ""])
)


@st.composite
def histories(draw: st.DrawFn) -> tuple[bytes, bytes, bytes]:
    base = log(*draw(st.lists(ENTRIES, max_size=4))) if draw(st.booleans()) else b""
    sides = [log(*draw(st.lists(ENTRIES, max_size=4)), data=base or None) for _ in range(2)]
    return base, sides[0], sides[1]


@settings(max_examples=60 * FACTOR)
@given(histories())
def test_any_two_logs_merge_alike_and_lose_no_entry(history: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = history
    merged = merge(base, ours, theirs)
    assert not merged.conflict
    assert merge(base, theirs, ours) == merged
    counts = [Counter((one.session_id, one.topic, one.time) for one in read(data)) for data in (base, ours, theirs)]
    result = Counter((one.session_id, one.topic, one.time) for one in read(merged.data))
    for key in counts[1] | counts[2]:
        if not key[0] and ours != theirs:  # equal files are one file, to git too
            assert result[key] == counts[1][key] + counts[2][key] - counts[0][key]
    names = Counter(one.session_id for one in read(merged.data) if one.session_id)
    assert set(names) == {one.session_id for data in (ours, theirs) for one in read(data) if one.session_id}
    assert max(names.values(), default=1) == 1
    for side in (ours, theirs):
        assert merge(side, merged.data, side).data == merge(side, side, merged.data).data == merged.data


@settings(max_examples=40 * FACTOR)
@given(histories())
def test_merging_the_result_again_with_an_older_base_changes_nothing(history: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = history
    merged = merge(base, ours, theirs).data
    if all(one.session_id for data in (ours, theirs) for one in read(data)):
        for side in (ours, theirs):
            assert merge(base, merged, side).data == merge(base, side, merged).data == merged


@pytest.mark.parametrize("text", [b"\n", b"", b"\xff\xfe\n### 1:2\n", b"### 09:00", b"\r\n### 10:00\r\n\r\n"])
def test_what_is_no_log_is_merged_without_failing(text: bytes) -> None:
    assert merge(b"", text, log(entry(1, "a"))).data
    assert merge(text, text + b"### 11:11\n", log(entry(1, "a"), data=text)).data
