"""How people write the result of a game in a list: `1-0`, `white`, `won`, `½-½`, `1-0 ff`."""

from __future__ import annotations

import re
from collections.abc import Mapping

_RESULTS: Mapping[str, tuple[str, ...]] = {
    "1-0": (
        "1-0",
        "1:0",
        "1",
        "1 - 0",
        "white",
        "white wins",
        "w",
        "1.0",
        "+",
        "white won",
        "1.0-0.0",
        "1-0.0",
        "win",
        "won",
    ),
    "0-1": ("0-1", "0:1", "0", "0 - 1", "black", "black wins", "b", "0.0", "black won", "0.0-1.0", "loss", "lost", "l"),
    "1/2-1/2": (
        "1/2-1/2",
        "½-½",
        "½",
        "1/2",
        "0.5",
        ".5",
        "0.5-0.5",
        ".5-.5",
        "=",
        "d",
        "draw",
        "drawn",
        "drew",
        "tie",
        "½:½",
        "=-=",
    ),
    "+/-": ("+/-", "+-", "+:-", "1f-0f", "1-0f", "1-0 f", "1x-0f", "+--", "x-f", "1-0 (forfeit)", "1-0 ff"),
    "-/+": ("-/+", "-+", "-:+", "0f-1f", "0-1f", "0-1 f", "0f-1x", "--+", "f-x", "0-1 (forfeit)", "0-1 ff"),
    "-/-": ("-/-", "0-0", "0f-0f", "f-f", "-:-"),
}
_RESULT_OF = {spelling: result for result, spellings in _RESULTS.items() for spelling in spellings}
#: A score in which letters stand for digits.
_LETTERED = re.compile(r"[01oli]\s?[-:]\s?[01oli](?: ff)?")
_AS_DIGITS = str.maketrans("oli", "011")


def result_of(text: str) -> tuple[str | None, bool]:
    """Return the result, and whether letters had to be taken for the digits of a score: `1-O`, `l-0`."""
    plain = re.sub("[–—−]", "-", text.lower()).replace(",", ".")
    for spelling in (plain, plain.replace(" ", "")):
        if found := _RESULT_OF.get(spelling):
            return found, False
    digits = plain.translate(_AS_DIGITS) if _LETTERED.fullmatch(plain) else ""
    return _RESULT_OF.get(digits.replace(" ", "")), bool(digits)
