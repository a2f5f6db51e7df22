"""Which line of a Markdown file is what: code, comment, heading, list item. No parser, no tree, every byte kept.

`split_lines` walks CommonMark's block structure once, line by line: fences, indented code, HTML blocks, headings,
block quotes and nested list items, as markdown-it sees them (a property test compares the two). It does not look
inside a line. Readers of the memory use it to tell a marker from the same text in a code block; `index` and
`index_edit` to find the spans that they own.
"""

from __future__ import annotations

from memsite.memory.blocks import BlockScanner, Kind
from memsite.patterns import late
from memsite.values import dataclass

__all__ = ["BOM", "Kind", "Line", "decode_text", "encode_text", "split_lines"]

BOM = "\ufeff"

_LINE = late(r"([^\r\n]*)(\r\n|\r|\n)|([^\r\n]+)")
_FIELD = late(r"[\w.-]+\s*:(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line and its place in the document. `decode_text(data)[start:start + len(text)]` is `text`."""

    number: int
    """1-based."""
    start: int
    """Offset of its first character in the decoded text (`decode_text`)."""
    text: str
    """Without its ending and without the file's byte-order mark; bytes that are no UTF-8 are surrogate escapes."""
    ending: str
    r"""`\n`, `\r\n`, `\r`, or empty at the end of the file."""
    kind: Kind
    block: int
    """The line on which its paragraph, fence, comment … begins; an HTML comment of one line begins on itself."""
    level: int = 0
    """Of a heading: 1 to 6; an underlined heading has it on the underline, and its words from `block` on."""
    item: int = 0
    """The line that opens the innermost list item which it is in; 0: in none."""
    opens: int = 0
    """How many list items begin on it."""
    parent: int = 0
    """Where it opens an item: the line that opens the item around that; 0: none."""
    quotes: tuple[int, ...] = ()
    """The lines that open the block quotes which it is in, the outermost first."""
    content: int = 0
    """Index in `text` behind indentation, `>` and bullets."""
    unclosed: bool = False
    """It is in a fence or an HTML block that goes on after it: what is appended here belongs to that block."""

    @property
    def in_code(self) -> bool:
        """In a fenced or indented code block, the fences included (blank lines of indented code are BLANK)."""
        return self.kind is Kind.CODE

    @property
    def in_comment(self) -> bool:
        """In an HTML comment that stands as a block of its own. Comments inside a line of text do not count."""
        return self.kind is Kind.COMMENT

    @property
    def end(self) -> int:
        """Offset behind its last character, before its ending."""
        return self.start + len(self.text)


def decode_text(data: bytes) -> str:
    """The bytes as text that `encode_text` turns back into the same bytes, whatever they are."""
    return data.decode("utf-8", "surrogateescape")


def encode_text(text: str) -> bytes:
    """The inverse of `decode_text`."""
    return text.encode("utf-8", "surrogateescape")


def split_lines(data: bytes) -> list[Line]:
    r"""Every line of a file, in order. Lines end at `\n`, `\r\n` and `\r`, never at other Unicode separators.

    A marker counts when `not line.in_code`; one on a line of its own is a comment (`line.in_comment`), and starts
    there (`line.block == line.number`) unless an older comment is still open.
    """
    text = decode_text(data)
    begin = 1 if text.startswith(BOM) else 0
    front_matter_end = _front_matter_end(text, begin)
    scanner = BlockScanner()
    lines: list[Line] = []
    for number, match in enumerate(_LINE.finditer(text, begin), start=1):
        words, ending, last = match.groups()
        line = last or words or ""
        if number <= front_matter_end:
            lines.append(Line(number, match.start(), line, ending or "", Kind.FRONT_MATTER, 1))
        else:
            lines.append(_scan(scanner, number, match.start(), line, ending or ""))
    return lines


def _scan(scanner: BlockScanner, number: int, start: int, text: str, ending: str) -> Line:
    step = scanner.scan(number, text)
    return Line(
        number,
        start,
        text,
        ending,
        step.kind,
        step.block,
        step.level,
        item=scanner.item(),
        opens=step.opens,
        parent=scanner.item(without=step.containers) if step.opens else 0,
        quotes=scanner.quotes(),
        content=step.at if text is step.source else _raw_index(text, step.source, step.at),
        unclosed=scanner.swallows,
    )


def _front_matter_end(text: str, begin: int) -> int:
    """The line that closes YAML front matter; 0 without. A rule at the top of a file opens none."""
    for number, match in enumerate(_LINE.finditer(text, begin), start=1):
        words = (match[1] or match[3] or "").rstrip()
        if (number == 1 and words != "---") or (number == 2 and not _FIELD.match(words)):
            return 0
        if number > 2 and words == "---":
            return number
    return 0


def _raw_index(text: str, source: str, position: int) -> int:
    """The index in the line as written of a character of the line with its tabs as columns."""
    before = len(source[:position].replace(" ", ""))
    for index, char in enumerate(text):
        if char not in " \t":
            if before == 0:
                return index
            before -= 1
    return len(text)
