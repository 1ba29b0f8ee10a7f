"""Events: search, one event, a section's crosstable, the work behind one rating."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router

from crosstable.office.ledger.rating_change import Numbers
from crosstable.office.queries import crosstable as tables
from crosstable.office.queries import derivation as derivations
from crosstable.office.queries import event as reading
from crosstable.office.queries import pieces
from crosstable.office.queries.crosstable import CrosstablePage, Row
from crosstable.office.queries.estimate import SCORES
from crosstable.web.api import schemas
from crosstable.web.api.parameters import CSV, AsCsv, Piece, PoolPart, Words, link_next
from crosstable.web.api.problems import Refused, wrong
from crosstable.web.api.schemas import someone
from crosstable.web.public.views.common import as_csv
from crosstable.web.public.views.events import crosstable_csv
from crosstable.words.derivation import derivation_json
from crosstable.words.lead import lead

router = Router(tags=["events"])
HEAD = ("event", "name", "city", "state", "end", "sections", "pools", "players")
Number = Annotated[int, Path(ge=0, le=100_000)]
WORDS = "|".join(SCORES)
Year = Annotated[int | None, Query(ge=1850, le=2200, examples=[2025])]
Results = Annotated[
    str,
    Query(
        pattern=rf"^$|^[0-9]{{1,3}}:({WORDS})(,[0-9]{{1,3}}:({WORDS})){{0,99}}$",
        examples=["3:drew,4:won"],
        description="What if: other results by round",
    ),
]


@router.get("", response=schemas.Events, openapi_extra=CSV, summary="Find events")
def events(
    request: HttpRequest, response: HttpResponse, q: Words = "", year: Year = None, *, asked: Query[Piece]
) -> Any:
    """Rated events, newest first."""
    piece = pieces.rated_events(q, year, asked.state, asked.cursor, asked.limit)
    if asked.format == "csv":
        rows = [
            (one.number, one.name, one.city, one.state, one.end, one.sections, " ".join(one.pools), one.players)
            for one in piece.rows
        ]
        table = as_csv("events", HEAD, rows)
        link_next(request, table, piece.next)
        return table
    link_next(request, response, piece.next)
    names = ("name", "city", "state", "end", "sections", "pools", "players")
    lines = [{"id": one.number, **{name: getattr(one, name) for name in names}} for one in piece.rows]
    return {"events": lines, "next": piece.next}


@router.get("/{id}", response=schemas.EventOut, summary="One event")
def event(request: HttpRequest, id: str) -> Any:
    """Its sections and its revisions. Events that wait for review are no one's business yet."""
    page = reading.event(id)
    names = ("name", "start", "end", "city", "state", "affiliate", "withdrawn", "players", "games")
    own = ("number", "name", "time_control", "rounds", "kind", "mode", "pools", "players", "games")
    return {
        "id": page.number,
        **{name: getattr(page, name) for name in names},
        "sections": [{name: getattr(one, name) for name in own} for one in page.sections],
        "revisions": [
            {"number": one.number, "kind": one.kind, "at": one.at, "reason": one.reason} for one in page.revisions
        ],
    }


@router.get("/{id}/sections/{section}", response=schemas.SectionOut, openapi_extra=CSV, summary="A crosstable")
def section(request: HttpRequest, id: str, section: Number, format: AsCsv = "json") -> Any:
    """Everybody's rounds, score, and rating before and after."""
    page = tables.crosstable(id, section)
    return crosstable_csv(page) if format == "csv" else _table(page)


@router.get(
    "/{id}/sections/{section}/{number}/{pool}",
    response=schemas.DerivationOut,
    summary="The work behind one rating",
)
def derivation(
    request: HttpRequest,
    id: str,
    section: Number,
    number: Number,
    pool: PoolPart,
    results: Results = "",
) -> Any:
    """One player's new rating in one pool, step by step, each with its rule."""
    page = derivations.derivation(id, section, number, pool, _asked(results))
    if page.without_game:
        played = ", ".join(str(cell.round) for cell in page.row.cells if cell.opponent)
        raise _refused(page.without_game, "has no game of this player", f"The player's games are in {played}.")
    what_if = {name: getattr(page.what_if, name) for name in ("offered", "why_not", "sentence", "published")}
    return {
        **someone(page.person),
        "event": page.table.event,
        "section": section,
        "number": page.row.number,
        "pool": page.pool,
        "before": page.numbers.before,
        "after": page.numbers.after,
        "summary": lead(page.person.name, page.answer, page.numbers.after),
        "derivation": derivation_json(page.answer, page.names),
        "what_if": what_if,
    }


def _asked(results: str) -> dict[int, float]:
    """Scores by round."""
    given = [(int(turn), SCORES[word]) for turn, word in (one.split(":") for one in results.split(",") if one)]
    turns = [turn for turn, _ in given]
    twice = sorted({turn for turn in turns if turns.count(turn) > 1})
    if twice:
        raise _refused(twice, "is given more than once", "Give one result for each round.")
    return dict(given)


def _refused(turns: Iterable[int], why: str, advice: str) -> Refused:
    found = [wrong("query results", f"Round {turn} {why}.", advice) for turn in turns]
    return Refused("wrong-value", "The results do not fit the player's games.", found)


def _table(page: CrosstablePage) -> dict[str, Any]:
    names = ("event", "event_name", "section", "name", "start", "end", "rounds", "time_control", "pools")
    return {**{name: getattr(page, name) for name in names}, "rows": [_row(row) for row in page.rows]}


def _row(row: Row) -> dict[str, Any]:
    rounds = [
        {"round": cell.round, "result": cell.letter, "opponent": cell.opponent, "color": cell.color}
        for cell in row.cells
    ]
    return {
        **someone(row.person),
        "number": row.number,
        "score": row.score,
        "rounds": rounds,
        "ratings": [_numbers(one) for one in row.numbers],
        "performance": row.performance,
    }


def _numbers(one: Numbers) -> dict[str, Any]:
    names = ("pool", "before", "before_games", "after", "after_games", "change")
    return {name: getattr(one, name) for name in names}
