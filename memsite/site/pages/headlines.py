"""What a note is about, in a line."""

from __future__ import annotations

import re

from memsite.memory.model import DailyNote
from memsite.site.front_matter import split_front_matter
from memsite.site.pages.addresses import printable
from memsite.site.pages.dates import MONTHS, WEEKDAYS
from memsite.site.pages.mentions import excerpt

_FIRST_CHARACTERS = 4096
"""Of a note, in which its headline is looked for."""
_NAMES = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in (*MONTHS, *WEEKDAYS)).casefold()
_DATE_WORDS = re.compile(
    rf"[0-9]+(?:st|nd|rd|th)?|\b(?:{_NAMES})\b"
    r"|(?:星期|周|週)[一二三四五六日天]|[年月日号號]|[日月火水木金土]曜日?"
)
_NO_WORDS = ("<!--", "---", "***", "```", "~~~", "|")


def headline(note: DailyNote) -> str:
    """What a note is about: its title unless that is only the date, else its first line of text, else a heading."""
    day = note.day.isoformat()
    _, text = split_front_matter(note.blob.text[:_FIRST_CHARACTERS])
    lines = [line.strip() for line in text.splitlines()]
    titled = note.label or any(line.startswith("# ") for line in lines)
    if titled and day not in note.title and note.title != note.path.stem and not _is_date(note.title):
        return excerpt(printable(note.title))
    words = [line for line in lines if line and not line.startswith(_NO_WORDS)]
    plain = [line for line in words if not line.startswith("#")]
    shown = (excerpt(printable(line)) for line in (*plain, *words))
    return next((line for line in shown if line and day not in line[:24] and not _is_date(line)), "")


def _is_date(title: str) -> bool:
    """Whether a title says nothing but a day, in numbers or in words; an empty one says nothing at all."""
    return not any(char.isalnum() for char in _DATE_WORDS.sub("", title.casefold()))
