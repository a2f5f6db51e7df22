"""How text joins the end of a file that people and other programs also write: their bytes stay, ours start cleanly."""

from __future__ import annotations


def line_end(existing: bytes | None) -> bytes:
    """The line end that a file uses: that of its first line, `\\n` where there is none yet."""
    first, newline, _ = (existing or b"").partition(b"\n")
    return b"\r\n" if newline and first.endswith(b"\r") else b"\n"


def appended_block(existing: bytes | None, text: str) -> bytes:
    """`text` in the line ends of the file, after the blank line that must precede it.

    The result follows a complete line (`Append` ends an unfinished one by itself). Lone surrogates, which no
    UTF-8 file can hold, become U+FFFD.
    """
    newline = line_end(existing)
    block = encode(text).replace(b"\r\n", b"\n").replace(b"\n", newline)
    return block if _ends_blank(existing) else newline + block


def completed(existing: bytes) -> bytes:
    """The file with its last line ended, as `Append` leaves it before it adds anything."""
    return existing if not existing or existing.endswith(b"\n") else existing + line_end(existing)


def encode(text: str) -> bytes:
    """UTF-8, with U+FFFD for lone surrogates (JavaScript cuts strings in the middle of a character)."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _ends_blank(existing: bytes | None) -> bool:
    if not existing:
        return True
    lines = existing.split(b"\n") if len(existing) < 4 else existing[-4:].split(b"\n")
    return len(lines) > 2 and not lines[-1] and not lines[-2].strip()
