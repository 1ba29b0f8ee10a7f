"""Ratings that stand behind the rules: sections that were rated by rules which say something else now.

After an upgrade with another rulebook nothing is rated again by itself: an officer decides when. Each section keeps the
hash of the rules that it was rated by (see signature), so that the office can tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import connection
from django.db.models import Max

from crosstable.formats.dates import day
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Office, Section
from crosstable.office.ledger.office_settings import all_systems
from crosstable.office.rating import signature
from crosstable.systems.us_chess.deciding import NAME as US_CHESS
from crosstable.systems.us_chess.deciding import rules_of


@dataclass(frozen=True, slots=True)
class Behind:
    """How many sections, and the end of the first event among them."""

    sections: int
    first: date

    def __str__(self) -> str:
        many = "1 section was" if self.sections == 1 else f"{self.sections:,} sections were"
        return (
            f"{many} rated by rules that say something else now, the first of an event that ended on {day(self.first)}."
        )


def behind() -> Behind | None:
    """Nothing where every section was rated by the rules as they are now."""
    chosen = Office.objects.filter(id=1).first()
    if chosen is None:
        return None
    now = _RulesNow(chosen)
    count, first = 0, None
    columns = ("start", "end", "event_end", "signature")
    for start, end, event_end, text in Section.objects.exclude(signature="").values_list(*columns).iterator():
        rated_by = {name: one.rules for name, one in signature.parse(text).items()}
        if any(rules != now.hash(name, start, end, event_end) for name, rules in rated_by.items()):
            count, first = count + 1, min(first or event_end, event_end)
    return Behind(count, first) if first else None


#: Database and its last re-rate → what was behind: the rules of a running program do not change, and what it rates goes
#: by them
_LOOKED: dict[tuple[str, int], Behind | None] = {}


def known_behind() -> Behind | None:
    """Return the same for pages that are asked for often: looked for once, and again after each re-rate."""
    last = AuditEntry.objects.filter(action="rating.rerate").aggregate(last=Max("seq"))["last"]
    key = str(connection.settings_dict["NAME"]), last or 0
    if key not in _LOOKED:
        _LOOKED[key] = behind()
    return _LOOKED[key]


class _RulesNow:
    """The hashes of the rules as they are now; many sections have the same days."""

    def __init__(self, chosen: Office) -> None:
        self._profile = chosen.profile
        self._systems = {system.name: system for system in all_systems(chosen)}
        self._found: dict[tuple[str, date, date, date], str] = {}

    def hash(self, system: str, start: date, end: date, event_end: date) -> str:
        """As the section's signature has it."""
        key = system, start, end, event_end
        if key not in self._found:
            self._found[key] = self._hash(*key)
        return self._found[key]

    def _hash(self, system: str, start: date, end: date, event_end: date) -> str:
        if system not in self._systems:
            return ""
        first = self._systems[system].book.first  # a history's sections may be older, and are rated by the first rules
        start, end, event_end = (max(one, first) for one in (start, end, event_end))
        if system == US_CHESS:
            return rules_of(start, end, event_end, self._profile).hash[:8]
        return self._systems[system].rules(start, self._profile).hash[:8]
