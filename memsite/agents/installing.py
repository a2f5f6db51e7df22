"""What is written into an agent: files that others own, changed as little as can be, each as a whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path, PurePosixPath

from memsite.config import Config
from memsite.values import dataclass

SKILL_MARK = b"<!-- written by `memsite init --agent "
_MADE_FOLDERS = frozenset({"memsite", "skills", ".claude"})
_TRIGGER_SEPARATOR = ", "


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file: what it has (None: it is not there) and what it is to have (None: it is removed)."""

    path: Path
    old: bytes | None
    new: bytes | None


@dataclass(frozen=True, slots=True)
class Installation:
    """What is to be done to an agent."""

    changes: tuple[FileChange, ...] = ()
    left_alone: tuple[Path, ...] = ()
    """Files of ours that a person has made theirs."""
    steps: tuple[str, ...] = ()
    """What the user must do, line by line."""


@dataclass(frozen=True, slots=True)
class Target:
    """Whose memory is to be reached from the agent, and how."""

    program: Path
    """The absolute path of the `memsite` command."""
    root: Path
    """The workspace."""
    config: Config

    @property
    def words(self) -> tuple[str, ...]:
        """The command that works on this memory from anywhere."""
        return str(self.program), "-C", str(self.root)


def read_or_none(path: Path) -> bytes | None:
    """A file's bytes; None where there is none. Raises OSError."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def apply(changes: Iterable[FileChange]) -> None:
    """Do it. A link is followed to the file that it stands for; modes stay. Raises OSError."""
    for change in changes:
        path = Path(os.path.realpath(change.path))
        if change.new is None:
            path.unlink(missing_ok=True)
            _remove_empty(path.parent)
        else:
            _replace(path, change.new)


def _replace(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.memsite-{os.getpid()}")
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            if mode is not None:
                os.fchmod(stream.fileno(), mode)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _remove_empty(folder: Path) -> None:
    """The folders that an installation makes, when nothing is left in them."""
    while folder.name in _MADE_FOLDERS and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def plan_skill(path: Path, agent: str, target: Target) -> Installation:
    """Write the skill, or bring it up to date; one that a person has made theirs is left alone."""
    old, new = read_or_none(path), format_skill(agent, target).encode()
    if old is not None and SKILL_MARK not in old:
        return Installation(left_alone=(path,))
    return Installation((FileChange(path, old, new),) if old != new else ())


def plan_skill_removal(path: Path) -> Installation:
    """Take the skill out, unless a person has made it theirs."""
    old = read_or_none(path)
    if old is None:
        return Installation()
    return Installation((FileChange(path, old, None),)) if SKILL_MARK in old else Installation(left_alone=(path,))


def format_skill(agent: str, target: Target) -> str:
    """The skill for an agent, with the commands as it must type them."""
    import json
    import shlex

    config = target.config
    triggers = _TRIGGER_SEPARATOR.join(f'"{trigger}"' for trigger in config.recall_triggers)
    description = f"The long-term memory. Use it on {triggers}, and to remember, review or consolidate what is known."
    values = {
        "@DESCRIPTION@": json.dumps(description, ensure_ascii=False),  # a JSON string is a YAML string
        "@MEMSITE@": shlex.join(target.words),
        "@ROOT@": str(target.root),
        "@CONSOLIDATED@": str(config.consolidated_path),
        "@INDEX@": str(config.index_path),
    }
    text = files("memsite.agents").joinpath("skills", f"{agent}.md").read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def joined(*parts: Installation) -> Installation:
    """Several installations as one."""
    return Installation(
        tuple(change for part in parts for change in part.changes),
        tuple(path for part in parts for path in part.left_alone),
        tuple(step for part in parts for step in part.steps),
    )


SKILL_FILE = PurePosixPath("skills/memsite/SKILL.md")
"""Below an agent's folder."""
