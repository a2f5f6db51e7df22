"""What ends an earlier statement: what a decision leaves and what it does not; what answers a question."""

from __future__ import annotations

import pytest

from memsite.memory.ending import holds_more, is_answer, is_bare_choice, names_left

NAMES = ("personal-blog", "blog", "博客项目")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Decision: move from Next.js to Astro.", ("Next.js",)),
        ("从 Vercel 迁移到 Cloudflare Pages。", ("Vercel",)),
        ("Giscus removed; readers write e-mail instead.", ("Giscus",)),
        ("Giscus was dropped last week", ("Giscus",)),
        ("Ada removed the old server", ()),
        ("We use Hugo instead of Jekyll", ("Jekyll",)),
        ("不再使用 Disqus", ("Disqus",)),
        ("Hosting stays on Vercel.", ()),
        ("决定不用 Giscus 了,改用 Utterances。", ("Giscus",)),
        ("不用 Giscus 了。", ("Giscus",)),
        ("决定放弃 Hugo", ("Hugo",)),
        ("Giscus 去掉了。", ("Giscus",)),
        ("We decided to drop Giscus.", ("Giscus",)),
        ("We decided to get rid of Giscus for now.", ("Giscus",)),
        ("Decided: no Tailwind", ("Tailwind",)),
        ("Decided against Tailwind.", ("Tailwind",)),
        ("We decided not to use Tailwind.", ("Tailwind",)),
        ("We decided to drop the Hugo theme.", ()),
        ("Decided: drop Hugo themes.", ()),
        ("不用 Hugo 主题了。", ("Hugo 主题",)),
    ],
)
def test_what_a_decision_goes_away_from(text: str, left: tuple[str, ...]) -> None:
    assert names_left(text) == left


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Decision: Next.js on Vercel, posts in Markdown, MIT licence.", ["Vercel"]),
        ("Decision: Hugo on Vercel.", ["Vercel"]),
        ("Decision: Hugo on Vercel.", ["Hugo"]),
        ("We decided on Hugo and Tailwind for the blog.", ["Tailwind"]),
        ("Decision: Hugo. The licence is MIT.", ["Hugo"]),
        ("决定：博客用 Hugo，主题用蓝色。", ["Hugo"]),
        ("决定博客用 Hugo 和 Vercel。", ["Vercel"]),
    ],
)
def test_a_decision_that_holds_more_is_not_ended_by_one_part(text: str, gone: list[str]) -> None:
    assert holds_more(text, gone, NAMES)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("We decided on Tailwind for the blog.", ["Tailwind"]),
        ("Decision: the blog uses Next.js.", ["Next.js"]),
        ("For the blog, let's use Next.js", ["Next.js"]),
        ("决定用 Giscus 做评论。", ["Giscus"]),
        ("决定：博客使用 Next.js。 Decision: the blog uses Next.js.", ["Next.js"]),
        ("Comments: Giscus, because readers have GitHub accounts anyway.", ["Giscus"]),
        ("Hosting: Vercel. 决定：博客托管在 Vercel 上。", ["Vercel"]),
        ("决定：从 Next.js 换到 Astro。 Decision: move from Next.js to Astro.", ["Astro"]),
        ("We decided on Hugo. It builds in two seconds.", ["Hugo"]),
        ("Decision: Next.js on Vercel.", ["Next.js", "Vercel"]),
        ("Hosting stays on Vercel for now.", ["Vercel"]),
    ],
)
def test_a_decision_on_one_thing_holds_no_more_than_it(text: str, gone: list[str]) -> None:
    assert not holds_more(text, gone, NAMES)


@pytest.mark.parametrize(
    ("question", "later"),
    [
        ("Open question: does the blog need a cookie banner?", "The blog has 300 visitors a day."),
        ("待定:博客需要评论功能吗?", "博客今天有 300 个访客。"),
        ("Blocked: Grace has not sent the logo yet.", "We fixed the logo margin."),
        ("Blocked: Grace has not sent the logo yet.", "Grace still has not sent the logo."),
        ("Open question: which newsletter tool?", "Decision: logo colour is red."),
        ("Which theme?", "The theme works now."),
        ("Which theme?", "Decision: the theme repository is on GitHub, private."),
        ("评论功能用什么还没决定。", "评论页面已经修复。"),
        ("Blocked: no access to the server.", "The server was restarted, done."),
        ("Search does not work on phones yet.", "We decided to buy two phones."),
    ],
)
def test_what_only_shares_a_word_answers_nothing(question: str, later: str) -> None:
    assert not is_answer(question, later, NAMES)


@pytest.mark.parametrize(
    ("question", "later"),
    [
        ("Which theme?", "Decision: dark theme."),
        ("Open question: which newsletter tool?", "Decision: the newsletter tool is Buttondown."),
        ("Newsletter: Buttondown or plain mail?", "Newsletter: Buttondown."),
        ("Blocked: Grace has not sent the logo yet.", "Grace sent the logo."),
        ("Still open: search across both languages. 中文搜索还没有方案。", "Search: Pagefind. 中文搜索终于可用了。"),
        ("Comments: Giscus needs a third-party script. Undecided.", "Giscus removed; readers write e-mail instead."),
        ("评论功能用什么还没决定。", "决定：评论功能用 Utterances。"),
        ("Search does not work on phones yet.", "Search works on phones now."),
    ],
)
def test_what_says_what_was_asked_is_an_answer(question: str, later: str) -> None:
    assert is_answer(question, later, NAMES)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Decision: Hugo.", True),
        ("Decision: the blog uses Next.js.", True),
        ("决定：博客使用 Next.js。 Decision: the blog uses Next.js.", True),
        ("Decision: logo colour is red.", False),
        ("Decision: Grace draws the logo.", False),
        ("决定：标志用红色。", False),
    ],
)
def test_a_bare_choice_says_nothing_but_a_name(text: str, bare: bool) -> None:
    assert is_bare_choice(text, NAMES) is bare
