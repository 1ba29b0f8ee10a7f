"""A club is made in the browser, in a database that holds no office yet: its name, its PIN and its first children."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.club import children, clubs
from crosstable.club.clubs import ClubError
from crosstable.office.ledger.models import Office
from crosstable.office.storage.database import writing
from crosstable.words.language import _


@dataclass(frozen=True, slots=True, kw_only=True)
class NewClub:
    """What a volunteer fills in."""

    name: str
    pin: str
    children: str  # first names, with commas or on new lines

    @property
    def names(self) -> list[str]:
        return [name.strip() for name in self.children.replace(",", "\n").splitlines() if name.strip()]


def is_possible() -> bool:
    """Return whether this database can become a club's: it holds no office."""
    return not Office.objects.exists()


def start(wanted: NewClub) -> None:
    """Make the club with its children: all of it, or nothing."""
    if not wanted.name.strip():
        raise ClubError(_("a club needs a name"))
    with writing():
        clubs.create(wanted.name.strip(), pin=wanted.pin.strip())
        children.join_all(clubs.volunteer(), wanted.names)
