"""The line scanner, held against markdown-it's line maps."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memsite.memory.lines import BOM, Kind, Line, decode_text, encode_text, split_lines
from tests.memory.conftest import EXAMPLES

PARTS = [
    "", "", "text", "more text", "## Projects", "# T", "### ", "#no", "- a", "-", "* b", "+ c", "1. n", "2. m", "3)",
    "- **slug**: [2025-03-20]", "```", "``` py", "````", "~~~", "```a`b", "<!-- note -->", "<!--", "-->", "a --> b",
    "<div>", "</div>", "<br>", "<a href='x'>", "<pre>", "</pre>", "<?x", "?>", "<!X", "> q", ">", "> - q", "> ```",
    "> <!--", "---", "===", "***", "- - -", "- - x", "-     code", "-\t**tab**", "- ```", "- <!-- c", "\tcode", "=",
    "- # h", "\u2028", "\x0c", "é – 博客",
]  # fmt: skip
INDENTS = ["", "", "", " ", "  ", "   ", "    ", "      ", "\t", " \t"]
LINES = st.lists(st.builds(str.__add__, st.sampled_from(INDENTS), st.sampled_from(PARTS)), max_size=12)


@dataclass
class Reference:
    """What markdown-it says of each 1-based line."""

    code: set[int] = field(default_factory=set)
    comment: set[int] = field(default_factory=set)
    html: set[int] = field(default_factory=set)
    headings: dict[int, int] = field(default_factory=dict)
    items: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)


def reference_of(text: str) -> Reference:
    seen, around = Reference(), [0]
    for token in MarkdownIt("commonmark", {"maxNesting": 500}).parse(text):
        if token.type == "list_item_close":
            around.pop()
        if token.map is None:
            continue
        lines = set(range(token.map[0] + 1, token.map[1] + 1))
        if token.type in {"fence", "code_block"}:
            seen.code |= lines
        elif token.type == "html_block":
            (seen.comment if token.content.lstrip().startswith("<!--") else seen.html).update(lines)
        elif token.type == "heading_open":
            seen.headings[max(lines)] = int(token.tag[1])
        elif token.type == "list_item_open":
            seen.items.append(min(lines))
            seen.parents.append(around[-1])
            around.append(min(lines))
    return seen


def non_blank(lines: list[Line], numbers: set[int]) -> set[int]:
    return {number for number in numbers if lines[number - 1].text.strip(" \t")}


@settings(max_examples=EXAMPLES)
@given(LINES)
@example(["- a", "", "  ```", "- b", "```", "- c"])
@example(["-", "", "  a"])
@example(["> <!--", "- a", "-->"])
@example(["- a", " - b", "  - c", "   - d", "    - e"])
def test_scanner_agrees_with_markdown_it(parts: list[str]) -> None:
    text = "".join(f"{part}\n" for part in parts)
    lines, seen = split_lines(text.encode()), reference_of(text)
    for kind, numbers in ((Kind.COMMENT, seen.comment), (Kind.HTML, seen.html), (Kind.CODE, seen.code)):
        found = {line.number for line in lines if line.kind is kind}
        assert non_blank(lines, found) == non_blank(lines, numbers), kind
    assert {line.number: line.level for line in lines if line.level} == seen.headings
    assert [line.number for line in lines for _ in range(line.opens)] == seen.items
    opened = {line.number: line.parent for line in lines if line.opens}
    outermost = {number: around for number, around in zip(seen.items, seen.parents, strict=True) if number != around}
    assert opened == outermost


@settings(max_examples=EXAMPLES)
@given(st.binary() | LINES.map(lambda parts: "\r\n".join(parts).encode()))
def test_every_byte_is_in_one_line(data: bytes) -> None:
    text = decode_text(data)
    lines = split_lines(data)
    assert (
        encode_text((BOM if text.startswith(BOM) else "") + "".join(line.text + line.ending for line in lines)) == data
    )
    assert all(text[line.start : line.end] == line.text for line in lines)
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))


def kinds_of(text: str) -> list[Kind]:
    return [line.kind for line in split_lines(text.encode())]


def test_front_matter_is_no_underlined_heading() -> None:
    assert kinds_of("---\ntitle: x\n---\n# T\n")[:3] == [Kind.FRONT_MATTER] * 3
    assert kinds_of("---\ntitle: x\n---") == [Kind.FRONT_MATTER] * 3


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert kinds_of("---\n## Projects\n- **a**: []\n\n---\n")[1:3] == [Kind.HEADING, Kind.TEXT]
    assert kinds_of("---\ntitle: never closed\n")[0] is Kind.RULE


def test_a_byte_order_mark_is_no_text() -> None:
    (line,) = split_lines(b"\xef\xbb\xbf# T")
    assert (line.text, line.start, line.kind) == ("# T", 1, Kind.HEADING)


def test_an_open_fence_or_comment_takes_what_is_appended() -> None:
    for text in ("```\na\n", "~~~\n", "- x\n  ```\n", "<!-- a\n\n", "<div>\n"):
        assert split_lines(text.encode())[-1].unclosed, text
    for text in ("```\na\n```\n", "<!-- a -->\n", "<div>\n\n", "- x\n", ""):
        assert not any(line.unclosed for line in split_lines(text.encode())[-1:]), text


def test_one_line_of_markers_does_not_slow_the_lines_after_it() -> None:
    lines = split_lines(b"- " * 5000 + b"\n" + b"\n" * 5000 + b"> " * 5000 + b"a\n" * 2000)
    assert len(lines) == 7001
