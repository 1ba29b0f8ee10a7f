"""What answers look like: every field that may go out, by name. What is not written here is not told."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from ninja import Field, Schema

from crosstable.formats.crosstable import WITHOUT_A_GAME
from crosstable.office.ledger.models import Event
from crosstable.office.reports.submissions import CORRECTION, QUEUED, REFUSED, SAME, UNREADABLE
from crosstable.systems import all_pools
from crosstable.systems.us_chess.pools import ONLINE, OTB
from crosstable.web.api.derivation_steps import StepOut

ID = Field(examples=["30000004"], description="The player's id")


def one_of(*values: str) -> dict[str, Any]:
    """For the description: a closed set."""
    return {"enum": list(values)}


POOL = Field(
    examples=["OTBR"],
    description="The pool: OTBR, OTBQ, OTBB over the board, OLR, OLQ, OLB online, or another system's",
    json_schema_extra=one_of(*all_pools()),
)
EVENT = Field(examples=["202510120007"], description="The event's id")
NEXT = Field(None, examples=["30000050"], description="Give it as `cursor` for what follows; null at the end")


class Someone(Schema):
    id: str = ID
    name: str = Field(examples=["Maya Lindqvist"], description="Initials where an officer withholds the name")
    state: str = Field(examples=["OH"])


class Shown(Schema):
    rating: float | None = Field(examples=[1666], description="As published; null where it could reveal an age")
    games: int | None = Field(
        examples=[87],
        description="Behind the rating; null in official ratings of established players, whose lists do not say it",
    )
    provisional: bool
    date: dt.date | None = Field(examples=["2025-12-01"], description="Of the list, or of the last event")


class PoolRating(Schema):
    pool: str = POOL
    official: Shown | None = Field(description="From the newest published list")
    live: Shown | None = Field(description="After the last rated event")


class FloorOut(Schema):
    rating: float = Field(examples=[1400])
    reason: str


class HeldRating(PoolRating):
    floor: FloorOut | None


class PlayerLine(Someone):
    asked: str | None = Field(None, description="The id that was asked for, where another one is kept now")
    ratings: list[PoolRating]
    last_event: dt.date | None


class MissingId(Schema):
    asked: str
    near: Someone | None = Field(description="The player who has this ID with two digits swapped")


class Players(Schema):
    list_date: dt.date | None = Field(description="Of the list that the official ratings come from")
    players: list[PlayerLine]
    missing: list[MissingId]
    next: str | None = NEXT


class Ids(Schema):
    ids: list[Annotated[str, Field(pattern="^[!-~]{1,40}$")]] = Field(
        min_length=1, max_length=500, examples=[["30000004", "30000017"]], description="Up to 500 ids"
    )


class TitleOut(Schema):
    title: str
    earned: dt.date | None
    norms: int
    needed: int


class PlayerOut(Someone):
    asked: str | None = Field(None, description="The id that was asked for, where another one is kept now")
    also: list[str] = Field(description="Ids of records that were merged into this one")
    title: str
    events: int
    first_event: dt.date | None
    list_date: dt.date | None
    ratings: list[HeldRating]
    titles: list[TitleOut]


class PlayedOut(Schema):
    date: dt.date
    event: str = EVENT
    name: str
    section: int
    section_name: str
    number: int = Field(description="The pairing number")
    pool: str = POOL
    games: int
    score: float
    before: float | None
    before_games: int | None
    after: float | None = Field(description="As published; null where it could reveal an age")
    after_games: int | None
    change: float | None
    derivation: str = Field(description="Address of the work behind this rating")


class ListedRating(Schema):
    pool: str = POOL
    date: dt.date
    rating: float | None
    games: int | None


class History(Someone):
    played: list[PlayedOut] = Field(description="Oldest first")
    lists: list[ListedRating] = Field(description="What each published list said, oldest first")


class EventLine(Schema):
    id: str = EVENT
    name: str
    city: str
    state: str
    end: dt.date
    sections: int
    pools: list[str]
    players: int


class Events(Schema):
    events: list[EventLine]
    next: str | None = NEXT


class SectionLine(Schema):
    number: int
    name: str
    time_control: str = Field(examples=["G/60;d5"])
    rounds: int
    kind: str = Field(examples=["swiss"])
    mode: str = Field(examples=["otb"], json_schema_extra=one_of(OTB, ONLINE))
    pools: list[str]
    players: int
    games: int


class RevisionOut(Schema):
    number: int
    kind: str
    at: dt.datetime
    reason: str


class EventOut(Schema):
    id: str = EVENT
    name: str
    start: dt.date
    end: dt.date
    city: str
    state: str
    affiliate: str
    withdrawn: bool
    players: int
    games: int
    sections: list[SectionLine]
    revisions: list[RevisionOut] = Field(description="Newest first")


class RoundOut(Schema):
    round: int
    result: str = Field(
        examples=["W"],
        description=(
            "W, D, L; X, Z, F: one, half or no point by forfeit; B, H: a bye of one or half a point; empty: not paired"
        ),
        json_schema_extra=one_of("W", "D", "L", *WITHOUT_A_GAME, ""),
    )
    opponent: int | None = Field(description="Pairing number; null where no game was played")
    color: str | None = Field(examples=["white"])


class NumbersOut(Schema):
    pool: str = POOL
    before: float | None
    before_games: int | None
    after: float | None
    after_games: int | None
    change: float | None


class CrosstableRow(Someone):
    number: int = Field(description="The pairing number")
    score: float
    rounds: list[RoundOut]
    ratings: list[NumbersOut]
    performance: float | None = Field(description="Not official")


class SectionOut(Schema):
    event: str = EVENT
    event_name: str
    section: int
    name: str
    start: dt.date
    end: dt.date
    rounds: int
    time_control: str
    pools: list[str]
    rows: list[CrosstableRow] = Field(description="By score")


class WhatIfOut(Schema):
    offered: bool = Field(description="Whether other results may be tried here")
    why_not: str = Field(description="Why not; empty where it is offered")
    sentence: str = Field(examples=["With a draw in round 3"])
    published: float | None = Field(
        description=(
            "The rating with the results asked for; without any, the rating as it is; null where it may not be shown"
        )
    )


class DerivationOut(Someone):
    event: str = EVENT
    section: int
    number: int
    pool: str = POOL
    before: float | None
    after: float | None
    summary: str
    derivation: list[StepOut] = Field(description="The steps, each with its kind, its rule, its facts and a text")
    what_if: WhatIfOut


class ListLine(Schema):
    date: dt.date
    rows: int
    pools: list[str]
    in_force: bool


class Lists(Schema):
    lists: list[ListLine] = Field(description="Newest first")


class ListRowOut(Someone):
    title: str
    rating: float | None
    games: int | None
    class_name: str = Field(serialization_alias="class", examples=["A"])
    active: bool
    change: float | None = Field(description="Since the list before")
    floor: float | None = Field(description="Below what the rating cannot fall; the first lists have none")
    floor_reason: str | None = Field(examples=["earned by 1941"])


class ListRows(Schema):
    date: dt.date
    pool: str = POOL
    rows: list[ListRowOut] = Field(description="By id")
    next: str | None = NEXT


class RuleOut(Schema):
    rule: str = Field(examples=["bonus"])
    title: str
    since: dt.date
    until: dt.date | None
    says: str
    document: str
    section: str
    note: str


class Rules(Schema):
    system: str = Field(examples=["us_chess"])
    on: dt.date
    hash: str
    rules: list[RuleOut]


class RuleTimeline(Schema):
    system: str
    rule: str
    title: str
    profile: str
    values: list[RuleOut] = Field(description="Newest first")


class ChangeOut(Schema):
    rule: str
    title: str
    before: str
    after: str
    changed: list[dt.date]
    document: str | None
    section: str | None


class RuleChanges(Schema):
    system: str
    earlier: dt.date
    later: dt.date
    changes: list[ChangeOut]


class OutcomeOut(Schema):
    score: float
    after: float
    change: float


class EstimateOut(Schema):
    pool: str = POOL
    on: dt.date
    score: float = Field(description="The score asked for, or the one nearest to what is expected")
    expected: float | None
    post: float = Field(examples=[1713.21])
    published: float = Field(examples=[1713])
    games: int
    bonus: float | None
    outcomes: list[OutcomeOut] = Field(description="Every score that is still possible, best first")
    needed: float | None = Field(description="The score that reaches `target`; null where none does")
    assumed: list[str] = Field(description="What was assumed where nothing was given", examples=[[]])
    summary: str


class FindingOut(Schema):
    level: str = Field(examples=["error"])
    code: str = Field(examples=["self-pairing"])
    place: dict[str, Any] = Field(
        description="The parts that are known: file, sheet, line, row, cell, section, players, round, pool, id, part",
        examples=[{"section": 1, "players": [3]}],
    )
    where: str = Field(examples=["section 1, player 3"], description="The place in words")
    facts: dict[str, Any] = Field(description="The values that the message speaks of", examples=[{}])
    message: str
    advice: str
    fixes: list[dict[str, Any]] = Field(
        description=(
            "What could be done about it: `kind` and the values that it would change, `needs` (what a person "
            "must add), `suggested` (it leaves no choice), `text`"
        ),
        examples=[[{"kind": "no-game", "section": 1, "round": 2, "one": 3, "other": 9, "text": "Remove the game"}]],
    )


class FixedOut(Schema):
    place: str = Field(examples=["section 1"])
    before: str = Field(examples=["G/6O;d5"])
    after: str = Field(examples=["G/60;d5"])


class Checked(Schema):
    ok: bool = Field(description="Whether there is no error")
    format: str = Field(examples=["us-chess-report"])
    findings: list[FindingOut] = Field(description="Errors first")
    fixed: list[FixedOut] = Field(default=[], description="With `fix`: what was changed")
    event: dict[str, Any] | None = Field(
        default=None, description="With `fix`: the event document after it, if no error of reading is left"
    )


class SubmissionOut(Schema):
    submission: int = Field(examples=[812])
    outcome: str = Field(
        examples=["queued"],
        description="What became of the file",
        json_schema_extra=one_of(QUEUED, SAME, REFUSED, UNREADABLE, CORRECTION),
    )
    event: str = Field(description="The event's id in the office; empty where it has none")
    status: str = Field(
        description="The event's; empty without an event, and in the answer to a file that the office had already",
        json_schema_extra=one_of(Event.SUBMITTED, Event.ACCEPTED, Event.WITHDRAWN, Event.REFUSED, ""),
    )
    message: str = Field(description="What became of it, or what to do next")
    findings: list[FindingOut] = Field(
        description="Errors first. An event with errors waits too, and is not rated before it is corrected"
    )


def someone(person: Any) -> dict[str, str]:
    """Anyone who it is as everybody may know them (a `reading.people.Person`)."""
    return {"id": person.number, "name": person.name, "state": person.state}
