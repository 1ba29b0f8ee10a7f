"""Dora at her desk: what she sees of a draft, and the buttons that she presses."""

from __future__ import annotations

from datetime import date

from crosstable.office.people.rights import Actor, Role
from crosstable.office.reports import draft_page, drafts, fixing

DORA, DIRK = Actor("dora", Role.DIRECTOR), Actor("dirk", Role.DIRECTOR)
DAY = date(2025, 8, 2)
IDS = [f"3000000{number}" for number in range(1, 8)]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2"), (2, 1, 3, "0-1"), (2, 2, 4, "1-0")]


def look(number: int, actor: Actor = DORA) -> draft_page.Look:
    return draft_page.look(drafts.load(actor, number))


def press(number: int, code: str, label: str, **typed: str) -> None:
    """The button beside the first finding of that code."""
    shown = next(one for one in look(number).all if one.code == code and not one.said)
    offer = next(one for one in shown.offers if one.label == label)
    fixing.mend(DORA, number, offer.action, {**offer.values, **typed}, shown.finding)
