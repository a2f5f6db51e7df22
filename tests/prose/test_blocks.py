"""Markdown cut into blocks; what does not matter to a reader is gone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.prose.blocks import BlockType, split_blocks

Found = list[tuple[str, str, int]]


def found(text: str) -> Found:
    return [(block.prefix, block.text, block.line) for block in split_blocks(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Title #\n\n### Three ###\n#nothing", [("# ", "Title", 1), ("### ", "Three", 3), ("", "#nothing", 4)]),
        ("C#\n#\n", [("", "C#", 1), ("# ", "", 2)]),
        ("# C#\n", [("# ", "C#", 1)]),
        ("One\ntwo\n\nthree", [("", "One two", 1), ("", "three", 4)]),
        ("Title\n=====\ntext\n---\n", [("# ", "Title", 1), ("## ", "text", 3)]),
        ("text\n\n---\n\n***", [("", "text", 1), ("---", "", 3), ("---", "", 5)]),
        ("- a\n  b\n- c\n", [("- ", "a b", 1), ("- ", "c", 3)]),
        ("- a\n  - b\n    - c\n- d", [("- ", "a", 1), ("  - ", "b", 2), ("    - ", "c", 3), ("- ", "d", 4)]),
        ("1. a\n   - b\n2) c", [("1. ", "a", 1), ("  - ", "b", 2), ("2) ", "c", 3)]),
        ("- a\n\n  more\n\nafter", [("- ", "a", 1), ("  ", "more", 3), ("", "after", 5)]),
        ("text\n- a list without a blank line", [("", "text", 1), ("- ", "a list without a blank line", 2)]),
        ("It began in\n2025. It went on.", [("", "It began in 2025. It went on.", 1)]),
        ("```py\n# no heading\n- no item\n```\nafter", [("```py", "# no heading\n- no item", 2), ("", "after", 5)]),
        ("~~~\n```\n~~~\n", [("```", "```", 2)]),
        ("````\n```\n````\n", [("```", "```", 2)]),
        ("```\nnever closed\n\n# a", [("```", "never closed\n\n# a", 2)]),
        ("```\n```", [("```", "", 1)]),
        ("- a\n  ```\n  code\n  ```\n- b", [("- ", "a", 1), ("```", "code", 3), ("- ", "b", 5)]),
        ("text\n\n    a = 1\n\n      b\n\nmore", [("", "text", 1), ("```", "a = 1\n\n  b", 3), ("", "more", 7)]),
        ("    # a\n    - b\n    ```\nc", [("```", "# a\n- b\n```", 1), ("", "c", 4)]),
        ("\ta\n    \tb", [("```", "a\n\tb", 1)]),
        ("# T\n    a", [("# ", "T", 1), ("```", "a", 2)]),
        ("text\n    goes on", [("", "text goes on", 1)]),
        ("- a\n\n      code\n\n    more", [("- ", "a", 1), ("```", "code", 3), ("  ", "more", 5)]),
        ("- a\n\n    more", [("- ", "a", 1), ("  ", "more", 3)]),
        ("1. a\n\n    - b\n\n        - c", [("1. ", "a", 1), ("  - ", "b", 3), ("    - ", "c", 5)]),
        ("> text\n>\n>     code", [("> ", "text", 1), ("> ```", "code", 3)]),
        ("> one\n> two\n>\n> - three", [("> ", "one two", 1), ("> - ", "three", 4)]),
        ("| a | b |\n|---|:-:|\n| 1 \\| 2 | 3 |", [("| ", "a | b", 1), ("| ", "1 \\| 2 | 3", 3)]),
        ("a | b\n--|--\n1 | 2\n", [("| ", "a | b", 1), ("| ", "1 | 2", 3)]),
        ("**A**: x\n**B**: y\nz\n<!-- c -->", [("", "**A**: x", 1), ("", "**B**: y z", 2), ("", "<!-- c -->", 4)]),
        ("---\ntitle: a\ntags: [b]\n---\ntext", [("---", "title: a\ntags: [b]", 2), ("", "text", 5)]),
        ("---\n\ntext\n\n---\n", [("---", "", 1), ("", "text", 3), ("---", "", 5)]),
        ("今天\n讨论\nNext", [("", "今天讨论 Next", 1)]),
        ("a\r\nb\rc", [("", "a b c", 1)]),
    ],
)  # fmt: skip
def test_blocks_of_a_text(text: str, expected: Found) -> None:
    assert found(text) == expected


def test_bullets_and_numbers_are_no_difference() -> None:
    stars, dashes = split_blocks("* a\n12. b"), split_blocks("- a\n1. b")
    assert [block.key for block in stars] == [block.key for block in dashes]


def test_a_character_knows_its_line() -> None:
    (block,) = split_blocks("one\ntwo\nthree")
    assert [block.line_at(block.text.index(word)) for word in ("one", "two", "three")] == [1, 2, 3]


@given(st.text(alphabet=st.sampled_from("ab#>-*+|`~=1.:) \t\n今。")))
def test_any_text_is_cut_and_no_letter_is_lost(text: str) -> None:
    blocks = split_blocks(text)
    lines = [block.line for block in blocks]
    assert lines == sorted(lines)
    letters = [character for block in blocks for character in block.prefix + block.text if character in "ab今"]
    assert letters == [character for character in text if character in "ab今"]
    for block in blocks:
        assert block.type is BlockType.CODE or "\n" not in block.text
        assert block.type in {BlockType.CODE, BlockType.ROW} or block.text == block.text.strip()


@pytest.mark.parametrize(
    "hostile",
    [
        "# " + " " * 50_000 + "x", "|" + " " * 50_000 + "x", " " * 50_000 + "|x\n--|--", "> " * 30_000, "- " * 30_000,
        "`" * 50_000 + "x`", "-" * 50_000 + "x", "**" + "a" * 50_000, "#" * 50_000, ("- a\n" + " " * 200) * 2_000,
        "a | b\n" * 10_000, "1. " * 20_000, "\\|" * 30_000, ":-" * 30_000 + "|",
    ],
)  # fmt: skip
def test_hostile_text_is_cut_quickly(hostile: str) -> None:
    start = time.process_time()
    split_blocks(hostile)
    assert time.process_time() - start < 2
