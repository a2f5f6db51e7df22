"""What notes state: each sentence in its own words with its lines, and what it is about."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.config import Config
from memsite.memory.lineage import load_memory
from memsite.memory.snapshot import make_snapshot
from memsite.memory.statements import LONG, Relevance, Statement, find_statements
from tests.conftest import cpu_seconds

INDEX = (
    "# Memory Index\n\n## Projects\n- **personal-blog**\n  - Dates: [2025-03-20]\n  - Aliases: [博客]\n"
    "- **garden**\n  - Dates: [2025-03-20]\n"
)


def statements(note: str) -> tuple[Statement, ...]:
    memory = load_memory(make_snapshot({"memory/INDEX.md": INDEX, "memory/2025-03-20.md": note}), Config())
    topic = memory.topic("personal-blog")
    assert topic
    return find_statements(memory, topic, memory.notes_on(date(2025, 3, 20)))


def lines_of(note: str) -> list[tuple[int, int, str]]:
    return [(one.first_line, one.last_line, one.text) for one in statements(note)]


def test_unpunctuated_lines_are_statements_of_their_own() -> None:
    assert lines_of("decided on hugo for the blog\ndentist at three\n番茄浇水了\n\nYes\n") == [
        (1, 1, "decided on hugo for the blog"),
        (2, 2, "dentist at three"),
        (3, 3, "番茄浇水了"),
        (5, 5, "Yes"),
    ]


def test_the_sentences_of_a_paragraph_are_apart_unless_one_leans_on_the_other() -> None:
    note = "We use Hugo. It is quick. The dentist is on Thursday. 博客用 Hugo。 The blog uses Hugo. Which theme?\n"
    assert [text for *_, text in lines_of(note)] == [
        "We use Hugo. It is quick.",
        "The dentist is on Thursday.",
        "博客用 Hugo。",
        "The blog uses Hugo.",
        "Which theme?",
    ]


def test_a_list_item_is_one_statement_as_long_as_it_does_one_thing() -> None:
    note = (
        "- 决定：用 Hugo。 Decision: Hugo.\n"
        "- Decision: Hugo. The theme is still open.\n"
        "- Decision: Hugo.\n  Reason: it is quick.\n"
        "- Comments: Giscus needs a script. Undecided.\n"
        "- Decided on Hugo\n  dentist at three\n"
        "- Decision: Hugo.\nDentist at three.\n"
        "- Which framework? Hugo.\n"
    )
    assert lines_of(note) == [
        (1, 1, "决定：用 Hugo。 Decision: Hugo."),
        (2, 2, "Decision: Hugo."),
        (2, 2, "The theme is still open."),
        (3, 4, "Decision: Hugo. Reason: it is quick."),
        (5, 5, "Comments: Giscus needs a script. Undecided."),
        (6, 6, "Decided on Hugo"),
        (7, 7, "dentist at three"),
        (8, 8, "Decision: Hugo."),
        (9, 9, "Dentist at three."),
        (10, 10, "Which framework? Hugo."),
    ]


def test_a_wrapped_chinese_sentence_gains_no_space() -> None:
    assert lines_of("博客决定使用静态网站生\n成器，因为页面不带\n任何脚本。\n") == [
        (1, 3, "博客决定使用静态网站生成器，因为页面不带任何脚本。")
    ]


def test_a_struck_item_states_nothing() -> None:
    assert lines_of("- ~~Comments: Giscus~~\n- [x] ~~Use Hugo.~~\n- Use Astro.\n") == [(3, 3, "Use Astro.")]


def test_a_task_keeps_its_box() -> None:
    assert lines_of("- [ ] Write the post. Use Hugo.\n- [x] shipped\n- [x]\n- [ ]\n- [X] ~~Tweet.~~\n") == [
        (1, 1, "[ ] Write the post. Use Hugo."),
        (2, 2, "[x] shipped"),
    ]


def test_a_table_states_nothing_with_or_without_outer_bars() -> None:
    assert lines_of(
        "Which?\n\noption | for\n--- | ---\nHugo | quick\n\n| a | b |\n|---|---|\n| c | d |\n\nSo\na | b\n"
    ) == [
        (1, 1, "Which?"),
        (11, 11, "So"),
        (12, 12, "a | b"),
    ]


def test_what_follows_in_the_flow_of_a_named_sentence_is_about_it_too() -> None:
    found = statements(
        "The blog uses Hugo. 博客很快吗是的。 Posts are MDX files.\n\nTiles came.\n\nThe garden is dry. Water it.\n"
    )
    assert [(one.text, one.relevance) for one in found][1:] == [
        ("博客很快吗是的。", Relevance.NAMED),
        ("Posts are MDX files.", Relevance.NAMED),
        ("Tiles came.", Relevance.GENERAL),
        ("The garden is dry.", Relevance.OTHER),
        ("Water it.", Relevance.OTHER),
    ]


PIECES = st.sampled_from(
    ["Use Hugo", ".", "。", "?", " ", "\n", "- ", "  ", "决定", "so", "It", "~~", "Undecided", "，", "、"]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_every_statement_stands_in_its_lines_word_for_word(note: str) -> None:
    lines = note.split("\n")
    for one in statements(note):
        there = "".join("".join(lines[one.first_line - 1 : one.last_line]).split())
        bare = "".join(part for part in there.split("- "))
        assert "".join(one.text.split()) in there or "".join(one.text.split()) in bare.replace("-", "") or "~~" in note
        assert len(one.text) <= LONG or "\n" not in note


@pytest.mark.parametrize(
    "text",
    [
        "word one two\n" * 5_000,
        "~~a~~ b " * 50_000,
        "decided " * 50_000,
        "not " * 50_000,
        "决定。" * 5_000,
        '."' * 50_000,
    ],
    ids=range(6),
)
def test_hostile_text_is_read_in_time(text: str) -> None:
    with cpu_seconds(60):
        statements(f"# x\n\n{text}")
