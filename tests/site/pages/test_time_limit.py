"""A renderer that is stopped: whatever it does, in whatever it is, and what its page shows then."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NoReturn

import pytest

from memsite.site.markdown import RenderedMarkdown, render_markdown
from memsite.site.pages import page
from memsite.site.time_limit import StoppedError, time_limit, unstopped


def spin(*_: object, **_settings: object) -> NoReturn:
    """Work without end; what swallows every Exception is part of it."""
    while True:
        with suppress(Exception):
            sum(range(1000))


def stubborn() -> NoReturn:
    """Goes on once in spite of it."""
    try:
        spin()
    except BaseException:
        spin()


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """Every limit takes its timer and its handler with it."""
    before = signal.getsignal(signal.SIGVTALRM)
    yield
    assert signal.getsignal(signal.SIGVTALRM) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


@pytest.mark.parametrize("work", [spin, stubborn])
def test_work_without_end_is_stopped(work: Any) -> None:
    with pytest.raises(StoppedError), time_limit(0.05):
        work()


def test_work_that_ends_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    with time_limit(30):
        print("done")
    assert capsys.readouterr().out == "done\n"


def test_an_inner_limit_ends_what_is_inside_and_the_outer_one_goes_on() -> None:
    with pytest.raises(StoppedError), time_limit(0.2):
        with pytest.raises(StoppedError), time_limit(0.05):
            spin()
        spin()


def test_an_inner_limit_is_no_longer_than_the_outer_one() -> None:
    with pytest.raises(StoppedError), time_limit(0.05):
        with time_limit(1000):
            spin()
        raise AssertionError("went on")


def test_what_must_not_be_interrupted_is_stopped_behind_it() -> None:
    done: list[bool] = []

    @unstopped
    def reading() -> None:
        end = os.times().user + 0.2
        while os.times().user < end:
            pass
        done.append(True)

    with pytest.raises(StoppedError), time_limit(0.05):
        reading()
        spin()
    assert done == [True]


def test_in_another_thread_nothing_is_limited_and_nothing_fails() -> None:
    done: list[int] = []

    def work() -> None:
        with time_limit(0.01):
            done.append(sum(range(10)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [45]


@pytest.fixture
def slow_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts that say `slow` are rendered without end; the time for one is short."""

    def rendered(text: str, **settings: Any) -> RenderedMarkdown:
        return spin() if "slow" in text else render_markdown(text, **settings)

    monkeypatch.setattr(page, "render_markdown", rendered)
    monkeypatch.setattr(page, "TEXT_SECONDS", 0.2)


@pytest.mark.usefixtures("slow_text")
def test_a_text_that_is_stopped_is_shown_as_it_is_and_the_rest_of_its_page_is_there(
    make_source: Any, pages_of: Any, check_html: Any
) -> None:
    source = make_source({"memory/2025-03-20.md": "slow <b>\n", "memory/2025-03-20-other.md": "**quick**\n"})
    content = pages_of(source)["daily/2025-03-20/"].content()
    check_html(content)
    assert "This text takes too long to be rendered" in content.html
    assert "slow &lt;b&gt;" in content.html
    assert 'href="index.md"' in content.html
    assert "<strong>quick</strong>" in content.html
    assert content.failure.startswith("memory/2025-03-20.md takes longer than")


@pytest.mark.parametrize("where", ["article", "view"])
def test_a_page_that_is_stopped_says_so_and_shows_the_beginning_of_its_text(
    where: str, make_source: Any, pages_of: Any, check_html: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "PAGE_SECONDS", 0.3)
    if where == "article":
        monkeypatch.setattr(page, "_draw", _slow_draw(page._draw))
    else:
        monkeypatch.setattr("memsite.site.pages.notes.revisions_of", spin)
    content = pages_of(make_source({"memory/note.md": "# Note\n\nslow\n"}))["notes/note/"].content()
    check_html(content)
    assert "This page could not be made" in content.html
    assert "was stopped" in content.failure
    assert "slow" in content.html
    assert 'href="index.md"' in content.html


def _slow_draw(draw: Any) -> Any:
    def drawn(sheet: Any, view: Any, template: str) -> Any:
        article = draw(sheet, view, template)
        return article if template == "failure" else spin()

    return drawn
