"""Somebody else's words, and callouts, which look like quotations and are the author's own."""

from __future__ import annotations

from datetime import date

import pytest

from memsite.capture.tokens import estimate_tokens
from memsite.config import Config
from memsite.memory.briefing import make_brief
from memsite.memory.extracting import extract_body
from memsite.memory.lineage import load_memory
from memsite.memory.lines import split_lines
from memsite.memory.mentions import find_mentions, read_passages
from memsite.memory.model import Memory
from memsite.memory.quotes import own_lines
from memsite.memory.snapshot import make_snapshot
from memsite.site.markdown import render_markdown

CONFIG = Config()
DAY = date(2025, 3, 20)
INDEX = "# Memory Index\n\n## Projects\n- **garden**\n  - Dates: [2025-03-20]\n"
NOTE = """# 2025-03-20

> [!warning] Frost in the garden
> Deadline is Friday.
> - order fleece,
>   of wool

> Plant early.
"""


def memory_of(note: str) -> Memory:
    return load_memory(make_snapshot({"memory/INDEX.md": INDEX, "memory/2025-03-20.md": note}), CONFIG)


def test_a_callout_reaches_the_brief_and_a_quotation_does_not() -> None:
    brief = make_brief(memory_of(NOTE), "garden", DAY, CONFIG, known_numbers=(), measure=estimate_tokens)
    assert [line for line in brief.text.splitlines() if line.startswith("[2025-03-20#")] == [
        "[2025-03-20#L3] Frost in the garden",
        "[2025-03-20#L4] Deadline is Friday.",
        "[2025-03-20#L5-L6] order fleece, of wool",
    ]


def test_a_callout_reaches_a_generation_without_a_writer() -> None:
    body = extract_body(memory_of("> [!NOTE]\n> The garden opens on Friday.\n"), "garden", DAY, CONFIG)
    assert "- The garden opens on Friday. [2025-03-20#L2]" in body
    assert "NOTE" not in body


def test_a_callout_names_topics_by_its_words_not_by_its_kind() -> None:
    memory = memory_of("> [!garden] Frost\n> cold\n")
    assert find_mentions(memory, list(read_passages(memory.notes[0]))) == {}
    memory = memory_of("> [!tip]- The garden\n")
    (passage,) = find_mentions(memory, list(read_passages(memory.notes[0]))).values()
    assert (passage.line, passage.text) == (1, "The garden")


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("> [!note] T\n> one\nlazy\n\nafter\n", {1: "T", 2: "one", 3: "lazy", 5: "after"}),
        ("> [!note]\n> one\n>\n> two\n\n> quoted\n", {2: "one", 4: "two"}),
        (">\n> [!my-kind|right]+ T\n> - a\n>   b\n", {2: "T", 3: "- a", 4: "  b"}),
        ("> [!note] T\n> > quoted\n>\n> own\n", {1: "T", 4: "own"}),
        ("> quoted\n> > [!note] T\n> > own\n", {}),
        ("> [!note] T\n> > [!tip] U\n> > own\n", {1: "T", 2: "U", 3: "own"}),
        ("- > [!note] T\n  > own\n- > quoted\n", {1: "T", 2: "own"}),
        ("> - [!note] T\n> quoted\n", {}),
        ("> said\n> [!note] T\n", {}),
        ("> [!note] T\n> ---\n> quoted\n", {}),
        ("> ## [!note] T\n> quoted\n", {}),
        ("> [!note]T\n> quoted\n", {}),
        ("> [!1] T\n> quoted\n", {}),
        (">     [!note] T\n> quoted\n", {}),
        (">[!note] T\n>\ttext\n", {1: "T", 2: "\ttext"}),
        ("[!note] T\n", {1: "[!note] T"}),
    ],
)
def test_callouts_are_those_of_the_site(text: str, own: dict[int, str]) -> None:
    lines = own_lines(split_lines(text.encode()))
    assert {line.number: line.text for line in lines if line.text.strip()} == own
    boxed = "admonition" in render_markdown(text, resolve=lambda _: None).html
    assert boxed == (text[:1] != "[" and (bool(own) or "> > [!" in text))


@pytest.mark.parametrize("kind", ["quote", "CITE"])
def test_a_callout_that_says_that_it_quotes_is_a_quotation(kind: str) -> None:
    assert [line for line in own_lines(split_lines(f"> [!{kind}] Ada\n> Plant early.\n".encode())) if line.text] == []


def test_a_line_without_its_mark_stands_where_it_stood() -> None:
    text = "é\n\n> [!note] T\n> - a\n"
    for line in own_lines(split_lines(text.encode())):
        assert text[line.start : line.end] == line.text
        assert line.text[line.content :] in {"", "é", "T", "a"}
