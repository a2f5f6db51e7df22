"""Sentences of rendered Markdown, and the marks behind them."""

from __future__ import annotations

import re

import pytest

from memsite.memory.source_refs import parse_citations
from memsite.site.markdown import SentenceMark, find_sentences, render_markdown
from memsite.site.markdown_citations import CitationMark
from memsite.site.search.documents import plain_text


def marked(text: str) -> str:
    """The HTML with a mark `1`, `2` … behind each sentence, white space at its ends and `rel` left out."""
    marks = [SentenceMark(str(at), f"../gen{at}/", f"t{at}", at) for at, _ in enumerate(find_sentences(text), start=1)]
    html = render_markdown(text, resolve=lambda href: href, marks=marks).html
    return re.sub(r'<a class="memsite-said-by"[^>]*>(\d+)</a>', r"[\1]", html.replace(' rel="noopener noreferrer"', ""))


def without_spans(html: str) -> str:
    return re.sub(r'<span class="memsite-said-\d+">(.*?)</span>', r"\1", html, flags=re.DOTALL).strip()


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("One. Two.", "<p>One.[1] Two.[2]</p>"),
        ("今天讨论。决定部署。", "<p>今天讨论。[1]决定部署。[2]</p>"),
        ("A **bold. And** more.", "<p>A <strong>bold.[1] And</strong> more.[2]</p>"),
        ("**All of it.**", "<p><strong>All of it.</strong>[1]</p>"),
        ("See [a. B](x.md) c.", '<p>See <a href="x.md">a. B</a>[1] c.[2]</p>'),
        ("Wrapped\nhere. On.", "<p>Wrapped\nhere.[1] On.[2]</p>"),
        ("用**部署\n缓存**吧", "<p>用<strong>部署[1]\n缓存</strong>吧[2]</p>"),
        ("`a. B` c.", "<p><code>a. B</code>[1] c.[2]</p>"),
        ("- one\n- two", "<ul>\n<li>one[1]</li>\n<li>two[2]</li>\n</ul>"),
        ("# No. Mark\n\nYes.", None),
        ("", ""),
    ],
)
def test_a_mark_stands_behind_each_sentence(text: str, html: str | None) -> None:
    found = without_spans(marked(text))
    assert found.endswith("<p>Yes.[1]</p>") if html is None else found == html


def test_a_row_of_a_table_and_a_block_of_code_are_one_sentence_each() -> None:
    text = "| a. B | c |\n|---|---|\n| d | e |\n\n```\nx = 1\ny = 2\n```\n"
    assert find_sentences(text) == ("a. B | c", "d | e", "x = 1\ny = 2")
    html = without_spans(marked(text))
    assert "<td>e[2]</td>" in html
    assert '</code></pre>\n<p class="memsite-said-code">[3]</p>' in html


def test_a_sentence_is_its_words_however_they_are_wrapped_and_written() -> None:
    assert find_sentences("今天讨论\n部署。Then *Astro*\ncame.") == ("今天讨论部署。", "Then Astro came.")
    assert find_sentences("用Next.js部署\n缓存放*Redis*") == ("用Next.js部署", "缓存放Redis")
    assert find_sentences("See [it](a.md), ![x](b.png).") == ("See it, .",)


def test_citations_are_no_words_of_a_sentence() -> None:
    text = (
        "Use Astro [2025-03-22#L3]. [2025-03-23] Then *[2025-03-22; 2025-03-23]* `[2025-03-22]`."
        " [2025-03-24] [2025-03-22]"
    )
    known = parse_citations("[2025-03-22#L3; 2025-03-22; 2025-03-23]")
    cited = dict.fromkeys(known, CitationMark("…", "../", "memsite-source", ""))
    sentences = ("Use Astro.", "Then  [2025-03-22].", "[2025-03-24]")
    assert find_sentences(text, cited) == sentences
    marks = [SentenceMark("!", "../", "", 0)] * len(sentences)
    html = render_markdown(text, resolve=lambda href: href, marks=marks, cited=cited).html
    assert re.sub(r"<[^>]*>", "", html).strip() == "Use Astro …. …! Then …… [2025-03-22].! [2025-03-24] …!"


def test_struck_words_are_not_those_that_stand() -> None:
    text = "~~Use **Redis**. Or.~~ Dropped ~~now~~."
    assert find_sentences(text) == ("~~Use Redis.~~", "~~Or.~~", "Dropped ~~now~~.")
    assert find_sentences("| a | ~~b~~ |\n|---|---|\n") == ("a | ~~b~~",)
    assert without_spans(marked(text)).count("[") == 3


def test_every_word_has_the_age_of_its_sentence() -> None:
    html = marked("One **two.** Three [four](x.md).")
    assert re.findall(r'class="memsite-said-(\d)">([^<]*)<', html) == [
        ("1", "One "),
        ("1", "two."),
        ("2", "Three "),
        ("2", "four"),
        ("2", "."),
    ]


@pytest.mark.parametrize("number", [1, 3])
def test_marks_that_do_not_fit_are_refused(number: int) -> None:
    marks = [SentenceMark("gen 1", "../gen1/", "", 0)] * number
    with pytest.raises(ValueError, match="marks than sentences"):
        render_markdown("One. Two.", resolve=lambda href: href, marks=marks)


def test_search_reads_the_words_and_not_the_marks() -> None:
    marks = [SentenceMark("gen 7", "../gen7/", "Generation 7", 0)] * 2
    html = render_markdown("One. Two.", resolve=lambda href: href, marks=marks).html
    assert "gen 7" in html
    assert plain_text(html) == "One. Two."


def test_a_text_that_is_not_rendered_has_no_sentences() -> None:
    assert find_sentences("word. " * 200_000) == ()
    assert find_sentences("[" * 60_000) == ()
