"""E-mail addresses and phone numbers, masked where a publication does not show them.

An address is known by its shape. A number is one only when it looks dialled (`+49 30 …`, `(555) 010-0199`,
`138 0013 8000`) or is called one (`phone: …`, 电话): dates, times, ids, versions and hashes are numbers too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import Any

_AT = r"(?:@|%40|&#64;|&#x40;|&commat;)"
_EMAIL = re.compile(
    rf"(?<![\w.+%@/$-])(?!git{_AT})[A-Za-z0-9][\w.+-]{{0,63}}{_AT}"
    r"(?!\dx\.)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}(?![\w-]|\.\w)"
)
_GAP = r"[ .\u00a0-]?"
_CALLED = (
    r"(?:(?i:\b(?:phone|mobile|cell(?:phone)?|tel(?:efon|ephone)?|fax|whatsapp|signal|handy|sms)\b)"
    r"|电话|手机|手机号|座机|微信号|電話|携帯)[^\w\n+(]{0,4}(?:(?:(?i:number|no|nr|is)\b|号码|号|是|为|番号)[^\w\n+(]{0,4}){0,2}"
)
_PHONES = (
    # With its country code, as it is dialled.
    re.compile(r"(?<![\w+./:=-])(\+[1-9]\d{0,2}(?:[ .\u00a0/-]?\(?\d{1,5}\)?){2,6})(?![\w+]|[.:/-]\d)"),
    re.compile(r"\btel:(\+?[\d.%-]{5,24})"),
    # North America's form, China's mobile numbers in groups.
    re.compile(r"(?<![\w.+/-])(\([2-9]\d{2}\) ?\d{3}[-. ]\d{4}|[2-9]\d{2}-\d{3}-\d{4})(?![\w-])"),
    re.compile(r"(?<![\w.+/-])(1[3-9]\d[ -]\d{4}[ -]\d{4})(?![\w-])"),
    re.compile(_CALLED + r"(\+?\(?\d[\d ()./\u00a0-]{4,20}\d)(?![\w-])"),
)
_WORTH = (
    r"\+[1-9]|tel:|[0-9]{3}[-. ][0-9]{4}|[ -][0-9]{4}[ -][0-9]{4}"
    r"|(?i:phone|mobile|cell|tel|fax|whatsapp|signal|handy|sms)|电话|手机|座机|微信号|電話|携帯"
)
"""What a text must have to be searched for numbers."""
_DATE = re.compile(r"(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])[-./](?:0?[1-9]|[12]\d|3[01])(?!\d)")
_FEWEST, _MOST = 7, 15
"""Digits of a phone number (E.164 has 15 at most)."""


def mask_contacts(text: str, *, emails: bool, phones: bool) -> str:
    """The text with `[redacted:email]` and `[redacted:phone]` for those that are to be masked."""
    if emails and _has_at(text):
        text = _EMAIL.sub("[redacted:email]", text)
    for pattern in _PHONES if phones and _worth().search(text.encode("utf-8", "replace")) else ():
        text = pattern.sub(_masked_phone, text)
    return text


def find_contacts(text: str, *, emails: bool, phones: bool) -> tuple[tuple[int, str], ...]:
    """The lines (1-based) on which something would be masked, each with `email` or `phone`."""
    found = [(match.start(), "email") for match in _EMAIL.finditer(text)] if emails and _has_at(text) else []
    for pattern in _PHONES if phones and _worth().search(text.encode("utf-8", "replace")) else ():
        found += ((match.start(1), "phone") for match in pattern.finditer(text) if _is_phone(match))
    ends = [match.start() for match in re.finditer("\n", text)] if found else []
    return tuple(sorted({(bisect_left(ends, start) + 1, kind) for start, kind in found}))


def _has_at(text: str) -> bool:
    return any(sign in text for sign in ("@", "%40", "&#64;", "&#x40;", "&commat;"))


@cache
def _worth() -> Any:
    import re2  # a hundred times faster here than `re`, and loaded by those alone who publish

    return re2.compile(_WORTH.encode())  # bytes: re2 refuses a text with what stands for bytes that are no UTF-8


def _masked_phone(match: re.Match[str]) -> str:
    return match[0].replace(match[1], "[redacted:phone]") if _is_phone(match) else match[0]


def _is_phone(match: re.Match[str]) -> bool:
    number = match[1]
    digits = sum(map(str.isdigit, number))
    if not _FEWEST <= digits <= _MOST or _DATE.search(number):
        return False
    return not (number.startswith("+") and digits < 9 and number[1:].isdigit())  # a difference: `+1234567 lines`
