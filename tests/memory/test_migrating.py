"""Indexes of earlier tools: every topic that a reader sees becomes one that memsite edits; all else stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.config import Config
from memsite.errors import FormatError
from memsite.memory.index import parse_index
from memsite.memory.lineage import load_memory
from memsite.memory.migrating import Migration, migrate_index
from memsite.memory.snapshot import Blob, make_snapshot

CONFIG = Config()
V1 = """# Memory Index

Some prose, with [2025-03-20] in it.

## Projects
- personal-blog: [2025-03-20, 2025-03-22]
- `home-server`
  - Dates: [2025-03-21]
- **Kitchen Renovation**
  - Dates: [2025-03-23]
  - Status: active | completed | paused | abandoned
- **Garden Plan:** [2025-03-24]
- [a link](2025-03-20.md)
- todo: [x, y]
- **博客项目**: [2025-03-25]
- Dates: [2025-03-20]

```
- in-code: [2025-03-20]
```
"""


def migrate(text: str | bytes, files: dict[str, str | bytes] | None = None) -> Migration:
    return migrate_index(load_memory(make_snapshot({**(files or {}), "memory/INDEX.md": text}), CONFIG), CONFIG)


def test_what_a_reader_takes_for_a_topic_becomes_one() -> None:
    done = migrate(V1)
    assert done.data.decode() == (
        V1.replace("- personal-blog: [", "- **personal-blog**: [")
        .replace("- `home-server`", "- **home-server**")
        .replace(
            "- **Kitchen Renovation**\n  - Dates: [2025-03-23]",
            "- **kitchen-renovation**\n  - Dates: [2025-03-23]\n  - Aliases: [Kitchen Renovation]",
        )
        .replace("- **Garden Plan:** [2025-03-24]", "- **garden-plan**: [2025-03-24]\n  - Aliases: [Garden Plan]")
    )
    index = parse_index(Blob("", done.data), CONFIG.index_path, CONFIG)
    assert [entry.slug for entry in index.entries] == [
        "personal-blog", "home-server", "kitchen-renovation", "garden-plan", "博客项目",
    ]  # fmt: skip
    assert [problem.message for problem in index.problems] == ["these dates belong to no topic"]
    assert migrate(done.data).data == done.data


def test_generations_in_the_folder_are_listed() -> None:
    name = "blog-gen1-2025-03-25.md"
    done = migrate("## Projects\n- blog: [2025-03-20]\n", {f"memory/consolidated/{name}": "# Blog\n"})
    assert done.listed == (name,)
    assert f"  - Current: consolidated/{name}\n" in done.data.decode()
    assert migrate(done.data, {f"memory/consolidated/{name}": "# Blog\n"}).data == done.data


def test_paths_begin_at_the_memory_folder() -> None:
    gen1, gen2 = "consolidated/blog-gen1-2025-03-25.md", "consolidated/blog-gen2-2025-04-01.md"
    text = (
        "## Projects\r\n- **blog**: [2025-03-20]\r\n  - Consolidations:\r\n"
        f"    - gen1 (2025-03-25): `memory/{gen1}` <!-- first -->\r\n    - gen2: {gen2}\r\n"
        f"  - Current: memory/{gen2}\r\n- **log**: []\r\n  - Current: memory/notes/x.md\r\n"
    )
    done = migrate(text, {f"memory/{gen1}": "# Blog\n", f"memory/{gen2}": "# Blog\n"})
    assert done.data.decode() == text.replace(f"memory/{gen1}", gen1).replace(f"memory/{gen2}", gen2)
    assert done.moved == ((f"memory/{gen1}", gen1), (f"memory/{gen2}", gen2))
    assert migrate(done.data).data == done.data


def test_what_cannot_be_migrated_is_said_with_its_line() -> None:
    text = (
        "## P\n- **blog**: [2025-03-20]\n- Blog: [2025-03-21]\n- **semi**: 2025-03-20\n"
        "- **bad**: [2025-02-30]\n  - Current: memory/consolidated/bad-gen1-2025-03-20.md\n"
    )
    done = migrate(text)
    assert done.data == text.encode()
    assert [reason.partition(";")[0] for reason in done.left] == [
        "memory/INDEX.md:3: 'Blog' stays as it is: the topic 'blog' is there already, on line 2",
        "memory/INDEX.md:5: '2025-02-30' is no date",
        "memory/INDEX.md:4: the topic 'semi' is half-written: '2025-03-20' is no list of dates",
    ]


def test_a_title_that_is_no_name_stays() -> None:
    text = f"- {'b' * 500_000}: [2025-03-20]\n- 🦊: [2025-03-20]\n- café: [2025-03-20]\n- **cafe\u0301**: []\n"
    done = migrate(text)
    assert done.data == text.encode()
    assert [reason.rpartition(": ")[2] for reason in done.left] == [
        "it is too long for a name",
        "no name can be made of it",
        "the topic 'café' is there already, on line 4",
    ]


@pytest.mark.parametrize(
    "title", ["Tea, Coffee", "Blog, second try <!-- by Ada -->", b"Blog \xff", "茶、咖啡", '"Blog"', "C <!-- d"]
)
@pytest.mark.parametrize("rest", [b": [2025-03-20]", b"\n  - Dates: [2025-03-20]"])
def test_a_title_that_cannot_stay_as_an_alias_stays_where_it_is(title: str | bytes, rest: bytes) -> None:
    text = b"## P\n- a b: [2025-03-21]\n- " + (title if isinstance(title, bytes) else title.encode()) + rest + b"\n"
    done = migrate(text)
    assert done.renamed == (("a b", "a-b"),)
    assert done.data == text.replace(b"a b: [2025-03-21]", b"**a-b**: [2025-03-21]\n  - Aliases: [a b]")
    reason = done.left[0]
    assert reason.startswith("memory/INDEX.md:3: ")
    assert reason.endswith(" stays as it is: its title cannot become an alias")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- Last updated: [2025-03-20]\n\n## P\n", "its name is not that of a topic"),
        ("## P\n- Last updated: [2025-03-20]\n", "its name is not that of a topic"),
        ("## P\n- 更新时间: [2025-03-20]\n", "its name is not that of a topic"),
        ("- Two Words: [2025-03-20]\n\n## P\n", "it is under no category"),
        ("## How to use\n- a topic: [2025-03-20]\n", "'How to use' is no category"),
        ("## 使用说明\n- blog: [2025-03-20]\n", "'使用说明' is no category"),
    ],
)
def test_what_an_index_says_of_itself_is_no_topic(text: str, reason: str) -> None:
    done = migrate(text)
    assert done.data == text.encode()
    assert [one.partition(" stays as it is: ")[2].partition(";")[0] for one in done.left] == [reason]


def test_a_flat_index_has_topics_too() -> None:
    assert migrate("- Two Words: [2025-03-20]\n").renamed == (("Two Words", "two-words"),)


@pytest.mark.parametrize("dates", ["\n    - 2025-03-20", " soon", " [a](b.md)", ""])
def test_a_bullet_that_would_be_half_written_stays(dates: str) -> None:
    text = f"## P\n- alpha\n  - Dates:{dates}\n"
    done = migrate(text)
    assert (done.data, done.renamed) == (text.encode(), ())


def test_an_unfinished_merge_is_refused() -> None:
    with pytest.raises(FormatError, match=r"INDEX\.md:2: an unfinished merge is in it"):
        migrate("- Blog: [2025-03-20]\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> side\n")


def test_an_index_that_is_too_large_is_refused() -> None:
    with pytest.raises(FormatError, match="is too large for an index"):
        migrate("x" * 5_000_000)


def test_an_index_of_the_seed_stays_as_it_is() -> None:
    seed = "# Memory Index\n\n## Projects\n- **a**\n  - Dates: [2025-03-20]\n\n## Decisions\n- **b**: [2025-03-10]\r\n"
    assert migrate(seed).data == seed.encode()
    assert migrate("").data == b""


def test_a_slug_that_is_taken_is_left() -> None:
    text = "## P\n- **blog**: [2025-03-20]\n- Blog: [2025-03-21]\n"
    assert migrate(text).data == text.encode()


LINES = st.one_of(
    st.sampled_from([*V1.split("\n"), "- x", "  - Dates: [2025-03-20]", "- **A B**", "> - q: [2025-03-20]", "---"]),
    st.text(max_size=20),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_twice_is_once_and_no_topic_is_lost(lines: list[str], ending: str) -> None:
    data = ending.join(lines).encode("utf-8", "surrogatepass")
    try:
        once = migrate(data).data
    except FormatError:
        return
    before, after = (parse_index(Blob("", text), CONFIG.index_path, CONFIG) for text in (data, once))
    assert {entry.slug for entry in before.entries} <= {entry.slug for entry in after.entries}
    assert migrate(once).data == once


@pytest.mark.parametrize("data", [b"\xff\xfd", b"\xef\xbb\xbf- a: [2025-03-20]\n", b"- a: [2025-03-20]"])
def test_odd_bytes_stay(data: bytes) -> None:
    done = migrate(data).data
    assert done.replace(b"**a**", b"a") == data
