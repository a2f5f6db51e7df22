"""Every prefix and wrapping that was measured on real transcripts, one row each."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from memsite.capture.noise import (
    automatic_reason,
    clean_prompt,
    clean_reply,
    field_reason,
    find_ignored,
    is_harness_text,
    is_silent_reply,
    text_reason,
)
from memsite.capture.session import SessionSummary
from memsite.config import Config

Summarize = Callable[..., SessionSummary]

CONVERSATION_INFO = (
    'Conversation info (untrusted metadata):\n```json\n{\n  "message_id": "77",\n  "sender": "Ada"\n}\n```\n\n'
)
SENDER = 'Sender (untrusted metadata):\n```json\n{"label": "Ada"}\n```\n\n'
ENVELOPE = "[Thu 2026-04-09 14:48 GMT+8] "
OPENINGS = [
    ("[cron:6f9619ff-8b86-d011-b42d-00cf4fc964ff morning report] Write the report", "cron"),
    ("A scheduled reminder has been triggered. The reminder content is:\n\nwater the plants", "cron"),
    ('A cron job "report" just completed successfully.', "cron"),
    ("Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.", "heartbeat"),
    ("[OpenClaw heartbeat poll]", "heartbeat"),
    ("System: [2026-04-09 14:48:02 GMT+8] Gateway restarted", "system"),
    ("System: [Thu 2026-04-09 14:48] Node connected\nSystem: [Thu 2026-04-09 14:49] Node lost", "system"),
    ("System (untrusted): [2026-04-09 14:48:02 GMT+8] Exec completed (abc, code 0) :: done", "system"),
    ("An async command you ran earlier has completed. The result is shown above.", "system"),
    ("[Subagent Context] You are running as a subagent.\n\n[Subagent Task]: count the files", "subagent"),
    ('A subagent task "count" just completed successfully.', "subagent"),
    ('A background task "index the notes" just completed successfully.', "background-task"),
    ('A background task "x" just failed', "background-task"),
    ("A new session was started via /new or /reset. Greet the user.", "reset"),
    ("Pre-compaction memory flush. Store durable memories now.", "flush"),
]
WRAPPINGS = ["", ENVELOPE, CONVERSATION_INFO, CONVERSATION_INFO + SENDER, SENDER + ENVELOPE, "\n\n  "]


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize(("text", "reason"), OPENINGS)
def test_opening_of_an_automatic_turn(text: str, reason: str, wrapping: str) -> None:
    assert automatic_reason(f"{wrapping}{text}") == reason
    assert automatic_reason(f"{wrapping}{text}\n[message_id: 4711]") == reason


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How do I write a cron job?",
        "[cron] is the name of my project",
        "System: Windows 11, and the build fails",
        "A background task in my queue hangs, why?",
        "Please read HEARTBEAT.md if it exists",
        "Subagent Context is a confusing name",
        "heartbeat",
        CONVERSATION_INFO + "Let us choose a framework",
    ],
)
def test_a_person_who_mentions_such_things_opens_no_automatic_turn(text: str) -> None:
    assert automatic_reason(text) is None


@pytest.mark.parametrize(("text", "reason"), OPENINGS)
def test_session_begun_by_itself_is_noise(text: str, reason: str, summarize: Summarize) -> None:
    summary = summarize({"role": "user", "content": text}, {"role": "assistant", "content": "HEARTBEAT_OK"})
    assert summary.noise == reason
    assert summary.entry.user_messages == 0


@pytest.mark.parametrize(("text", "reason"), OPENINGS)
def test_session_that_a_person_goes_on_with(text: str, reason: str, summarize: Summarize) -> None:
    summary = summarize(
        {"role": "user", "content": text},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "Which framework for the blog?"},
        {"role": "assistant", "content": "Next.js."},
    )
    whole_session = reason in {"cron", "subagent"}
    assert summary.noise == (reason if whole_session else None)
    assert summary.entry.topic == "Which framework for the blog?"
    assert summary.entry.user_messages == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"session_key": "agent:main:cron:6f96"}, "cron"),
        ({"session_key": "agent:main:subagent:6f96"}, "subagent"),
        ({"session_key": "agent:main:subagent:1:subagent:2"}, "subagent"),
        ({"session_key": "agent:main:main:heartbeat"}, "heartbeat"),
        ({"session_key": "cron:nightly"}, "cron"),
        ({"trigger": "cron"}, "cron"),
        ({"trigger": "heartbeat"}, "heartbeat"),
        ({"trigger": "memory"}, "flush"),
        ({"trigger": "user"}, None),
        ({"session_key": "agent:main:main"}, None),
        ({"session_key": "agent:cron:main"}, None),  # an agent of that name
        ({"session_key": "agent:main:telegram:group:-100:topic:cron"}, None),
        ({}, None),
    ],
)
def test_the_events_own_fields_decide_first(fields: dict[str, str], reason: str | None, summarize: Summarize) -> None:
    summary = summarize({"role": "user", "content": "Which framework for the blog?"}, **fields)
    assert summary.noise == reason


def test_fields_win_over_text() -> None:
    assert field_reason(session_key="agent:main:cron:1", trigger="heartbeat", is_subagent=False) == "cron"
    assert field_reason(session_key="", trigger="", is_subagent=True) == "subagent"
    assert text_reason("heartbeat", has_prompt=False) == "heartbeat"
    assert text_reason(None, has_prompt=False) is None


@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/clear</command-name>",
        "<command-message>init</command-message>",
        "<local-command-stdout>ok</local-command-stdout>",
        "<system-reminder>\nThe date has changed.\n</system-reminder>",
        "<task-notification><task-id>b1</task-id></task-notification>",
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
        "<environment_context>\n<cwd>/home/ada</cwd>\n</environment_context>",
        "<user_instructions>\nBe brief.\n</user_instructions>",
        "# AGENTS.md instructions for /home/ada/blog",
        "  \n<system-reminder>late</system-reminder>",
        CONVERSATION_INFO,
        CONVERSATION_INFO + SENDER,
    ],
)
def test_harness_text_is_no_prompt(text: str, summarize: Summarize) -> None:
    assert is_harness_text(text)
    summary = summarize({"role": "user", "content": text}, {"role": "user", "content": "Which framework for the blog?"})
    assert (summary.entry.user_messages, summary.entry.topic) == (1, "Which framework for the blog?")


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("hello", "hello"),
        (f"{ENVELOPE}hello", "hello"),
        ("[2026-04-09 14:48:01] hello", "hello"),
        ("[Telegram Ada id:7 2026-04-09T14:48 UTC] hello", "hello"),
        (f"{CONVERSATION_INFO}hello", "hello"),
        (f"{CONVERSATION_INFO}{SENDER}{ENVELOPE}hello", "hello"),
        (f"{ENVELOPE}{CONVERSATION_INFO}hello", "hello"),
        ("Conversation info (untrusted metadata):\nsender: Ada\n\nhello", "hello"),  # the seed's form, without fence
        ("Replied message (untrusted, for context):\n```json\n{}\n```\n\nhello", "hello"),
        ("Conversation info (untrusted metadata):\n```json\n{", ""),
        ("Sender (untrusted metadata):", ""),
        ("hello\n[message_id: 4711]", "hello"),
        ("hello [message_id: a-b] \n[message_id: c]\n", "hello"),
        ("hello\r\nworld\r\n[message_id: 4711]", "hello\nworld"),
        ("System: [2026-04-09 14:48] Gateway up\n\nhello", "hello"),
        (f"System: [2026-04-09 14:48] Gateway up\n\n{ENVELOPE}hello", "hello"),
        ("hello <system-reminder>x</system-reminder> world", "hello  world"),
        ("hello <system-reminder>never closed", "hello"),
        ("# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\nhello\n", "hello"),
        ("[link](https://example.org) hello", "[link](https://example.org) hello"),
        ("[message_id: 1] hello", "[message_id: 1] hello"),
        ("", ""),
        ("\ufeff \u00a0", ""),
    ],
)
def test_cleaning_a_prompt(text: str, cleaned: str) -> None:
    assert clean_prompt(text) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("HEARTBEAT_OK", ""),
        ("**NO_REPLY**\n", ""),
        ("[[reply_to_current]] Done.", "Done."),
        ("[[reply_to: 4711]]Done.", "Done."),
        ("[[reply_to_current]] NO_REPLY", ""),
        ("HEARTBEAT_OK means that all is well", "HEARTBEAT_OK means that all is well"),
        ("See [[wiki]]", "See [[wiki]]"),
    ],
)
def test_cleaning_a_reply(text: str, cleaned: str) -> None:
    assert clean_reply(text) == cleaned
    assert is_silent_reply(text) == (not cleaned)


def test_a_reply_without_text_is_not_silent() -> None:
    assert not is_silent_reply("")


def test_silent_replies_are_not_counted(summarize: Summarize) -> None:
    summary = summarize(
        {"role": "user", "content": "Which framework for the blog?"},
        {"role": "assistant", "content": "NO_REPLY"},
        {"role": "assistant", "content": "Next.js"},
    )
    assert (summary.entry.user_messages, summary.entry.assistant_messages) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        ENVELOPE * 200_000,
        CONVERSATION_INFO * 50_000,
        "System: [x\n\n" * 200_000,
        "<system-reminder>" * 300_000,
        "<system-reminder></system-reminder>" * 100_000,
        "[[reply_to" * 200_000,
        "[message_id: " * 200_000,
        'A background task "' * 100_000,
    ],
)
def test_hostile_repetition_costs_linear_time(text: str) -> None:
    start = time.process_time()
    clean_prompt(text)
    automatic_reason(text)
    is_harness_text(text)
    clean_reply(text)
    assert time.process_time() - start < 5


def test_ignore_patterns_are_matched_against_the_first_real_prompt(summarize: Summarize) -> None:
    config = Config(ignore_patterns=("^NIGHTLY", "standup$"))
    noise = [
        summarize({"role": "user", "content": f"{ENVELOPE}nightly backup, please"}, config=config).noise,
        summarize({"role": "user", "content": "Today's Standup"}, config=config).noise,
        summarize(
            {"role": "user", "content": "Let us begin"}, {"role": "user", "content": "nightly"}, config=config
        ).noise,
        summarize({"role": "assistant", "content": "nightly"}, config=config).noise,
    ]
    assert noise == ["ignored", "ignored", None, None]


def test_a_pattern_that_does_not_compile_is_named_and_the_others_work(summarize: Summarize) -> None:
    config = Config(ignore_patterns=("(", "(?=x)", "blog"))
    summary = summarize({"role": "user", "content": "The blog, please"}, config=config)
    assert summary.noise == "ignored"
    assert [repr(pattern) in str(error) for pattern, error in zip(["(", "(?=x)"], summary.pattern_errors, strict=True)]
    assert all("\n" not in str(error) for error in summary.pattern_errors)


def test_a_pattern_built_to_hang_does_not() -> None:
    start = time.process_time()
    assert find_ignored(["(a+)+$"], "a" * 200_000 + "b") == (None, ())
    assert time.process_time() - start < 2
