"""The head of a table: which column holds what, under the titles that people give them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from crosstable.formats import codes, encoding, file_ratings, table_cells
from crosstable.formats.given import first_name_first
from crosstable.model import Finding, Place
from crosstable.systems.us_chess.pools import POOLS

#: Titles without full stops and colons at their ends, in small letters.
_NUMBERS = (
    "no",
    "nr",
    "plr",
    "plr#",
    "#",
    "num",
    "pair",
    "pair#",
    "pair #",
    "pair no",
    "pair num",
    "pair number",
    "seed",
    "pairing number",
    "pairing #",
    "number",
    "pairing no",
    "player #",
    "player no",
    "player number",
    "sno",
    "snr",
    "start no",
    "startnr",
    "nº",
    "n°",
    "start #",
    "start number",
    "starting number",
    "starting no",
)
#: Where no one has a pairing number the cells of the rounds name places, as on chess-results.com.
_PLACES = ("rk", "rank", "place", "pl", "pos", "standing", "rg", "rang", "platz", "position")
_NAMES = (
    "name",
    "player",
    "player name",
    "players",
    "name/rating/id",
    "full name",
    "last name, first name",
    "last, first",
    "participant",
    "participants",
    "competitor",
    "student",
    "student name",
    "entrant",
    "spieler",
    "teilnehmer",
    "nom",
    "nombre",
    "naam",
    "nome",
    "joueur",
    "jugador",
)
#: `Name / Rating / ID`, `Player (rating)`: one cell for all of it.
_NAME_AND_MORE = re.compile(
    r"(?:player|name|player name|full name)\s*[/,&+(]\s*(?:uscf |us chess )?(?:rating|rtg|rtng|id)#?"
    r"(?:\s*[/,&+]\s*(?:uscf |us chess )?(?:rating|rtg|rtng|id)#?)?\)?"
)
_LAST_NAMES = ("last name", "last", "surname", "lastname")
_FIRST_NAMES = ("first name", "first", "given name", "firstname")
IDS = (
    "id",
    "uscf id",
    "us chess id",
    "uschess id",
    "uscfid",
    "id#",
    "id #",
    "mem id",
    "member id",
    "memid",
    "mem #",
    "mem#",
    "mem",
    "mem no",
    "member #",
    "member no",
    "member number",
    "membership id",
    "membership #",
    "fide id",
    "fideid",
    "uscf #",
    "uscf#",
    "uscf no",
    "uscf number",
    "us chess #",
    "us chess no",
    "id no",
    "id number",
    "uscf member id",
    "us chess member id",
    "uscf mem id",
    "member id #",
    "membership number",
    "uscf id #",
    "loc id",
)
#: An id or a rating, or whether someone is a member: the column's content tells.
ID_OR_RATING = ("uscf", "us chess", "uschess")
_ID_OR_YES = ("member", "membership")
RATINGS = (
    "rating",
    "rtg",
    "rtng",
    "rate",
    "rat",
    "rating1",
    "rtng1",
    "rtg1",
    "pre",
    "pre-rating",
    "pre rating",
    "pre rtg",
    "uscf rating",
    "us chess rating",
    "uscf rtg",
    "uscf rtng",
    "rating (pre)",
    "old rating",
    "old rtg",
    "old",
    "prior",
    "prior rating",
    "current rating",
    "start rating",
    "pre-event rating",
    "prerating",
    "rating before",
    "ratings",
    "pre-tournament rating",
    "tournament rating",
    "seed rating",
    "entry rating",
    "start rtg",
    "rating at start",
)
#: Titles that name a pool. Swiss-Manager's I is for international.
_NAMED_RATINGS: Mapping[str, tuple[str, ...]] = {
    **{pool.key: (*(name.lower().replace("_", " ") for name in pool.fields), *pool.headings) for pool in POOLS},
    "ELO": ("dwz", "twz", "nwz"),  # of the German federation
    "FIDE": ("rtgi", "elo fide", "fide elo", "fide rating", "fide rtg", "fide rtng"),
}
_KEYS_OF_TITLES = {title: key for key, titles in _NAMED_RATINGS.items() for title in titles}
#: SwissPerfect's local rating, beside which `Rtg` is the international one.
_LOCAL_RATINGS = ("loc",)
_STATES = ("state", "st")
_TOTALS = (
    "total",
    "tot",
    "score",
    "pts",
    "points",
    "tot pts",
    "total pts",
    "total score",
    "total points",
    "final score",
    "final",
    "pkt",
    "punkte",
    "pkte",
    "sum",
    "totaal",
    "puntos",
    "ptos",
    "punti",
)
_SECTIONS = ("section", "division", "group", "sect", "section name")
_BORN = ("born", "birth date", "birthdate", "date of birth", "dob", "birthday", "b-day")
_ADULTS = ("adult", "adult?")
_PRIOR_GAMES = ("prior games", "games before", "rated games", "previous games", "prev games", "pre games")
_ROUND = re.compile(
    r"(?:rnd|rd|round|rounds|r|game|gm|week|wk|night|ronde|runde|ronda|turno|#)\s*+[.#]?+\s*+(\d{1,3})"
    r"|(\d{1,3})\s*+(?:\.|st|nd|rd|th)?\s*+(?:rnd|rd|round)"
    r"|(\d{1,3})(?:st|nd|rd|th)"
)
_COUNTED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ROUND_IN_WORDS = re.compile(rf"((?:rnd|rd|round|game)\s+)({'|'.join(_COUNTED)})")
#: `Round 1 (Sat 10am)`, `Rd 2 - Sunday`; not what stands beside a result.
_ROUND_WITH_WORDS = re.compile(
    r"(?:rnd|rd|round)\s*+[.#]?+\s*+(\d{1,3})\b(?!.*\b(?:rating|rtg|board|bd|total|score after)\b).*"
)
#: Two or three columns a round: `Rd 1 Opp`, `Rd 1 Res`, `Rd 1 Color`, also `Opp 1`, `Result 1`.
_PART = re.compile(
    r"(?:(?:rnd|rd|round|r)\s*+[.#]?+\s*+(\d{1,3})\s*+[-:]?+\s*+)?"
    r"(?:(opp|opponent|opp no|opp #|vs)|(res|result|score|pts|points|w/l/d|wld)"
    r"|(color|colour|col|clr))\s*+[.#]?+\s*+(\d{1,3})?"
)
_BARE = re.compile(r"[1-9]\d?")
_GAMES = re.compile(r"(\w+) games")
RATING_KEYS = (*file_ratings.KEY_LETTERS, "FIDE", "ELO", "CLUB", "USCF")


@dataclass(slots=True)
class ColumnPlaces:
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
    section: int | None = None
    ratings: dict[str, int] = field(default_factory=dict)
    games: dict[str, int] = field(default_factory=dict)
    rounds: list[int] = field(default_factory=list)
    results: dict[int, int] = field(default_factory=dict)  # of a round's opponents: where the results stand
    colors: dict[int, int] = field(default_factory=dict)  # and the colours

    def read(self) -> set[int]:
        single = (
            self.number,
            self.name,
            self.first_name,
            self.id,
            self.state,
            self.total,
            self.rating,
            self.born,
            self.adult,
            self.prior_games,
            self.id_or_rating,
            self.section,
        )
        return {place for place in single if place is not None} | {
            *self.ratings.values(),
            *self.games.values(),
            *self.rounds,
            *self.results.values(),
            *self.colors.values(),
        }


def plain_title(cell: str) -> str:
    """`Reg. Rating` as `reg rating`."""
    return encoding.clean(re.sub(r"_|(?<=[A-Za-z])\.(?=\s)", " ", cell)).lower().rstrip(".: ")


def _title(cell: str) -> str:
    """Return a plain title, and `Player (club)` as `player`; a round keeps what stands in its brackets."""
    text = plain_title(cell)
    if words := _ROUND_IN_WORDS.fullmatch(text):
        return f"{words[1]}{_COUNTED.index(words[2])}"
    if _NAME_AND_MORE.fullmatch(text):
        return "name/rating/id"
    short = re.sub(r"\s?\([^()]*\)$", "", text)
    return short if short in (*_NAMES, *_NUMBERS, *IDS, *_LAST_NAMES, *_FIRST_NAMES, *RATINGS) else text


def rounds_of(titles: Sequence[str]) -> list[int]:
    """Return the columns of the rounds, in order: `Rnd 1`, `Rd 1`, `Game 1`, `#1`, `1.Rd`, or bare 1, 2, 3."""
    found: dict[int, int] = {}
    for place, title in enumerate(titles):
        if match := _ROUND.fullmatch(title):
            found.setdefault(int(match[1] or match[2] or match[3]), place)
    if not found:
        for place, title in enumerate(titles):
            if (match := _ROUND_WITH_WORDS.fullmatch(title)) and not _PART.fullmatch(title):
                found.setdefault(int(match[1]), place)
    if not found:  # `Round 1 result`, where the opponent stands in the same cell
        parts = ((place, _PART.fullmatch(title)) for place, title in enumerate(titles))
        found = {int(part[1]): place for place, part in parts if part and part[1] and part[3]}
    if not found:
        bare = [(int(title), place) for place, title in enumerate(titles) if _BARE.fullmatch(title)]
        if [number for number, _ in bare] == list(range(1, len(bare) + 1)):
            found = dict(bare)
    return [found[number] for number in sorted(found)]


def parts_of(titles: Sequence[str]) -> list[tuple[int, int, int | None]]:
    """Where opponent, result and colour of each round stand, if the table has columns of their own for them."""
    found: dict[int, list[int | None]] = {}
    for place, title in enumerate(titles):
        match = _PART.fullmatch(title)
        number = int(match[1] or match[5] or 0) if match else 0
        if match and number:
            kind = 0 if match[2] else 1 if match[3] else 2
            found.setdefault(number, [None, None, None])[kind] = place
    whole = [(opponent, result, color) for _, (opponent, result, color) in sorted(found.items())]
    return [(o, r, c) for o, r, c in whole if o is not None and r is not None]


def has_rounds(cells: Iterable[str]) -> bool:
    titles = [_title(cell) for cell in cells]
    return bool(rounds_of(titles) or parts_of(titles))


def titles_a_name(words: Iterable[str]) -> bool:
    """Whether one of the words is the title of a column of names: a quick look at a line that may be a head."""
    return any(word.lower().strip(".:") in _NAMES for word in words)


def header(row: Sequence[str]) -> ColumnPlaces | None:
    """Return the columns, if this is the head of a crosstable: pairing numbers and names or rounds,
    or names and rounds.
    """
    titles = [_title(cell) for cell in row]

    def first(known: Sequence[str]) -> int | None:
        return next((place for place, title in enumerate(titles) if title in known), None)

    number, name = first(_NUMBERS), first(_NAMES)
    first_name = None
    if name is None and (name := first(_LAST_NAMES)) is not None:
        first_name = first(_FIRST_NAMES)
    parts = parts_of(titles)
    rounds = [opponent for opponent, _, _ in parts] or rounds_of(titles)
    if rounds and number is None:
        number = first(_PLACES)
    worded = bool(parts) or any(_ROUND.fullmatch(title) or _ROUND_WITH_WORDS.fullmatch(title) for title in titles)
    if number is None and (name is None or not rounds or (not worded and len(rounds) < 2)):
        return None
    if number is not None and name is None and not worded:
        return None
    columns = ColumnPlaces(
        number=number,
        name=name,
        first_name=first_name,
        id=first(IDS),
        state=first(_STATES),
        total=first(_TOTALS),
        rating=first(RATINGS),
    )
    columns.born, columns.adult, columns.prior_games = first(_BORN), first(_ADULTS), first(_PRIOR_GAMES)
    columns.id_or_rating, columns.id_or_yes, columns.rounds = first(ID_OR_RATING), first(_ID_OR_YES), rounds
    columns.section = first(_SECTIONS)
    columns.results = {opponent: result for opponent, result, _ in parts}
    columns.colors = {opponent: color for opponent, _, color in parts if color is not None}
    if (local := first(_LOCAL_RATINGS)) is not None:
        if columns.rating is not None:
            columns.ratings["FIDE"] = columns.rating
        columns.rating = local
    for place, title in enumerate(titles):
        if place == columns.id_or_rating:
            continue
        if pool := pool_of(title):
            columns.ratings.setdefault(pool, place)
        elif (match := _GAMES.fullmatch(title)) and match[1].upper() in RATING_KEYS:
            columns.games.setdefault(match[1].upper(), place)
    return columns


def pool_of(title: str) -> str | None:
    """Return the ratings that a title names: `quick`, `fide rating`, `elo`."""
    return title.upper() if title.upper() in RATING_KEYS else _KEYS_OF_TITLES.get(title)


def are_ids(rows: Sequence[Sequence[str]], place: int) -> bool:
    """Whether most of a column's cells have the digits of an id."""
    cells = [encoding.clean(row[place]) for row in rows if place < len(row) and row[place].strip()]
    return bool(cells) and 2 * sum(bool(re.fullmatch(r"\d{6,9}", cell)) for cell in cells) > len(cells)


def say_ignored(
    titles: Sequence[str], read: Collection[int], rows: Sequence[Sequence[str]], where: Place
) -> Iterator[Finding]:
    """Columns with a title and content that no one reads."""
    unread = [
        (place, title) for place, cell in enumerate(titles) if place not in read and (title := encoding.clean(cell))
    ]
    named = [repr(title[:40]) for place, title in unread if any(row[place].strip() for row in rows if place < len(row))]
    if named:
        words = "the column is not used:" if len(named) == 1 else "these columns are not used:"
        yield codes.COLUMN_IGNORED.at(where, f"{words} {', '.join(named[:20])}")


def settle(columns: ColumnPlaces, rows: Sequence[Sequence[str]]) -> None:
    """Say what the columns are whose titles leave it open, by what stands in them: eight digits are an id."""
    club = columns.ratings.get("CLUB")
    if club is not None and not any(re.match(r"\s*\d", row[club]) for row in rows if club < len(row)):
        del columns.ratings["CLUB"]  # what the players' clubs are called
    place = columns.id_or_rating
    if place is not None:
        columns.id_or_rating = None
        if "USCF" in columns.games:  # as we write it: the ratings of the old USCF system
            columns.ratings["USCF"] = place
        elif columns.id is None and are_ids(rows, place):
            columns.id = place
        elif columns.rating is None:
            columns.rating = place
        else:
            columns.ratings["USCF"] = place
    if columns.id is None and columns.id_or_yes is not None and are_ids(rows, columns.id_or_yes):
        columns.id = columns.id_or_yes


def names_apart(columns: ColumnPlaces, titles: Sequence[str], rows: Sequence[list[str]]) -> None:
    """Where no column holds ratings: those that stand behind the names, `Grace Whitfield (1850)`, get one of
    their own.
    """
    place = columns.name
    if place is None or columns.first_name is not None or columns.rating is not None or columns.ratings:
        return
    together = place < len(titles) and _title(titles[place]) == "name/rating/id"
    split = table_cells.name_rating_id if together else lambda text: (*table_cells.rated_name(text), "")
    parts = [split(encoding.clean(row[place])) if place < len(row) else ("", "", "") for row in rows]
    if not any(rating for _, rating, _ in parts):
        return
    width = max(map(len, rows))
    columns.rating = width
    if any(id_ for _, _, id_ in parts):
        columns.id = width + 1
    for row, (name, rating, id_) in zip(rows, parts, strict=True):
        row.extend([*[""] * (width - len(row)), rating, id_])
        row[place] = name


def heads_as_numbers(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return an all-play-all whose columns are headed by the players' names: their places instead, `1`, `2`, `3`."""
    found = [list(row) for row in rows]
    for line, row in enumerate(rows):
        titles = [_title(cell) for cell in row]
        place = next((at for at, title in enumerate(titles) if title in _NAMES), None)
        if place is None or rounds_of(titles) or parts_of(titles):
            continue
        below = [encoding.clean(one[place]).casefold() for one in rows[line + 1 : line + 60] if place < len(one)]
        names = below[: below.index("")] if "" in below else below
        for start in range(place + 1, len(row) - len(names) + 1):
            heads = [encoding.clean(cell).casefold() for cell in row[start : start + len(names)]]
            if len(names) > 2 and all(head and _is_called(name, head) for head, name in zip(heads, names, strict=True)):
                found[line][start : start + len(names)] = [str(number) for number in range(1, len(names) + 1)]
        break
    return found


def _is_called(name: str, head: str) -> bool:
    """`grace`, `whitfield` or `gw` for Grace Whitfield."""
    words = first_name_first(name).split()
    return head in (name, *words[:1], *words[-1:], "".join(word[0] for word in words))
