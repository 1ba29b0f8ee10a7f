"""Every game of a night with the ratings before and after it, told from the office's own results and ratings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from crosstable.club import clubs
from crosstable.club.evening import Place, games_of
from crosstable.club.models import Night, Season
from crosstable.club.sentences import RatedPlayer, Sentence, of_game
from crosstable.model import PLAYED_RESULTS, Event, Player
from crosstable.office.ledger import documents
from crosstable.office.ledger import models as ledger
from crosstable.office.ledger.for_the_record import rated_result
from crosstable.systems import RatingSystem
from crosstable.systems.st_charles import StCharles


class RatingChange(NamedTuple):
    """One side's rating, before and after."""

    before: float
    after: float

    @property
    def points(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class PlayedGame:
    date: date
    night: int
    round: int
    white: str  # number
    black: str
    result: str
    rated_as: str
    white_rating: RatingChange
    black_rating: RatingChange

    @property
    def place(self) -> Place:
        return self.round, self.white, self.black

    @property
    def score(self) -> float:
        """White's."""
        return PLAYED_RESULTS[self.result][0] / 2

    def score_of(self, number: str) -> float:
        return self.score if number == self.white else 1.0 - self.score

    def opponent_of(self, number: str) -> str:
        return self.black if number == self.white else self.white

    def rating_of(self, number: str) -> RatingChange:
        return self.white_rating if number == self.white else self.black_rating

    def sentence(self, white: str, black: str, system: RatingSystem) -> Sentence:
        return of_game(
            RatedPlayer(white, *self.white_rating), RatedPlayer(black, *self.black_rating), self.score, system
        )


def of_nights(nights: Iterable[Night]) -> list[PlayedGame]:
    """All games of these nights, in order."""
    wanted = sorted(nights, key=lambda night: (night.date, night.id))
    rows = ledger.Event.objects.filter(
        number__in=[night.event for night in wanted], status=ledger.Event.ACCEPTED
    ).values_list("number", "id")
    events = dict(rows)
    revisions = _documents(events.values())
    ratings = _ratings(events.values())
    system = clubs.system()
    found: list[PlayedGame] = []
    for night in wanted:
        if night.event in events:
            id = events[night.event]
            found += _of_night(night, documents.unpack(revisions[id], night.event), ratings.get(id, {}), system)
    return found


def of_season(season: Season) -> list[PlayedGame]:
    return of_nights(Night.objects.filter(season=season))


def _documents(events: Iterable[int]) -> dict[int, bytes]:
    """Event → the document in force."""
    rows = ledger.Revision.objects.filter(event_id__in=list(events)).order_by("number")
    latest = dict(rows.values_list("event_id", "id"))
    found = ledger.Revision.objects.filter(id__in=list(latest.values())).values_list("event_id", "document")
    return {event: bytes(document) for event, document in found}


def _ratings(events: Iterable[int]) -> dict[int, dict[str, RatingChange]]:
    """Event → player's number → rating before and after the night. A newcomer's is the start."""
    rows = ledger.RatingRow.objects.filter(section__event_id__in=list(events)).values_list(
        "section__event_id", "section__start", "player__number", "prior", "post"
    )
    system = clubs.system()
    found: dict[int, dict[str, RatingChange]] = {}
    for event, day, number, prior, post in rows:
        before = system.start(Player(0, ""), day).rating if prior is None else prior
        found.setdefault(event, {})[number] = RatingChange(before, post)
    return found


def _of_night(night: Night, event: Event, ratings: dict[str, RatingChange], system: RatingSystem) -> list[PlayedGame]:
    """St.

    Charles rates game by game; the other systems rate a night as a whole, so each game shows the night's change.
    """
    now = {number: change.before for number, change in ratings.items()}
    rules = system.rules(night.date) if isinstance(system, StCharles) else None
    found = []
    for (round, white, black), game in sorted(games_of(event).items(), key=lambda one: one[0][0]):
        rated_as = rated_result(game)
        if rated_as not in PLAYED_RESULTS or white not in ratings or black not in ratings:
            continue
        if isinstance(system, StCharles):
            score = PLAYED_RESULTS[rated_as][0] / 2
            mine, theirs = system.score(now[white], now[black], score, rules)
            changes = RatingChange(now[white], mine.post), RatingChange(now[black], theirs.post)
            now[white], now[black] = mine.post, theirs.post
        else:
            changes = ratings[white], ratings[black]
        found.append(PlayedGame(night.date, night.id, round, white, black, game.result, rated_as, *changes))
    return found
