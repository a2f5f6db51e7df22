"""What sort of statement a line is, by the words that people use: rules, no model, in English and Chinese."""

from __future__ import annotations

import re
from enum import Enum
from functools import reduce

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


_MOST_READ = 2_000
"""Characters of a text that say what sort it is."""
_OPEN = re.compile(
    r"\bopen question|\bstill open\b|\bopen\s*:|\bundecided\b|\bto be decided\b|\bTBD\b|\bto-?do\b"
    r"|\bblocked\b|\bunclear\b|(?:\bnot|n['’]t)\b[^.;!?]{0,80}\byet\b"
    r"|(?:\bnot|\bcannot|n['’]t) (?:\w+ ){0,2}(?:decided?|agreed?|chosen|settled?|sure|clear)\b"
    r"|\b(?:no|without an?|any) (?:\w+ )?(?:decision|agreement)\b"
    r"|\bdecision (?:\w+ )?(?:pending|open|postponed|deferred|due|missing)\b|\bwhether\b"
    r"|\?(?:\s|$)|？|未决|待定|尚未|还没|还未|待办|不确定|是否"
    r"|(?:没有?|未|无法|不能)[^，。；：！？]{0,4}(?:决定|选定|敲定|商定|确定|定下)",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\bdecisions?(?=\s*(?:$|[:：.,;–—-])|\s+(?:is|was|to|made|taken|on|for|that)\b)"
    r"|\bdecide[sd]?\b|\bagreed\b|\bcho(?:se|sen|ose|oses)\b|\bsettled on\b|\bpicked\b|\bopted for\b"
    r"|\b(?:will|shall|wo)(?:n['’]t| not| never) use\b"
    r"|决定(?![性权]|因素)|选定|选择了|选中|敲定|商定|定为|同意|不(?:采用|选用|使用)",
    re.IGNORECASE,
)
"""Words that say themselves that something was decided."""
_CHANGED = re.compile(
    r"\b(?:will|shall|let's|going to) use\b|\bgo(?:ing)? with\b"
    r"|(?<!\bthe )(?<!\ba )(?<!\bthis )\b(?:move|switch|migrate|chang)(?:s|d|es|ed|ing)?\b.{0,60}?\b(?:to|over)\b"
    r"|\binstead\b|\bno longer (?:us|on|with|host|run|need)|\bshould be\b"
    r"|\b(?:removed|dropped|cancell?ed|abandoned|replaced)\b"
    r"|选用|采用|改为|改用|换成|换到|迁移到|取消|不再",
    re.IGNORECASE,
)
"""Words that a decision has, and a mere suggestion too."""
_CLAUSE = re.compile(r"[,;:.!?，；：。！？、]|\s[-–—]\s|\bbut\b|但是?|而是")
_CLAUSE_LENGTH = 200
_DENIED = re.compile(
    r"(?:\b(?:not|never|nobody|none|neither|nor|cannot|without|refused to)\b|n['’]t\b)(?:\s+\w+){0,3}\s*$"
    r"|(?:没有?|未|并未|从未|无法|难以|拒绝|不)[^，。；：！？]{0,4}$",
    re.IGNORECASE,
)
_HYPOTHETIC = re.compile(
    r"\b(?:if|unless|until (?:we|i|you|he|she|they|it)|(?-i:may)|might|could|would|maybe|perhaps|possibly)\b"
    r"|如果|要是|假如|除非|可能|也许|或许|会不会|要不要",
    re.IGNORECASE,
)
_SUGGESTED = re.compile(
    r"\b(?:consider|suggest|propos|discuss|think|thought|imagin|recommend|advis|want)\w*\b"
    r"|考虑|建议|提议|讨论|推荐|想|希望",
    re.IGNORECASE,
)
_PROGRESS = re.compile(
    r"\b(?:published|released|launched|shipped|done|finished|completed?|live|deployed|works?|working|runs?|running|next|now"
    r"|currently|progress|fixed)\b|\bstays? (?:on|with|at)\b"
    r"|发布|上线|完成|正在|进行|目前|现在|终于|下一步|接下来|已经|修复|可用",
    re.IGNORECASE,
)
_REASON = re.compile(r"(?:reason|why|because)\b|原因|理由|因为", re.IGNORECASE)
_LABEL = re.compile(
    r"(?P<label>[A-Z][A-Za-z -]{2,24}|[\u4e00-\u9fff]{2,8})[:：]\s*(?P<value>(?:none|no) ?\b.*|[^\s a-z].*)"
)
_MOST_LABEL = 2
_NO_DECISION_WORDS = """
note reason goal goals lesson question idea ideas next todo status remember update example problem risk new project
attendees participants present date day time place location author weather mood from subject owner due deadline link
source url version contact price cost duration agenda topic summary context background result results done blocked
blockers mention mentioned who what when where how tomorrow today yesterday meeting call lunch dentist reminder
原因 理由 目标 备注 问题 想法 状态 教训 注意 例如 风险 新项目 时间 地点 天气 心情 参加 参加者 参与者 负责人 链接 来源
版本 结果 背景 总结 主题 日期 截止 价格 联系人 提醒 会议 今天 明天 昨天 下一步 进展 待办
"""
_NO_DECISION = frozenset(_NO_DECISION_WORDS.split())
"""Labels behind which something else stands than what was chosen."""
_NO_CHOICE = re.compile(
    r"(?:not|maybe|perhaps|probably|possibly|either)\b|可能|也许|或许|没有|还没|大概", re.IGNORECASE
)

_NAME = r"[A-Z0-9][\w.+#-]*(?: [A-Z][\w.+#-]*){0,3}"
_GONE = r"(?:removed|dropped|cancell?ed|abandoned|replaced)"
_LEFT = (
    re.compile(rf"\bfrom (?P<name>{_NAME}) (?:over )?to\b"),
    re.compile(rf"(?P<name>{_NAME}) (?:is|was|are|were|has been|have been) {_GONE}\b"),
    re.compile(rf"(?P<name>{_NAME}) {_GONE}(?=[;,.:!。；，]|$)"),
    re.compile(
        rf"\b(?:instead of|in place of|replac(?:es|ed|ing)|no longer(?: on| uses?| with)?|away from) (?P<name>{_NAME})"
    ),
    re.compile(
        r"从\s*(?P<name>[^，。；：！？\s][^，。；：！？]{0,30}?)\s*(?:切换|迁移|更换|搬|换|转|改|迁)(?:到|成|为|至)"
    ),
    re.compile(r"(?:不再使用|不再用|取代了?|代替了?|弃用|停用)\s*(?P<name>[^，。；：！？\s]{1,30})"),
)
"""What a statement says that one has gone away from."""
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


def sort_of(text: str) -> Sort:
    """What a statement does. What is open is never a decision, whatever words it uses; nor is what is denied, supposed
    or merely suggested. A question that the same statement answers is none."""
    said = [(one.text, _sort_of_sentence(one.text)) for one in split_sentences([text[:_MOST_READ]])]
    answers = [sort is not Sort.OPEN for _, sort in said[1:]] + [False]
    asked = [is_answered and is_question(one) for (one, _), is_answered in zip(said, answers, strict=bool(said))]
    sorts = [sort for (_, sort), is_asked in zip(said, asked, strict=True) if not is_asked]
    return reduce(joined_sort, sorts) if sorts else Sort.FACT


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
    if _OPEN.search(text):
        return Sort.OPEN
    if _says_decided(text) or _is_choice(text):
        return Sort.DECISION
    return Sort.PROGRESS if _PROGRESS.search(text) else Sort.FACT


def _says_decided(text: str) -> bool:
    """Whether something is decided or changed, and that neither denied nor left to an `if`."""
    return any(
        not any(unmade.search(before) for unmade in unmakers)
        for pattern, unmakers in ((_DECIDED, (_DENIED, _HYPOTHETIC)), (_CHANGED, (_DENIED, _HYPOTHETIC, _SUGGESTED)))
        for match in pattern.finditer(text)
        for before in (_CLAUSE.split(text[max(match.start() - _CLAUSE_LENGTH, 0) : match.start()])[-1],)
    )


def is_decided(text: str) -> bool:
    """Whether any sentence of a text says what was decided."""
    return any(_sort_of_sentence(one.text) is Sort.DECISION for one in split_sentences([text[:_MOST_READ]]))


def _is_choice(text: str) -> bool:
    """`Hosting: Vercel`, `Comments: Giscus, because …`."""
    label = _LABEL.match(text)
    words = fold(label["label"]).split() if label else []
    named = 0 < len(words) <= _MOST_LABEL and not _NO_DECISION.intersection(words)
    return named and not (label and _NO_CHOICE.match(label["value"]))


def is_explicit(text: str) -> bool:
    """Whether a statement calls itself a decision."""
    return re.search(r"\bdecision\b|\bdecided\b|决定", text, re.IGNORECASE) is not None


def asks_for_decision(text: str) -> bool:
    """Whether something open waits for a decision, rather than for an answer or for work."""
    return re.search(r"\bdecid|\bwhich\b|\bchoose\b|决定|未决|待定|哪|什么", text, re.IGNORECASE) is not None


def names_left(text: str) -> tuple[str, ...]:
    """The things that a decision goes away from: `from Next.js to Astro`, `Giscus removed`, 从 Vercel 迁移到 …."""
    found = (match["name"].strip() for pattern in _LEFT for match in pattern.finditer(text))
    return tuple(dict.fromkeys(name for name in found if name))


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
