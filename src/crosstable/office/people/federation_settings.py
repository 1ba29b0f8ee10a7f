"""The profile of the federation that the office works for: shown, and changed with a line in the log."""

from __future__ import annotations

from crosstable.errors import OfficeError
from crosstable.federations import Federation
from crosstable.office.audit.log import record
from crosstable.office.ledger.office_settings import federation_of, office
from crosstable.office.people.rights import Actor, require
from crosstable.office.storage.database import writing


def current() -> Federation:
    """Return the profile in force."""
    return federation_of(office())


def change(actor: Actor, wanted: Federation) -> None:
    """Take a new profile. The systems stay as they are: other systems would be other ratings."""
    require(actor, "office.settings")
    with writing():
        row = office()
        chosen = {kind: tuple(names) for kind, names in row.systems.items()}
        if dict(wanted.systems) != chosen:
            rated = ", ".join(name for names in chosen.values() for name in names)
            raise OfficeError(f"this office rates by {rated}. Give the profile the same systems, or make a new office.")
        row.federation = wanted.to_json()
        row.save()
        record(actor.name, "office.federation", "office", "", {"name": wanted.name})
