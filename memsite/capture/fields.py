"""Single values out of JSON that others wrote: whatever is in it, a value of the wanted type or its absence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memsite.patterns import late

_UNPAIRED_SURROGATE = late("[\ud800-\udfff]")
_TEXT_BLOCKS = frozenset({"text", "input_text", "output_text"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_YEARS = range(2000, 2200)
"""Outside of them a timestamp is a placeholder or a fault, and no session is dated by it."""
_FIRST_MILLISECONDS = 100_000_000_000
"""Numbers from here on are milliseconds: as seconds they would be in the year 5138."""


def read_text(value: object) -> str:
    """A string with U+FFFD for each unpaired surrogate, so that it can be encoded; "" for anything else."""
    if not isinstance(value, str):
        return ""
    try:
        value.encode()
    except UnicodeEncodeError:
        return _UNPAIRED_SURROGATE.sub("\ufffd", value)
    return value


def read_table(value: object) -> dict[str, object]:
    """A JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def read_time(value: object) -> datetime | None:
    """An ISO 8601 text, or seconds or milliseconds since 1970, as an aware UTC time. A text without offset is UTC."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if value >= _FIRST_MILLISECONDS else value
            moment = _EPOCH + timedelta(seconds=seconds)
        else:
            return None
    except (ValueError, OverflowError):
        return None
    return moment if moment.year in _YEARS else None


def read_texts(content: object) -> list[str]:
    """The texts of a message's `content`: a string, or a list of blocks of which those of a text kind count."""
    if isinstance(content, str):
        return [read_text(content)]
    if not isinstance(content, list):
        return []
    return [text for block in content if (text := _block_text(block))]


def _block_text(block: object) -> str:
    if isinstance(block, str):
        return read_text(block)
    table = read_table(block)
    return read_text(table.get("text")) if _kind(table) in _TEXT_BLOCKS else ""


def read_blocks(content: object, *kinds: str) -> list[dict[str, object]]:
    """The blocks of these kinds in a message's `content`."""
    blocks = content if isinstance(content, list) else []
    return [table for block in blocks if _kind(table := read_table(block)) in kinds]


def _kind(table: dict[str, object]) -> str:
    return read_text(table.get("type"))
