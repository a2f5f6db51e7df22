from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from memsite.config import Config
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.calendars import month_grid, year_calendar
from memsite.site.pages.days import note_view
from memsite.site.spec import Content, SiteSource

Render = Callable[[SiteSource, str], Content]
DAY = date(2025, 3, 20)
INDEX = "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n- **garden**\n  - Dates: [{garden}]\n"
MARK = "<!-- ARCHIVED: consolidated into consolidated/{}-gen1-2025-03-25.md -->\n"


def folded_and_live(make_source: Any, note: str, garden: str = "") -> tuple[str | None, str | None]:
    atlas = Atlas(make_source({"memory/INDEX.md": INDEX.format(garden=garden), "memory/2025-03-20.md": note}))
    view = note_view(atlas, atlas.notes[DAY][0])
    if view.document is None:
        return None, None
    lines = view.document.text.split("\n")
    above, below = ("\n".join(part) for part in (lines[: view.document.split], lines[view.document.split :]))
    return (below, None) if view.settled else (above or None, below)


def test_note_that_its_only_topic_consolidated_is_folded(make_source: Any) -> None:
    folded, live = folded_and_live(make_source, "# 2025-03-20\n\nText.\n\n" + MARK.format("blog"))
    assert folded is not None
    assert "Text." in folded
    assert live is None


def test_note_that_another_topic_still_needs_stays_open(make_source: Any) -> None:
    folded, live = folded_and_live(make_source, "Text.\n\n" + MARK.format("blog"), garden="2025-03-20")
    assert folded is None
    assert live is not None


def test_text_below_the_marker_stays_open(make_source: Any) -> None:
    folded, live = folded_and_live(make_source, "Old.\n\n" + MARK.format("blog") + "\nNew.\n")
    assert folded is not None
    assert live is not None
    assert "Old." in folded
    assert "New." in live


def test_text_that_one_of_the_topics_has_not_consolidated_stays_open(make_source: Any, render: Render) -> None:
    note = "Old.\n\n" + MARK.format("blog") + "\nblog: new.\n\nseeds\n\n" + MARK.format("garden")
    folded, live = folded_and_live(make_source, note, garden="2025-03-20")
    assert folded is not None
    assert live is not None
    assert ("Old." in folded, "blog: new." in live, "seeds" in live) == (True, True, True)
    files = {"memory/INDEX.md": INDEX.format(garden="2025-03-20"), "memory/2025-03-20.md": note}
    assert "the text up to blog, generation 1." in render(make_source(files), "daily/2025-03-20/").html


def test_a_marker_of_a_topic_that_has_not_the_day_folds_no_less(make_source: Any) -> None:
    folded, live = folded_and_live(make_source, MARK.format("garden") + "\nOld.\n\n" + MARK.format("blog"))
    assert folded is not None
    assert live is None


def test_a_folded_note_says_what_it_is_about(make_source: Any, render: Render) -> None:
    text = "# 2025-03-20\n\nThe *blog* runs on `Astro`.\n\n" + MARK.format("blog")
    html = render(make_source({"memory/2025-03-20.md": text}), "daily/2025-03-20/").html
    assert '<span class="memsite-folded-line">The blog runs on Astro.</span></summary>' in html


def test_lines_below_the_marker_keep_their_numbers(make_source: Any, render: Render) -> None:
    source = make_source({"memory/2025-03-20.md": "Old.\n\n" + MARK.format("blog") + "\nNew.\n"})
    content = render(source, "daily/2025-03-20/")
    assert {"L1", "L5"} <= content.anchors


def test_both_halves_of_a_note_are_one_text(make_source: Any, render: Render) -> None:
    old = "# 2025-03-20\n\n## Plan\n\nSee [the site][home] and a note[^1].\n\n" + MARK.format("blog")
    new = "\n## Plan\n\nAgain[^1], [above](#plan).\n\n[home]: https://example.org/\n\n[^1]: said once\n"
    html = render(make_source({"memory/2025-03-20.md": old + new}), "daily/2025-03-20/").html
    assert '<a href="https://example.org/" rel="noopener noreferrer">the site</a>' in html
    assert html.count("said once") == 1
    assert "[^1]" not in html
    above, _, below = html.partition("</details>")
    assert ('id="plan"' in above, 'id="plan-1"' in below) == (True, True)
    assert 'href="#fn1"' in above
    assert 'id="fn1"' in below


def test_every_id_of_a_day_is_there_once(make_source: Any, render: Render) -> None:
    """`render` refuses an id that is there twice: headings are named like everything else on the page."""
    names = "note on-note on.note on-changes on.changes on-sessions fn1 fnref1 L1 s0930 standup standup-l1"
    headings = "".join(f"## {name}\n\n" for name in names.split())
    source = make_source(
        {
            "memory/2025-03-20.md": headings + "x[^1]\n\n[^1]: y\n",
            "memory/2025-03-20-standup.md": headings + "x[^1]\n\n[^1]: y\n",
            "memory/2025-03-20-Standup.md": headings,
            "memory/sessions/2025-03-20.md": "### 09:30\n- **Topic:** x\n- **Messages:** 1 user / 1 assistant\n"
            "- **Est. tokens:** ~1\n\n" + headings,
        }
    )
    assert {"note", "on.note", "on.standup", "on.standup-1", "fn1-1"} <= render(source, "daily/2025-03-20/").anchors
    assert "s0930" in render(source, "sessions/2025-03-20/").anchors


def test_day_shows_flush_markers_as_labels(make_source: Any, render: Render) -> None:
    source = make_source({"memory/2025-03-20.md": "<!-- DAILY_FLUSH -->\n\nText.\n\n<!-- NATIVE_FLUSH -->\n"})
    html = render(source, "daily/2025-03-20/").html
    assert "daily flush" in html
    assert "native flush" in html
    assert "DAILY_FLUSH" not in html


def test_day_that_only_the_index_knows_says_that_there_is_no_note(make_source: Any, render: Render) -> None:
    source = make_source({"memory/INDEX.md": INDEX.format(garden="")})
    assert "No note was written on this day" in render(source, "daily/2025-03-20/").html


def test_commits_belong_to_the_day_of_the_memory_zone(make_source: Any, commit: Any, pages_of: Any) -> None:
    late = datetime(2025, 3, 20, 20, 0, tzinfo=UTC)
    source = make_source(None, [commit({"memory/a.md": "x"}, late)], config=Config(timezone="Asia/Shanghai"))
    assert "history/2025-03-21/" in pages_of(source)
    assert "history/2025-03-20/" not in pages_of(source)


def test_history_shows_what_a_commit_changed(make_source: Any, commit: Any, render: Render) -> None:
    commits = [commit({"memory/a.md": "One word.\n"}), commit({"memory/a.md": "Two word.\n"}, subject="index: <x>")]
    html = render(make_source(None, commits), "history/2025-03-20/").html
    assert "<del>One</del><ins>Two</ins>" in html
    assert "index: &lt;x&gt;" in html


def test_deleted_note_keeps_its_page(make_source: Any, commit: Any, render: Render) -> None:
    commits = [commit({"memory/a.md": "# Title\n\nLast text.\n"}), commit({"memory/a.md": None})]
    html = render(make_source(None, commits), "notes/a/").html
    assert "Deleted from the memory on 2025-03-20" in html
    assert "Last text." in html
    assert f'href="../../history/2025-03-20/#{2:040x}"' in html


def test_note_that_came_back_is_not_deleted(make_source: Any, commit: Any, render: Render) -> None:
    commits = [commit({"memory/a.md": "x\n"}), commit({"memory/a.md": None}), commit({"memory/a.md": "back\n"})]
    assert "Deleted" not in render(make_source(None, commits), "notes/a/").html


def test_year_calendar_ends_with_the_week_of_the_day_shown(make_source: Any) -> None:
    calendar = year_calendar(Atlas(make_source({"memory/2025-03-20.md": "x"}, today=date(2025, 4, 5))))
    assert calendar.last == date(2025, 4, 5)
    assert calendar.first.weekday() == 0
    assert calendar.active_days == 1
    assert len({(cell.x, cell.y) for cell in calendar.cells}) == len(calendar.cells) == 370
    assert [cell.label for cell in calendar.cells if cell.link] == ["Thursday, 20 March 2025: 1 note"]


def test_month_grid_has_whole_weeks(make_source: Any) -> None:
    grid = month_grid(Atlas(make_source({"memory/2025-03-20.md": "x"})), 2025, 3)
    assert all(len(week) == 7 for week in grid.weeks)
    assert [cell.day.day for week in grid.weeks for cell in week if cell.day] == list(range(1, 32))
    assert grid.days == 1
