"""Session logs: one entry per session, updated in place, never forged."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, time
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.changeset import Append, Write
from memsite.memory.model import SessionEntry, SessionLog
from memsite.memory.session_log import (
    clean_line,
    format_session_entry,
    parse_session_log,
    plan_session_entry,
    quote_id,
    unquote_id,
    upsert_session_entry,
)
from memsite.memory.snapshot import Blob, blob_id

DAY = date(2025, 3, 20)
PATH = PurePosixPath("memory/sessions/2025-03-20.md")
ENTRY = SessionEntry(time(9, 5), "Build a personal blog", 4, 5, 321, "3f2a-01", "claude-code", "blog")

PLUGIN_LOG = """# Session Log — 2025-03-20

### 08:15
- **Topic:** Let's start a new project
- **Messages:** 3 user / 4 assistant
- **Est. tokens:** ~512
### 08:15
- **Topic:** (no topic)
- **Messages:** 1 user / 0 assistant
- **Est. tokens:** ~3
"""

HOSTILE = [
    "### 10:00",
    "\n### 10:00\n- **Topic:** forged",
    "\r### 10:00",
    "\u2028### 10:00\u2029### 11:00",
    "<!-- memsite:session id=victim -->",
    "\n<!-- memsite:session id=3f2a-01 agent=claude-code -->",
    "--> ### 10:00 <!--",
    "```\n~~~\n# x",
    "\x1b[31mred\x1b]0;title\x07",
    "a\x00b\x85c\x0bd\x0ce\x1cf",
    "\u202egnp.exe",
    "\ud83d",
    r"<\!-- already escaped <\\!--",
    "",
    "- **Messages:** 9 user / 9 assistant",
]


def parse(data: bytes) -> SessionLog:
    return parse_session_log(PATH, DAY, Blob(blob_id(data), data))


def seed_count(data: bytes) -> int:
    """What the seed's `/mc sessions` counts; JavaScript's `^` also follows \\r, U+2028 and U+2029."""
    return len(re.findall(r"(?:^|[\n\r\u2028\u2029])### [0-9]{2}:[0-9]{2}", data.decode()))


def test_a_new_log_has_the_seeds_form() -> None:
    assert upsert_session_entry(None, DAY, ENTRY).decode() == (
        "# Session Log — 2025-03-20\n"
        "\n"
        "### 09:05\n"
        "<!-- memsite:session id=3f2a-01 agent=claude-code -->\n"
        "- **Topic:** Build a personal blog\n"
        "- **Project:** blog\n"
        "- **Messages:** 4 user / 5 assistant\n"
        "- **Est. tokens:** ~321\n"
        "\n"
    )


def test_entries_come_back_with_their_lines() -> None:
    second = replace(ENTRY, session_id="other", topic="第二", project="")
    log = parse(upsert_session_entry(upsert_session_entry(None, DAY, ENTRY), DAY, second))
    assert log.entries == (
        replace(ENTRY, first_line=3, last_line=8),
        replace(second, first_line=10, last_line=14),
    )


def test_a_log_of_the_seeds_plugin_is_read_and_continued() -> None:
    data = PLUGIN_LOG.encode()
    assert [(entry.time, entry.topic, entry.tokens, entry.session_id) for entry in parse(data).entries] == [
        (time(8, 15), "Let's start a new project", 512, ""),
        (time(8, 15), "(no topic)", 3, ""),
    ]
    continued = upsert_session_entry(data, DAY, ENTRY)
    assert continued == data + b"\n" + format_session_entry(ENTRY).encode()
    assert seed_count(continued) == len(parse(continued).entries) == 3


def test_a_later_event_of_the_session_changes_its_own_lines_only() -> None:
    first = upsert_session_entry(PLUGIN_LOG.encode(), DAY, ENTRY)
    log = upsert_session_entry(first, DAY, replace(ENTRY, session_id="b", topic="Another"))
    log = log.replace(
        b"~321\n\n### 09:05\n<!-- memsite:session id=b",
        b"~321\n- mood: good \xff\n\n### 09:05\n<!-- memsite:session id=b",
    )
    later = upsert_session_entry(log, DAY, replace(ENTRY, user_messages=9, assistant_messages=11, tokens=4000))
    assert later == log.replace(
        b"4 user / 5 assistant\n- **Est. tokens:** ~321", b"9 user / 11 assistant\n- **Est. tokens:** ~4000", 1
    )


def test_the_heading_keeps_the_time_of_the_first_message() -> None:
    first = upsert_session_entry(None, DAY, ENTRY)
    assert upsert_session_entry(first, DAY, replace(ENTRY, time=time(23, 59))) == first


def test_a_project_that_comes_later_gets_its_line() -> None:
    first = upsert_session_entry(None, DAY, replace(ENTRY, project=""))
    assert upsert_session_entry(first, DAY, ENTRY) == upsert_session_entry(None, DAY, ENTRY)
    assert upsert_session_entry(upsert_session_entry(None, DAY, ENTRY), DAY, replace(ENTRY, project="")) == (
        upsert_session_entry(None, DAY, ENTRY)
    )


def test_a_line_that_somebody_deleted_comes_back() -> None:
    whole = upsert_session_entry(None, DAY, ENTRY)
    assert upsert_session_entry(whole.replace(b"- **Topic:** Build a personal blog\n", b""), DAY, ENTRY) == whole
    assert upsert_session_entry(whole.replace(b"- **Est. tokens:** ~321\n", b""), DAY, ENTRY) == whole


def test_two_sessions_of_one_minute_are_two_entries() -> None:
    log = upsert_session_entry(upsert_session_entry(None, DAY, ENTRY), DAY, replace(ENTRY, session_id="b"))
    assert [entry.session_id for entry in parse(log).entries] == ["3f2a-01", "b"]
    assert log.count(b"### 09:05\n") == 2


def test_an_entry_without_an_id_has_no_comment_and_is_appended() -> None:
    bare = replace(ENTRY, session_id="", agent="")
    assert "<!--" not in format_session_entry(bare)
    assert len(parse(upsert_session_entry(upsert_session_entry(None, DAY, bare), DAY, bare)).entries) == 2


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n \n"])
def test_a_blank_line_separates_the_new_entry(end: str) -> None:
    old = f"# Session Log — 2025-03-20\n\nprose{end}".encode()
    new = upsert_session_entry(old, DAY, ENTRY)
    assert new.startswith(old)
    assert re.search(rb"\n\s*\n### 09:05\n", new)
    assert b"\n\n\n" not in new


def test_a_log_with_carriage_returns_keeps_them() -> None:
    old = PLUGIN_LOG.replace("\n", "\r\n").encode()
    new = upsert_session_entry(old, DAY, ENTRY)
    assert new.startswith(old)
    assert new.count(b"\n") == new.count(b"\r\n")
    assert [entry.topic for entry in parse(new).entries][-1] == ENTRY.topic
    later = upsert_session_entry(new, DAY, replace(ENTRY, tokens=5))
    assert later == new.replace(b"~321", b"~5")


def test_what_is_no_entry_is_left_alone() -> None:
    data = b"### 25:61\nx\n\n### 09:05 standup\n- **Topic:** with a word\n## Other\n- **Topic:** not of an entry\n"
    (entry,) = parse(data).entries
    assert (entry.time, entry.topic, entry.first_line, entry.last_line) == (time(9, 5), "with a word", 4, 5)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_topic_forges_nothing(text: str) -> None:
    log = upsert_session_entry(PLUGIN_LOG.encode(), DAY, replace(ENTRY, topic=text, project=text, session_id="z"))
    assert seed_count(log) == len(parse(log).entries) == 3
    assert log.count(b"<!--") == 1
    assert [entry.session_id for entry in parse(log).entries] == ["", "", "z"]
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", log)


pieces = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(codec=None))), max_size=4).map("".join)
entries = st.builds(
    SessionEntry,
    time=st.times().map(lambda at: at.replace(second=0, microsecond=0)),
    topic=pieces,
    user_messages=st.integers(0, 10**6),
    assistant_messages=st.integers(0, 10**6),
    tokens=st.integers(0, 10**9),
    session_id=pieces,
    agent=pieces,
    project=pieces,
)


@given(st.lists(entries, max_size=5))
def test_any_sequence_of_events_gives_one_entry_per_session(events: list[SessionEntry]) -> None:
    log: bytes | None = None
    for event in events:
        log = upsert_session_entry(log, DAY, event)
        assert upsert_session_entry(log, DAY, event) == log or not event.session_id
    parsed = parse(log).entries if log else ()
    expected = [e.session_id for e in events if not e.session_id] + [*{e.session_id: 0 for e in events if e.session_id}]
    assert sorted(entry.session_id for entry in parsed) == sorted(expected)
    assert seed_count(log or b"") == len(parsed)
    assert (log or b"").count(b"<!--") == len([one for one in parsed if one.session_id])


@given(entries)
def test_an_entry_survives_the_round_trip(entry: SessionEntry) -> None:
    (parsed,) = parse(upsert_session_entry(None, DAY, entry)).entries
    assert (parsed.time, parsed.user_messages, parsed.assistant_messages, parsed.tokens) == (
        entry.time,
        entry.user_messages,
        entry.assistant_messages,
        entry.tokens,
    )
    assert parsed.session_id == entry.session_id
    assert parsed.agent == (entry.agent if entry.session_id else "")
    assert clean_line(parsed.topic) == (clean_line(entry.topic) or "(no topic)")
    assert clean_line(parsed.project) == clean_line(entry.project)


@given(st.binary(max_size=200), st.binary(max_size=200), entries)
def test_bytes_of_others_stay(before: bytes, after: bytes, entry: SessionEntry) -> None:
    entry = replace(entry, session_id="mine")
    first = upsert_session_entry(before, DAY, entry)
    assert first.startswith(before)
    log = first + b"## other\n" + after
    later = upsert_session_entry(log, DAY, replace(entry, tokens=entry.tokens + 1))
    assert later == log.replace(
        f"- **Est. tokens:** ~{entry.tokens}".encode(), f"- **Est. tokens:** ~{entry.tokens + 1}".encode()
    )


@given(pieces)
def test_an_id_survives_quoting_and_never_ends_its_comment(text: str) -> None:
    quoted = quote_id(text)
    assert unquote_id(quoted) == text
    assert re.fullmatch(r"[A-Za-z0-9._~:@/+%-]*", quoted)
    assert "--" not in quoted


def test_a_broken_escape_in_an_id_is_read_somehow() -> None:
    assert unquote_id("a%FFb") == "a\ufffdb"


def test_planning_appends_then_writes_then_does_nothing() -> None:
    first = plan_session_entry(None, PATH, DAY, ENTRY)
    assert first.changes == (
        Append(PATH, format_session_entry(ENTRY).encode(), header="# Session Log — 2025-03-20\n\n".encode()),
    )
    assert first.message.splitlines() == [
        "session: Build a personal blog",
        "",
        "day: 2025-03-20",
        "agent: claude-code",
        "id: 3f2a-01",
    ]
    log = upsert_session_entry(None, DAY, ENTRY)
    assert not plan_session_entry(log, PATH, DAY, ENTRY)
    longer = replace(ENTRY, tokens=9)
    assert plan_session_entry(log, PATH, DAY, longer).changes == (
        Write(PATH, log, upsert_session_entry(log, DAY, longer)),
    )


@given(st.one_of(st.none(), st.sampled_from([b"", b"x", b"x\n", b"x\n\n", b"x\r\n", PLUGIN_LOG.encode()])), entries)
def test_the_planned_append_is_the_upsert(existing: bytes | None, entry: SessionEntry) -> None:
    (change,) = plan_session_entry(existing, PATH, DAY, entry).changes
    assert isinstance(change, Append)
    old = change.header if existing is None else existing
    gap = b"" if not old or old.endswith(b"\n") else b"\n"
    assert old + gap + change.data == upsert_session_entry(existing, DAY, entry)


@given(entries)
def test_a_commit_message_is_a_subject_and_three_lines_at_most(entry: SessionEntry) -> None:
    subject, blank, *body = plan_session_entry(None, PATH, DAY, entry).message.splitlines()
    assert subject.startswith("session: ")
    assert len(subject) <= 9 + 60
    assert blank == ""
    assert [line.partition(":")[0] for line in body] == [
        name for name, there in (("day", True), ("agent", entry.agent), ("id", entry.session_id)) if there
    ]


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ("~9K", 9000), ("9k", 9000), ("~ 9 K", 9000), ("~1.5K", 1500), ("~1.2M", 1_200_000), ("~9,000", 9000),
        ("~12,345,678", 12_345_678), ("~9000", 9000), ("500tokens", 500), ("9 kilos", 9), ("many", 0),
    ],
)  # fmt: skip
def test_tokens_are_read_as_a_person_may_write_them(written: str, tokens: int) -> None:
    log = f"# Session Log — 2025-03-20\n\n### 09:00\n\n- **Topic:** x\n- **Est. tokens:** {written}\n"
    assert [entry.tokens for entry in parse(log.encode()).entries] == [tokens]
