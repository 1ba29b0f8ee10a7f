"""Holds the kernel and the plain path against each other: random events, and every number of every update."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from crosstable.formats import event_json
from crosstable.model import Event, Rating, errors
from crosstable.replay.from_event import history_of_events, in_rating_order
from crosstable.replay.state import record_of
from crosstable.replay.us_chess import FLOOR_REQUEST, FLOORED, RATED, SPECIAL, Replayed, replay
from crosstable.systems import structure
from crosstable.systems.us_chess import validity
from crosstable.systems.us_chess.event import RatedSection, rate_sections
from crosstable.systems.us_chess.formulas import round_half_up
from crosstable.systems.us_chess.update import PlayerUpdate
from tests.oracle.events import random_event

TOLERANCE = 1e-9


def random_events(seed: int, count: int, profile: str) -> Iterator[Event]:
    """Ratable events: what the rules refuse (a match of the unrated, a pool that does not exist yet) is drawn again."""
    random = Random(seed)
    while count:
        document = random_event(random)
        if random.random() < 0.2:
            _forget_dates(document["sections"], random)
        event = event_json.read(json.dumps(document).encode()).event
        if event is None or errors(structure.problems(event)) or errors(validity.problems(event, profile)):
            continue
        yield event
        count -= 1


def _forget_dates(sections: list[dict[str, object]], random: Random) -> None:
    """Some ratings carry no date; a person's records stay the same in all sections."""
    lost = random.random()
    for section in sections:
        for player in section["players"]:
            if int(player["id"]) % 10 < 10 * lost:
                for record in [*player["ratings"].values(), player.get("fide", {}), player.get("cfc", {})]:
                    record.pop("date", None)


def compare(events: Sequence[Event], profile: str) -> int:
    """Replays all events as one history and compares every row and state with the plain path; how many there were."""
    events = in_rating_order(apart(events))
    history, states = history_of_events(events, profile)
    replayed = replay(history, states, profile=profile, keep_states=True)
    section = compared = 0
    for event in events:
        for rated in rate_sections(event, profile):
            compared += compare_section(replayed, section, rated)
            section += 1
    assert section == len(history.sections)
    return compared


def apart(events: Sequence[Event]) -> Iterator[Event]:
    """The same events with nobody in two of them: the plain path rates each from the ratings that it brings."""
    for place, event in enumerate(events):
        sections = [
            replace(section, players=tuple(replace(one, id=f"{place}/{one.id}") for one in section.players))
            for section in event.sections
        ]
        yield replace(event, sections=tuple(sections))


def compare_section(replayed: Replayed, section: int, rated: RatedSection) -> int:
    place = int(replayed.row_start[section])
    last = int(replayed.row_start[section + 1])
    if rated.section.kind == "fide":
        updates = {update.entry.number: update for update in rated.updates}
        for position, entry in enumerate(rated.field):
            row = replayed.rows[place + position]
            assert (row["post"] == row["post"]) == (entry.number in updates)
            if entry.number in updates:
                compare_update(replayed, place + position, updates[entry.number])
        return len(updates)
    assert last - place == len(rated.updates)
    for position, update in enumerate(rated.updates):
        compare_update(replayed, place + position, update)
    return len(rated.updates)


def compare_update(replayed: Replayed, place: int, update: PlayerUpdate) -> None:
    row = replayed.rows[place]
    assert abs(row["prior"] - update.start.rating) <= TOLERANCE
    assert abs(row["post"] - update.post) <= TOLERANCE
    assert int(round_half_up(row["post"])) == update.published
    assert (row["prior_games"], row["post_games"]) == (update.start.games, update.post_games)
    assert (None if row["source"] == RATED else row["source"]) == update.start.source
    assert bool(row["flags"] & SPECIAL) == update.steps.special
    assert bool(row["flags"] & FLOORED) == (update.limited < update.floor)
    assert bool(row["flags"] & FLOOR_REQUEST) == (update.floor_request is not None)
    assert replayed.row_states is not None
    state = record_of(replayed.row_states[place], replayed.states.matches)
    assert state is not None
    assert _rounded(state) == _rounded(update.state)


def _rounded(state: Rating) -> tuple[object, ...]:
    """Every field of a record, numbers to nine places."""
    numbers = [state.rating, state.peak, state.prize_floor, state.ceiling, state.lowered_floor, state.lowered_from]
    numbers += [match.change for match in state.match_changes]
    return (
        *(None if number is None else round(number, 8) + 0.0 for number in numbers),
        state.games,
        state.date,
        state.wins,
        state.draws,
        state.losses,
        state.assigned_games,
        state.three_game_events,
        state.games_above_2200,
        state.life_master,
        tuple(match.date for match in state.match_changes),
    )
