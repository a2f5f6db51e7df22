"""What a person who asks for a memory means: the request without its trigger and small words, as terms to look for.

Chinese, Japanese and Korean are not split into words: two neighbouring characters are a term. The seed's own session
asks in Chinese (博客项目) for a topic that was named in English (personal-blog), so the commonest names of topics are
known in both languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise

from memsite.patterns import late
from memsite.values import dataclass

CJK = "\u3005\u3041-\u3096\u30a1-\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
"""Ranges of characters that form words without spaces between them, for a regular expression's class."""

_RUN = late(rf"[{CJK}]+|[^\W_{CJK}]+")
_IS_CJK = late(rf"[{CJK}]")

_SMALL = """
a about again all am an and any anything are as at be been but by can could d did do does everything find for from get
give had has have how i in is it its know last let like ll m me more my now of on or our please re remind s say see show
so some t tell than that the their them there these thing things this those time to up us ve was we were what when where
which who why will with would you your yesterday today tomorrow tonight ago called named new old
aber als am auf aus bei bitte da das dass dein deine dem den der des die dich dir du ein eine einem einen einer er
erinnere erinnerst es für gab habe haben hatte ich im ist mein meine mich mir nach nicht noch oder sein
seine sich sie sind über um und uns unser unsere vom von vor waren warum was weißt weit wer wie wir wo zu zum zur
gestern heute morgen neu neue neuen neuer neues alt alte alten alter altes
"""
_SMALL_CJK = """
请问 帮我 有没有 是不是 怎么样 怎么 什么 那个 这个 那些 这些 哪个 哪些 一下 关于 有关 我们 咱们 之前 以前 上次 当时
现在 目前 一些 所有 还记得 记得 说说 讲讲 告诉 看看 的事情 的事 的 那只 这只 那条 那本 那次 那件 那场 那家 那位 哪里
到底 到哪儿了 到哪里了 到哪了 到哪儿 到哪里 到哪 多少 什么时候 多久 为什么 昨天 今天 明天 昨日 今日 明日
について 教えて どこまで進んだ どこまで進んで どこまで どうなった どうなって
覚えてる 覚えている 覚えて 思い出して だったっけ でしたっけ どうでした
"""
_KINDS = """
project projects topic topics event events decision decisions decide decided preference preferences memory notes note
status progress
"""
_KINDS_CJK = "项目 计划 话题 主题 事件 决定 偏好 情况 进展 结果 プロジェクト 프로젝트"
_SMALL_WORDS = frozenset(_SMALL.split())
_SMALL_PHRASES = tuple(_SMALL_CJK.split())
_PARTICLES = "的了吗呢吧啊呀么嘛はがをにので"
_JAPANESE_PARTICLE = late(
    "(?<=[\u30a1-\u30fc\u4e00-\u9fff])(?:から|まで|より|[のをはがにでとへも])(?=[\u30a1-\u30fc\u4e00-\u9fff]|$)"
)
"""Between words written in kanji or katakana; inside a word (引っ越し) the same kana are part of it."""
_INFLECTED = 5
"""Letters from which a word may have such an end."""
_HIRAGANA = late("[\u3041-\u3096]")
_JAPANESE_WORD = late(
    "[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{2,}"
    "|[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff][\u3041-\u3096]?|[\u30a1-\u30fc]+"
)
"""Kanji (one alone with the kana that bends it) or katakana."""
_WEAK = frozenset(_KINDS.split())
"""Words that say what sort of thing is meant: they count only when nothing else is said."""
_WEAK_PHRASES = tuple(_KINDS_CJK.split())

_SAME = tuple(
    tuple(group.split())
    for group in (
        "博客 blog ブログ 블로그",
        "网站 website site 网页",
        "应用 app アプリ",
        "程序 software",
        "游戏 game",
        "数据库 database",
        "服务器 server",
        "部署 deployment deploy",
        "托管 hosting",
        "域名 domain",
        "设计 design",
        "测试 test",
        "文档 docs documentation",
        "简历 resume cv",
        "求职 job",
        "工作 work",
        "会议 meeting",
        "旅行 trip travel 旅游",
        "婚礼 wedding",
        "搬家 moving",
        "装修 renovation",
        "房子 house",
        "花园 garden",
        "健身 fitness",
        "健康 health",
        "论文 paper thesis",
        "书 book",
        "课程 course",
        "学习 learning study 勉強 学習",
        "英语 english",
        "预算 budget",
        "投资 investment",
        "税 tax",
        "客户 client customer",
        "产品 product",
        "团队 team",
        "公司 company",
        "邮件 mail email",
        "通讯 newsletter",
        "机器人 bot robot",
        "记忆 memory",
        "迁移 migration",
        "搜索 search",
        "支付 payment",
        "登录 login",
    )
)
"""Names of topics in several languages, one thing a line."""
_SYNONYMS = {word: tuple(dict.fromkeys((word, *group))) for group in _SAME for word in group}
_LONGEST = max(len(word) for word in _SYNONYMS if _IS_CJK.match(word))


@dataclass(frozen=True, slots=True)
class Query:
    """A request for a memory, folded."""

    whole: str
    """Without its trigger, all other words kept."""
    text: str
    """Without small words too."""
    terms: tuple[tuple[str, ...], ...]
    """What to look for; each as the words that mean the same, the one that was said first."""
    is_specific: bool = True
    """Whether it says more than small words and kinds of things (`the project`)."""


def parse_query(text: str, triggers: Iterable[str] = ()) -> Query:
    """Read a request; `triggers` are the phrases that ask for recall (`recall_triggers` in memsite.toml).

    Words that mean little are dropped as long as others remain.
    """
    runs = _RUN.findall(_strip_triggers(fold(text), triggers))
    strong = [part for run in runs for part in _split_run(run, _SMALL_WORDS | _WEAK, _SMALL_PHRASES + _WEAK_PHRASES)]
    weak = [part for run in runs for part in _split_run(run, _SMALL_WORDS, _SMALL_PHRASES)]
    kept = strong or weak or runs
    terms = dict.fromkeys(term for part in kept for term in _iter_terms(part))
    return Query(" ".join(runs), " ".join(kept), tuple(terms), bool(strong))


def fold(text: str) -> str:
    """Text as it is compared: compatibility forms and case folded."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def is_cjk(text: str) -> bool:
    """Whether a term begins with a character that needs no space before it."""
    return _IS_CJK.match(text) is not None


def name_words(name: str) -> tuple[str, ...]:
    """A topic's name as words; a run of CJK characters is one."""
    return tuple(_RUN.findall(fold(name)))


def _strip_triggers(text: str, triggers: Iterable[str]) -> str:
    for trigger in sorted(map(fold, triggers), key=len, reverse=True):
        if trigger.strip():
            before = r"(?<!\w)" if trigger[0].isalnum() and not is_cjk(trigger[0]) else ""
            after = r"(?!\w)" if trigger[-1].isalnum() and not is_cjk(trigger[-1]) else ""
            text = re.sub(before + re.escape(trigger) + after, " ", text)
    return text


def _split_run(run: str, words: frozenset[str], phrases: Iterable[str]) -> list[str]:
    """What stays of one run of letters without small words: itself or nothing, or the parts between small phrases."""
    if not is_cjk(run):
        return [] if run in words else [run]
    # The longest first: of 什么时候 the shorter 什么 would leave a half.
    parts = re.split("|".join(map(re.escape, sorted(phrases, key=len, reverse=True))), run)
    pieces = (piece for part in parts for piece in _JAPANESE_PARTICLE.split(part))
    return [bare for piece in pieces if (bare := piece.strip(_PARTICLES))]


def _iter_terms(part: str) -> Iterator[tuple[str, ...]]:
    if not is_cjk(part):
        yield _SYNONYMS.get(part) or (part, *_other_forms(part))
        return
    rest = ""
    position = 0
    while position < len(part):
        word = _known_word(part, position)
        if word:
            yield from _bigrams(rest)
            yield _SYNONYMS[word]
            rest, position = "", position + len(word)
        else:
            rest, position = rest + part[position], position + 1
    yield from _bigrams(rest)


def _other_forms(word: str) -> Iterator[str]:
    """A word without the end that its number or person gives it; texts are searched by the beginning of words."""
    if len(word) < _INFLECTED:
        return
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    elif word.endswith("y"):
        yield f"{word[:-1]}ie"
    elif word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]


def _known_word(text: str, position: int) -> str:
    """The longest name that begins there, of two characters at least."""
    ends = range(min(len(text), position + _LONGEST), position + 1, -1)
    return next((text[position:end] for end in ends if text[position:end] in _SYNONYMS), "")


def _bigrams(run: str) -> Iterator[tuple[str, ...]]:
    """Pairs of neighbours; in Japanese those within a word, since hiragana between words are grammar."""
    words = _JAPANESE_WORD.findall(run) if _HIRAGANA.search(run) else []
    for word in words or [run]:
        if len(word) == 1:
            yield (word,)
        yield from ((first + second,) for first, second in pairwise(word))
