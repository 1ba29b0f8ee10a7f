"""Norms that come and go with an act: whose, in which section, towards which title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from crosstable.office import titles
from crosstable.office.ledger.models import Event, Office, Player, Section
from crosstable.office.storage import bulk

#: Player and section → how many norms towards each title, lowest first, as `lists.models.TitleNorm` has it
Held = Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class NormChange:
    """A player's norms of one section towards the highest title at which they differ."""

    player: str
    name: str
    event: str
    section: int
    title: str
    before: int
    after: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        """ "Ada Strong, Riverside Open: Candidate Master norms 2 → 1"."""
        return f"{self.name or self.player}, {self.event}: {self.title} norms {self.before} → {self.after}"


def held_in(sections: Sequence[int]) -> Held:
    """The norms of these sections as they stand."""
    if not sections:
        return {}
    sql = f"SELECT player_id, section_id, counts FROM {titles.NORMS} WHERE section_id IN ({bulk.numbers(sections)})"  # noqa: S608  our own name and numbers
    return {(player, section): counts for player, section, counts in bulk.rows(sql)}


def norm_changes(before: Held, after: Held, gone: str = "") -> list[NormChange]:
    """What differs, in the order of sections. `gone`: the event of sections that are no more."""
    differ = sorted(key for key in {*before, *after} if before.get(key) != after.get(key))
    office = Office.objects.filter(id=1).first() if differ else None
    rules = titles.rules_of(office) if office else None
    if rules is None:
        return []
    names = [rules.levels[level] for level in sorted(rules.levels)]
    players = dict(_named(Player, {player for player, _ in differ}, "number", "name"))
    sections = dict(_named(Section, {section for _, section in differ}, "event_id", "number"))
    events = dict(_named(Event, {event for event, _ in sections.values()}, "name", "number"))
    found = []
    for player, section in sorted(differ, key=lambda key: (key[1], key[0])):
        was, now = before.get((player, section), ""), after.get((player, section), "")
        place = max(one for one in range(max(len(was), len(now))) if was[one : one + 1] != now[one : one + 1])
        event, number = sections.get(section, (0, 0))
        name = next((one for one in events.get(event, ()) if one), gone)
        old, new = (int(one[place : place + 1] or 0) for one in (was, now))
        who, called = players[player]
        found.append(NormChange(who, called, name, number, names[place], old, new))
    return found


def _named(model: Any, ids: set[int], *columns: str) -> list[tuple[int, tuple[Any, ...]]]:
    rows = model.objects.filter(id__in=ids).values_list("id", *columns)
    return [(row[0], tuple(row[1:])) for row in rows]
