"""`crosstable rate FILE…`: new ratings of self-contained events, without a database."""

from __future__ import annotations

import argparse
import math
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from crosstable import formats
from crosstable.checks import gate
from crosstable.cli.crosstable import crosstables
from crosstable.cli.given import add_assumed_games, add_given, read_given
from crosstable.cli.output import plain, print_findings, print_json
from crosstable.errors import EventRejected
from crosstable.formats import event_json
from crosstable.model import Answer, Event, Finding, Level, Rated
from crosstable.rulebook import AS_WRITTEN, PROFILES
from crosstable.systems import SYSTEMS, privacy, system


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="event documents, or any format that `check` reads")
    parser.add_argument("--json", action="store_true", help="one JSON object per file")
    parser.add_argument(
        "--explain", metavar="ID", help="show the work behind this player's rating (an id or a pairing number)"
    )
    parser.add_argument("--public", action="store_true", help="leave out what would give a player's age away")
    parser.add_argument(
        "--system", default="us_chess", choices=sorted(SYSTEMS), help="the rating system (default: us_chess)"
    )
    parser.add_argument(
        "--profile",
        default=AS_WRITTEN,
        choices=PROFILES,
        help="the rules as printed, or as the published record shows them",
    )
    add_assumed_games(parser)
    add_given(parser)


def run(args: argparse.Namespace) -> int:
    status = 0
    for name in args.files:
        status = max(status, _rate_file(name, args))
    return status


def _rate_file(name: str, args: argparse.Namespace) -> int:
    reading = read_given(name, args)
    if reading.draft is not None and reading.draft.start is None and args.assume_games is not None:
        # who assumes the games gets an answer, by the rules of today, and is told so
        reading = read_given(name, args, date.today())
        message = f"the date is missing: rated by the rules of {date.today()}."
        undated = Finding(Level.WARNING, "no-date", "event", message, "Say when it was played: --date YYYY-MM-DD.")
        reading = replace(reading, findings=(*reading.findings, undated))
    if reading.draft is not None and args.assume_games is not None:
        reading = replace(reading, draft=formats.assume_games(reading.draft, args.assume_games))
    verdict = gate.examine(reading, args.system, args.profile)
    if verdict.event is None or not verdict.ratable:
        print_findings(
            (*reading.findings, *(f for f in verdict.findings if f not in reading.findings and _tells(f, verdict))),
            name,
        )
        return 1
    event = verdict.event
    try:
        chosen = partial(system(args.system).rate, profile=args.profile)
        rated = privacy.public(event, chosen) if args.public else chosen(event)
    except EventRejected as problem:
        print_findings((*reading.findings, *problem.findings), name)
        return 1
    print_findings((*verdict.reading, *rated.findings, *_nothing(rated)), name)
    return _explain(event, rated, args) if args.explain else _show(event, rated, args)


def _tells(finding: Finding, verdict: gate.Verdict) -> bool:
    """Errors, and what the system says: remarks of the checks are for `check`."""
    return finding.level is Level.ERROR or finding in verdict.system


def _nothing(rated: Rated) -> Iterator[Finding]:
    if not rated.answers:
        message = "there is no rated game: nobody's rating changes."
        yield Finding(Level.WARNING, "nothing-to-rate", "event", message, "Enter the results; forfeits are not rated.")


def _show(event: Event, rated: Rated, args: argparse.Namespace) -> int:
    if args.json:
        print_json(
            {"event": rated.event, "system": rated.system, "ratings": [answer_json(answer) for answer in rated.answers]}
        )
    else:
        print(crosstables(event, rated))
    return 0


def answer_json(answer: Answer, *, with_trace: bool = False) -> dict[str, Any]:
    """An answer as a program reads it: the values, the state to carry on, and the trace if asked for."""
    row = dict(answer.values)
    if not math.isnan(answer.state.rating):  # a public form that hides the rating hides the record too
        row["state"] = event_json.rating_to_json(answer.state)
    if with_trace:
        row["trace"] = [event_json.step_to_json(step) for step in answer.trace]
    return row


def _explain(event: Event, rated: Rated, args: argparse.Namespace) -> int:
    wanted = args.explain
    own = [answer for answer in rated.answers if answer.id == wanted]
    own = own or [answer for answer in rated.answers if str(answer.number) == wanted]
    if not own:
        print(
            f"crosstable: nobody with the id or pairing number '{wanted}' has a rated game in {event.name!r}",
            file=sys.stderr,
        )
        return 1
    if args.json:
        print_json(
            {
                "event": rated.event,
                "system": rated.system,
                "ratings": [answer_json(answer, with_trace=True) for answer in own],
            }
        )
        return 0
    names = {(section.number, player.number): player.name for section in event.sections for player in section.players}
    for answer in own:
        _print_trace(answer, names.get((answer.section, answer.number), "") or answer.id)
    return 0


def _print_trace(answer: Answer, name: str) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    prior = answer.prior
    before = "unrated" if answer.values.get("initialized") or prior is None else f"{prior:.2f}".rstrip("0").rstrip(".")
    after = "not shown" if answer.published is None else answer.published
    console.print(
        Text(
            f"{plain(name)} (no. {answer.number}, section {answer.section}) · {answer.pool}: {before} → {after}",
            style="bold",
        )
    )
    for place, step in enumerate(answer.trace, 1):
        console.print(Text.assemble(f"{place}. ", (step.title, "bold"), f"  [{step.source}]" if step.source else ""))
        console.print(
            textwrap.fill(
                "\n".join(map(plain, step.text.split("\n"))),
                console.width,
                initial_indent="   ",
                subsequent_indent="   ",
            ),
            markup=False,
            soft_wrap=True,
        )
    console.print()
