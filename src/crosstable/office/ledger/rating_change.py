"""The change of a rating, wherever something has one before and one after."""

from __future__ import annotations

from dataclasses import dataclass


class WithChange:
    """A record with `before` and `after`; what was unrated, or is, has not changed by any number."""

    __slots__ = ()
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class Numbers(WithChange):
    """A rating in one pool with its games, before and after; nothing where there is none, or it is not shown."""

    pool: str
    before: float | None = None
    before_games: int | None = None
    after: float | None = None
    after_games: int | None = None
    hidden: bool = False  # there is a rating after, which is not shown: it would depend on an age


@dataclass(frozen=True, slots=True)
class PlayersChange(WithChange):
    """One player's rating in one pool, before and after an act of the office."""

    player: str
    name: str
    pool: str
    before: float | None
    after: float | None
    since: str  # the first event in which something changes, or the day of a decision
    reason: str
