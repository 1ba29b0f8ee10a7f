"""How many there are of something: "1 game", "5 games", "three sections"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from crosstable.words.language import ENGLISH, _, language, ngettext
from crosstable.words.numbers import thousands

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

#: What is counted in the translated pages. Other nouns are counted in English.
NOUNS: Mapping[str, Callable[[int], str]] = {
    "child": lambda n: ngettext("{count} child", "{count} children", n),
    "detail": lambda n: ngettext("{count} detail", "{count} details", n),
    "draw": lambda n: ngettext("{count} draw", "{count} draws", n),
    "entry": lambda n: ngettext("{count} entry", "{count} entries", n),
    "event": lambda n: ngettext("{count} event", "{count} events", n),
    "game": lambda n: ngettext("{count} game", "{count} games", n),
    "list": lambda n: ngettext("{count} list", "{count} lists", n),
    "norm": lambda n: ngettext("{count} norm", "{count} norms", n),
    "other": lambda n: ngettext("{count} other", "{count} others", n),
    "player": lambda n: ngettext("{count} player", "{count} players", n),
    "point": lambda n: ngettext("{count} point", "{count} points", n),
    "rated game": lambda n: ngettext("{count} rated game", "{count} rated games", n),
    "rated section": lambda n: ngettext("{count} rated section", "{count} rated sections", n),
    "rating": lambda n: ngettext("{count} rating", "{count} ratings", n),
    "result": lambda n: ngettext("{count} result", "{count} results", n),
    "round": lambda n: ngettext("{count} round", "{count} rounds", n),
    "rule": lambda n: ngettext("{count} rule", "{count} rules", n),
    "section": lambda n: ngettext("{count} section", "{count} sections", n),
    "value": lambda n: ngettext("{count} value", "{count} values", n),
    "win": lambda n: ngettext("{count} win", "{count} wins", n),
}


def count(number: int, noun: str) -> str:
    """Write a number of things in figures: "1 game", "5 games", "2 entries"."""
    return _counted(number, noun, thousands(number))


def some(number: int, noun: str) -> str:
    """Write a number of things for a sentence: "one game", "five games", "13 games"."""
    return _counted(number, noun, small(number))


def small(number: int) -> str:
    """Return "five" for 5, and figures from 13 on; figures in languages whose numerals have a gender."""
    if language() == ENGLISH and 0 <= number < len(SMALL):
        return SMALL[number]
    return thousands(number)


def joined(parts: Iterable[str]) -> str:
    """Join parts of a sentence: "Ann", "Ann and Ben", "Ann, Ben and Cay"."""
    *first, last = [*parts] or [""]
    return _("{first} and {last}").format(first=", ".join(first), last=last) if first else last


def sections(text: str) -> str:
    """Name sections of a document as the rulebook lists them: "section 4.2", "sections 4.2 and 8"."""
    parts = text.split(", ")
    return ngettext("section {sections}", "sections {sections}", len(parts)).format(sections=joined(parts))


def _counted(number: int, noun: str, written: str) -> str:
    if noun in NOUNS:
        return NOUNS[noun](number).format(count=written)
    many = f"{noun}s"
    if noun.endswith("y") and noun[-2] not in "aeou":
        many = f"{noun[:-1]}ies"
    elif noun.endswith(("x", "s", "ch", "sh")):
        many = f"{noun}es"
    return f"{written} {noun if number == 1 else many}"
