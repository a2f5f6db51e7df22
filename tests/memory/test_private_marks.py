"""Private blocks: where they begin and end, and where a mark is text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.private_marks import find_marks

OPEN, CLOSE = "<!-- private -->", "<!-- /private -->"


def shown(text: str) -> str:
    """The text without its private blocks."""
    kept, position = [], 0
    for block in find_marks(text).blocks:
        kept.append(text[position : block.start])
        position = block.end
    return "".join([*kept, text[position:]])


def test_whole_lines_go_with_their_marks() -> None:
    text = f"# Day\n\n{OPEN}\nhidden\n\nmore\n{CLOSE}\nseen\n"
    assert shown(text) == "# Day\n\nseen\n"
    (block,) = find_marks(text).blocks
    assert (block.first_line, block.last_line, block.closed) == (3, 7, True)


def test_a_part_of_a_line_goes_alone() -> None:
    assert shown(f"She earns {OPEN}a number{CLOSE}, he does not.\n") == "She earns , he does not.\n"


def test_a_block_left_open_is_private_to_the_end() -> None:
    text = f"seen\n{OPEN}\nhidden\n\n# also hidden\n"
    assert shown(text) == "seen\n"
    assert not find_marks(text).blocks[0].closed


@pytest.mark.parametrize(
    "mark",
    ["<!--private-->", "<!--  PRIVATE  -->", "<!-- private: salaries -->", "<!--\nprivate\n-->", "<!-- Private:-->"],
)
def test_a_mark_may_be_written_in_several_ways(mark: str) -> None:
    assert "hidden" not in shown(f"seen\n\n{mark}\nhidden\n{CLOSE}\nseen\n")


@pytest.mark.parametrize(
    "comment", ["<!-- privately -->", "<!-- privateer: x -->", "<!-- private2 -->", "<!-- not private -->"]
)
def test_other_comments_hide_nothing(comment: str) -> None:
    assert shown(f"a\n{comment}\nb\n") == f"a\n{comment}\nb\n"


@pytest.mark.parametrize(
    "mark",
    [
        "<!--- private --->",
        "<!-- private (family) -->",
        "<!-- private - family -->",
        "<!-- private, of the family -->",
        "<!-- private begin -->",
        "<!-- private family -->",
        "<!-- Private keys are elsewhere -->",
        "<!-- private-family -->",
        "<!-- private_family -->",
        "<!-- private家庭 -->",
        "<!-- private & confidential -->",
        "<!-- private\nfamily -->",
        "<!-- \u200bprivate -->",
        "<!-- private",
        "<!-- private ->",
    ],
)
@pytest.mark.parametrize("ending", [f"\n{CLOSE}\n", "\n"])
def test_what_is_nearly_a_mark_hides_too(mark: str, ending: str) -> None:
    assert "hidden" not in shown(f"seen\n\n{mark}\nhidden{ending}")


@pytest.mark.parametrize(
    ("mark", "unusual"),
    [
        ("<!-- private -->", ()),
        ("<!-- private: why\nso -->", ()),
        ("<!-- private family -->", (3,)),
        ("<!-- private", (3,)),
    ],
)
def test_a_mark_that_may_have_been_a_remark_is_named(mark: str, unusual: tuple[int, ...]) -> None:
    assert find_marks(f"seen\n\n{mark}\nhidden\n{CLOSE}\n").unusual == unusual


def test_a_closing_mark_may_have_words() -> None:
    assert shown("a\n<!-- private family -->\nhidden\n<!-- /private family -->\nb\n") == "a\nb\n"


def test_an_escaped_backtick_makes_no_mark_text() -> None:
    assert "hidden" not in shown(f"a \\` {OPEN} hidden {CLOSE} \\` b\n")


def test_blocks_nest() -> None:
    assert shown(f"a\n{OPEN}\nb\n{OPEN}\nc\n{CLOSE}\nd\n{CLOSE}\ne\n") == "a\ne\n"


def test_a_closing_mark_alone_hides_nothing_and_opens_nothing() -> None:
    assert shown(f"a\n{CLOSE}\nb\n{OPEN}\nc\n{CLOSE}\nd\n") == f"a\n{CLOSE}\nb\nd\n"


def test_several_blocks_in_one_file() -> None:
    assert shown(f"a\n{OPEN}\nb\n{CLOSE}\nc\n{OPEN}\nd\n{CLOSE}\ne\n") == "a\nc\ne\n"


@pytest.mark.parametrize("fence", ["```", "~~~~", "```markdown", "- ```"])
def test_in_a_fence_a_mark_is_text(fence: str) -> None:
    closing = "  ```" if fence.startswith("- ") else fence.rstrip("markdown")
    indent = "  " if fence.startswith("- ") else ""
    text = f"{fence}\n{indent}{OPEN}\n{closing}\nseen\n"
    assert shown(text) == text
    assert find_marks(text).in_code == (2,)


def test_in_a_fence_that_is_left_open_a_mark_counts() -> None:
    assert "hidden" not in shown(f"a\n```\n{OPEN}\nhidden\n")


def test_in_a_code_span_a_mark_is_text() -> None:
    text = f"Write `{OPEN}` before it and ``{CLOSE}`` after it.\n"
    assert shown(text) == text


def test_in_indented_code_a_mark_counts() -> None:
    assert "hidden" not in shown(f"a\n\n    {OPEN}\n    hidden\n")


def test_a_closing_mark_in_a_fence_closes_nothing() -> None:
    text = f"a\n{OPEN}\n```\n{CLOSE}\n```\nhidden\n{CLOSE}\nb\n"
    assert shown(text) == "a\nb\n"


def test_line_ends_of_every_kind() -> None:
    assert shown(f"a\r\n{OPEN}\r\nhidden\r\n{CLOSE}\r\nb\r\n") == "a\r\nb\r\n"


@given(st.lists(st.sampled_from([OPEN, CLOSE, "hidden", "```", "- x", "", "    code", "`", "~~~"]), max_size=12))
def test_blocks_are_in_order_and_apart(lines: list[str]) -> None:
    text = "\n".join(lines)
    position = 0
    for block in find_marks(text).blocks:
        assert position <= block.start < block.end <= len(text)
        position = block.end
