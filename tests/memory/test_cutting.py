"""Texts that are too long to be read as a whole: where they are cut, and what is known of the rest."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

import pytest

from memsite.config import Config
from memsite.memory.cutting import HEAD_BYTES, HEAD_LINES, MAX_BYTES, MAX_INDEX_BYTES, MAX_LINES, cut_file, cut_text
from memsite.memory.daily import archive_append, archived_until, parse_daily_note
from memsite.memory.index import obstacle_error
from memsite.memory.lineage import load_memory
from memsite.memory.model import DailyNote
from memsite.memory.snapshot import Blob, Snapshot, blob_id, make_snapshot

NOTE = PurePosixPath("memory/2025-03-20.md")
GENERATION = PurePosixPath("consolidated/blog-gen1-2025-03-21.md")


def blob(text: str) -> Blob:
    data = text.encode()
    return Blob(blob_id(data), data)


@pytest.mark.parametrize(
    "text",
    ["", "a", "line\n" * MAX_LINES, "line\r\n" * MAX_LINES, "a" * MAX_BYTES],
    ids=["empty", "one", "lines", "lines of Windows", "bytes"],
)
def test_a_text_up_to_the_limits_is_read_as_a_whole(text: str) -> None:
    assert cut_text(blob(text)) == blob(text)


@pytest.mark.parametrize(
    ("text", "size", "lines"),
    [
        ("a" * (MAX_BYTES + 1), MAX_BYTES + 1, 1),
        ("é" * MAX_BYTES, 2 * MAX_BYTES, 1),
        ("\n" * (MAX_LINES + 1), MAX_LINES + 1, MAX_LINES + 1),
        ("x\r\n" * (MAX_LINES + 1) + "end", 3 * MAX_LINES + 6, MAX_LINES + 2),
        ("x\r" * (MAX_LINES + 1), 2 * MAX_LINES + 2, MAX_LINES + 1),
        ("one line of a note\n" * MAX_BYTES, 19 * MAX_BYTES, MAX_BYTES),
    ],
)
def test_a_longer_one_is_cut_and_known_by_its_size(text: str, size: int, lines: int) -> None:
    found = cut_text(blob(text))
    assert found.cut
    assert (found.cut.size, found.cut.lines, found.id) == (size, lines, blob(text).id)
    assert text.startswith(found.text)
    assert "\ufffd" not in found.text
    assert 0 < len(found.data) <= HEAD_BYTES
    assert found.text.count("\n") <= HEAD_LINES
    assert cut_text(found) is found


def test_what_is_read_ends_with_a_line_where_lines_are_short() -> None:
    assert cut_text(blob("a line\r\n" * MAX_BYTES)).text.endswith("a line\r\n")


def test_the_index_has_a_limit_of_its_own_and_other_files_have_none() -> None:
    config, data = Config(), b"- a longer line of an index\n" * 40_000
    assert cut_file(config.index_path, Blob("", data), config).cut is None
    assert cut_file(config.index_path, Blob("", b"x" * (MAX_INDEX_BYTES + 1)), config).cut
    assert cut_file(PurePosixPath("memory/a.png"), Blob("", data), config).cut is None
    assert cut_file(PurePosixPath("memory/A.MD"), Blob("", data), config).cut


def read_note(text: str) -> DailyNote:
    return parse_daily_note(NOTE, date(2025, 3, 20), "", cut_text(blob(text)))


@pytest.mark.parametrize(
    "text", ["a line\n" * MAX_LINES * 2, "no line end " * MAX_BYTES, "```\n" + "code\n" * MAX_LINES]
)
def test_the_markers_at_the_end_of_a_long_note_count(text: str) -> None:
    note = read_note(text)
    assert not note.markers
    append = archive_append(note, GENERATION)
    marked = read_note(text + ("" if text.endswith("\n") else "\n") + append.data.decode())
    assert [marker.target for marker in marked.markers] == [str(GENERATION)]
    assert archived_until(marked, "blog") > marked.blob.text.count("\n")


def test_a_long_note_and_a_long_index_are_problems_that_name_their_size() -> None:
    config = Config()
    files = make_snapshot({"memory/big.md": "word\n" * MAX_BYTES, "memory/INDEX.md": "x" * 3_000_000}).files
    memory = load_memory(Snapshot({path: cut_file(path, one, config) for path, one in files.items()}), config)
    big, index = sorted(memory.problems, key=lambda problem: str(problem.path), reverse=True)
    assert "too long to be read as a whole (5.0 MB in 1,000,000 lines)" in big.message
    assert big.warning
    assert "too large for an index (2.9 MB" in index.message
    assert obstacle_error(memory.index)
