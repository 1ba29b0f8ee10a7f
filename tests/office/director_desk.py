"""Dora at her desk: what she sees of a draft, and the buttons that she presses."""

from __future__ import annotations

from datetime import date

from crosstable.office.people.rights import Actor, Role
from crosstable.office.reports import draft_page, drafts, fixing
from crosstable.words.fixes import fix_text

DORA, DIRK = Actor("dora", Role.DIRECTOR), Actor("dirk", Role.DIRECTOR)
DAY = date(2025, 8, 2)
IDS = [f"3000000{number}" for number in range(1, 8)]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2"), (2, 1, 3, "0-1"), (2, 2, 4, "1-0")]


def look(number: int, actor: Actor = DORA) -> draft_page.Look:
    return draft_page.look(drafts.load(actor, number))


def press(number: int, code: str, label: str, **typed: str) -> None:
    """The button beside the first finding of that code."""
    page = look(number)
    shown = next(one for one in page.all if one.code == code and not one.said)
    fix = next(one for one in shown.fixes if fix_text(one, shown.finding, page.event) == label)
    fixing.mend(DORA, number, fix.kind, {**fix.values, **typed}, shown.finding)


def labels_of(number: int, shown: draft_page.Shown) -> list[str]:
    """What the buttons beside a finding say."""
    event = look(number).event
    return [fix_text(fix, shown.finding, event) for fix in shown.fixes]
