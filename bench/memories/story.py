"""The years, day by day: what is written, logged, consolidated, deleted, as the commits that record it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import PurePosixPath
from random import Random
from zoneinfo import ZoneInfo

from bench.memories.documents import DocumentWriter, format_index
from bench.memories.lexicon import Subject, Writer, load_lexicon
from bench.memories.notes import NoteWriter, Page
from bench.memories.pictures import bar_chart
from bench.memories.tracks import PATIENCE, STEADY, Track, plan_tracks
from memsite.memory.daily import NATIVE_FLUSH, archived_line
from memsite.memory.session_log import upsert_session_entry
from memsite.shipped import read_shipped

ZONE = ZoneInfo("Asia/Shanghai")
LAST = date(2026, 6, 30)
MEMORY = PurePosixPath("memory")
INDEX = MEMORY / "INDEX.md"
FOLDERS = ("research", "people", "projects/plans", "reading", "项目")
LONGEST_LINE, LARGEST_FILE = 45_823, 300_000
"""What real memories hold at most of a line, and nearly of a file; once in a thousand days."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: files with their new bytes, None for one that is deleted."""

    at: datetime
    message: str
    changes: Mapping[PurePosixPath, bytes | None]


class Story:
    """Iterated once, it gives the commits in their order; the same for the same arguments."""

    def __init__(self, days: int = 1000, seed: int = 1, last: date = LAST, every: int = 1) -> None:
        self._first = last - timedelta(days=(days - 1) * every)
        self._days = days
        self._every = every
        self._random = Random(f"memories {seed} {days}")
        self._writer = Writer(self._random, load_lexicon())
        self._tracks = plan_tracks(self._writer.lexicon, self._random, self._first, days * every)
        self._written: list[date] = []
        self._seconds: list[PurePosixPath] = []
        self._files: dict[PurePosixPath, bytes] = {}
        self._notes = NoteWriter(self._writer, self._written)
        self._documents = DocumentWriter(self._writer)
        self._clock = datetime.combine(self._first, time(7, 30), ZONE)

    def __iter__(self) -> Iterator[Commit]:
        yield self._commit(
            "memsite: init",
            {
                PurePosixPath("memsite.toml"): b'timezone = "Asia/Shanghai"\n',
                PurePosixPath("mkdocs.yml"): read_shipped("mkdocs.yml").encode(),
                PurePosixPath(".gitignore"): b"/site/\n",
                INDEX: format_index(()),
            },
        )
        for number in range(self._days):
            yield from self._day(self._first + timedelta(days=number * self._every), number)

    def _day(self, day: date, number: int) -> Iterator[Commit]:
        self._clock = datetime.combine(day, time(8, self._random.randint(0, 59)), ZONE)
        tracks = self._todays(day)
        if self._random.random() < 0.92:
            yield from self._note(day, tracks)
        else:
            tracks = []
        if self._random.random() < 0.59:
            yield from self._sessions(day, tracks)
        if self._random.random() < 0.21:
            yield self._second_note(day, tracks)
        yield from self._consolidate(day, tracks)
        yield from self._endings(day)
        yield from self._beside(day, number, tracks)

    def _todays(self, day: date) -> list[Track]:
        running = [track for track in self._tracks if track.first <= day]
        # A topic's first day is one on which it is written of.
        chosen = [one for one in running if not one.dates or self._random.random() < one.chance(day)]
        return self._random.sample(chosen, min(len(chosen), self._random.choice((1, 2, 2, 3))))

    def _commit(self, message: str, changes: Mapping[PurePosixPath, bytes | None]) -> Commit:
        self._clock += timedelta(seconds=self._random.randint(50, 2400))
        for path, data in changes.items():
            if data is None:
                del self._files[path]
            else:
                self._files[path] = data
        return Commit(self._clock, message, changes)

    def _note(self, day: date, tracks: list[Track]) -> Iterator[Commit]:
        path = MEMORY / f"{day.isoformat()}.md"
        drawn = self._random.random() < 0.03 or len(self._written) == 9
        image = MEMORY / f"images/{day.isoformat()}.png" if drawn else None
        page = self._notes.day_note(day, tracks, str(image.relative_to(MEMORY)) if image else None)
        self._rarities(day, page)
        changes: dict[PurePosixPath, bytes | None] = {path: page.data}
        if image:
            changes[image] = bar_chart(self._random)
        again = [track for track in tracks if track.dates and track.status != "active"]
        for track in tracks:
            track.dates.append(day)
        alone = self._random.random() < 0.03
        if tracks and not alone:
            changes[INDEX] = format_index(self._tracks)
        yield self._commit(f"note: {day.isoformat()}", changes)
        if tracks and alone:
            named = ", ".join(track.subject.slug for track in tracks)
            yield self._commit(f"index: {named} on {day.isoformat()}", {INDEX: format_index(self._tracks)})
        for track in again:
            track.status = "active"
            yield self._commit(f"index: {track.subject.slug} is active", {INDEX: format_index(self._tracks)})
        self._written.append(day)
        if self._random.random() < 0.03:
            more = self._notes.addition(self._anything(tracks)).encode()
            yield self._commit(f"note: {day.isoformat()}", {path: self._files[path] + more})
        yield from self._correction()

    def _rarities(self, day: date, page: Page) -> None:
        """What is rare, and what pages must bear."""
        age = (day - self._first).days % 1000
        if age == 37:
            page.block(self._writer.paragraph(self._anything([]), LONGEST_LINE))
        if age == 23:
            page.block("https://example.org/" + "a-very-long-path-without-a-break/" * 9)
            page.block("مرحبا، هذه ملاحظة قصيرة عن الرحلة القادمة.", "", "שלום, זו הערה קצרה.")

    def _correction(self) -> Iterator[Commit]:
        """Now and then the last line of an older note goes: nothing stands below it."""
        if self._random.random() > 0.012 or len(self._written) < 5:
            return
        day = self._random.choice(self._written[-40:-1])
        path = MEMORY / f"{day.isoformat()}.md"
        lines = self._files[path].decode().rstrip("\n").split("\n")
        if len(lines) > 6 and lines[-1].startswith("- ") and "## " in lines[-3]:
            yield self._commit(f"note: {day.isoformat()}", {path: ("\n".join(lines[:-1]) + "\n").encode()})

    def _sessions(self, day: date, tracks: list[Track]) -> Iterator[Commit]:
        path = MEMORY / "sessions" / f"{day.isoformat()}.md"
        for _ in range(self._random.choices((1, 2, 4), (92, 6, 2))[0]):
            subject = self._anything(tracks)
            session = f"{self._random.getrandbits(48):012x}"
            entry = self._documents.session(self._clock, subject, session)
            data = upsert_session_entry(self._files.get(path), day, entry)
            message = f"session: {entry.topic[:60]}\n\nday: {day.isoformat()}\nagent: {entry.agent}\nid: {session}"
            yield self._commit(message, {path: data})

    def _second_note(self, day: date, tracks: list[Track]) -> Commit:
        subject = self._anything(tracks)
        if self._random.random() < 0.13:
            session = f"{self._random.getrandbits(48):012x}"
            data, label = self._notes.session_note(self._clock, session, subject), f"{self._clock:%H%M}"
        else:
            data, label = self._notes.second_note(subject), self._label(subject)
        path = MEMORY / f"{day.isoformat()}-{label}.md"
        self._seconds.append(path)
        return self._commit(f"note: {path.stem}", {path: data})

    def _label(self, subject: Subject) -> str:
        words = self._random.choice(subject.parts).removeprefix("the ").casefold()
        return "".join(char if char.isalnum() else "-" for char in words).strip("-").replace("--", "-")

    def _consolidate(self, day: date, tracks: list[Track]) -> Iterator[Commit]:
        for track in tracks:
            if len(track.open_dates) < self._random.randint(3, 2 * PATIENCE - 3) or not track.held:
                continue
            generation, data = self._documents.generation(track, day)
            changes: dict[PurePosixPath, bytes | None] = {MEMORY / generation.path: data}
            for source in track.open_dates:
                path = MEMORY / f"{source.isoformat()}.md"
                changes[path] = self._files[path] + (archived_line(generation.path) + "\n").encode()
            track.generations.append(generation)
            track.remarks = []
            changes[INDEX] = format_index(self._tracks)
            yield self._commit(f"consolidate({track.subject.slug}): gen{generation.number}", changes)

    def _endings(self, day: date) -> Iterator[Commit]:
        for track in self._tracks:
            ends = [end for _, end, _ in track.phases]
            if track.dates and day in ends and track.status == "active" and track.subject.slug not in STEADY:
                last = day == ends[-1]
                track.status = self._random.choices(("completed", "abandoned"), (6, 1))[0] if last else "paused"
                message = f"index: {track.subject.slug} is {track.status}"
                yield self._commit(message, {INDEX: format_index(self._tracks)})

    def _beside(self, day: date, number: int, tracks: list[Track]) -> Iterator[Commit]:
        """What is written beside the days: some of it by the calendar, some by chance."""
        chance = self._random.random
        if self._written and chance() < 0.025:
            yield self._flush(self._written[-1])
        if day.weekday() == 6:
            yield self._dream(day, tracks)
        if number % 25 == 5:
            running = [one for one in self._tracks if one.chance(day) and one.dates]
            yield self._other("CURRENT_STATE.md", self._documents.current_state(running[:6]))
        if number % 45 == 20:
            known = [track for track in self._tracks if track.held]
            yield self._commit("note: MEMORY.md", {PurePosixPath("MEMORY.md"): self._documents.long_term(known)})
        if chance() < 0.11:
            yield self._note_in_folder(day, tracks)
        if number % 1000 == 41:
            yield self._other("research/server-log.md", "\n\n".join(self._pages(LARGEST_FILE)).encode() + b"\n")
        if len(self._seconds) > 5 and (chance() < 0.014 or number == 50):
            gone = self._seconds.pop(self._random.randrange(len(self._seconds) - 5))
            yield self._commit(f"note: delete {gone.name}", {gone: None})

    def _flush(self, day: date) -> Commit:
        path = MEMORY / f"{day.isoformat()}.md"
        return self._commit(f"flush: {day.isoformat()}", {path: self._files[path] + f"{NATIVE_FLUSH}\n".encode()})

    def _dream(self, day: date, tracks: list[Track]) -> Commit:
        subjects = [self._anything(tracks) for _ in range(2)]
        return self._other(f"dreaming/light/{day.isoformat()}.md", self._documents.dream(day, subjects))

    def _other(self, path: str, data: bytes) -> Commit:
        return self._commit(f"note: {path}", {MEMORY / path: data})

    def _pages(self, size: int) -> Iterator[str]:
        written = 0
        while written < size:
            text = self._writer.paragraph(self._anything([]), 400)
            written += len(text.encode())
            yield text

    def _note_in_folder(self, day: date, tracks: list[Track]) -> Commit:
        subject = self._anything(tracks)
        folder = self._random.choice(FOLDERS)
        kind = self._random.choice(("reference", "project", "feedback", "user"))
        path = f"{folder}/{self._label(subject)}-{day.isoformat()[2:7]}.md"
        return self._other(path, self._documents.other_note(subject, kind, day, folder))

    def _anything(self, tracks: list[Track]) -> Subject:
        if tracks and self._random.random() < 0.8:
            return self._random.choice(tracks).subject
        return self._random.choice(self._writer.lexicon.subjects)
