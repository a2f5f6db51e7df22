from __future__ import annotations

import io
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memsite.cli.context import Context, UsageError, machine_zone, parse_day, parse_time
from memsite.cli.output import Output

SHANGHAI = ZoneInfo("Asia/Shanghai")


def test_parse_time_reads_a_day_as_its_noon_in_the_zone() -> None:
    assert parse_time("2025-03-20", SHANGHAI).isoformat() == "2025-03-20T12:00:00+08:00"


def test_parse_time_keeps_an_offset_and_shows_it_in_the_zone() -> None:
    assert parse_time("2025-03-20T03:53:00+00:00", SHANGHAI) == datetime(2025, 3, 20, 3, 53, tzinfo=UTC)
    assert parse_time("2025-03-20T20:00:00+00:00", SHANGHAI).date() == date(2025, 3, 21)


def test_parse_time_without_offset_is_local_on_both_sides_of_a_clock_change() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    assert parse_time("2025-03-30T01:30", berlin).utcoffset() == timedelta(hours=1)
    assert parse_time("2025-03-30T03:30", berlin).utcoffset() == timedelta(hours=2)


@pytest.mark.parametrize("text", ["yesterday", "2025-02-30", "2025-13-01T10:00", ""])
def test_parse_time_refuses_what_is_no_time(text: str) -> None:
    with pytest.raises(UsageError):
        parse_time(text, SHANGHAI)


@pytest.mark.parametrize("text", ["2025-02-30", "20250320", "２０２５-03-20", "2025-3-20", ""])
def test_parse_day_refuses_what_is_no_date(text: str) -> None:
    with pytest.raises(UsageError):
        parse_day(text)


def test_machine_zone_prefers_tz_then_localtime_then_utc(tmp_path: Path) -> None:
    link = tmp_path / "localtime"
    link.symlink_to("/usr/share/zoneinfo/Asia/Tokyo")
    assert machine_zone({"TZ": "Europe/Berlin"}, link) == "Europe/Berlin"
    assert machine_zone({"TZ": "no such zone"}, tmp_path / "none") == "UTC"
    assert machine_zone({}, tmp_path / "none") == "UTC"


def test_what_was_left_out_and_what_only_looks_like_a_secret_are_told_apart(tmp_path: Path) -> None:
    errors = io.StringIO()
    context = Context(tmp_path, datetime(2025, 3, 20, tzinfo=UTC), "", "UTC", {}, Output(io.StringIO(), errors))
    assert context.redact("password: hunter2000") == "password: hunter2000"
    kept = errors.getvalue()
    assert "looks like a secret and was kept (" in kept
    assert "left out" not in kept
    context.redact("the token is " + "gh" + "p_" + "a1B2" * 9)
    assert "a secret was left out (" in errors.getvalue().removeprefix(kept)


def test_commands_that_write_one_file_load_no_rules_of_the_whole_history() -> None:
    program = (
        "import sys\n"
        "from memsite.cli import notes, topics\n"
        "from memsite.repo import transaction\n"
        "print(sorted({'memsite.repo.guard', 'memsite.repo.past', 'memsite.memory.rules'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
