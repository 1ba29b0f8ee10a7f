"""Event documents as a history: players are carried from event to event by their ids, as an office carries them.

A player's first event opens the record with the ratings that it brings. Later events start from what the ones before
left, whatever ratings they bring themselves; FIDE and CFC ratings count from their own dates. A player without an id is
no player that another event could know.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np

from crosstable.model import KINDS, Event, Player, Rating, Section
from crosstable.replay.history import FOREIGN, FULL, HALF, NO_POOL, SECTION, Array, History, HistoryError, new_players
from crosstable.replay.state import States, states_of
from crosstable.rulebook import AS_WRITTEN, Rules
from crosstable.systems.field import person
from crosstable.systems.us_chess.classification import dual_rated
from crosstable.systems.us_chess.entries import SectionEntry, entries_of, with_event_ratings
from crosstable.systems.us_chess.fide_events import not_asked_for_by, not_standard
from crosstable.systems.us_chess.initial import CFC, FIDE
from crosstable.systems.us_chess.pools import KEYS
from crosstable.systems.us_chess.validity import section_rules


@dataclass(slots=True)
class _Builder:
    """Columns that grow section by section."""

    profile: str
    sections: list[tuple[Any, ...]] = field(default_factory=list)
    entry_start: list[int] = field(default_factory=lambda: [0])
    entry_player: list[int] = field(default_factory=list)
    entry_counts: list[bool] = field(default_factory=list)
    game_start: list[int] = field(default_factory=lambda: [0])
    opponent: list[int] = field(default_factory=list)
    half_points: list[int] = field(default_factory=list)
    people: dict[str, tuple[int, Player]] = field(default_factory=dict)
    entered: dict[tuple[int, str], Player] = field(default_factory=dict)
    foreign: list[tuple[float, int, int, int]] = field(default_factory=list)
    records: list[tuple[int, int, Rating]] = field(default_factory=list)

    def event(self, place: int, event: Event) -> None:
        for section in sorted(event.sections, key=lambda section: (section.end or date.max, section.number)):
            rules, pools, problems = section_rules(event, section, self.profile)
            if rules is None or not pools:
                raise HistoryError(f"event '{event.name}', section {section.number}: {'; '.join(map(str, problems))}")
            self.section(place, event, section, rules, pools)

    def section(self, place: int, event: Event, section: Section, rules: Rules, pools: tuple[str, ...]) -> None:
        if section.start is None or section.end is None or event.end is None:
            raise HistoryError(f"event '{event.name}', section {section.number}: start or end date is missing")
        self.sections.append(
            (
                section.start.toordinal(),
                section.end.toordinal(),
                event.end.toordinal(),
                KEYS.index(pools[0]),
                KEYS.index(pools[1]) if len(pools) == 2 else NO_POOL,
                KINDS.index(section.kind),
                HALF if section.weight == "half" else FULL,
                section.youth,
                dual_rated(rules, section.mode, section.time_control, pools),
            )
        )
        standard = section.kind != "fide" or not_standard(rules, section) is None
        for entry in entries_of(with_event_ratings(event, section)):
            self.entry((place, section.number), event.start or section.start, rules, entry, standard)
        self.entry_start.append(len(self.entry_player))

    def entry(self, place: tuple[int, int], undated: date, rules: Rules, entry: SectionEntry, standard: bool) -> None:
        self.entry_player.append(self.player(*place, entry.player, undated))
        self.entry_counts.append(standard and not_asked_for_by(rules, entry.player) is None)
        self.opponent += entry.opponents
        self.half_points += entry.half_points
        self.game_start.append(len(self.opponent))

    def player(self, place: int, section: int, player: Player, undated: date) -> int:
        """Return the person's number; within an event a second section must bring the same ratings, for it starts
        from the first.

        Without an id no player is known from another section.
        """
        who = player.id or f"{place}/{section}/{person(player)}"
        if (place, who) not in self.entered:
            self.entered[place, who] = player
            self.meet(who, player, undated)
        elif _identity(self.entered[place, who]) != _identity(player):
            raise HistoryError(f"player {player.id or player.number}: two sections of one event have different records")
        return self.people[who][0]

    def meet(self, who: str, player: Player, undated: date) -> None:
        """Enter a player at a new event: a newcomer's record opens, and what was not known of the others is noted."""
        if who in self.people:
            number, before = self.people[who]
            self.people[who] = number, _completed(before, player)
        else:
            number = len(self.people)
            self.people[who] = number, player
            for name, record in player.ratings.items():
                if name in KEYS:
                    self.records.append((number, KEYS.index(name), replace(record, date=record.date or undated)))
        for source, rating in ((FIDE, player.fide), (CFC, player.cfc)):
            if rating is not None:
                self.foreign.append((rating.rating, number, (rating.date or undated).toordinal(), source))

    def history(self) -> History:
        return History(
            sections=np.array(self.sections, SECTION),
            entry_start=np.array(self.entry_start, np.int64),
            entry_player=np.array(self.entry_player, np.int32),
            entry_counts=np.array(self.entry_counts, np.bool_),
            game_start=np.array(self.game_start, np.int64),
            opponent=np.array(self.opponent, np.int32),
            half_points=np.array(self.half_points, np.int8),
            players=self.players(),
            ids=list(self.people),
            foreign=np.sort(np.array(self.foreign, FOREIGN), order=["player", "day"]),
        ).checked()

    def players(self) -> Array:
        players = new_players(len(self.people))
        for number, player in self.people.values():
            if player.foreign_rating is not None:
                players["foreign_rating"][number] = player.foreign_rating
            players["birth_day"][number] = player.birth_date.toordinal() if player.birth_date else 0
            players["adult"][number] = player.adult
            players["canadian"][number] = player.canadian_resident
        return players


def history_of_events(events: Iterable[Event], profile: str = AS_WRITTEN) -> tuple[History, States]:
    """One history of all events, by end date and then start date (readings 14), and the ratings that players
    come with.
    """
    builder = _Builder(profile)
    for place, event in enumerate(in_rating_order(events)):
        builder.event(place, event)
    history = builder.history()
    return history, states_of(len(history.players), builder.records)


def in_rating_order(events: Iterable[Event]) -> list[Event]:
    """By end date, then start date; events of the same days in the order given."""
    return sorted(events, key=lambda event: (event.end or date.max, event.start or date.max))


def _completed(known: Player, player: Player) -> Player:
    """Return what is known of a player, with what a later event adds."""
    return replace(
        known,
        birth_date=known.birth_date or player.birth_date,
        adult=known.adult or player.adult,
        canadian_resident=known.canadian_resident or player.canadian_resident,
        foreign_rating=player.foreign_rating if known.foreign_rating is None else known.foreign_rating,
    )


def _identity(player: Player) -> Player:
    """Return what must not differ between the sections of an event."""
    return replace(player, number=0, name="", notes={}, member=True, usa_flag=False, fide_opt_in=False)
