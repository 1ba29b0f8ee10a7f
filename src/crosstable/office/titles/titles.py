"""Titles and norms in the ledger: they follow from the ratings, and are replaced in the transaction that changes those.

Norms are kept for each section; a player's titles follow from them through `crosstable.titles.standing`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db import connection

from crosstable.errors import CrosstableError
from crosstable.office.ledger.models import Office
from crosstable.office.storage import bulk
from crosstable.office.titles.norms import KINDS, Rules, concerned, results
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.titles import EventRecord, Titles1996, Titles2010, standing
from crosstable.titles.records import Norm, Standing, TitleStanding

NORMS, TITLES = "lists_titlenorm", "lists_title"
_NORM_COLUMNS = ("player_id", "section_id", "position", "date", "counts", "supernorm")
_TITLE_COLUMNS = ("player_id", "level", "title", "earned")


class TitleRulesError(CrosstableError):
    """An office chose title rules that do not exist."""


def rules_of(office: Office) -> Rules | None:
    """Return the office's choice: "1996", "2010", or none."""
    if office.titles == "":
        return None
    if office.titles == "1996":
        return Titles1996()
    if office.titles == "2010":
        return Titles2010(office.profile)
    raise TitleRulesError(f"no title rules of {office.titles!r}: there are 1996 and 2010, or none")


def after_rating(changed: Mapping[int, Collection[int]] | None) -> None:
    """Bring norms and titles in line with what was rated anew: section → whose results or ratings there are others now.

    Nothing: all sections. A norm follows from a player's results and the opponents' ratings: those of players who are
    not named and met no one who is stay as they are. Whose norms and ratings are the same has the same titles.
    """
    office = Office.objects.filter(id=1).first()
    rules = rules_of(office) if office else None
    if rules is None:
        return
    if changed is None:
        _delete(NORMS)
        bulk.insert_rows(
            NORMS, _NORM_COLUMNS, list(_norm_rows(rules, None, None))
        )  # the rows are read before any is written
        _replace_titles(rules, None)
        return
    rated = {player for players in changed.values() for player in players}
    other_norms: set[int] = set()
    for wanted in _chunks(changed):
        other_norms |= _replace_norms(rules, wanted, concerned({section: changed[section] for section in wanted}))
    same = _SameNorms(rated - other_norms, _first_day(changed))
    for some in _chunks(rated | other_norms):
        _replace_titles(rules, some, same)


def _replace_norms(rules: Rules, sections: Sequence[int], who: Collection[tuple[int, int]]) -> set[int]:
    """Write the norms of these players of these sections as they are now; return the players for whom they differ."""
    columns = ", ".join(_NORM_COLUMNS)
    sql = (
        f"SELECT {columns}, id FROM {NORMS} WHERE section_id IN "  # noqa: S608  our own names and numbers
        f"({bulk.numbers(sections)})"
    )
    held = {
        (*row[:3], str(row[3])[:10], row[4], bool(row[5])): row[6] for row in bulk.rows(sql) if (row[1], row[0]) in who
    }
    new = set(_norm_rows(rules, sections, who))
    gone = held.keys() - new
    come = sorted(new - held.keys())
    bulk.delete(NORMS, [held[row] for row in gone])
    bulk.insert_rows(NORMS, _NORM_COLUMNS, come)
    return {row[0] for row in (*gone, *come)}


def replace_all(office: Office) -> None:
    """Everything anew, for example after another choice of rules."""
    _delete(NORMS)
    _delete(TITLES)
    if rules_of(office) is not None:
        after_rating(None)


def _norm_rows(
    rules: Rules, sections: Sequence[int] | None, who: Collection[tuple[int, int]] | None
) -> Iterator[tuple[int, int, int, str, str, bool]]:
    levels = sorted(rules.levels)
    for result in results(rules, sections, who):
        if rules.barred(result.record):
            continue
        counts = ""
        for level in levels:  # a higher title never takes fewer points: after a zero come only zeros
            count = rules.norms(result.record, level)
            if not count:
                break
            counts += str(count)
        if counts:
            record = result.record
            yield result.player, result.section, result.position, record.date.isoformat(), counts, record.supernorm


@dataclass(frozen=True, slots=True)
class _SameNorms:
    """Players with other ratings only, which count towards titles that ask for one; and from which day on."""

    players: Collection[int]
    since: date

    def settled(self, hopeful: Mapping[int, Sequence[int]]) -> set[int]:
        """Of those, who had earned before that day whatever title is within reach: a title, once earned, stays."""
        who = sorted(hopeful.keys() & set(self.players))
        sql = (
            f"SELECT player_id, level FROM {TITLES} WHERE earned < %s AND "  # noqa: S608  our own names and numbers
            f"player_id IN ({bulk.numbers(who)})"
        )
        earned = set(bulk.rows(sql, [self.since.isoformat()]))
        return {player for player in who if all((player, level) in earned for level in hopeful[player])}


def _first_day(sections: Collection[int]) -> date:
    """Return the first of the days on which these ended; if one is there no more, the beginning of time."""
    days: list[date] = []
    for wanted in _chunks(sections):
        sql = (
            'SELECT "end" FROM ledger_section WHERE id IN '  # noqa: S608  our own names and numbers
            f"({bulk.numbers(wanted)})"
        )
        days += [bulk.as_date(day) for (day,) in bulk.rows(sql)]
    return min(days) if days and len(days) == len(sections) else date.min


def _replace_titles(rules: Rules, players: Sequence[int] | None, same: _SameNorms | None = None) -> None:
    """Write the titles of these players, or of all, as their norms and ratings give them now."""
    only = "" if players is None else f"WHERE player_id IN ({bulk.numbers(players)})"
    norms: dict[int, list[_Norm]] = {}
    sql = (
        f"SELECT player_id, position, date, counts, supernorm FROM {NORMS} "  # noqa: S608  our own names and numbers
        f"{only} ORDER BY position"
    )
    for player, position, day, counts, supernorm in bulk.rows(sql):
        norms.setdefault(player, []).append(_Norm(position, bulk.as_date(day), counts, bool(supernorm)))
    hopeful = {player: levels for player, rows in norms.items() if (levels := _within_reach(rules, rows))}
    waiting = [player for player, levels in hopeful.items() if any(rules.rating_for(level) for level in levels)]
    if players is not None and same is not None:
        as_before = {*same.players} - {*waiting} | same.settled({player: hopeful[player] for player in waiting})
        players = [player for player in players if player not in as_before]
        hopeful = {player: levels for player, levels in hopeful.items() if player not in as_before}
        waiting = [player for player in waiting if player in hopeful]
    _delete(TITLES, "player_id", players)
    ratings = _ratings(waiting)
    rows = []
    for player, levels in hopeful.items():
        for found in _standing(rules, levels, norms[player], ratings.get(player, [])):
            rows.append((player, *found))
    bulk.insert_rows(TITLES, _TITLE_COLUMNS, rows)


@dataclass(frozen=True, slots=True)
class _Norm:
    position: int
    day: date
    counts: str  # towards each title, lowest first
    supernorm: bool

    def towards(self, place: int) -> int:
        return int(self.counts[place]) if place < len(self.counts) else 0


def _within_reach(rules: Rules, norms: Sequence[_Norm]) -> list[int]:
    """Return the titles for which there are norms enough at all."""
    levels = sorted(rules.levels)
    return [
        level
        for place, level in enumerate(levels)
        if sum(norm.towards(place) for norm in norms) >= rules.norms_for_title
    ]


def _standing(
    rules: Rules, levels: Sequence[int], norms: Sequence[_Norm], ratings: Sequence[tuple[int, date, float]]
) -> Iterator[tuple[int, str, str]]:
    """(level, title, day earned) of the titles that these norms earn."""
    for level, found in _counted(rules, levels, norms, ratings).titles.items():
        if found.earned is not None:
            yield level, found.title, found.earned.isoformat()


def _counted(
    rules: Rules,
    levels: Sequence[int],
    norms: Sequence[_Norm],
    ratings: Sequence[tuple[int, date, float]],
    on: date | None = None,
) -> Standing:
    """`titles.standing` over the norms that stand in the ledger."""
    places = {level: place for place, level in enumerate(sorted(rules.levels))}
    counted = {_name(norm.position): norm for norm in norms}
    stored = _Stored(rules, {level: rules.levels[level] for level in levels}, places, counted)
    reached = {position: (day, rating) for position, day, rating in ratings}
    history = [
        EventRecord(
            norm.day,
            0,
            0.0,
            (),
            supernorm=norm.supernorm,
            rating=reached.pop(norm.position, (None, None))[1],
            name=_name(norm.position),
        )
        for norm in norms
    ]
    history += [
        EventRecord(day, 0, 0.0, (), rating=rating, name=_name(position)) for position, (day, rating) in reached.items()
    ]
    return standing(history, stored, on)


def standing_of(player: int, on: date | None = None) -> Standing | None:
    """Return a player's titles, the norms held towards the others with the event of each, and what is missing on a day.

    None where the office keeps no titles.
    """
    office = Office.objects.filter(id=1).first()
    rules = rules_of(office) if office else None
    if rules is None:
        return None
    sql = (
        "SELECT n.position, n.date, n.counts, n.supernorm, e.name, "  # noqa: S608  our own names and numbers
        f"e.number FROM {NORMS} n "
        "JOIN ledger_section s ON s.id = n.section_id JOIN ledger_event e ON e.id = s.event_id "
        "WHERE n.player_id = %s ORDER BY n.position"
    )
    rows = list(bulk.rows(sql, [player]))
    norms = [_Norm(row[0], bulk.as_date(row[1]), row[2], bool(row[3])) for row in rows]
    events = {_name(row[0]): f"{row[4]} ({row[5]})" if row[4] else row[5] for row in rows}
    found = _counted(rules, sorted(rules.levels), norms, _ratings([player]).get(player, []), on)
    return replace(found, titles={level: _with_events(title, events) for level, title in found.titles.items()})


def _with_events(title: TitleStanding, events: Mapping[str, str]) -> TitleStanding:
    """Return the norms by the names of their events instead of their places in the order."""

    def named(norms: Iterable[Norm]) -> tuple[Norm, ...]:
        return tuple(replace(norm, event=events[norm.event]) for norm in norms)

    return replace(title, held=named(title.held), expired=named(title.expired))


def _name(position: int) -> str:
    """Within a day `titles.standing` goes by the name: this one keeps the rating order."""
    return f"{position:020}"


@dataclass(frozen=True, slots=True)
class _Stored:
    """The office's title rules, but for norms that have been counted already."""

    rules: Rules
    levels: Mapping[int, str]
    places: Mapping[int, int]
    counted: Mapping[str, _Norm]

    @property
    def norms_for_title(self) -> int:
        return self.rules.norms_for_title

    def supernorms_for(self, level: int) -> int:
        return self.rules.supernorms_for(level)

    def rating_for(self, level: int) -> float | None:
        return self.rules.rating_for(level)

    def barred(self, record: EventRecord) -> str | None:
        return None if record.name in self.counted else "no norm"

    def norms(self, record: EventRecord, level: int) -> int:
        return self.counted[record.name].towards(self.places[level])

    def expires(self, day: date) -> date | None:
        return self.rules.expires(day)


def _ratings(players: Sequence[int]) -> dict[int, list[tuple[int, date, float]]]:
    """Return the established ratings of these players that no earlier one exceeds, as (position, day, rating)."""
    found: dict[int, list[tuple[int, date, float]]] = {}
    keys = ", ".join(f"'{key}'" for key, kind in KINDS.items() if kind == "regular" and key != "OLR")
    for wanted in _chunks(players):
        rows = bulk.rows(
            'SELECT r.player_id, r.position, s."end", r.post FROM '  # noqa: S608  our own names and numbers
            "ledger_ratingrow r "
            f"JOIN ledger_section s ON s.id = r.section_id WHERE r.player_id IN ({bulk.numbers(wanted)}) "
            f"AND r.pool IN ({keys}) AND (r.state_games IS NULL OR r.state_games > {provisional_games()}) "
            "ORDER BY r.player_id, r.position"
        )
        for player, position, day, post in rows:
            peaks = found.setdefault(player, [])
            if not peaks or post > peaks[-1][2]:
                peaks.append((position, bulk.as_date(day), post))
    return found


def _chunks(values: Iterable[int], size: int = 5_000) -> Iterator[list[int]]:
    wanted = sorted(set(values))
    for start in range(0, len(wanted), size):
        yield wanted[start : start + size]


def _delete(table: str, column: str = "", values: Sequence[int] | None = None) -> None:
    only = "" if values is None else f"WHERE {column} IN ({bulk.numbers(values)})"
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} {only}")  # noqa: S608  our own names and numbers
