"""Carry a planned change of a whole file over to the file as it is by now."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path, PurePosixPath

from memsite.errors import GitError
from memsite.memory.names import parse_date
from memsite.memory.session_entry import SessionEntry
from memsite.memory.session_log import parse_session_log, upsert_session_entry
from memsite.memory.snapshot import Blob, blob_id
from memsite.repo.gitcmd import run_git
from memsite.repo.resolving import Replay
from memsite.repo.workspace import Repository, Workspace
from memsite.values import replace


def replay_in(workspace: Workspace) -> Replay:
    """A Replay: session logs and INDEX.md by what the change says, other files by git's merge of the two changes."""
    repository, config = workspace.require_repository(), workspace.config

    def replay(path: PurePosixPath, old: bytes | None, new: bytes, current: bytes | None) -> bytes | None:
        day = parse_date(path.stem) if path.parent.name == "sessions" else None
        if day and current is not None:
            return replay_session_log(path, day, old or b"", new, current)
        if path == config.index_path and current is not None:
            from memsite.memory.index_replay import replay_index  # a commit without a conflict does not pay for it

            if (replayed := replay_index(old or b"", new, current, config)) is not None:
                return replayed
        return _replay(repository, old, new, current)

    return replay


def replay_session_log(path: PurePosixPath, day: date, old: bytes, new: bytes, current: bytes) -> bytes:
    """Bring the entries up to date in which `new` differs from `old`; whatever else the log has by now stays."""
    before = set(_entries(path, day, old))
    for entry in _entries(path, day, new):
        if entry not in before and entry not in set(_entries(path, day, current)):
            current = upsert_session_entry(current, day, entry)
    return current


def _entries(path: PurePosixPath, day: date, data: bytes) -> Iterator[SessionEntry]:
    blob = Blob(blob_id(data), data)
    return (replace(entry, first_line=0, last_line=0) for entry in parse_session_log(path, day, blob).entries)


def _replay(repository: Repository, old: bytes | None, new: bytes, current: bytes | None) -> bytes | None:
    if current is None:
        # It was deleted, or another branch has none: what was recorded must not be lost with it.
        return new
    base = old or b""
    merged = _merge(repository, base, new, current)
    if merged is not None:
        return merged
    if new.startswith(base):
        tail = new[len(base) :]
        return current if tail.strip() in current else _joined(current, tail)
    return None


def _joined(current: bytes, tail: bytes) -> bytes:
    return current + tail if not current or current.endswith(b"\n") else current + b"\n" + tail


def _merge(repository: Repository, base: bytes, new: bytes, current: bytes) -> bytes | None:
    from shutil import rmtree  # 5 ms that a commit without a conflict does not pay

    folder = repository.own_dir / f"merge-{os.getpid()}"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        names = [_put(folder, name, data) for name, data in (("now", current), ("base", base), ("new", new))]
        return run_git(["merge-file", "-p", "-q", *names], cwd=repository.root)
    except GitError:
        # Its exit code is the number of conflicts; for binary content it fails.
        return None
    finally:
        rmtree(folder, ignore_errors=True)


def _put(folder: Path, name: str, data: bytes) -> str:
    (folder / name).write_bytes(data)
    return str(folder / name)
