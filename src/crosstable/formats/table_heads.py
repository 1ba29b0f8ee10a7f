"""The head of a table: which column holds what, under the titles that people give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from crosstable.formats import encoding, file_ratings
from crosstable.systems.us_chess.pools import POOLS

#: Titles without full stops and colons at their ends, in small letters.
_NUMBERS = (
    "no", "nr", "plr", "plr#", "#", "num", "pair", "pair#", "pair #", "pair no", "pair num", "pair number", "seed",
    "pairing number", "pairing #", "number", "pairing no", "player #", "player no", "player number", "sno", "snr",
    "start no",
)  # fmt: skip
#: Where nobody has a pairing number the cells of the rounds name places, as on chess-results.com.
_PLACES = ("rk", "rank", "place", "pl", "pos", "standing")
_NAMES = ("name", "player", "player name", "players", "name/rating/id", "full name", "last name, first name")
_LAST_NAMES = ("last name", "last", "surname", "lastname")
_FIRST_NAMES = ("first name", "first", "given name", "firstname")
_IDS = (
    "id", "uscf id", "us chess id", "uschess id", "uscfid", "id#", "id #", "mem id", "member id", "memid", "mem #",
    "mem#", "mem", "mem no", "member #", "member no", "member number", "membership id", "membership #", "fide id",
    "fideid", "uscf #", "uscf#", "uscf no", "uscf number", "us chess #", "us chess no", "id no", "id number",
)  # fmt: skip
#: An id or a rating, or whether somebody is a member: the column's content tells.
_ID_OR_RATING = ("uscf", "us chess", "uschess")
_ID_OR_YES = ("member", "membership")
_RATINGS = (
    "rating", "rtg", "rtng", "rate", "rat", "rating1", "rtng1", "rtg1", "pre", "pre-rating", "pre rating", "pre rtg",
    "uscf rating", "us chess rating", "uscf rtg", "uscf rtng", "rating (pre)", "old rating", "old rtg", "old", "prior",
    "prior rating", "current rating", "start rating", "pre-event rating", "prerating", "rating before", "ratings",
)  # fmt: skip
#: Titles that name a pool. Swiss-Manager's I is for international.
_NAMED_RATINGS: Mapping[str, tuple[str, ...]] = {
    **{pool.key: (*(name.lower().replace("_", " ") for name in pool.fields), *pool.headings) for pool in POOLS},
    "FIDE": ("rtgi", "fide rating", "fide rtg", "fide rtng"),
}
_KEYS_OF_TITLES = {title: key for key, titles in _NAMED_RATINGS.items() for title in titles}
_STATES = ("state", "st")
_TOTALS = ("total", "tot", "score", "pts", "points", "tot pts", "total pts", "total score")
_BORN = ("born", "birth date", "birthdate", "date of birth", "dob", "birthday", "b-day")
_ADULTS = ("adult", "adult?")
_PRIOR_GAMES = ("prior games", "games before", "rated games", "previous games", "prev games", "pre games")
_ROUND = re.compile(
    r"(?:rnd|rd|round|rounds|r|game|gm|#)\s*[.#]?\s*(\d{1,3})|(\d{1,3})\s*(?:\.|st|nd|rd|th)?\s*(?:rnd|rd|round)"
)
_BARE = re.compile(r"[1-9]\d?")
_GAMES = re.compile(r"(\w+) games")
RATING_KEYS = (*file_ratings.KEY_LETTERS, "FIDE", "ELO", "CLUB", "USCF")


@dataclass(slots=True)
class Columns:
    """The places of the columns that we read."""

    number: int | None = None
    name: int | None = None
    first_name: int | None = None
    id: int | None = None
    state: int | None = None
    total: int | None = None
    rating: int | None = None
    born: int | None = None
    adult: int | None = None
    prior_games: int | None = None  # of the rating that names no pool
    id_or_rating: int | None = None  # until `settle` has seen the content
    id_or_yes: int | None = None
    ratings: dict[str, int] = field(default_factory=dict)
    games: dict[str, int] = field(default_factory=dict)
    rounds: list[int] = field(default_factory=list)

    def read(self) -> set[int]:
        single = (
            self.number, self.name, self.first_name, self.id, self.state, self.total, self.rating, self.born,
            self.adult, self.prior_games, self.id_or_rating,
        )  # fmt: skip
        return {place for place in single if place is not None} | {
            *self.ratings.values(), *self.games.values(), *self.rounds,
        }  # fmt: skip


def _title(cell: str) -> str:
    return encoding.clean(cell.replace("_", " ")).lower().rstrip(".: ")


def rounds_of(titles: Sequence[str]) -> list[int]:
    """The columns of the rounds, in order: `Rnd 1`, `Rd 1`, `Game 1`, `#1`, `1.Rd`, or bare 1, 2, 3."""
    found: dict[int, int] = {}
    for place, title in enumerate(titles):
        if match := _ROUND.fullmatch(title):
            found.setdefault(int(match[1] or match[2]), place)
    if not found:
        bare = [(int(title), place) for place, title in enumerate(titles) if _BARE.fullmatch(title)]
        if [number for number, _ in bare] == list(range(1, len(bare) + 1)):
            found = dict(bare)
    return [found[number] for number in sorted(found)]


def has_rounds(cells: Iterable[str]) -> bool:
    return bool(rounds_of([_title(cell) for cell in cells]))


def header(row: Sequence[str]) -> Columns | None:
    """The columns, if this is the head of a crosstable: pairing numbers and names or rounds, or names and rounds."""
    titles = [_title(cell) for cell in row]

    def first(known: Sequence[str]) -> int | None:
        return next((place for place, title in enumerate(titles) if title in known), None)

    number, name = first(_NUMBERS), first(_NAMES)
    first_name = None
    if name is None and (name := first(_LAST_NAMES)) is not None:
        first_name = first(_FIRST_NAMES)
    rounds = rounds_of(titles)
    if rounds and number is None:
        number = first(_PLACES)
    worded = any(_ROUND.fullmatch(title) for title in titles)
    if number is None and (name is None or not rounds or (not worded and len(rounds) < 2)):
        return None
    if number is not None and name is None and not worded:
        return None
    columns = Columns(number, name, first_name, first(_IDS), first(_STATES), first(_TOTALS), first(_RATINGS))
    columns.born, columns.adult, columns.prior_games = first(_BORN), first(_ADULTS), first(_PRIOR_GAMES)
    columns.id_or_rating, columns.id_or_yes, columns.rounds = first(_ID_OR_RATING), first(_ID_OR_YES), rounds
    for place, title in enumerate(titles):
        if place == columns.id_or_rating:
            continue
        if title.upper() in RATING_KEYS:
            columns.ratings.setdefault(title.upper(), place)
        elif title in _KEYS_OF_TITLES:
            columns.ratings.setdefault(_KEYS_OF_TITLES[title], place)
        elif (match := _GAMES.fullmatch(title)) and match[1].upper() in RATING_KEYS:
            columns.games.setdefault(match[1].upper(), place)
    return columns


def settle(columns: Columns, rows: Sequence[Sequence[str]]) -> None:
    """Say what the columns are whose titles leave it open, by what stands in them: eight digits are an id."""

    def are_ids(place: int) -> bool:
        cells = [encoding.clean(row[place]) for row in rows if place < len(row) and row[place].strip()]
        return bool(cells) and 2 * sum(bool(re.fullmatch(r"\d{6,9}", cell)) for cell in cells) > len(cells)

    place = columns.id_or_rating
    if place is not None:
        columns.id_or_rating = None
        if "USCF" in columns.games:  # as we write it: the ratings of the old USCF system
            columns.ratings["USCF"] = place
        elif columns.id is None and are_ids(place):
            columns.id = place
        elif columns.rating is None:
            columns.rating = place
        else:
            columns.ratings["USCF"] = place
    if columns.id is None and columns.id_or_yes is not None and are_ids(columns.id_or_yes):
        columns.id = columns.id_or_yes
