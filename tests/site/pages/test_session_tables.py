from __future__ import annotations

from datetime import date
from typing import Any

from memsite.site.links import relative_url

LOG = """# Session Log — {day}

### 09:30
- **Topic:** About {day}
- **Messages:** 2 user / 3 assistant
- **Est. tokens:** ~{tokens}

"""


def logs(*days: str) -> dict[str, str]:
    return {
        f"memory/sessions/{day}.md": LOG.format(day=day, tokens=100 * number)
        for number, day in enumerate(days, start=1)
    }


def test_each_year_has_a_page_and_the_overview_the_latest_days(make_source: Any, pages_of: Any, render: Any) -> None:
    days = [f"2024-12-{day:02d}" for day in range(10, 32)] + ["2025-01-01", "2025-03-04"]
    source = make_source(logs(*days), today=date(2025, 4, 5))
    pages = pages_of(source)
    assert [uri for uri in pages if uri.startswith("sessions/") and uri.count("/") == 2 and len(uri) == 14] == [
        "sessions/2024/",
        "sessions/2025/",
    ]
    overview, year = render(source, "sessions/").html, render(source, "sessions/2024/").html
    assert "24 sessions on 24 days, ~30,000 tokens." in overview
    assert "About 2025-03-04" in overview
    assert "About 2024-12-10" not in overview
    assert all(f"About {day}" in year for day in days[:22])
    assert "About 2025-01-01" not in year
    assert [link.uri for link in pages["sessions/2025-01-01/"].crumbs] == ["sessions/", "sessions/2025/"]


def test_columns_lead_to_the_rows_of_their_time(make_source: Any, render: Any) -> None:
    source = make_source(logs("2024-12-31", "2025-01-01", "2025-01-06", "2025-03-04"), today=date(2025, 4, 5))
    overview, year = render(source, "sessions/"), render(source, "sessions/2025/")
    assert f'href="{relative_url("sessions/2025/#d2025-01-06", "sessions/")}"' in overview.html
    assert "January 2025: 2 sessions, ~500 tokens" in overview.html
    assert "February 2025" not in overview.html
    assert {"d2025-01-01", "d2025-01-06", "d2025-03-04"} <= year.anchors
    assert "Week of Wednesday, 1 January 2025: 1 session, ~200 tokens" in year.html
    assert "Week of Monday, 6 January 2025: 1 session, ~300 tokens" in year.html


def test_the_first_and_the_last_year_that_there_can_be(make_source: Any, render: Any) -> None:
    source = make_source(logs("0001-01-01", "0001-01-08", "9999-12-30", "9999-12-20"), today=date(2025, 4, 5))
    assert "Week of Monday, 8 January 1" in render(source, "sessions/0001/").html
    assert "Week of Monday, 27 December 9999" in render(source, "sessions/9999/").html


def test_what_an_entry_does_not_say_is_not_none_at_all(make_source: Any, render: Any) -> None:
    log = "# Session Log\n\n### 09:30\n- **Topic:** x\n- **Messages:** many\n\n"
    source = make_source({"memory/sessions/2025-03-20.md": log})
    for uri in ("daily/2025-03-20/", "sessions/2025-03-20/"):
        html = render(source, uri).html
        assert "0 user" not in html
        assert "~0 tokens" not in html
    assert render(source, "sessions/2025/").html.count(">unknown<") == 2
    counted = log + "### 10:00\n- **Topic:** y\n- **Messages:** 0 user / 2 assistant\n- **Est. tokens:** ~0\n"
    html = render(make_source({"memory/sessions/2025-03-20.md": counted}), "sessions/2025/").html
    assert "0 / 2" in html
    assert ">~0<" in html
