"""Source references: what they name, and that every note of a day can be named."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.daily import parse_daily_note
from memsite.memory.model import SourceRef
from memsite.memory.names import parse_day_name
from memsite.memory.snapshot import Blob
from memsite.memory.source_refs import find_cited, format_source_ref, parse_source_refs, without_source_refs

D22 = date(2025, 3, 22)
D25 = date(2025, 3, 25)


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("a [2025-03-22] b", (SourceRef(D22),)),
        ("[2025-03-22#L10]", (SourceRef(D22, 10, 10),)),
        ("[2025-03-22#L10-14]", (SourceRef(D22, 10, 14),)),
        ("[2025-03-22; 2025-03-25#L1-L2][2025-03-22]", (SourceRef(D22), SourceRef(D25, 1, 2))),
        ("[2025-03-22](2025-03-22.md)", ()),
        ("`[2025-03-22]`", ()),
        ("[2025-02-30] [2025-03-22#L9-L2] [2025-03-22#L0] 2025-03-22", ()),
        ("x [2025-03-22-standup]", (SourceRef(D22, label="standup"),)),
        ("[2025-03-22-standup#L3-L4, 2025-03-22#L3]", (SourceRef(D22, 3, 4, "standup"), SourceRef(D22, 3, 3))),
        ("[2025-03-22-0930#L3]", (SourceRef(D22, 3, 3, "0930"),)),
        ("[2025-03-22-站会-2#L3]", (SourceRef(D22, 3, 3, "站会-2"),)),
        ("[2025-03-22-a%20b%5B1%5D#L3]", (SourceRef(D22, 3, 3, "a b[1]"),)),
        ("[2025-03-22-u\u0308ber]", (SourceRef(D22, label="über"),)),
        ("[2025-03-22-standup](x.md) [2025-03-22-a b] [2025-03-22-] [2025-03-22-standup#3]", ()),
    ],
)
def test_source_references_of_a_point(text: str, refs: tuple[SourceRef, ...]) -> None:
    assert parse_source_refs(text) == refs


def test_references_at_the_end_of_a_point_are_no_words_of_it() -> None:
    assert without_source_refs("Hugo. [2025-03-22-standup#L3] [2025-03-22]") == "Hugo."
    assert without_source_refs("Hugo [2025-03-22-standup#L3].") == "Hugo."
    assert without_source_refs("see [2025-03-22-a b]") == "see [2025-03-22-a b]"


@given(st.text(min_size=1, max_size=20), st.integers(1, 999), st.integers(0, 5))
def test_whatever_a_note_is_called_a_reference_leads_to_it(label: str, first: int, more: int) -> None:
    name = parse_day_name(f"2025-03-22-{label}.md")
    assert name
    blob = Blob("", b"x\n")
    notes = [parse_daily_note(PurePosixPath(f"memory/{n}.md"), D22, n, blob) for n in ("", name[1], "other\0")]
    (ref,) = parse_source_refs(f"- It is so. {format_source_ref(SourceRef(D22, first, first + more, name[1]))}")
    assert (ref.first_line, ref.last_line) == (first, first + more)
    assert find_cited(notes, ref) == (notes[1],)


def test_a_plain_reference_means_the_day_and_with_a_line_its_own_note() -> None:
    blob = Blob("", b"x\n")
    own, standup, retro = (
        parse_daily_note(PurePosixPath(f"memory/2025-03-22-{label}.md"), D22, label, blob)
        for label in ("", "standup", "retro")
    )
    assert find_cited([standup, own, retro], SourceRef(D22)) == (standup, own, retro)
    assert find_cited([standup, own, retro], SourceRef(D22, 1, 1)) == (own,)
    assert find_cited([standup, retro], SourceRef(D22, 1, 1)) == (standup, retro)
    assert find_cited([standup, own], SourceRef(D22, 1, 1, "retro")) == ()
    assert find_cited([standup, own], SourceRef(D25)) == ()
