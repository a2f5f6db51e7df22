"""What ends an earlier statement: a decision that goes away from what it chose, an answer to it.

Rules, no model, in English and Chinese. In doubt a question stays open, and an earlier decision stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from memsite.memory.cues import Sort, asks_for_decision, has_name, sort_of, telling_words
from memsite.memory.deciding import is_choice_word
from memsite.memory.query import CJK, fold, is_cjk
from memsite.memory.sentences import split_sentences

_NAME = r"[A-Z0-9][\w.+#-]*(?: [A-Z][\w.+#-]*){0,3}"
_GONE = r"(?:removed|dropped|cancell?ed|abandoned|replaced|scrapped|ditched|retired)"
_AFTER = (
    r"(?=\.?(?:[;,:!?)。；，！？]|\.?$|\.\s)|\s+(?:and|but|for|from|in|on|as|because|since|again|now|any|anymore|instead|after"
    r"|altogether|entirely|today|too|so|then)\b)"
)
"""What follows a name that stands alone: the Hugo theme is not Hugo."""
_AWAY = (
    r"(?:drop(?:s|ped|ping)?|remov(?:es?|ed|ing)|abandon(?:s|ed|ing)?|ditch(?:es|ed|ing)?|scrap(?:s|ped|ping)?"
    r"|retir(?:es?|ed|ing)|cancel(?:s|l?ed|l?ing)?|(?:stop|stops|stopped|quit) using|(?:get|got) rid of|away from"
    r"|(?:[Dd]ecid(?:e|ed) )?against|(?:not|never|n['’]t) (?:to )?use)"
)
_ZH_END = r"(?=\s*(?:了|啦)?\s*(?:[，。；：！？,;.!?、)）]|$|改|而|换|转))"
_ZH_NAME = r"(?P<name>[^\s了，。；：！？,;!?、][^，。；：！？,;!?、]{0,30}?)"
_LEFT = (
    re.compile(rf"\bfrom (?P<name>{_NAME}) (?:over )?to\b"),
    re.compile(rf"(?P<name>{_NAME}) (?:is|was|are|were|has been|have been) {_GONE}\b"),
    re.compile(rf"(?P<name>{_NAME}) {_GONE}(?=[;,.:!。；，]|$)"),
    re.compile(
        rf"\b(?:instead of|in place of|replac(?:es|ed|ing)|no longer(?: on| uses?| with)?|away from) (?P<name>{_NAME})"
    ),
    re.compile(rf"\b(?:{_AWAY}|[Nn]o(?: more)?) (?P<name>{_NAME}){_AFTER}"),
    re.compile(
        r"从\s*(?P<name>[^，。；：！？\s][^，。；：！？]{0,30}?)\s*(?:切换|迁移|更换|搬|换|转|改|迁)(?:到|成|为|至)"
    ),
    re.compile(r"(?:取代了?|代替了?)\s*(?P<name>[^，。；：！？\s]{1,30})"),
    re.compile(
        rf"(?:不再?(?:使用|采用|选用|需要|用|要)|弃用|停用|放弃|去掉|移除|删除|删掉|撤掉|砍掉|淘汰)了?\s*{_ZH_NAME}{_ZH_END}"
    ),
    re.compile(
        rf"(?P<name>{_NAME})\s*(?:已经?|被)*\s*(?:不再?用了?|弃用|停用|放弃|去掉|移除|删除|删掉|撤掉|取消)(?:了|{_ZH_END})"
    ),
)
"""What a statement says that one has gone away from."""
_REASON = re.compile(
    r"[,，;；]?\s*(?:\b(?:because|since|so that|so|as|due to|in order)\b|因为|由于|以便|原因|理由).*", re.IGNORECASE
)
_PART = re.compile(r"[,;，；、。]|\s[-–—+&]\s|\band\b|\bon\b|\bwith\b|和|与|及|并且|并|以及", re.IGNORECASE)
_LEANS = re.compile(r"(?:it|its|this|that|these|those|they|which|它|这|那|其)\b|[它这那其]", re.IGNORECASE)
_CASED = re.compile(r"(?<![\w.])[A-Z][\w.+#-]*|(?<![\w.])[a-z]+[A-Z0-9.][\w.+#-]*\w")
_NO_NAME_WORDS = """
a an the we i you he she it they our my for in at by as so then also and but not no use uses using keep let finally now
final decision decided agreed chosen after before when since until today yesterday new first last all every
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december
"""
_NO_NAMES = frozenset(_NO_NAME_WORDS.split())
"""What may begin with a capital letter and names nothing."""
_FILLER = re.compile(
    r"决定|使用|采用|选用|选择|选定|敲定|我们|大家|最终|终于|先|会|将|了|上|用|的|是"
    r"|\b(?:finally|stays?|hosted|hosting|moved?|moves|chose|chosen|picked|settled|agreed|going|will|let['’]?s|meeting|today"
    r"|yesterday|after|from|runs?|built|static)\b",
    re.IGNORECASE,
)
"""Words of deciding itself: they say nothing of what was chosen."""
_ASKING = re.compile(
    r"open question|still open|undecided|\bopen\b|\bblocked\b|\bwaiting\b|\bdecid\w*|\bchoose\b|\bboth\b|\bacross\b"
    r"|待定|未决|尚未|还没有?|还未|没有|需要|是否|什么|哪个|怎么|还|吗|呢|不确定|待办|决定",
    re.IGNORECASE,
)
"""Words of asking itself."""
_NOT = re.compile(r"\b(?:not|no|never|cannot|without|still)\b|n['’]t\b|没|未|不|仍|还", re.IGNORECASE)


@lru_cache(maxsize=4096)
def names_left(text: str) -> tuple[str, ...]:
    """The things that a decision goes away from: `from Next.js to Astro`, `Giscus removed`, 不用 Vercel 了."""
    found = (match["name"].strip().rstrip(".") for pattern in _LEFT for match in pattern.finditer(text))
    return tuple(dict.fromkeys(name for name in found if name))


def holds_more(text: str, gone: Collection[str], topic_names: Collection[str]) -> bool:
    """Whether a decision says more than that it chose what is `gone`: another name, or a part that does not name it.

    `topic_names` are the topic's own; reasons are no decision.
    """
    left = {fold(name) for name in (*gone, *names_left(text))}
    return any(_is_more(part, left, topic_names) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    """The parts of a decision that each may choose something."""
    for sentence in _own_sentences(text):
        yield from (part for part in _PART.split(sentence) if part.strip(" .!。！:："))


def _own_sentences(text: str) -> Iterator[str]:
    """The sentences of a decision without its reasons, and without those that only go on about it."""
    for index, one in enumerate(split_sentences([text])):
        if sort_of(one.text) is not Sort.REASON and not (index and _LEANS.match(one.text)):
            yield _REASON.sub("", one.text)


def _is_more(part: str, left: Collection[str], topic_names: Collection[str]) -> bool:
    bare = _without_names(_FILLER.sub(" ", part), topic_names)
    if not any(has_name(part, name) for name in left):
        return bool(_words(bare) or _names(bare))
    rest = _without_names(part, (*topic_names, *left))
    return bool(_names(rest))


def _names(text: str) -> frozenset[str]:
    """Words that look like names; not a label of what one chooses from, nor how a sentence begins."""
    found = (fold(match[0].rstrip(".")) for match in _CASED.finditer(text))
    return frozenset(name for name in found if name not in _NO_NAMES and not is_choice_word(name))


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in telling_words(text) if word not in _NO_NAMES and not is_choice_word(word))


def _without_names(text: str, names: Collection[str]) -> str:
    """A text without some names: of one that is written in CJK characters, without each pair of them."""
    bare = fold(text) if not _CASED.search(text) else text
    for name in sorted(names, key=len, reverse=True):
        pieces = [name, *(name[index : index + 2] for index in range(len(name) - 1))] if is_cjk(name) else [name]
        for piece in pieces:
            pattern = re.escape(piece).replace(r"\-", r"[\s_-]+")
            edges = ("", "") if is_cjk(piece) else (rf"(?<![^\W_{CJK}])", rf"(?![^\W_{CJK}])")
            bare = re.sub(edges[0] + pattern + edges[1], " ", bare, flags=re.IGNORECASE)
    return bare


def is_answer(question: str, answer: str, topic_names: Collection[str]) -> bool:
    """Whether a later statement says what an open one asks, or that what it waits for is there.

    They must have most of their telling words in common, the topic's names aside. What waits for a decision ends with a
    decision; a mere fact has all the words, and denies nothing. What asks about a thing ends when that is given up.
    """
    sort = sort_of(answer)
    if sort is Sort.DECISION and any(has_name(question, name) for name in names_left(answer)):
        return True
    asked, said = about(question, topic_names), about(answer, topic_names)
    common = asked & said
    if not common or sort is Sort.OPEN:
        return False
    if sort is Sort.DECISION:
        return _is_most(common, asked, said)
    if _NOT.search(answer) or asks_for_decision(question):
        return False
    return _is_most(common, asked, said) if sort is Sort.PROGRESS else len(common) > 1 and common == asked


def is_bare_choice(text: str, topic_names: Collection[str]) -> bool:
    """Whether a decision says nothing but a name, so that what it answers must be asked elsewhere: `Decision: Hugo.`"""
    bare = _without_names(_FILLER.sub(" ", " ".join(_own_sentences(text))), topic_names)
    names = _names(bare)
    words = {word for word in _words(bare) if not any(word in name for name in names)}
    return bool(names) and not words


def about(text: str, topic_names: Collection[str]) -> frozenset[str]:
    """The telling words of a statement, without the topic's names and those of asking."""
    return _about(text, tuple(topic_names))


@lru_cache(maxsize=4096)
def _about(text: str, topic_names: tuple[str, ...]) -> frozenset[str]:
    return telling_words(_ASKING.sub(" ", _without_names(text, topic_names)))


def _is_most(common: Collection[str], asked: Collection[str], said: Collection[str]) -> bool:
    both = len(asked) + len(said)
    half = 2 * len(common) >= len(asked) or len(common) == len(said)
    return 2 * len(common) > both / 2 or (len(common) > 1 and half)
