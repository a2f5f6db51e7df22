"""Lineages made up as consolidations grow, so that it is known which generation brought each sentence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

_WORDS = (
    "the blog post draft deploy site search index cache theme build server domain mail backup photo garden budget plan "
    "release review Vercel Astro Cloudflare Next.js v1.2 staging weekly archive editor feed layout image table log"
)
ENGLISH = _WORDS.split()
CHINESE = "今天讨论部署方案博客选择静态站点生成器域名备份照片花园预算计划发布审阅缓存主题构建服务编辑索引搜索每周归档"
JAPANESE = "ブログを書く本番環境へ移すテーマと検索の設定は毎週見直すことにした画像も保存する"
SHORT = ("Done.", "None.", "完成。", "It works.")
"""Sentences that a text may well say twice."""
SECTIONS = ("Summary", "Key Points", "Decisions Made", "Current Status")


@dataclass(frozen=True)
class Sentence:
    """A sentence, by its words, and the number of the generation that gave it these words."""

    words: tuple[str, ...]
    generation: int
    reworded: bool = False

    @property
    def text(self) -> str:
        """As it is written: words of Latin letters apart, the others together; with its full stop."""
        if len(self.words) == 1:
            return self.words[0]
        if self.words[0].isascii():
            return f"{' '.join(self.words).capitalize()}."
        return f"{''.join(self.words)}。"


Section = list[list[Sentence]]
"""Its blocks, each a paragraph or an item of one or more sentences."""


class LineageMaker:
    """Writes one generation after the other; each is sections of blocks of sentences."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.number = 0
        self.sections: list[Section] = [[] for _ in SECTIONS]

    def advance(self) -> tuple[str, list[Sentence]]:
        """The next generation's Markdown, and its sentences in their order, headings left out."""
        self.number += 1
        self.sections = [self._edited(section) for section in self.sections]
        if self.number > 1:
            self._move_a_block()
        for section in self.sections:
            for _ in range(self.chance.randint(1, 3)):
                section.insert(self.chance.randint(0, len(section)), self._new_block())
        return self._written(), [one for section in self.sections for block in section for one in block]

    def _edited(self, section: Section) -> Section:
        blocks = [list(self._edited_block(block)) for block in section]
        return [block for block in blocks if block]

    def _edited_block(self, block: list[Sentence]) -> Iterator[Sentence]:
        for sentence in block:
            fate = self.chance.random()
            if fate < 0.12:
                continue
            yield self._reworded(sentence) if fate < 0.27 and len(sentence.words) > 1 else sentence
        if self.chance.random() < 0.15:
            yield self._new_sentence()

    def _reworded(self, sentence: Sentence) -> Sentence:
        words = list(sentence.words)
        while tuple(words) == sentence.words:
            words[self.chance.randrange(len(words))] = self.chance.choice(self._vocabulary(words))
        return replace(sentence, words=tuple(words), generation=self.number, reworded=True)

    @staticmethod
    def _vocabulary(words: list[str]) -> str | list[str]:
        return ENGLISH if words[0].isascii() else CHINESE if words[0] in CHINESE else JAPANESE

    def _new_block(self) -> list[Sentence]:
        return [self._new_sentence() for _ in range(self.chance.choice((1, 1, 2, 3)))]

    def _new_sentence(self) -> Sentence:
        if self.chance.random() < 0.03:
            return Sentence((self.chance.choice(SHORT),), self.number)
        words = self.chance.choice((ENGLISH, CHINESE, JAPANESE))
        return Sentence(tuple(self.chance.choices(words, k=self.chance.randint(5, 16))), self.number)

    def _move_a_block(self) -> None:
        filled = [section for section in self.sections if section]
        if filled:
            section = self.chance.choice(filled)
            block = section.pop(self.chance.randrange(len(section)))
            target = self.chance.choice(self.sections)
            target.insert(self.chance.randint(0, len(target)), block)

    def _written(self) -> str:
        head = f"# Blog - Generation {self.number} Consolidation\n"
        parts = [
            f"## {title}\n\n{self._section(section)}" for title, section in zip(SECTIONS, self.sections, strict=True)
        ]
        text = "\n\n".join((head, *parts)) + "\n"
        return text.replace("\n", "\r\n") if self.chance.random() < 0.2 else text

    def _section(self, section: Section) -> str:
        bullet, gap = self.chance.choice((("", "\n\n"), ("- ", "\n"), ("* ", "\n"), ("1. ", "\n")))
        return gap.join(f"{bullet}{self._block(block, ' ' * len(bullet))}" for block in section)

    def _block(self, block: list[Sentence], indent: str) -> str:
        """Its sentences with a new emphasis here and there, wrapped anew."""
        text = ""
        for sentence in block:
            glue = " " if text and text.rstrip("*_`")[-1].isascii() else ""
            text += glue + self._emphasised(sentence.text)
        return self._wrapped(text, indent)

    def _emphasised(self, text: str) -> str:
        return f"**{text}**" if self.chance.random() < 0.1 else text

    def _wrapped(self, text: str, indent: str) -> str:
        places = [at for at, sign in enumerate(text) if sign == " " and self.chance.random() < 0.1]
        for at in reversed(places):
            text = f"{text[:at]}\n{indent}{text[at + 1 :]}"
        return text


def make_lineage(seed: int, generations: int) -> tuple[list[str], list[list[Sentence]]]:
    """The texts of a lineage, oldest first, and the sentences of each."""
    maker = LineageMaker(seed)
    made = [maker.advance() for _ in range(generations)]
    return [text for text, _ in made], [sentences for _, sentences in made]
