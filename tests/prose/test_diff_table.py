"""Pairs of texts made by hand, and the words that a reader would mark."""

from __future__ import annotations

import pytest

from memsite.prose.diff import diff_texts, format_diff_lines

CASES: dict[str, tuple[str, str, list[str]]] = {
    # words
    "one word replaced": ("We use Next.js now.", "We use Astro now.", ["~ We use [-Next.js-]{+Astro+} now."]),
    "one word added": ("We use Astro.", "We still use Astro.", ["~ We {+still +}use Astro."]),
    "one word removed": ("We still use Astro.", "We use Astro.", ["~ We [-still -]use Astro."]),
    "a word added at the end": ("It works", "It works again", ["~ It works{+ again+}"]),
    "a word added at the start": ("It works", "Now It works", ["~ {+Now +}It works"]),
    "a clause behind a comma": (
        "It is hosted on Vercel.",
        "It is hosted on Vercel, for now.",
        ["~ It is hosted on Vercel{+, for now+}."],
    ),
    "a clause taken out": (
        "The blog, which Ada wrote, is live.",
        "The blog is live.",
        ["~ The blog[-, which Ada wrote,-] is live."],
    ),
    "two changes in a sentence": (
        "Ada deploys the blog on Friday.",
        "Grace deploys the blog on Monday.",
        ["~ [-Ada-]{+Grace+} deploys the blog on [-Friday-]{+Monday+}."],
    ),
    "a sentence added": (
        "The blog is live. Ada checks it daily.",
        "The blog is live. It has a feed. Ada checks it daily.",
        ["~ The blog is live. {+It has a feed. +}Ada checks it daily."],
    ),
    "a date": ("Due 2025-03-20.", "Due 2025-04-05.", ["~ Due [-2025-03-20-]{+2025-04-05+}."]),
    "a number with a comma": ("1,000 visits", "1,200 visits", ["~ [-1,000-]{+1,200+} visits"]),
    "a version": ("Node v18.2.0 runs", "Node v20.1.0 runs", ["~ Node [-v18.2.0-]{+v20.1.0+} runs"]),
    "case of a letter": ("the Blog", "the blog", ["~ the [-Blog-]{+blog+}"]),
    "a full stop": ("It works", "It works.", ["~ It works{+.+}"]),
    "an apostrophe": ("It doesn't work", "It does work", ["~ It [-doesn't-]{+does+} work"]),
    "emphasis": ("The blog is live.", "The **blog** is live.", ["~ The {+**+}blog{+**+} is live."]),
    "a link's address": (
        "See [the plan](daily/2025-03-20.md).",
        "See [the plan](daily/2025-03-22.md).",
        ["~ See [the plan](daily/[-2025-03-20.md-]{+2025-03-22.md+})."],
    ),
    "an accent and an emoji": (
        "Ada's café 👩‍💻 opens",
        "Ada's cafe 👨‍💻 opens",
        ["~ Ada's [-café 👩‍💻-]{+cafe 👨‍💻+} opens"],
    ),
    "a sentence that grew much": (
        "- Use Astro.\n- Two\n",
        "- Use Astro, which renders Markdown without a server and so costs nothing to host.\n- Two\n",
        ["~ - Use Astro{+, which renders Markdown without a server and so costs nothing to host+}."],
    ),
    "everything rewritten": (
        "The cat sat on the mat.",
        "Publishing goes through continuous integration.",
        ["- The cat sat on the mat.", "+ Publishing goes through continuous integration."],
    ),
    "a chance word between rewritten ones": (
        "We deploy by hand every week and write notes about what happened to nobody.",
        "We deploy from a branch and machines keep logs of everything for nobody.",
        [
            "~ We deploy [-by hand every week and write notes about what happened to-]"
            "{+from a branch and machines keep logs of everything for+} nobody."
        ],
    ),
    # Chinese, Japanese, Korean
    "chinese, one word": (
        "我们决定使用数据库。",
        "我们决定使用文件。",
        ["~ 我们决定使用[-数据库-]{+文件+}。"],
    ),
    "chinese, one character": ("今天讨论了部署方案。", "昨天讨论了部署方案。", ["~ [-今-]{+昨+}天讨论了部署方案。"]),
    "chinese, a clause": ("博客已经上线。", "博客已经上线，并且有订阅源。", ["~ 博客已经上线{+，并且有订阅源+}。"]),
    "chinese with latin": (
        "我们使用 Next.js，部署在 Vercel。",
        "我们使用 Astro，部署在 Vercel。",
        ["~ 我们使用 [-Next.js-]{+Astro+}，部署在 Vercel。"],
    ),
    "japanese, kana": (
        "プログラミングを学ぶ。",
        "プログラミングを教える。",
        ["~ プログラミングを[-学ぶ-]{+教える+}。"],
    ),
    "japanese, a particle": ("私は本を読む。", "私が本を読む。", ["~ 私[-は-]{+が+}本を読む。"]),
    "japanese, a long vowel": ("サーバを使う。", "サーバーを使う。", ["~ サーバ{+ー+}を使う。"]),
    "korean goes by words": ("오늘 회의를 했다", "어제 회의를 했다", ["~ [-오늘-]{+어제+} 회의를 했다"]),
    "chinese wrapped anew": ("今天讨论了\n部署方案。", "今天讨论了部署\n方案。", []),
    # structure
    "a heading reworded": ("## Current Status\n", "## Status\n", ["~ ## [-Current -]Status"]),
    "a heading one level down": ("## Status\n", "### Status\n", ["~ ### Status"]),
    "an underlined heading is a heading": ("Status\n------\n\ntext", "## Status\n\ntext", []),
    "an item added": (
        "- Use Astro\n- Host on Vercel\n",
        "- Use Astro\n- Write in Markdown\n- Host on Vercel\n",
        ["+ - Write in Markdown"],
    ),
    "an item removed": ("- one thing\n- two things\n", "- one thing\n", ["- - two things"]),
    "an item reworded": (
        "- Host on Vercel\n- Use Astro\n",
        "- Host on Netlify\n- Use Astro\n",
        ["~ - Host on [-Vercel-]{+Netlify+}"],
    ),
    "a nested item": (
        "- topic\n  - Dates: [2025-03-20]\n",
        "- topic\n  - Dates: [2025-03-20, 2025-03-22]\n",
        ["~   - Dates: [2025-03-20{+, 2025-03-22+}]"],
    ),
    "another bullet": ("* one\n* two\n", "- one\n- two\n", []),
    "numbers moved on": (
        "1. one thing\n2. two things\n",
        "1. new one\n2. one thing\n3. two things\n",
        ["+ 1. new one"],
    ),
    "a task done": ("- [ ] write tests\n", "- [x] write tests\n", ["~ - [[- -]{+x+}] write tests"]),
    "a cell": ("| a | b |\n|---|---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n| 1 | 3 |\n", ["~ | 1 | [-2-]{+3+}"]),
    "a row added": (
        "| name | year |\n|---|---|\n| Ada | 1815 |\n",
        "| name | year |\n|---|---|\n| Ada | 1815 |\n| Grace | 1906 |\n",
        ["+ | Grace | 1906"],
    ),
    "a table padded anew": ("| a | b |\n|---|---|\n| 1 | 2 |\n", "| a   | b |\n|:----|--:|\n| 1   | 2 |\n", []),
    "a line of code": (
        "```python\nx = 1\ny = 2\n```\n",
        "```python\nx = 1\ny = 3\n```\n",
        ["~ ```python", "~ x = 1", "~ y = [-2-]{+3+}"],
    ),
    "indentation of code": (
        "```\nif x:\n  go()\n```\n",
        "```\nif x:\n    go()\n```\n",
        ["~ ```", "~ if x:", "~   {+  +}go()"],
    ),
    "a heading in code is code": ("```\n# a\n```\n", "```\n# b\n```\n", ["~ ```", "~ # [-a-]{+b+}"]),
    "a quotation": ("> Keep it plain.\n", "> Keep it simple.\n", ["~ > Keep it [-plain-]{+simple+}."]),
    "the head of a generation": (
        "**Created**: 2025-03-25\n**Covers**: 2025-03-20 to 2025-03-25\n",
        "**Created**: 2025-04-05\n**Covers**: 2025-03-20 to 2025-04-05\n",
        ["~ **Created**: [-2025-03-25-]{+2025-04-05+}", "~ **Covers**: 2025-03-20 to [-2025-03-25-]{+2025-04-05+}"],
    ),
    "below its heading": (
        "# Blog\n\n## Plan\n\nKept.\n\n## State\n\nAll is well here.\n",
        "# Blog\n\n## Plan\n\nKept.\n\n## State\n\nAll is fine here.\n",
        ["  ## State", "~ All is [-well-]{+fine+} here."],
    ),
    # moved
    "two paragraphs exchanged": (
        "The first paragraph is about Ada.\n\nAnother one speaks of deployment.\n",
        "Another one speaks of deployment.\n\nThe first paragraph is about Ada.\n",
        ["> The first paragraph is about Ada."],
    ),
    "an item moved and reworded": (
        "- The index is never rewritten by hand\n- Two\n- Three\n- Four\n",
        "- Two\n- Three\n- Four\n- The index is never edited by hand\n",
        ["> - The index is never [-rewritten-]{+edited+} by hand"],
    ),
    "a short heading moved": (
        "## Plan\n\nOne long sentence here.\n\nTwo long sentences here.\n",
        "One long sentence here.\n\nTwo long sentences here.\n\n## Plan\n",
        ["> ## Plan"],
    ),
    # nothing
    "wrapped anew": ("The blog is\nlive and it\nworks.\n", "The blog\nis live and it works.\n", []),
    "an item wrapped anew": ("- The blog is live and it works\n", "- The blog is\n  live and it works\n", []),
    "line ends": ("# Blog\n\nOne.\nTwo.\n", "# Blog\r\n\r\nOne.\r\nTwo.\r\n", []),
    "blank lines and no last line end": ("One.\n\n\n\nTwo.\n", "One.\n\nTwo.", []),
    "a byte order mark": ("\ufeff# Blog", "# Blog", []),
    "two empty texts": ("", "\n\n", []),
}


@pytest.mark.parametrize("case", CASES)
def test_the_words_that_a_reader_would_mark(case: str) -> None:
    old, new, expected = CASES[case]
    assert list(format_diff_lines(diff_texts(old, new))) == expected


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 40
