"""The transcripts that agents have left on this machine, and how each is opened."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from memsite.capture.claude_code import PROJECTS, session_of_file
from memsite.capture.fields import read_table, read_text
from memsite.capture.lines import iter_lines
from memsite.capture.message import Message, Transcript
from memsite.capture.openclaw_cold import SUFFIX as PACKED
from memsite.capture.openclaw_cold import iter_packed_lines
from memsite.capture.readers import read_transcript
from memsite.errors import FormatError
from memsite.values import dataclass

AGENTS = ("claude-code", "openclaw", "codex")
DATABASE = "openclaw-agent.sqlite"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,200}")
_OPENCLAW_FILE = re.compile(r"(?P<id>.+?)(?P<topic>-topic-.+?)?\.jsonl(?:\.(?:reset|deleted)\..+?)?(?:\.zst)?")
_CODEX_FILE = "rollout-*.jsonl"
_SUBAGENTS = "subagents"


@dataclass(frozen=True, slots=True)
class Source:
    """One transcript, or one session in a database."""

    path: Path
    format: str = "auto"
    session_id: str = ""
    """For a database: which one."""
    archive: int = -1
    """For a database: the position of an archived session in it."""
    session_key: str = ""
    """OpenClaw's, where `sessions.json` knows it."""
    known_id: str = ""
    """The session's id as its agent tells it to hooks, where the file's name says it."""
    claude_id: str = ""
    """The same, when it turns out to be Claude Code's: the lines of a session that was resumed keep its former id."""
    suffix: str = ""
    """What tells a topic's session from the one that it shares its id with."""

    @property
    def modified(self) -> float:
        """Seconds since 1970; now and later for one that is gone."""
        try:
            return self.path.stat().st_mtime
        except OSError:
            return float("inf")


def find_transcripts(environ: Mapping[str, str], agents: tuple[str, ...] = AGENTS) -> Iterator[Source]:
    """Every transcript in the places where these agents keep them, each place once."""
    home = Path(environ.get("HOME", "") or "~").expanduser()
    finders: dict[str, tuple[Path, Callable[[Path], Iterator[Source]]]] = {
        "claude-code": (Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude"), _claude_code),
        "openclaw": (Path(environ.get("OPENCLAW_STATE_DIR") or home / ".openclaw"), _openclaw),
        "codex": (Path(environ.get("CODEX_HOME") or home / ".codex"), _codex),
    }
    for agent in agents:
        folder, find = finders[agent]
        yield from find(folder)


def find_below(path: Path) -> Iterator[Source]:
    """The transcripts at a path that a person named: a file of any form, a database, or a folder with such files."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            named = file.name.endswith((".jsonl", DATABASE)) or _OPENCLAW_FILE.fullmatch(file.name) is not None
            if named and file.is_file() and _SUBAGENTS not in file.relative_to(path).parts:
                yield from find_below(file)
    elif path.suffix == ".sqlite":
        yield from _database(path)
    else:
        match = _OPENCLAW_FILE.fullmatch(path.name)
        claude_id = session_of_file(path.absolute())
        yield Source(path, suffix=(match["topic"] or "") if match else "", claude_id=claude_id)


def _claude_code(folder: Path) -> Iterator[Source]:
    for path in sorted((folder / PROJECTS).glob("*/*.jsonl")):
        yield Source(path, "claude-code", known_id=path.stem)


def _codex(folder: Path) -> Iterator[Source]:
    for name in ("sessions", "archived_sessions"):
        for path in sorted((folder / name).rglob(_CODEX_FILE)):
            yield Source(path, "codex")


def _openclaw(folder: Path) -> Iterator[Source]:
    for agent in sorted((folder / "agents").glob("*")):
        keys = _session_keys(agent / "sessions" / "sessions.json")
        for path in (
            *sorted((agent / "sessions").glob("*.jsonl*")),
            *sorted((agent / "sessions/cold").glob("*.jsonl.zst")),
        ):
            match = _OPENCLAW_FILE.fullmatch(path.name)
            if match and path.is_file():
                yield Source(path, "openclaw", session_key=keys.get(match["id"], ""), suffix=match["topic"] or "")
        yield from _database(agent / "agent" / DATABASE)


def _session_keys(path: Path) -> dict[str, str]:
    """Session id -> session key, which tells cron's and subagents' sessions."""
    try:
        table = read_table(json.loads(path.read_bytes()))
    except (OSError, ValueError):
        return {}
    ids = ((read_text(read_table(entry).get("sessionId")), key) for key, entry in table.items())
    return {session_id: read_text(key) for session_id, key in ids if session_id}


def _database(path: Path) -> Iterator[Source]:
    from memsite.capture.openclaw_db import count_archives, open_database, session_ids  # needs sqlite3

    if not path.is_file():
        return
    with suppress(FormatError), closing(open_database(path)) as connection:
        for session_id in session_ids(connection):
            yield Source(path, session_id=session_id)
        for position in range(count_archives(connection)):
            yield Source(path, archive=position)


@contextmanager
def open_source(source: Source) -> Iterator[Transcript]:
    """The transcript, to be read once. Raises OSError, FormatError."""
    with ExitStack() as held:
        if source.session_id or source.archive >= 0:
            transcript = held.enter_context(_open_in_database(source))
        else:
            stream = held.enter_context(source.path.open("rb"))
            is_packed = source.path.name.endswith(PACKED)
            transcript = read_transcript((iter_packed_lines if is_packed else iter_lines)(stream), source.format)
        transcript.session_key = transcript.session_key or source.session_key
        yield transcript


@contextmanager
def _open_in_database(source: Source) -> Iterator[Transcript]:
    from memsite.capture.openclaw_db import open_database, read_archive, read_session

    with closing(open_database(source.path)) as connection:
        if source.session_id:
            yield read_session(connection, source.session_id)
        else:
            yield read_archive(connection, source.archive)


def openclaw_session(state: Path, agent: str, session_id: str) -> Transcript | None:
    """A session from OpenClaw's own store in `state`; None where it is not there. It must be read to its end."""
    if not _NAME.fullmatch(agent) or not _NAME.fullmatch(session_id):
        return None
    folder = state / "agents" / agent
    file = folder / "sessions" / f"{session_id}.jsonl"
    source = Source(file, "openclaw") if file.is_file() else Source(folder / "agent" / DATABASE, session_id=session_id)
    if not source.path.is_file():
        return None
    opened = open_source(source)
    try:
        transcript = opened.__enter__()
    except (OSError, FormatError):
        return None
    messages = transcript.messages

    def read() -> Iterator[Message]:
        try:
            yield from messages
        finally:
            opened.__exit__(None, None, None)

    transcript.messages = read()
    return transcript
