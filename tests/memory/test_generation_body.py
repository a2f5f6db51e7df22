"""The body that a writer supplies: its parts, and what makes it unfit."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.errors import RefusedError
from memsite.memory.body_checks import check_body, statement_fault
from memsite.memory.generation import split_sections
from memsite.memory.generation_body import MAX_BODY_BYTES, decode_body, ordered_sections, parse_body
from memsite.memory.placeholders import has_gap, is_placeholder

BODY = """## Summary
It went live.

## Key Points
- Next.js [2025-03-22]

## Decisions Made
None.

## Current Status
Active.
"""
WHOLE = f"""# Personal Blog - Generation 2 Consolidation

**Created**: 2025-04-15
**Covers**: 2025-04-01 to 2025-04-15
**Previous**: consolidated/personal-blog-gen1-2025-03-25.md

{BODY}
## Source References
- gen1: how it began
- 2025-04-01: First post
"""


def complaints(text: str) -> list[tuple[int, str]]:
    return [(fault.line, fault.message) for fault in check_body(text)]


def with_summary(text: str) -> str:
    return BODY.replace("It went live.", text)


def with_points(text: str) -> str:
    return BODY.replace("- Next.js [2025-03-22]", text)


@pytest.mark.parametrize(
    "text",
    [
        BODY,
        WHOLE,
        BODY.lower(),
        BODY + "## Source References\n",
        BODY + "## Open Questions\n- which theme?\n",
        BODY.replace("\n", "\r\n"),
        f"```markdown\n{BODY}```\n",
        with_summary("```\n## no heading\n[2025-02-30] TODO\n```"),
        with_summary("It uses `[2025-02-30]`, `<...>` and `[fill in]` as examples."),
        with_summary("Ask <https://example.org> or <ada@example.org>.\n\n<https://example.org>"),
        with_summary("TODO lists were built; he wrote [...] and left. Array<...> is generic.\n\nTODO: pick a theme"),
        with_summary("[redacted:github-pat]"),
        with_summary("<!-- x --> It went live."),
        with_summary("On 2025–03–22 【2025-03-22】 it went live."),
        with_summary("See [[2025-03-22-standup]] and [the note](2025-03-22.md)."),
        with_points("### Hosting\n1. Vercel [2025-03-22]\n   - in Frankfurt\n\n   and cheap\n2. DNS\n"),
        with_points("- wrapped\n  text\nand a lazy line\n\n<!-- a comment -->\n- [ ] buy it\n"),
        with_points("—"),
        with_points("- none"),
        with_points("- run\n\n```\nmake\n```"),
    ],
)
def test_a_whole_body_has_no_problem(text: str) -> None:
    assert complaints(text) == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "the body is empty"),
        ("\n \n", 1, "the body is empty"),
        ("Here is it:\n" + BODY, 1, "text before the first section: 'Here is it:'"),
        (BODY.replace("## Key Points", "Key Points"), 11, "there is no section '## Key Points'"),
        (BODY[: BODY.index("Active")], 10, "section '## Current Status' is empty"),
        (BODY[: BODY.index("## Current")], 8, "there is no section '## Current Status'"),
        (BODY + "## summary\nagain\n", 12, "a second section '## Summary'"),
        (BODY.replace("Active.", "Active.\n```\nhalf"), 12, "what opens here is never closed"),
        (BODY.replace("Active.", "Active.\n\n<!-- half"), 13, "what opens here is never closed"),
        ("just prose", 1, "text before the first section: 'just prose'"),
        ("# Title\n**Created**: 2025-04-01\n", 1, "the title '# Title' would be lost"),
        ("# My story\n" + BODY, 1, "the title '# My story' would be lost"),
        ("---\ntitle: x\n---\n" + BODY, 1, "text before the first section: '---'"),
    ],
)
def test_a_half_written_body_is_refused_with_its_line(text: str, line: int, message: str) -> None:
    assert any(found == line and message in text for found, text in complaints(text))


@pytest.mark.parametrize(
    "nothing",
    [
        "### Only a heading",
        "<!-- only a comment -->",
        "<!--\nover\nlines\n-->",
        "<!-- -->",
        "***",
        "-",
        "- [ ]",
        "> ",
        "&nbsp;",
        "\u200b\u2060",
        "<br>",
        "<div></div>",
        "```\n```",
        "[//]: # (a hidden word)",
        "![](picture.png)",
    ],
)
def test_a_section_that_shows_nothing_is_empty(nothing: str) -> None:
    assert (1, "section '## Summary' is empty") in complaints(with_summary(nothing))
    foreign = complaints(BODY + f"\n## Extra\n{nothing}\n")
    assert any("section '## Extra' is empty" in message for _, message in foreign)


@pytest.mark.parametrize(
    "date",
    [
        "[2025-02-30]",
        "[2025-03-22, 2025-02-30]",
        "[2025-03-22; 2025-13-01]",
        "[2025-02-30#L3]",
        "[2025-03-22#L9-L2]",
        "[2025-03-22#L0]",
        "[2025-03-22 L3]",
        "[2025-3-22]",
        "[2025-03-22 to 2025-03-25]",
    ],
)
@pytest.mark.parametrize("place", ["It went live.", "- Next.js [2025-03-22]", "Active."])
def test_a_reference_that_is_none_is_refused_wherever_it_stands(date: str, place: str) -> None:
    text = BODY.replace(place, f"- seen {date}")
    line = BODY[: BODY.index(place)].count("\n") + 1
    assert (line, f"{date} is no source") in complaints(text)


@pytest.mark.parametrize(
    "ref",
    ["[2025-03-22#L", "[2025-03-22", "[2025-03-22, 2025-03-2", "[2025-03-", "[2025", "[", "[2025-03-22-standup#L3"],
)
def test_a_reference_that_is_cut_off_is_refused(ref: str) -> None:
    assert complaints(with_points(f"- Next.js {ref}")) == [(5, f"{ref} is cut off")]
    assert complaints(with_summary(f"It went live. {ref}")) == [(2, f"{ref} is cut off")]


def test_a_reference_that_is_cut_off_within_a_line_is_refused() -> None:
    assert complaints(with_points("- Next.js [2025-03-22#L3 and Vercel [2025-03-22]")) == [
        (5, "[2025-03-22#L3 and Vercel is cut off")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[2025-03-22#L3]",
        "[2025-03-22-a#L3-L5]",
        "`[2025-03-22#L`",
        "an [open bracket",
        "[2025 was a good year](x.md)",
        "x[2025-03-22]",
    ],
)
def test_brackets_that_are_no_references_are_text(text: str) -> None:
    assert not any("cut off" in message for _, message in complaints(with_points(f"- Next.js {text}")))


@pytest.mark.parametrize(
    "ref",
    [
        "[2025-03\u200b-22#L3]",
        "[2025–03–22]",
        "［2025-03-22］",
        "[٢٠٢٥-٠٣-٢٢]",
        "[2025-03-22＃L3]",
        "[2025-03-22\u2060]",
    ],
)
def test_a_reference_that_only_looks_like_one_is_refused(ref: str) -> None:
    ((line, message),) = complaints(with_points(f"- Next.js {ref}"))
    assert (line, message) in ((5, "a reference in it only looks like one"), (5, f"{ref} is no source"))


def test_a_day_that_never_was_is_refused_in_prose() -> None:
    assert (2, "2025-02-30 is no date") in complaints(with_summary("On 2025-02-30 it went live."))
    assert complaints(with_summary("Order 0800-12-34, part X-2025-13-01, from 2024-02-29 on.")) == []


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "||||||| base", ">>>>>>> theirs", "<<<<<<<"])
def test_a_mark_of_an_unfinished_merge_is_refused(mark: str) -> None:
    assert (3, "an unfinished merge is in it") in complaints(with_summary(f"It went live.\n{mark}\nmore"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (with_summary("We use Hugo.\n=======\nWe use Astro."), 3),
        (with_summary("我们用 Hugo。\n=======\n我们用 Astro。"), 3),
        (with_summary("=======\nWe use Astro."), 2),
        (with_summary("We use Hugo.\n\n=======\n\nWe use Astro."), 4),
        (with_summary("- We use Hugo.\n=======\n- We use Astro."), 3),
        (with_points("- We use Hugo\n=======\n- We use Astro"), 6),
        (with_points("- We use Hugo\n\n=======\n- We use Astro"), 7),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_a_merge_left_between_its_sides_is_refused(text: str, line: int, end: str) -> None:
    assert (line, "an unfinished merge is in it") in complaints(text.replace("\n", end))


@pytest.mark.parametrize(
    "text",
    [
        "Outlook\n=======\n\nIt is live.",
        "Outlook\n=======\nIt is live.",
        "How it went on from there\n=======\nIt is live.",
        "What is next?\n=======\n\nIt is live.",
        "It went live.\n==========\nMore.",
        "```\nIt went live.\n=======\nMore.\n```",
        "<!--\n=======\n-->\nIt went live.",
        "> a\n> =======\n> b",
    ],
)
def test_what_underlines_a_heading_is_no_remnant_of_a_merge(text: str) -> None:
    assert complaints(with_summary(text)) == []


@pytest.mark.parametrize("char", ["\0", "\x1b[1m", "\x07", "\x7f", "\x9b", "\ud800"])
def test_a_control_character_is_refused_in_code_too(char: str) -> None:
    for text in (f"live{char}", f"```\nlive{char}\n```"):
        ((_, message),) = complaints(with_summary(text))
        assert message.startswith("there is a control character in it, U+")


@pytest.mark.parametrize(
    "words",
    [
        "TODO",
        "- TODO",
        "**TODO:**",
        "tbd",
        "TODO: write this section",
        "Todo - fill in the summary",
        "TBD.",
        "FIXME",
        "...",
        "…",
        "???",
        "<...>",
        "<summary of the work>",
        "[fill in]",
        "[Compiled narrative\nof all covered periods]",
        "[Where things stand now]",
        "{{ summary }}",
        "{summary}",
        "Point 1",
        "- Decision 2 [2025-03-22]",
        "Lorem ipsum dolor sit amet",
        "The compiled narrative of the whole topic.",
        "待补充",
        "We chose [fill in the name] for hosting.",
        "It runs on <...> now.",
        "It runs on <TODO>.",
        "Decided: [TBD]",
    ],
)
def test_what_was_never_filled_in_is_refused(words: str) -> None:
    assert any(line == 2 and "placeholder" in message for line, message in complaints(with_summary(words)))
    assert statement_fault(words.removeprefix("- ").replace("\n", " "))


@pytest.mark.parametrize("text", ["what happened", "[what happened]", "TODO", "...", "<what it says>"])
@pytest.mark.parametrize("label", ["2025-03-22", "gen1", "2025-03-22.md"])
def test_a_source_that_is_not_filled_in_is_refused(label: str, text: str) -> None:
    (fault,) = check_body(f"{BODY}\n## Source References\n- {label}: {text}\n")
    assert (fault.line, "is a placeholder" in fault.message) == (14, True)


@pytest.mark.parametrize(
    "text",
    [
        "Next.js was chosen.",
        "- Next.js\n\nIt was chosen for its speed.",
        "The points:\n- Next.js",
        "| Point | Day |\n|---|---|\n| Next.js | 22 |",
        "• Next.js",
        "> Next.js",
        "<p>Next.js</p>",
    ],
)
@pytest.mark.parametrize("section", ["Key Points", "Decisions Made", "Source References"])
def test_prose_where_points_are_expected_is_refused(section: str, text: str) -> None:
    body = re.sub(rf"## {section}\n.*\n", "", BODY) + f"\n## {section}\n{text}\n"
    assert any(f"under '## {section}' stands text that is no point" in message for _, message in complaints(body))


@pytest.mark.parametrize("point", ["-", "- [2025-03-22]", "- <!-- x -->", "- a\n-\n- b", "1."])
def test_a_point_without_words_is_refused(point: str) -> None:
    assert any("a point that says nothing" in message for _, message in complaints(with_points(point)))


def test_problems_come_in_the_order_of_the_lines() -> None:
    found = check_body("## Summary\n\n## Key Points\n")
    assert [fault.line for fault in found] == sorted(fault.line for fault in found)
    assert len(found) == 4


def test_the_head_of_a_whole_generation_is_kept_apart() -> None:
    body = parse_body(WHOLE)
    assert [line for line, _ in body.head] == [1, 3, 4, 5]
    assert body.preamble == ()


def test_sections_are_put_in_the_seeds_order() -> None:
    body = parse_body("## Current Status\nOn\n## Extra\nMore\n## Summary\nS\n## Key points\nK\n## Decisions made\nD\n")
    assert [section.name for section in ordered_sections(body.sections, "- x")] == [
        "Summary",
        "Key Points",
        "Decisions Made",
        "Current Status",
        "Extra",
        "Source References",
    ]
    assert body.text_of("Key Points") == "K"
    assert body.text_of("Source References") == ""


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"## Summary\nCaf\xe9\n", "draft.md:2: byte 0xe9 is no UTF-8"),
        (b"a\r\nb\rc\n\xff", "draft.md:4: byte 0xff"),
        ("## Summary\n".encode("utf-16"), "draft.md:1: byte 0xff"),
        (b"x" * (MAX_BODY_BYTES + 1), "draft.md: the body is longer than"),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_their_line(data: bytes, place: str) -> None:
    with pytest.raises(RefusedError) as refused:
        decode_body(data, "draft.md")
    assert str(refused.value).startswith(place)


def test_a_byte_order_mark_is_no_text() -> None:
    assert decode_body(b"\xef\xbb\xbf## Summary\n", "x") == "## Summary\n"


@given(
    st.lists(
        st.sampled_from([*BODY.splitlines(), "```", "<!--", "-->", "<pre>", "<div>", "", "# x", "[2025-99-99]", "- ["]),
        max_size=20,
    )
)
def test_any_body_is_judged_without_an_error(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert all(1 <= fault.line <= max(len(lines), 1) and fault.hint for fault in check_body(text))
    assert all(re.match(r"## ?", text.split("\n")[section.line - 1]) for section in split_sections(text))


@given(st.text(alphabet="[]<>{}.…`_*TODO:fillin 2025-03-\n\t|#\0\u200b", max_size=80))
def test_any_text_is_judged_without_an_error(text: str) -> None:
    check_body(f"## Summary\n{text}\n")
    assert (statement_fault(text) is not None) >= (is_placeholder(text) or has_gap(text))


@pytest.mark.parametrize(
    "unit", ["`", "[", "<", "{{", "TODO ", "<!--", "[2025-03-22", "[2025-03-22]", "\\", "*_", "- ", "&amp;", "|\n"]
)
def test_hostile_bodies_are_judged_in_no_time(unit: str) -> None:
    check_body(f"{BODY}\n## Extra\n{unit * (100_000 // len(unit))}\n")
