"""One line of memory Markdown as the words that a reader sees, and which of them are code, strong, part of a link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from memsite.site.markdown_budget import MAX_STEPS, TooMuchWorkError, add_budget, spent
from memsite.site.markdown_rules import add_memory_rules
from memsite.values import dataclass

MAX_READ = 20_000
"""Characters of a line that is read; a longer one stays as it is."""
STEPS = 5_000
"""Of the parser's, for any line, and two for each character: a text has many lines."""
MAX_KEPT = 8192
"""Lines that are kept: from one revision of INDEX.md to the next nearly all are the same."""
MAX_NESTING = 60
_PLAIN = re.compile(r"(?:[^\\`~*_\[!<&\r\n\0]|!(?!\[)|\[[^\\`~*_\[\]!<&\r\n\0]*+\](?![\[(]))*+")
"""A line without Markdown: brackets lead nowhere, and an index has hundreds of dates in them on one line."""
MARKS = {"em_open": "em", "strong_open": "strong", "s_open": "s", "link_open": "link"}


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring characters with the same marks."""

    text: str
    marks: tuple[str, ...] = ()
    """Of `strong`, `em`, `s`, `link`, `code`, the outermost first, each once."""


@dataclass(frozen=True, slots=True)
class Inline:
    """A line without its Markdown."""

    runs: tuple[Run, ...]
    targets: tuple[str, ...] = ()
    """Where its links and images lead, as written, in order."""

    @property
    def text(self) -> str:
        """The words alone."""
        return "".join(run.text for run in self.runs)

    def part(self, start: int, end: int) -> Iterator[Run]:
        """The runs of the characters from `start` to `end` of `text`."""
        at = 0
        for run in self.runs:
            text = run.text[max(start - at, 0) : max(end - at, 0)]
            if text:
                yield Run(text, run.marks)
            at += len(run.text)


@cache
def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable("strikethrough")
    add_budget(md)
    add_memory_rules(md)
    md.inline.ruler.disable("memsite_comment")  # a marker that came or went is something to see
    return md


@lru_cache(MAX_KEPT)
def read_inline(text: str) -> Inline:
    """Read one line. What is too long, or built to keep a parser busy, stays as it is."""
    if len(text) > MAX_READ or _PLAIN.fullmatch(text):
        return Inline((Run(text),) if text else ())
    try:
        (token,) = _parser().parseInline(text, spent(MAX_STEPS - STEPS - 2 * len(text)))
    except (TooMuchWorkError, RecursionError):
        return Inline((Run(text),))
    children = token.children or []
    return Inline(tuple(_joined(_runs(children))), tuple(_targets(children)))


def _runs(tokens: Iterable[Token]) -> Iterator[Run]:
    open_: list[str] = []
    for token in tokens:
        if token.type in MARKS:
            open_.append(MARKS[token.type])
        elif token.nesting < 0:
            open_.pop()
        elif token.type == "code_inline":
            yield Run(token.content, (*dict.fromkeys(open_), "code"))
        else:
            text = " " if token.type in ("softbreak", "hardbreak") else token.content
            yield Run(text, tuple(dict.fromkeys(open_)))


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    last = Run("")
    for run in runs:
        if not run.text:
            continue
        if last.text and run.marks == last.marks:
            last = Run(last.text + run.text, run.marks)
            continue
        if last.text:
            yield last
        last = run
    if last.text:
        yield last


def _targets(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("link_open", "image"):
            yield str(token.attrs.get("href", token.attrs.get("src", "")))
