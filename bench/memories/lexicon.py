"""What the memory is about and how its writer puts it: `topics.toml` and `sentences.toml`, as values."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
SMALL, LARGE = (2, 9), (11, 48)
"""What {small}, and {n}, are drawn from; {n2} is larger than {n}."""


@dataclass(frozen=True, slots=True)
class Aspect:
    """A statement with the values that it takes, one after the other; no values: a number, drawn each time."""

    say: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a topic is about."""

    slug: str
    language: str
    category: str
    aliases: tuple[str, ...]
    description: str
    parts: tuple[str, ...]
    tools: tuple[str, ...]
    troubles: tuple[str, ...]
    wishes: tuple[str, ...]
    aspects: tuple[Aspect, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All of it; `sentences[language][kind]` are patterns."""

    subjects: tuple[Subject, ...]
    people: Mapping[str, tuple[str, ...]]
    sentences: Mapping[str, Mapping[str, tuple[str, ...]]]


@cache
def load_lexicon() -> Lexicon:
    """Read both files."""
    topics = tomllib.loads((HERE / "topics.toml").read_text(encoding="utf-8"))
    sentences = tomllib.loads((HERE / "sentences.toml").read_text(encoding="utf-8"))
    return Lexicon(
        tuple(_subject(found) for found in topics["topic"]),
        {language: tuple(names) for language, names in topics["people"].items()},
        {language: {kind: _many(found) for kind, found in kinds.items()} for language, kinds in sentences.items()},
    )


def _many(found: str | list[str]) -> tuple[str, ...]:
    return (found,) if isinstance(found, str) else tuple(found)


def _subject(found: Mapping[str, Any]) -> Subject:
    aspects = tuple(
        Aspect(one["say"], () if one["values"] == "n" else tuple(one["values"])) for one in found["aspects"]
    )
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    return Subject(**fields | {"aspects": aspects})


@dataclass(frozen=True, slots=True)
class Writer:
    """Puts sentences together, by chance alone."""

    random: Random
    lexicon: Lexicon

    def sentence(self, subject: Subject, kind: str, **more: str) -> str:
        """One sentence about the subject, of a kind that `sentences.toml` has."""
        pattern = self.random.choice(self.lexicon.sentences[subject.language][kind])
        return self._filled(subject, pattern, **more)

    def paragraph(self, subject: Subject, length: int) -> str:
        """Sentences on one line, until it has `length` characters."""
        text = ""
        space = "" if subject.language in {"zh", "ja"} else " "
        while len(text) < length:
            text += (space if text else "") + self.sentence(subject, self.kind())
        return text

    def kind(self) -> str:
        """What a sentence of a note is for."""
        kinds = ("progress", "trouble", "measure", "question", "plan")
        return self.random.choices(kinds, (48, 18, 14, 9, 11))[0]

    def several(self, subject: Subject, kind: str, count: int) -> list[str]:
        """So many sentences of a kind, no pattern twice while there are others."""
        patterns = self.lexicon.sentences[subject.language][kind]
        chosen = self.random.sample(patterns, min(count, len(patterns)))
        return [self._filled(subject, pattern) for pattern in chosen]

    def person(self, language: str) -> str:
        """Somebody's name."""
        return self.random.choice(self.lexicon.people[language])

    def _filled(self, subject: Subject, pattern: str, **more: str) -> str:
        text = pattern.format_map(self._words(subject) | more)
        return text[0].upper() + text[1:]

    def _words(self, subject: Subject) -> dict[str, str]:
        draw = self.random
        part, part2 = draw.sample(subject.parts, 2)
        number = draw.randint(*LARGE)
        return {
            "part": part,
            "part2": part2,
            "tool": draw.choice(subject.tools),
            "trouble": draw.choice(subject.troubles),
            "wish": draw.choice(subject.wishes),
            "who": self.person(subject.language),
            "small": str(draw.randint(*SMALL)),
            "nth": f"{draw.randint(4, 20)}th",
            "n": str(number),
            "n2": str(number + draw.randint(3, 60)),
            "pct": str(draw.randint(5, 70)),
            "time": f"{draw.randint(8, 19)}:{draw.choice(('00', '10', '20', '30', '45'))}",
        }
