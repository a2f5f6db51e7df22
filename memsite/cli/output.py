"""The one way to the terminal: every text is escaped, colours only where a person looks, JSON with stable keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memsite.safety.terminal import escape_terminal, json_for_terminal
from memsite.values import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


@dataclass(frozen=True, slots=True)
class Output:
    """Where a command's answers go. `coloured` is decided once, from the terminal and NO_COLOR."""

    stream: TextIO
    errors: TextIO
    coloured: bool = False
    as_json: bool = False

    def line(self, text: str = "", *, style: str = "") -> None:
        """One line (or several) of plain answer; silent when the answer is JSON."""
        if not self.as_json:
            self.stream.write(self.styled(escape_terminal(text), style) + "\n")

    def warn(self, text: str) -> None:
        """One line on stderr that does not stop the command."""
        self.errors.write(f"memsite: {escape_terminal(text, keep_newlines=False)}\n")
        self.errors.flush()

    def json(self, value: Any) -> None:
        """The whole answer as JSON, readable in any script, without a control for the terminal; else silent."""
        if self.as_json:
            self.stream.write(json_for_terminal(value, indent=2) + "\n")

    def rendered(self, text: str) -> None:
        """Text that was escaped where it was coloured."""
        if not self.as_json:
            self.stream.write(text + "\n")

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        """Columns, aligned by the width that a terminal gives them (CJK is two cells wide)."""
        cells = [[escape_terminal(cell, keep_newlines=False) for cell in row] for row in rows]
        widths = [max(map(_cells, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            padded = (cell + " " * (width - _cells(cell)) for cell, width in zip(row, widths, strict=True))
            self.rendered("  ".join(padded).rstrip())

    def styled(self, text: str, style: str) -> str:
        """Text in a style, when there are colours."""
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if style and self.coloured else text


def _cells(text: str) -> int:
    import unicodedata  # only tables need it

    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Progress:
    """How far long work is, in one line on a terminal; nothing anywhere else."""

    def __init__(self, output: Output, what: str = "", total: int = 0) -> None:
        self._stream = output.errors if output.errors.isatty() else None
        self._what, self._total, self._done = what, total, 0
        self._shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream and self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def step(self, number: int = 1) -> None:
        """So much more is done."""
        self._done += number
        self.at(self._what, self._done, self._total)

    def at(self, what: str, done: int, total: int) -> None:
        """So much of something is done; a `total` of 0 for what has no number."""
        if self._stream:
            self._shown = True
            self._stream.write(f"\r\x1b[K{what}" + (f": {done} of {total}" if total else ""))
            self._stream.flush()
