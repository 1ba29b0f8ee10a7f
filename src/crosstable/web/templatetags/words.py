"""Dates, ratings, changes and results as pages print them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from crosstable.federations.current import current
from crosstable.formats.file_ratings import established_games
from crosstable.formats.given import first_name_first
from crosstable.model import states
from crosstable.model.difference import Difference
from crosstable.office.ledger.rating_change import Numbers
from crosstable.office.players.person import Person
from crosstable.office.queries import words
from crosstable.office.queries.history import Played
from crosstable.office.queries.standings import Standing
from crosstable.rulebook.browsing import Dated
from crosstable.web import addresses
from crosstable.web.presenters.derivation import Raised
from crosstable.words import dates, numbers, phrases
from crosstable.words import differences as texts
from crosstable.words.differences import DifferenceText
from crosstable.words.language import _
from crosstable.words.numbers import not_shown
from crosstable.words.places import place_text

register = template.Library()


register.filter(first_name_first)
register.filter("place", place_text)
register.filter("plain", numbers.plain)
register.filter("address", addresses.of)
register.simple_tag(established_games)


@register.filter
def day(value: date | None) -> str:
    """12 October 2025, marked up as a date."""
    return _time(value, words.day(value)) if value else ""


@register.filter
def short_day(value: date | None) -> str:
    """12 Oct 2025, for tables."""
    return _time(value, words.short_day(value)) if value else ""


def _time(value: date, text: str) -> SafeString:
    stamp = value.date() if isinstance(value, datetime) else value
    return format_html('<time class="nb" datetime="{}">{}</time>', stamp.isoformat(), text)


@register.filter
def day_text(value: date) -> str:
    """12 October 2025, as plain text."""
    return words.day(value)


@register.filter
def month(value: date) -> str:
    """October."""
    return dates.month(value)


@register.filter
def short_month(value: date) -> str:
    """Oct."""
    return dates.short_month(value)


@register.filter
def month_of_year(value: date) -> str:
    """October 2025."""
    return dates.month_of_year(value)


@register.filter
def weekday(value: date) -> str:
    """Friday."""
    return dates.weekday(value)


@register.filter
def translated(text: str) -> str:
    """Return a word of a table, in the language of the page."""
    return _(text) if text else ""


@register.filter
def iso(value: str | None) -> str:
    """Return a day or a moment as the office writes it, 2025-10-12T09:30:00Z, for tables: 12 Oct 2025."""
    return short_day(date.fromisoformat(value[:10])) if value else ""


@register.filter
def rating(value: float | None) -> str:
    """Return the published whole number; "new" where there was none before."""
    return _("new") if value is None else phrases.rating_text(value)


@register.filter
def rating_as_shown(value: float | None) -> str:
    """Return a rating with the decimals of the office's federation."""
    return "" if value is None else phrases.rating_text(value)


@register.filter
def rating_or(value: float | None) -> str:
    """Return the published whole number, or that it is not shown."""
    return not_shown() if value is None else phrases.rating_text(value)


@register.filter
def rank(value: float | None) -> str:
    """Return the go rank of a rating, where the federation shows ranks: 3d."""
    return phrases.rank_text(value) if value is not None and current().shows.rank else ""


@register.filter
def came_with(one: Played | Numbers) -> str:
    """Return the rating before; "new" where there was none, "not shown" where it would reveal an age."""
    return rating_or(one.before) if one.before_games else rating(one.before)


@register.filter
def change(value: float | None) -> str:
    """▲ +31 or ▼ −31: sign and shape, never colour alone."""
    return _signed(value, arrows=True)


@register.filter
def signed(value: float | None) -> str:
    """+31 or −31, coloured."""
    return _signed(value, arrows=False)


def _signed(value: float | None, *, arrows: bool) -> SafeString | str:
    if value is None:
        return ""
    number = phrases.as_shown(value)
    if number == 0:
        return format_html('<span class="soft nb">{}</span>', "±0")
    arrow = ("▲ " if number > 0 else "▼ ") if arrows else ""
    side = "up" if number > 0 else "down"
    return format_html('<span class="{} nb">{}{}</span>', side, arrow, phrases.change_text(number))


@register.filter
def decimals(value: float | None, places: int = 1) -> str:
    """1591.7, with a real minus."""
    return "" if value is None else words.decimals(value, places)


@register.filter
def points(value: float | None) -> str:
    """3½."""
    return "" if value is None else words.points(value)


@register.filter
def quarters(value: float) -> str:
    """12¾."""
    return numbers.quarters(value)


@register.filter
def standing_names(lines: Iterable[Standing]) -> str:
    """Ann, Ben and Cay."""
    return words.joined(one.row.person.name for one in lines)


@register.filter
def thousands(value: int) -> str:
    """12,345."""
    return words.thousands(value)


@register.filter
def pool(key: str) -> str:
    """OTBR is "Regular"."""
    return words.pool(key)


@register.filter
def pools(keys: Iterable[str]) -> str:
    """Regular, Quick."""
    return ", ".join(words.pool(key) for key in keys)


@register.filter
def rule_address(name: str, system: str) -> str:
    """Return the page of a rule of a system."""
    return addresses.rule(name, system)


@register.filter
def provisional(games: int | None) -> SafeString | str:
    """P13 behind a rating on 13 games."""
    if not words.is_provisional(games):
        return ""
    title = _("provisional, based on {games}").format(games=words.count(games or 0, "game"))
    return format_html('<span class="p" title="{}">P{}</span>', title, games)


@register.filter
def count(value: int, noun: str) -> str:
    """ "1 game", "5 games"."""
    return words.count(value, noun)


@register.filter
def some(value: int, noun: str) -> str:
    """ "one game", "five games", "13 games"."""
    return words.some(value, noun)


@register.filter
def sections(text: str) -> str:
    """ "section 4.2", "sections 4.2 and 8"."""
    return words.sections(text)


@register.filter
def names(people: Iterable[Person]) -> str:
    """Ann, Ben and Cay."""
    return words.joined(one.name for one in people)


@register.filter
def marked(name: str, query: str) -> SafeString:
    """Return a name with the typed letters marked, at the beginning of its words."""
    typed = [word.casefold() for word in query.split()]
    parts = []
    for word in name.split():
        length = max((len(one) for one in typed if word.casefold().startswith(one)), default=0)
        parts.append(format_html("<mark>{}</mark>{}", word[:length], word[length:]) if length else escape(word))
    return format_html_join(" ", "{}", ((part,) for part in parts))


@register.filter
def swing(value: float, most: float) -> tuple[str, str, str]:
    """Return a difference as a bar of 100 from the middle, left down, right up: its class, where it begins,
    how long it is.
    """
    width = 50 * abs(value) / most if most else 0.0
    return ("gain", "50", f"{width:.1f}") if value > 0 else ("drop", f"{50 - width:.1f}", f"{width:.1f}")


@register.filter
def item(mapping: dict[object, object], key: object) -> object:
    """Return what a mapping holds under a key."""
    return mapping.get(key)


@register.filter
def percent(value: float) -> str:
    """0.435 as the 43.5 of a bar that is 100 wide."""
    return f"{100 * value:.1f}"


@register.filter
def minus(value: float | None, other: float | None) -> float | None:
    return None if value is None or other is None else value - other


@register.filter
def raised(text: str | Raised) -> SafeString:
    """Write a formula with its power raised; a sentence as it is."""
    if isinstance(text, Raised):
        return format_html("{}<sup>{}</sup>{}", text.before, text.power, text.after)
    return format_html("{}", text)


@register.filter
def thirds(bonus: tuple[float, float]) -> list[tuple[str, str, str]]:
    """Return the bonus as a bar of 100: the part without, the part above, and that part again."""
    threshold, extra = bonus
    unit = 100 / (threshold + 2 * extra)
    parts = (("track", 0.0, threshold), ("fill", threshold, extra), ("pale", threshold + extra, extra))
    return [(css, f"{start * unit:.2f}", f"{width * unit:.2f}") for css, start, width in parts]


@register.filter(name="abs")
def absolute(value: int) -> int:
    return abs(value)


@register.filter
def region(state: str) -> str:
    """Ohio, for OH."""
    return states.STATES.get(state, state)


@register.filter
def signed_places(value: float | None, places: int = 1) -> str:
    """+33.69."""
    return "" if value is None else words.signed(value, places)


@register.filter
def last_year(values: list[Dated]) -> int:
    """Return the year in which a timeline, newest first, begins."""
    return values[-1].since.year


@register.filter
def code(text: str) -> SafeString:
    """Words between `backticks` are code."""
    parts = enumerate(text.split("`"))
    return format_html_join("", "{}", ((format_html("<code>{}</code>", one) if at % 2 else one,) for at, one in parts))


@register.filter
def difference(one: Difference) -> DifferenceText:
    """Write a change of an event as a line of a table."""
    return texts.difference(one)
