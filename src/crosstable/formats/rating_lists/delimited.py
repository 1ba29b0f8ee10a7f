"""Lists with a header line: the TSV edition of the US Chess supplement, and our own CSV and TSV; our JSON too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from crosstable.errors import EventRejected
from crosstable.formats import codes, dates, encoding, table_heads
from crosstable.formats.rating_lists.base import RATING_KEYS, Limited, ListedPlayer, Rows, ratings_of, year_of
from crosstable.formats.tables import split_line, unquoted
from crosstable.model import Place
from crosstable.systems.us_chess.pools import MAIN, POOLS

#: Column → the field that it fills. Names are compared in capitals, with `_` for blanks.
_FIELDS: Mapping[str, tuple[str, ...]] = {
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
        "USCF",
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
    "expires": ("EXPIRED", "R_EXP_DATE", "EXPIRES", "EXPIRATION", "EXP_DATE"),
    "fide_id": ("FIDE_ID", "FIDE_NUMBER"),
}
_RATINGS: Mapping[str, tuple[str, ...]] = {pool.key: pool.fields for pool in POOLS}
#: One rating without a pool is the main one, if the list has no column that nobody knows.
_ONE_RATING = ("RATING", "RTG", "RATE", "USCF_RATING", "US_CHESS_RATING", "CURRENT_RATING", "OLD_RATING")
_ONE_COUNT = ("GAMES", "RATED_GAMES", "PRIOR_GAMES")
FORMAT = "crosstable-ratings/1"
#: Every column that is read, and those of our own lists that say nothing of a record
_KNOWN = frozenset(
    [name for names in (*_FIELDS.values(), *_RATINGS.values()) for name in names]
    + [
        name
        for key in RATING_KEYS
        for name in (
            key,
            *(f"{key}_{what}" for what in ("GAMES", "CLASS", "ACTIVE", "CHANGE", "FLOOR", "FLOOR_REASON", "FLWHY")),
        )
    ]
    + ["LIST", "AUDIT_HEAD", *_ONE_RATING, *_ONE_COUNT]
)


def _column(name: str) -> str:
    return re.sub(r"\W+", "_", encoding.clean(name).upper()).strip("_")


def _first(row: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((row[name] for name in names if row.get(name)), "")


#: What lists write where somebody has no rating, no such date, no such count
_NOTHING = re.compile(r"0*(\.0*)?|UNR\.?|UNRATED|NEW|NONE|N/?A|NULL|-+|[0/\-. ]+", re.IGNORECASE)


def _note(rows: Rows, number: int, player: str, name: str, text: str) -> None:
    """A value that says something and could not be read."""
    if text and not _NOTHING.fullmatch(text):
        rows.cell(number, player, name, text)


def player_of(row: Mapping[str, str], rows: Rows | None = None, number: int = 0) -> ListedPlayer | None:
    """A player from `COLUMN → text`, or nothing if the row has no id. Values that cannot be read go to `rows`."""
    values = {field: _first(row, names) for field, names in _FIELDS.items()}
    if not values["id"]:
        return None
    row = {**row, MAIN: row.get(MAIN) or _first(row, _ONE_RATING)}
    row[f"{MAIN}_GAMES"] = row.get(f"{MAIN}_GAMES") or _first(row, _ONE_COUNT)
    cells = {key: _first(row, (key, *_RATINGS.get(key, ()))) for key in RATING_KEYS}
    ratings, games = ratings_of(cells)
    for key in ratings:
        if re.fullmatch(r"\d{1,6}", row.get(f"{key}_GAMES", "")):
            games[key] = int(row[f"{key}_GAMES"])
    name = values["name"] or ", ".join(filter(None, (values["last_name"], values["first_name"])))
    days = dates.candidates(values["expires"])
    born = dates.candidates(values["birth_date"])
    if rows is not None:
        for key, text in cells.items():
            if key not in ratings:
                _note(rows, number, values["id"], key, text)
            elif key not in games:
                _note(rows, number, values["id"], f"{key} games", row.get(f"{key}_GAMES", ""))
        _note(rows, number, values["id"], "expires", "" if days else values["expires"])
        rows.born(number, values["birth_date"], born)
        whole = born or re.fullmatch(r"\d{4}", values["birth_date"])  # some lists have the year only
        _note(rows, number, values["id"], "birth_date", "" if whole else values["birth_date"])
    return ListedPlayer(
        values["id"], name, ratings, games, values["state"], values["country"], values["sex"],
        values["title"], year_of(values["birth_year"] or values["birth_date"]), days[-1] if days else None, values["fide_id"],
        birth_date=dates.typed_day(values["birth_date"]) if born else None, row=number,
    )  # fmt: skip


def _header(line: str) -> tuple[list[str], str] | None:
    """The columns and the delimiter, if the line names an id and a rating."""
    for mark in ("\t", ",", ";"):
        names = [_column(name) for name in line.split(mark)]
        known = {name for columns in _RATINGS.values() for name in columns} | set(RATING_KEYS)
        plain = set(names) & set(_ONE_RATING) and all(name in _KNOWN for name in names if name)
        if any(name in _FIELDS["id"] for name in names) and (known & set(names) or plain):
            return names, mark
    return None


def looks_like(head: bytes) -> bool:
    first = re.split(r"\r\n|\r|\n", encoding.decode(head).text, maxsplit=1)[0]
    found = _header(first)
    return found is not None and not table_heads.has_rounds(cell.strip(' "') for cell in first.split(found[1]))


def read(stream: Limited, rows: Rows) -> Iterator[ListedPlayer]:
    lines = stream.text_lines()
    found = _header(next(lines, ""))
    if found is None:
        raise EventRejected([codes.MISSING_COLUMN.at("list", "no column is an id")])
    names, mark = found
    if strange := [name for name in names if name and name not in _KNOWN]:
        rows.findings.append(codes.LIST_COLUMN.at(Place(row=1), f"not understood: {', '.join(strange[:20])}"))
    for number, line in enumerate(lines, start=2):
        cells, odd = split_line(line, mark)
        if not any(cells):
            continue
        row = {name: encoding.clean(unquoted(cell)) for name, cell in zip(names, cells, strict=False)}
        player = player_of(row, rows, number)
        # a stray quotation mark between tabs is only a character; between commas nobody knows which cell is which
        if player is None or len(cells) > 4 * len(names) or (odd and mark != "\t"):
            rows.skip(number, line)
        else:
            yield player


def looks_like_json(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"{" and FORMAT.encode() in head[:400]


def read_json(stream: Limited, rows: Rows) -> Iterator[ListedPlayer]:
    """One player per line, as `write` lays them out, so that this list streams like the others."""
    for number, line in enumerate(stream.text_lines(), start=1):
        text = line.strip().rstrip(",")
        if not text.startswith('{"id"'):
            continue
        try:
            raw = json.loads(text)
        except (ValueError, RecursionError):
            rows.skip(number, text)
            continue
        ratings, games = _numbers(raw.get("ratings")), _numbers(raw.get("games"))
        cells = {key: f"{value:.12g}" for key, value in ratings.items()}
        counts = {f"{key}_GAMES": f"{value:.0f}" for key, value in games.items()}
        plain = {_column(key): encoding.clean(str(raw[key])) for key in _FIELDS if isinstance(raw.get(key), str | int)}
        player = player_of({**plain, **cells, **counts}, rows, number)
        if player is None:
            rows.skip(number, text)
        else:
            yield player


def _numbers(raw: object) -> dict[str, float]:
    if not isinstance(raw, Mapping):
        return {}
    return {str(k): float(v) for k, v in raw.items() if isinstance(v, int | float) and abs(v) < 1e9}
