"""Dates as sentences and tables write them, in the current language."""

from __future__ import annotations

from datetime import date

from crosstable.words.language import _, gettext_noop

MONTHS = (
    gettext_noop("January"),
    gettext_noop("February"),
    gettext_noop("March"),
    gettext_noop("April"),
    gettext_noop("May"),
    gettext_noop("June"),
    gettext_noop("July"),
    gettext_noop("August"),
    gettext_noop("September"),
    gettext_noop("October"),
    gettext_noop("November"),
    gettext_noop("December"),
)
WEEKDAYS = (
    gettext_noop("Monday"),
    gettext_noop("Tuesday"),
    gettext_noop("Wednesday"),
    gettext_noop("Thursday"),
    gettext_noop("Friday"),
    gettext_noop("Saturday"),
    gettext_noop("Sunday"),
)


def month(when: date) -> str:
    """October."""
    return _(MONTHS[when.month - 1])


def short_month(when: date) -> str:
    """Oct. In both languages the first three letters."""
    return month(when)[:3]


def month_of_year(when: date) -> str:
    """October 2025."""
    return _("{month} {year}").format(month=month(when), year=when.year)


def day(when: date) -> str:
    """12 October 2025."""
    return _("{day} {month} {year}").format(day=when.day, month=month(when), year=when.year)


def short_day(when: date) -> str:
    """12 Oct 2025, for tables."""
    return f"{when.day} {short_month(when)} {when.year}"


def weekday(when: date) -> str:
    """Friday."""
    return _(WEEKDAYS[when.weekday()])
