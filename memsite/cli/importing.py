"""`import` and `tail`: transcripts as they lie on this machine."""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, date, datetime
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath

from memsite.agents.transcripts import AGENTS, Source, find_below, find_transcripts, open_source
from memsite.capture.lines import iter_lines
from memsite.capture.readers import FORMATS, read_transcript
from memsite.capture.session import SessionSummary, summarize_session
from memsite.capture.tail import extract_tail
from memsite.cli.context import Context, parse_day
from memsite.cli.output import Progress
from memsite.cli.recording import expanded, is_inside, refuse_unread, safe_entry, under_hooks_id, united
from memsite.counting import counted
from memsite.errors import FormatError, MemsiteError, RefusedError, UnsafePathError
from memsite.memory.changeset import Changeset, Write
from memsite.memory.model import SessionEntry
from memsite.memory.names import parse_day_name, session_log_path
from memsite.memory.session_log import parse_session_log, plan_session_entry, quote_id, upsert_session_entry
from memsite.memory.snapshot import Blob
from memsite.repo.hidden import current_names, read_current_file
from memsite.repo.transaction import Reader
from memsite.values import dataclass, field, replace

DAYS_PER_TRANSACTION = 50
"""So many commits are made at once: an interrupted import has kept the days before."""


@dataclass(slots=True)
class _Found:
    """What the transcripts come to, while they are read."""

    entries: dict[str, tuple[date, SessionEntry]] = field(default_factory=dict)
    """By session id: the fullest of its transcripts (a copy that was reset, a database that took the file over)."""
    noise: Counter[str] = field(default_factory=Counter)
    earlier: int = 0
    failed: list[str] = field(default_factory=list)
    skipped_lines: int = 0
    wanted: Callable[[date, SessionSummary], bool] = lambda _day, _summary: True
    """Which sessions belong here; all that `import` reads do."""

    def add(self, day: date, entry: SessionEntry) -> None:
        known = self.entries.get(entry.session_id)
        if known is None or _weight(entry) > _weight(known[1]):
            self.entries[entry.session_id] = (day, entry)


def _weight(entry: SessionEntry) -> tuple[int, int]:
    return entry.user_messages + entry.assistant_messages, entry.tokens


def import_transcripts_parser(parser: argparse.ArgumentParser) -> None:
    """`import [PATH…] [--agent A] [--since D]`."""
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", help="files or folders (default: where the agents keep them)"
    )
    parser.add_argument("--agent", choices=AGENTS, action="append", help="only this agent's; may be given again")
    parser.add_argument("--since", metavar="D", help="only sessions that began on this day or later")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def import_transcripts(context: Context, arguments: argparse.Namespace) -> None:
    """Log every session that this machine has a transcript of, once, in its own day."""
    if not context.workspace.config.session_logging:
        raise RefusedError("session_logging is off", where="memsite.toml", hint="set it to true first")
    since = parse_day(arguments.since) if arguments.since else date.min
    agents = tuple(arguments.agent or AGENTS)
    sources = [one for one in _sources(context, arguments.paths, agents) if _is_recent(context, one, since)]
    found = _read_all(context, sources, since, agents, _Found())
    commits = _record_all(context, found.entries)
    _describe(context, len(sources), found, commits)


def log_missed_sessions(context: Context, days: Collection[date]) -> int:
    """Log the sessions of some days whose end never reached memsite; the number of commits.

    They are those that this memory knows already, those of agents that worked in it, and those of projects whose
    sessions it receives. What cannot be read is said and left out.
    """
    if not context.workspace.config.session_logging or not days:
        return 0
    logged, projects = _logged_days(context), _logged_projects(context)
    root = str(context.workspace.root)

    def wanted(day: date, summary: SessionSummary) -> bool:
        is_known = summary.entry.session_id in logged or (summary.project and summary.project in projects)
        return day in days and (bool(is_known) or is_inside(summary.cwd, root))

    since = min(days)
    sources = [one for one in _sources(context, (), AGENTS) if _is_recent(context, one, since)]
    found = _read_all(context, sources, since, AGENTS, _Found(wanted=wanted))
    for problem in dict.fromkeys(found.failed):
        context.output.warn(problem)
    return _record_all(context, found.entries)


def _logged_projects(context: Context) -> frozenset[str]:
    return frozenset(entry.project for _, entry in _logged_sessions(context) if entry.project)


def _sources(context: Context, paths: Sequence[str], agents: tuple[str, ...]) -> Iterator[Source]:
    if not paths:
        yield from find_transcripts(context.environ, agents)
    for name in paths:
        path = context.directory / expanded(name)
        if not path.exists():
            raise FormatError("there is no such file or folder", where=name)
        yield from find_below(path)


def _is_recent(context: Context, source: Source, since: date) -> bool:
    """A file that was written last before a day has no session that began after it. A database has all of them."""
    if source.session_id or source.archive >= 0 or since == date.min or source.modified == float("inf"):
        return True
    return datetime.fromtimestamp(source.modified, UTC).astimezone(context.workspace.config.zone()).date() >= since


def _read_all(
    context: Context, sources: Sequence[Source], since: date, agents: tuple[str, ...], found: _Found
) -> _Found:
    with Progress(context.output, "reading transcripts", len(sources)) as progress:
        for source in sources:
            try:
                _read(context, source, since, agents, found)
            except (OSError, MemsiteError) as error:
                found.failed.append(f"{source.path}: {getattr(error, 'strerror', None) or error}")
            progress.step()
    return found


def _read(context: Context, source: Source, since: date, agents: tuple[str, ...], found: _Found) -> None:
    config = context.workspace.config
    modified = datetime.fromtimestamp(source.modified, UTC)
    with open_source(source) as transcript:
        summary = summarize_session(
            transcript, config=config, zone=config.zone(), fallback=modified, session_id=source.known_id or None
        )
    if summary.pattern_errors:
        raise summary.pattern_errors[0]
    found.skipped_lines += summary.skipped
    if summary.noise:
        found.noise[summary.noise] += 1
    elif summary.day < since or not _is_of(summary, agents) or not found.wanted(summary.day, summary):
        found.earlier += 1
    else:
        found.add(summary.day, _entry(context, source, summary))


def _is_of(summary: SessionSummary, agents: tuple[str, ...]) -> bool:
    return not summary.agent or summary.agent in agents


def _entry(context: Context, source: Source, summary: SessionSummary) -> SessionEntry:
    entry = safe_entry(context, under_hooks_id(summary, source.claude_id))
    return replace(entry, session_id=entry.session_id + source.suffix)


def _record_all(context: Context, entries: Mapping[str, tuple[date, SessionEntry]]) -> int:
    """One commit for each day that changes; the number of commits."""
    logged = _logged_days(context)
    by_day: dict[date, list[SessionEntry]] = defaultdict(list)
    for session_id, (day, entry) in entries.items():
        by_day[logged.get(session_id, day)].append(entry)
    days = sorted(by_day)
    made = 0
    with Progress(context.output, "writing days", len(days)) as progress:
        for start in range(0, len(days), DAYS_PER_TRANSACTION):
            chosen = days[start : start + DAYS_PER_TRANSACTION]
            made += len(context.transact(partial(_plan_days, context, chosen, by_day)))
            progress.step(len(chosen))
    return made


def _logged_days(context: Context) -> dict[str, date]:
    """The day in which each session is logged already."""
    days: dict[str, date] = {}
    for day, entry in _logged_sessions(context):
        if entry.session_id:
            days.setdefault(entry.session_id, day)
    return days


def _logged_sessions(context: Context) -> Iterator[tuple[date, SessionEntry]]:
    workspace, memory = context.workspace, context.workspace.config.memory
    names = map(parse_day_name, sorted(current_names(workspace, memory / "sessions")))
    for day in (name[0] for name in names if name and not name[1]):
        path = session_log_path(memory, day)
        with suppress(UnsafePathError):  # a link or a folder: no log of this memory
            log = parse_session_log(path, day, Blob("", read_current_file(workspace, path) or b""))
            yield from ((day, entry) for entry in log.entries)


def _plan_days(
    context: Context, days: Iterable[date], by_day: Mapping[date, Sequence[SessionEntry]], reader: Reader
) -> Iterator[Changeset]:
    for day in days:
        path = session_log_path(context.workspace.config.memory, day)
        yield _plan_day(
            reader.read(path), path, day, sorted(by_day[day], key=lambda entry: (entry.time, entry.session_id))
        )


def _plan_day(old: bytes | None, path: PurePosixPath, day: date, entries: Sequence[SessionEntry]) -> Changeset:
    logged = parse_session_log(path, day, Blob("", old or b"")).entries
    known = {one.session_id: one for one in logged if one.session_id}
    entries = [united(known[one.session_id], one) if one.session_id in known else one for one in entries]
    if len(entries) == 1:
        return plan_session_entry(old, path, day, entries[0])
    data = old
    for entry in entries:
        data = upsert_session_entry(data, day, entry)
    ids = "".join(f"id: {quote_id(entry.session_id)}\n" for entry in entries)
    message = f"session: {counted(len(entries), 'session')} of {day.isoformat()}\n\nday: {day.isoformat()}\n{ids}"
    return Changeset((Write(path, old, data or b""),) if data != old else (), message)


def _describe(context: Context, sources: int, found: _Found, commits: int) -> None:
    for problem in found.failed:
        context.output.warn(problem)
    if found.skipped_lines:
        context.output.warn(f"{counted(found.skipped_lines, 'line')} of transcripts could not be read, and left out")
    noise = ", ".join(f"{number} {reason}" for reason, number in sorted(found.noise.items()))
    made = f"{counted(len(found.entries), 'session')}, {counted(commits, 'commit')}"
    context.output.line(f"{counted(sources, 'transcript')}: {made}")
    if noise:
        context.output.line(f"left out: {noise}", style="dim")
    context.output.json(
        {
            "transcripts": sources,
            "sessions": len(found.entries),
            "commits": commits,
            "left_out": dict(found.noise),
            "not_asked_for": found.earlier,
            "failed": found.failed,
        }
    )
    if found.failed:
        raise FormatError(f"{len(found.failed)} of {counted(sources, 'transcript')} could not be read")


def tail_parser(parser: argparse.ArgumentParser) -> None:
    """`tail [FILE|-] [--count N]`."""
    parser.add_argument("file", nargs="?", metavar="FILE", default="-", help="the transcript; `-`: standard input")
    parser.add_argument("--count", metavar="N", type=int, help="exchanges (default: tail_protect_count)")
    parser.add_argument("--format", choices=FORMATS, default="auto", help="default: recognised by content")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def tail(context: Context, arguments: argparse.Namespace) -> None:
    """Print the protected recent exchanges, as the seed does."""
    count = context.workspace.config.tail_protect_count if arguments.count is None else arguments.count
    with ExitStack() as stack:
        stream = context.stdin
        if arguments.file != "-":
            stream = stack.enter_context((context.directory / Path(arguments.file)).open("rb"))
        transcript = read_transcript(iter_lines(stream), arguments.format)
        first = next(iter(transcript), None)
        if first is None:
            refuse_unread(transcript, arguments.file, arguments.format)
        text = extract_tail(chain(() if first is None else (first,), transcript), count)
    if transcript.skipped:
        context.output.warn(f"{counted(transcript.skipped, 'line')} of the transcript could not be read, and left out")
    context.output.json({"tail": text})
    if text:
        context.output.line(text)
