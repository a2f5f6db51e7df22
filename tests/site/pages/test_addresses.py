from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from memsite.memory.model import Generation
from memsite.memory.snapshot import Blob
from memsite.site.pages import addresses
from memsite.site.pages.addresses import distinct, generation_segments, printable, safe_note_uri, step_uri


def make_generation(number: int, day: date) -> Generation:
    return Generation("blog", number, day, PurePosixPath(f"memory/consolidated/{number}"), Blob("", b""), "Blog")


def test_generation_segments_tell_two_of_one_number_apart() -> None:
    first, second = date(2025, 4, 1), date(2025, 4, 5)
    items = [make_generation(1, first), make_generation(2, first), make_generation(2, second)]
    assert generation_segments(items) == ("gen1", "gen2", "gen2-2025-04-05")


def test_step_uri_drops_gen() -> None:
    assert step_uri("blog", "gen1", "gen2-2025-04-05") == "topics/blog/compare/1..2-2025-04-05/"


def test_safe_note_uri_of_names_that_no_address_can_carry() -> None:
    name = b"caf\xe9\n#1".decode("utf-8", "surrogateescape")
    assert safe_note_uri(PurePosixPath(name)) == "notes/caf~e9~0a#1/"
    assert printable(name) == "caf\ufffd\ufffd#1"


def test_distinct_numbers_what_a_file_system_takes_for_equal() -> None:
    uris = ["notes/a/", "notes/A/", "notes/b/", "notes/a/"]
    assert distinct(uris) == ("notes/a/", "notes/A-2/", "notes/b/", "notes/a-3/")


def test_years_and_months() -> None:
    assert (addresses.year_uri(2025), addresses.month_uri(2025, 3)) == ("daily/2025/", "daily/2025/03/")
