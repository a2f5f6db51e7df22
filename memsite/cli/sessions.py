"""`log` and `sessions`: session logs, written from transcripts and read back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date

from memsite.capture.lines import iter_lines
from memsite.capture.readers import FORMATS, read_transcript
from memsite.capture.session import SessionSummary, summarize_session
from memsite.cli.commits import report
from memsite.cli.context import Context, parse_day, parse_time
from memsite.cli.recording import record_entry, refuse_unread, safe_entry, under_hooks_id
from memsite.counting import counted
from memsite.errors import UnsafePathError
from memsite.memory.cutting import cut_text
from memsite.memory.names import parse_day_name, session_log_path
from memsite.memory.session_entry import SessionEntry, SessionLog
from memsite.memory.session_log import parse_session_log
from memsite.memory.snapshot import Blob
from memsite.values import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SHOWN_DAYS = 14
SHOWN_LINES = 50
"""The seed's `/mc sessions`: 14 days, or the last 50 lines of one."""


def log_parser(parser: argparse.ArgumentParser) -> None:
    """`log [FILE|-] [--format F] [--session ID] [--at TIME]`."""
    parser.add_argument("file", nargs="?", metavar="FILE", default="-", help="the transcript; `-`: standard input")
    parser.add_argument("--format", choices=FORMATS, default="auto", help="default: recognised by content")
    parser.add_argument("--session", metavar="ID", help="the agent's session id (default: the transcript's own)")
    parser.add_argument("--at", metavar="TIME", help="when it began, for transcripts without timestamps")
    parser.add_argument(
        "--ignore", metavar="PATTERN", action="append", default=[], help="try out a pattern: nothing is logged"
    )
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def log(context: Context, arguments: argparse.Namespace) -> None:
    """A transcript becomes a session-log entry, committed; the same session again brings its entry up to date."""
    if arguments.ignore:
        _try_patterns(context, arguments)
        return
    config = context.workspace.config
    if not config.session_logging:
        context.output.line("session_logging is off in memsite.toml: nothing was logged")
        context.output.json({"logged": False, "reason": "session_logging is off"})
        return
    summary = _summarize(context, arguments)
    if summary.pattern_errors:
        raise summary.pattern_errors[0]
    if summary.noise:
        context.output.line(f"not logged: {summary.noise}")
        context.output.json({"logged": False, "reason": summary.noise})
        return
    if summary.skipped:
        context.output.warn(f"{counted(summary.skipped, 'line')} of the transcript could not be read, and left out")
    entry = safe_entry(context, summary)
    commits = record_entry(context, summary.day, entry)
    if not commits:
        context.output.line("already logged, nothing changed")
    report(context, commits)
    told = [{"commit": one.commit, "message": one.message, "paths": list(one.paths)} for one in commits]
    context.output.json({"logged": True, "session": entry.session_id, "topic": entry.topic, "commits": told})


def _try_patterns(context: Context, arguments: argparse.Namespace) -> None:
    """Say what a pattern for `ignore_patterns` would do to this transcript."""
    summary = _summarize(context, arguments, ignore=tuple(arguments.ignore))
    if summary.pattern_errors:
        raise summary.pattern_errors[0]
    ignored = summary.noise == "ignored"
    context.output.json({"ignored": ignored, "reason": summary.noise, "topic": summary.entry.topic})
    if ignored:
        context.output.line("it would be ignored; put the pattern into ignore_patterns in memsite.toml to have that")
    else:
        context.output.line(f"not ignored by it{f', but left out anyway: {summary.noise}' if summary.noise else ''}")


def _summarize(
    context: Context, arguments: argparse.Namespace, ignore: tuple[str, ...] | None = None
) -> SessionSummary:
    config = context.workspace.config
    if ignore is not None:
        config = replace(config, ignore_patterns=ignore)
    zone = config.zone()
    fallback = parse_time(arguments.at, zone) if arguments.at else context.now
    path = None if arguments.file == "-" else context.directory / arguments.file
    with ExitStack() as stack:
        stream = stack.enter_context(path.open("rb")) if path else context.stdin
        transcript = read_transcript(iter_lines(stream), arguments.format)
        summary = summarize_session(
            transcript, config=config, zone=zone, fallback=fallback, session_id=arguments.session
        )
    if summary.noise == "empty":
        refuse_unread(transcript, arguments.file, arguments.format)
    if path is None or arguments.session:
        return summary
    from memsite.capture.claude_code import session_of_file  # what comes in a pipe has no name

    return under_hooks_id(summary, session_of_file(path.absolute()))


def sessions_parser(parser: argparse.ArgumentParser) -> None:
    """`sessions [DATE] [--agent A]`."""
    parser.add_argument("date", nargs="?", metavar="DATE", help="show this day's log")
    parser.add_argument("--agent", metavar="A", help="count and show only this agent's sessions")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def sessions(context: Context, arguments: argparse.Namespace) -> None:
    """The last 14 days with their counts, or one day's log (seed, `/mc sessions`)."""
    answer_sessions(context, arguments.date, arguments.agent)


def answer_sessions(context: Context, day: str | None, agent: str | None = None) -> None:
    """The same for an agent's own command."""
    if day:
        _show_day(context, parse_day(day), agent)
    else:
        _list_days(context, agent)


def _list_days(context: Context, agent: str | None) -> None:
    logs = [(log.day, _entries(log, agent)) for log in _read_logs(context)]
    days = sorted(((day, entries) for day, entries in logs if entries), reverse=True)
    rows = [(day.isoformat(), counted(len(entries), "session")) for day, entries in days]
    context.output.json([{"date": day, "sessions": len(entries)} for day, entries in days])
    if not rows:
        context.output.line("no session logs yet")
        return
    if not context.output.as_json:
        context.output.table(rows[:SHOWN_DAYS])
    if len(rows) > SHOWN_DAYS:
        context.output.line(f"… and {counted(len(rows) - SHOWN_DAYS, 'more day')}", style="dim")
    context.output.line("`memsite sessions DATE` shows a day", style="dim")


def _show_day(context: Context, day: date, agent: str | None) -> None:
    found = next((log for log in _read_logs(context) if log.day == day), None)
    entries = _entries(found, agent) if found else ()
    context.output.json([_as_json(entry) for entry in entries])
    if not found or not entries:
        context.output.line(f"no session log for {day}")
        return
    lines = found.blob.text.splitlines()
    if agent:
        lines = [line for entry in entries for line in lines[entry.first_line - 1 : entry.last_line]]
    if len(lines) > SHOWN_LINES:
        context.output.line(f"… ({counted(len(lines) - SHOWN_LINES, 'earlier line')} left out)", style="dim")
    context.output.line("\n".join(lines[-SHOWN_LINES:]))


def _entries(log: SessionLog, agent: str | None) -> tuple[SessionEntry, ...]:
    return tuple(entry for entry in log.entries if agent is None or entry.agent == agent)


def _read_logs(context: Context) -> Iterator[SessionLog]:
    from memsite.repo.hidden import current_names, read_current_file  # `log` does not pay for it

    workspace, memory = context.workspace, context.workspace.config.memory
    names = map(parse_day_name, current_names(workspace, memory / "sessions"))
    for day in sorted(name[0] for name in names if name and not name[1]):
        path = session_log_path(memory, day)
        try:
            data = read_current_file(workspace, path)
        except UnsafePathError as error:
            context.output.warn(str(error))
            continue
        if data is not None:
            yield parse_session_log(path, day, cut_text(Blob("", data)))


def _as_json(entry: SessionEntry) -> dict[str, object]:
    return {
        "time": f"{entry.time:%H:%M}",
        "topic": entry.topic,
        "user_messages": entry.user_messages if entry.has_messages else None,
        "assistant_messages": entry.assistant_messages if entry.has_messages else None,
        "tokens": entry.tokens if entry.has_tokens else None,
        "session": entry.session_id,
        "agent": entry.agent,
        "project": entry.project,
    }
