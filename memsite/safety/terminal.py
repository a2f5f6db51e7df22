"""What text may do to a terminal: appear. Controls and changes of direction are shown, never sent."""

from __future__ import annotations

import re

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Lone surrogates stand for undecodable bytes of a file name; printing one would raise.
_UNSAFE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}\ud800-\udfff]")
_UNSAFE_IN_LINE = re.compile(f"[\x00-\x1f\x7f-\x9f\u2028\u2029{_BIDI}\ud800-\udfff]")


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
    if not keep_newlines:
        return _UNSAFE_IN_LINE.sub(_show, text)
    return _UNSAFE.sub(_show, text.replace("\r\n", "\n"))
