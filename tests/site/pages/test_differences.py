from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.model import SourceRef
from memsite.memory.source_refs import Citation
from memsite.site.pages.changed_parts import MIN_FOLD, changed_part
from memsite.site.pages.differences import Row, Shape, compare_texts
from memsite.site.pages.views import SourceLink

CODE = "# T\n\n```py\na = 1\n\n    b = 2\nc = 3\n```\n\n- item one\n"


def shown(old: str, new: str) -> list[tuple[str, str]]:
    """The blocks that the page of a commit shows as changed."""
    stretches = compare_texts(*changed_part(old, new)).stretches
    return [(row.type, words(row)) for stretch in stretches for row in stretch.rows if row.kind != "equal"]


@pytest.mark.parametrize(
    ("new", "found"),
    [
        (
            CODE.replace("2", "3").replace("one", "two"),
            [("code", "a = 1\n\n    b = [-2-]{+3+}\nc = 3"), ("item", "item [-one-]{+two+}")],
        ),
        (CODE.replace("    b", "b"), [("code", "a = 1\n\n[-    -]b = 2\nc = 3")]),
    ],
)
def test_what_changed_inside_of_a_fence_is_shown_as_code(new: str, found: list[tuple[str, str]]) -> None:
    assert shown(CODE, new) == found


lines = st.sampled_from(["", "one", "two words", "- item", "## Head", "```", "中文。"])
texts = st.lists(lines, max_size=12).map("\n".join)


def test_compare_texts_folds_what_is_far_from_a_change() -> None:
    old = "# T\n\n" + "".join(f"Paragraph {number}.\n\n" for number in range(10))
    found = compare_texts(old, old + "New.\n")
    assert [stretch.folded for stretch in found.stretches] == [False, True, False]
    assert [row.kind for row in found.stretches[-1].rows] == ["equal", "insert"]
    assert found.summary == "1 word added, 0 removed, in 1 block"


def test_compare_texts_keeps_the_heading_that_a_change_stands_under() -> None:
    old = "## Far\n\n" + "a\n\n" * 6 + "## Near\n\n" + "b\n\n" * 6 + "old\n"
    found = compare_texts(old, old.replace("old", "new"))
    shown = [row.words[0].text for stretch in found.stretches if not stretch.folded for row in stretch.rows]
    assert "Near" in shown
    assert "Far" not in shown


@given(old=texts, new=texts)
def test_compare_texts_shows_every_row_once_and_folds_only_unchanged_ones(old: str, new: str) -> None:
    found = compare_texts(old, new)
    folded = [row for stretch in found.stretches if stretch.folded for row in stretch.rows]
    assert all(row.kind == "equal" for row in folded)
    assert all(len(stretch.rows) >= MIN_FOLD for stretch in found.stretches if stretch.folded)
    assert found.changed == any(row.kind != "equal" for stretch in found.stretches for row in stretch.rows)


def words(row: Row) -> str:
    marks = {"insert": "{+%s+}", "delete": "[-%s-]", "equal": "%s"}
    return "".join(marks[word.op] % word.text for word in row.words)


@pytest.mark.parametrize(
    ("old", "new", "kind", "shown", "notes"),
    [
        ("**Created**: a", "**Created**: b", "change", "Created: [-a-]{+b+}", ()),
        ("- in `posts/`", "- in `notes/` now", "change", "in [-posts-]{+notes+}/{+ now+}", ()),
        ("- a blog", "- a **blog**", "equal", "a blog", ("emphasis changed",)),
        ("- a [blog](x.md)", "- a [blog](y.md)", "equal", "a blog", ("link changed",)),
        ("- A [2025-03-20]", "- A [2025-03-22#L3]", "equal", "A", ("sources changed",)),
        ("- A b c. [2025-03-20]", "- A b d. [2025-03-22]", "change", "A b [-c-]{+d+}.", ("sources changed",)),
        ("~~Use it.~~ no", "Use it. no", "equal", "Use it. no", ("no longer struck out",)),
        ("Use it.", "~~Use **it**.~~", "equal", "Use it.", ("struck out", "emphasis changed")),
        ("~~Use~~ it.", "Use ~~it~~.", "equal", "Use it.", ("struck out",)),
        ("### Plan", "#### Plan", "change", "Plan", ("heading level changed",)),
        ("[Plan](a.md)", "- [Plan](b.md)", "change", "Plan", ("link changed", "now a list item")),
        ("> Plan", "Plan", "change", "Plan", ("no longer quoted",)),
        ("```sh\nls\n```", "```bash\nls\n```", "change", "ls", ("code language changed",)),
        ("- [ ] buy tea", "- [x] buy tea", "change", "[-☐-]{+☑+} buy tea", ()),
        (
            "他说：“好的。”然后用Hugo",
            "他说：\n“好的。”\n然后用\n**Hugo**",
            "equal",
            "他说： “好的。” 然后用 Hugo",
            ("emphasis changed",),
        ),
        ("看[博客](x.md)Hugo", "看[博客](y.md)\nHugo", "equal", "看博客 Hugo", ("link changed",)),
        ("运行 `commit 消息 -a`", "运行 `commit 消息-a`", "equal", "运行 commit 消息-a", ("spaces in code changed",)),
        ("```\na\tb **c**\n```", "```\na\tb **d**\n```", "change", "a\tb **[-c-]{+d+}**", ()),
    ],
)
def test_rows_show_words_and_note_what_is_none(old: str, new: str, kind: str, shown: str, notes: tuple[str]) -> None:
    found = compare_texts(old, new, {})
    (row,) = found.stretches[0].rows
    assert (row.kind, words(row), row.notes) == (kind, shown, notes)
    assert found.changed
    assert found.summary == (", ".join(notes) if "[-" not in shown and "{+" not in shown else found.summary)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("博客使用Hugo部署，约20元。", "博客使用\nHugo部署，约\n20元。"),
        ("- 看[博客](x.md)Hugo。", "- 看[博客](x.md)\n  Hugo。"),
        ("用 **Hugo** 写", "用**Hugo**写"),
    ],
)
def test_chinese_wrapped_anew_is_no_change_and_each_side_is_as_written(old: str, new: str) -> None:
    for one, other in ((old, new), (new, old)):
        found = compare_texts(one, other)
        assert (found.changed, found.summary) == (False, "no change")
        (row,) = found.stretches[0].rows
        assert {word.op for word in (*row.words, *row.before, *row.after)} == {"equal"}
        assert words(row) == "".join(word.text for word in row.after)
        (itself,) = compare_texts(one, one).stretches[0].rows
        assert "".join(word.text for word in row.before) == words(itself)


@pytest.mark.parametrize(
    ("old", "new"), [("Salt &amp; pepper", "Salt & pepper"), ("- &copy; Ada", "- © Ada"), ("a \\* b", "a * b")]
)
def test_what_is_written_otherwise_and_read_alike_is_no_change(old: str, new: str) -> None:
    found = compare_texts(old, new)
    assert (found.changed, found.summary) == (False, "no change")


def test_source_references_are_words_where_no_generations_are_compared() -> None:
    (row,) = compare_texts("- Dates: [2025-03-20]", "- Dates: [2025-03-20, 2025-03-22]").stretches[0].rows
    assert words(row) == "Dates: [2025-03-20{+, 2025-03-22+}]"


def test_each_side_has_its_own_structure() -> None:
    old, new = "1. first\n2. second\n3. third", "1. first\n2. new second\n3. second\n4. third"
    rows = [row for stretch in compare_texts(old, new).stretches for row in stretch.rows]
    assert [row.old_shape.prefix for row in rows if row.old_shape] == ["1.", "2.", "3."]
    assert [row.prefix for row in rows if row.after] == ["1.", "2.", "3.", "4."]
    (row,) = compare_texts("### Plan", "- Plan").stretches[0].rows
    assert row.old_shape == Shape("heading", "", 3)
    assert (row.type, row.prefix, row.level) == ("item", "•", 0)
    (row,) = compare_texts("", "- Plan").stretches[0].rows
    assert row.old_shape is None


def test_each_side_has_its_own_sources() -> None:
    refs = {day: SourceRef(date(2025, 3, day)) for day in (20, 22)}
    links: dict[Citation, SourceLink] = {ref: SourceLink(ref.day.isoformat(), None) for ref in refs.values()}
    (row,) = compare_texts("- A [2025-03-20]", "- A [2025-03-22]", links).stretches[0].rows
    assert (row.old_sources, row.sources) == ((links[refs[20]],), (links[refs[22]],))


marked = st.lists(
    st.sampled_from(["**one** two", "`one` three", "- *a* [b](c)", "# One", "1. **x", "中**文**。"]), max_size=6
)


@given(old=marked.map("\n\n".join), new=marked.map("\n\n".join))
def test_both_texts_of_a_row_are_its_words(old: str, new: str) -> None:
    for row in (row for stretch in compare_texts(old, new).stretches for row in stretch.rows):
        for side, other in ((row.before, "insert"), (row.after, "delete")):
            assert "".join(word.text for word in side) == "".join(w.text for w in row.words if w.op != other)
            assert other not in {word.op for word in side}
        assert not any(mark in word.text for word in row.words for mark in ("`", "[b]", "**one"))


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("a\n\nb\n", "a\n\nb\n\nc\n", ("", "c")),
        ("a\n\nb\n\nc\n", "a\n\nB\n\nc\n", ("b", "B")),
        ("a\r\n", "a\n", ("", "")),
        ("", "new", ("", "new")),
        ("- a\n- b\n- c", "- a\n- B\n- c", ("- b", "- B")),
        ("# I\n- a\n  - x\n- b\n  - y\n- c", "# I\n- a\n  - x\n- b\n  - z\n- c", ("- b\n  - y", "- b\n  - z")),
        ("- a\n- b", "- a\n  more\n- b", ("- a", "- a\n  more")),
        ("a\n\nb", "a\nb", ("a\n\nb", "a\nb")),
        ("- a\n\n    b", "- a\n\n    c", ("- a\n\n    b", "- a\n\n    c")),
        ("- a\n\n  more\n\nb", "- a\n\n  less\n\nb", ("- a\n\n  more", "- a\n\n  less")),
        ("```\na\n\nb\n```\n\nc", "```\na\n\nB\n```\n\nc", ("```\na\n\nb\n```", "```\na\n\nB\n```")),
        ("```\na\n\n# b\n```\n", "```\nA\n\n# b\n```\n", ("```\na\n\n# b\n```", "```\nA\n\n# b\n```")),
        ("```\n\nopen\n", "```\n\nopen\n\nmore\n", ("```\n\nopen", "```\n\nopen\n\nmore")),
        ("```\n\na\n```\n\nb", "```\n\na\n```\n\nc", ("b", "c")),
        (
            "---\na: b\n\nc: d\n---\n\ne",
            "---\na: b\n\nc: D\n---\n\ne",
            ("---\na: b\n\nc: d\n---", "---\na: b\n\nc: D\n---"),
        ),
        ("<!--\na\n\nb\n-->\n\nc", "<!--\na\n\nB\n-->\n\nc", ("<!--\na\n\nb\n-->", "<!--\na\n\nB\n-->")),
    ],
)
def test_changed_part_of_known_texts(old: str, new: str, part: tuple[str, str]) -> None:
    assert tuple(text.strip() for text in changed_part(old, new)) == part


paragraphs = st.lists(
    st.sampled_from(
        [
            "- item {}",
            "## Heading {}",
            "A paragraph {}\nof two lines.",
            "  - nested {}",
            "Underlined {}\n===",
            "```\ncode {}\n\nmore\n```",
            "    indented {}\n\n\n    more",
            "two lines\n{}. of one",
        ]
    ),
    min_size=30,
    max_size=60,
)


@given(shapes=paragraphs, changes=st.sets(st.integers(0, 59), max_size=4), spaced=st.booleans())
def test_what_is_left_out_between_changes_shows_nowhere(shapes: list[str], changes: set[int], spaced: bool) -> None:
    blocks = [shape.format(number) for number, shape in enumerate(shapes)]
    other = [f"{block}!" if number in changes and "`" not in block else block for number, block in enumerate(blocks)]
    glue = "\n\n" if spaced else "\n"
    old, new = glue.join(["one", *blocks, "two"]), glue.join(["uno", *other, "due"])
    part = changed_part(old, new)
    assert _unfolded(*part) == _unfolded(old, new)
    assert len(part[0]) <= len(old) + 8


def _unfolded(old: str, new: str) -> list[list[tuple[str, str, str]]]:
    found = compare_texts(old, new).stretches
    return [[(row.type, row.kind, words(row)) for row in one.rows] for one in found if not one.folded]


def test_of_a_long_text_with_two_changes_most_is_left_out() -> None:
    entries = [f"- **topic-{number}**\n  - Status: active\n  - Dates: [2025-03-20]\n" for number in range(200)]
    old = "# Index\n\n## Projects\n" + "".join(entries)
    new = old.replace("**topic-20**\n  - Status: active", "**topic-20**\n  - Status: done")
    new = new.replace("**topic-170**\n  - Status: active", "**topic-170**\n  - Status: done")
    assert len(changed_part(old, new)[0]) < len(old) / 10
    assert shown(old, new) == [("item", "Status: [-active-]{+done+}")] * 2


def test_of_the_long_lists_around_a_change_in_an_entry_most_is_left_out() -> None:
    generations = "".join(f"    - gen{number}: consolidated/{number}.md\n" for number in range(90))
    entry = "- **{}**\n  - Dates: [2025-03-20]\n  - Consolidations:\n{}  - Current: {}\n  - Status: active\n"
    old = entry.format("one", generations, "a") + entry.format("two", generations, "b")
    new = old.replace("Current: a", "Current: c")
    part = changed_part(old, new)
    assert part[0].count("\n") < 15
    assert part[0].startswith("- **one**\n  - Consolidations:\n    - gen")
    assert shown(old, new) == [("item", "Current: [-a-]{+c+}")]
    levels = [row.level for stretch in compare_texts(*part).stretches for row in stretch.rows]
    assert levels == [0, 1, *[2] * (len(levels) - 4), 1, 1]


nested = st.sampled_from(
    [*["- top {}", "  - sub {}", "    - deep {}"] * 3, "   - odd {}", "  goes on {}", "# Head {}", "- - -", "1. num {}"]
)


@given(
    shapes=st.lists(nested, min_size=42, max_size=80),
    changes=st.dictionaries(st.integers(0, 79), st.sampled_from(["{}!", "  {}", "- more\n{}"]), max_size=3),
)
def test_what_is_left_out_of_lists_shows_nowhere(shapes: list[str], changes: dict[int, str]) -> None:
    lines = ["one", *(shape.format(number) for number, shape in enumerate(shapes)), "two"]
    other = ["uno", *(changes.get(number, "{}").format(line) for number, line in enumerate(lines[1:-1])), "due"]
    old, new = "\n".join(lines), "\n".join(other)
    assert _unfolded(*changed_part(old, new)) == _unfolded(old, new)


@given(old=texts, new=texts)
def test_changed_part_leaves_the_same_around_both(old: str, new: str) -> None:
    before, after = changed_part(old, new)
    assert before in old
    assert after in new
    assert (before == after == "") or old != new or before == after
