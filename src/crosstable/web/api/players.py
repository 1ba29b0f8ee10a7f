"""Players: search, look-up of many ids, one player, a player's history."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from crosstable.office.queries import pieces, search
from crosstable.office.queries import player as reading
from crosstable.office.queries.history import Played
from crosstable.office.queries.player import PlayerPage
from crosstable.office.queries.ratings import InPool, Newest, Shown, newest_list
from crosstable.office.queries.search import Hit, Missing
from crosstable.web.api import schemas
from crosstable.web.api.parameters import CSV, AsCsv, Piece, PoolName, link_next
from crosstable.web.api.problems import Refused, wrong
from crosstable.web.api.schemas import someone
from crosstable.web.public.views.common import as_csv, today

router = Router(tags=["players"])
Asked = Annotated[
    str,
    Query(
        min_length=1,
        max_length=6000,
        examples=["lind"],
        description="Half a name, words in any order, an id, or many ids",
    ),
]
ManyIds = Annotated[
    str,
    Query(
        max_length=6000,
        pattern="^[ -~]+$",
        examples=["30000004,30000017"],
        description="Up to 500 ids with commas between",
    ),
]
HEAD = ("id", "name", "state", "pool", "official", "live", "games", "last_event")


@router.get("", response=schemas.Players, openapi_extra=CSV, summary="Find players")
def players(request: HttpRequest, response: HttpResponse, q: Asked, asked: Query[Piece]) -> Any:
    """Players by half a name or by the beginning of an id, in order of their names. Withheld players are found by their
    ids only.
    """
    ids = search.ids_in(q)
    if len(ids) > 1:
        found = look_up_ids(ids)
        return _csv(found.hits) if asked.format == "csv" else _looked_up(found)
    piece = pieces.players(q, asked.state, asked.cursor, asked.limit)
    if asked.format == "csv":
        table = _csv(piece.rows)
        link_next(request, table, piece.next)
        return table
    link_next(request, response, piece.next)
    return _found(piece.rows, (), newest_list(), piece.next)


@router.get("/lookup", response=schemas.Players, openapi_extra=CSV, summary="Look up many ids")
def lookup(
    request: HttpRequest,
    ids: ManyIds,
    format: AsCsv = "json",
) -> Any:
    """Up to 500 ids in one call, in the order asked, each once, and the unknown ids. For long lists use POST."""
    found = look_up_ids([one.strip() for one in ids.split(",") if one.strip()])
    return _csv(found.hits) if format == "csv" else _looked_up(found)


@router.post("/lookup", response=schemas.Players, summary="Look up many ids")
def lookup_many(request: HttpRequest, asked: schemas.Ids) -> Any:
    """Look up the ids in the body, where an address would become too long. It changes nothing and needs no token."""
    return _looked_up(look_up_ids(asked.ids))


def look_up_ids(ids: list[str]) -> search.Found:
    """Each once, in the order asked."""
    if len(ids) > search.MOST_IDS:
        raise Refused(
            "wrong-value",
            f"{len(ids)} ids at once; the limit is {search.MOST_IDS}.",
            [wrong("ids", f"{len(ids)} ids.", f"Ask for {search.MOST_IDS} at a time.")],
        )
    return search.look_up(list(dict.fromkeys(ids)))


@router.get("/{id}", response=schemas.PlayerOut, summary="One player")
def player(request: HttpRequest, id: str) -> Any:
    """Ratings in all pools, official and live, with floors and titles. A merged id answers with the record that is
    kept.
    """
    return _player(reading.player(id, today()), id)


@router.get("/{id}/history", response=schemas.History, openapi_extra=CSV, summary="A player's history")
def history(request: HttpRequest, id: str, pool: PoolName = None, format: AsCsv = "json") -> Any:
    """Every rated section with the rating before and after it, and what every list said."""
    found = reading.ratings_over_time(id, pool or "")
    if format == "csv":
        head = ("date", "event", "name", "section", "pool", "games", "score", "before", "after", "change")
        rows = [
            (
                one.date,
                one.event,
                one.name,
                one.section,
                one.pool,
                one.games,
                one.score,
                one.before,
                one.after,
                one.change,
            )
            for one in found.played
        ]
        return as_csv(f"history-{found.person.number}", head, rows)
    lists = [
        {"pool": key, "date": one.date, "rating": one.rating, "games": one.games}
        for key, own in found.listed.items()
        for one in own
    ]
    return {**someone(found.person), "played": [_played(one) for one in found.played], "lists": lists}


def _looked_up(found: search.Found) -> dict[str, Any]:
    return _found(found.hits, found.missing, found.published, None)


def _found(
    hits: tuple[Hit, ...], missing: tuple[Missing, ...], published: Newest | None, following: str | None
) -> dict[str, Any]:
    return {
        "list_date": published.date if published else None,
        "players": [_hit(one) for one in hits],
        "missing": [{"asked": one.asked, "near": someone(one.near) if one.near else None} for one in missing],
        "next": following,
    }


def _hit(hit: Hit) -> dict[str, Any]:
    ratings = [in_pool(one) for one in hit.pools]
    return {**someone(hit.person), "asked": hit.asked or None, "ratings": ratings, "last_event": hit.last}


def in_pool(one: InPool) -> dict[str, Any]:
    return {"pool": one.pool, "official": _shown(one.official), "live": _shown(one.live)}


def _shown(one: Shown | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"rating": one.rating, "games": one.games, "provisional": one.provisional, "date": one.date}


def _csv(hits: tuple[Hit, ...]) -> HttpResponse:
    rows = [
        (
            hit.person.number,
            hit.person.name,
            hit.person.state,
            one.pool,
            one.official and one.official.rating,
            one.live and one.live.rating,
            one.live and one.live.games,
            hit.last,
        )
        for hit in hits
        for one in hit.pools
    ]
    return as_csv("players", HEAD, rows)


def _player(page: PlayerPage, asked: str) -> dict[str, Any]:
    floors = [one.floor and {"rating": one.floor.rating, "reason": one.floor.reason} for one in page.pools]
    return {
        **someone(page.person),
        "asked": asked if asked != page.person.number else None,
        "also": page.also,
        "title": page.title,
        "events": page.events,
        "first_event": page.since,
        "list_date": page.published.date if page.published else None,
        "ratings": [{**in_pool(one.numbers), "floor": floor} for one, floor in zip(page.pools, floors, strict=True)],
        "titles": [
            {"title": one.title, "earned": one.earned, "norms": one.norms, "needed": one.needed} for one in page.titles
        ],
    }


def _played(one: Played) -> dict[str, Any]:
    names = (
        "date",
        "event",
        "name",
        "section",
        "section_name",
        "number",
        "pool",
        "games",
        "score",
        "before",
        "before_games",
        "after",
        "after_games",
        "change",
    )
    address = f"/api/v1/events/{one.event}/sections/{one.section}/{one.number}/{one.pool}"
    return {**{name: getattr(one, name) for name in names}, "derivation": address}
