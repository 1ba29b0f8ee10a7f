"""Event document → findings: one function per check, each with a code, a level, a place and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from crosstable.checks import events, members, players, results, sections
from crosstable.checks.registry import CHECKS, Case, Noted
from crosstable.checks.sections import TIME_CONTROL_CHECKS
from crosstable.federations import Federation
from crosstable.findings import Code
from crosstable.formats import capped
from crosstable.formats.rating_lists.base import ListedPlayer
from crosstable.model import Event, Finding, Level

_ORDER = {Level.ERROR: 0, Level.WARNING: 1, Level.NOTICE: 2}


def check(
    event: Event,
    *,
    received: date | None = None,
    members: Mapping[str, ListedPlayer] | None = None,
    by_time_control: bool = True,
    found: Sequence[Finding] | None = None,
    federation: Federation | None = None,
) -> list[Finding]:
    """Everything that is wrong, odd or missing, errors first.

    `received` is the day on which the report arrived (default: the event's note of that name), `members` a rating list
    by id: both only add checks. `by_time_control`: whether the time control decides what a section is rated in.
    `found`: what a rating system has found, so that the structure is not checked again. `federation`: whose rules of
    reporting apply; without one, those of US Chess where the event looks like one of its own.
    """
    case = Case(
        event=event,
        received=received or _noted(event),
        members=members or {},
        by_time_control=by_time_control,
        found=found,
        federation=federation,
    )
    noted = [_finding(code, one) for code, function in CHECKS.values() for one in function(case)]
    return in_order(noted if federation is None else by_federation(federation, noted))


def by_federation(federation: Federation, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that count in a federation, with the levels that it gives them."""
    off = {*federation.checks.off, *_unasked(federation)}
    levels = federation.checks.levels
    return [
        replace(finding, level=Level(levels[finding.code])) if finding.code in levels else finding
        for finding in findings
        if finding.code not in off
    ]


def _unasked(federation: Federation) -> set[str]:
    """Return the checks of what this federation's reports need not say."""
    asks = federation.report
    return {
        *(() if asks.time_control else TIME_CONTROL_CHECKS),
        *(() if asks.place else ("missing-place", "unknown-state", "unknown-zip")),
        *(() if asks.affiliate or asks.director else ("missing-officials", "affiliate-id", "td-id")),
        *(("missing-id",) if federation.ids.by_name else ()),
        *(() if federation.memberships else ("not-a-member",)),
    }


def _finding(code: Code, noted: Noted) -> Finding:
    where, what, *facts = noted
    return code.at(where, what, **(facts[0] if facts else {}))


def in_order(findings: list[Finding] | tuple[Finding, ...]) -> list[Finding]:
    return sorted(capped(tuple(findings)), key=lambda finding: _ORDER[finding.level])


def _noted(event: Event) -> date | None:
    try:
        return date.fromisoformat(str(event.notes.get("received", "")))
    except ValueError:
        return None


__all__ = ["CHECKS", "Case", "check", "events", "in_order", "members", "players", "results", "sections"]
