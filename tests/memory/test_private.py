"""What settings call private, what names it elsewhere, where copies of it stand, and where it was in older versions."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.config import Config
from memsite.memory.private import Privacy
from memsite.memory.private_copies import Copies, private_units
from memsite.memory.private_names import PrivateNames
from memsite.memory.private_versions import carry_back


def privacy(*entries: str) -> Privacy:
    return Privacy(Config(private=entries))


@pytest.mark.parametrize(
    ("entry", "hidden", "shown"),
    [
        (
            "people/",
            ["memory/people/grace.md", "memory/People/deep/er.md"],
            ["memory/people.md", "memory/a/people/x.md"],
        ),
        (
            "people",
            ["memory/people/grace.md", "memory/people.md", "memory/2025-03-20-people.md"],
            ["memory/peoples.md"],
        ),
        ("notes/diary.md", ["memory/notes/diary.md"], ["memory/diary.md", "memory/notes/diary2.md"]),
        ("memory/notes/", ["memory/notes/diary.md"], ["memory/memory.md"]),
        ("MEMORY.md", ["MEMORY.md", "memory/MEMORY.md"], ["DREAMS.md"]),
        (
            "salary-talks",
            [
                "memory/consolidated/salary-talks-gen2-2025-03-25.md",
                "memory/salary-talks/plan.md",
                "memory/Salary Talks.md",
                "memory/2025-03-20-salary-talks.md",
                "memory/salary_talks-2.md",
            ],
            ["memory/consolidated/salary-talks-abroad-gen1-2025-03-25.md", "memory/salary.md", "memory/INDEX.md"],
        ),
        ("博客项目", ["memory/consolidated/博客项目-gen1-2025-03-25.md", "memory/博客项目.md"], ["memory/博客.md"]),
        ("INDEX.md", [], ["memory/INDEX.md"]),
    ],
)
def test_an_entry_hides_its_files_and_no_others(entry: str, hidden: list[str], shown: list[str]) -> None:
    found = privacy(entry)
    assert [path for path in hidden if not found.hides_path(PurePosixPath(path))] == []
    assert [path for path in shown if found.hides_path(PurePosixPath(path))] == []


def test_entries_that_name_nothing_are_told() -> None:
    paths = [PurePosixPath("memory/people/grace.md"), PurePosixPath("memory/notes/diary.md")]
    found = privacy("people/", "peple/", "blog", "garden", "notes/diary.md", "diary.md").unmatched(paths, ["blog"])
    assert list(found) == ["peple/", "garden", "diary.md"]


INDEX = """# Index

## Projects

- **blog**
  - Dates: [2025-03-20]
- **salary-talks**
  - Dates: [2025-03-20]
  - Aliases: [Gehalt, "pay rounds"]

  - Description: hidden
* __Salary Talks__: hidden, too
  hidden
- **salary-talks-abroad**: [2025-03-20]

## Events
"""


def test_an_entry_of_the_index_goes_with_all_that_is_below_it() -> None:
    found = privacy("salary-talks")
    left = INDEX
    for start, end in reversed(found.entries(INDEX)):
        left = left[:start] + left[end:]
    assert "hidden" not in left
    assert left.count("\n- **") == 2
    assert left.endswith("- **salary-talks-abroad**: [2025-03-20]\n\n## Events\n")
    assert sorted(found.aliases(INDEX)) == ["Gehalt", "pay rounds"]


NAMES = PrivateNames(
    Config(),
    topics=frozenset({"salary-talks", "pay", "博客项目"}),
    public=frozenset({"salary-talks-abroad", "pay-tv"}),
    paths=frozenset(
        map(PurePosixPath, ("memory/people", "memory/people/grace.md", "memory/a/b/c.md", "memory/2025-03-20.md"))
    ),
    titles=frozenset({"The long life of Grace", "Plan", "The soir\udce9e of \ud83d Heidi"}),
)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("the salary-talks begin", "the [private] begin"),
        ("Salary Talks, SALARY_TALKS; salary talks.", "[private], [private]; [private]."),
        ("salary-talks-abroad and pay-tv stay, pay goes", "salary-talks-abroad and pay-tv stay, [private] goes"),
        ("they were paid, they repay", "they were paid, they repay"),
        ("关于博客项目的事", "关于[private]的事"),
        ('see [Grace](people/grace.md#top) and [it](../people/grace.md "t")', "see [private] and [private]"),
        ("![x](people/grace.md)", "[private]"),
        ("[[grace]], [[people/grace|her]], [[other]]", "[private], [private], [[other]]"),
        ("[1]: people/grace.md", "[private]"),
        ("see memory/people/grace.md, people/heidi.md or `grace.md`.", "see [private], [private] or `[private]`."),
        ("b/c.md and c.md, but d/c.md", "[private] and [private], but d/c.md"),
        ("the people of Grace", "the people of Grace"),
        ("on 2025-03-20 and in 2025-03-20.md", "on 2025-03-20 and in 2025-03-20.md"),
        ("The long life of Grace is a plan", "[private] is a plan"),
        ("https://example.org/people/index.html", "https://example.org/people/index.html"),
        ("people%2Fgrace.md", "[private]"),
        ("caf\udce9: the salary-talks", "caf\udce9: the [private]"),
        ("the soir\udce9e of \ud83d heidi", "[private]"),
    ],
)
def test_names_of_what_is_private_are_masked(text: str, masked: str) -> None:
    assert NAMES.mask(text) == masked


@given(st.text(alphabet="[]()grace.md/#|<>\\ people-", max_size=60))
def test_masking_twice_equals_masking_once(text: str) -> None:
    assert NAMES.mask(NAMES.mask(text)) == NAMES.mask(text)


PRIVATE = """# A heading that is as long as any sentence

- The raise shall be ten percent from May on. It is final, as she said to me.
- 决定从五月开始加薪百分之十。
- Too short.
**Created:** 2025-03-25 and some more words here
"""


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("- The raise shall be ten percent from May on! [2025-03-20#L3]\n", "- [private] [2025-03-20#L3]\n"),
        ("- 2025-03-20: the **raise** shall be ten percent from May on.\n", "- 2025-03-20: [private]\n"),
        ("We heard: no. It is final, as she said to me. So what?\n", "We heard: no. [private] So what?\n"),
        ("- 决定从五月开始加薪百分之十\n", "- [private]\n"),
        ("- Too short.\n", "- Too short.\n"),
        ("# A heading that is as long as any sentence\n", "# A heading that is as long as any sentence\n"),
        ("**Created:** 2025-03-25 and some more words here\n", "**Created:** 2025-03-25 and some more words here\n"),
        ("The raise shall be twenty percent from May on.\n", "The raise shall be twenty percent from May on.\n"),
    ],
)
def test_sentences_of_what_is_private_are_masked_where_they_are_copied(text: str, masked: str) -> None:
    left = Copies(frozenset(private_units(PRIVATE))).mask(text)
    assert left.replace("  ", " ").replace("[private]So", "[private] So") == masked


@pytest.mark.parametrize(
    ("newer", "private", "older", "found"),
    [
        ("a <P> x </P> b", (1, 4), "a x b", "x"),
        ("a <P> x </P> b", (1, 4), "a y z b", "y z"),
        ("a <P> x </P> b", (1, 4), "a b", ""),
        ("a <P> x </P>", (1, 4), "a y", "y"),
        ("a <P> x </P> b", (1, 4), "x a b", "x"),
        ("<P> x </P> b", (0, 3), "w b c", "w"),
        ("a b <P> x </P>", (2, 5), "a", ""),
    ],
)
def test_a_block_is_followed_back(newer: str, private: tuple[int, int], older: str, found: str) -> None:
    lines = older.split()
    ranges = carry_back(newer.split(), (private,), lines)
    assert " ".join(line for start, end in ranges for line in lines[start:end]) == found


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcdxy")), st.data())
def test_private_lines_are_private_in_every_version(newer: list[str], older: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(newer)))
    end = data.draw(st.integers(start, len(newer)))
    if start < end:
        hidden = {line for one in carry_back(newer, ((start, end),), older) for line in range(*one)}
        only_private = set(newer[start:end]) - set(newer[:start] + newer[end:])
        assert all(number in hidden for number, line in enumerate(older) if line in only_private)
        assert all(0 <= number < len(older) for number in hidden)
