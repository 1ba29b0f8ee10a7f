"""A made-up school club: twenty children, a season of nights, and one tonight in its second round. The same for
everybody.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from crosstable.club import attendance, boards, children, clubs, evening, exchange, results
from crosstable.formats import guarded_tables
from crosstable.office.ledger.models import Player
from crosstable.office.people.rights import Actor
from crosstable.office.storage import clock
from crosstable.simulation.pairing import NO_OPPONENT, next_round
from crosstable.simulation.results import WHITE, half_points

SEED = 1996
PIN = "246810"
NAME = "Riverside School Chess Club"
CHILDREN = (
    "Ada",
    "Amir",
    "Bea",
    "Caleb",
    "Chloe",
    "Diego",
    "Elif",
    "Finn",
    "Grace",
    "Hana",
    "Ivan",
    "Jonah",
    "Kira",
    "Leo",
    "Maya",
    "Nora",
    "Omar",
    "Priya",
    "Quinn",
    "Sam",
)
#: A night a week, so many before tonight; a night has so many rounds; so many children come
NIGHTS, ROUNDS, COME = 10, 2, (14, 19)
RESULTS = ("0-1", "1/2-1/2", "1-0")  # by White's half points


@dataclass(frozen=True, slots=True)
class _Club:
    actor: Actor
    rng: random.Random
    strength: dict[str, float]

    def result(self, white: str, black: str) -> str:
        return RESULTS[half_points(self.rng, self.strength[white], self.strength[black], WHITE)]

    def come(self) -> list[str]:
        return self.rng.sample(CHILDREN, self.rng.randint(*COME))


def make(today: date) -> None:
    """Fill an empty, migrated database: the season up to the night before tonight."""
    club, first = _club(), today - timedelta(weeks=NIGHTS)
    with clock.set_to(_afternoon(first)):
        clubs.create(NAME, pin=PIN, day=first)
        children.join_all(club.actor, CHILDREN)
        siblings = [children.find(name) for name in ("Ada", "Amir")]
        children.keep_apart(*siblings)
    for week in range(NIGHTS):
        day = first + timedelta(weeks=week)
        with clock.set_to(_afternoon(day)):
            exchange.import_csv(club.actor, _night(club, day))


def hold_tonight() -> None:
    """Set up tonight, unless it has begun: all present have played one round, and the second is in progress."""
    if evening.today().pk is not None:
        return
    club, night = _club(), evening.tonight()
    attendance.here(club.actor, night, [children.find(name) for name in sorted(club.come())])
    for part in (1, 2):
        made = [board for board in boards.pair_free(club.actor, night) if board.black is not None]
        for board in made[: len(made) // part if part == 1 else 3]:
            white, black = _name(board.white), _name(board.black)
            results.enter(club.actor, board.id, club.result(white, black))


def _name(player: Player | None) -> str:
    return player.name if player else ""


def _club() -> _Club:
    rng = random.Random(SEED)  # noqa: S311  a made-up club is no secret
    return _Club(clubs.volunteer("Ms Rivera"), rng, {name: rng.gauss(500, 160) for name in CHILDREN})


def _afternoon(day: date) -> datetime:
    return datetime.combine(day, time(21), UTC)


def _night(club: _Club, day: date) -> bytes:
    """Return the games of a night as a club writes them down."""
    header = ("date", "round", "white", "black", "result")
    return guarded_tables.text([header, *((day.isoformat(), *row) for row in _games(club))]).encode()


def _games(club: _Club) -> Iterator[tuple[int, str, str, str]]:
    names = club.come()
    points, opponents = [0.0] * len(names), [[NO_OPPONENT] * ROUNDS for _ in names]
    seeds = [club.strength[name] for name in names]
    for number in range(ROUNDS):
        order = list(range(len(names)))
        next_round(order, points, seeds, opponents, halves=False)
        for one, other in zip(order[::2], order[1::2], strict=False):
            opponents[one][number], opponents[other][number] = other, one
            result = club.result(names[one], names[other])
            points[one] += RESULTS.index(result) / 2
            points[other] += 1 - RESULTS.index(result) / 2
            yield number + 1, names[one], names[other], result
