"""The estimator: what a score against a field would bring."""

from __future__ import annotations

from itertools import zip_longest
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema
from pydantic import BeforeValidator, WithJsonSchema

from crosstable.office.queries import estimate as reading
from crosstable.office.queries.estimate import SCORES
from crosstable.systems.us_chess.pools import KEYS, MAIN, key_of
from crosstable.web.api import schemas
from crosstable.web.api.parameters import Day
from crosstable.web.api.problems import Refused, wrong
from crosstable.web.public.views.common import today

router = Router(tags=["estimate"])
WORDS = "|".join(SCORES)
UNRATED = "[Uu][Nn][Rr]([Aa][Tt][Ee][Dd])?|[Nn][Ee][Ww]"
#: A rating from 0 to 3500, with the games behind it while they are few; or no one's
RATED = rf"(([0-2]?[0-9]{{1,3}}|3[0-4][0-9]{{2}})(\.[0-9]{{1,4}})?|3500)([Pp][0-9]{{1,2}})?|{UNRATED}"
ONE = rf"({RATED}|[0-9]{{5,12}})"


def _own(value: str) -> str:
    key = key_of(value)
    if key is None:
        raise ValueError(f"There is no such pool: there are {', '.join(KEYS)}")
    return key


OwnPool = Annotated[str, BeforeValidator(_own), WithJsonSchema({"type": "string", "enum": list(KEYS)})]


class Asked(Schema):
    """The event so far."""

    rating: str = Field(
        "",
        pattern=rf"^({RATED})?$",
        examples=["1665.83"],
        description="The rating before the event: 1665.83, or 1665P12 on 12 games; none, or unr, of an unrated player",
    )
    games: int | None = Field(
        None,
        ge=0,
        le=100_000,
        examples=[87],
        description="How many games the rating is based on; without it the rating is taken as just established",
    )
    opponents: str = Field(
        pattern=rf"^{ONE}(,{ONE}){{0,19}}$",
        examples=["1700,1650,1580,1720"],
        description="The opponents' ratings or ids, or unr for an unrated one; up to 20, with commas between",
    )
    results: str = Field(
        "",
        pattern=rf"^({WORDS})?(,({WORDS})?){{0,19}}$",
        examples=["won,,"],
        description="won, drew or lost for the games that are over, in the opponents' order",
    )
    score: float | None = Field(
        None,
        ge=0,
        le=20,
        examples=[3],
        description="The points made in all; without it the score nearest to what is expected",
    )
    target: float | None = Field(None, gt=0, le=3500, examples=[1700], description="A rating to reach")
    pool: OwnPool = Field(
        MAIN, examples=[MAIN], description="A pool by its code, or by its name: regular, online quick"
    )
    on: Day | None = Field(None, examples=["2025-12-29"], description="The day whose rules hold; today's without it")


@router.get("", response=schemas.EstimateOut, summary="Estimate a rating")
def estimate(request: HttpRequest, asked: Query[Asked]) -> Any:
    """Estimate a post-event rating, every score that is still possible, and the score that reaches a target."""
    given = asked.opponents.split(",")
    state = reading.State(
        pool=asked.pool,
        rating=asked.rating,
        games="" if asked.games is None else str(asked.games),
        opponents=tuple(zip_longest(given, asked.results.split(",")[: len(given)], fillvalue="")),
        score="" if asked.score is None else repr(asked.score),
        target="" if asked.target is None else repr(asked.target),
        on=asked.on or today(),
    )
    return _answer(reading.estimate(state))


def _answer(page: reading.EstimatePage) -> dict[str, Any]:
    """Return the answer without what is still wrong: an opponent's id or rating, or rules on that day."""
    work = page.work
    if work is None or page.problems:
        found = [wrong("query", problem) for problem in page.problems or ("There is nothing to estimate from.",)]
        raise Refused("not-found", "There is no estimate for this.", found)
    if page.impossible:
        found = [wrong("query score", page.impossible, "Give a score that these games can have, or none.")]
        raise Refused("wrong-value", "The score does not fit the games.", found)
    return {
        "pool": page.asked.pool,
        "on": page.asked.on,
        "score": work.score,
        "expected": work.expected,
        "post": work.after,
        "published": work.published,
        "games": work.games,
        "bonus": work.bonus,
        "outcomes": [{"score": one.score, "after": one.after, "change": one.change} for one in page.outcomes],
        "needed": page.needed if page.reached else None,
        "assumed": list(page.assumed),
        "summary": page.lead,
    }
