"""A memory that is read again and again: what is as it was is taken as it is."""

from __future__ import annotations

from memsite.config import Config
from memsite.memory.lineage import Read, load_memory
from memsite.memory.snapshot import make_snapshot

FILES = {
    "memory/INDEX.md": "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n",
    "memory/2025-03-20.md": "# A day\n",
    "memory/sessions/2025-03-20.md": "### 10:00 - blog\n",
    "memory/consolidated/blog-gen1-2025-03-20.md": "# Blog\n\n## Key Points\n- a\n",
    "memory/plan.md": "# Plan\n",
}


def test_what_is_read_again_is_what_is_read_once() -> None:
    config, read = Config(), Read()
    first = load_memory(make_snapshot(FILES), config, read)
    again = load_memory(make_snapshot(FILES), config, read)
    assert again == first == load_memory(make_snapshot(FILES), config)
    assert again.notes[0] is first.notes[0]
    assert len(read) == 3


def test_what_has_changed_or_is_gone_is_not_taken() -> None:
    config, read = Config(), Read()
    load_memory(make_snapshot(FILES), config, read)
    changed = {**FILES, "memory/2025-03-20.md": "# Another\n"}
    del changed["memory/sessions/2025-03-20.md"]
    memory = load_memory(make_snapshot(changed), config, read)
    assert memory == load_memory(make_snapshot(changed), config)
    assert memory.notes[0].title == "Another"
    assert len(read) == 2
