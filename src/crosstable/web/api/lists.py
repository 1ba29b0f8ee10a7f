"""Published lists. They never change, so they may be kept."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from crosstable.errors import CrosstableError
from crosstable.office.queries import pieces
from crosstable.office.queries import published as reading
from crosstable.office.queries.pieces import ListedRow
from crosstable.web.api import schemas
from crosstable.web.api.parameters import CSV, Piece, PoolPart, link_next, listed_day
from crosstable.web.caching import keep
from crosstable.web.public.views.common import as_csv
from crosstable.web.public.views.lists import HEAD

router = Router(tags=["lists"])


@router.get("", response=schemas.Lists, summary="All published lists")
def lists(request: HttpRequest) -> Any:
    return {"lists": [_line(one) for one in reading.index()]}


@router.get("/{date}", response=schemas.ListLine, summary="One list")
def one_list(request: HttpRequest, date: str) -> Any:
    """How many rows it has, and in which pools."""
    day = listed_day(date)
    found = next((one for one in reading.index() if one.date == day), None)
    if found is None:
        raise CrosstableError(f"there is no list of {day}")
    return _line(found)


@router.get("/{date}/{pool}", response=schemas.ListRows, openapi_extra=CSV, summary="One pool of a list", by_alias=True)
def rows(request: HttpRequest, response: HttpResponse, date: str, pool: PoolPart, asked: Query[Piece]) -> Any:
    """Return the rows by id. As CSV all of them at once, whatever `cursor` and `limit` say."""
    day = listed_day(date)
    if asked.format == "csv":
        pieces.list_rows(day, pool, asked.state, count=1)  # says where there is no such list
        return keep(as_csv(f"{day}-{pool}", HEAD, reading.rows(day, pool, asked.state)))
    piece = pieces.list_rows(day, pool, asked.state, asked.cursor, asked.limit)
    link_next(request, response, piece.next)
    keep(response)
    return {"date": day, "pool": pool, "rows": [_row(one) for one in piece.rows], "next": piece.next}


def _line(one: reading.Line) -> dict[str, Any]:
    return {"date": one.date, "rows": one.rows, "pools": one.pools, "in_force": one.newest}


def _row(one: ListedRow) -> dict[str, Any]:
    names = ("name", "state", "title", "rating", "games", "class_name", "active", "change", "floor", "floor_reason")
    return {"id": one.number, **{name: getattr(one, name) for name in names}}
