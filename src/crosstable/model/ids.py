"""Ids of players, whatever a federation's look like."""

from __future__ import annotations

from collections.abc import Iterator

#: So many characters have room in a ledger
LONGEST = 40


def id_problems(number: str, what: str = "a player", limit: int = LONGEST) -> Iterator[str]:
    """Say what is wrong with an id: it is one printable word or a few, as on an entry form."""
    if not number.strip():
        yield f"{what} needs an id"
    elif number != number.strip() or not number.isprintable():
        yield f"the id {number!r} has blanks at its ends or letters that cannot be printed"
    if len(number) > limit:
        yield f"the id {number[:12]}… has {len(number)} characters; at most {limit} are allowed"
