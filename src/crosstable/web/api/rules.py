"""The rulebook: in force on a day, what changed between two, one rule through its days."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router

from crosstable.office.queries import rules as reading
from crosstable.rulebook.browsing import Dated
from crosstable.web.api import schemas
from crosstable.web.api.parameters import CSV, AsCsv, Day, System
from crosstable.web.public.views.common import as_csv, today

router = Router(tags=["rules"])
OneDay = Annotated[Day | None, Query(examples=["2025-01-01"], description="The day; today where none is given")]
Earlier = Annotated[Day, Query(alias="from", examples=["2024-12-31"])]
Later = Annotated[
    Day | None, Query(alias="to", examples=["2025-01-01"], description="The later day; today where none is given")
]
Profile = Annotated[Literal["written", "practised"], Query(description="As printed, or as the office does it")]
COLUMNS = ("rule", "title", "since", "until", "says", "document", "section", "note")


@router.get("", response=schemas.Rules, openapi_extra=CSV, summary="Rules in force")
def rules(
    request: HttpRequest,
    on: OneDay = None,
    system: System = reading.US_CHESS,
    format: AsCsv = "json",
) -> Any:
    """Every rule with its document and section. A day before the first rules is not found."""
    reading.check_day(on or today(), system)
    found = reading.in_force(on or today(), system)
    if format == "csv":
        return _csv(f"rules-{found.on}", found.rules)
    return {
        "system": found.system,
        "on": found.on,
        "hash": found.hash,
        "rules": [_rule(one) for one in found.rules],
    }


@router.get("/diff", response=schemas.RuleChanges, summary="What changed between two days")
def diff(
    request: HttpRequest,
    earlier: Earlier,
    later: Later = None,
    system: System = reading.US_CHESS,
) -> Any:
    for day in (earlier, later or today()):
        reading.check_day(day, system)
    found = reading.diff(earlier, later or today(), system)
    names = ("rule", "title", "before", "after", "changed", "document", "section")
    changes = [{name: getattr(one, name) for name in names} for one in found.changes]
    return {"system": found.system, "earlier": found.earlier, "later": found.later, "changes": changes}


@router.get("/{name}", response=schemas.RuleTimeline, openapi_extra=CSV, summary="One rule")
def rule(
    request: HttpRequest,
    name: str,
    system: System = reading.US_CHESS,
    profile: Profile = "written",
    format: AsCsv = "json",
) -> Any:
    """Everything that the rule has said, newest first, each with its document and section."""
    found = reading.rule(name, today(), system, profile)
    if format == "csv":
        return _csv(f"rule-{found.name}", found.values)
    values = [_rule(one) for one in found.values]
    return {
        "system": found.system,
        "rule": found.name,
        "title": found.title,
        "profile": found.profile,
        "values": values,
    }


def _rule(one: Dated) -> dict[str, Any]:
    return {name: getattr(one, name) for name in COLUMNS}


def _csv(name: str, rules: tuple[Dated, ...]) -> Any:
    return as_csv(name, COLUMNS, [tuple(_rule(one).values()) for one in rules])
