"""Front matter: scalars stay as written, hostile blocks stay text, line numbers stay true."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.site.front_matter import MAX_BYTES, split_front_matter
from tests.conftest import cpu_seconds


def test_scalars_stay_as_written() -> None:
    pairs, body = split_front_matter("---\ntopic: no\ngen: 010\nver: 1.10\nday: 2025-03-20\n---\n# x\n")
    assert pairs == (("topic", "no"), ("gen", "010"), ("ver", "1.10"), ("day", "2025-03-20"))
    assert body == "\n" * 6 + "# x\n"


def test_lists_and_mappings_are_one_line() -> None:
    pairs, _ = split_front_matter("---\ntags: [a, 博客]\nx:\n  y: 1\n---\n")
    assert pairs == (("tags", "a, 博客"), ("x", '{"y": "1"}'))


def test_what_is_no_yaml_is_read_line_by_line() -> None:
    pairs, _ = split_front_matter("---\ntitle: a: b: [\nnext: {\n  more\n---\ntext")
    assert pairs == (("title", "a: b: ["), ("next", "{\n  more"))


@pytest.mark.parametrize(
    "text", ["---\n\ntext\n\n---\nmore", "# x\n---\na: b\n---\n", "---\nnever: closed\n", "", "---"]
)
def test_a_rule_is_no_front_matter(text: str) -> None:
    assert split_front_matter(text) == ((), text)


def test_more_than_eight_kilobytes_is_text() -> None:
    text = "---\nx: " + "a" * MAX_BYTES + "\n---\n"
    assert split_front_matter(text) == ((), text)


def test_aliases_and_tags_are_never_followed() -> None:
    pairs, _ = split_front_matter("---\na: &x [1]\nb: *x\n---\n")
    assert dict(pairs)["b"] == "*x"
    pairs, _ = split_front_matter("---\na: !!python/object/apply:os.system [echo]\n---\n")
    assert dict(pairs)["a"]


def test_brackets_do_not_hang() -> None:
    with cpu_seconds(20):
        split_front_matter("---\na: " + "[" * 8000 + "\n---\n")
        split_front_matter("---\n" + "? " * 4000 + "\n---\n")
        split_front_matter("---\n" + "- " * 4000 + "\n---\n")


def test_windows_line_ends() -> None:
    assert split_front_matter("---\r\na: b\r\n---\r\nx")[0] == (("a", "b"),)


@given(st.text(alphabet="-: ab\n[]{}&*!#'\"?|>%@`\t\r", max_size=60))
def test_lines_keep_their_numbers(inner: str) -> None:
    text = f"---\n{inner}\n---\nlast"
    _, body = split_front_matter(text)
    assert body.count("\n") == text.count("\n")
