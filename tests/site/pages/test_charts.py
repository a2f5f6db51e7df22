from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memsite.site.pages.charts import HEIGHT, TICK_ROOM, WIDTH, Period, draw_chart


def period(amount: int, name: str = "") -> Period:
    return Period(name, f"{amount} tokens", amount, None)


def test_a_chart_of_less_than_two_columns_is_none() -> None:
    assert draw_chart([]) is None
    assert draw_chart([period(0), period(7), period(0)]) is None


def test_columns_are_to_scale() -> None:
    chart = draw_chart([period(10), period(0), period(5)])
    assert chart is not None
    assert [column.height for column in chart.columns] == [HEIGHT, 0, HEIGHT / 2]
    assert [column.y + column.height for column in chart.columns] == [HEIGHT] * 3


@given(amounts=st.lists(st.integers(0, 10**12), max_size=600))
def test_a_chart_stays_in_its_frame_and_shows_whatever_counts(amounts: list[int]) -> None:
    chart = draw_chart([period(amount, "Jan") for amount in amounts])
    if chart is None:
        return
    assert chart.width <= WIDTH + 1
    assert not any(amounts[len(chart.columns) :])
    for amount, column in zip(amounts, chart.columns, strict=False):
        assert 0 <= column.y <= HEIGHT
        assert (column.height > 0) == (amount > 0)
    assert all(two.x - one.x >= TICK_ROOM for one, two in zip(chart.ticks, chart.ticks[1:], strict=False))


def test_a_chart_ends_with_the_last_that_counts_at_the_scale_of_all() -> None:
    whole, half = (draw_chart([period(amount) for amount in amounts]) for amounts in ([1] * 52, [1] * 26 + [0] * 26))
    assert whole
    assert half
    assert half.columns == whole.columns[:26]
    assert half.width == whole.width / 2
