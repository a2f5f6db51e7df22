"""A generation without a writer: only what the sources say, each statement with its source, and what still holds."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable
from datetime import date
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.changeset import Write
from memsite.memory.extracting import NOTHING, extract_body
from memsite.memory.generation import parse_generation, split_sections
from memsite.memory.lineage import load_memory
from memsite.memory.model import Generation
from memsite.memory.planning import plan_consolidation
from memsite.memory.snapshot import Blob, make_snapshot
from memsite.memory.source_refs import parse_source_refs

CONFIG = Config()
LONG = bool(os.environ.get("MEMSITE_TEST_LONG"))
Files = dict[str, str | bytes]
FIRST = ("2025-03-20", "2025-03-22", "2025-03-25")
SECOND = (*FIRST, "2025-04-08", "2025-04-10", "2025-04-12", "2025-04-15")
THIRD = (*SECOND, "2025-05-02", "2025-05-06", "2025-05-11")


def story_files(dates: Iterable[str]) -> Files:
    steps = tomllib.loads(files("memsite.cli").joinpath("story.toml").read_text(encoding="utf-8"))["step"]
    notes: Files = {
        step["append"]: step["text"] for step in steps if "append" in step and step["append"][7:17] in set(dates)
    }
    return {**notes, "memory/INDEX.md": index(dates)}


def index(dates: Iterable[str], extra: str = "") -> str:
    head = f"# Memory Index\n\n## Projects\n- **personal-blog**\n  - Dates: [{', '.join(dates)}]\n"
    return head + "  - Aliases: [博客项目, blog]\n" + extra + "- **garden**\n  - Dates: [2025-03-20]\n"


def consolidate(written: Files, today: str) -> tuple[Files, Generation]:
    """The folder after `consolidate personal-blog --auto`, and the generation."""
    memory = load_memory(make_snapshot(written), CONFIG)
    day = date.fromisoformat(today)
    body = extract_body(memory, "personal-blog", day, CONFIG)
    changeset = plan_consolidation(memory, "personal-blog", body, day, CONFIG, known_numbers=())
    done = dict(written)
    for change in changeset.changes:
        old = done.get(str(change.path), b"")
        before = old.encode() if isinstance(old, str) else old
        gap = b"" if before.endswith(b"\n") or not before else b"\n"
        done[str(change.path)] = change.data if isinstance(change, Write) else before + gap + change.data
    (path,) = (str(change.path) for change in changeset.changes if "consolidated/" in str(change.path))
    snapshot = make_snapshot(done)
    found = next(parse_generation(name, blob) for name, blob in snapshot.files.items() if str(name) == path)
    assert found
    return done, found


def run_story() -> tuple[Files, list[Generation]]:
    made: list[Generation] = []
    written: Files = {}
    for dates in (FIRST, SECOND, THIRD):
        fresh = story_files(dates)
        if written:
            refs = "".join(f"    - gen{one.number} ({one.day}): consolidated/{one.path.name}\n" for one in made)
            current = f"  - Consolidations:\n{refs}  - Current: consolidated/{made[-1].path.name}\n"
            fresh["memory/INDEX.md"] = index(dates, current)
        written, generation = consolidate(
            {**fresh, **{k: v for k, v in written.items() if "INDEX" not in k}}, dates[-1]
        )
        made.append(generation)
    return written, made


def squeezed(text: str) -> str:
    return "".join(text.split())


def check_sourced(generation: Generation, written: Files) -> str:
    """Every statement stands in the lines that it cites; what they say, without white space."""
    said = ""
    texts = {name[7:17]: data if isinstance(data, str) else data.decode() for name, data in written.items()}
    for section in split_sections(generation.blob.text):
        if section.name == "Source References":
            continue
        for line in section.text.split("\n"):
            if line.strip() in {"", NOTHING}:
                continue
            refs = parse_source_refs(line)
            assert refs, f"no source: {line}"
            bare = squeezed(re.sub(r"\[\d{4}-[^\]]*\]", "", line.removeprefix("- ")))
            assert bare, f"no words: {line}"
            said += bare
            assert any(bare in squeezed(texts[ref.day.isoformat()]) for ref in refs), line
            for ref in refs:
                cited = texts[ref.day.isoformat()].split("\n")[(ref.first_line or 1) - 1 : ref.last_line]
                assert bare in squeezed("".join(part.strip().removeprefix("- ") for part in cited)), line
    return said


def test_every_statement_of_the_story_stands_in_the_lines_that_it_cites() -> None:
    written, made = run_story()
    assert [one.number for one in made] == [1, 2, 3]
    for generation in made:
        said = check_sourced(generation, written)
        assert "新项目：个人博客。" in said
        assert "Newproject:apersonalblog." in said


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Decision: the blog uses Next.js", "Decision: the blog uses Hugo"),
        ("博客使用 Next.js", "博客不使用 Next.js"),
        ("[2025-03-25#L8]", "[2025-03-25#L7]"),
        ("[2025-03-25#L8]", ""),
        ("Still open: search across both languages. ", "Still open: search. "),
        ("- Goal: pages", "- Invented.\n- Goal: pages"),
    ],
)
def test_a_statement_that_no_cited_line_has_would_be_seen(true: str, false: str) -> None:
    written, generation = consolidate(story_files(FIRST), FIRST[-1])
    data = generation.blob.data.replace(true.encode(), false.encode())
    assert data != generation.blob.data
    changed = parse_generation(generation.path, Blob("", data))
    assert changed
    check_sourced(generation, written)
    with pytest.raises(AssertionError):
        check_sourced(changed, written)


def test_a_reader_of_generation_2_knows_what_was_decided_and_where_things_stand() -> None:
    _, (first, second, third) = run_story()
    decided = [point.text for point in second.decisions]
    assert [text for text in decided if "Astro" in text]
    assert [text for text in decided if "Vercel" in text]
    assert [text for text in decided if "e-mail" in text]
    assert not [text for text in decided if "Next.js" in text and "Astro" not in text]
    assert not [text for text in decided if text.startswith("Comments: Giscus")]
    assert "Hosting stays on Vercel" in second.current_status
    assert "中文搜索终于可用了" in second.current_status
    assert "Still open" in first.current_status
    assert "Still open" not in second.blob.text
    assert "New project: a personal blog" in second.summary
    assert "Astro" in second.summary
    points = " ".join(point.text for point in second.key_points)
    assert "Chinese and English" in points
    assert "MDX" in points
    assert "Ada knows React" not in points
    assert "Dentist" not in second.blob.text
    assert not [point for point in third.decisions if "Vercel" in point.text and "Cloudflare" not in point.text]


def test_a_written_generation_is_the_base_of_an_extracted_one() -> None:
    written = story_files(SECOND)
    steps = tomllib.loads(files("memsite.cli").joinpath("story.toml").read_text(encoding="utf-8"))["step"]
    body = next(step["stdin"] for step in steps if "consolidate" in step.get("run", []))
    extra = (
        "  - Consolidations:\n    - gen1 (2025-03-25): consolidated/personal-blog-gen1-2025-03-25.md\n"
        "  - Current: consolidated/personal-blog-gen1-2025-03-25.md\n"
    )
    written["memory/INDEX.md"] = index(SECOND, extra)
    head = "# Personal Blog - Generation 1 Consolidation\n\n**Covers**: 2025-03-20 to 2025-03-25\n"
    written["memory/consolidated/personal-blog-gen1-2025-03-25.md"] = head + body
    _, second = consolidate(written, "2025-04-15")
    assert [point.text for point in second.decisions][:2] == [
        "The blog is hosted on Vercel.",
        "决定：从 Next.js 换到 Astro。 Decision: move from Next.js to Astro.",
    ]
    assert "Search across both languages is still open" not in second.blob.text
    assert all(point.sources for point in (*second.key_points, *second.decisions))


def test_a_point_without_a_source_gets_the_line_that_says_the_same() -> None:
    written = story_files(SECOND)
    written["memory/consolidated/personal-blog-gen1-2025-03-25.md"] = (
        "**Covers**: 2025-03-20 to 2025-03-25\n\n## Summary\nA blog.\n\n## Key Points\n"
        "- Posts are MDX files, one folder for each language\n\n"
        "## Source References\n- 2025-03-20: it begins\n- 2025-03-22: Next.js\n"
    )
    _, second = consolidate(written, "2025-04-15")
    point = next(one for one in second.key_points if one.text.startswith("Posts are MDX files, one"))
    assert [(ref.day.isoformat(), ref.first_line) for ref in point.sources] == [("2025-03-22", 7)]


def test_nothing_new_and_nothing_to_take_are_refused() -> None:
    written, _ = run_story()
    memory = load_memory(make_snapshot(written), CONFIG)
    with pytest.raises(RefusedError, match="nothing to consolidate"):
        extract_body(memory, "personal-blog", date(2025, 5, 20), CONFIG)
    with pytest.raises(RefusedError, match="no topic 'other'"):
        extract_body(memory, "other", date(2025, 5, 20), CONFIG)
    code = {"memory/INDEX.md": index(["2025-03-20"]), "memory/2025-03-20.md": "# Day\n\n```\ncode only\n```\n"}
    with pytest.raises(RefusedError, match="no sentence"):
        extract_body(load_memory(make_snapshot(code), CONFIG), "personal-blog", date(2025, 3, 25), CONFIG)


ODD_LINES = r"""
## Personal blog|## Garden|# 2025-03-20|- decided: use Hugo|- [x] Giscus removed.|===|---|```|~~~ js
<!-- ARCHIVED: x -->|<!-- open|<div>|> quoted|- [2025-13-45] odd|see [2025-03-22#L99]|- Decision 1|  continued
1. one|    code|決定 。|-->|#tag|Which one? |[a]: http://x|- - - nested|从 A 迁移到 B。|- a <!-- x -->```b|- <b|Setext
"""
LINES = st.one_of(
    st.sampled_from([*ODD_LINES.strip("\n").replace("\n", "|").split("|"), "| a | b |", "\u2028x", "Setext\n==="]),
    st.text(max_size=30),
)


@settings(max_examples=3_000 if LONG else 150, deadline=None)
@given(st.lists(st.lists(LINES, max_size=12), min_size=2, max_size=3))
def test_whatever_notes_say_it_is_sourced_or_refused_for_want_of_sentences(notes: list[list[str]]) -> None:
    days = [f"2025-03-{20 + number}" for number in range(len(notes))]
    written: Files = {
        f"memory/{day}.md": "\n".join(lines).encode("utf-8", "replace") for day, lines in zip(days, notes, strict=True)
    }
    written["memory/INDEX.md"] = index(days)
    try:
        after, generation = consolidate(written, days[-1])
    except RefusedError as error:
        assert "no sentence" in str(error) or "nothing to consolidate" in str(error)
        return
    assert [section.name for section in split_sections(generation.blob.text)][:5] == [
        "Summary", "Key Points", "Decisions Made", "Current Status", "Source References",
    ]  # fmt: skip
    for point in (*generation.key_points, *generation.decisions):
        assert point.sources, point
    assert load_memory(make_snapshot(after), CONFIG).topic("personal-blog")


def two_notes_of_a_day() -> Files:
    return {
        "memory/INDEX.md": index(["2025-03-20"]),
        "memory/2025-03-20.md": "# 2025-03-20\n\n## Blog\n\n- Decision: the blog uses Hugo.\n",
        "memory/2025-03-20-standup.md": "# Standup\n\n## Blog\n\n- Hosting: Vercel.\n\n- The first page is live.\n",
    }


def test_of_two_notes_of_a_day_each_statement_cites_the_one_that_says_it() -> None:
    _, made = consolidate(two_notes_of_a_day(), "2025-03-25")
    text = made.blob.text
    assert "- Decision: the blog uses Hugo. [2025-03-20#L5]\n" in text
    assert "- Hosting: Vercel. [2025-03-20-standup#L5]\n" in text
    assert "The first page is live. [2025-03-20-standup#L7]\n" in text
    assert text.endswith(
        "## Source References\n- 2025-03-20: Decision: the blog uses Hugo.\n- 2025-03-20-standup: Hosting: Vercel.\n"
    )


def test_a_point_without_a_source_gets_the_line_of_the_second_note_that_says_it() -> None:
    written = two_notes_of_a_day()
    written["memory/INDEX.md"] = index(["2025-03-20", "2025-03-26"])
    written["memory/2025-03-26.md"] = "## Blog\n\n- Search works.\n"
    written["memory/consolidated/personal-blog-gen1-2025-03-25.md"] = (
        "**Covers**: 2025-03-20 to 2025-03-20\n\n## Summary\nA blog.\n\n## Key Points\n- The first page is live\n\n"
        "## Source References\n- 2025-03-20: it begins\n- 2025-03-20-standup: it goes on\n"
    )
    _, second = consolidate(written, "2025-03-27")
    assert "- The first page is live [2025-03-20-standup#L7]\n" in second.blob.text


def test_what_is_private_is_in_no_generation() -> None:
    note = "# 2025-03-20\n\n- We use Next.js for the blog.\n\n<!-- private -->\n- The blog costs ninety coins.\n"
    note += "<!-- /private -->\n\n- The blog is <!-- private -->secretly<!-- /private --> bilingual now.\n"
    done, _ = consolidate({"memory/INDEX.md": index(["2025-03-20"]), "memory/2025-03-20.md": note}, "2025-03-25")
    (text,) = (str(data) for name, data in done.items() if "consolidated/" in name)
    assert "We use Next.js" in text
    assert "ninety" not in text
    assert "secretly" not in text


def test_an_open_task_is_no_fact_until_it_is_ticked() -> None:
    tasks = (
        "# 2025-03-20\n\n- [ ] write the post\n- [ ] Decided: use Hugo\n- [x] Blog: shipped the page\n- [x] buy tea\n"
    )
    done, generation = consolidate(
        {"memory/INDEX.md": index(["2025-03-20"]), "memory/2025-03-20.md": tasks}, "2025-03-20"
    )
    assert generation.current_status.splitlines() == [
        "- [x] Blog: shipped the page [2025-03-20#L5]",
        "- [ ] write the post [2025-03-20#L3]",
        "- [ ] Decided: use Hugo [2025-03-20#L4]",
    ]
    assert [point.text for point in generation.key_points] == ["[x] buy tea"]
    assert not generation.decisions
    data = done["memory/INDEX.md"]
    text = data if isinstance(data, str) else data.decode()
    done["memory/INDEX.md"] = text.replace("[2025-03-20]", "[2025-03-20, 2025-03-22]", 1)
    done["memory/2025-03-22.md"] = "- [x] Write the post\n"
    _, later = consolidate(done, "2025-03-22")
    assert "[ ] write the post" not in later.blob.text
    assert "- [ ] Decided: use Hugo [2025-03-20#L4]" in later.current_status
