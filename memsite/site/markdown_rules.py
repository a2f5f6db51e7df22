"""What memory Markdown adds to CommonMark: comments are hidden, private marks are not, `[[wikilinks]]`, CJK's needs."""

from __future__ import annotations

import re
from bisect import bisect_left

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token

from memsite.memory.private_marks import read_mark
from memsite.prose.tokens import is_wide

MAX_WIKILINK = 400
"""Characters between `[[` and `]]`; longer ones are text."""
_WIDTH = re.compile(r"[0-9]+(?:x[0-9]+)?")
"""What stands for the size of an embedded image where others have a label."""
_UNCLOSED = "memsite_unclosed_comment"
_NO_COMMENT_END = -1


def add_memory_rules(md: MarkdownIt) -> None:
    """Install the rules of this module into a parser."""
    md.core.ruler.after("inline", "memsite_cells", _align_cells)
    md.block.ruler.before(
        "blockquote", "memsite_comment", _comment_block, {"alt": ["paragraph", "reference", "blockquote"]}
    )
    md.inline.ruler.before("autolink", "memsite_comment", _comment_inline)
    md.inline.ruler.before("link", "memsite_wikilink", _wikilink)
    md.inline.ruler.before("image", "memsite_embed", _embed)
    md.inline.ruler.before("emphasis", "memsite_emphasis", _emphasis)


def _align_cells(state: StateCore) -> None:
    """Alignment as an attribute: the Content-Security-Policy forbids `style`."""
    for token in state.tokens:
        if token.type in ("th_open", "td_open") and "style" in token.attrs:
            token.attrs = {"align": str(token.attrs["style"]).removeprefix("text-align:")}


def _comment_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A comment that fills whole lines, blank ones inside it included. An unclosed one is text, not the rest hidden."""
    start = state.bMarks[start_line] + state.tShift[start_line]
    if state.is_code_block(start_line) or not state.src.startswith("<!--", start) or _UNCLOSED in state.env:
        return False
    close = state.src.find("-->", start + 4)
    if close < 0:
        state.env[_UNCLOSED] = start
        return False
    line = bisect_left(state.eMarks, close)
    if line >= end_line or state.src[close + 3 : state.eMarks[line]].strip():
        return False
    if not silent:
        if mark := read_mark(state.src[start : close + 3]):
            token = state.push("hr", "hr", 0)
            token.map = [start_line, line + 1]
            token.attrs = {"class": f"memsite-private-{mark}"}
        state.line = line + 1
    return True


def _comment_inline(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("<!--", state.pos) or _NO_COMMENT_END in state.cache:
        return False
    close = state.src.find("-->", state.pos + 4)
    if close < 0:
        state.cache[_NO_COMMENT_END] = state.pos
        return False
    mark = "" if silent else read_mark(state.src[state.pos : close + 3])
    if mark:
        state.push("private_open", "span", 1).attrs = {"class": f"memsite-private-{mark}"}
        state.push("private_close", "span", -1)
    state.pos = close + 3
    return True


def _wikilink(state: StateInline, silent: bool) -> bool:
    """`[[target]]` or `[[target|label]]`; becomes a link whose href is `[[target]]`."""
    found = _read_wikilink(state, state.pos) if state.linkLevel <= 0 else None
    if found is None:
        return False
    target, label, end = found
    if not silent:
        opening = state.push("link_open", "a", 1)
        opening.attrs = {"href": f"[[{target}]]"}
        state.push("text", "", 0).content = label or target
        state.push("link_close", "a", -1)
    state.pos = end
    return True


def _embed(state: StateInline, silent: bool) -> bool:
    """`![[target]]`, perhaps with `|label` or `|width`; becomes an image whose src is `[[target]]`."""
    found = _read_wikilink(state, state.pos + 1) if state.src[state.pos] == "!" else None
    if found is None:
        return False
    target, label, end = found
    if not silent:
        words = target if not label or _WIDTH.fullmatch(label) else label
        image = state.push("image", "img", 0)
        image.attrs = {"src": f"[[{target}]]", "alt": ""}
        image.content = words
        image.children = [Token("text", "", 0, content=words)]
    state.pos = end
    return True


def _read_wikilink(state: StateInline, start: int) -> tuple[str, str, int] | None:
    """Target, label and end of the `[[…]]` that begins at `start`; None where there is none."""
    if not state.src.startswith("[[", start):
        return None
    close = state.src.find("]]", start + 2, start + 2 + MAX_WIKILINK)
    inner = state.src[start + 2 : close] if close >= 0 else ""
    target, _, label = inner.partition("|")
    if not target.strip() or "[" in inner or "\n" in inner:
        return None
    return target.strip(), label.strip(), close + 2


def _emphasis(state: StateInline, silent: bool) -> bool:
    """`**重要：**内容` is strong.

    CommonMark asks for a space between a sign and the letters behind the `**`; Chinese, Japanese and Korean have none.
    """
    if silent or state.src[state.pos] != "*":
        return False
    run = state.scanDelims(state.pos, True)
    before = state.src[state.pos - 1] if state.pos else " "
    end = state.pos + run.length
    behind = state.src[end] if end < state.posMax else " "
    if not (_is_east_asian(before) or _is_east_asian(behind)):
        return False
    for _ in range(run.length):
        state.push("text", "", 0).content = "*"
        opens, closes = not behind.isspace(), not before.isspace()
        state.delimiters.append(Delimiter(ord("*"), run.length, len(state.tokens) - 1, -1, opens, closes))
    state.pos = end
    return True


def _is_east_asian(character: str) -> bool:
    return is_wide(character) or "\uac00" <= character <= "\ud7a3"
