"""A transcript's entry: its day, time, id, topic and counts, and what it costs to read a large one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memsite.capture.message import Message, Role, Transcript
from memsite.capture.readers import read_transcript
from memsite.capture.session import SessionSummary, choose_topic, summarize_session
from memsite.config import Config

Summarize = Callable[..., SessionSummary]
Jsonl = Callable[..., list[bytes]]
FALLBACK = datetime(2025, 3, 20, 9, 30, 17, tzinfo=UTC)


def user(content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **fields}


def assistant(content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **fields}


def test_the_entry_of_a_session(summarize: Summarize) -> None:
    summary = summarize(
        user("Which framework for the blog?", timestamp="2025-03-20T14:05:59Z"),
        assistant("Next.js"),
        user("And the host?"),
        assistant("Vercel 你好"),
    )
    entry = summary.entry
    assert (summary.day, entry.time, entry.topic) == (date(2025, 3, 20), time(14, 5), "Which framework for the blog?")
    assert (entry.user_messages, entry.assistant_messages) == (2, 2)
    assert entry.tokens == 17  # 56 UTF-16 units of four to a token, and two CJK characters
    assert (summary.noise, summary.skipped, summary.cwd, summary.agent) == (None, 0, "", "")


def test_tokens_equal_the_seeds_over_the_joined_texts(node: Callable[[str, Any], Any], summarize: Summarize) -> None:
    contents = ["a", "bcd 你", "好，world", "e", "", "fé😀", "x" * 7]
    records = [
        {"role": role, "content": text} for role, text in zip(["user", "assistant", "tool"] * 3, contents, strict=False)
    ]
    assert summarize(*records).entry.tokens == node("estimateTokens(input.join(''))", contents)


@pytest.mark.parametrize(
    ("zone", "stamp", "day", "at"),
    [
        ("UTC", "2025-03-20T23:59:59Z", date(2025, 3, 20), time(23, 59)),
        ("Asia/Shanghai", "2025-03-19T19:53:00Z", date(2025, 3, 20), time(3, 53)),
        ("America/New_York", "2025-03-20T03:00:00Z", date(2025, 3, 19), time(23, 0)),
        ("Europe/Berlin", "2025-03-30T00:59:00Z", date(2025, 3, 30), time(1, 59)),  # the hour that summer time skips
        ("Europe/Berlin", "2025-03-30T01:00:00Z", date(2025, 3, 30), time(3, 0)),
        ("Europe/Berlin", "2025-10-26T00:30:00Z", date(2025, 10, 26), time(2, 30)),  # the hour that comes twice
        ("Europe/Berlin", "2025-10-26T01:30:00Z", date(2025, 10, 26), time(2, 30)),
        ("UTC", None, date(2025, 3, 20), time(9, 30)),
        ("Asia/Shanghai", None, date(2025, 3, 20), time(17, 30)),
        ("UTC", "never", date(2025, 3, 20), time(9, 30)),
    ],
)
def test_day_and_time_are_those_of_the_first_message(
    zone: str, stamp: str | None, day: date, at: time, jsonl: Jsonl
) -> None:
    transcript = read_transcript(jsonl(user("Which framework?", timestamp=stamp), assistant("Next.js")), "messages")
    summary = summarize_session(transcript, config=Config(), zone=ZoneInfo(zone), fallback=FALLBACK)
    assert (summary.day, summary.entry.time) == (day, at)


def test_a_session_stays_on_its_day_past_midnight(summarize: Summarize) -> None:
    summary = summarize(
        user("Which framework?", timestamp="2025-03-20T23:58:00Z"), user("And?", timestamp="2025-03-21T00:10:00Z")
    )
    assert summary.day == date(2025, 3, 20)


def test_the_headers_time_stands_in_for_the_messages() -> None:
    messages = iter([Message(Role.USER, "Which framework?", is_prompt=True)])
    transcript = Transcript(messages, started=datetime(2025, 3, 18, 8, 0, tzinfo=UTC))
    assert summarize_session(transcript, config=Config(), zone=UTC, fallback=FALLBACK).day == date(2025, 3, 18)


def test_a_naive_fallback_is_local_already(jsonl: Jsonl) -> None:
    transcript = read_transcript(jsonl(user("Which framework?")))
    naive = FALLBACK.replace(tzinfo=None)
    summary = summarize_session(transcript, config=Config(), zone=ZoneInfo("Asia/Shanghai"), fallback=naive)
    assert summary.entry.time == time(9, 30)


def test_the_id_is_the_callers_then_the_transcripts_then_a_hash(jsonl: Jsonl) -> None:
    def session_id(*records: Any, given: str | None = None, fallback: datetime = FALLBACK) -> str:
        transcript = read_transcript(jsonl(*records))
        return summarize_session(
            transcript, config=Config(), zone=UTC, fallback=fallback, session_id=given
        ).entry.session_id

    header = {"type": "session", "version": 3, "id": "o1"}
    first = user("Which framework?", timestamp="2025-03-20T10:00:00Z")
    assert session_id(header, first, given="mine") == "mine"
    assert session_id(header, first) == "o1"
    hashed = session_id(first)
    assert len(hashed) == 16
    assert session_id(first, assistant("later"), fallback=FALLBACK.replace(year=2026)) == hashed
    assert session_id({**first, "timestamp": "2025-03-20T10:00:01Z"}) != hashed
    assert session_id(user("Which host?", timestamp="2025-03-20T10:00:00Z")) != hashed
    assert session_id() == ""


@pytest.mark.parametrize(
    ("prompt", "topic"),
    [
        ("Which framework?", "Which framework?"),
        ("first line here\nsecond line", "first line here"),
        ("first line\r\nsecond", "first line"),
        ("Hi\nand then much more", "Hi"),
        ("exactly 10", None),
        ("exactly 11!", "exactly 11!"),
        ("ok", None),
        ("", None),
        ("修复登录页", "修复登录页"),
        ("修复登录", None),
        ("你好！！！", None),  # two letters and punctuation
        ("ログインを直す", "ログインを直す"),
        ("로그인 수정", "로그인 수정"),
        ("😀😀😀😀😀😀", "😀😀😀😀😀😀"),  # twelve UTF-16 units, as the seed counts
        ("tab\there, nul\0there\x1b[31mred", "tab here, nul there [31mred"),
        ("line\u2028separator in it", "line separator in it"),
        ("x" * 121, "x" * 120),
        ("x" * 119 + "e\u0301" + "more", "x" * 119),
        ("x" * 118 + "👨‍👩‍👧", "x" * 118),
        ("x" * 119 + " y", "x" * 119),
        ("\0\0\0\0\0\0\0\0\0\0\0\nx", None),
    ],
)
def test_topic_of_a_prompt(prompt: str, topic: str | None) -> None:
    assert choose_topic(prompt) == topic


def test_topic_is_the_first_meaningful_prompt_without_its_wrappings(summarize: Summarize) -> None:
    summary = summarize(
        user("hello"),
        user(
            'Conversation info (untrusted metadata):\n```json\n{"a": 1}\n```\n\n'
            "[Thu 2026-04-09 14:48 GMT+8] 选一个博客框架\n[message_id: 7]"
        ),
        user("Something else altogether"),
    )
    assert (summary.entry.topic, summary.entry.user_messages) == ("选一个博客框架", 3)


def test_a_session_without_a_topic(summarize: Summarize) -> None:
    summary = summarize(user("hello"), assistant("Hello, what can I do for you?"))
    assert (summary.entry.topic, summary.noise) == ("(no topic)", None)


@pytest.mark.parametrize("records", [[], [b"broken\n"], [{"type": "summary", "summary": "x", "leafUuid": "y"}]])
def test_a_transcript_in_which_nobody_spoke_is_empty(records: list[Any], summarize: Summarize) -> None:
    summary = summarize(*records)
    assert (summary.noise, summary.entry.topic, summary.day) == ("empty", "(no topic)", date(2025, 3, 20))


@pytest.mark.parametrize(
    ("cwd", "project"),
    [("/home/ada/blog", "blog"), ("/home/ada/blog/", "blog"), ("C:\\Users\\Ada\\blog", "blog"), ("/", ""), ("", "")],
)
def test_project_is_the_last_part_of_the_folder(cwd: str, project: str, summarize: Summarize) -> None:
    assert summarize(user("Which framework?"), cwd=cwd).project == project


MEASURE = """
import json, resource, sys
from datetime import UTC, datetime
from memsite.capture.lines import iter_lines
from memsite.capture.readers import read_transcript
from memsite.capture.session import summarize_session
from memsite.config import Config

with open(sys.argv[1], "rb") as stream:
    transcript = read_transcript(iter_lines(stream))
    summary = summarize_session(transcript, config=Config(), zone=UTC, fallback=datetime(2025, 3, 20, tzinfo=UTC))
if sys.platform == "linux":  # ru_maxrss would be the parent's there: it survives fork and exec
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) // 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 // 1024
entry = summary.entry
print(json.dumps([peak, entry.user_messages, entry.assistant_messages, summary.skipped, entry.topic]))
"""


@pytest.mark.parametrize("as_list", [False, True])
def test_a_transcript_of_200_megabytes_takes_less_than_150(as_list: bool, tmp_path: Path) -> None:
    path = tmp_path / "large"
    start, between, end = (b"[", b",", b"]") if as_list else (b"", b"\n", b"\n")
    prompt, reply = "Which framework for the blog? 你好 " * 3500, "Next.js it is. " * 7500
    pair = [
        b'{"role": "user", "content": "%s"}' % prompt.encode(),
        b'{"role": "assistant", "content": "%s"}' % reply.encode(),
    ]
    huge = b'{"role": "assistant", "content": "%s"}' % (b"x" * 50_000_000)
    with path.open("wb") as stream:
        stream.write(start)
        for _ in range(640):
            stream.write(between.join([*pair, b""]))
        stream.write(huge + end)
    assert path.stat().st_size > 200_000_000
    done = subprocess.run([sys.executable, "-c", MEASURE, str(path)], check=True, capture_output=True, text=True)
    path.unlink()  # not one to keep among the last runs
    peak, prompts, replies, skipped, topic = json.loads(done.stdout)
    assert (prompts, replies, skipped) == (640, 640, 1)
    assert topic.startswith("Which framework for the blog? 你好 Which")
    assert peak < 150


def test_importing_the_room_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); import memsite.capture.readers, memsite.capture.session; "
        "print(*sorted(name for name in set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    heavy = {
        "git",
        "mkdocs",
        "click",
        "re2",
        "sqlite3",
        "asyncio",
        "hashlib",
        "pathlib",
        "zoneinfo",
        "subprocess",
        "yaml",
    }
    assert loaded & heavy == set()
    assert loaded - set(sys.stdlib_module_names) <= {"memsite"} | {name for name in loaded if name.startswith("_")}
