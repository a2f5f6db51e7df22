"""A generation that INDEX.md names and the folder has not, newer than all that it has.

The next one would be made without what it says, and its **Previous** would name nothing; recall would answer with an
older one in its place.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.model import GenerationRef, Topic
from memsite.memory.names import parse_generation_name


def find_lost(topic: Topic) -> GenerationRef | None:
    """The newest generation that INDEX.md names and the folder has not, if the folder has none newer."""
    last = topic.current.number if topic.current else 0
    named = (*topic.missing, *_named_as_current(topic))
    return max((ref for ref in named if ref.number > last), key=lambda ref: ref.number, default=None)


def _named_as_current(topic: Topic) -> tuple[GenerationRef, ...]:
    """What `Current` names, where no line of `Consolidations` does."""
    entry = topic.entry
    name = parse_generation_name(entry.current.name) if entry and entry.current else None
    if entry is None or entry.current is None or name is None or name.topic != topic.slug:
        return ()
    return (GenerationRef(name.number, name.day, entry.current, entry.first_line),)


def lost_path(ref: GenerationRef, config: Config) -> PurePosixPath:
    """Where its file should be, relative to the workspace."""
    return ref.path if ref.path.is_relative_to(config.memory) else config.memory / ref.path


def lost_error(topic: Topic, ref: GenerationRef, config: Config, hint: str = "") -> RefusedError:
    """What is said to who would go on without it."""
    path = lost_path(ref, config)
    return RefusedError(
        f"generation {ref.number} of {topic.slug!r} is missing: {path} is not in the folder",
        where=config.index_path,
        line=ref.line,
        hint=hint or f"restore it: git restore --source=HEAD --staged --worktree -- '{path}'",
    )
