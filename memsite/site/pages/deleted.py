"""Files that the history has and the folder has no longer: their last text keeps its page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.lineage import MARKDOWN, iter_site_paths, parse_file
from memsite.memory.model import DailyNote, Generation, Memory, OtherNote, SessionLog
from memsite.memory.outline import find_title
from memsite.memory.snapshot import Blob
from memsite.repo.renames import Renames
from memsite.site.spec import SiteSource
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class Deletion:
    """When and by which commit a file left the folder."""

    day: date
    commit: str
    renamed: PurePosixPath | None = None
    """What it is called since then."""

    @property
    def word(self) -> str:
        """What became of it."""
        return "renamed" if self.renamed else "deleted"


@dataclass(frozen=True, slots=True)
class Deleted:
    """The deleted files, parsed as if they were there. Each sequence is sorted by path."""

    notes: tuple[tuple[DailyNote, Deletion], ...] = ()
    logs: tuple[tuple[SessionLog, Deletion], ...] = ()
    generations: tuple[tuple[Generation, Deletion], ...] = ()
    pages: tuple[tuple[OtherNote, Deletion], ...] = ()

    @property
    def paths(self) -> frozenset[PurePosixPath]:
        """All of them."""
        return frozenset(
            one.path for group in (self.notes, self.logs, self.generations, self.pages) for one, _ in group
        )


def find_deleted(source: SiteSource, renames: Renames) -> Deleted:
    """Every Markdown file whose newest commit removed it, with its last text."""
    there = _paths(source.memory, source.config)
    gone = {path: found for path, found in _last_blobs(source, renames).items() if path not in there}
    texts = source.blobs([blob for blob, _ in gone.values()]) if gone else {}
    notes: list[tuple[DailyNote, Deletion]] = []
    logs: list[tuple[SessionLog, Deletion]] = []
    generations: list[tuple[Generation, Deletion]] = []
    pages: list[tuple[OtherNote, Deletion]] = []
    for path, (blob_id, deletion) in sorted(gone.items()):
        if blob_id not in texts:
            continue
        match _parse(path, texts[blob_id], source.config):
            case DailyNote() as note:
                notes.append((note, deletion))
            case SessionLog() as log:
                logs.append((log, deletion))
            case Generation() as generation:
                generations.append((generation, deletion))
            case OtherNote() as page:
                pages.append((page, deletion))
    return Deleted(tuple(notes), tuple(logs), tuple(generations), tuple(pages))


def _last_blobs(source: SiteSource, renames: Renames) -> Mapping[PurePosixPath, tuple[str, Deletion]]:
    zone = source.config.zone()
    return {
        file.path: (file.blob, Deletion(day, file.commit.id, renames.targets.get((file.commit.id, file.path))))
        for file in source.history.deleted()
        if file.blob is not None and file.path.suffix.lower() in MARKDOWN
        for day in (file.commit.at.astimezone(zone).date(),)
    }


def _paths(memory: Memory, config: Config) -> frozenset[PurePosixPath]:
    generations = [item.path for topic in memory.topics for item in topic.generations]
    shown = [item.path for group in (memory.notes, memory.session_logs, memory.pages) for item in group]
    return frozenset([*generations, *shown, *memory.assets, config.index_path])


def _parse(path: PurePosixPath, blob: Blob, config: Config) -> DailyNote | SessionLog | Generation | OtherNote:
    known = parse_file(path, blob, config)
    return known or OtherNote(path, blob, find_title(blob.data, path.stem), next(iter_site_paths(path, config)))
