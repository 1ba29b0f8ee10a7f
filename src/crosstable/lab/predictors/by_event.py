"""Any rating system as a predictor, one event at a time through `rate`: for systems without a loop over arrays, and
slow.
"""

from __future__ import annotations

from datetime import date

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.games import LabGames
from crosstable.lab.predictors.base import Predictor, Settings
from crosstable.lab.source import Source
from crosstable.model import Event, Game, Player, Rating, Section
from crosstable.replay.arrays import Floats
from crosstable.systems import RatingSystem, system

#: More games than this would take hours
MOST_GAMES = 200_000
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}

#: A game in which the first of two has White
WITH_WHITE = Game(1, 1, 2, "1-0")


def event_predictor(name: str) -> Predictor:
    chosen = system(name)

    def predict(source: Source, settings: Settings) -> Floats:  # noqa: ARG001 - every predictor is called alike
        if len(source.games) > MOST_GAMES:
            raise CrosstableError(
                f"{name} is rated event by event, and {len(source.games):,} games would take hours: "
                f"give a source of up to {MOST_GAMES:,}"
            )
        return _replayed(chosen, source.games)

    return Predictor(name, chosen.title, predict)


def _replayed(chosen: RatingSystem, games: LabGames) -> Floats:
    pool = chosen.pools[0]
    now: dict[int, Rating] = {}
    found = np.empty(len(games))
    starts = np.append(np.flatnonzero(np.diff(games.event, prepend=games.event[:1] - 1)), len(games))
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        day = date.fromordinal(int(games.day[first]))
        people = sorted({*games.one[first:last].tolist(), *games.two[first:last].tolist()})
        number = {person: place for place, person in enumerate(people, start=1)}
        states = {person: now.get(person) or chosen.start(Player(1, str(person)), day, pool) for person in people}
        played = []
        for game in range(first, last):
            one, two = int(games.one[game]), int(games.two[game])
            pairing = Game(
                int(games.round[game]) or game - first + 1, number[one], number[two], RESULTS[games.score[game]]
            )
            found[game] = chosen.expect(states[one], states[two], WITH_WHITE if games.white[game] else None)
            played.append(pairing)
        players = tuple(
            Player(number[person], str(person), ratings={pool: now[person]} if person in now else {})
            for person in people
        )
        section = Section(1, "", day, day, players, tuple(played), colors=bool(games.white[first:last].all()))
        for answer in chosen.rate(Event("", day, day, (section,))).answers:
            if answer.pool == pool:
                now[people[answer.number - 1]] = answer.state
    return found
