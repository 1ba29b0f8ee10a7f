"""`crosstable rate FILE…`: new ratings of self-contained events, without a database."""

from __future__ import annotations

import argparse
import math
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from crosstable import formats
from crosstable.checks import gate, in_order
from crosstable.cli import rated_files
from crosstable.cli.crosstable import crosstables
from crosstable.cli.given import add_assumed_games, add_given, read_given, to_add
from crosstable.cli.output import finding_line, plain, print_json, system_name
from crosstable.cli.understood import understood
from crosstable.errors import EventRejected
from crosstable.findings import declare
from crosstable.formats import event_json
from crosstable.formats.given import who_is
from crosstable.model import Answer, Event, Finding, Level, Place, Player, Rated, Section
from crosstable.rulebook import AS_WRITTEN, PROFILES
from crosstable.systems import DEFAULT, privacy, system
from crosstable.words.derivation import Names, citation, derivation_json, names_of, say, title
from crosstable.words.findings import findings_to_json, grouped, plural

#: What `--explain` takes for every player
EVERYONE = "all"

declare(
    "no-date",
    Level.WARNING,
    "The event has no date and was rated by the rules of today.",
    "Enter the dates of the event.",
)
declare("nothing-to-rate", Level.WARNING, "There is no rated game.", "Enter the results; forfeits are not rated.")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="event documents, or any format that `check` reads; - is standard input",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per file")
    parser.add_argument("--csv", action="store_true", help="a row for each player, for spreadsheets")
    parser.add_argument("--text", action="store_true", help="the text crosstable with the new ratings filled in")
    parser.add_argument("--xlsx", metavar="OUT", help="write a workbook with a row for each player")
    parser.add_argument("--html", metavar="OUT", help="write one page with the crosstables and the work behind them")
    parser.add_argument(
        "--explain",
        metavar="WHO",
        help="show the work behind a rating: an id, a pairing number, a name or part of it; or all",
    )
    parser.add_argument("--public", action="store_true", help="leave out what would reveal a player's age")
    parser.add_argument(
        "--system",
        default=DEFAULT,
        type=system_name,
        metavar="NAME",
        help="the rating system, as `systems` lists them, with options: uscf_1996:k=4.2 (default: us_chess)",
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
    if refused := _refused(args):
        print(f"crosstable: {refused}", file=sys.stderr)
        return 2
    status, rated = 0, []
    for name in args.files:
        own_status, one = _rate_file(name, args)
        status = max(status, own_status)
        if one is not None:
            rated.append(one)
    return max(status, _write(rated, args)) if rated else status


def _refused(args: argparse.Namespace) -> str | None:
    """Why nothing is done: the result would take the place of a file that is read, or one result another's."""
    results = [Path(path) for path in (args.xlsx, args.html) if path]
    for path in results:
        if path.exists() and any(Path(name).exists() and path.samefile(name) for name in args.files):
            return f"{path} is the file to rate; choose another name for the result"
    if len(set(results)) < len(results):
        return f"--xlsx and --html both name {results[0]}; choose two names"
    if args.explain is not None and not args.explain.strip():
        return "--explain needs an id, a pairing number, a name or part of it"
    return None


def _rate_file(name: str, args: argparse.Namespace) -> tuple[int, tuple[Event, Rated] | None]:
    """Return the exit status, and the rated event if it goes into a file with the others."""
    reading = read_given(name, args)
    if reading.draft is not None and reading.draft.start is None and args.assume_games is not None:
        # who assumes the games gets an answer, by the rules of today, and is told so
        reading = read_given(name, args, date.today())
        message = f"the date is missing: rated by the rules of {date.today()}."
        undated = Finding(Level.WARNING, "no-date", Place(part="event"), message, "Enter the dates of the event.")
        reading = replace(reading, findings=(*reading.findings, undated))
    if reading.draft is not None and args.assume_games is not None:
        reading = replace(reading, draft=formats.assume_games(reading.draft, args.assume_games))
    verdict = gate.examine(reading, args.system, args.profile)
    if verdict.event is None or not verdict.ratable:
        told = [finding for finding in verdict.findings if finding in verdict.reading or _tells(finding, verdict)]
        _print_understood(name, verdict.event, None, told)
        if add := verdict.event and to_add(verdict.event, args.system):
            first = "fix the file, then " if _in_the_file(told) else ""
            print(plain(f"  {first}try again with {add}"), file=sys.stderr)
        return 1, None
    event = verdict.event
    try:
        chosen = system(args.system)
        rate = partial(chosen.rate, profile=args.profile)
        rated = (
            privacy.public(event, rate, age_classes=chosen.age_classes)
            if args.public
            else rate(event, checked=verdict.system)
        )
    except EventRejected as problem:
        _print_understood(name, event, None, (*verdict.reading, *problem.findings))
        return 1, None
    said = tuple(in_order((*verdict.reading, *_warnings(verdict, rated), *_nothing(rated))))
    _print_understood(name, event, rated, said)
    found = findings_to_json(said, event, name) if args.json else []
    status = _explain(event, rated, args, found) if args.explain else 0
    if not args.explain or (args.text and not args.json):
        _show(event, rated, args, found)
    if not event.name and len(args.files) > 1:  # the reader must know whose ratings these are
        event = replace(event, name=Path(name).name)
    return status, (event, replace(rated, findings=said))  # a page of it says what the terminal says


#: A rapid or blitz event abroad: the finding says why no ratings change
NOT_STANDARD = "fide-not-standard"


def _in_the_file(findings: Iterable[Finding]) -> bool:
    """Errors that no option fixes."""
    options = ("missing-date", "missing-time-control", "unreadable-time-control")
    return any(finding.level is Level.ERROR and finding.code not in options for finding in findings)


def _print_understood(name: str, event: Event | None, rated: Rated | None, findings: Iterable[Finding]) -> None:
    """Print what was understood of the file, then what was found; its name appears once."""
    first, *more = understood(event, rated) if event is not None else ["no event could be read"]
    print(plain(f"{name}: {first}"), file=sys.stderr)
    for line in more:
        print(plain(f"  {line}"), file=sys.stderr)
    for found in grouped(findings, event):
        print(f"  {finding_line(found, sys.stderr)}", file=sys.stderr)


def _tells(finding: Finding, verdict: gate.Verdict) -> bool:
    """Errors, and what the system says: remarks of the checks are for `check`."""
    return finding.level is Level.ERROR or finding in verdict.system


def _warnings(verdict: gate.Verdict, rated: Rated) -> Iterator[Finding]:
    """Yield what the system says, and the warnings of the checks; their notices are for `check`.

    A notice about where a first rating starts is told here, too: it explains a number.
    """
    said = {finding.code for finding in rated.findings}
    yield from rated.findings
    starts = ("cfc-rating",) if rated.system == "us_chess" else ()
    yield from (
        one for one in verdict.checks if (one.level is Level.WARNING or one.code in starts) and one.code not in said
    )


def _nothing(rated: Rated) -> Iterator[Finding]:
    if not rated.answers and NOT_STANDARD not in {finding.code for finding in rated.findings}:
        message = "there are no rated games, so no ratings change."
        yield Finding(
            Level.WARNING, "nothing-to-rate", Place(part="event"), message, "Enter the results; forfeits are not rated."
        )


def _show(event: Event, rated: Rated, args: argparse.Namespace, found: list[dict[str, Any]]) -> None:
    """One event on standard output. A CSV waits for the other files: it has one head."""
    if args.json:
        print_json(_rated_json(rated, [answer_json(answer) for answer in rated.answers], found))
    elif args.csv:
        return
    elif args.text:
        print("  the crosstable below shows the new ratings computed here, not those in the file", file=sys.stderr)
        print(rated_files.as_text(event, rated).decode("utf-8"), end="")
    elif not (args.xlsx or args.html):
        print(crosstables(event, rated))


def _write(rated: rated_files.Several, args: argparse.Namespace) -> int:
    """Write what holds the events of all files: the CSV, the workbook, the page."""
    if args.csv and not args.json:
        print(rated_files.as_csv(rated).decode("utf-8"), end="")
    for path, made in ((args.xlsx, rated_files.as_xlsx), (args.html, rated_files.as_html)):
        if path:
            try:
                Path(path).write_bytes(made(rated))
            except OSError as error:
                print(f"crosstable: {path} cannot be written: {error.strerror}", file=sys.stderr)
                return 1
            print(plain(f"{path}: written, {plural(len(rated), 'event')}"), file=sys.stderr)
    return 0


def _rated_json(rated: Rated, ratings: list[dict[str, Any]], found: list[dict[str, Any]]) -> dict[str, Any]:
    return {"event": rated.event, "system": rated.system, "ratings": ratings, "findings": found}


def answer_json(answer: Answer, names: Names | None = None) -> dict[str, Any]:
    """Return an answer as a program reads it: the values, the state to carry on, and with `names` the derivation."""
    row = dict(answer.values)
    if not math.isnan(answer.state.rating):  # a public form that hides the rating hides the record too
        row["state"] = event_json.rating_to_json(answer.state)
    if names is not None:
        row["derivation"] = derivation_json(answer, names)
    return row


def _explain(event: Event, rated: Rated, args: argparse.Namespace, found: list[dict[str, Any]]) -> int:
    sections = {section.number: section for section in event.sections}
    everyone = args.explain.strip().casefold() == EVERYONE
    wanted = list(_everyone(event)) if everyone else who_is(event, args.explain)
    entries = {(section.number, player.number) for section, player in wanted}
    own = [answer for answer in rated.answers if (answer.section, answer.number) in entries]
    people = {player.id or player.name for _, player in wanted}
    if not everyone and len(people) > 1 and len({answer.id for answer in own}) > 1:
        shown = "; ".join(sorted({plain(_called(player)) for _, player in wanted})[:8])
        print(
            f"crosstable: '{args.explain}' is several players: {shown}; give more of the name, or the id",
            file=sys.stderr,
        )
        return 1
    if not own:
        words = "has no rated game" if wanted else "is not the ID, pairing number or name of a player"
        print(f"crosstable: '{args.explain}' {words} in {event.name!r}", file=sys.stderr)
        return 1
    if args.json:
        ratings = [answer_json(answer, names_of(sections[answer.section])) for answer in own]
        print_json(_rated_json(rated, ratings, found))
        return 0
    for answer in own:
        _print_trace(answer, sections[answer.section])
    return 0


def _everyone(event: Event) -> Iterator[tuple[Section, Player]]:
    return ((section, player) for section in event.sections for player in section.players)


def _called(player: Player) -> str:
    """`Carter, Anna (12345678)`: two of one name are told apart by their ids."""
    return f"{player.name} ({player.id or f'no. {player.number}'})"


def _print_trace(answer: Answer, section: Section) -> None:
    from rich.console import Console
    from rich.text import Text

    name = next((p.name for p in section.players if p.number == answer.number), "") or answer.id
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
    names = names_of(section)
    for place, step in enumerate(answer.derivation, 1):
        source = citation(step.cite)
        console.print(Text.assemble(f"{place}. ", (title(step), "bold"), f"  [{source}]" if source else ""))
        console.print(
            textwrap.fill(
                "\n".join(map(plain, say(step, names).split("\n"))),
                console.width,
                initial_indent="   ",
                subsequent_indent="   ",
            ),
            markup=False,
            soft_wrap=True,
        )
    console.print()
