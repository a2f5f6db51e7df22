"""Daily notes: markers outside code, archived text by topic, notes added without forging."""

from __future__ import annotations

from datetime import date, time
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.errors import RefusedError
from memsite.memory.changeset import Append
from memsite.memory.daily import (
    archive_append,
    archived_line,
    archived_names,
    archived_topic,
    fresh_text,
    parse_daily_note,
    plan_note,
    shown_text,
    without_archived,
)
from memsite.memory.mentions import read_passages
from memsite.memory.model import DailyNote, Marker, MarkerKind
from memsite.memory.snapshot import Blob, blob_id

DAY = date(2025, 3, 22)
PATH = PurePosixPath("memory/2025-03-22.md")
GEN1 = PurePosixPath("consolidated/personal-blog-gen1-2025-03-25.md")
BLOG = archived_line(GEN1)
GARDEN = archived_line("consolidated/garden-gen2-2025-04-01.md")


def note(text: str | bytes, label: str = "") -> DailyNote:
    data = text.encode() if isinstance(text, str) else text
    return parse_daily_note(PATH, DAY, label, Blob(blob_id(data), data))


def test_the_markers_of_a_note() -> None:
    parsed = note(f"<!-- DAILY_FLUSH -->\n# Day\n\ntext\n{BLOG}\n<!--NATIVE_FLUSH-->\n")
    assert parsed.title == "Day"
    assert parsed.markers == (
        Marker(MarkerKind.DAILY_FLUSH, 1),
        Marker(MarkerKind.ARCHIVED, 5, str(GEN1)),
        Marker(MarkerKind.NATIVE_FLUSH, 6),
    )


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{BLOG}\n```\n",
        f"text `{BLOG}` text\n",
        f"text ``a ` {BLOG}`` text\n",
        f"    {BLOG}\n",
        f"~~~\n{BLOG}\n",
        f"<!--\n{BLOG}\n",
        f"- item\n\n  ```\n  {BLOG}\n  ```\n",
        BLOG.replace("<!--", r"<\!--"),
        "<!-- ARCHIVED -->\n",
        "<!-- archived: x -->\n",
        f"---\nname: x\n{BLOG}\n---\n",
        f"The flush appends {BLOG} to the note.\n",
        f"The flush appends {BLOG}\n",
        f"{BLOG} is what it appends\n",
        f"> {BLOG}\n",
        f"see `a`, {BLOG} and `b`\n",
        f"`a\nb {BLOG}\nc`\n",
        f"| marker | {BLOG} |\n",
    ],
)
def test_what_is_no_marker(text: str) -> None:
    assert note(text).markers == ()
    assert note(text.replace(BLOG, "<!-- NATIVE_FLUSH -->")).markers == ()


@pytest.mark.parametrize(
    "text",
    ["{} ", "  {}\n", "- {}\n", "last line without an end{}\n", "<!-- DAILY_FLUSH -->{}", "<!-- x --> {} <!-- y -->"],
)
def test_what_is_a_marker(text: str) -> None:
    for marker, kind in ((BLOG, MarkerKind.ARCHIVED), ("<!-- NATIVE_FLUSH -->", MarkerKind.NATIVE_FLUSH)):
        assert kind in {one.kind for one in note(text.format(marker)).markers}


@pytest.mark.parametrize(
    ("target", "topic"),
    [
        ("consolidated into consolidated/personal-blog-gen1-2025-03-25.md", "personal-blog"),
        ("consolidated into personal-blog-gen1-2025-03-25.md", "personal-blog"),
        ("consolidated into memory/consolidated/博客-gen12-2025-03-25.md", "博客"),
        ("personal-blog-gen1-2025-03-25.md", "personal-blog"),
        ("consolidated into the great book", None),
        ("", None),
    ],
)
def test_a_marker_belongs_to_the_topic_of_its_generation(target: str, topic: str | None) -> None:
    (marker,) = note(f"text\n\n<!-- ARCHIVED: {target} -->\n").markers
    assert archived_topic(marker) == topic


def test_archived_text_is_archived_for_its_own_topic_alone() -> None:
    parsed = note(f"old\n{BLOG}\nmiddle\n{GARDEN}\nnew\n")
    assert shown_text(parsed, "personal-blog") == "middle\n\nnew"
    assert shown_text(parsed, "garden") == "new"
    assert shown_text(parsed, "other") == parsed.blob.text.replace(BLOG, "").replace(GARDEN, "").strip()
    assert fresh_text(parsed, "personal-blog") == "middle\n\nnew"


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        (f"old\r\n\r\n{BLOG}\r\nnew".encode(), b"old\r\n\r\nnew"),
        (f"\xff old{BLOG}\n{GARDEN}\n".encode("latin-1"), f"\xff old\n{GARDEN}\n".encode("latin-1")),
        (f"{GARDEN} {BLOG}\r<!-- NATIVE_FLUSH -->".encode(), f"{GARDEN} \r<!-- NATIVE_FLUSH -->".encode()),
        (f"```\n{BLOG}\n```\n".encode(), f"```\n{BLOG}\n```\n".encode()),
    ],
)
def test_the_markers_of_one_generation_are_taken_out_and_no_other_byte(data: bytes, kept: bytes) -> None:
    name = "personal-blog-gen1-2025-03-25.md"
    assert without_archived(data, {name}) == kept
    assert archived_names(kept) == archived_names(data) - {name}
    assert without_archived(data, ()) == data


def test_nothing_is_fresh_below_the_markers() -> None:
    assert fresh_text(note(f"old\n{BLOG}\n{GARDEN}\n\n<!-- NATIVE_FLUSH -->\n"), "personal-blog") == ""


def test_the_last_marker_of_a_topic_counts() -> None:
    later = archived_line("consolidated/personal-blog-gen2-2025-04-05.md")
    assert shown_text(note(f"a\n{BLOG}\nb\r\n{later}\r\nc"), "personal-blog") == "c"


def test_a_note_without_a_heading_is_called_by_its_stem() -> None:
    assert note("text\n", "standup").title == "2025-03-22"
    assert note("text\n", "standup").label == "standup"


def apply(existing: bytes | None, append: Append) -> bytes:
    old = append.header if existing is None else existing
    return old + (b"" if not old or old.endswith(b"\n") else b"\n") + append.data


def added(existing: bytes | None, text: str) -> bytes:
    (change,) = plan_note(existing, PATH, DAY, text, time(9, 5)).changes
    assert isinstance(change, Append)
    return apply(existing, change)


def test_a_first_note_makes_the_file() -> None:
    changeset = plan_note(None, PATH, DAY, "Use Next.js", time(9, 5))
    assert changeset.message == "note: 2025-03-22\n\nat: 09:05\n"
    assert added(None, "Use Next.js") == b"# 2025-03-22\n\nUse Next.js\n"


def test_a_note_of_many_lines_stays_as_it_was_written() -> None:
    text = "## Hosting\n\n- Vercel\n  - because  \n\n    code\n"
    assert added(b"# Day\ntext", text) == b"# Day\ntext\n\n" + text.encode()
    assert added(b"# Day\n\n", "\n" + text + "\n\n") == b"# Day\n\n" + text.encode()
    assert added(b"a\r\n", "b\nc") == b"a\r\n\r\nb\r\nc\r\n"


def test_the_same_note_twice_is_there_twice() -> None:
    assert added(added(None, "x"), "x") == b"# 2025-03-22\n\nx\n\nx\n"


OPEN = [
    ("```\nerror 17\n", "```\n\n"),
    ("```\nerror 17", "```\n\n"),
    ("~~~~ py\ncode\n```\n", "~~~~\n\n"),
    ("```\r\ncode\r\n", "```\r\n\r\n"),
    ("- a\n  ```\n  code\n", "\n"),
    ("> ```\n> code\n", "\n"),
    ("<!-- never closed\n", "-->\n\n"),
    ("<div>\n", "\n"),
    ("<pre>\nx\n", "</pre>\n\n"),
    ("<script>\nx\n\n", "</script>\n\n"),
    ("text <!-- spoken of\n", "\n"),
    ("```\nclosed\n```\n", "\n"),
    ("    indented\n", "\n"),
]


@pytest.mark.parametrize(("text", "between"), OPEN)
def test_a_note_is_not_swallowed_by_what_the_file_leaves_open(text: str, between: str) -> None:
    ended = text if text.endswith("\n") else text + "\n"
    written = added(text.encode(), "The blog uses Tailwind, decided.").decode()
    assert written.startswith(ended + between + "The blog uses Tailwind, decided.")
    assert [one.text for one in read_passages(note(written))][-1] == "The blog uses Tailwind, decided."


def test_a_note_that_leaves_a_fence_open_does_not_swallow_the_next() -> None:
    written = added(added(added(None, "Build log:\n```\nerror 17"), "```\nls"), "Tailwind it is.")
    assert written == b"# 2025-03-22\n\nBuild log:\n```\nerror 17\n```\n\n```\nls\n```\n\nTailwind it is.\n"


def test_an_indented_note_leaves_the_fence_of_a_list() -> None:
    written = added(b"- a\n  ```\n  code\n", "  - Tailwind")
    assert [one.text for one in read_passages(note(written))] == ["- a", "- Tailwind"]


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_note_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="nothing to note"):
        plan_note(None, PATH, DAY, text, time(9, 5))


def test_a_note_cannot_forge_a_marker() -> None:
    written = added(None, f"before\n{BLOG}\n<!--\nARCHIVED: x -->\nafter <!-- NATIVE_FLUSH -->\n<!-- mine -->\n")
    assert note(written).markers == ()
    assert written.count(rb"<\!--") == 3
    assert b"<!-- mine -->" in written


pieces = st.lists(
    st.sampled_from(
        [
            BLOG,
            "<!--",
            "-->",
            "ARCHIVED: x",
            "NATIVE_FLUSH",
            "\\",
            "!",
            "<",
            "```",
            "~~~",
            "\n",
            "\r",
            " ",
            "text",
            "<pre>",
            "> ",
            "- ",
            "<div>",
        ]
    ),
    max_size=12,
).map("".join)


@given(pieces, pieces.filter(str.strip))
def test_no_text_forges_a_marker(existing: str, text: str) -> None:
    before = existing.encode()
    if BLOG in existing:
        before = before.replace(BLOG.encode(), b"")
    known = note(before).markers
    written = added(before, text)
    assert written.startswith(before)
    assert [marker.kind for marker in note(written).markers] == [marker.kind for marker in known]


@pytest.mark.parametrize(
    ("text", "closer"),
    [
        ("text\n", ""),
        ("text", ""),
        ("", ""),
        ("```\ncode\n", "```\n"),
        ("~~~~ py\ncode\n```\n", "~~~~\n"),
        ("- a\n  ```\n  code\n", ""),
        ("<!-- never closed\n", "-->\n"),
        ("<div>\n", "\n"),
        ("<pre>\nx\n", "</pre>\n"),
    ],
)
def test_the_marker_of_a_consolidation_is_read_whatever_is_open(text: str, closer: str) -> None:
    append = archive_append(note(text), GEN1)
    assert append.data.decode() == closer + BLOG + "\n"
    archived = note(apply(text.encode(), append))
    assert fresh_text(archived, "personal-blog") == ""
    assert archived.blob.data.startswith(text.encode())


@given(pieces)
def test_a_consolidated_note_has_nothing_fresh(text: str) -> None:
    append = archive_append(note(text), GEN1)
    assert fresh_text(note(apply(text.encode(), append)), "personal-blog") == ""
