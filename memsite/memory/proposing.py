"""New topics that a day's text suggests, each with the line that made it so (seed, "Index Maintenance").

Rules, no model: what people write when a project begins, something happens, a decision falls or a preference is said,
in English and Chinese; and headings and wikilinks that come back on several days. A person accepts or lets it be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from memsite.config import Config
from memsite.memory.cues import is_decided
from memsite.memory.mentions import Passage
from memsite.memory.model import Memory
from memsite.memory.names import slugify
from memsite.memory.outline import plain_text
from memsite.memory.query import CJK, fold, is_cjk
from memsite.memory.struck import without_struck
from memsite.values import dataclass, replace

_CUES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (category, re.compile(pattern, re.IGNORECASE))
    for category, pattern in (
        ("Projects", r"\bnew project\b(?: called| named| is)?\s*[:：,]?\s*(?P<name>.+)"),
        ("Projects", r"^project\s*[:：]\s*(?P<name>.+)"),
        (
            "Projects",
            r"\b(?:start(?:ed|ing)?|beg[aiu]n(?:ning)?|kick(?:ed|ing)? off)(?: work(?:ing)? on)?"
            r"(?: an?| the| our| my)?(?: new)? (?P<name>[^.,;:!?\n]{2,60}?) project\b",
        ),
        ("Projects", r"\bproject (?:called|named) (?P<name>.+)"),
        ("Projects", r"新项目(?:叫|是)?\s*[:：，]?\s*(?P<name>.+)"),
        ("Projects", r"^项目\s*[:：]\s*(?P<name>.+)"),
        ("Projects", r"(?:启动|开始|创建|新建)(?:做)?了?(?:一个)?(?:新的?)?(?P<name>[^，。；：！？\s]{1,20}?)项目"),
        ("Major Events", r"^(?:event|milestone)\s*[:：]\s*(?P<name>.+)"),
        ("Major Events", r"\b(?:we|i|they) (?:have )?(?:just )?(?:released|launched|published|shipped) (?P<name>.+)"),
        ("Major Events", r"^(?:released|launched|published|shipped) (?P<name>.+)"),
        ("Major Events", r"^(?:事件|里程碑)\s*[:：]\s*(?P<name>.+)"),
        ("Major Events", r"(?:发布|上线|推出)了(?P<name>.+)"),
        ("Decisions", r"\bdecision\s*[:：]\s*(?P<name>.+)"),
        ("Decisions", r"\b(?:decided|agreed) (?:to|on|that) (?P<name>.+)"),
        ("Decisions", r"决定\s*[:：]?了?(?:使用|采用|用)?\s*(?P<name>.+)"),
        ("Preferences", r"\bpreference\s*[:：]\s*(?P<name>.+)"),
        ("Preferences", r"\b(?:prefers?|always wants?) (?P<name>.+)"),
        ("Preferences", r"(?:偏好|更喜欢)\s*[:：]?(?P<name>.+)"),
    )
)
_END = re.compile(
    r"[.,;:!?()\[\]\"“”。，；：！？（）【】]|因为|以便"
    r"|\s(?:because|since|for|with|using|so|and then|instead|over|in order)\s"
)
_WORD = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
_EMPTY_WORDS = """
a an the to of on in at by and or is are be we i you it my our your their his her this that use using used make
making made build building built create creating created write writing written develop developing set up setting
new some will shall should would go going with from as into project projects 我们 一个 项目
"""
_PLAIN_WORDS = """
notes note summary todo todos tasks task done log today tomorrow yesterday morning afternoon evening plan plans
decisions decision events event preferences context conversation conversation-summary session sessions next
next-steps open-questions questions ideas misc other progress status key-points highlights links references
light-sleep deep-sleep rem-sleep what-happened retrospective 今天 总结 待办 计划 决定 笔记 进展
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
"""Words that tell nothing about a topic."""
PLAIN_HEADINGS = frozenset(_PLAIN_WORDS.split())
"""Headings that any day may have."""
MOST_WORDS, _MOST_CJK = 4, 12
_LOOK_BACK = timedelta(days=30)
_MOST = 10
_MOST_TEXT = 2_000
WIKILINK = re.compile(r"\[\[([^\[\]|#\n]{2,80})(?:[|#][^\[\]\n]*)?\]\]")
_HEADING_LEVELS = range(2, 5)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A topic that may be worth keeping."""

    slug: str
    category: str
    passage: Passage
    """The line that made it so."""
    dates: tuple[date, ...]


def propose_topics(
    memory: Memory, day: date, passages: Sequence[Passage], taken: Iterable[Passage], config: Config
) -> tuple[Proposal, ...]:
    """At most ten topics that INDEX.md does not have; a line in `taken` speaks of one that it has: it proposes none."""
    lines = {(passage.path, passage.line) for passage in taken}
    free = [_unstruck(passage) for passage in passages if (passage.path, passage.line) not in lines]
    known = {slugify(name) for topic in memory.topics for name in (topic.slug, *topic.aliases)}
    found: dict[str, Proposal] = {}
    for one in (*_by_cue(day, free, config), *_recurring(memory, day, free, config)):
        if one.slug not in known:
            found.setdefault(one.slug, one)
    return tuple(found.values())[:_MOST]


def _unstruck(passage: Passage) -> Passage:
    return replace(passage, text=without_struck(passage.text))


def _by_cue(day: date, passages: Iterable[Passage], config: Config) -> Iterator[Proposal]:
    """What lines say by their cues. A row of a table says nothing; what is denied or left open is not decided."""
    for passage in passages:
        text = "" if passage.is_row else plain_text(re.sub(r"^[\s>#*+-]+", "", passage.text[:_MOST_TEXT]))
        for category, pattern in _CUES:
            match = pattern.search(text)
            if match and (category != "Decisions" or is_decided(text)) and (slug := _slug_of(match["name"])):
                yield Proposal(slug, category_named(category, config), passage, (day,))
                break


def _slug_of(words: str) -> str:
    """A name from what followed the cue: its first telling words."""
    head = _END.split(words.strip(), maxsplit=1)[0] if not _END.match(words.strip()) else ""
    telling = [word for word in _WORD.findall(fold(head)) if word not in _EMPTY]
    kept = [word[:_MOST_CJK] for word in telling[: 1 if telling and is_cjk(telling[0]) else MOST_WORDS]]
    slug = slugify("-".join(kept))
    return slug if is_telling(slug) else ""


def is_telling(slug: str) -> bool:
    """Whether a slug is long enough to mean something."""
    return len(slug) > (1 if is_cjk(slug) else 2) and any(char.isalpha() for char in slug)


def category_named(name: str, config: Config) -> str:
    """The configured category of that name; else the first one."""
    known = next((one for one in config.categories if fold(one) == fold(name)), None)
    return known or (config.categories[0] if config.categories else name)


def _recurring(memory: Memory, day: date, passages: Iterable[Passage], config: Config) -> Iterator[Proposal]:
    """Headings and wikilinks of the day that another recent day has too, and not every day."""
    recent = [note for note in memory.notes if day - _LOOK_BACK <= note.day < day]
    texts = {note.day: "" for note in recent}
    for note in recent:
        texts[note.day] += note.blob.text.lower() + "\n"
    most = max(3, len(texts) // 2)
    for passage, name in _names(passages):
        slug = slugify(name)
        if not is_telling(slug) or slug in PLAIN_HEADINGS or slug.count("-") >= MOST_WORDS:
            continue
        days = [other for other, text in texts.items() if _has(text, name)]
        if 0 < len(days) <= most:
            yield Proposal(slug, category_named("Projects", config), passage, (*sorted(days), day))


def _names(passages: Iterable[Passage]) -> Iterator[tuple[Passage, str]]:
    for passage in passages:
        if not passage.is_note:
            continue
        if passage.level in _HEADING_LEVELS:
            yield passage, plain_text(passage.text.strip("# \t"))
        yield from ((passage, match[1].strip()) for match in WIKILINK.finditer(passage.text))


def _has(text: str, name: str) -> bool:
    """Whether a lower-case text has the name as a heading or a wikilink."""
    folded = name.lower()
    return folded in text and (
        f"[[{folded}]]" in text
        or re.search(rf"^#{{1,6}}[ \t]+{re.escape(folded)}[ \t#]*$", text, re.MULTILINE) is not None
    )
