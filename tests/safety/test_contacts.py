"""E-mail addresses and phone numbers: masked as people write them, and nothing else that has an @ or digits."""

from __future__ import annotations

import random

import pytest

from memsite.safety.contacts import mask_contacts
from tests.realistic_notes import notes
from tests.secret_kinds import DIGITS, HEX, pick, uuid


def masked(text: str) -> str:
    return mask_contacts(text, emails=True, phones=True)


@pytest.mark.parametrize(
    "text",
    [
        "write to {}",
        "<{}>",
        "[Ada](mailto:{})",
        "Ada <{}>, see also {}.",
        "Co-authored-by: Ada <{}>",
        "邮箱：{}。",
        '"email": "{}"',
        "mail={}&x=1",
    ],
)
@pytest.mark.parametrize("address", ["ada@example.org", "ada.l+notes@mail.example.co.uk", "a_1-b@x-y.example"])
def test_an_address_is_masked(text: str, address: str) -> None:
    assert masked(text.replace("{}", address)) == text.replace("{}", "[redacted:email]")


@pytest.mark.parametrize("address", ["ada%40example.org", "ada&#64;example.org", "ada&#x40;example.org"])
def test_an_address_in_codes_is_masked(address: str) -> None:
    assert masked(f"x {address} y") == "x [redacted:email] y"


@pytest.mark.parametrize(
    "number",
    [
        "+49 30 1234567",
        "+1 (555) 010-0199",
        "+86 138 0013 8000",
        "+8613800138000",
        "+44.20.7946.0123",
        "(555) 010-0199",
        "555-010-0199",
        "138-0013-8000",
    ],
)
def test_a_number_that_is_dialled_is_masked(number: str) -> None:
    assert masked(f"Call {number} at noon.") == "Call [redacted:phone] at noon."


@pytest.mark.parametrize(
    "text", ["phone: {}", "Tel. {}", "my mobile number is {}", "电话：{}", "手机号是 {}", "[call](tel:{})"]
)
def test_a_number_that_is_called_one_is_masked(text: str) -> None:
    assert masked(text.replace("{}", "13800138000")) == text.replace("{}", "[redacted:phone]")


def test_settings_show_what_is_to_be_shown() -> None:
    text = "ada@example.org, +49 30 1234567"
    assert mask_contacts(text, emails=False, phones=True) == "ada@example.org, [redacted:phone]"
    assert mask_contacts(text, emails=True, phones=False) == "[redacted:email], +49 30 1234567"
    assert mask_contacts(text, emails=False, phones=False) == text


@pytest.mark.parametrize(
    "text",
    [
        "2025-03-20 10:30 and 20.03.2025, 2025/03/20",
        "2025-03-20T10:30:00+01:00, 1742464800 +0800, 1742464800123",
        "call 2025-03-20, tel 2025-03-20",
        "v1.10.2, 10.0.0.1:8080, 192.168.100.200, +1234567 lines, +12345678",
        "@@ -120,14 +120,15 @@ def x()",
        "git@github.com:acme/blog.git and icon@2x.png, @acme/blog@1.0.2, https://example.org/@ada/1",
        "ssh://git@github.com/acme/blog.git",
        "order 13800138000, 4111 1111 1111 1111, ISBN 978-3-16-148410-0",
        "lines 100-200-3000, gen1-2025-03-25.md, 12345678901",
        "ticket 2025-000-1234-77, rfc3339, 3.141592653589793",
    ],
)
def test_dates_ids_and_other_numbers_stay(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize("seed", range(50))
def test_hashes_and_ids_stay(seed: int) -> None:
    rng = random.Random(seed)
    for text in (
        pick(rng, 40, HEX),
        uuid(rng),
        pick(rng, 16, DIGITS),
        f"commit {pick(rng, 7, HEX)}.",
        pick(rng, 10, DIGITS),
    ):
        assert masked(text) == text


def test_notes_without_addresses_stay_as_they_are() -> None:
    for note in notes(3, 200_000):
        assert masked(note) == note


@pytest.mark.parametrize("strange", ["\udce9", "\ud83d"])
def test_text_that_is_no_utf8_is_masked_as_any_other(strange: str) -> None:
    assert masked(f"caf{strange}, call 555-010-0199") == f"caf{strange}, call [redacted:phone]"
    assert masked(f"caf{strange}") == f"caf{strange}"
