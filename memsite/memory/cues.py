"""What sort of statement a line is, by the words that people use: rules, no model, in English and Chinese."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache, reduce

from memsite.memory.deciding import decides, is_pending, leaves_open
from memsite.memory.query import CJK, fold, is_cjk
from memsite.memory.sentences import split_sentences


class Sort(Enum):
    """What a statement does."""

    OPEN = "open"
    """It asks, or leaves something undecided."""
    DECISION = "decision"
    PROGRESS = "progress"
    """It says what has been done, or where things stand."""
    REASON = "reason"
    """It gives the reason for what was said before it."""
    FACT = "fact"


_BOX = re.compile(r"\[([ xX])\](?:\s+|$)")
"""How a task begins that is open, or ticked."""
_MOST_READ = 2_000
"""Characters of a text that say what sort it is."""
_PROGRESS = re.compile(
    r"\b(?:published|released|launched|shipped|done|finished|completed?|live|deployed|works?|working|runs?|running|next|now"
    r"|currently|progress|fixed)\b|\bstays? (?:on|with|at)\b"
    r"|发布|上线|完成|正在|进行|目前|现在|终于|下一步|接下来|已经|修复|可用",
    re.IGNORECASE,
)
_REASON = re.compile(r"(?:reason|why|because)\b|原因|理由|因为", re.IGNORECASE)
_WORD = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:[.+#-][^\W_{CJK}]+)*")
_COMMON_WORDS = """
about after again also and any anyway are away because been before but can each for from get has have how into its just
keep kept like made make more most much need needs new not now off one only open other out over same see some still than
that the them then there these they this those too two under use uses very want wants was week were what when which
while who will with without year yet you your decision decided question
这个 那个 我们 可以 需要 已经 没有 还没 决定 使用 一个 因为 所以 问题 方案 什么 怎么
"""
_COMMON = frozenset(_COMMON_WORDS.split())
"""Words that two statements share without being about the same thing."""


@lru_cache(maxsize=4096)  # a question is held against every later statement
def sort_of(text: str) -> Sort:
    """What a statement does. What is open is never a decision, whatever words it uses; nor is what is denied, supposed
    or merely suggested. A question that the same statement answers is none. A task is open as long as its box is."""
    if is_open_task(text):
        return Sort.OPEN
    if (bare := without_box(text)) != text:
        return Sort.PROGRESS if sort_of(bare) is Sort.OPEN else sort_of(bare)
    said = [(one.text, _sort_of_sentence(one.text)) for one in split_sentences([text[:_MOST_READ]])]
    answers = [sort is not Sort.OPEN for _, sort in said[1:]] + [False]
    asked = [is_answered and is_question(one) for (one, _), is_answered in zip(said, answers, strict=bool(said))]
    sorts = [sort for (_, sort), is_asked in zip(said, asked, strict=True) if not is_asked]
    return reduce(joined_sort, sorts) if sorts else Sort.FACT


def is_open_task(text: str) -> bool:
    """Whether it is a task whose box is not ticked: `[ ] write the post`."""
    box = _BOX.match(text)
    return box is not None and box[1] == " "


def without_box(text: str) -> str:
    """A task without its box; any other text as it is."""
    box = _BOX.match(text)
    return text[box.end() :] if box else text


def joined_sort(before: Sort, after: Sort) -> Sort:
    """What two sentences do together."""
    if before is Sort.REASON:
        return before
    return next((sort for sort in (Sort.OPEN, Sort.DECISION, Sort.PROGRESS) if sort in {before, after}), Sort.FACT)


def is_question(text: str) -> bool:
    """Whether it asks."""
    return text.rstrip("\"'”’）)*_ ").endswith(("?", "？"))


def _sort_of_sentence(text: str) -> Sort:
    if _REASON.match(text):
        return Sort.REASON
    if leaves_open(text):
        return Sort.OPEN
    if decides(text):
        return Sort.DECISION
    if is_pending(text):
        return Sort.OPEN
    return Sort.PROGRESS if _PROGRESS.search(text) else Sort.FACT


def is_decided(text: str) -> bool:
    """Whether any sentence of a text says what was decided."""
    return any(_sort_of_sentence(one.text) is Sort.DECISION for one in split_sentences([text[:_MOST_READ]]))


def is_explicit(text: str) -> bool:
    """Whether a statement calls itself a decision."""
    return re.search(r"\bdecision\b|\bdecided\b|决定", text, re.IGNORECASE) is not None


def asks_for_decision(text: str) -> bool:
    """Whether something open waits for a decision, rather than for an answer or for work."""
    return re.search(r"\bdecid|\bwhich\b|\bchoose\b|决定|未决|待定|哪|什么", text, re.IGNORECASE) is not None


def telling_words(text: str) -> frozenset[str]:
    """The words that tell two statements apart: longer words, and pairs of CJK characters."""
    found: set[str] = set()
    for word in _WORD.findall(fold(text)):
        if is_cjk(word):
            found.update(word[index : index + 2] for index in range(len(word) - 1))
        elif len(word) > 3 or any(char.isdigit() for char in word):
            found.add(word)
    return frozenset(found - _COMMON)


def has_name(text: str, name: str) -> bool:
    """Whether a text names a thing, as a word of its own."""
    folded = re.escape(fold(name))
    before = "" if is_cjk(fold(name)) else rf"(?<![^\W_{CJK}])"
    after = "" if is_cjk(fold(name)[-1:]) else rf"(?![^\W_{CJK}])"
    return re.search(before + folded + after, fold(text)) is not None
