"""What the geography of `memsite.site.links` leaves open: years and months, parts of a lineage, odd names."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from memsite.site.links import note_uri, topic_uri

HOME = ""
TOPICS = "topics/"
DAYS = "daily/"
SESSIONS = "sessions/"
HISTORY = "history/"
NOTES = "notes/"

_OWN_FILE = re.compile(r"\Aindex\.(?=(?:html|md|md\.js)\Z)", re.IGNORECASE)
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def year_uri(year: int) -> str:
    """A year of days."""
    return f"{DAYS}{year:04d}/"


def month_uri(year: int, month: int) -> str:
    """A month of days."""
    return f"{year_uri(year)}{month:02d}/"


def history_year_uri(year: int) -> str:
    """A year of commits."""
    return f"{HISTORY}{year:04d}/"


def sessions_year_uri(year: int) -> str:
    """A year of session logs."""
    return f"{SESSIONS}{year:04d}/"


def lineage_uri(slug: str, segment: str) -> str:
    """One generation by its segment."""
    return f"{topic_uri(slug)}{segment}/"


def step_uri(slug: str, older: str, newer: str) -> str:
    """The comparison of two consecutive generations by their segments: `topics/<slug>/compare/1..2/`."""
    return f"{compare_any_uri(slug)}{pair_anchor(older, newer)}/"


def compare_any_uri(slug: str) -> str:
    """The comparison of any two generations: `topics/<slug>/compare/`; which two, its anchor says."""
    return f"{topic_uri(slug)}compare/"


def pair_anchor(older: str, newer: str) -> str:
    """Two generations by their segments, as that anchor: `2..5`."""
    return f"{older.removeprefix('gen')}..{newer.removeprefix('gen')}"


def since_anchor(segment: str) -> str:
    """A generation and the newest, whichever that is by then, as that anchor: `2..`."""
    return pair_anchor(segment, "")


def safe_note_uri(site_path: PurePosixPath) -> str:
    """`note_uri`, with undecodable bytes and control characters as `~xx`: no address can carry them.

    So is the point of a name that a page's own file has: it cannot be a folder as well.
    """
    parts = (_OWN_FILE.sub("index~2e", part) for part in PurePosixPath(site_path).parts)
    return note_uri(_UNPRINTABLE.sub(_as_hex, "/".join(parts)))


def _as_hex(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"~{code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code:02x}"


def printable(name: object) -> str:
    """A path or name that can be shown and encoded: undecodable bytes and control characters become U+FFFD."""
    return _UNPRINTABLE.sub("\ufffd", str(name))


def printable_text(text: str) -> str:
    """The same for a text: its line ends and tabs stay."""
    if text.replace("\n", "").replace("\t", "").isprintable():  # nearly all
        return text
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))
