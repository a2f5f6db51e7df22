"""Reading an index piece by piece finds what reading it whole does."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memsite.memory.index import read_index_once
from memsite.memory.index_pieces import read_topic_dates
from tests.conftest import cpu_seconds
from tests.memory.conftest import EXAMPLES
from tests.memory.test_index_edit import documents

PATH, CONSOLIDATED = PurePosixPath("memory/INDEX.md"), PurePosixPath("consolidated")


def whole(data: bytes) -> dict[str, set[date]]:
    found: dict[str, set[date]] = defaultdict(set)
    for held in read_index_once(data, PATH, CONSOLIDATED).entries:
        found[held.entry.slug] |= set(held.entry.dates)
    return found


@settings(max_examples=EXAMPLES)
@given(documents() | st.lists(documents(), max_size=3).map(b"\n".join))
@example(b"```\n- **a**: [2025-01-01]\n```\n- **b**: [2025-01-01]\n")
@example(b"<!--\n- **a**: [2025-01-01]\n-->\n- **b**: [2025-01-01]\n")
@example(b"<div>\n- **a**: [2025-01-01]\n\n- **b**: [2025-01-01]\n")
@example(b"---\nx: 1\n- **a**: [2025-01-01]\n---\n- **b**: [2025-01-01]\n")
@example(b"- **a**\n- Dates: [2025-01-01]\n  - **b**: [2025-01-01]\n- - **c**: [2025-01-01]\n")
@example("\ufeff- **a**: [2025-01-01]\r- **b**: [2025-01-01]\r\n- **a**: [2025-01-02]".encode())
@example(b"words\n- **a**\n===\n  - Dates: [2025-01-01]\n- - -\n- **b**: [2025-01-01]\n")
def test_pieces_say_what_the_whole_says(data: bytes) -> None:
    assert read_topic_dates(data, PATH, CONSOLIDATED) == whole(data)


@pytest.mark.parametrize("opened", ["", "```\n", "<!--\n", "- x\n  ```\n"])
def test_what_is_left_open_takes_no_time(opened: str) -> None:
    data = (opened + "".join(f"- **t{number}**: [2025-01-01]\n" for number in range(4000))).encode()
    with cpu_seconds(60):
        assert read_topic_dates(data, PATH, CONSOLIDATED) == whole(data)
