"""The office's desks for other federations: `office fide`, `office fide-desk`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crosstable.cli.office_common import acting, count, verb
from crosstable.cli.office_ledger import read_bytes
from crosstable.cli.output import day, print_findings, print_json
from crosstable.cli.progress import progress_bar
from crosstable.errors import OfficeError
from crosstable.office.storage import clock

if TYPE_CHECKING:
    from crosstable.office.reports.fide_events import Adjusted, MembersUnclearError


def register(subparsers: Any) -> None:
    parser = verb(subparsers, "fide", "foreign FIDE events of one FIDE list", fide)
    parser.add_argument("file", nargs="+")
    parser.add_argument(
        "--list", type=day, required=True, dest="list_date", metavar="DATE", help="the day of the FIDE list"
    )
    parser.add_argument(
        "--member",
        action="append",
        default=[],
        metavar="FIDE_ID=ID",
        help="a player of a FIDE report is this member; the FIDE ID is saved with the member",
    )
    parser.add_argument(
        "--not-member", action="append", default=[], metavar="FIDE_ID", help="a player of a FIDE report is not a member"
    )
    parser = verb(subparsers, "fide-desk", "whose games abroad changed a rating, whose did not, and why", fide_players)
    parser.add_argument("--list", type=day, dest="list_date", metavar="DATE", help="of one FIDE list (default: of all)")
    parser = verb(
        subparsers, "cfc-desk", "players with a CFC rating and no US Chess rating, to be converted", cfc_players
    )
    parser.add_argument("--on", type=day, metavar="DATE", help="ratings of this day (default: today)")
    parser = verb(
        subparsers, "pairs", "players with two ratings, for `convert-rating fit` (1996 report, B)", print_pairs
    )
    parser.add_argument("source", choices=("fide", "cfc"))
    parser.add_argument(
        "--on", type=day, metavar="DATE", default=clock.today(), help="ratings of this day (default: today)"
    )
    parser.add_argument("--out", metavar="FILE", help="write the pairs there, foreign and own, one pair a line")
    parser = verb(
        subparsers, "export", "the three history tables of the office, for the lab and `office import`", export
    )
    parser.add_argument("folder", metavar="DIR")


def fide(args: argparse.Namespace) -> int:
    from crosstable import office
    from crosstable.office.people.rights import Actor
    from crosstable.office.reports.fide_events import MembersUnclearError, fide_desk

    files = [(Path(path).name, read_bytes(Path(path))) for path in args.file]
    answers = _answers(args)
    try:
        with progress_bar("rating", quiet=args.json):
            done = office.import_fide_batch(acting(args, "event.accept"), args.list_date, files, answers)
    except MembersUnclearError as unclear:
        _print_options(unclear)
        raise
    answer: dict[str, Any] = {"batch": done.id, "list": str(done.list_date), "accepted": list(done.accepted)}
    answer["files"] = [
        {"file": name, "outcome": one.outcome, "message": one.message}
        for (name, _), one in zip(files, done.submitted, strict=True)
    ]
    for (name, _), one in zip(files, done.submitted, strict=True):
        print_findings(one.findings, name)
    rows = fide_desk(Actor.installation(), events=done.accepted)
    if args.json:
        print_json({**answer, "players": [one.as_json() for one in rows]})
        return 0
    for (name, _), one in zip(files, done.submitted, strict=True):
        print(f"{name}: {one.event}: {'taken' if one.event in done.accepted else one.message}")
    print(f"FIDE list of {done.list_date}: {count(len(done.accepted), 'event')} taken")
    _print_adjusted(rows)
    return 0


def _answers(args: argparse.Namespace) -> dict[str, str]:
    """Return FIDE ID → the member's, or nothing for players who are not members."""
    pairs = [text.partition("=") for text in args.member]
    if wrong := [text for text, (_, _, member) in zip(args.member, pairs, strict=True) if not member]:
        raise OfficeError(f"--member {wrong[0]}: give FIDE_ID=ID, such as --member 2000001=12345678")
    members = {fide_id.strip(): member.strip() for fide_id, _, member in pairs}
    return {**members, **{fide_id.strip(): "" for fide_id in args.not_member}}


def _print_options(unclear: MembersUnclearError) -> None:
    """Print how to answer each question."""
    for one in unclear.questions:
        yes = " or ".join(f"--member {one.key}={number}" for number, _ in one.members)
        print(f"{one.name}: {yes}; if not a member: --not-member {one.key}", file=sys.stderr)


def _print_adjusted(rows: Sequence[Adjusted]) -> None:
    """Whose games counted, and of the others why not."""
    for one in rows:
        what = f"adjusted {one.before:g} → {one.after:g}" if one.adjusted else f"not adjusted: {one.reason}"
        where = one.event or f"FIDE list of {one.list_date}, {count(one.games, 'game')}"
        print(f"  {one.name} ({one.player}), {where}: {what}")


def _printed_as_json(args: argparse.Namespace, rows: Sequence[Any]) -> bool:
    """Whether JSON was asked for, and is now printed."""
    if args.json:
        print_json([one.as_json() for one in rows])
    return bool(args.json)


def fide_players(args: argparse.Namespace) -> int:
    from crosstable.office.reports.fide_events import fide_desk

    rows = fide_desk(acting(args, "event.review"), args.list_date)
    if _printed_as_json(args, rows):
        return 0
    print(f"{count(sum(one.adjusted for one in rows), 'rating')} adjusted, {sum(not one.adjusted for one in rows)} not")
    _print_adjusted(rows)
    return 0


def cfc_players(args: argparse.Namespace) -> int:
    from crosstable.office.players.cfc_desk import RATED, WAITING, cfc_desk

    rows = cfc_desk(acting(args, "event.review"), args.on)
    if _printed_as_json(args, rows):
        return 0
    open_ones = [one for one in rows if one.state != RATED]
    print(f"{count(len(open_ones), 'player')} with a CFC rating and no US Chess rating")
    for one in rows:
        what = f"converts to {one.converted:g}" if one.converted is not None else one.reason
        where = {WAITING: f", in event {one.event}, which waits", RATED: f", first rated in event {one.event}"}
        said = where.get(one.state, "")
        print(f"  {one.name} ({one.player}){said}: CFC {one.cfc:g} of {one.list_date}, {what}")
    return 0


def print_pairs(args: argparse.Namespace) -> int:
    from crosstable.office.queries.pairs import pairs

    rows = pairs(acting(args, "event.review"), args.source, args.on)
    if args.out:
        lines = ["foreign,own", *(f"{one.foreign:g},{one.own:g}" for one in rows)]
        Path(args.out).write_text("\n".join(lines) + "\n", encoding="utf-8")
    if _printed_as_json(args, rows):
        return 0
    if args.out:
        print(f"{count(len(rows), 'pair')} in {args.out}: `crosstable convert-rating fit {args.out}`")
    else:
        for one in rows:
            print(f"{one.foreign:g},{one.own:g}")
    return 0


def export(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from crosstable.office.history.exporting import export_history

    with progress_bar("writing the tables", quiet=args.json):
        done = export_history(acting(args, "event.review"), Path(args.folder))
    if args.json:
        print_json(asdict(done))
        return 0
    words = f"{done.sections:,} sections, {done.players:,} players, {done.games:,} games, {done.decisions:,} decisions"
    print(f"{words} in {args.folder}")
    if not done.differs:
        print("An office with the same settings that imports them has the same ratings.")
    for reason in done.differs:
        print(f"Ratings made from them may be others: {reason}.")
    return 0
