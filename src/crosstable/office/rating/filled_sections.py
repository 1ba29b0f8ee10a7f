"""A section as it is rated: the document's results with the ledger's facts and ratings in the players' places."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from crosstable.model import Event, Player, Rating, Section
from crosstable.office.ledger import for_the_record, revisions
from crosstable.office.ledger.documents import span
from crosstable.office.ledger.packing import entries_of
from crosstable.office.ledger.players import merged_players
from crosstable.office.rating import facts
from crosstable.office.rating.facts import Facts
from crosstable.office.rating.states import Records
from crosstable.office.rating.timeline import Placed, fide_list_days
from crosstable.systems import RatingSystem

# A player of the ledger as of another age: what a preview and a what-if rate instead of the stored facts.


def as_of_age(rated_by: RatingSystem, player: Player, born: date | None, by_age: Collection[str], day: date) -> Player:
    """Return the player with this birth date, and with what it makes of the ratings that still are an age's (`by_age`).

    An adult by membership starts as one of the ages does, so the mark is left out with the stored date.
    """
    bare = replace(player, birth_date=born, adult=False, ratings={}, fide=None, cfc=None, foreign_rating=None)

    def at_this_age(pool: str, record: Rating) -> Rating:
        start = rated_by.start(bare, day, pool).rating
        rating = start if pool in by_age else record.rating
        # 1996 §4.2: in games saved for the next event the opponent's rating may be a newcomer's age, too
        pending = tuple((start, score) for _, score in record.pending)
        return replace(record, rating=rating, pending=pending)

    ratings = {pool: at_this_age(pool, record) for pool, record in player.ratings.items()}
    return replace(player, birth_date=born, adult=False, ratings=ratings)


@dataclass(frozen=True, slots=True)
class AsRated:
    event: Event  # of this one section
    players: Mapping[int, int]  # pairing number → the player's row in the ledger

    @property
    def section(self) -> Section:
        return self.event.sections[0]


@dataclass(frozen=True, slots=True)
class Days:
    """The days on which an event asks for facts (readings 25 to 27)."""

    start: date  # the event's
    end: date  # the event's
    section_end: date
    fide_list: date  # readings 37: of the list that includes a foreign event; else the section's end

    @property
    def in_advance(self) -> date:
        """2025 §6: who opts in does so before the event begins."""
        return self.start - timedelta(days=1)


def entrants(section: Placed) -> dict[int, int]:
    """Pairing number → player, duplicates under the record that is kept."""
    same = merged_players()
    return {number: same.get(player, player) for number, player in entries_of(section.entries).tolist()}


def as_rated(section: Placed, records: Records, keys: Sequence[str], event: Event | None = None) -> AsRated:
    """`keys`: which of the players' ratings the system reads."""
    event = event or revisions.document(id=section.event)
    players = entrants(section)
    wanted = next(one for one in event.sections if one.number == section.number)
    filled = replace(for_the_record.as_rated(wanted), start=section.start, end=section.end)
    event = replace(event, end=section.event_end)
    listed = fide_list_days([section.event]).get(section.event) if section.kind == "fide" else None
    filled = with_facts(filled, players, records, keys=keys, event=event, fide_list=listed)
    return AsRated(replace(event, sections=(filled,)), players)


def with_facts(
    section: Section,
    players: Mapping[int, int],
    records: Records,
    keys: Sequence[str],
    event: Event,
    fide_list: date | None = None,
) -> Section:
    """Fill in the ledger's facts and ratings. A player who is not in the ledger stays as the report says."""
    end = span(section)[1]
    days = Days(*span(event), end, max(end, fide_list or end))
    who = sorted(set(players.values()))
    people, lists, members = facts.facts(who), facts.external(who), facts.memberships(who)

    def known(entry: Player) -> Player:
        player = players.get(entry.number)
        if player is None:
            return entry
        own = {key: record for key, record in records.get(player, {}).items() if key in keys}
        listed, joined = lists.get(player, []), members.get(player, [])
        return _known(
            entry, people[player], own, lists=listed, members=joined, days=days, abroad=section.kind == "fide"
        )

    return replace(section, players=tuple(known(entry) for entry in section.players))


def _known(
    entry: Player,
    person: Facts,
    ratings: Mapping[str, Rating],
    lists: Sequence[tuple[date, str, float]],
    members: Sequence[facts.Member],
    days: Days,
    *,
    abroad: bool,
) -> Player:
    """Return the player with what the office knows, which takes precedence over the report."""
    return replace(
        entry,
        id=person.number,
        name=person.name or entry.name,
        birth_date=person.birth_date,
        adult=person.is_adult(members, days.end),
        canadian_resident=person.on("canadian_resident", days.end),
        usa_flag=person.on("usa_flag", days.fide_list),
        fide_opt_in=person.on("fide_opt_in", days.in_advance),
        foreign_rating=person.foreign_rating,
        member=facts.is_member(members, days.end if abroad else days.section_end, otherwise=not abroad),
        ratings=ratings,
        # what a member's own list says decides on eligibility; opponents count as they were rated at the event
        fide=facts.on_day(lists, "fide", days.fide_list if ratings else days.section_end),
        cfc=facts.on_day(lists, "cfc", days.section_end),
    )
