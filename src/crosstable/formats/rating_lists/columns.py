"""The columns of lists that name them: what each is called, and which field it fills."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from crosstable.formats import encoding
from crosstable.formats.rating_lists.base import RATING_KEYS
from crosstable.systems.us_chess.pools import KEYS, MAIN, POOLS

#: Field → the columns that fill it. Names are compared in capitals, with `_` between words.
PLAYER: Mapping[str, tuple[str, ...]] = {
    "id": (
        "MEM_ID",
        "R_MEM_ID",
        "ID",
        "USCF_ID",
        "MEMBER_ID",
        "ID_NUMBER",
        "US_CHESS_ID",
        "USCFID",
        "MEMBER",
        "MEMBER_NUMBER",
        "MEM",
        "MEM_NUMBER",
        "USCF",
        "USCF_NUMBER",
    ),
    "name": ("MEM_NAME", "R_MEM_NAME", "NAME", "PLAYER", "PLAYER_NAME", "FULL_NAME"),
    "last_name": ("LAST_NAME", "LAST", "SURNAME", "LASTNAME"),
    "first_name": ("FIRST_NAME", "FIRST", "GIVEN_NAME", "FIRSTNAME"),
    "state": ("STATE", "R_STATE", "ST"),
    "country": ("FEDERATION", "COUNTRY", "FED"),
    "sex": ("GENDER", "SEX"),
    "title": ("TITLE",),
    "birth_year": ("BYEAR", "BIRTH_YEAR", "BIRTHYEAR"),
    "birth_date": ("BIRTH_DATE", "BIRTHDATE", "DATE_OF_BIRTH", "BORN", "DOB"),
    "expires": ("EXPIRED", "R_EXP_DATE", "EXPIRES", "EXPIRATION", "EXPIRATION_DATE", "EXP_DATE"),
    "fide_id": ("FIDE_ID", "FIDE_NUMBER"),
    "cfc_id": ("CFC_ID", "CFC_NUMBER"),
    "membership": ("MEMBERSHIP", "MEMBERSHIP_TYPE", "MEMBERSHIP_KIND", "MEMBER_TYPE", "MEM_TYPE"),
    "member_since": ("MEMBER_SINCE", "JOINED", "JOIN_DATE", "MEMBERSHIP_START"),
    "residence": ("RESIDENCE", "COUNTRY_OF_RESIDENCE", "RESIDES_IN"),
    "canadian_resident": ("CANADIAN_RESIDENT",),
    "prison": ("PRISON", "INMATE"),
}
#: Field of a pool's record → what its column is called, after the pool's name: OTBR_PEAK
RECORD: Mapping[str, tuple[str, ...]] = {
    "games": ("GAMES",),
    "date": ("DATE",),
    "floor": ("FLOOR",),
    "floor_rule": ("FLOOR_RULE",),
    "peak": ("PEAK", "HIGHEST"),
    "wins": ("WINS", "WON"),
    "draws": ("DRAWS", "DRAWN"),
    "losses": ("LOSSES", "LOST"),
    "assigned_games": ("ASSIGNED_GAMES",),
    "three_game_events": ("THREE_GAME_EVENTS",),
    "prize_floor": ("PRIZE_FLOOR", "MONEY_FLOOR"),
    "life_master": ("LIFE_MASTER",),
    "games_above_2200": ("GAMES_ABOVE_2200", "LIFE_MASTER_GAMES"),
    "ceiling": ("CEILING",),
    "lowered_floor": ("LOWERED_FLOOR",),
    "lowered_from": ("LOWERED_FROM",),
    "match_changes": ("MATCHES", "MATCH_CHANGES", "MATCH_HISTORY"),
}
#: Without a pool's name these belong to the main pool, like a rating without one
_OF_ONE_POOL = frozenset(RECORD) - {"date", "games", "floor_rule"}
_ONE_RATING = ("RATING", "RTG", "RATE", "USCF_RATING", "US_CHESS_RATING", "CURRENT_RATING", "OLD_RATING")
_ONE_COUNT = ("GAMES", "RATED_GAMES", "PRIOR_GAMES")
#: In lists that an office publishes: nothing that belongs to a record
_OF_PUBLISHED = ("CLASS", "ACTIVE", "CHANGE", "FLOOR_REASON", "FLWHY")
_PUBLISHED = frozenset(
    ("LIST", "LIST_HEAD", "AUDIT_HEAD", *(f"{key}_{what}" for key in RATING_KEYS for what in _OF_PUBLISHED))
)

#: What every reader of a list uses
PLAIN = frozenset(
    [
        "id",
        "name",
        "last_name",
        "first_name",
        "state",
        "country",
        "sex",
        "title",
        "birth_year",
        "birth_date",
        "expires",
        "fide_id",
        "rating",
        "games",
    ]
)
#: What a list can say about a player
EVERY = frozenset((*PLAIN, *PLAYER, *RECORD))


def column(name: str) -> str:
    """Return a column's name as it is compared: `CFC #` is CFC_NUMBER."""
    return re.sub(r"\W+", "_", encoding.clean(name).upper().replace("#", " NUMBER ")).strip("_")


@dataclass(frozen=True, slots=True)
class ListColumns:
    """The columns of one list, by what they fill. Where several fill one field, the first with a value counts."""

    player: Mapping[str, tuple[str, ...]]
    ratings: Mapping[str, tuple[str, ...]]  # pool → columns
    records: Mapping[str, Mapping[str, tuple[str, ...]]]  # pool → field → columns
    published: tuple[str, ...]  # of an office's own lists, and nothing of a record: a rating's class, the list's day
    unknown: tuple[str, ...]  # with a name that says nothing to us

    def unused(self, uses: Collection[str]) -> list[str]:
        """Return the columns that are understood and fill no field of these."""
        found = [name for field, names in self.player.items() if field not in uses for name in names]
        for fields in self.records.values():
            found += [name for field, names in fields.items() if field not in uses for name in names]
        return [*found, *self.published]

    @property
    def of_a_list(self) -> bool:
        """Whether they are a list's: an id, and a rating of a known pool or a membership.

        A rating of no pool, or a membership's last day, may also stand in a table of results, whose other columns are
        rounds or players: with them, every column must be known.
        """
        if "id" not in self.player:
            return False
        plain = {name for names in self.ratings.values() for name in names} - {*_ONE_RATING}
        if plain or "membership" in self.player:
            return True
        return not self.unknown and bool(self.ratings or "expires" in self.player)


@lru_cache(maxsize=64)
def columns_of(names: tuple[str, ...]) -> ListColumns:
    """Return what the columns of a list fill."""
    player = _held(names, PLAYER.items())
    ratings = _held(names, ((key, _rating_names(key)) for key in RATING_KEYS))
    records = {key: _held(names, _record_names(key)) for key in KEYS}
    records |= {key: _held(names, [("games", (f"{key}_GAMES",))]) for key in RATING_KEYS if key not in KEYS}
    fields = [player, ratings, *records.values()]
    read = {name for held in fields for some in held.values() for name in some}
    left = [name for name in names if name and name not in read]
    return ListColumns(
        player=player,
        ratings=ratings,
        records={key: held for key, held in records.items() if held},
        published=tuple(name for name in left if name in _PUBLISHED),
        unknown=tuple(name for name in left if name not in _PUBLISHED),
    )


def _rating_names(key: str) -> tuple[str, ...]:
    own = {pool.key: pool.fields for pool in POOLS}.get(key, ())
    return (key, *own, *(_ONE_RATING if key == MAIN else ()))


def _record_names(key: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    for field, names in RECORD.items():
        own = tuple(f"{key}_{name}" for name in names)
        bare = names if field in _OF_ONE_POOL else _ONE_COUNT if field == "games" else ()
        yield field, (*own, *(bare if key == MAIN else ()))


def _held(names: tuple[str, ...], fields: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    there = set(names)
    found = {field: tuple(name for name in known if name in there) for field, known in fields}
    return {field: some for field, some in found.items() if some}
