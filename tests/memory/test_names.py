"""The one grammar of dates, slugs, paths and file names."""

from __future__ import annotations

import unicodedata
from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memsite.errors import FormatError
from memsite.memory.names import (
    MAX_SLUG_BYTES,
    GenerationName,
    day_path,
    find_mentions,
    format_generation_name,
    is_one_line,
    is_slug,
    parse_date,
    parse_day_name,
    parse_generation_name,
    parse_inner_path,
    parse_slug,
    session_log_path,
    slugify,
)

TEXT = st.text(max_size=60) | st.text(alphabet="aB1-ßİıéé博गिᾼ. /\\_ǅ", max_size=120)
SLUGS = TEXT.map(slugify).filter(bool)


@given(st.dates())
def test_a_date_is_read_as_it_is_written(day: date) -> None:
    assert parse_date(day.isoformat()) == day


@pytest.mark.parametrize(
    "text",
    [
        "2025-02-30",
        "2025-2-3",
        "20250203",
        "2025-W01-1",
        "2025-01-01\n",
        " 2025-01-01",
        "",
        "0000-01-01",
        "２０２５-01-01",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert parse_date(text) is None


@given(TEXT)
@example("İ" * 60)
@example("ẞ-Σ")
@example("a\u0301" * 90)
@example("\u0345a")
def test_the_slug_of_any_text_is_a_slug_and_stays_itself(text: str) -> None:
    slug = slugify(text)
    assert slug == "" or is_slug(slug)
    assert slugify(slug) == slug


@given(TEXT)
def test_a_slug_is_one_safe_part_of_a_path(text: str) -> None:
    if is_slug(text):
        assert PurePosixPath(text).parts == (text,)
        assert text == unicodedata.normalize("NFC", text) == text.lower()
        assert len(text.encode()) <= MAX_SLUG_BYTES
        assert not set(text) & set("/\\.\0 \n*_[]:") and text[0] != "-"
        assert parse_slug(text) == slugify(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "-a",
        "a-",
        "a--b",
        "A",
        "a b",
        "a/b",
        "..",
        "a.b",
        "a_b",
        "e\u0301",
        "\udcff",
        "a\u200d",
        "½",
        "\u0338a",
        "a-\u0301",
        "x" * 201,
        "博" * 67,
    ],
)
def test_what_is_no_slug(text: str) -> None:
    assert not is_slug(text)
    with pytest.raises(FormatError, match="no topic name"):
        parse_slug(text)


@pytest.mark.parametrize("text", ["a", "博客项目", "x" * 200, "a-1", "हिन्दी", "a-b-c-d-e", "x" * 60 + "-" + "y" * 60])
def test_what_is_a_slug(text: str) -> None:
    assert is_slug(text)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Personal Blog!", "personal-blog"),
        ("../../etc/passwd", "etc-passwd"),
        ("--a__b--", "a-b"),
        ("★", ""),
        ("ÉTÉ", "été"),
        ("-\u0338a \u0301", "a"),
        ("b\u200bl\u202eo\u00adg", "blog"),
        ("x" * 500_000, "x" * 200),
        ("博" * 100, "博" * 66),
        ("x" * 199 + "-y", "x" * 199),
    ],
)
def test_slugify(text: str, slug: str) -> None:
    assert slugify(text) == slug


@given(SLUGS, st.integers(1, 999_999), st.dates())
@example("a-gen1-2025-01-01", 2, date(2025, 1, 2))
@example("2025-01-01", 1, date(2025, 1, 2))
def test_a_generations_name_is_read_as_it_is_written(topic: str, number: int, day: date) -> None:
    name = GenerationName(topic, number, day)
    assert parse_generation_name(format_generation_name(name)) == name


@pytest.mark.parametrize(
    "text",
    ["a-gen0-2025-01-01.md", "a-gen01-2025-01-01.md", "a-gen1-2025-02-30.md", "A-gen1-2025-01-01.md", "a-gen1.md",
     "../a-gen1-2025-01-01.md", "a-gen1-2025-01-01.md\n", "a-gen1-2025-01-01.markdown", "-gen1-2025-01-01.md"],
)  # fmt: skip
def test_what_is_no_generation(text: str) -> None:
    assert parse_generation_name(text) is None


@given(st.dates(), st.sampled_from(["", "0930", "stand-up", "博客"]))
def test_a_days_name_is_read_as_it_is_written(day: date, label: str) -> None:
    name = f"{day.isoformat()}-{label}.md" if label else f"{day.isoformat()}.md"
    assert parse_day_name(name) == (day, label)


@pytest.mark.parametrize(
    "text", ["2025-02-30.md", "2025-01-01.txt", "2025-01-01-.md", "x2025-01-01.md", "2025-01-01_x.md"]
)
def test_what_is_no_days_name(text: str) -> None:
    assert parse_day_name(text) is None


def test_paths_of_a_day() -> None:
    assert day_path(PurePosixPath("memory"), date(2025, 1, 2)) == PurePosixPath("memory/2025-01-02.md")
    assert day_path(PurePosixPath(), date(2025, 1, 2)) == PurePosixPath("2025-01-02.md")
    assert session_log_path(PurePosixPath("m"), date(2025, 1, 2)) == PurePosixPath("m/sessions/2025-01-02.md")


@given(st.text(max_size=30) | st.text(alphabet="./\\~a:-\0\n", max_size=12))
def test_an_inner_path_stays_inside(text: str) -> None:
    path = parse_inner_path(text)
    if path is not None:
        assert not path.is_absolute() and ".." not in path.parts and path.parts
        assert not set(str(path)) & set("\\\0\n\r\u2028")


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "..",
        "../a",
        "a/../b",
        "/a",
        "~/a",
        "a\\b",
        "C:a",
        "file:a",
        "https://example.org",
        "a\nb",
        "\udcff",
        "//a",
    ],
)
def test_what_leads_out_of_the_memory_is_none(text: str) -> None:
    assert parse_inner_path(text) is None


@pytest.mark.parametrize(
    "text", ["a", "consolidated/a-gen1-2025-01-01.md", "博客/ü.md", "a..b", "..a/b", "a b: c.md", "👩‍💻.md"]
)
def test_what_stays_in_the_memory_is_a_path(text: str) -> None:
    assert parse_inner_path(text) == PurePosixPath(text)


def test_one_line() -> None:
    assert is_one_line("words 博客 👩‍💻\u3000")
    assert not any(is_one_line(text) for text in ("a\nb", "\x1b[0m", "\x00", "\u2028", "\x85", "\udcff", "\t"))


def test_names_of_generations_are_found_with_their_lines() -> None:
    name, inner = "blog-gen1-2025-03-20.md", "my-blog-gen1-2025-03-20.md"
    text = f"# Index\n{inner}\n参见{name}\n".encode()
    assert find_mentions(text, [name, inner, "shop-gen1-2025-03-20.md"]) == {name: 3, inner: 2}
    assert find_mentions(None, [name]) == {}
