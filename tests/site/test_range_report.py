"""The Markdown of a range: whatever the memory says, a host that renders it shows text and does nothing."""

from __future__ import annotations

import random
import re
from datetime import date
from pathlib import PurePosixPath

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memsite.config import Config
from memsite.memory.comparing import ChangeKind, NoteChange, SessionChange, TopicChange, compare_memories
from memsite.memory.lineage import load_memory
from memsite.memory.snapshot import make_snapshot
from memsite.repo.guard import Violation
from memsite.site.passages import compare_generations
from memsite.site.range_report import MOST_CHARACTERS, GenerationReport, NoteReport, RangeReport, format_markdown
from tests.surfaces.payloads import BREAKS

ALLOWED = {"ul", "li", "code", "del", "ins", "br", "p", "b"}
LIVE = (
    "@octocat",
    "@org/team",
    "#1",
    "GH-1",
    "!7",
    "owner/repo#2",
    "https://example.org/x",
    "www.example.org",
    "mailto:a@example.org",
    "a@example.org",
    "[x](javascript:alert(1))",
    "![x](https://example.org/p.png)",
    "<img src=x onerror=alert(1)>",
    "</code></li></ul>\n\n# Heading\n\n@octocat",
    "<!-- -->",
    "~~~\n```",
    "\u202egnp.exe\x1b[31m\u2066",
    "line\r\nline\n\n\n- [ ] task",
    ":smile: $x$ {+a+}",
)


def report(texts: list[str]) -> RangeReport:
    """A report that has every text in every place."""
    body = "\n\n".join(texts)
    memory = load_memory(
        make_snapshot(
            {"memory/consolidated/blog-gen1-2025-03-20.md": f"# {body}\n\n## Summary\n\n{body}\n\n- {body}\n"}
        ),
        Config(),
    )
    (change,) = compare_memories(load_memory(make_snapshot({}), Config()), memory).generations
    again = compare_generations(f"## Summary\n\nbefore\n\n{body[: len(body) // 2]}", f"## Summary\n\n{body}")
    return RangeReport(
        commits=2,
        days=(date(2025, 3, 20), date(2025, 3, 21)),
        generations=(
            GenerationReport(change, compare_generations("", change.generation.blob.text)),
            GenerationReport(change, again),
        ),
        topics=tuple(TopicChange(ChangeKind.ADDED, text, (date(2025, 3, 20),), (text,)) for text in texts),
        sessions=(SessionChange(date(2025, 3, 20), 1, 2, 0),),
        notes=tuple(
            NoteReport(NoteChange(ChangeKind.ADDED, path(text), None, None), "3 words added") for text in texts
        ),
        files=tuple(NoteChange(ChangeKind.REMOVED, path(text), None, None) for text in texts),
        breaks=tuple(Violation(path(text), 1, text, text, "0" * 40) for text in texts),
        secrets=tuple(Violation(path(text), 2, text, "", secret=True) for text in texts),
        withheld=True,
    )


def path(text: str) -> PurePosixPath:
    return PurePosixPath(text.replace("\0", "") or "x")


def judge(markdown: str) -> None:
    """Everything that is not fixed stands in `<code>`, in a block of HTML with nothing else in it."""
    assert len(markdown) <= MOST_CHARACTERS
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", markdown)
    for token in MarkdownIt("commonmark", {"html": True}).parse(markdown):
        if token.type == "html_block":
            judge_html(token.content)
        elif token.type == "inline":
            assert re.fullmatch(r"[A-Za-z0-9⚠ ,;.-]+", token.content), token.content
            assert [child.type for child in token.children or ()] == ["text"]
        else:
            assert token.type in {"heading_open", "heading_close", "paragraph_open", "paragraph_close"}


def judge_html(text: str) -> None:
    tree = html5lib.parseFragment(text, namespaceHTMLElements=False)
    outside = [tree.text or ""]
    for element in tree.iter():
        if element is tree:
            continue
        assert element.tag in ALLOWED
        assert not element.attrib
    for element in tree.iter():
        if element.tag not in {"code", "del", "ins", "br"}:
            outside += [element.text or "", *(child.tail or "" for child in element)]
    said = " ".join("".join(outside).split())
    assert re.fullmatch(r"[A-Za-z0-9 ,;:.+()…-]*", said), said


@pytest.mark.parametrize("text", LIVE)
def test_what_hosts_would_bring_to_life_is_text(text: str) -> None:
    judge(format_markdown(report([text])))


def test_what_is_shown_is_what_was_said() -> None:
    markdown = format_markdown(report(["see @octocat & <b>#1</b>"]))
    shown = "".join(html5lib.parseFragment(markdown, namespaceHTMLElements=False).itertext())
    assert "see @octocat & <b>#1</b>" in shown


def test_code_begins_on_a_line_of_its_own() -> None:
    assert "```<br><ins>a = 1<br>  b</ins>" in format_markdown(report(["text\n\n    a = 1\n      b"]))


@settings(max_examples=60)
@given(st.lists(st.text(max_size=40) | st.sampled_from([*LIVE, *BREAKS]), min_size=1, max_size=4), st.randoms())
def test_no_text_gets_out_of_its_place(texts: list[str], chance: random.Random) -> None:
    judge(format_markdown(report([*texts, "".join(chance.choice([*LIVE, *BREAKS]) for _ in range(6))])))


def test_however_much_changes_a_comment_has_room_for_it() -> None:
    texts = [f"{number} <&> " + "&" * 400 for number in range(300)]
    markdown = format_markdown(report(texts))
    judge(markdown)
    assert "more" in markdown
    assert "Too much to show here." in markdown
