"""A player of the ledger as of another age: what a preview and a what-if rate instead of the stored facts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date

from crosstable.model import Player, Rating
from crosstable.systems import RatingSystem


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
