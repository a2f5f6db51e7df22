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
    assert index.problems == ()
    assert migrate(done.data).data == done.data


def test_generations_in_the_folder_are_listed() -> None:
    name = "blog-gen1-2025-03-25.md"
    done = migrate("## Projects\n- blog: [2025-03-20]\n", {f"memory/consolidated/{name}": "# Blog\n"})
    assert done.listed == ()
    again = migrate(done.data, {f"memory/consolidated/{name}": "# Blog\n"})
    assert again.listed == (name,)
    assert f"  - Current: consolidated/{name}\n" in again.data.decode()


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


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\xef\xbb\xbf- a: [2025-03-20]\n", b"- a: [2025-03-20]"])
def test_odd_bytes_stay(data: bytes) -> None:
    done = migrate(data).data
    assert done.replace(b"**a**", b"a") == data
