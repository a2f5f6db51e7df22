"""Text that stands for text which nobody has written yet: `TODO`, `[fill in]`, `<...>`, the words of a template."""

from __future__ import annotations

import re

from memsite.memory.code_spans import without_code_spans
from memsite.memory.outline import plain_text
from memsite.memory.source_refs import without_source_refs
from memsite.patterns import late

_LONGEST = 200
"""Characters; a longer line says something."""

_WORD = r"to ?do|tb[dc]|fix ?me|xxx+|placeholder|to be (?:filled in|written)|待补充?|待填写?|待写|待完善|占位符?"
_TASK = (
    r"(?:to ?do|tb[dc]|fix ?me)\W+(?:write|fill in|complete|describe|summari[sz]e|add)"
    r"(?: me| it| in)?(?: (?:the|this))?(?: (?:text|here|body|rest|section|summary|(?:key )?points?"
    r"|decisions?(?: made)?|(?:current )?status|(?:source )?references?|sources?))?"
)
_TEMPLATE = (
    r"(?:point|decision) [0-9]+|(?:the )?compiled narrative of (?:the whole topic|all covered periods)"
    r"|where things stand(?: now)?(?:, and what is open)?|what happened|what it says|what holds now"
    r"|key info from previous consolidation|lorem ipsum.*"
)
"""What the seed's structure and the brief say in the place of an answer."""
_WHOLE = late(rf"(?:{_WORD}|{_TASK}|{_TEMPLATE}|\.{{2,}}|…+|\?{{2,}}|_{{2,}})", re.IGNORECASE)
_BRACKETED = late(rf"\[[^\[\]]*\]|<[^<>]*>|\{{+[\w\s.…-]*\}}+|\((?:{_WORD})\)", re.IGNORECASE)
_LABEL = late(r"(?:gen ?[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}\S*?)(?::\s|：)\s*")
_KEPT = late(r"\[redacted:|\[\^|\[[ xX]\]|<[^<>\s]+(?:@|:)[^<>\s]*>")
"""What brackets hold that is not to be filled in: what was a secret, a footnote, a box, an address."""
_HTML = late(
    r"</?(?:a|abbr|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|s|small"
    r"|span|strong|su[bp]|summary|table|tbody|td|th|thead|tr|u|ul)(?:\s+[\w-]+=[^<>]*)?\s*/?>",
    re.IGNORECASE,
)
_GAP = late(
    rf"(?<![\w`])(?:\[(?:{_WORD}|fill (?:me |it |this )?in\b[^\[\]]*|insert\b[^\[\]]* here)\]"
    rf"|<(?:{_WORD}|\.{{2,}}|…|fill (?:me |it |this )?in\b[^<>]*|insert\b[^<>]* here)>)(?!\()",
    re.IGNORECASE,
)


def has_gap(text: str) -> bool:
    """Whether a place in a text is marked as one that is to be filled in. Code spans are only text."""
    return _GAP.search(without_code_spans(text)) is not None


def is_placeholder(text: str) -> bool:
    """Whether a statement, without its bullet, says nothing of its own; one of a source: what follows its label."""
    if len(text) > _LONGEST:
        return False
    bare = plain_text(without_source_refs(text.strip()))
    return any(map(_stands_for_text, (bare, _LABEL.sub("", bare, count=1))))


def _stands_for_text(text: str) -> bool:
    bare = text.strip(" \t\"'“”")
    if _BRACKETED.fullmatch(bare.rstrip(".:：。!")) and not _KEPT.match(bare) and not _HTML.match(bare):
        return True
    words = bare.rstrip(".:：。!… ") or bare
    return _WHOLE.fullmatch(words) is not None
