"""What every command needs once: the time, the workspace, the redactor, where answers go."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cached_property
from pathlib import Path, PurePosixPath

from memsite.cli.output import Output
from memsite.config import find_zone
from memsite.errors import MemsiteError, RefusedError, WorkspaceError
from memsite.memory.changeset import Changeset
from memsite.memory.names import parse_date
from memsite.repo.workspace import Workspace, open_workspace
from memsite.safety.allowing import Allows, allows
from memsite.safety.secrets import redact
from memsite.values import dataclass, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from memsite.memory.model import Memory
    from memsite.repo.transaction import Committed, Plan, Reader


FIRST_YEAR, LAST_YEAR = 1970, 2099
"""What a typed time may be: git and archive formats count seconds from 1970, in 32 bits."""


def require_one(workspace: Workspace) -> Workspace:
    """The workspace. Raises RefusedError for a folder with several agents: nobody knows whose memory is meant."""
    if workspace.config.agents:
        folders = ", ".join(str(folder) for _, folder in workspace.config.agents)
        raise RefusedError("here are several agents", where=workspace.root, hint=f"choose one with -C: {folders}")
    return workspace


class UsageError(MemsiteError):
    """The command line itself is off."""

    exit_code = 2


@dataclass(frozen=True)
class Context:
    """One run of the program."""

    directory: Path
    clock: datetime
    """The time the run began, UTC; read once."""
    now_text: str
    """What `--now` said; empty: the clock counts."""
    zone_name: str
    """The machine's time zone, for a workspace that names none."""
    environ: Mapping[str, str]
    output: Output
    stdin: BinaryIO = field(default_factory=lambda: sys.stdin.buffer)
    opened: Workspace | None = None
    """A workspace that the command opened in its own way."""
    begun: Callable[[bool], Workspace] | None = None
    """What opens the workspace of the current folder, where that was begun while modules were loaded."""

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace of the current folder. Raises WorkspaceError or ConfigError."""
        if self.opened:
            return self.opened
        return self.with_zone(require_one(self.open_workspace()))

    def open_workspace(self, *, strict: bool = True) -> Workspace:
        """The workspace of the current folder as it is, once. Raises WorkspaceError; ConfigError where `strict`."""
        return self.begun(strict) if self.begun else open_workspace(self.directory, strict=strict)

    def with_zone(self, workspace: Workspace) -> Workspace:
        """The workspace with an empty `timezone` filled with the machine's."""
        if workspace.config.timezone:
            return workspace
        return replace(workspace, config=replace(workspace.config, timezone=self.zone_name))

    @cached_property
    def now(self) -> datetime:
        """The time of this run, in the workspace's zone."""
        zone = self._zone()
        if not self.now_text:
            return self.clock.astimezone(zone)
        return parse_time(self.now_text, zone)

    def _zone(self) -> tzinfo:
        try:
            return find_zone(self.workspace.config.timezone)
        except (WorkspaceError, RefusedError):  # none yet, or several
            return find_zone(self.zone_name)

    @property
    def today(self) -> date:
        """The day of this run, in the workspace's zone."""
        return self.now.date()

    def redact(self, text: str) -> str:
        """Every text that memsite writes passes here: secrets out, and a word about each on stderr, never its value."""
        # Bytes of the command line that are no UTF-8 arrive as lone surrogates, which no file can hold.
        redaction = redact(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"), self._allowed)
        for finding in redaction.findings:
            what = "a secret was left out" if finding.certain else "looks like a secret and was kept"
            self.output.warn(f"{what} ({finding.rule})")
        return redaction.text

    @cached_property
    def _allowed(self) -> Allows | None:
        """What the workspace's settings say is no secret; nothing where there is no workspace yet."""
        try:
            return allows(self.workspace.config.allow)
        except MemsiteError:
            return None

    def transact(self, plan: Callable[[Reader], Iterable[Changeset]]) -> tuple[Committed, ...]:
        """Plan under the lock, write, commit.

        Raises PendingError when it is recorded but not committed yet; RefusedError where an index would be begun in the
        place of the one that git has.
        """

        def planned(reader: Reader) -> tuple[Changeset, ...]:
            changesets = tuple(plan(reader))
            index = self.workspace.config.index_path
            if any(index in one.paths for one in changesets) and reader.read(index) is None:
                self._refuse_lost(index)
            return changesets

        return self.write(planned)

    def write(self, plan: Plan, *, wait: float | None = None) -> tuple[Committed, ...]:
        """As `transact`, for plans that leave the index alone. `wait`: seconds to wait for other writers."""
        from memsite.repo.begun import begin_writing  # reading commands do not pay for it

        with ExitStack() as started:
            begun = begin_writing(self.workspace.require_repository(), started)
            from memsite.repo.lock import WAIT
            from memsite.repo.transaction import transact  # git gets ready meanwhile

            seconds = WAIT if wait is None else wait
            return transact(self.workspace, plan, now=self.now, wait=seconds, begun=begun)

    def _refuse_lost(self, path: PurePosixPath) -> None:
        import shlex

        from memsite.repo.version_points import read_file

        repository = self.workspace.require_repository()
        name = os.fsdecode(repository.to_git(path))
        if read_file(repository, "HEAD", PurePosixPath(name)) is not None:
            hint = f"git restore --staged --worktree -- {shlex.quote(str(path))}"
            raise RefusedError("is gone, and what it had must not be lost", where=path, hint=hint)

    def memory(self) -> Memory:
        """The memory as it is in the work tree, its long texts cut."""
        from memsite.memory.lineage import load_memory  # hot paths do not pay for it
        from memsite.repo.snapshots import read_current

        return load_memory(read_current(self.workspace, whole=False), self.workspace.config)


def parse_time(text: str, zone: tzinfo) -> datetime:
    """An ISO time, or a day (its noon), local to the zone unless it names an offset. Raises UsageError."""
    if parse_date(text):
        day = parse_day(text)
        return datetime.combine(day, time(12), zone)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no time", hint='write it as "2025-03-20T10:30" or "2025-03-20"') from error
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise UsageError(f"{text!r} is no time of an agent's memory", hint=f"years are {FIRST_YEAR} to {LAST_YEAR}")
    return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)


def parse_day(text: str) -> date:
    """A day typed by a person. Raises UsageError."""
    day = parse_date(text)
    if day is None:
        raise UsageError(f"{text!r} is no date", hint='write it as "2025-03-20"')
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise UsageError(f"{text} is no day of an agent's memory", hint=f"years are {FIRST_YEAR} to {LAST_YEAR}")
    return day


def parse_past_day(text: str, today: date, hint: str) -> date:
    """A day on which something came up; tomorrow has begun in other zones. Raises UsageError, and RefusedError with
    the hint for a later one: it is a slip, and nothing that is written is ever removed."""
    day = parse_day(text)
    if day > today + timedelta(days=1):
        raise RefusedError(f"{day.isoformat()} is still to come; today is {today.isoformat()}", hint=hint)
    return day


def machine_zone(environ: Mapping[str, str], localtime: Path = Path("/etc/localtime")) -> str:
    """The name of the machine's time zone: TZ, else what /etc/localtime links to, else UTC."""
    candidates = [environ.get("TZ", "").lstrip(":")]
    if localtime.is_symlink():
        candidates.append(str(localtime.resolve()).partition("zoneinfo/")[2])
    for name in filter(None, candidates):
        try:
            find_zone(name)
        except (ValueError, OSError):
            continue
        return name
    return "UTC"


def machine_language(environ: Mapping[str, str]) -> str:
    """The language that the machine speaks, as a site names it: `zh`, `de`; English when it names none."""
    name = next(filter(None, (environ.get(key) for key in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    language = name.partition(".")[0].partition("_")[0].lower()
    return language if len(language) == 2 and language.isalpha() and language.isascii() else "en"


def read_clock() -> datetime:
    """The one place that reads the clock."""
    return datetime.now(UTC)
