"""CSV in and out, and a club's games as an event for a federation's office."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from crosstable.club import attendance, children, clubs, evening, results
from crosstable.club.clubs import ClubError
from crosstable.club.evening import place_of
from crosstable.club.games import PlayedGame, of_season
from crosstable.club.ladder import ladder, number
from crosstable.club.models import Board, Season
from crosstable.formats import guarded_tables
from crosstable.model import PLAYED_RESULTS, Event, Game, Player, Section
from crosstable.office.ledger import models as ledger
from crosstable.office.people.rights import Actor
from crosstable.office.storage.database import writing
from crosstable.words.language import _

GAME_COLUMNS = (
    "date",
    "round",
    "white",
    "black",
    "result",
    "white_before",
    "white_after",
    "black_before",
    "black_after",
)
LADDER_COLUMNS = ("place", "name", "rating", "games", "mark", "change")
MOST_BYTES = 1_000_000


def ladder_csv() -> str:
    return _csv(LADDER_COLUMNS, ([rung.as_json()[name] for name in LADDER_COLUMNS] for rung in ladder()))


def games_csv(season: Season | None = None) -> str:
    games = of_season(season or evening.season())
    names = {player.number: children.display_name(player) for player in ledger.Player.objects.all()}
    rows = (
        [
            game.date,
            game.round,
            names[game.white],
            names[game.black],
            game.result,
            number(game.white_rating.before),
            number(game.white_rating.after),
            number(game.black_rating.before),
            number(game.black_rating.after),
        ]
        for game in games
    )
    return _csv(GAME_COLUMNS, rows)


def child_csv(player: ledger.Player) -> str:
    """All that the club keeps of one child, for the parents who ask."""
    games = [game for game in of_season(evening.season()) if player.number in (game.white, game.black)]
    rows = ([game.date, game.round, *_seen_by(game, player.number)] for game in games)
    return _csv(("date", "round", "colour", "score", "before", "after"), rows)


def _seen_by(game: PlayedGame, who: str) -> list[object]:
    change = game.rating_of(who)
    colour = "white" if who == game.white else "black"
    return [colour, game.score_of(who), number(change.before), number(change.after)]


def _csv(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    return guarded_tables.text((columns, *rows))


@dataclass(frozen=True, slots=True)
class ImportedCounts:
    children: int
    games: int


def import_csv(actor: Actor, data: bytes) -> ImportedCounts:
    """Import a list of children (name), or of games (date, white, black, result, and round if it is known).

    All of it or nothing.
    """
    if len(data) > MOST_BYTES:
        raise ClubError(_("the file is larger than a club's: is it the right one?"))
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig", "replace"))))
    if not rows:
        raise ClubError(_("the file has no rows under its first line; the first line names the columns"))
    columns = {name.strip().casefold(): name for name in rows[0] if name}
    with writing():
        if "name" in columns:
            return ImportedCounts(_import_children(actor, [row[columns["name"]] or "" for row in rows]), 0)
        if {"date", "white", "black", "result"} <= set(columns):
            plain = [{name: (row[given] or "").strip() for name, given in columns.items()} for row in rows]
            return _import_games(actor, plain)
    raise ClubError(_("the first line must name the columns: name, or date, white, black and result"))


def _import_children(actor: Actor, names: Iterable[str]) -> int:
    known = {player.name.casefold() for player in children.members(everybody=True)}
    new = list(dict.fromkeys(children.short_name(text) for text in names if text.strip()))
    made = [children.join(actor, name) for name in new if name.casefold() not in known]
    return len(made)


def _import_games(actor: Actor, rows: list[dict[str, str]]) -> ImportedCounts:
    """Nights that were played on paper. They come after the last night that the club has."""
    joined = _import_children(actor, [row[side] for row in rows for side in ("white", "black")])
    nights: dict[date, list[dict[str, str]]] = defaultdict(list)
    for line, row in enumerate(rows, start=2):
        try:
            nights[date.fromisoformat(row["date"])].append(row)
        except ValueError:
            raise ClubError(
                _("line {line}: {row_date!r} is not a date: write it as 2026-09-07").format(
                    line=line, row_date=row["date"]
                )
            ) from None
        if _result(row["result"]) not in PLAYED_RESULTS:
            raise ClubError(
                _("line {line}: {row_result!r} is not a result: write 1-0, 0-1 or 1/2-1/2").format(
                    line=line, row_result=row["result"]
                )
            )
    for day in sorted(nights):
        _import_night(actor, day, nights[day])
    return ImportedCounts(joined, len(rows))


def _result(text: str) -> str:
    return {"½-½": "1/2-1/2", "draw": "1/2-1/2", "white": "1-0", "black": "0-1", "1:0": "1-0", "0:1": "0-1"}.get(
        text.casefold(), text
    )


def _import_night(actor: Actor, day: date, rows: list[dict[str, str]]) -> None:
    night = evening.tonight(day)
    people = {name: children.find(children.short_name(name)) for row in rows for name in (row["white"], row["black"])}
    attendance.here(actor, night, people.values())
    found = evening.load(night)
    last = found.last_rounds()
    changed = {}
    for place, row in enumerate(rows, start=1):
        white, black = people[row["white"]], people[row["black"]]
        given = int(row["round"]) if row.get("round", "").isdigit() else 0
        round = max(given, 1 + last[white.id], 1 + last[black.id])
        last[white.id] = last[black.id] = round
        board = Board.objects.create(night=night, round=round, number=place, white=white, black=black, why="imported")
        changed[place_of(board)] = _result(row["result"])
    results.write(actor, found, changed, f"{len(rows)} games imported")


@dataclass(frozen=True, slots=True)
class Registered:
    """A child as the federation knows it."""

    id: str
    name: str


def registered(data: bytes) -> dict[str, Registered]:
    """From a CSV with the columns child (number or name in the club), id and name (at the federation)."""
    rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig", "replace")))
    return {
        children.find(row["child"]).number: Registered(row["id"].strip(), (row.get("name") or "").strip())
        for row in rows
        if row.get("child") and row.get("id")
    }


def as_event(games: Iterable[PlayedGame], known: Mapping[str, Registered], title: str = "") -> tuple[Event, list[str]]:
    """Return a section for each night, with the federation's ids; and the club's names of the children it does not
    know.

    Games of children without an id are left out, and the caller says so.
    """
    nights: dict[tuple[date, int], list[PlayedGame]] = defaultdict(list)
    unknown: set[str] = set()
    for game in games:
        missing = {game.white, game.black} - set(known)
        unknown |= missing
        if not missing:
            nights[game.date, game.night].append(game)
    if not nights:
        raise ClubError(_("no game has two children with a federation's id: give them with --ids FILE"))
    sections = tuple(
        _section(place, day, played, known) for place, ((day, _), played) in enumerate(sorted(nights.items()), start=1)
    )
    days = [section.start for section in sections if section.start]
    names = [children.display_name(player) for player in ledger.Player.objects.filter(number__in=unknown)]
    return Event(title or f"{clubs.name()} club games", min(days), max(days), sections), sorted(names)


def _section(place: int, day: date, games: list[PlayedGame], known: Mapping[str, Registered]) -> Section:
    who = sorted({id for game in games for id in (game.white, game.black)}, key=lambda id: known[id].id)
    at = {id: count for count, id in enumerate(who, start=1)}
    players = tuple(Player(at[id], known[id].id, known[id].name) for id in who)
    rows = tuple(Game(game.round, at[game.white], at[game.black], game.result) for game in games)
    return Section(
        number=place, name=f"Club night {day}", start=day, end=day, players=players, games=rows, kind="other"
    )
