"""The one grammar of dates, slugs and file names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from itertools import dropwhile
from pathlib import PurePosixPath

from memsite.errors import FormatError
from memsite.patterns import late
from memsite.values import dataclass

_DATE = r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
_PLAIN_SLUG = late(r"[a-z0-9]{1,50}(?:-[a-z0-9]{1,50}){0,2}")
_SCHEME = late(r"[A-Za-z][A-Za-z0-9+.-]*:")
_GENERATION_NAME = late(r"(?P<topic>.+)-gen(?P<number>[1-9][0-9]{0,5})-" + _DATE + r"\.md", re.DOTALL)
_UNSEEN = dict.fromkeys([0xAD, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF])
"""Characters that take no room; the joiners of some scripts are not among them."""
_DASHES = dict.fromkeys([*range(0x2010, 0x2016), 0x2212, 0xFE63, 0xFF0D], "-")
MAX_SLUG_BYTES = 200
MARKDOWN = frozenset({".md", ".markdown"})
"""What the names of notes end in, in lower case."""


@dataclass(frozen=True, slots=True)
class GenerationName:
    """What a file name in `consolidated/` says."""

    topic: str
    number: int
    day: date


@lru_cache(maxsize=4096)  # the same few days are on every line of an index
def parse_date(text: str) -> date | None:
    """`YYYY-MM-DD` as a date; None for anything else, the 30th of February included. Never a guess."""
    digits = text[:4] + text[5:7] + text[8:]
    if len(text) != 10 or not (text[4] == text[7] == "-") or not (digits.isascii() and digits.isdecimal()):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def parse_day_name(name: str) -> tuple[date, str] | None:
    """`2025-03-20.md` -> (date, ""), `2025-03-20-standup.md` -> (date, "standup"); None for other names."""
    day, label = parse_date(name[:10]), name[10:-3]
    if day is None or not name.endswith(".md") or (label and (label[0] != "-" or label == "-")):
        return None
    return day, label[1:]


def parse_generation_name(name: str) -> GenerationName | None:
    """`personal-blog-gen1-2025-03-25.md` -> its parts; None for other names."""
    match = _GENERATION_NAME.fullmatch(name)
    day = parse_date(match["date"]) if match else None
    if not match or not day or not is_slug(match["topic"]):
        return None
    return GenerationName(match["topic"], int(match["number"]), day)


def find_mentions(data: bytes | None, names: Iterable[str]) -> dict[str, int]:
    """Which of these file names a text has anywhere in it, with the line (from 1) of the first place.

    A name that begins inside an ASCII word is another name: `my-blog-gen1-….md` does not mention `blog-gen1-….md`.
    """
    text = data or b""
    found: dict[str, int] = {}
    for name in names:
        literal = name.encode("utf-8", "surrogateescape")
        match = re.search(rb"(?<![a-z0-9-])" + re.escape(literal), text) if literal in text else None
        if match:
            found[name] = text.count(b"\n", 0, match.start()) + 1
    return found


def format_generation_name(name: GenerationName) -> str:
    """The file name of a generation (seed, "Consolidation Process")."""
    return f"{name.topic}-gen{name.number}-{name.day.isoformat()}.md"


def is_slug(text: str) -> bool:
    """Letters, digits and their marks of any script, inner `-`; NFC, lower case, at most 200 bytes (FORMATS)."""
    if _PLAIN_SLUG.fullmatch(text):  # nearly all of them, and an index may have thousands
        return True
    if not text or len(text.encode("utf-8", "surrogatepass")) > MAX_SLUG_BYTES:
        return False
    if text != unicodedata.normalize("NFC", text) or text != text.lower():
        return False
    return all(part and not _is_mark(part[0]) and all(map(_is_slug_character, part)) for part in text.split("-"))


def _is_mark(char: str) -> bool:
    """Whether a character changes the one before it: at the start of a word that would be a `-`, or the bold mark."""
    return unicodedata.category(char)[0] == "M"


def _is_slug_character(char: str) -> bool:
    return unicodedata.category(char)[0] in "LM" or unicodedata.category(char) == "Nd"


def parse_slug(text: str) -> str:
    """A slug that a person typed. Raises FormatError with a proposal when it is none."""
    if is_slug(text):
        return text
    proposal = slugify(text)
    hint = f"use {proposal!r}" if proposal else "use letters and digits with '-' between them"
    raise FormatError(f"{text!r} is no topic name", hint=hint)


def slugify(text: str) -> str:
    """The nearest slug to a title, or an empty string when nothing of it can stay."""
    folded = unicodedata.normalize("NFC", text[: MAX_SLUG_BYTES * 5].translate(_UNSEEN).lower())
    kept = "".join(char if _is_slug_character(char) else "-" for char in folded)
    parts = ("".join(dropwhile(_is_mark, part)) for part in kept.split("-"))
    slug = "-".join(part for part in parts if part)
    slug = slug.encode()[:MAX_SLUG_BYTES].decode(errors="ignore").rstrip("-")
    return slug if is_slug(slug) else ""


def plain_form(text: str) -> str:
    """A text as it looks: every dash and digit is the ASCII one, and what is not seen is left out."""
    if text.isascii():
        return text
    seen = text.translate(_UNSEEN).translate(_DASHES)
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in seen)


def day_path(memory: PurePosixPath, day: date) -> PurePosixPath:
    """The daily note of a day, workspace-relative."""
    return memory / f"{day.isoformat()}.md"


def session_log_path(memory: PurePosixPath, day: date) -> PurePosixPath:
    """The session log of a day, workspace-relative."""
    return memory / "sessions" / f"{day.isoformat()}.md"


def is_session_log(path: PurePosixPath, memory: PurePosixPath) -> bool:
    """Whether a workspace-relative path is that of a day's session log."""
    return path.parts[:-1] == (*memory.parts, "sessions") and path.suffix == ".md" and parse_date(path.stem) is not None


def parse_inner_path(text: str) -> PurePosixPath | None:
    """A path that a file of the memory names, if it stays below the memory folder by its form; else None.

    Absolute paths, `..`, back slashes, drives, URLs, `~` and control characters are refused. Links are not looked at
    here (`safety.paths` does, on the disk).
    """
    if not text or text[0] in "/~" or "\\" in text or _SCHEME.match(text):
        return None
    if ".." in text.split("/") or not is_one_line(text):
        return None
    path = PurePosixPath(text)
    return path if path.parts else None


def is_one_line(text: str) -> bool:
    """Whether a text has no line ends, control characters or surrogates in it."""
    return text.isprintable() or all(unicodedata.category(char) not in {"Cc", "Cs", "Zl", "Zp"} for char in text)
