"""Values out of JSON that others wrote."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memsite.capture.fields import read_text, read_time

TIME = "2026-04-09T06:48:00.000Z"
MOMENT = datetime(2026, 4, 9, 6, 48, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (TIME, MOMENT),
        ("2026-04-09T14:48:00+08:00", MOMENT),
        ("2026-04-09T06:48:00", MOMENT),
        (MOMENT.timestamp(), MOMENT),
        (MOMENT.timestamp() * 1000, MOMENT),
        (int(MOMENT.timestamp() * 1000), MOMENT),
        ("yesterday", None),
        ("", None),
        (None, None),
        (True, None),
        (0, None),
        (-1, None),
        (1e300, None),
        (float("nan"), None),
        (float("inf"), None),
        (10**400, None),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-12:00", None),
        ({"$date": TIME}, None),
    ],
)
def test_reading_a_time(value: object, expected: datetime | None) -> None:
    assert read_time(value) == expected


ODD_TEXTS: list[object] = ["é", "\ud800", None, 3, []]


def test_reading_a_text() -> None:
    assert [read_text(value) for value in ODD_TEXTS] == ["é", "\ufffd", "", "", ""]
