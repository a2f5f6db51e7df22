"""How pending files become commits that read well: pure, bytes in, drafts out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import PurePosixPath
from shlex import quote as quote_word
from urllib.parse import quote

from memsite.config import Config
from memsite.errors import MemsiteError
from memsite.memory.daily import archived_names, without_archived
from memsite.memory.generation import missing_sections
from memsite.memory.index import parse_index
from memsite.memory.index_edit import add_generation
from memsite.memory.model import Problem, TopicEntry
from memsite.memory.names import (
    MARKDOWN,
    GenerationName,
    find_mentions,
    parse_date,
    parse_day_name,
    parse_generation_name,
)
from memsite.memory.rules import check_content, is_generation_path
from memsite.memory.snapshot import Blob, blob_id
from memsite.repo.commit import Draft
from memsite.values import dataclass

IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif"})
_MOST_NAMED = 4

Files = Mapping[PurePosixPath, bytes]
Before = Mapping[PurePosixPath, bytes | None]


@dataclass(frozen=True, slots=True)
class Pending:
    """Commits to make, in their order, and files that must not be committed."""

    drafts: tuple[Draft, ...]
    held_back: tuple[Problem, ...] = ()


def plan_pending(
    changed: Files,
    deleted: Set[PurePosixPath],
    before: Before,
    notes: Files,
    config: Config,
    held: Iterable[Problem] = (),
) -> Pending:
    """The commits for changed, new and deleted files. `before` is HEAD's content, `notes` all Markdown of the memory,
    `held` what is known to be wrong already.

    Session logs and daily notes by day, then generations with their markers and index entry, the index, other notes,
    images, deletions.
    """
    return _Planner(changed, deleted, before, notes, config, tuple(held)).plan()


class _Planner:
    def __init__(
        self,
        changed: Files,
        deleted: Set[PurePosixPath],
        before: Before,
        notes: Files,
        config: Config,
        held: tuple[Problem, ...],
    ) -> None:
        self._before, self._notes, self._config = before, notes, config
        self._held = tuple(self._find_held(changed, deleted, held))
        refused = {one.path for one in self._held}
        self._changed = {path: changed[path] for path in sorted(changed) if path not in refused}
        self._waiting = tuple(self._find_waiting())
        self._held += self._waiting
        self._deleted = sorted(set(deleted) - refused)
        self._generations = sorted(
            (path for path in self._changed if is_generation_path(path, config)), key=lambda path: self._order(path)
        )

    def plan(self) -> Pending:
        """See `plan_pending`."""
        drafts = [*self._daily(), *self._consolidations(), *self._others(), *self._images(), *self._deletions()]
        return Pending(tuple(drafts), self._held)

    def _find_held(self, changed: Files, deleted: Set[PurePosixPath], held: tuple[Problem, ...]) -> Iterator[Problem]:
        lost = {self._before.get(one.path) or b"": one.path for one in held if parse_generation_name(one.path.name)}
        wrong = {one.path for one in held}
        yield from held
        for path in sorted(set(changed) - wrong):
            old = lost.get(changed[path])
            if self._before.get(path) is None and old:
                # The new name alone would be half of a rename: the generation would be there twice.
                yield Problem(
                    path, None, f"is the committed generation {old.name} under another name", _undo(old, path)
                )
            else:
                problems = tuple(check_content(path, changed[path], self._config))
                yield from problems or self._find_unfinished(path, changed, deleted)

    def _find_unfinished(self, path: PurePosixPath, changed: Files, deleted: Set[PurePosixPath]) -> Iterator[Problem]:
        """A new generation that is empty or cut off: committed, it could never be finished."""
        if self._before.get(path) is not None or not is_generation_path(path, self._config):
            return
        is_moved = any(self._before.get(old) == changed[path] for old in deleted)
        if not is_moved and (lacks := missing_sections(changed[path].decode("utf-8", "replace"))):
            message = f"is no whole generation: there is no section '## {lacks[0]}'"
            yield Problem(path, None, message, "finish or delete it; once committed it can never be changed")

    def _find_waiting(self) -> Iterator[Problem]:
        """Why INDEX.md waits: it names a generation that is held back. What is of others is committed with those."""
        index = self._config.index_path
        held = {one.path.name for one in self._held if self._before.get(one.path) is None}
        new = {name for name in held if parse_generation_name(name)}
        known = find_mentions(self._before.get(index), new)
        for name, line in find_mentions(self._changed.get(index), new - known.keys()).items():
            message = f"names the generation {name}, which is not committed"
            yield Problem(index, line, message, "finish that one; these changes are committed with it")

    def _topics(self, data: bytes | None) -> dict[str, TopicEntry]:
        path = self._config.index_path
        blob = None if data is None else Blob(blob_id(data), data)
        return {entry.slug: entry for entry in parse_index(blob, path, self._config).entries}

    def _order(self, path: PurePosixPath) -> tuple[str, str, int]:
        name = _generation(path)
        return name.day.isoformat(), name.topic, name.number

    # Days

    def _daily(self) -> Iterator[Draft]:
        days = [(key, path) for path in self._changed if (key := self._day_key(path))]
        for _, path in sorted(days):
            data = self._without_markers(path)
            if data != self._before.get(path):
                kind = "session" if self._is_session(path) else "note"
                yield Draft(f"{kind}: {path.stem}", {path: data})

    def _day_key(self, path: PurePosixPath) -> tuple[str, int, str] | None:
        if self._is_session(path):
            return path.stem, 0, path.stem
        named = parse_day_name(path.name) if path.parent == self._config.memory else None
        return (named[0].isoformat(), 1, named[1]) if named else None

    def _is_session(self, path: PurePosixPath) -> bool:
        is_log = path.parent == self._config.memory / "sessions" and path.suffix == ".md"
        return is_log and parse_date(path.stem) is not None

    # Generations: the markers in a daily note belong to them, not to the note's own commit

    def _without_markers(self, path: PurePosixPath) -> bytes:
        kept = without_archived(self._changed[path], self._new_names(path) & self._pending_names())
        before = self._before.get(path)
        return before if before is not None and kept.rstrip() == before.rstrip() else kept

    def _new_names(self, path: PurePosixPath) -> frozenset[str]:
        """The generations whose markers a note has and HEAD has not."""
        return archived_names(self._changed[path]) - archived_names(self._before.get(path) or b"")

    def _pending_names(self) -> set[str]:
        """Generations of this run, and those held back: a marker waits for its generation."""
        return self._held_names() | {path.name for path in self._generations}

    def _held_names(self) -> set[str]:
        return {one.path.name for one in self._held if is_generation_path(one.path, self._config)}

    def _consolidations(self) -> Iterator[Draft]:
        index, entries = self._config.index_path, self._index_states()
        left = list(self._generations)
        for path in self._generations:
            left.remove(path)
            name = _generation(path)
            waiting = self._held_names() | {other.name for other in left}
            files = {path: self._changed[path], **self._marked(path, waiting)}
            if path in entries:
                files[index] = entries[path]
            yield Draft(f"consolidate({name.topic}): gen{name.number}", files)

    def _index_states(self) -> dict[PurePosixPath, bytes]:
        """The index after each generation: with its entry and no more, where the lines can be told apart.

        Where they cannot, the last generation takes the index as it is, if that may be committed.
        """
        states: dict[PurePosixPath, bytes] = {}
        now, state = self._changed.get(self._config.index_path), self._before.get(self._config.index_path)
        for path in self._generations if now is not None else ():
            state = self._with_entry(state, path)
            if state is None or now is None or not _lies_between(self._before[self._config.index_path], state, now):
                return {} if now is None or self._waiting else {self._generations[-1]: now}
            states[path] = state
        return states

    def _with_entry(self, index: bytes | None, path: PurePosixPath) -> bytes | None:
        name = _generation(path)
        try:
            inner = path.relative_to(self._config.memory)
            return None if index is None else add_generation(index, name.topic, name, inner, config=self._config)
        except MemsiteError:
            return None

    def _marked(self, generation: PurePosixPath, waiting: Set[str]) -> dict[PurePosixPath, bytes]:
        files: dict[PurePosixPath, bytes] = {}
        for path in self._changed:
            if self._day_key(path) and not self._is_session(path):
                names = self._new_names(path)
                if generation.name in names:
                    files[path] = without_archived(self._changed[path], names & waiting)
        return files

    # The rest

    def _others(self) -> Iterator[Draft]:
        index = self._config.index_path
        states = self._index_states()
        last = states[self._generations[-1]] if states else self._before.get(index)
        if index in self._changed and self._changed[index] != last and not self._waiting:
            yield Draft(f"index: {self._index_summary(last)}", {index: self._changed[index]})
        for path in self._changed:
            if self._is_note(path) and path != index and not self._day_key(path) and path not in self._generations:
                yield Draft(f"note: {self._shown(path)}", {path: self._changed[path]})

    def _index_summary(self, old: bytes | None) -> str:
        before, now = self._topics(old), self._topics(self._changed[self._config.index_path])
        added = [slug for slug in now if slug not in before]
        dated = [slug for slug in now if slug in before and set(now[slug].dates) - set(before[slug].dates)]
        other = [slug for slug in now if slug in before and slug not in dated and _differs(now[slug], before[slug])]
        parts = [
            f"{verb} {_listed(slugs)}"
            for verb, slugs in (("add", added), ("dates of", dated), ("change", other))
            if slugs
        ]
        return "; ".join(parts) or "edit"

    def _images(self) -> Iterator[Draft]:
        for path in self._changed:
            if not self._is_note(path) and (self._before.get(path) is not None or self._is_used(path)):
                yield Draft(f"note: {self._shown(path)}", {path: self._changed[path]})

    def _is_used(self, path: PurePosixPath) -> bool:
        if path.suffix.lower() not in IMAGE_SUFFIXES:
            return False
        name = os.fsencode(path.name)
        names = (name, quote(name).encode())
        return any(name in data for data in self._notes.values() for name in names)

    def _is_note(self, path: PurePosixPath) -> bool:
        return path.suffix.lower() in MARKDOWN

    def _deletions(self) -> Iterator[Draft]:
        for path in self._deleted:
            yield Draft(f"note: delete {self._shown(path)}", {path: None})

    def _shown(self, path: PurePosixPath) -> str:
        inner = path.relative_to(self._config.memory) if path.is_relative_to(self._config.memory) else path
        # A name may hold line breaks; a message's first line may not.
        return "".join(char if char.isprintable() else "?" for char in str(inner))


def _undo(old: PurePosixPath, new: PurePosixPath) -> str:
    return f"generations are never renamed; undo it: git mv -- {quote_word(str(new))} {quote_word(str(old))}"


def _generation(path: PurePosixPath) -> GenerationName:
    name = parse_generation_name(path.name)
    if name is None:
        raise ValueError(f"{path} is no generation")
    return name


def _lies_between(old: bytes | None, state: bytes, new: bytes) -> bool:
    """Whether every line that a state adds to the old file is in the new one, and every line it drops is not."""
    before, between, after = (Counter(data.splitlines()) for data in (old or b"", state, new))
    return not (between - before) - after and all(after[line] <= between[line] for line in before - between)


def _differs(one: TopicEntry, other: TopicEntry) -> bool:
    def content(entry: TopicEntry) -> tuple[object, ...]:
        return entry.status, entry.category, entry.aliases, entry.description, entry.current, len(entry.consolidations)

    return content(one) != content(other)


def _listed(slugs: Iterable[str]) -> str:
    names = list(slugs)
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
