"""What the rules refuse with the ledger's own ratings in place: unratable sections, matches that may not be rated."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date

from crosstable.findings import declare
from crosstable.model import Event, Finding, Level, Place, Player, Rating, Section
from crosstable.office.ledger import models, order
from crosstable.office.ledger.documents import span
from crosstable.office.ledger.office_settings import all_systems, keys_of, office, systems_of
from crosstable.office.ledger.players import merged_players
from crosstable.office.lists.models import ListRow, PublishedList
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.filled_sections import with_facts
from crosstable.office.storage.read_once import once
from crosstable.systems import RatingSystem
from crosstable.systems.structure import error
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.pools import KEYS

declare(
    "merged-players-met",
    Level.ERROR,
    "Two players who were merged into one met each other.",
    "Correct the id, or `office players unmerge`.",
)

OPT_IN_REPORTED = declare(
    "opt-in-reported",
    Level.WARNING,
    "A report says that a player opted in to foreign FIDE events. The office keeps opt-ins itself, so this does not"
    " count.",
    "If the player asked for it, an officer enters the opt-in in the player's record.",
)

#: In an office a section may be rated after one that ended later (readings 14: events stand by the event's end)
_EXPECTED = frozenset({"rating-after-event", "rating-from-later"})

Known = dict[str, int]  # a player's id → the row that is kept


def ledger_findings(
    chosen: models.Office, event: Event, position: int | None = None, moving: int | None = None, *, public: bool = False
) -> list[Finding]:
    """Return what each of the office's systems says about its sections, with the ratings that the ledger holds.

    `position`: the event's place in the order; one that has none yet stands at the beginning of its last day. `moving`:
    the event's own row, where it stood somewhere else before: what it did there does not count.
    `public`: nothing that rests on a stored birth date or on a rating which would tell an age, not even that there is
    something to say: a director could submit events of every date, or matches against opponents of every strength, and
    find the date or the rating by where the finding begins.
    """
    known = known_players(event)
    place = position or order.day_of(span(event)[1]) + 1
    records = records_before(place, known, moving)
    found = _findings(chosen, event, known, records, ages=not public)
    if public and found:
        without = _findings(chosen, event, known, without_age_starts(records, place), ages=False)
        found = [finding for finding in found if finding in without]
    return found


def undated_findings(chosen: models.Office, event: Event) -> list[Finding]:
    """Return what the systems say about sections on any day: without a date no ratings can be looked up."""
    bare = replace(
        event,
        sections=tuple(
            replace(section, players=tuple(replace(one, ratings={}, fide=None, cfc=None) for one in section.players))
            for section in event.sections
        ),
    )
    return [f for system in all_systems(chosen) for f in system.review(_own(system, chosen, bare), chosen.profile)]


def without_age_starts(records: states.Records, place: int) -> states.Records:
    starts = AgeStarts(records)
    return {
        player: {
            key: record
            for key, record in own.items()
            if not starts.tells(player, key, record.rating, place, before=True)
        }
        for player, own in records.items()
    }


def _findings(
    chosen: models.Office, event: Event, known: Known, records: states.Records, *, ages: bool
) -> list[Finding]:
    systems = all_systems(chosen)
    found = [finding for one in systems for finding in _asked(one, chosen, event, known, records, ages=ages)]
    return [*reported_opt_ins(event), *(finding for finding in found if finding.code not in _EXPECTED)]


def reported_opt_ins(event: Event) -> list[Finding]:
    """Return the opt-ins of a report: they come from the office, never from a report (readings 37)."""
    return [
        OPT_IN_REPORTED.at(Place(section=section.number, players=(player.number,)), "the report has an opt-in")
        for section in event.sections
        for player in section.players
        if player.fide_opt_in
    ]


def merged_and_met(event: Event) -> list[Finding]:
    """Two records of one person cannot have played each other, as `merge` says: the game would vanish."""
    return _all_met(event, known_players(event))


def _all_met(event: Event, known: Known) -> list[Finding]:
    return [finding for section in event.sections for finding in _met(section, known)]


def _met(section: Section, known: Known) -> list[Finding]:
    ids = {player.number: player.id for player in section.players}
    found = []
    for game in section.games:
        white, black = ids.get(game.white, ""), ids.get(game.black, "")
        if game.played and white != black and known.get(white, white) == known.get(black, black):
            where = Place(section=section.number, round=game.round, players=(game.white, game.black))
            message = f"{white} and {black} played each other, but their records are merged: they are two people."
            found.append(error("merged-players-met", where, message, "Correct the id, or `office players unmerge`."))
    return found


def known_players(event: Event) -> Known:
    """Return the players of an event who are in the register."""
    numbers = frozenset(player.id for section in event.sections for player in section.players if player.id)
    return once(("known players", numbers), lambda: _known_players(numbers))


def _known_players(numbers: Iterable[str]) -> Known:
    rows: Known = dict(models.Player.objects.filter(number__in=list(numbers)).values_list("number", "id"))
    same = merged_players()
    return {number: same.get(row, row) for number, row in rows.items()}


def records_before(place: int, known: Known, moving: int | None = None) -> states.Records:
    """Return the records of an event's players just before a place in the order."""
    players = frozenset(known.values())
    return once(("records", place, players, moving), lambda: states.before(place, players, moving))


def _asked(
    system: RatingSystem, chosen: models.Office, event: Event, known: Known, records: states.Records, *, ages: bool
) -> list[Finding]:
    """Return what a system says about its sections; what is wrong with an event in any system is named elsewhere."""
    own = _own(system, chosen, event)
    if own.sections and not _all_met(event, known):  # who played themself has two ids until that is corrected
        sections = tuple(filled(section, known, records, system.pools, event, ages=ages) for section in own.sections)
        own = replace(own, sections=sections)
    return system.review(own, chosen.profile) if own.sections else []


def _own(system: RatingSystem, chosen: models.Office, event: Event) -> Event:
    """Return the event with only the sections that the office rates by this system."""
    own = (section for section in event.sections if system.name in systems_of(chosen, section.kind))
    return replace(event, sections=tuple(own))


def filled(
    section: Section, known: Known, records: states.Records, pools: Sequence[str], event: Event, *, ages: bool = True
) -> Section:
    """Return the section with the ledger's facts and ratings for known players, and those of the report for new ones.

    `ages`: with the stored birth dates, and who counts as an adult.
    """
    players = {entry.number: known[entry.id] for entry in section.players if entry.id in known}
    known_section = with_facts(section, players, records, pools, event)
    if not ages:
        known_section = replace(known_section, players=_without_ages(known_section.players, players))
    if section.kind != "match":
        return known_section
    return replace(known_section, players=_as_published(known_section.players, span(section)[0]))


def _without_ages(entries: Sequence[Player], known: Collection[int]) -> tuple[Player, ...]:
    return tuple(replace(one, birth_date=None, adult=False) if one.number in known else one for one in entries)


def _as_published(players: Sequence[Player], start: date) -> tuple[Player, ...]:
    """Return the players with the ratings of the last list on or before a match's start, which decide (readings 42).

    A player who is not on that list has no published rating. An office without any list goes by the ratings in force.
    """
    published = PublishedList.objects.filter(date__lte=start).order_by("-date").first()
    if published is None:
        return tuple(players)
    numbers = [player.id for player in players]
    rows = ListRow.objects.filter(published=published, number__in=numbers, pool__in=KEYS, rating__isnull=False)
    listed: dict[str, dict[str, Rating]] = {}
    for number, pool, rating, games in rows.values_list("number", "pool", "rating", "games"):
        established = provisional_games(start) + 1  # a list prints the games of provisional ratings only
        listed.setdefault(number, {})[pool] = Rating(rating, established if games is None else games, published.date)
    return tuple(
        replace(
            player,
            ratings={pool: rating for pool, rating in player.ratings.items() if pool not in KEYS}
            | listed.get(player.id, {}),
        )
        for player in players
    )


def set_match_pools(row: models.Event, event: Event) -> None:
    """Set the pools of a dual-rated match:
    those in which both players qualify by the ledger's ratings (readings 30).
    """
    chosen, known = office(), known_players(event)
    for section in models.Section.objects.filter(event=row, kind="match", history=False):
        records = states.before(section.position, known.values(), row.id)
        (wanted,) = (one for one in event.sections if one.number == section.number)
        ready = filled(wanted, known, records, KEYS, event)
        section.keys = ",".join(keys_of(chosen, replace(event, sections=(ready,)), ready))
        section.save()
