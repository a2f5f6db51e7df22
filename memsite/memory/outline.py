"""Headings, markers and bullets of a note, found fast: `lines.split_lines` knows every line, but a folder has thousands
of notes and few questions.

Most files answer by their column 0 alone; as soon as one does not (a fence inside a list, raw HTML), `split_lines`
judges the rest. A property test holds both to the same answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memsite.memory.html_blocks import find_html_block
from memsite.memory.lines import BOM, Kind, Line, decode_text, encode_text, split_lines

_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(?=[\w.-]+[^\S\n]*:(?:\s|$))(?:.*\n)*?---[ \t]*\r?(?:\n|\Z)")
_CONTAINED = re.compile(r"[ \t>]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t>]++)*+(?:`{3}|~{3}|<[A-Za-z/!?])")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_ATX = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_TITLE = re.compile(r" {0,3}(?:#{1,6}(?:[ \t]|$)|(?:=+|-+)[ \t]*$)")
_HEADING_MARKS = re.compile(r"^ {0,3}#{1,6}(?:[ \t]+|$)|(?:^|[ \t])#+[ \t]*$")

_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_WIKILINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_COMMENT = re.compile(r"<!--.*?-->")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SURROGATES = re.compile(r"[\ud800-\udfff]+")
_EMPHASIS = re.compile(r"(\*{1,3}|(?<!\w)_{1,3}|~~|`+)(?=\S)(.+?)(?<=\S)\1(?![\w`])")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_SET_ASIDE = dict(zip(_PUNCTUATION, map(chr, (*range(0x7F, 0x85), *range(0x86, 0xA0))), strict=True))
"""What is escaped is no mark. As long as marks are looked for it is a control, of which the text has none."""
_ASIDE = re.compile("([\x7f-\x84\x86-\x9f])")
_BACK = {ord(aside): mark for mark, aside in _SET_ASIDE.items()}

_ANY_MARK = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\\\[<*_~`&]")
"""What has none of these is read as it is written."""

_FIRST_BYTES = 4096
"""What is judged first when a title is looked for in a file that needs `split_lines`."""
_MAX_TITLE = 200


def iter_lines(data: bytes, wanted: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Number (1-based) and text of each line that `wanted` matches outside code, raw HTML and front matter.

    A comment that stands on a line of its own is such a line; the inside of a longer comment is none. `wanted` must
    not match lines that are indented by four columns or more.
    """
    text = decode_text(data).removeprefix(BOM)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    skipped, text = _split_front_matter(text)
    fence = ""
    comment = False
    for number, line in enumerate(text.split("\n"), start=1):
        if fence:
            fence = "" if _closes(line, fence) else fence
        elif comment:
            comment = "-->" not in line
        elif ("`" in line or "~" in line or "<" in line) and _CONTAINED.match(line):
            if line.startswith("<!--"):
                comment = "-->" not in line
            elif match := _FENCE.match(line):
                fence = match[1] or match[2]
                continue
            elif not _is_plain(line):
                yield from _iter_exactly(text, wanted, number, skipped)
                return
            if not comment and wanted.match(line):
                yield number + skipped, line
        elif wanted.match(line):
            yield number + skipped, line


def find_title(data: bytes, fallback: str) -> str:
    """The first heading outside code, as plain text of at most 200 characters; `fallback` where there is none.

    An underlined heading counts within the first 4 KiB, where titles are.
    """
    head = _head(data)
    lines: list[Line] = []
    for number, line in iter_lines(head, _TITLE):
        if not _ATX.match(line) and not lines:
            lines = split_lines(head)
        words = _strip_marks(line) if _ATX.match(line) else _find_underlined(lines, number)
        if title := plain_text(words):
            return title
    if head is data:
        return fallback
    titles = (plain_text(_strip_marks(line)) for _, line in iter_lines(data, _ATX))
    return next((title for title in titles if title), fallback)


def plain_text(inline: str) -> str:
    """One line of Markdown as a reader sees it: links, emphasis, code marks, comments and escapes removed."""
    text = inline[: _MAX_TITLE * 5]
    if _ANY_MARK.search(text):
        text = _without_marks(text)
    text = " ".join(text.split())
    return text if len(text) <= _MAX_TITLE else text[: _MAX_TITLE - 1].rstrip() + "…"


def _without_marks(text: str) -> str:
    text = _SURROGATES.sub("\ufffd", _CONTROLS.sub(" ", text))
    text = _ESCAPE.sub(lambda escape: _SET_ASIDE[escape[1]], text)
    text = _WIKILINK.sub(r"\1", _IMAGE_OR_LINK.sub(r"\1", text))
    text = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", _COMMENT.sub("", text)))
    if "&" in text:
        from html import unescape  # here: its table of entities is slow to load and seldom needed

        parts = _ASIDE.split(text)
        text = "".join(part if _ASIDE.match(part) else _CONTROLS.sub(" ", unescape(part)) for part in parts)
    return text.translate(_BACK)


def _split_front_matter(text: str) -> tuple[int, str]:
    """How many lines of front matter there are, and what follows them."""
    match = _FRONT_MATTER.match(text) if text.startswith("---") else None
    return (match[0].count("\n"), text[match.end() :]) if match else (0, text)


def _closes(line: str, fence: str) -> bool:
    source = line.expandtabs(4)
    rest = source.lstrip(" ")
    return len(source) - len(rest) < 4 and rest.startswith(fence) and not rest.strip(" ").strip(fence[0])


def _is_plain(line: str) -> bool:
    """Whether a line that looks like a fence or raw HTML is neither, wherever it stands."""
    return line[0] in "`<" and not line.startswith("```") and find_html_block(line, in_paragraph=False) is None


def _iter_exactly(text: str, wanted: re.Pattern[str], start: int, skipped: int) -> Iterator[tuple[int, str]]:
    """The rest of `iter_lines` from line `start` on, by the full scanner."""
    # The empty line keeps a rule at the top from being read as a second front matter.
    for line in split_lines(encode_text("\n" + text)):
        if line.number > start and _is_visible(line) and wanted.match(line.text):
            yield line.number - 1 + skipped, line.text


def _is_visible(line: Line) -> bool:
    if line.kind is Kind.COMMENT:
        return line.block == line.number and "-->" in line.text
    return line.kind not in {Kind.CODE, Kind.HTML, Kind.FRONT_MATTER}


def _head(data: bytes) -> bytes:
    """The first lines of a file; the whole file when it is short or its front matter is longer than that."""
    if len(data) <= _FIRST_BYTES:
        return data
    head = data[: data.rfind(b"\n", 0, _FIRST_BYTES) + 1]
    return data if head.startswith(b"---") and b"\n---" not in head else head


def _strip_marks(heading: str) -> str:
    return _HEADING_MARKS.sub("", heading)


def _find_underlined(lines: list[Line], number: int) -> str:
    """The words above an underline, or an empty string when the line is a rule or a bullet."""
    underline = lines[number - 1]
    if underline.kind is not Kind.HEADING:
        return ""
    return " ".join(line.text[line.content :].strip() for line in lines[underline.block - 1 : number - 1])
