"""When a topic wants consolidation, and the one commit that does it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.changeset import Append, Changeset, Write
from memsite.memory.lineage import load_memory
from memsite.memory.model import Grade, Memory, Topic
from memsite.memory.planning import (
    consolidation_grade,
    dates_since,
    last_covered,
    next_number,
    plan_consolidation,
    sources_since,
)
from memsite.memory.snapshot import make_snapshot

CONFIG = Config()
D20, D22, D25 = date(2025, 3, 20), date(2025, 3, 22), date(2025, 3, 25)
GEN1 = "memory/consolidated/personal-blog-gen1-2025-03-25.md"
MARKER = "<!-- ARCHIVED: consolidated into consolidated/personal-blog-gen1-2025-03-25.md -->\n"
INDEX = """# Memory Index

## Projects
- **personal-blog**
  - Dates: [2025-03-20, 2025-03-22, 2025-03-25]
  - Status: active
- **garden**
  - Dates: [2025-03-22]
  - Status: active
"""
BODY = """## Summary
A blog.

## Key Points
- Next.js [2025-03-22#L3]

## Decisions Made
- Vercel [2025-03-25]

## Current Status
Active.
"""
SOURCED = BODY + "\n## Source References\n"
FILES = {
    "memory/INDEX.md": INDEX,
    "memory/2025-03-20.md": "# 2025-03-20\n\nA blog begins.\n",
    "memory/2025-03-22.md": "# 2025-03-22\n\nNext.js it is.\n",
    "memory/2025-03-25.md": "# 2025-03-25\n\nVercel.",
}


def load(files: Mapping[str, str | bytes]) -> Memory:
    return load_memory(make_snapshot(files), CONFIG)


def plan(
    files: Mapping[str, str | bytes], body: str = BODY, today: date = D25, known: tuple[int, ...] = ()
) -> Changeset:
    return plan_consolidation(load(files), "personal-blog", body, today, CONFIG, known_numbers=known)


def apply(files: Mapping[str, str | bytes], changeset: Changeset) -> dict[str, str | bytes]:
    """The folder after the commit, as the transaction leaves it."""
    done = dict(files)
    for change in changeset.changes:
        path = str(change.path)
        old = done.get(path)
        data = old.encode() if isinstance(old, str) else old
        if isinstance(change, Write):
            assert data == change.old
            done[path] = change.data
        else:
            assert data is not None
            done[path] = data + (b"" if data.endswith(b"\n") else b"\n") + change.data
    return done


def generation_text(changeset: Changeset) -> str:
    first = changeset.changes[0]
    assert isinstance(first, Write)
    return first.data.decode()


def topic_of(dates: list[date]) -> Topic:
    return Topic("x", "Projects", dates=tuple(dates))


def days_before(today: date, *back: int) -> Topic:
    return topic_of([today - timedelta(days) for days in back])


@pytest.mark.parametrize(
    ("back", "grade"),
    [
        ((), Grade.NONE),
        ((5, 3), Grade.NONE),
        ((5, 3, 0), Grade.SUGGESTED),  # the seed's example session: the third date proposes
        ((5, 3, 1), Grade.SUGGESTED),
        ((9, 5, 3, 0), Grade.SUGGESTED),
        ((9, 5, 3, 1), Grade.DUE),  # the seed's rule: more than 3 dates, excluding today
        ((9, 5, 3, 1, 0), Grade.DUE),
        ((9, 5, -3, -1), Grade.NONE),  # days to come do not count
    ],
)
def test_the_two_grades(back: tuple[int, ...], grade: Grade) -> None:
    assert consolidation_grade(days_before(D25, *back), D25, 3) is grade


def test_a_topic_without_new_dates_is_never_suggested() -> None:
    assert consolidation_grade(topic_of([]), D25, 0) is Grade.NONE


@given(st.lists(st.integers(0, 30), max_size=12), st.integers(0, 6))
def test_due_is_never_less_than_suggested(back: list[int], threshold: int) -> None:
    days = {D25 - timedelta(number) for number in back}
    grade = consolidation_grade(topic_of(sorted(days)), D25, threshold)
    assert (grade is Grade.DUE) == (len(days - {D25}) > threshold)
    assert (grade is Grade.NONE) == (len(days) < max(threshold, 1))


def test_the_first_generation_of_the_seeds_story() -> None:
    changeset = plan(FILES)
    assert changeset.message == "consolidate(personal-blog): gen1"
    assert [str(path) for path in changeset.paths] == [
        GEN1,
        "memory/2025-03-20.md",
        "memory/2025-03-22.md",
        "memory/2025-03-25.md",
        "memory/INDEX.md",
    ]
    assert generation_text(changeset) == (
        "# Personal Blog - Generation 1 Consolidation\n\n"
        "**Created**: 2025-03-25\n**Covers**: 2025-03-20 to 2025-03-25\n\n" + BODY + "\n## Source References\n"
        "- 2025-03-20: 2025-03-20.md\n- 2025-03-22: 2025-03-22.md\n- 2025-03-25: 2025-03-25.md\n"
    )
    assert {change.data.decode() for change in changeset.changes if isinstance(change, Append)} == {MARKER}
    index = changeset.changes[-1]
    assert isinstance(index, Write)
    assert index.old == INDEX.encode()
    assert "    - gen1 (2025-03-25): consolidated/personal-blog-gen1-2025-03-25.md\n" in index.data.decode()
    assert "  - Current: consolidated/personal-blog-gen1-2025-03-25.md\n" in index.data.decode()


def test_what_was_consolidated_is_read_back_without_a_problem() -> None:
    memory = load(apply(FILES, plan(FILES)))
    topic = memory.topic("personal-blog")
    assert topic and topic.current
    assert (topic.current.number, topic.current.covers, topic.current.indexed) == (1, (D20, D25), True)
    assert memory.problems == ()
    assert dates_since(topic, D25) == ()
    assert sources_since(memory, topic, D25) == ()


def test_nothing_new_is_refused() -> None:
    done = apply(FILES, plan(FILES))
    with pytest.raises(RefusedError, match=r"no note after 2025-03-25, which generation 1 covers: nothing to consolid"):
        plan(done)
    with pytest.raises(RefusedError, match="no note to begin with"):
        plan({"memory/INDEX.md": INDEX})


def test_a_marker_of_another_topic_leaves_the_note_a_source() -> None:
    done = apply(FILES, plan(FILES))
    memory = load(done)
    garden = memory.topic("garden")
    assert garden
    assert [note.day for note in sources_since(memory, garden, D25)] == [D22]


def second(done: Mapping[str, str | bytes], **notes: str) -> dict[str, str | bytes]:
    files = dict(done)
    index = files["memory/INDEX.md"]
    assert isinstance(index, bytes)
    files["memory/INDEX.md"] = index.replace(b"2025-03-25]", b"2025-03-25, 2025-04-01]", 1)
    files["memory/2025-04-01.md"] = "# April\n\nFirst post.\n"
    files["memory/2025-04-01-standup.md"] = "Standup.\n"
    return files


def test_the_second_generation_follows_the_first() -> None:
    files = second(apply(FILES, plan(FILES)))
    body = BODY.replace("[2025-03-25]", "[2025-04-01]")
    text = generation_text(plan(files, body, date(2025, 4, 5)))
    assert "**Covers**: 2025-04-01 to 2025-04-01\n**Previous**: consolidated/personal-blog-gen1-2025-03-25.md\n" in text
    assert text.endswith(
        "## Source References\n"
        "- gen1: consolidated/personal-blog-gen1-2025-03-25.md\n"
        "- 2025-04-01: 2025-04-01.md\n"
        "- 2025-04-01-standup: 2025-04-01-standup.md\n"
    )


def test_text_below_the_marker_is_a_source_again() -> None:
    done = apply(FILES, plan(FILES))
    later = done["memory/2025-03-25.md"]
    assert isinstance(later, bytes)
    files = second(done | {"memory/2025-03-25.md": later + b"\nPreview deployments.\n"})
    memory = load(files)
    topic = memory.topic("personal-blog")
    assert topic
    assert [note.day for note in sources_since(memory, topic, date(2025, 4, 5))] == [
        D25,
        date(2025, 4, 1),
        date(2025, 4, 1),
    ]
    again = load(apply(files, plan(files, BODY, date(2025, 4, 5))))
    topic = again.topic("personal-blog")
    assert topic
    assert sources_since(again, topic, date(2025, 4, 5)) == ()


def test_a_note_that_says_nothing_is_no_source() -> None:
    files = {**FILES, "memory/2025-03-22.md": "<!-- DAILY_FLUSH -->\n\n<!-- NATIVE_FLUSH -->\n"}
    body = BODY.replace("[2025-03-22#L3]", "")
    assert "memory/2025-03-22.md" not in map(str, plan(files, body).paths)


def test_days_to_come_are_not_covered() -> None:
    text = generation_text(plan(FILES, BODY.replace("[2025-03-25]", ""), date(2025, 3, 24)))
    assert "**Covers**: 2025-03-20 to 2025-03-22" in text


def test_the_number_is_one_more_than_the_highest_known() -> None:
    assert plan(FILES, known=(1, 4)).message == "consolidate(personal-blog): gen5"
    listed = INDEX.replace(
        "25]\n", "25]\n  - Consolidations:\n    - gen2 (2025-03-01): consolidated/personal-blog-gen2-2025-03-01.md\n", 1
    )
    files = {**FILES, "memory/INDEX.md": listed, "memory/consolidated/personal-blog-gen3-2025-03-01.md": ""}
    topic = load(files).topic("personal-blog")
    assert topic
    assert (next_number(topic), next_number(topic, [7])) == (4, 8)


def test_a_whole_document_is_accepted_and_its_head_replaced() -> None:
    written = "# Wrong - Generation 9 Consolidation\n\n**Created**: 2020-01-01\n**Previous**: x\n\n" + BODY
    assert generation_text(plan(FILES, written)) == generation_text(plan(FILES))


def test_the_writers_references_stay_and_are_completed() -> None:
    body = BODY.upper().replace("[2025-03-22#L3]", "") + "\n## Sources\n- 2025-03-22: Next.js was chosen\n"
    text = generation_text(plan(FILES, body))
    assert text.endswith(
        "## Source References\n- 2025-03-22: Next.js was chosen\n"
        "- 2025-03-20: 2025-03-20.md\n- 2025-03-25: 2025-03-25.md\n"
    )
    assert "\n## Key Points\n" in text


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "body:1: the body is empty"),
        (BODY.replace("## Summary", "Summary"), "body:1: text before the first section: 'Summary' (and 1 more fault)"),
        (BODY.replace("2025-03-25", "2025-03-24"), "body:8: there is no note of 2025-03-24"),
        (BODY.replace("#L3", "#L2-L4"), "body:5: the note of 2025-03-22 has 3 lines, not 4"),
        (BODY + "\n## Source References\n- gen1: x\n", "body:14: there is no generation 1 of 'personal-blog'"),
        (BODY + "\n## Source References\n- 2025-03-19: x\n", "body:14: there is no note of 2025-03-19"),
        (BODY.replace("Active.", "Active.\n\n<pre>\n"), "body:13: what opens here is never closed"),
        (BODY.replace("A blog.", "A blog. [2025-03-19]"), "body:2: there is no note of 2025-03-19"),
        (
            BODY.replace("Active.", "Active,\nsince [2025-03-22#L4]"),
            "body:12: the note of 2025-03-22 has 3 lines, not 4",
        ),
        (BODY + "## Ideas\n- one [2025-03-19]\n", "body:13: there is no note of 2025-03-19"),
        (SOURCED + "- 2025-03-22: it was chosen [2025-03-19]\n", "body:14: there is no note of 2025-03-19"),
        (SOURCED + "- 2025-03-20 to 2025-03-24: begun\n", "body:14: there is no note of 2025-03-24"),
        (SOURCED + "- notes/plan.md: the plan\n", "body:14: there is no notes/plan.md"),
        (SOURCED + "- 2025-03-22-standup: said so\n", "body:14: there is no note 2025-03-22-standup"),
        (SOURCED + "- personal-blog-gen1-2025-03-01.md: x\n", "body:14: there is no personal-blog-gen1-2025-03-01.md"),
        (SOURCED + "- several chats\n", "body:14: 'several chats' names no source"),
    ],
)
def test_a_body_that_cannot_be_trusted_is_refused(body: str, message: str) -> None:
    with pytest.raises(RefusedError) as refused:
        plan(FILES, body)
    assert str(refused.value).startswith(message)


def test_sources_of_every_kind_are_found() -> None:
    sources = (
        "- 2025-03-20, 2025-03-22: the beginnings\n- **2025-03-25** – hosting\n- [2025-03-22](../2025-03-22.md): x\n"
        "- `2025-03-22-standup.md`: said so\n- sessions/2025-03-22.md: a talk\n- memory/plan.md#L3: the plan\n"
        "- draw/plan.svg: a picture\n- garden-gen1-2025-03-01.md: another topic\n- MEMORY.md: x\n- —\n"
    )
    more = {
        "memory/2025-03-22-standup.md": "x\n",
        "memory/sessions/2025-03-22.md": "# Session Log — 2025-03-22\n",
        "memory/plan.md": "x\n",
        "memory/draw/plan.svg": "x\n",
        "memory/consolidated/garden-gen1-2025-03-01.md": "x\n",
        "MEMORY.md": "x\n",
    }
    assert sources in generation_text(plan({**FILES, **more}, SOURCED + sources))


def test_sections_of_the_writers_own_keep_their_headings() -> None:
    long = "word " * 80 + "end"
    text = generation_text(plan(FILES, BODY + f"\n## `make` and [links](x.md) ##\nHow.\n\n## {long}\nWhy.\n"))
    assert "\n## `make` and [links](x.md) ##\nHow.\n" in text
    assert f"\n## {long}\nWhy.\n" in text


def test_an_older_generation_vouches_for_a_note_that_is_gone() -> None:
    files = second(apply(FILES, plan(FILES)))
    for day in ("2025-03-20", "2025-03-22", "2025-03-25"):
        del files[f"memory/{day}.md"]
    assert plan(files, BODY, date(2025, 4, 5)).message == "consolidate(personal-blog): gen2"


def test_a_topic_must_be_in_the_index() -> None:
    files = {**FILES, "memory/consolidated/other-gen1-2025-03-25.md": ""}
    for slug in ("other", "nothing"):
        with pytest.raises(RefusedError, match="there is no topic"):
            plan_consolidation(load(files), slug, BODY, D25, CONFIG, known_numbers=())


def test_a_repository_that_is_a_memory() -> None:
    config = Config(memory=PurePosixPath())
    files = {path.removeprefix("memory/"): text for path, text in FILES.items()}
    changeset = plan_consolidation(
        load_memory(make_snapshot(files), config), "personal-blog", BODY, D25, config, known_numbers=()
    )
    assert str(changeset.paths[0]) == GEN1.removeprefix("memory/")
    assert load_memory(make_snapshot(apply(files, changeset)), config).problems == ()


def test_a_topic_name_of_another_script() -> None:
    files = {
        "memory/INDEX.md": "## Projects\n- **博客项目**: [2025-03-22]\n",
        "memory/2025-03-22.md": "博客\n\n用 Next.js\n",
    }
    body = BODY.replace("[2025-03-25]", "")
    changeset = plan_consolidation(load(files), "博客项目", body, D25, CONFIG, known_numbers=())
    assert generation_text(changeset).startswith("# 博客项目 - Generation 1 Consolidation\n")
    assert load(apply(files, changeset)).problems == ()


@given(st.sets(st.integers(0, 20), min_size=1), st.sets(st.integers(0, 20)), st.integers(0, 20))
def test_consolidating_twice_needs_something_new(dated: set[int], written: set[int], today: int) -> None:
    days = [D20 + timedelta(number) for number in sorted(dated)]
    files: dict[str, str | bytes] = {
        "memory/INDEX.md": f"## Projects\n- **personal-blog**: [{', '.join(map(str, days))}]\n",
        **{f"memory/{D20 + timedelta(number)}.md": f"text {number}\n```\n" for number in written},
    }
    body = BODY.replace("[2025-03-22#L3]", "").replace("[2025-03-25]", "")
    now = D20 + timedelta(today)
    expected = sorted(number for number in dated & written if number <= today)
    if not expected:
        with pytest.raises(RefusedError, match="nothing to consolidate"):
            plan(files, body, now)
        return
    done = apply(files, plan(files, body, now))
    memory = load(done)
    topic = memory.topic("personal-blog")
    assert topic and topic.current
    assert topic.current.covers == (D20 + timedelta(expected[0]), D20 + timedelta(expected[-1]))
    assert memory.problems == ()
    with pytest.raises(RefusedError, match="nothing to consolidate"):
        plan(done, body, now)


@pytest.mark.parametrize(("head", "end"), [("", None), ("**Covers**: 2025-03-20 to 2025-03-21\n", date(2025, 3, 21))])
def test_a_generation_covers_what_it_says_and_no_more(head: str, end: date | None) -> None:
    topic = load({**FILES, GEN1: f"# Blog\n\n{head}"}).topic("personal-blog")
    assert topic
    assert last_covered(topic, D25) == end


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("[2025-03-22-standup#L1]", ""),
        ("[2025-03-22-retro#L1]", "body:5: there is no note 2025-03-22-retro"),
        ("[2025-03-22-standup#L2]", "body:5: the note of 2025-03-22-standup has 1 line, not 2"),
        ("[2025-03-22-standup#Lx]", "body:5: [2025-03-22-standup#Lx] is no source"),
    ],
)
def test_a_body_may_cite_another_note_of_the_day(ref: str, said: str) -> None:
    files = FILES | {"memory/2025-03-22-standup.md": "Next.js, says Grace.\n"}
    body = BODY.replace("[2025-03-22#L3]", ref) + "\n## Source References\n- 2025-03-22-standup: Grace says it\n"
    if said:
        with pytest.raises(RefusedError, match=re.escape(said)):
            plan(files, body)
        return
    text = generation_text(plan(files, body))
    assert f"- Next.js {ref}\n" in text
    assert text.count("2025-03-22-standup: ") == 1
    assert "- 2025-03-22: 2025-03-22.md\n" in text


def source_names(files: Mapping[str, str | bytes], until: date = date(2025, 4, 5)) -> list[str]:
    memory = load(files)
    topic = memory.topic("personal-blog")
    assert topic
    return [note.path.stem for note in sources_since(memory, topic, until)]


def test_a_second_note_of_a_covered_day_is_new() -> None:
    late = {"memory/2025-03-20-1500.md": "We decided on Tailwind.\n"}
    files = apply(FILES, plan(FILES)) | late
    assert source_names(files) == ["2025-03-20-1500"]
    done = apply(files, plan(files, BODY, date(2025, 4, 5)))
    assert source_names(done) == []
    assert source_names(done | {"memory/2025-03-20-15.md": "Tailwind 4.\n"}) == ["2025-03-20-15"]


def test_an_older_date_that_a_topic_gets_later_is_new() -> None:
    index = INDEX.replace("[2025-03-20, ", "[", 1)
    done = apply(FILES | {"memory/INDEX.md": index}, plan(FILES | {"memory/INDEX.md": index}))
    indexed = done["memory/INDEX.md"]
    assert isinstance(indexed, bytes)
    assert source_names(done) == []
    for day in ("2025-03-20", "2025-03-21"):
        dated = indexed.replace(b"[2025-03-22, ", f"[{day}, 2025-03-22, ".encode(), 1)
        assert source_names(done | {"memory/INDEX.md": dated, f"memory/{day}.md": "Astro?\n"}) == [day]


@pytest.mark.parametrize(
    ("references", "new"),
    [
        ("", []),  # one that names no note covers whole days
        ("- gen0: an earlier one\n- a talk: of the beginnings\n", []),
        ("- 2025-03-20, 2025-03-22 and 2025-03-25: all of it\n", ["2025-03-22-1500"]),
        ("- 2025-03-20 to 2025-03-25: all of it\n", ["2025-03-22-1500"]),
        ("- **2025-03-20 – 2025-03-25**\n", ["2025-03-22-1500"]),
        ("- 2025-03-20 至 2025-03-25：全部\n- 2025-03-22-1500.md: x\n", []),
        ("- 2025-03-20: begun\n- notes/2025-03-22-1500.md: x\n", ["2025-03-22", "2025-03-25"]),
        (
            "- 2025-03-20 to 2025-03-25: all of it\n- 2025-04-01: the launch is planned\n",
            ["2025-03-22-1500", "2025-04-01"],
        ),
        ("- 2025-03-25: until\n- 2025-03-22-15: x\n", ["2025-03-20", "2025-03-22", "2025-03-22-1500"]),
    ],
)
def test_a_generation_without_markers_holds_the_notes_that_it_names(references: str, new: list[str]) -> None:
    written = f"**Covers**: 2025-03-20 to 2025-03-25\n\n{SOURCED}{references}"
    files = {**FILES, GEN1: written, "memory/2025-03-22-1500.md": "Late.\n"}
    files["memory/INDEX.md"] = INDEX.replace("2025-03-25]", "2025-03-25, 2025-04-01]", 1)
    later = {"memory/2025-04-01.md": "Launched.\n"} if "2025-04-01" in new else {}
    assert source_names({**files, **later}) == new


def test_a_generation_that_names_no_note_holds_those_that_are_marked() -> None:
    written = f"**Covers**: 2025-03-20 to 2025-03-25\n\n{BODY}"
    marked = {path: f"{text.rstrip()}\n{MARKER}" for path, text in FILES.items() if "INDEX" not in path}
    late = {"memory/2025-03-22-1500.md": "Late.\n"}
    assert source_names({**FILES, GEN1: written, **marked, **late}) == ["2025-03-22-1500"]


@pytest.mark.parametrize("end", ["2099-01-01", "2025-02-30", "2025-03-01"])
@pytest.mark.parametrize("name", [GEN1, GEN1.replace("2025-03-25", "2099-01-01")])
def test_impossible_covers_hide_no_note(end: str, name: str) -> None:
    files = FILES | {
        "memory/INDEX.md": INDEX.replace("03-25]", "03-25, 2025-04-01]", 1),
        "memory/2025-04-01.md": "New.\n",
    }
    for references in ("", "- 2025-03-20: begun\n- 2025-03-22: x\n- 2025-03-25: x\n"):
        written = {name: f"**Covers**: 2025-03-20 to {end}\n\n{SOURCED}{references}"}
        assert "2025-04-01" in source_names(files | written)
        topic = load(files | written).topic("personal-blog")
        assert topic
        assert date(2025, 4, 1) in dates_since(topic, date(2025, 4, 5))
