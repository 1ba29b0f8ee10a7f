"""The work behind a rating row: recomputed from the ledger, never stored."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from crosstable.errors import OfficeError
from crosstable.model import Answer, Event, Rated
from crosstable.office.ledger import models
from crosstable.office.ledger.office_settings import US_CHESS, all_systems, office
from crosstable.office.ledger.players import find, main_record
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.filled_sections import AsRated, as_rated, entrants
from crosstable.office.rating.timeline import Placed, sections_from
from crosstable.rulebook import rulebook
from crosstable.systems import RatingSystem, privacy
from crosstable.systems.privacy import Openings
from crosstable.systems.us_chess.deciding import rules_of
from crosstable.systems.us_chess.entries import Entry
from crosstable.systems.us_chess.event import Before, answers_of, rate_in


def trace(event: str, section: int, player: str, system: str, *, public: bool = True) -> Answer:
    """A player's answer in a section with all its steps. The public form hides what would give an age away."""
    row = models.Section.objects.filter(event__number=event, number=section).first()
    if row is None:
        raise OfficeError(f"event {event} has no section {section} that is rated")
    wanted = main_record(find(player)).number
    for found in answers(row, system, public=public):
        if found.id == wanted and found.pool == system:
            return found
    raise OfficeError(f"player {player} has no {system} rating from event {event}, section {section}")


def answers(row: models.Section, system: str, *, public: bool = False) -> tuple[Answer, ...]:
    """Everybody's answers in a section, from the ratings that the ledger holds before it."""
    placed = sections_from(row.position, row.position + 1)[0]
    records = states.before(placed.position, entrants(placed).values())
    chosen = office()
    rated_by = next((one for one in all_systems(chosen) if system in one.pools), None)
    if rated_by is None or system not in placed.keys:
        raise OfficeError(f"the section is not rated in {system}: it is in {', '.join(placed.keys)}")
    ready = as_rated(placed, records, rated_by.pools)
    starts = AgeStarts(ready.players.values())
    openings = _openings(placed, ready, starts, rated_by)

    def rate(event: Event) -> Rated:
        if rated_by.name == US_CHESS:
            return Rated(event.name, US_CHESS, _us_chess(placed, event, chosen.profile, openings.by_age))
        rated = rated_by.rate(event, chosen.profile)
        return replace(rated, answers=tuple(_knowing_ages(placed, ready.players, starts, rated.answers)))

    return (privacy.public(ready.event, rate, openings) if public else rate(ready.event)).answers


def _openings(placed: Placed, ready: AsRated, starts: AgeStarts, rated_by: RatingSystem) -> Openings:
    """What is not public of the ratings that the players bring: starts that still are an age's, and the decimals of what
    the office has computed."""
    computed = set(
        models.RatingRow.objects.filter(player_id__in=set(ready.players.values()), position__lt=placed.position)
        .values_list("player_id", "system")
    )  # fmt: skip
    by_age, whole = {}, {}
    for entry in ready.section.players:
        player = ready.players.get(entry.number, 0)
        own = entry.ratings.items()
        by_age[entry.number] = {key for key, one in own if starts.tells(player, key, one.rating, placed.position)}
        whole[entry.number] = {key for key, _ in own if (player, key) in computed}
    rules = rated_by.rules(placed.start)
    per_year = rules["age_rating"]["per_year"] if "age_rating" in rules else 0.0
    return Openings(by_age, per_year, whole)


def _knowing_ages(
    placed: Placed, players: Mapping[int, int], starts: AgeStarts, found: Iterable[Answer]
) -> Iterator[Answer]:
    """The answers, and of each whether the new rating still is what an age made it in an earlier event."""
    for one in found:
        told = starts.tells(players[one.number], one.pool, one.post, placed.position)
        yield replace(one, by_age=one.by_age or told)


def _us_chess(placed: Placed, event: Event, profile: str, by_age: Mapping[int, Collection[str]]) -> tuple[Answer, ...]:
    """With the pools that the ledger says, and for history tables the oldest rules where they are older still."""
    (section,) = event.sections
    first = rulebook(US_CHESS).first
    start, end, last = (
        max(day, first) if placed.history else day for day in (placed.start, placed.end, placed.event_end)
    )
    rules = rules_of(start, end, last, profile)
    if "half_k" not in rules:
        section = replace(section, weight="full")

    def before(entry: Entry) -> Before:
        return Before(entry.player.ratings, by_age.get(entry.number, ()))

    rated = rate_in(section, rules, placed.us_chess_keys, before, event.end or placed.event_end, placed.start)
    return tuple(answers_of(rated))
