"""What went wrong in a hook of an agent. The agent is never told, so `check` is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta

from memsite.repo.workspace import Repository
from memsite.values import dataclass

FILE = "agents.log"
"""In memsite's folder below git's."""
REPORTED_FOR = timedelta(days=14)
_MOST_BYTES = 64 * 1024
_MOST_TEXT = 200


@dataclass(frozen=True, slots=True)
class HookError:
    """One line of the log; the same fault on several occasions is one."""

    at: datetime
    """When it was last seen."""
    agent: str
    event: str
    problem: str
    count: int = 1


def write_hook_error(repository: Repository, at: datetime, agent: str, event: str, problem: str) -> None:
    """Append one line; a log that has become long loses its older half. Raises OSError."""
    path = repository.own_dir / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps({"at": at.isoformat(), "agent": agent, "event": event, "problem": shortened(problem)})
    if path.exists() and path.stat().st_size > _MOST_BYTES:
        kept = path.read_bytes()[-_MOST_BYTES // 2 :].partition(b"\n")[2]
        path.write_bytes(kept)
    with path.open("ab") as stream:
        stream.write(line.encode() + b"\n")


def shortened(problem: str) -> str:
    """At most 200 characters of it: a long path stands in the middle, what is wrong with it at the end."""
    half = _MOST_TEXT // 2
    return problem if len(problem) <= _MOST_TEXT else f"{problem[: half - 1]}…{problem[-half:]}"


def read_hook_errors(repository: Repository, now: datetime) -> tuple[HookError, ...]:
    """What hooks could not do in the last 14 days, oldest first, each fault once."""
    path = repository.own_dir / FILE
    lines = path.read_bytes().splitlines() if path.exists() else []
    found: dict[tuple[str, str, str], HookError] = {}
    for one in _parse(lines):
        if now - one.at <= REPORTED_FOR:
            key = (one.agent, one.event, one.problem)
            count = found.pop(key).count + 1 if key in found else 1
            found[key] = HookError(one.at, *key, count)
    return tuple(found.values())


def _parse(lines: list[bytes]) -> Iterator[HookError]:
    """Two hooks may have written into one line: what is no entry is passed over."""
    for line in lines:
        try:
            table = json.loads(line)
            at = datetime.fromisoformat(table["at"])
            if at.tzinfo:
                yield HookError(at, str(table["agent"]), str(table["event"]), str(table["problem"]))
        except (ValueError, KeyError, TypeError):
            continue
