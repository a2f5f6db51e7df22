from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.snapshot import Blob, blob_id
from memsite.site.pages.changed_parts import changed_part, changed_part_of
from memsite.site.pages.common_bytes import trimmed_texts

OFTEN = ["- item", "* other", "  - nested", "    - deep", "text", "中文。", "# Head", "\ttab", " ", ""]
RARELY = ["---", "- - -", "```", "<b>", "<!-- mark -->", "===", "\ufeff", "\ufeff---", "\xa0"]
lines = st.sampled_from([*OFTEN, *OFTEN, *OFTEN, *OFTEN, *RARELY])


@st.composite
def versions(draw: st.DrawFn) -> tuple[Blob, Blob]:
    """A text and what became of it: lines changed, taken out, or repeated where they cannot be told apart."""
    old = draw(st.lists(st.tuples(lines, st.sampled_from(["", "1", "2"])).map("".join), min_size=1, max_size=90))
    new = list(old)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(new)))
        gone = draw(st.integers(0, 4))
        new[at : at + gone] = draw(
            st.sampled_from([[], ["came"], new[at : at + 3], new[max(at - 3, 0) : at], ["- item"]])
        )
    frame = st.tuples(st.sampled_from([b"", b"\xef\xbb\xbf"]), st.sampled_from([b"\n"] * 5 + [b"\r\n"]))
    (mark, end), (other_mark, other_end) = draw(frame), draw(frame)
    return _blob(mark, end, old, draw(broken)), _blob(other_mark, other_end, new, draw(broken))


broken = st.sampled_from([b""] * 6 + [b"\xff", b"\xfe", b"\xe4\xb8"])


def _blob(mark: bytes, end: bytes, text: list[str], behind: bytes) -> Blob:
    data = mark + "\n".join(text).encode().replace(b"\n", end) + behind
    return Blob(blob_id(data), data)


@given(versions())
def test_changed_part_of_files_is_that_of_their_texts(pair: tuple[Blob, Blob]) -> None:
    old, new = pair
    assert changed_part_of(old, new) == changed_part(old.text, new.text)
    assert changed_part_of(new, old) == changed_part(new.text, old.text)


def test_of_a_long_text_with_one_change_little_is_decoded() -> None:
    entries = [f"- **topic-{number}**\n  - Status: active\n" for number in range(2000)]
    old = "".join(entries).encode()
    new = old.replace(b"topic-900**\n  - Status: active", b"topic-900**\n  - Status: done")
    found = trimmed_texts(Blob(blob_id(old), old), Blob(blob_id(new), new))
    assert found == ("- **topic-900**\n  - Status: active", "- **topic-900**\n  - Status: done")


def test_a_line_that_is_repeated_where_it_stands_counts_as_one_that_came_behind() -> None:
    old, new = b"- a\n- b", b"- a\n- a\n- b"
    pair = Blob(blob_id(old), old), Blob(blob_id(new), new)
    assert changed_part_of(*pair) == changed_part("- a\n- b", "- a\n- a\n- b") == ("", "- a")
