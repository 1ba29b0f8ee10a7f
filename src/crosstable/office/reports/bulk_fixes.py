"""One answer to many findings of a draft, undone together."""

from __future__ import annotations

from collections.abc import Iterable

from crosstable.fixes import FixRefused
from crosstable.office.people.rights import Actor
from crosstable.office.reports import draft_page, drafts
from crosstable.office.reports.draft_page import Part, Shown
from crosstable.office.reports.fixing import mend_all


def keep_alike(actor: Actor, number: int, section: str, code: str) -> int:
    """Everything of one kind in a section is right as it stands."""
    return _keep(actor, number, (one for one in _part(actor, number, section).all if one.code == code and one.look))


def all_new(actor: Actor, number: int, section: str) -> int:
    """Anyone who stands there with a FIDE number and is not found by name is new: the office gives the ids."""
    wanted = [
        (fix.kind, fix.values, one.finding)
        for one in _part(actor, number, section).strangers
        for fix in one.fixes
        if fix.kind == "new-member" and not fix.values.get("adult")
    ]
    return mend_all(actor, number, wanted)


def keep_numbers(actor: Actor, number: int, section: str, *, sure: bool) -> int:
    """FIDE numbers become members' ids: only where someone says that the office numbers its members so."""
    if not sure:
        raise FixRefused("tick the box first: a FIDE number that is kept becomes the member's id in this office")
    codes = ("fide-numbers", "unknown-id")
    return _keep(actor, number, (one for one in _part(actor, number, section).all if one.code in codes and one.look))


def _keep(actor: Actor, number: int, alike: Iterable[Shown]) -> int:
    return mend_all(actor, number, [("keep", {}, one.finding) for one in alike])


def _part(actor: Actor, number: int, section: str) -> Part:
    look = draft_page.look(drafts.load(actor, number))
    found = [part for part in look.parts if str(part.number) == section]
    if not found:
        raise FixRefused(f"there is no section {section[:10]} any more")
    return found[0]
