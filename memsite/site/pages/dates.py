"""Days in words. English, and no locale: the same source gives the same site on any machine."""

from __future__ import annotations

from datetime import date

from memsite.counting import counted as counted  # templates count with it

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def weekday(day: date) -> str:
    """`Thursday`."""
    return WEEKDAYS[day.weekday()]


def short_weekday(day: date) -> str:
    """`Thu`."""
    return weekday(day)[:3]


def month_name(month: int) -> str:
    """`March` for 3."""
    return MONTHS[month - 1]


def long_date(day: date) -> str:
    """`Thursday, 20 March 2025`."""
    return f"{weekday(day)}, {day.day} {month_name(day.month)} {day.year}"


def day_span(earlier: date, later: date) -> str:
    """`3 days`, `5 months`, `2 years`: how far apart two days are, roughly."""
    days = abs((later - earlier).days)
    if days < 60:
        return counted(days, "day")
    return counted(round(days / 30.44), "month") if days < 730 else counted(round(days / 365.25), "year")
