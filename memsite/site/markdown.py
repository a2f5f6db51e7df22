"""Memory Markdown as safe HTML: CommonMark with tables, strikethrough, task lists, footnotes, callouts; no raw HTML.

Links and images are decided on the parsed tokens, so that no HTML is put together from strings here; the result goes
through the allow-list of `memsite.safety.html` all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from memsite.memory.cutting import HEAD_BYTES, MAX_BYTES
from memsite.memory.source_refs import Citation
from memsite.safety.html import clean_html
from memsite.site.front_matter import split_front_matter
from memsite.site.markdown_anchors import add_headings, add_line_anchors, mark_split, split_tokens
from memsite.site.markdown_budget import TooMuchWorkError, add_addresses, add_budget, spent, steps_of
from memsite.site.markdown_callouts import add_callouts
from memsite.site.markdown_citations import CitationMark, show_citations, take_citations
from memsite.site.markdown_links import Resolve, follow_links
from memsite.site.markdown_names import link_names
from memsite.site.markdown_rules import add_memory_rules
from memsite.site.markdown_sentences import SentenceMark, mark_sentences, read_sentences
from memsite.site.markdown_tasks import add_task_lists
from memsite.site.slugs import Anchors
from memsite.site.spec import Heading
from memsite.site.templating import render_template
from memsite.site.time_limit import unstopped
from memsite.values import dataclass, replace

__all__ = ["RenderedMarkdown", "Resolve", "SentenceMark", "find_sentences", "render_markdown", "split_front_matter"]

MAX_SOURCE = MAX_BYTES
"""Bytes of a text that is rendered as Markdown; a longer one is shown as text, its head only (facts: safety)."""
MAX_GROWTH = 20
"""HTML may be this many times its source; a reference bomb makes 200 MB of 80 KB."""
GROWTH_ALLOWANCE = 50_000
"""Bytes of HTML that any text may make."""
HEAD = HEAD_BYTES
"""Characters shown of a text that is not rendered."""
MAX_NESTING = 60


@dataclass(frozen=True, slots=True)
class RenderedMarkdown:
    """One text as HTML."""

    html: str
    """All of it; of a text that was parted, what follows `above`."""
    headings: tuple[Heading, ...] = ()
    anchors: frozenset[str] = frozenset()
    """Every id in `above` and `html`."""
    title: str = ""
    """Plain text of the first heading of the highest level; empty without headings."""
    plain: str = ""
    """Why the text is shown as it is, unrendered; empty when it was rendered."""
    above: str = ""
    """What stands before the line at which the text was parted."""
    steps: int = 0
    """Of the parser's work, with those that other parts of the file had cost."""
    cited: frozenset[Citation] = frozenset()
    """The source references that stand in it as links."""


@cache
def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING, "xhtmlOut": False})
    md.enable(["table", "strikethrough"])
    md.use(footnote_plugin)
    add_task_lists(md)
    add_budget(md)
    add_addresses(md)
    add_memory_rules(md)
    add_callouts(md)
    return md


def render_markdown(
    text: str,
    *,
    resolve: Resolve,
    line_anchors: bool = False,
    heading_prefix: str = "",
    heading_offset: int = 0,
    first_line: int = 1,
    split: int = 0,
    marks: Sequence[SentenceMark] = (),
    cited: Mapping[Citation, CitationMark] = MappingProxyType({}),
    names: bool = False,
    whole: str = "",
    steps: int = 0,
) -> RenderedMarkdown:
    """Render a text without its front matter (`split_front_matter`).

    `resolve` gets each relative href as the parser has it (percent-encoded, with its fragment), or `[[target]]` for a
    wikilink, and returns the URL to use on this page, or None for a broken one, which stays text of class
    `memsite-broken`. `line_anchors` puts ids `L<n>` (1-based) where blocks start. `heading_prefix` goes before every
    id, for pages of several texts; `heading_offset` moves `#` down by so many levels, no deeper than `######`.
    `first_line` is the number of the text's first line in its file, for a text that is a part of one. `split` parts the
    HTML after that many lines, between two blocks; ids, footnotes and link definitions stay those of one text.
    `marks` go behind the sentences, one for each that `find_sentences` finds. `cited` is shown in place of source
    references; those that it lacks stay text. `names` makes links of topics in bold type and of files that the text
    only names. `steps` is what other parts of the file have cost already: there is one budget for a file.
    A text that is too long, or built to be slow, comes back as escaped text, with a link to `whole`, the href of all
    of it; nothing is raised for content.
    """
    if len(text) > MAX_SOURCE or len(text.encode("utf-8", "surrogatepass")) > MAX_SOURCE:
        return _as_plain_text(text, "This text is too long to be rendered: its beginning, as it is.", whole)
    env = spent(steps)
    line = first_line if line_anchors else None
    try:
        return _render(text, env, resolve, line, heading_prefix, heading_offset, split, marks, cited, names)
    except (TooMuchWorkError, RecursionError):
        plain = _as_plain_text(text, "This text is too complex to be rendered: its beginning, as it is.", whole)
        return replace(plain, steps=steps_of(env))


def find_sentences(text: str, cited: Collection[Citation] = ()) -> tuple[str, ...]:
    """The sentences of a text as a reader sees them, no headings, what is struck in `~~`; none of a text too long.

    The source references of `cited` are no words of it.
    """
    if len(text) > MAX_SOURCE:
        return ()
    try:
        tokens = _parser().parse(text, {})
        if cited:
            take_citations(tokens, cited)
        return tuple(read_sentences(tokens))
    except (TooMuchWorkError, RecursionError):
        return ()


def heading_anchors(text: str) -> frozenset[str] | None:
    """The ids of the headings of a text without its front matter; None of one that is not rendered."""
    if len(text) > MAX_SOURCE:
        return None
    anchors = Anchors()
    try:
        add_headings(_parser().parse(text, spent(0)), anchors)
    except (TooMuchWorkError, RecursionError):
        return None
    return anchors.taken


def _render(
    text: str,
    env: dict[str, Any],
    resolve: Resolve,
    first_line: int | None,
    prefix: str,
    offset: int,
    split: int,
    marks: Sequence[SentenceMark],
    cited: Mapping[Citation, CitationMark],
    names: bool,
) -> RenderedMarkdown:
    md = _parser()
    if prefix:
        env["docId"] = prefix
    tokens = md.parse(text, env)
    taken = take_citations(tokens, cited) if cited else frozenset()
    anchors = Anchors(prefix)
    headings = add_headings(tokens, anchors, offset)
    if marks:
        tokens = mark_sentences(tokens, marks)
    follow_links(tokens, resolve, anchors.taken, prefix)
    if cited:
        show_citations(tokens, cited)
    if names:
        link_names(tokens, resolve)
    if split:
        mark_split(tokens, split)
    if first_line is not None:
        tokens = add_line_anchors(tokens, anchors, first_line)
    limit = len(text) * MAX_GROWTH + GROWTH_ALLOWANCE
    if _size(tokens) > limit:
        raise TooMuchWorkError
    above, html = (md.renderer.render(half, md.options, env) if half else "" for half in split_tokens(tokens))
    if len(above) + len(html) > limit:
        raise TooMuchWorkError
    above, html = (_clean(half) if half else "" for half in (above, html))
    title, steps = _title(headings), steps_of(env)
    return RenderedMarkdown(html, headings, anchors.taken, title, above=above, steps=steps, cited=taken)


_clean = unstopped(clean_html)


def _size(tokens: list[Token]) -> int:
    """Characters of the HTML to come, before it exists."""
    size = 20 * len(tokens)
    for token in tokens:
        size += len(token.content)
        if token.attrs:
            size += sum(len(str(value)) for value in token.attrs.values())
        if token.children:
            size += _size(token.children)
    return size


def _title(headings: tuple[Heading, ...]) -> str:
    return min(headings, key=lambda heading: heading.level).title if headings else ""


def _as_plain_text(text: str, reason: str, whole: str) -> RenderedMarkdown:
    return RenderedMarkdown(plain_html(text, reason, whole), plain=reason)


def plain_html(text: str, reason: str, whole: str) -> str:
    """The beginning of a text as it is, why it is shown so, and a link to `whole`, an href, unless that is empty."""
    return render_template("markdown/plain.html", reason=reason, text=text[:HEAD], whole=whole)
