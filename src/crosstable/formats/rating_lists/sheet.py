"""A player from a row of a list that names its columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial

from crosstable.formats import dates
from crosstable.formats.rating_lists.base import ListedPlayer, ratings_of, year_of
from crosstable.formats.rating_lists.columns import ListColumns, columns_of
from crosstable.formats.rating_lists.records import record_of, yes_or_no
from crosstable.formats.rating_lists.rows import RowReader
from crosstable.model import Rating
from crosstable.model.memberships import LIFE, PRISON
from crosstable.systems.us_chess.pools import KEYS

#: What lists write where a player has no rating, no such date, no such count
_NOTHING = re.compile(r"0*(\.0*)?|UNR\.?|UNRATED|NEW|NONE|N/?A|NULL|-+|[0/\-. ]+", re.IGNORECASE)
_CANADA = ("CAN", "CANADA")

Row = Mapping[str, str]  # column → text


def sheet_of(names: Iterable[str], rows: RowReader) -> Sheet:
    """Return the columns of a list, after saying which of them are not used."""
    columns = columns_of(tuple(names))
    rows.not_known(columns.unknown)
    rows.not_used(columns.unused(rows.uses))
    return Sheet(columns, rows)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A list with named columns."""

    columns: ListColumns
    rows: RowReader

    def player(self, row: Row, number: int) -> ListedPlayer | None:
        """Return the player of a row, or nothing if it has no id. Values that cannot be read are reported."""
        used = self.rows.uses
        values = {field: _first(row, names) for field, names in self.columns.player.items() if field in used}
        id_ = values.get("id", "")
        if not id_:
            return None
        line = _Line(self, row, number, id_)
        ratings, games = line.ratings()
        born = values.get("birth_date", "")
        expires, kind = line.expiry(values.get("expires", ""))
        names = (values.get("last_name", ""), values.get("first_name", ""))
        return ListedPlayer(
            id=id_,
            name=values.get("name") or ", ".join(filter(None, names)),
            ratings=ratings,
            games=games,
            state=values.get("state", ""),
            country=values.get("country", ""),
            sex=values.get("sex", ""),
            title=values.get("title", ""),
            birth_year=year_of(values.get("birth_year") or born),
            expires=expires,
            fide_id=values.get("fide_id", ""),
            birth_date=line.birth(born),
            cfc_id=values.get("cfc_id", ""),
            membership=line.membership(values) or kind,
            member_since=line.day("member_since", values.get("member_since", "")),
            canadian_resident=line.canadian_resident(values),
            records=line.records(ratings, games),
            row=number,
        )


@dataclass(frozen=True, slots=True)
class _Line:
    """One row of a list."""

    sheet: Sheet
    row: Row
    number: int
    id: str

    @property
    def rows(self) -> RowReader:
        return self.sheet.rows

    def note(self, name: str, text: str) -> None:
        """Report a value that says something and could not be read."""
        if text and not _NOTHING.fullmatch(text):
            self.rows.cell(self.number, self.id, name, text)

    def ratings(self) -> tuple[dict[str, float], dict[str, int]]:
        columns = self.sheet.columns
        cells = {key: _first(self.row, names) for key, names in columns.ratings.items()}
        ratings, games = ratings_of(cells)
        for key, text in cells.items():
            if key not in ratings:
                self.note(key, text)
                continue
            count = _first(self.row, columns.records.get(key, {}).get("games", ()))
            if re.fullmatch(r"\d{1,6}", count):
                games[key] = int(count)
            elif key not in games:
                self.note(f"{key} games", count)
        return ratings, games

    def records(self, ratings: Mapping[str, float], games: Mapping[str, int]) -> dict[str, Rating]:
        """Return what the list says of each rating besides the number."""
        found: dict[str, Rating] = {}
        for key, fields in self.sheet.columns.records.items():
            used = [field for field in fields if field != "games" and field in self.rows.uses]
            if key not in KEYS or not used:
                continue
            cells = {field: _first(self.row, fields[field]) for field in used}
            if key not in ratings:
                for field, text in cells.items():
                    self.note(f"{key} {field.replace('_', ' ')} without a rating", text)
                continue
            read = record_of(key, ratings[key], games.get(key), cells, partial(self._odd, key))
            if read is None:
                continue
            found[key] = read.record
            if read.no_such_floor:
                self.rows.floor(self.number, self.id, key, read.no_such_floor)
            if read.kept_as_prize_floor:
                self.rows.kept_floor(self.number)
        return found

    def _odd(self, key: str, field: str, text: str) -> None:
        self.note(f"{key} {field.replace('_', ' ')}", text)

    def expiry(self, text: str) -> tuple[date | None, str]:
        """Return the last day of a membership; where a list says `Life` instead, its kind."""
        if text.upper() == LIFE.upper():
            return None, LIFE
        days = dates.candidates(text)
        if not days:
            self.note("expires", text)
        return days[-1] if days else None, ""

    def birth(self, text: str) -> date | None:
        born = dates.candidates(text)
        self.rows.born(self.number, text, born)
        if not born and not re.fullmatch(r"\d{4}", text):  # some lists have the year only
            self.note("birth_date", text)
        return dates.typed_day(text) if born else None

    def day(self, name: str, text: str) -> date | None:
        if dates.candidates(text):
            return dates.typed_day(text)
        self.note(name, text)
        return None

    def membership(self, values: Mapping[str, str]) -> str:
        """Return the kind of membership; a column for prisons alone says it of the members it marks."""
        prison = values.get("prison", "")
        if yes_or_no(prison):
            return PRISON
        if prison and yes_or_no(prison) is None:
            self.note("prison", prison)
        code = values.get("membership", "")
        kind = self.rows.mapping.kind(code) if code else ""
        if not kind:
            self.note("membership", code)
        return kind

    def canadian_resident(self, values: Mapping[str, str]) -> bool | None:
        said = values.get("canadian_resident", "")
        if said:
            resident = yes_or_no(said)
            if resident is None:
                self.note("canadian_resident", said)
            return resident
        residence = values.get("residence", "")
        return self.rows.mapping.country(residence) in _CANADA if residence else None


def _first(row: Row, names: Iterable[str]) -> str:
    return next((text for name in names if (text := row.get(name, ""))), "")
