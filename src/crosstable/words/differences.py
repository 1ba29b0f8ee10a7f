"""What differs between two versions of an event, in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import singledispatch
from typing import NamedTuple

from crosstable.formats.crosstable import WITHOUT_A_GAME
from crosstable.model import Rating
from crosstable.model.difference import (
    AboutPlayer,
    ByeChanged,
    Difference,
    FactChanged,
    PlayerChanged,
    ReportedAge,
    ReportedName,
    ReportedRatings,
    ResultChanged,
    SectionAdded,
    SectionRemoved,
)
from crosstable.words.dates import day
from crosstable.words.language import _

RESULTS = {"1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "+/-": "+ –", "-/+": "– +", "-/-": "– –"}


class DifferenceText(NamedTuple):
    """A line of a table of differences. `was` or `now` is empty where there was or is nothing."""

    where: str
    entry: str
    detail: str
    was: str
    now: str


def section_name(one: Difference) -> str:
    """Name the section of a difference."""
    return one.section_name or _("Section {number}").format(number=one.section)


@singledispatch
def difference(one: Difference) -> DifferenceText:
    """Write one difference as a line of a table."""
    raise NotImplementedError(type(one).__name__)


def differences(found: Iterable[Difference]) -> list[DifferenceText]:
    """Write all of them."""
    return [difference(one) for one in found]


@difference.register
def _fact(one: FactChanged) -> DifferenceText:
    where = _("Event") if one.section is None else section_name(one)
    return DifferenceText(where, _(one.field.replace("_", " ").capitalize()), "", _value(one.was), _value(one.now))


def _value(value: str | date | None) -> str:
    return day(value) if isinstance(value, date) else value or _("none")


@difference.register
def _section_added(one: SectionAdded) -> DifferenceText:
    return DifferenceText(_("Section {number}").format(number=one.section), one.section_name, "", "", _("added"))


@difference.register
def _section_removed(one: SectionRemoved) -> DifferenceText:
    return DifferenceText(_("Section {number}").format(number=one.section), one.section_name, "", "", _("removed"))


@difference.register
def _player(one: PlayerChanged) -> DifferenceText:
    return DifferenceText(_number(one.number), one.name, section_name(one), one.was, one.now)


def _number(number: int) -> str:
    return _("Number {number}").format(number=number)


@difference.register
def _bye(one: ByeChanged) -> DifferenceText:
    where = _("Round {round}").format(round=one.round)
    detail = _("{section} · number {number}").format(section=section_name(one), number=one.number)
    return DifferenceText(where, one.name, detail, _without_a_game(one.was), _without_a_game(one.now))


def _without_a_game(letter: str) -> str:
    return _(WITHOUT_A_GAME[letter]) if letter in WITHOUT_A_GAME else ""


@difference.register
def _result(one: ResultChanged) -> DifferenceText:
    where = _("Round {round}").format(round=one.round)
    detail = _("{section} · □ number {white}, ■ number {black}").format(
        section=section_name(one), white=one.white, black=one.black
    )
    was = _written(one.was)
    if one.colors_changed:
        was = _("{result}, colors changed").format(result=was)
    return DifferenceText(where, f"{one.white_name} – {one.black_name}", detail, was, _written(one.now))


def _written(result: str | None) -> str:
    return "" if result is None else RESULTS.get(result, result)


def _about(one: AboutPlayer, what: str, was: str, now: str) -> DifferenceText:
    return DifferenceText(_number(one.number), one.name, f"{section_name(one)} · {what}", was, now)


@difference.register
def _reported_name(one: ReportedName) -> DifferenceText:
    return _about(one, _("name in the report"), one.was, one.now)


@difference.register
def _reported_ratings(one: ReportedRatings) -> DifferenceText:
    return _about(one, _("rating in the report"), _ratings(one.was), _ratings(one.now))


def _ratings(ratings: Iterable[tuple[str, Rating]]) -> str:
    return ", ".join(f"{pool} {one.rating:g}" for pool, one in ratings)


@difference.register
def _reported_age(one: ReportedAge) -> DifferenceText:
    return _about(one, _("birth date, or adult"), "", _("changed"))
