"""Headings and markers found fast: the same answers as the full scanner."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.lines import Kind, split_lines
from memsite.memory.outline import find_title, iter_lines, plain_text
from tests.conftest import cpu_seconds

WANTED = re.compile(r" {0,3}(?:#{1,6}(?:[ \t]|$)|<!-- (?:ARCHIVED|X).*-->|- )")

FRAGMENTS = [
    "# A",
    "## B",
    "   ### C",
    "text",
    "",
    "- item",
    "  - inner",
    "1. one",
    "> quote",
    "> ```",
    "```",
    "```py",
    "````",
    "~~~",
    "  ```",
    "   ~~~ x",
    "    # indented",
    "    ```",
    "\t# tab",
    "- ```",
    "use ```x``` inline",
    "```x``` inline",
    "<!-- ARCHIVED: consolidated into x -->",
    "<!-- X --> tail",
    "<!--",
    "-->",
    "a --> <!-- X -->",
    "- <!-- X -->",
    "<div>",
    "</div>",
    "<pre>",
    "<https://example.org>",
    "<word>",
    "---",
    "===",
    "name: value",
    "\x0b\u2028x",
]
documents = st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("\n".join)


def expected(data: bytes) -> list[tuple[int, str]]:
    return [
        (line.number, line.text)
        for line in split_lines(data)
        if line.kind not in {Kind.CODE, Kind.HTML, Kind.FRONT_MATTER}
        and not (line.kind is Kind.COMMENT and (line.block != line.number or "-->" not in line.text))
        and WANTED.match(line.text)
    ]


@given(documents)
def test_the_fast_way_and_the_full_scanner_agree(document: str) -> None:
    data = document.encode()
    assert list(iter_lines(data, WANTED)) == expected(data)


@given(
    documents, st.sampled_from(["---\ntitle: x\n# no\n---\n", "---\nname:y\n---", "---\n\n", "\ufeff# bom\n", "x\r\n"])
)
def test_front_matter_and_line_ends_change_nothing(document: str, start: str) -> None:
    data = (start + document).encode()
    windows = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    assert list(iter_lines(data, WANTED)) == expected(data)
    assert [line for _, line in iter_lines(windows, WANTED)] == [line for _, line in expected(data)]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# 2025-03-20\n", "2025-03-20"),
        ("```\n# code\n```\n## The *real* `title` ##\n", "The real title"),
        ("---\nname: x\n# yaml comment\n---\n\n# After\n", "After"),
        ("Words\n=====\n", "Words"),
        ("Two\nlines\n---\n", "Two lines"),
        ("text\n\n---\n\n- \n\nmore\n", "stem"),
        ("<div align=center>\n# html\n</div>\n\n# Seen\n", "Seen"),
        ("    # indented code\n", "stem"),
        ("#\n# Second\n", "Second"),
        ("#hashtag\n", "stem"),
        ("# [Link](x.md) and ![alt](y.png) &amp; [[a|b]]\n", "Link and alt & b"),
        ("# \x1b[31mred\x00\n", "[31mred"),
        ("# Vec<String> snake_case_name\n", "Vec<String> snake_case_name"),
        ("# 博客**项目**\n", "博客项目"),
        (r"# \_\_f\(\_\,x\)", "__f(_,x)"),
        (r"# a&#x81;b&#127;\!&#13;&#10;c", "a b! c"),
        (r"# \*a\* \`b\` \~\~c\~\~ \[d\](e) \<!-- f --> \&lt; \\\\", r"*a* `b` ~~c~~ [d](e) <!-- f --> &lt; \\"),
        ("", "stem"),
    ],
)
def test_title_is_the_first_heading_as_plain_text(text: str, title: str) -> None:
    assert find_title(text.encode(), "stem") == title


def test_title_after_a_long_beginning_is_found() -> None:
    text = "word " * 2000 + "\n```\n# no\n```\n# Late\n"
    assert find_title(text.encode(), "stem") == "Late"


def test_title_behind_long_front_matter_is_found() -> None:
    text = "---\nname: x\n" + "# comment\n" * 1000 + "---\n# After\n"
    assert find_title(text.encode(), "stem") == "After"


def test_undecodable_title_is_printable() -> None:
    assert find_title(b"# caf\xe9 \xff\n", "stem").encode()


def test_a_long_title_is_cut() -> None:
    assert len(plain_text("word " * 10_000)) <= 200


@pytest.mark.parametrize(
    "text", ["[" * 50_000, "*" * 50_000, "<!--" * 20_000, " " * 50_000 + "x", "> " * 20_000, "- " * 20_000]
)
def test_hostile_lines_take_no_time(text: str) -> None:
    with cpu_seconds(20):
        find_title(("# " + text).encode(), "stem")
        list(iter_lines(text.encode(), WANTED))
