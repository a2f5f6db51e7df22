"""Recall finds the topic that is meant, in any script, and searches everything where none is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.config import Config
from memsite.memory.archived import PlainView
from memsite.memory.lineage import load_memory
from memsite.memory.model import Memory
from memsite.memory.query import parse_query
from memsite.memory.recall import Recall, recall
from memsite.memory.search import search_memory
from memsite.memory.snapshot import make_snapshot
from tests.conftest import cpu_seconds

CONFIG = Config()
TODAY = date(2025, 4, 5)
MARKER = "<!-- ARCHIVED: consolidated into consolidated/personal-blog-gen1-2025-03-25.md -->\n"
INDEX = """# Memory Index

## Projects
- **personal-blog**
  - Dates: [2025-03-20, 2025-03-22, 2025-03-25]
  - Consolidations:
    - gen1 (2025-03-25): consolidated/personal-blog-gen1-2025-03-25.md
  - Current: consolidated/personal-blog-gen1-2025-03-25.md
- **home-server**
  - Dates: [2025-03-21, 2025-03-22]
  - Aliases: [the NAS, 群晖]
- **旅行计划**
  - Dates: [2025-03-23]

## Decisions
- **quiet-hours**: [2025-03-24]
  - Description: No calls before ten in the morning
"""
FILES = {
    "memory/INDEX.md": INDEX,
    "memory/consolidated/personal-blog-gen1-2025-03-25.md": "## Summary\nThe blog runs on Next.js. 博客。\n",
    "memory/2025-03-20.md": f"# 2025-03-20\n\nWe start a personal blog. 新项目：个人博客。\n{MARKER}",
    "memory/2025-03-21.md": "# 2025-03-21\n\nThe server got new disks; ZFS it is.\n",
    "memory/2025-03-22.md": f"# 2025-03-22\n\n博客使用 Next.js。\n{MARKER}\nThe server is loud.\n",
    "memory/2025-03-23.md": "# 2025-03-23\n\n五月去京都。\n",
    "memory/2025-03-24.md": "# 2025-03-24\n\nGrace prefers mornings without calls.\n",
    "memory/2025-03-25.md": f"# 2025-03-25\n\nHosting on Vercel.\n{MARKER}",
    "memory/2025-04-05.md": "# 2025-04-05\n\nToday: a dentist.\n",
    "memory/sessions/2025-04-05.md": "### 10:00\n- **Topic:** something about a dentist\n",
    "memory/ideas.md": "# Ideas\n\n- paint the fence\n- a telescope for the balcony\n",
}


def load(files: Mapping[str, str | bytes]) -> Memory:
    return load_memory(make_snapshot(files), CONFIG)


MEMORY = load(FILES)


def ask(query: str, files: Mapping[str, str | bytes] = FILES, *, deep: bool = False, today: date = TODAY) -> Recall:
    return recall(load(files), query, today, CONFIG, deep=deep)


def slug_of(found: Recall) -> str | None:
    return found.topic.slug if found.topic else None


@pytest.mark.parametrize(
    ("query", "slug"),
    [
        ("回忆一下博客项目", "personal-blog"),
        ("回忆一下那个博客项目", "personal-blog"),
        ("记不记得我们的个人博客？", "personal-blog"),
        ("Remember the website project?", "personal-blog"),
        ("personal-blog", "personal-blog"),
        ("Personal Blog", "personal-blog"),
        ("recall the blog", "personal-blog"),
        ("what did we decide about the persnal blog", "personal-blog"),
        ("ＢＬＯＧ", "personal-blog"),
        ("next.js", "personal-blog"),
        ("vercel", "personal-blog"),
        ("the NAS", "home-server"),
        ("nas", "home-server"),
        ("群晖", "home-server"),
        ("回忆一下群晖的情况", "home-server"),
        ("servers", "home-server"),
        ("zfs disks", "home-server"),
        ("旅行", "旅行计划"),
        ("旅行计划", "旅行计划"),
        ("our trip", "旅行计划"),
        ("京都", "旅行计划"),
        ("calls in the morning", "quiet-hours"),
        ("quite hours", "quiet-hours"),
    ],
)
def test_the_topic_that_is_meant(query: str, slug: str) -> None:
    if "website" in query:
        files = {**FILES, "memory/2025-03-20.md": "The website is a blog.\n"}
        assert slug_of(ask(query, files)) == slug
    else:
        assert slug_of(ask(query)) == slug


@pytest.mark.parametrize(
    "query", ["telescope", "量子力学", "a", "", "回忆一下", "remember", "项目", "!!!", "the thing with you"]
)
def test_no_topic_is_meant(query: str) -> None:
    found = ask(query)
    assert found.topic is None
    assert found.score < 60


def test_the_words_of_a_topics_own_notes_find_it() -> None:
    files = {
        "memory/INDEX.md": "## Projects\n- **ganymede**: [2025-03-20]\n- **other**: [2025-03-21]\n",
        "memory/2025-03-20.md": "阳台上的番茄发芽了。\n",
        "memory/2025-03-21.md": "其他事情。\n",
    }
    assert slug_of(ask("回忆一下番茄的事", files)) == "ganymede"


def test_a_chinese_request_finds_the_seeds_topic_in_english_notes() -> None:
    files = {
        "memory/INDEX.md": "## Projects\n- **personal-blog**\n  - Dates: [2025-03-20]\n",
        "memory/2025-03-20.md": "Let's start a new project: building a personal blog\n",
    }
    assert slug_of(ask("回忆一下博客项目", files)) == "personal-blog"


@pytest.mark.parametrize(
    ("query", "slug"),
    [
        ("博客最近发布和评论的流程确定了吗", "ganymede"),
        ("where did we put the blog after it moved from the old host", "ganymede"),
        ("昨天在家里的family相册改版讨论得怎么样", "callisto"),
        ("最近家人的server搬家后为什么卡顿", "europa"),
        ("最近家人的observers搬家后卡顿", None),
        ("为了改善域名服务器性能开会讨论方案", "io"),
    ],
)
def test_a_name_within_a_question_finds_its_topic_in_any_script(query: str, slug: str | None) -> None:
    names = {"ganymede": "blog", "callisto": "family相册", "europa": "家人的server", "io": "domain-server"}
    topics = (f"- **{slug}**: [2025-03-20]\n  - Aliases: [{alias}]\n" for slug, alias in names.items())
    files = {"memory/INDEX.md": "## Projects\n" + "".join(topics), "memory/2025-03-20.md": "其他事情。\n"}
    assert slug_of(ask(query, files)) == slug


def test_what_is_said_of_a_subject_outweighs_a_name_in_another_language() -> None:
    index = "## Home\n- **flat**: [2025-03-20]\n- **garden**: [2025-03-21]\n"
    files = {"memory/INDEX.md": index, "memory/2025-03-20.md": "## flat\n花园路的地址是 12 号。\n"}
    assert slug_of(ask("花园路地址是什么", files)) != "garden"


def test_a_proposed_name_has_no_half_of_a_word() -> None:
    files = {"memory/2025-03-20.md": "通讯录软件开始做。\n"}
    assert ask("通讯录软件什么时候开始做的", files).proposed == "通讯录软件-开始做"


def test_a_word_that_everybody_uses_finds_no_topic() -> None:
    notes = {f"memory/2024-01-{day:02}.md": "weather and coffee\n" for day in range(1, 29)}
    assert slug_of(ask("coffee", {**FILES, **notes, "memory/2025-03-23.md": "coffee"})) is None


def test_of_two_that_match_the_better_one() -> None:
    index = "## Projects\n- **blog**: [2025-03-20]\n- **company-blog**: [2025-03-21]\n- **blog-theme**: [2025-03-22]\n"
    files = {"memory/INDEX.md": index}
    assert slug_of(ask("company blog", files)) == "company-blog"
    assert slug_of(ask("the theme of the blog", files)) == "blog-theme"
    assert slug_of(ask("blog", files)) == "blog"


def test_of_two_that_match_alike_the_later_one() -> None:
    index = "## Projects\n- **blog-a**: [2025-03-22]\n- **blog-b**: [2025-03-20]\n"
    assert slug_of(ask("blog", {"memory/INDEX.md": index})) == "blog-a"


def test_what_a_recall_gives() -> None:
    found = ask("博客项目")
    assert found.generation and found.generation.number == 1
    assert [note.path.name for note in found.today_notes] == ["2025-04-05.md"]
    assert [note.path.name for note in found.since_notes] == ["2025-03-22.md"]
    assert found.matches == ()
    assert 60 <= found.score <= 100


def test_archived_notes_come_in_a_deep_recall_only() -> None:
    deep = ask("personal-blog", deep=True)
    assert [note.path.name for note in deep.since_notes] == ["2025-03-20.md", "2025-03-22.md", "2025-03-25.md"]
    at = date(2025, 3, 25)
    assert ask("personal-blog", today=at).today_notes == ()
    assert [note.day for note in ask("personal-blog", deep=True, today=at).today_notes] == [at]


SHARED = "# 2025-03-20\n\n## Blog\n- Next.js\n\n## Garden\n- Tomatoes planted\n"
BLOG_MARKER = "<!-- ARCHIVED: consolidated into consolidated/blog-gen1-2025-03-25.md -->\n"


@pytest.mark.parametrize("query", ["tomatoes", "garden"])
@pytest.mark.parametrize("marker", ["", BLOG_MARKER])
def test_what_a_shared_note_says_of_something_else_finds_no_topic(query: str, marker: str) -> None:
    files = {
        "memory/INDEX.md": "## Projects\n- **blog**: [2025-03-20]\n",
        "memory/2025-03-20.md": SHARED + marker,
        "memory/consolidated/blog-gen1-2025-03-25.md": "## Summary\nThe blog runs on Next.js.\n",
    }
    found = ask(query, files)
    assert (found.topic, len(found.matches), found.archived) == (None, 1, 0)
    assert slug_of(ask("next.js", files)) == "blog"


GARDEN_MARKER, SITE_MARKER = (BLOG_MARKER.replace("blog", slug) for slug in ("garden", "site-blog"))


@pytest.mark.parametrize(
    ("text", "slugs", "shown"),
    [
        (f"# 2025-03-20\n\n- kept\n{BLOG_MARKER}", ("blog",), []),  # all of the day is the topic's
        (f"# 2025-03-20\n\n- kept\n{BLOG_MARKER}", ("blog", "garden"), ["kept"]),  # or the garden's
        (f"# 2025-03-20\n\n- kept\n{BLOG_MARKER}{GARDEN_MARKER}", ("blog", "garden"), []),
        (f"- The blog: kept\n{BLOG_MARKER}", ("blog", "garden"), []),
        (f"- The blog and the garden: kept\n{BLOG_MARKER}", ("blog", "garden"), ["The blog and the garden: kept"]),
        (f"{BLOG_MARKER}- The garden: kept\n{GARDEN_MARKER}- The blog: kept\n", ("blog", "garden"), ["The blog: kept"]),
        (f"## Blog\n- kept\n\n## Other\n- kept, too\n{BLOG_MARKER}", ("blog",), ["kept, too"]),
        (f"## Blog\n\n| kept |\n|---|\n| 1 |\n\n```\nkept\n```\n{BLOG_MARKER}", ("blog", "garden"), []),
        (f"## Garden\n\n```\nkept\n```\n\n> kept\n{BLOG_MARKER}", ("blog", "garden"), ["kept", "kept"]),
        (f"## Diary\n- kept\n## A blog of mine\n- kept again\n{SITE_MARKER}", ("site-blog",), ["kept"]),
        ("kept\n<!-- ARCHIVED: consolidated into the great book -->\n", ("blog",), ["kept"]),
        ("kept\n<!-- ARCHIVED: consolidated into the great book -->\n", (), []),
        (f"kept\n{BLOG_MARKER}", (), []),
    ],
)
def test_what_is_archived_for_one_topic_is_kept_for_others(text: str, slugs: tuple[str, ...], shown: list[str]) -> None:
    files = {**of_one_day("", *slugs), "memory/2025-03-20.md": text}
    view = PlainView(load(files))
    assert len(search_memory(load(files), parse_query("kept"), 5, view.text_of)) == bool(shown)
    (note,) = load(files).notes
    kept = view.text_of(note)
    assert [line.lstrip("->| ") for line in kept.split("\n") if "kept" in line] == shown
    assert all(line in ("", written) for line, written in zip(kept.split("\n"), text.split("\n"), strict=True))
    assert len(search_memory(load(files), parse_query("kept"), 5)) == 1


def of_one_day(note: str, *slugs: str) -> dict[str, str | bytes]:
    index = "".join(f"- **{slug}**: [2025-03-20]\n" for slug in slugs)
    return {"memory/INDEX.md": f"## Projects\n{index}", "memory/2025-03-20.md": f"# 2025-03-20\n\n{note}\n"}


@pytest.mark.parametrize("query", ["remember the bike?", "回忆一下自行车"])
@pytest.mark.parametrize(
    ("note", "slugs"),
    [
        ("We rode the red bike (自行车) to the lake.", ("blog", "shop")),  # of a day of both, of which it says nothing
        ("- The blog uses Next.js\n- A red bike: 自行车", ("blog",)),  # the day is the blog's for another line
        ("The blog uses Next.js.\n\nWe bought a bike, 自行车.", ("blog",)),
        ("我的博客使用 Next.js。\n\n买了 bike（自行车）。", ("personal-blog",)),
        ("The blog is up.\n\n| what | price |\n|---|---|\n| bike 自行车 | 300 |", ("blog",)),
        ("The blog is up; the shop is closed.\n\nBike: 自行车.", ("blog", "shop")),
    ],
)
def test_a_word_that_a_note_says_beside_its_topics_finds_none_of_them(
    query: str, note: str, slugs: tuple[str, ...]
) -> None:
    found = ask(query, of_one_day(note, *slugs))
    assert found.topic is None
    assert [str(match.path) for match in found.matches] == ["memory/2025-03-20.md"]


@pytest.mark.parametrize(
    ("note", "slugs", "found"),
    [
        ("We rode the red bike.", ("ganymede",), "ganymede"),  # whatever the day is about, it is the topic's
        ("The blog goes on. It has a page about the bike.", ("blog",), "blog"),
        ("- The blog uses Next.js\n- A red bike", ("blog", "ganymede"), "ganymede"),  # the blog's line is another
        ("## Blog\n- A page about the bike", ("blog", "shop"), "blog"),
        ("The shop is closed.\n\n我的博客写 bike。", ("personal-blog", "shop"), "personal-blog"),
    ],
)
def test_a_word_that_only_one_topic_of_the_day_can_be_about_finds_it(
    note: str, slugs: tuple[str, ...], found: str
) -> None:
    assert slug_of(ask("remember the bike?", of_one_day(note, *slugs))) == found


def test_a_subject_of_a_generation_is_the_topics_in_all_of_its_notes() -> None:
    files = {f"memory/2025-03-2{day}.md": "- The blog goes on.\n- Vercel had a bad day.\n" for day in range(5)}
    index = f"## Projects\n- **blog**: [{', '.join(f'2025-03-2{day}' for day in range(5))}]\n"
    generation = {"memory/consolidated/blog-gen1-2025-03-25.md": "## Summary\nIt is on Vercel.\n"}
    assert slug_of(ask("vercel", {**files, "memory/INDEX.md": index})) is None
    assert slug_of(ask("vercel", {**files, **generation, "memory/INDEX.md": index})) == "blog"


def test_an_answer_without_the_words_tells_of_the_archived_notes_that_have_them() -> None:
    assert ask("vercel").archived == 1
    assert ask("vercel", deep=True).archived == 0
    assert ask("next.js").archived == 0
    assert ask("personal-blog").archived == 0


@pytest.mark.parametrize(("said", "found"), [("team", None), ("teas", "tea"), ("tea", "tea"), ("teapot", None)])
def test_a_short_name_is_not_the_beginning_of_any_word(said: str, found: str | None) -> None:
    files = {"memory/INDEX.md": "## Projects\n- **tea**: [2025-03-20]\n", "memory/2025-03-20.md": "Oolong.\n"}
    assert slug_of(ask(said, files)) == found


def test_todays_note_is_not_given_twice() -> None:
    found = ask("home-server", today=date(2025, 3, 22))
    assert [note.day.day for note in found.since_notes] == [21]
    assert [note.day.day for note in found.today_notes] == [22]


def test_the_search_ranks_everything_with_excerpts() -> None:
    found = ask("dentist")
    assert [str(match.path) for match in found.matches] == ["memory/2025-04-05.md", "memory/sessions/2025-04-05.md"]
    assert (found.matches[0].excerpt, found.matches[0].line) == ("Today: a dentist.", 3)
    (telescope,) = ask("the telescopes, telescope").matches
    assert (telescope.title, telescope.excerpt) == ("Ideas", "a telescope for the balcony")


def test_the_limit_of_a_search() -> None:
    memory = load({f"memory/n{number}.md": "dentist " * number for number in range(1, 20)})
    matches = search_memory(memory, parse_query("dentist"), 5)
    assert len(matches) == 5
    assert [match.score for match in matches] == sorted((match.score for match in matches), reverse=True)


def test_the_excerpt_of_a_long_line_shows_the_word() -> None:
    memory = load({"memory/long.md": "x " * 20_000 + "量子力学 " + "y " * 20_000})
    (match,) = search_memory(memory, parse_query("量子力学"), 5)
    assert "量子力学" in match.excerpt
    assert len(match.excerpt) < 200


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("回忆一下博客项目", ["博客"]),
        ("Remember the website project?", ["website"]),
        ("what's the status of Next.js", ["next", "js"]),
        ("记不记得个人博客的设计", ["个人", "博客", "设计"]),
        ("project", ["project"]),
        ("the", ["the"]),
        ("remembering rememberances", ["remembering", "rememberances"]),
        ("漢字の勉強はどこまで進んだ", ["漢字", "勉強"]),
        ("引っ越しのアパート", ["引っ", "越し", "アパ", "パー", "ート"]),
        ("ひっこし", ["ひっ", "っこ", "こし"]),
        ("三体读到哪了", ["三体", "体读"]),
        ("who was called yesterday: modules, parties, marry", ["modules", "parties", "marry"]),
        ("", []),
    ],
)
def test_the_terms_of_a_request(text: str, terms: list[str]) -> None:
    query = parse_query(text, CONFIG.recall_triggers)
    assert sorted(terms) == sorted(next(word for word in term if word in text.casefold()) for term in query.terms)


@pytest.mark.parametrize(
    ("said", "written"), [("modules", "one module"), ("parties", "a party"), ("marry", "she marries")]
)
def test_a_word_is_found_in_another_number_or_person(said: str, written: str) -> None:
    (match,) = search_memory(load({"memory/a.md": written}), parse_query(said), 5)
    assert match.excerpt == written


def test_triggers_of_the_settings() -> None:
    assert parse_query("weißt du noch der Garten", ["Weißt du noch"]).whole == "der garten"
    assert parse_query("(c++) garden", ["(c++)", "", " "]).text == "garden"


@given(st.text(), st.lists(st.text(max_size=5), max_size=3))
def test_any_request_is_answered(text: str, triggers: list[str]) -> None:
    found = recall(MEMORY, text, TODAY, Config(recall_triggers=tuple(triggers)))
    assert found.topic is None or found.score >= 60
    assert all(match.score > 0 for match in found.matches)


def test_a_large_memory_is_searched() -> None:
    words = "word " * 400
    notes: dict[str, str | bytes] = {
        f"memory/n/{number}.md": f"{words}{number} 博客 text\n" * 4 for number in range(2000)
    }
    memory = load({**FILES, **notes})
    with cpu_seconds(20):
        found = recall(memory, "量子 telescope word12", TODAY, CONFIG)
    assert found.matches[0].path == PurePosixPath("memory/ideas.md")
