"""What stands beside the days: the index, generations, session entries, notes in folders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from pathlib import PurePosixPath

from bench.memories.lexicon import Subject, Writer
from bench.memories.tracks import Consolidated, Held, Track
from memsite.memory.generation import DECISIONS, KEY_POINTS, SOURCES, STATUS, SUMMARY, format_generation
from memsite.memory.names import GenerationName, format_generation_name
from memsite.memory.session_entry import SessionEntry

CATEGORIES = ("Projects", "Major Events", "Decisions", "Preferences")
INLINE = {"Major Events", "Decisions"}
AGENTS = ("claude-code", "openclaw", "openclaw", "codex")
MOST_KEPT = 5


def format_index(tracks: Iterable[Track]) -> bytes:
    """INDEX.md in the dialects of the seed."""
    known = [track for track in tracks if track.dates]
    lines = ["# Memory Index", ""]
    for category in CATEGORIES:
        lines += [f"## {category}"]
        for track in known:
            if track.subject.category == category:
                lines += _entry(track)
        lines += [""]
    return "\n".join(lines).encode()


def _entry(track: Track) -> Iterable[str]:
    subject = track.subject
    dates = f"[{', '.join(day.isoformat() for day in track.dates)}]"
    inline = subject.category in INLINE
    yield f"- **{subject.slug}**: {dates}" if inline else f"- **{subject.slug}**"
    if not inline:
        yield f"  - Dates: {dates}"
    if subject.aliases:
        yield f"  - Aliases: [{', '.join(subject.aliases)}]"
    yield f"  - Description: {subject.description}"
    if track.generations:
        yield "  - Consolidations:"
        for one in track.generations:
            yield f"    - gen{one.number} ({one.day.isoformat()}): {one.path}"
        yield f"  - Current: {track.generations[-1].path}"
    if not inline or track.status != "active":
        yield f"  - Status: {track.status}"


class DocumentWriter:
    """Writes them; a generation stands on what its track holds."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._random = writer.random

    def generation(self, track: Track, day: date) -> tuple[Consolidated, bytes]:
        """The next generation of the topic: what is held now, and some remarks of its days."""
        number = len(track.generations) + 1
        name = GenerationName(track.subject.slug, number, day)
        path = PurePosixPath("consolidated") / format_generation_name(name)
        sources = track.open_dates
        previous = track.generations[-1] if track.generations else None
        points = self._points(track, previous)
        sections = self._sections(track, points, previous, sources)
        covers = (sources[0], sources[-1])
        before = previous.path if previous else None
        text = format_generation(track.subject.slug, number, day, covers, before, sections)
        return Consolidated(number, day, path, points), text.encode()

    def _points(self, track: Track, previous: Consolidated | None) -> tuple[str, ...]:
        """Remarks: most of the last generation's stay, some new ones come."""
        kept = [line for line in (previous.points if previous else ()) if self._random.random() < 0.75]
        fresh = {remark.text: remark.cited for remark in track.remarks}
        chosen = self._random.sample(sorted(fresh.values()), min(len(fresh), 3))
        return tuple(dict.fromkeys([*kept[-MOST_KEPT:], *chosen]))

    def _sections(
        self, track: Track, points: tuple[str, ...], previous: Consolidated | None, sources: Sequence[date]
    ) -> tuple[tuple[str, str], ...]:
        held = [track.held[number] for number in sorted(track.held)]
        decided = [one.cited for one in held if one.decided]
        claims = [one.cited for one in held if not one.decided]
        return (
            (SUMMARY, self._summary(track, held)),
            (KEY_POINTS, "\n".join([*claims, *points]) or "None."),
            (DECISIONS, "\n".join(decided) or "None."),
            (STATUS, self._writer.sentence(track.subject, "status")),
            (SOURCES, "\n".join(self._sources(track, previous, sources))),
        )

    def _summary(self, track: Track, held: Sequence[Held]) -> str:
        space = "" if track.subject.language in {"zh", "ja"} else " "
        claims = space.join(one.text for one in held[:3])
        begun = track.dates[0].isoformat()
        return self._writer.sentence(track.subject, "summary", title=track.title, begun=begun, claims=claims)

    def _sources(self, track: Track, previous: Consolidated | None, sources: Sequence[date]) -> Iterable[str]:
        if previous:
            yield f"- gen{previous.number}: {self._writer.sentence(track.subject, 'source')}"
        for day in sources:
            yield f"- {day.isoformat()}: {self._writer.sentence(track.subject, 'source')}"

    def session(self, at: datetime, subject: Subject, session_id: str) -> SessionEntry:
        """A session as its log has it."""
        user = min(int(self._random.lognormvariate(1.5, 0.9)) + 1, 120)
        return SessionEntry(
            at.time().replace(second=0),
            self._writer.sentence(subject, "ask"),
            user,
            user + self._random.randint(0, user * 2),
            int(user * self._random.lognormvariate(5.6, 0.7)),
            session_id,
            self._random.choice(AGENTS),
            subject.slug if self._random.random() < 0.3 else "",
        )

    def other_note(self, subject: Subject, kind: str, day: date, folder: str) -> bytes:
        """A note in a folder, with front matter as agents write it."""
        up = "../" * (folder.count("/") + 1)
        lines = ["---", f"name: {subject.slug}-{kind}", f"description: {kind}: {subject.description}"]
        lines += ["metadata:", f"  type: {kind}", f"created: {day.isoformat()}", "---", ""]
        lines += [f"# {self._writer.sentence(subject, 'ask')}", "", self._writer.paragraph(subject, 320), ""]
        lines += ["## " + self._random.choice(("Background", "What is known", "背景", "Notes")), ""]
        lines += [f"- {self._writer.sentence(subject, self._writer.kind())}" for _ in range(6)]
        lines += ["", f"See [the index]({up}INDEX.md) and [the day]({up}{day.isoformat()}.md)."]
        return ("\n".join(lines) + "\n").encode()

    def dream(self, day: date, subjects: Sequence[Subject]) -> bytes:
        """A week's dreaming, as OpenClaw writes it."""
        lines = [f"# Light sleep, {day.isoformat()}", "", "## Light Sleep", ""]
        lines += [f"- {self._writer.sentence(one, 'progress')}" for one in subjects for _ in range(2)]
        return ("\n".join(lines) + "\n").encode()

    def current_state(self, tracks: Sequence[Track]) -> bytes:
        """CURRENT_STATE.md: what goes on now."""
        lines = ["# Current state", ""]
        for track in tracks:
            lines.append(f"- **{track.title}:** {self._writer.sentence(track.subject, 'status')}")
        lines += ["", "See [the index](INDEX.md)."]
        return ("\n".join(lines) + "\n").encode()

    def long_term(self, tracks: Sequence[Track]) -> bytes:
        """MEMORY.md: what is held of every topic, two lines each."""
        lines = ["# Long-term memory", "", "- Ada lives in Shanghai and writes in Chinese and English.", ""]
        for track in tracks:
            lines += [f"## {track.title}", ""]
            lines += [f"- {track.held[number].text}" for number in sorted(track.held)[:2]] + [""]
        return ("\n".join(lines) + "\n").encode()
