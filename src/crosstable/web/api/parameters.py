"""Parameters that several addresses take, and what their answers have in common."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from ninja import Field, Path, Query, Schema
from pydantic import BeforeValidator, WithJsonSchema

from crosstable.errors import CrosstableError, UnknownSystem
from crosstable.formats.file_ratings import system_key
from crosstable.office.queries.pieces import MOST
from crosstable.systems import all_pools
from crosstable.systems.us_chess.pools import key_of

AsCsv = Annotated[Literal["json", "csv"], Query(description="csv: the table as CSV")]
Name = Annotated[str, Query(min_length=1, max_length=200, examples=["riverside.json"], description="The file's name")]
Words = Annotated[
    str,
    Query(max_length=200, examples=["riverside"], description="Words of the name, or the beginning of the id"),
]
System = Annotated[str, Query(max_length=40, examples=["us_chess"], description="The rating system")]


class Piece(Schema):
    """Which piece of a long table, and how it is written."""

    state: str = Field("", max_length=40, examples=["OH"], description="Only this state")
    cursor: str = Field("", max_length=60, description="`next` of the answer before")
    limit: int = Field(50, ge=1, le=MOST, description="How many at most")
    format: Literal["json", "csv"] = Field("json", description="csv: the table as CSV")


def _iso(value: Any) -> Any:
    """YYYY-MM-DD and nothing else: pydantic would take a number of seconds for a day, too."""
    if isinstance(value, str):
        try:
            if len(value) == 10:
                return dt.date.fromisoformat(value)
        except ValueError:
            pass
        raise ValueError("It is not a date: write YYYY-MM-DD")
    return value


def _pool(value: str) -> str:
    """Parse a pool by its code or its name."""
    try:
        return system_key(value) if value else ""
    except UnknownSystem as problem:
        raise ValueError(f"There is no such pool: there are {', '.join(all_pools())}") from problem


_Pool = Annotated[str, BeforeValidator(_pool), WithJsonSchema({"type": "string", "enum": ["", *all_pools()]})]
PoolName = Annotated[
    _Pool | None, Query(examples=["OTBR"], description="Only this pool; by its name, too: regular, online quick")
]
#: In an address, where a pool that no one has is not found
PoolPart = Annotated[str, BeforeValidator(lambda value: key_of(value) or value), Path(examples=["OTBR"])]


Day = Annotated[dt.date, BeforeValidator(_iso)]

#: For OpenAPI: the same table as CSV
CSV: dict[str, Any] = {"responses": {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}}


def link_next(request: HttpRequest, response: HttpResponse, cursor: str | None) -> None:
    """Set the address of what follows, as a header."""
    if cursor is not None:
        asked = {**{name: request.GET[name] for name in request.GET}, "cursor": cursor}
        response.headers["Link"] = f'<{request.build_absolute_uri(request.path)}?{urlencode(asked)}>; rel="next"'


def listed_day(text: str) -> dt.date:
    """Parse a day in an address; what is not one is the day of no list."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError as problem:
        raise CrosstableError(f"there is no list of {text[:40]!r}") from problem
