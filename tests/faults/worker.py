"""A writer of its own process, to be raced, killed and starved: `worker.py ROOT log|consolidate|note NAME COUNT`.

It says `ready` when everything is imported, waits for a line, and says `done N` after each write that memsite
acknowledged, `kept N` after each that it wrote down for later.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path, PurePosixPath

from memsite.errors import MemsiteError, PendingError
from memsite.memory.changeset import Append, Changeset, Write
from memsite.memory.model import SessionEntry
from memsite.memory.session_log import plan_session_entry
from memsite.repo.transaction import Reader, transact
from memsite.repo.workspace import Workspace, open_workspace

DAY = date(2025, 3, 20)
NOW = datetime(2025, 3, 20, 10, tzinfo=UTC)
LOG = PurePosixPath("memory/sessions/2025-03-20.md")
NOTE = PurePosixPath("memory/2025-03-20.md")
INDEX = PurePosixPath("memory/INDEX.md")

Planner = Callable[[Reader], Sequence[Changeset]]


def log_planner(name: str, number: int) -> Planner:
    """One entry of its own session."""
    entry = SessionEntry(time(10, number % 60), f"topic {name}-{number}", 1, 1, 10, session_id=f"{name}-{number}")
    return lambda reader: [plan_session_entry(reader.read(LOG), LOG, DAY, entry)]


def note_planner(name: str, number: int) -> Planner:
    """One line."""
    return lambda _: [
        Changeset((Append(NOTE, f"- {name}-{number}\n".encode(), b"# 2025-03-20\n\n"),), "note: 2025-03-20")
    ]


def consolidate_planner(name: str, number: int) -> Planner:
    """Generation, marker and index entry: three files, one commit."""
    generation = PurePosixPath(f"memory/consolidated/{name}-gen{number + 1}-2025-03-20.md")

    def plan(reader: Reader) -> Sequence[Changeset]:
        if reader.read(generation) is not None:
            return []
        index = reader.read(INDEX)
        line = f"    - gen{number + 1} (2025-03-20): consolidated/{generation.name}\n".encode()
        changes = (
            Write(generation, None, f"# {name} - Generation {number + 1} Consolidation\n".encode() * 200),
            Append(NOTE, f"<!-- ARCHIVED: consolidated into consolidated/{generation.name} -->\n".encode()),
            Write(INDEX, index, (index or b"# Memory Index\n") + line),
        )
        return [Changeset(changes, f"consolidate({name}): gen{number + 1}")]

    return plan


PLANNERS = {"log": log_planner, "note": note_planner, "consolidate": consolidate_planner}


def write(workspace: Workspace, planner: Planner) -> str:
    """What became of one write."""
    try:
        transact(workspace, planner, now=NOW)
    except PendingError as error:
        print(error, file=sys.stderr)
        return "kept"
    except MemsiteError as error:
        print(error, file=sys.stderr)
        return "failed"
    return "done"


def main(root: str, action: str, name: str, count: str) -> None:
    """Write `count` times."""
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(count)):
        outcome = write(open_workspace(Path(root)), PLANNERS[action](name, number))
        print(outcome, number, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
