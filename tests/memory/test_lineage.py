"""A snapshot becomes a Memory: what each path is, which generations a topic has, what is wrong."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.config import Config
from memsite.memory.lineage import is_named, load_memory, parse_file
from memsite.memory.model import Memory, Status
from memsite.memory.snapshot import Blob, Snapshot, Unreadable, blob_id, make_snapshot
from tests.conftest import cpu_seconds

GEN1 = "memory/consolidated/personal-blog-gen1-2025-03-25.md"
GEN2 = "memory/consolidated/personal-blog-gen2-2025-04-05.md"
INDEX = """# Memory Index

## Projects
- **personal-blog**
  - Dates: [2025-03-20, 2025-03-22, 2025-03-25]
  - Consolidations:
    - gen1 (2025-03-25): consolidated/personal-blog-gen1-2025-03-25.md
  - Current: consolidated/personal-blog-gen1-2025-03-25.md
  - Status: active
"""


def memory(files: dict[str, str | bytes], config: Config | None = None) -> Memory:
    return load_memory(make_snapshot(files), config or Config())


def messages(found: Memory) -> list[str]:
    return [f"{problem.path}:{problem.line or ''} {problem.message}" for problem in found.problems]


def test_an_empty_folder() -> None:
    found = memory({})
    assert (found.topics, found.notes, found.pages, dict(found.assets), found.problems) == ((), (), (), {}, ())


def test_every_path_has_its_kind() -> None:
    found = memory(
        {
            "memory/INDEX.md": INDEX,
            GEN1: "# G\n",
            "memory/consolidated/README.md": "read me",
            "memory/consolidated/old/personal-blog-gen9-2025-03-25.md": "",
            "memory/2025-03-20.md": "text",
            "memory/2025-03-20-1030.md": "# Session: 2025-03-20\n",
            "memory/2025-02-30.md": "no date",
            "memory/archive/2025-03-20.md": "nested",
            "memory/sessions/2025-03-20.md": "### 10:00\n- **Topic:** x\n",
            "memory/sessions/notes.md": "",
            "memory/notes/深/a.b.md": "# 标题\n",
            "memory/CURRENT_STATE.MD": "",
            "memory/image.png": b"\x89PNG",
            "memory/Makefile": "",
            "MEMORY.md": "# Long-term\n",
        }
    )
    assert [topic.slug for topic in found.topics] == ["personal-blog"]
    assert [str(one.path) for one in found.topics[0].generations] == [GEN1]
    assert [(str(note.path), note.label, note.title) for note in found.notes] == [
        ("memory/2025-03-20-1030.md", "1030", "Session: 2025-03-20"),
        ("memory/2025-03-20.md", "", "2025-03-20"),
    ]
    assert [note.label for note in found.notes_on(date(2025, 3, 20))] == ["", "1030"]
    assert [(log.day, len(log.entries)) for log in found.session_logs] == [(date(2025, 3, 20), 1)]
    assert {str(page.site_path): page.title for page in found.pages} == {
        "MEMORY": "Long-term",
        "2025-02-30": "2025-02-30",
        "CURRENT_STATE": "CURRENT_STATE",
        "archive/2025-03-20": "2025-03-20",
        "consolidated/README": "README",
        "consolidated/old/personal-blog-gen9-2025-03-25": "personal-blog-gen9-2025-03-25",
        "notes/深/a.b": "标题",
        "sessions/notes": "notes",
    }
    assert [str(path) for path in found.assets] == ["memory/Makefile", "memory/image.png"]
    assert found.problems == ()


def test_both_long_term_memories_have_their_pages() -> None:
    found = memory({"MEMORY.md": "root", "memory/MEMORY.md": "inner", "DREAMS.md": ""})
    assert {str(page.path): str(page.site_path) for page in found.pages} == {
        "DREAMS.md": "DREAMS",
        "MEMORY.md": "workspace/MEMORY",
        "memory/MEMORY.md": "MEMORY",
    }


def test_a_repository_that_is_a_memory() -> None:
    found = memory(
        {
            "INDEX.md": INDEX,
            "2025-03-20.md": "",
            "sessions/2025-03-20.md": "",
            GEN1.removeprefix("memory/"): "",
            "MEMORY.md": "",
            "notes/a.md": "",
        },
        Config(memory=PurePosixPath()),
    )
    assert (len(found.topics), len(found.notes), len(found.session_logs)) == (1, 1, 1)
    assert len(found.topics[0].generations) == 1
    assert [str(page.site_path) for page in found.pages] == ["MEMORY", "notes/a"]
    assert found.problems == ()


def test_other_places_of_the_settings() -> None:
    config = Config(PurePosixPath("m"), PurePosixPath("TOPICS.md"), PurePosixPath("gens/all"))
    found = memory({"m/TOPICS.md": "# x\n", "m/gens/all/a-gen1-2025-03-25.md": "", "m/INDEX.md": ""}, config)
    assert [topic.slug for topic in found.topics] == ["a"]
    assert [str(page.site_path) for page in found.pages] == ["INDEX"]


def test_no_two_pages_share_a_permalink() -> None:
    found = memory({"memory/plan.md": "", "memory/plan.markdown": "", "plan.md": "", "memory/workspace/plan.md": ""})
    assert {str(page.path): str(page.site_path) for page in found.pages} == {
        "memory/plan.markdown": "plan",
        "memory/plan.md": "plan.md",
        "memory/workspace/plan.md": "workspace/plan",
        "plan.md": "workspace/files/plan.md",
    }


def test_a_topic_has_what_the_index_says() -> None:
    (topic,) = memory({"memory/INDEX.md": INDEX, GEN1: ""}).topics
    assert (topic.category, topic.status) == ("Projects", Status.ACTIVE)
    assert topic.dates == (date(2025, 3, 20), date(2025, 3, 22), date(2025, 3, 25))
    assert topic.entry and topic.entry.first_line == 4
    assert topic.current and topic.current.indexed


def test_a_lineage_that_the_index_does_not_know_is_shown() -> None:
    found = memory({"memory/consolidated/z-gen1-2025-03-25.md": "", "memory/consolidated/博客-gen1-2025-03-25.md": ""})
    assert [(topic.slug, topic.category, topic.entry) for topic in found.topics] == [
        ("z", "", None),
        ("博客", "", None),
    ]
    assert not found.topics[0].generations[0].indexed
    assert len(messages(found)) == 2
    assert "memory/INDEX.md does not know this generation of z" in messages(found)[0]


def test_a_generation_that_the_index_does_not_know_belongs_to_its_topic() -> None:
    found = memory({"memory/INDEX.md": INDEX, GEN1: "", GEN2: ""})
    (topic,) = found.topics
    assert [(one.number, one.indexed) for one in topic.generations] == [(1, True), (2, False)]
    assert messages(found) == [f"{GEN2}: memory/INDEX.md does not know this generation of personal-blog"]


def test_a_generation_that_is_gone() -> None:
    found = memory({"memory/INDEX.md": INDEX})
    (topic,) = found.topics
    assert [ref.number for ref in topic.missing] == [1]
    assert topic.current is None
    assert messages(found) == [
        "memory/INDEX.md:7 'consolidated/personal-blog-gen1-2025-03-25.md' does not exist",
    ]


def test_two_files_of_one_number() -> None:
    other = GEN1.replace("25.md", "26.md")
    listed = INDEX.replace(
        "  - Current", "    - gen1 (2025-03-26): consolidated/personal-blog-gen1-2025-03-26.md\n  - Current"
    )
    found = memory({"memory/INDEX.md": listed, GEN1: "", other: ""})
    assert [one.day.day for one in found.topics[0].generations] == [25, 26]
    assert any(text.startswith(f"{other}: generation 1 of personal-blog exists twice") for text in messages(found))


def test_current_is_not_the_newest() -> None:
    listed = INDEX.replace(
        "  - Current", "    - gen2 (2025-04-05): consolidated/personal-blog-gen2-2025-04-05.md\n  - Current"
    )
    found = memory({"memory/INDEX.md": listed, GEN1: "", GEN2: ""})
    assert found.topics[0].current and found.topics[0].current.number == 2
    assert messages(found) == [
        "memory/INDEX.md:4 Current of personal-blog is 'consolidated/personal-blog-gen1-2025-03-25.md', "
        "but the newest generation is personal-blog-gen2-2025-04-05.md"
    ]


def test_current_is_left_out() -> None:
    text = "\n".join(line for line in INDEX.split("\n") if "Current" not in line)
    assert "Current of personal-blog is nothing" in messages(memory({"memory/INDEX.md": text, GEN1: ""}))[0]


def test_a_path_from_the_workspace_is_understood() -> None:
    text = INDEX.replace("consolidated/personal", "memory/consolidated/personal")
    found = memory({"memory/INDEX.md": text, GEN1: ""})
    assert found.topics[0].missing == ()
    assert found.topics[0].generations[0].indexed


def test_what_cannot_be_read_is_reported() -> None:
    data = b"# caf\xe9\n"
    snapshot = Snapshot(
        {PurePosixPath("memory/2025-03-20.md"): Blob(blob_id(data), data)},
        (Unreadable(PurePosixPath("memory/LATEST.md"), "a broken link"),),
    )
    found = load_memory(snapshot, Config())
    assert messages(found) == ["memory/2025-03-20.md: is not UTF-8", "memory/LATEST.md: cannot be read: a broken link"]
    assert found.notes[0].title == "caf\ufffd"


NAMES = [
    "memory/INDEX.md",
    "MEMORY.md",
    "memory/2025-03-20.md",
    "memory/2025-03-20-x.md",
    "memory/sessions/2025-03-20.md",
    GEN1,
    GEN2,
    "memory/consolidated/.md",
    "memory/a/b/c.md",
    "memory/x.MD",
    "memory/-gen1-2025-03-25.md",
]


@given(st.dictionaries(st.sampled_from(NAMES), st.one_of(st.binary(max_size=300), st.just(INDEX.encode()))))
def test_any_content_is_loaded_and_every_file_is_somewhere(files: dict[str, bytes]) -> None:
    found = memory(dict(files))
    paths = {str(path) for path in found.assets}
    paths |= {str(one.path) for one in found.notes} | {str(one.path) for one in found.session_logs}
    paths |= {str(one.path) for one in found.pages}
    paths |= {str(one.path) for topic in found.topics for one in topic.generations}
    assert paths == set(files) - {"memory/INDEX.md"}
    assert len({page.site_path for page in found.pages}) == len(found.pages)


def test_four_thousand_files_are_read() -> None:
    with cpu_seconds(30):
        found = load_memory(make_snapshot(large_folder()), Config())
    assert len(found.notes) == 3000


def large_folder() -> dict[str, str | bytes]:
    """4,000 files as they are in the wild: front matter, tables, fences, CJK, markers."""
    note = (
        "---\nname: day\ntags: [a, b]\n---\n# Day\n\n## 进展\n\n- decided 决定 `x`\n  - nested\n\n```py\n# code\n```\n"
        + "A line of text of about eighty characters, as agents write them into their notes.\n" * 60
    )
    marked = note + "\n<!-- ARCHIVED: consolidated into consolidated/personal-blog-gen1-2025-03-25.md -->\n"
    entry = "### 10:00\n<!-- memsite:session id=x agent=y -->\n- **Topic:** t\n- **Messages:** 1 user / 2 assistant\n\n"
    days = [date.fromordinal(730_000 + number) for number in range(2000)]
    files: dict[str, str | bytes] = {"memory/INDEX.md": INDEX}
    files |= {f"memory/{day}.md": marked if day.day % 2 else note for day in days}
    files |= {f"memory/{day}-standup.md": note for day in days[:1000]}
    files |= {f"memory/sessions/{day}.md": entry * 5 for day in days[:500]}
    files |= {f"memory/notes/{number}.md": note for number in range(400)}
    body = "## Summary\nx\n## Key Points\n" + "- point [2025-03-22]\n" * 30
    files |= {f"memory/consolidated/t{number}-gen1-2025-03-25.md": body for number in range(100)}
    return files


@pytest.mark.parametrize(
    "name",
    [
        *("2025-03-20.md", "2025-03-20-x.md", "plan.md", "sessions/2025-03-20.md", "sessions/2025-03-20-x.md"),
        *("sessions/2025-13-20.md", "consolidated/blog-gen1-2025-03-25.md", "consolidated/2025-03-20.md"),
        "x/2025-03-20.md",
    ],
)
def test_a_name_says_whether_a_file_is_parsed(name: str) -> None:
    path, config = PurePosixPath("memory", name), Config()
    assert is_named(path, config) == (parse_file(path, Blob("", b""), config) is not None)
