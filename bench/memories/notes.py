"""The notes that the agent writes, in the many shapes that notes have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from bench.memories.lexicon import Subject, Writer
from bench.memories.tracks import Held, Track

EMOJI = ("🚧", "✅", "💡", "📌", "🌱", "🔧", "📷")
SNIPPETS = (
    ("yaml", 'retries: {n}\nsource: "{part}"\nkeep_days: {n2}'),
    ("python", 'def remaining(done: int) -> int:\n    """What is left of {part}."""\n    return {n2} - done'),
    ("sh", "set -eu\nfor try in 1 2 3; do\n  ./run --limit {n} && break\ndone"),
    ("json", '{{"part": "{part}", "before": {n2}, "after": {n}}}'),
    ("", "{time}:03 started\n{time}:41 {trouble}\n{time}:58 gave up after {n} tries"),
)
DECIDED = {"en": "Decision: {}", "zh": "决定：{}", "ja": "決定：{}", "ko": "결정: {}"}
LONG_LINE = 520


@dataclass(slots=True)
class Page:
    """A note as it is written; lines are numbered as it grows."""

    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> int:
        """Append lines; the number of the first of them."""
        self.lines += lines
        return len(self.lines) - len(lines) + 1

    def block(self, *lines: str) -> int:
        """Append lines after a blank one; the number of the first of them."""
        if self.lines and self.lines[-1]:
            self.lines.append("")
        return self.add(*lines)

    @property
    def data(self) -> bytes:
        """The file."""
        return ("\n".join(self.lines) + "\n").encode()


class NoteWriter:
    """Writes notes; what they decide goes into the tracks."""

    def __init__(self, writer: Writer, earlier: Sequence[date]) -> None:
        self._writer = writer
        self._random = writer.random
        self._earlier = earlier

    def day_note(self, day: date, tracks: Sequence[Track], image: str | None) -> Page:
        """A day's own note: a section for each of its topics, then what else was."""
        page = self._begin(day)
        for track in tracks:
            self._section(page, day, track)
        if image:
            page.block(f"![Hours a week on {tracks[0].title if tracks else 'everything'}]({image})")
        if not tracks or self._random.random() < 0.6:
            self._aside(page, tracks[0].subject if tracks else self._anything())
        return page

    def _anything(self) -> Subject:
        return self._random.choices(self._writer.lexicon.subjects)[0]

    def _begin(self, day: date) -> Page:
        page = Page()
        shape = self._random.random()
        if shape < 0.12:
            mood = self._random.choice(("calm", "busy: too many threads", "tired", "good"))
            page.add("---", f"date: {day.isoformat()}", f"mood: {mood}", "tags: [daily, memory]", "---", "")
        if shape < 0.85:
            page.add(f"# {day.isoformat()}")
        elif shape < 0.95:
            page.add(f"# {day:%A}, {day.day} {day:%B} {day.year}")
        return page

    def _section(self, page: Page, day: date, track: Track) -> None:
        mark = f"{self._random.choice(EMOJI)} " if self._random.random() < 0.25 else ""
        page.block(f"## {mark}{self._random.choice((track.title, track.title, *track.subject.aliases[:1]))}", "")
        self._decide(page, day, track)
        for _ in range(min(int(self._random.lognormvariate(1.6, 0.6)) + 1, 30)):
            kind = self._writer.kind()
            text = self._writer.sentence(track.subject, kind)
            line = page.add(f"- {text}")
            if kind in {"measure", "trouble"}:
                track.remarks.append(Held(text, day, line, decided=False))
        self._extras(page, track.subject)

    def _decide(self, page: Page, day: date, track: Track) -> None:
        """Some of what the topic holds takes its next value; in the beginning, most of it its first."""
        new = not track.held
        for number, aspect in enumerate(track.subject.aspects):
            if self._random.random() > (0.6 if new else 0.13):
                continue
            held = track.held.get(number)
            value = str(self._random.randint(3, 95))
            if aspect.values:
                at = next((at for at, one in enumerate(aspect.values) if held and one in held.text), -1)
                value = aspect.values[(at + 1) % len(aspect.values)]
            text = aspect.say.format(value)
            decided = bool(aspect.values)
            said = DECIDED[track.subject.language].format(text) if decided else text
            reason = f" {self._writer.sentence(track.subject, 'reason')}" if decided else ""
            line = page.add(f"- {said}{reason}")
            track.held[number] = Held(text, day, line, decided)

    def _extras(self, page: Page, subject: Subject) -> None:
        draw = self._random.random
        if draw() < 0.14:
            page.block(self._writer.paragraph(subject, LONG_LINE))
        for _ in range(self._random.choices((0, 1, 2), (50, 35, 15))[0]):
            page.block(self._writer.paragraph(subject, self._random.randint(90, 420)))
        if draw() < 0.21:
            self._table(page, subject)
        if draw() < 0.18:
            self._snippet(page, subject)
        if draw() < 0.09:
            page.block(*(f"- [{self._random.choice('x  ')}] {wish}" for wish in subject.wishes))
        if draw() < 0.05:
            page.block(f"See also [[{subject.slug}]] and [[CURRENT_STATE]].")
        if draw() < 0.09 and self._earlier:
            earlier = self._random.choice(self._earlier[-60:])
            page.block(f"Compare [what was said then]({earlier.isoformat()}.md).")
        if draw() < 0.02:
            page.block(f"<thinking> is {subject.tools[0]} worth it? </thinking>")
        if draw() < 0.03:
            page.block(f"> {self._writer.sentence(subject, 'answer')}", f"> — {self._writer.person(subject.language)}")

    def _table(self, page: Page, subject: Subject) -> None:
        parts = self._random.sample(subject.parts, min(len(subject.parts), self._random.randint(2, 5)))
        page.block("| what | before | after | with |", "|---|---:|---:|---|")
        for part in parts:
            before = self._random.randint(20, 400)
            after = max(1, before - self._random.randint(-30, before))
            page.add(f"| {part} | {before} | {after} | {self._random.choice(subject.tools)} |")

    def _snippet(self, page: Page, subject: Subject) -> None:
        language, pattern = self._random.choice(SNIPPETS)
        words = {"part": subject.parts[0], "trouble": subject.troubles[0], "time": "08:12"}
        code = pattern.format(**words, n=self._random.randint(2, 40), n2=self._random.randint(41, 400))
        page.block(f"```{language}", *code.split("\n"), "```")

    def _aside(self, page: Page, subject: Subject) -> None:
        page.block(f"## {self._writer.lexicon.sentences[subject.language]['aside'][0]}", "")
        page.add(*(f"- {text}" for text in self._writer.several(subject, "life", self._random.randint(1, 5))))

    def addition(self, subject: Subject) -> str:
        """What is added to a note later on its day."""
        return f"- {self._writer.sentence(subject, self._writer.kind())}\n"

    def second_note(self, subject: Subject) -> bytes:
        """A note of its own within a day, about one thing."""
        page = Page()
        if self._random.random() < 0.2:
            page.add("---", f"name: {subject.parts[0]}", f"description: notes: {subject.description}", "---", "")
        page.add(f"# {self._writer.sentence(subject, 'ask')}", "", self._writer.paragraph(subject, 200), "")
        for _ in range(self._random.randint(2, 6)):
            page.add(f"- {self._writer.sentence(subject, self._writer.kind())}")
        self._extras(page, subject)
        return page.data

    def session_note(self, at: datetime, session: str, subject: Subject) -> bytes:
        """What OpenClaw's hook keeps of a session that was reset."""
        utc = at - timedelta(hours=8)
        page = Page([f"# Session: {utc:%Y-%m-%d %H:%M:%S} UTC", ""])
        page.add("- **Session Key**: agent:main:main", f"- **Session ID**: {session}", "- **Source**: webchat")
        page.block("## Conversation Summary", "")
        for _ in range(self._random.randint(2, 5)):
            page.add(f"user: {self._writer.sentence(subject, 'ask')}")
            page.add(f"assistant: {self._writer.sentence(subject, 'answer')}")
        return page.data
