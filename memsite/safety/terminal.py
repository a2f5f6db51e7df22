"""What text may do to a terminal: appear. Controls and changes of direction are shown, never sent."""

from __future__ import annotations

import json
import re

from memsite.patterns import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Lone surrogates stand for undecodable bytes of a file name; printing one would raise.
_UNSAFE = late(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}\ud800-\udfff]")
_UNSAFE_IN_LINE = late(f"[\x00-\x1f\x7f-\x9f\u2028\u2029{_BIDI}\ud800-\udfff]")


def _show(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"\\u{{{code:x}}}"


def escape_terminal(text: str, *, keep_newlines: bool = True) -> str:
    """The text with every control visible: ESC as `␛`, DEL as `␡`, C1 and bidirectional controls as `\\u{202e}`.

    Newline and tab stay (CRLF becomes a newline); with `keep_newlines=False`, for text that must stay on its line,
    they are shown as well. Escaping twice equals escaping once.
    """
    if text.isprintable():
        return text
    if not keep_newlines:
        return _UNSAFE_IN_LINE.sub(_show, text)
    return _UNSAFE.sub(_show, text.replace("\r\n", "\n"))


def json_for_terminal(value: Any, *, indent: int | None = None) -> str:
    """The value as JSON, readable in any script, without a control: JSON's own escapes keep what it says."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    return "\n".join(_UNSAFE_IN_LINE.sub(_escape, line) for line in text.split("\n"))


def _escape(match: re.Match[str]) -> str:
    # Below U+10000 all of them, so that one escape says it.
    return f"\\u{ord(match[0]):04x}"


class TerminalStream:
    """A stream on which everything is escaped: for what writes to standard error without asking us.

    Libraries, warnings, tracebacks; messages of git that pass through them.
    """

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath
        """The stream itself, for who has escaped his text already and moves the cursor."""

    def write(self, text: str) -> int:
        """Write it escaped, newlines kept."""
        self.beneath.write(escape_terminal(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """As `write`, each."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)
