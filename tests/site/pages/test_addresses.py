from __future__ import annotations

from pathlib import PurePosixPath

from memsite.site.pages import addresses
from memsite.site.pages.addresses import printable, safe_note_uri, step_uri


def test_step_uri_drops_gen() -> None:
    assert step_uri("blog", "gen1", "gen2-2025-04-05") == "topics/blog/compare/1..2-2025-04-05/"


def test_safe_note_uri_of_names_that_no_address_can_carry() -> None:
    name = b"caf\xe9\n#1".decode("utf-8", "surrogateescape")
    assert safe_note_uri(PurePosixPath(name)) == "notes/caf~e9~0a#1/"
    assert printable(name) == "caf\ufffd\ufffd#1"


def test_years_and_months() -> None:
    assert (addresses.year_uri(2025), addresses.month_uri(2025, 3)) == ("daily/2025/", "daily/2025/03/")
