"""The work behind a rating row: recomputed from the ledger, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from crosstable.errors import OfficeError
from crosstable.model import Answer, Event, Section
from crosstable.office.ledger import models
from crosstable.office.ledger.office_settings import US_CHESS, all_systems, office
from crosstable.office.ledger.players import find, main_record
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.filled_sections import AsRated, as_rated, entrants
from crosstable.office.rating.timeline import Placed, sections_from
from crosstable.rulebook import Rules, rulebook
from crosstable.systems.trace import public as masked
from crosstable.systems.us_chess.entries import field_of
from crosstable.systems.us_chess.event import RatedSection, answer, circumstances_of, ineligible
from crosstable.systems.us_chess.explain import Context
from crosstable.systems.us_chess.section import fide_adjustment, rate_section, start_of
from crosstable.systems.us_chess.update import Update
from crosstable.systems.us_chess.validity import deciding_date


def trace(event: str, section: int, player: str, system: str, *, public: bool = True) -> Answer:
    """A player's answer in a section with all its steps. The public form hides what would give an age away."""
    row = models.Section.objects.filter(event__number=event, number=section).first()
    if row is None:
        raise OfficeError(f"event {event} has no section {section} that is rated")
    wanted = main_record(find(player)).number
    for found in answers(row, system):
        if found.id == wanted and found.pool == system:
            return masked(found) if public else found
    raise OfficeError(f"player {player} has no {system} rating from event {event}, section {section}")


def answers(row: models.Section, system: str) -> list[Answer]:
    """Everybody's answers in a section, from the ratings that the ledger holds before it."""
    placed = sections_from(row.position, row.position + 1)[0]
    records = states.before(placed.position, entrants(placed).values())
    chosen = office()
    rated_by = next((one for one in all_systems(chosen) if system in one.pools), None)
    if rated_by is None or system not in placed.keys:
        raise OfficeError(f"the section is not rated in {system}: it is in {', '.join(placed.keys)}")
    ready = as_rated(placed, records, rated_by.pools)
    if rated_by.name != US_CHESS:
        return _hiding_ages(placed, ready, system, rated_by.rate(ready.event, chosen.profile).answers)
    return _us_chess(placed, ready, chosen.profile)


def _hiding_ages(placed: Placed, ready: AsRated, system: str, found: Iterable[Answer]) -> list[Answer]:
    """The answers, and of each what would tell an age that one of the players still starts from or arrives at.

    As in systems.us_chess.explain: what a game gives rests on the opponent's number, and that one on the numbers of *their*
    opponents. One unknown in a sum of known numbers is no secret.
    """
    players, starts, answers = ready.players, AgeStarts(ready.players.values()), list(found)
    told = {players[one.number] for one in answers if "post" in one.private}
    for entry in ready.section.players:
        record = entry.ratings.get(system)
        if record and starts.tells(players[entry.number], system, record.rating, placed.position):
            told.add(players[entry.number])
    near = _who_met(ready, _who_met(ready, told))

    def hidden(answer: Answer) -> Answer:
        player, names = players[answer.number], set(answer.private)
        if player in near:
            names |= {"expected", "unfloored", "post"}
        if player in told:
            names |= {"prior", "k"}
        if starts.tells(player, system, answer.post, placed.position):
            names.add("published")
        steps = tuple(replace(step, private=step.private or player in near) for step in answer.trace)
        return replace(answer, private=tuple(name for name in answer.values if name in names), trace=steps)

    return [hidden(answer) for answer in answers]


def _who_met(ready: AsRated, people: set[int]) -> set[int]:
    """These players and everybody who played one of them in the section."""
    games = [(ready.players[game.white], ready.players[game.black]) for game in ready.section.games if game.played]
    return people.union(*(pair for pair in games if people & set(pair)))


def _us_chess(placed: Placed, ready: AsRated, profile: str) -> list[Answer]:
    """As systems.us_chess.event does it, with the systems that the ledger says."""
    event, section = ready.event, ready.section
    rules = _rules(placed, event, section, profile)
    if "half_k" not in rules:
        section = replace(section, weight="full")
    keys = placed.us_chess_keys
    here = circumstances_of(section, rules, event_end=event.end, dual=len(keys) == 2)
    field = field_of(section)
    updates = []
    if section.kind == "fide":
        for entry in field:
            if ineligible(rules, entry, entry.player.ratings) is None:
                update = fide_adjustment(here, section, field, entry, entry.player.ratings["OTBR"])
                updates += [update] if update else []
    else:
        for key in keys:
            starts = [start_of(here, key, entry.player, entry.player.ratings, placed.start) for entry in field]
            updates += rate_section(here, key, field, starts)
    updates = _knowing_ages(placed, ready.players, updates)
    done = RatedSection(section, rules, here, field, tuple(updates))
    context = Context(done.rules, done.circumstances, done.section, done.field, done.updates)
    return [answer(section, update, context) for update in updates]


def _knowing_ages(placed: Placed, players: Mapping[int, int], updates: Sequence[Update]) -> list[Update]:
    """The updates, and of each whether the player still starts from where an age put the rating in an earlier event."""
    starts = AgeStarts(players.values())

    def marked(update: Update) -> Update:
        player, start = players[update.entry.number], update.start
        told = starts.tells(player, update.pool, start.rating, placed.position)
        return replace(update, start=replace(start, by_age=told))

    return [marked(update) for update in updates]


def _rules(placed: Placed, event: Event, section: Section, profile: str) -> Rules:
    day = deciding_date(event, section, profile) or placed.start
    book = rulebook(US_CHESS)
    return book.on(max(day, book.first) if placed.history else day, profile)
