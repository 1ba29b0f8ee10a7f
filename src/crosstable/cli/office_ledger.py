"""The office's verbs for events and ratings."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crosstable.cli.given import add_assumed_games, add_given, read_given
from crosstable.cli.office_common import (
    CORRECTED,
    RATED_AGAIN,
    WITHDRAWN,
    acting,
    at_own_console,
    print_answer,
    print_ratings_changed,
    verb,
)
from crosstable.cli.output import new_file, plain, pool_name, print_findings, print_json, whole
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table
from crosstable.errors import CrosstableError
from crosstable.federations import NAMES as FEDERATIONS
from crosstable.model import Answer, errors
from crosstable.systems import split_names
from crosstable.words.derivation import Names, citation, derivation_json, names_of, say, title
from crosstable.words.findings import findings_to_json

if TYPE_CHECKING:
    from crosstable.office.people.rights import Actor
    from crosstable.office.rating.rerating import Rerated


def register(subparsers: Any) -> None:
    _init(subparsers)
    _events(subparsers)
    _ratings(subparsers)


def _init(subparsers: Any) -> None:
    parser = verb(subparsers, "init", "make a new office in the database", init)
    parser.add_argument("--name", default="", help="the office's name (default: the federation's)")
    parser.add_argument(
        "--federation",
        default="",
        metavar="NAME|FILE",
        help=f"what the office is for: {', '.join(FEDERATIONS)}, or a TOML file of your own (default: us_chess)",
    )
    parser.add_argument("--profile", default="as-written", help="as-written or as-practised")
    parser.add_argument(
        "--system",
        action="append",
        default=[],
        metavar="[KIND=]NAME[,NAME…]",
        help="the systems that rate sections (of a kind); default: the federation's",
    )
    parser.add_argument(
        "--titles",
        choices=("1996", "2010", "none"),
        help="the title system that the office keeps (default: the federation's)",
    )
    parser.add_argument("--prison-rules", action="store_true", help="the prison rules of the 1996 report")
    parser = verb(subparsers, "federation", "show what the office is for, or change it", federation)
    parser.add_argument(
        "profile", nargs="?", metavar="NAME|FILE", help="the new profile; its systems must be the office's"
    )


def _events(subparsers: Any) -> None:
    parser = verb(subparsers, "submit", "put event files into the review queue", submit)
    parser.add_argument("file", nargs="+")
    parser.add_argument("--id", default="", help="the event's id (one file only)")
    _given(parser)
    parser = verb(subparsers, "import", "import a whole history from its three tables", import_history)
    parser.add_argument("folder", metavar="DIR")
    parser = verb(
        subparsers, "submissions", "the files of an event, or files that could not become an event", submissions
    )
    parser.add_argument("event", nargs="?", default="")
    parser = verb(subparsers, "original", "a submitted file, exactly as it was sent", original)
    parser.add_argument("number", type=whole, help="of the submission")
    parser.add_argument("out", metavar="OUT")
    parser = verb(subparsers, "withdraw", "withdraw an event", withdraw)
    parser.add_argument("event")
    parser.add_argument("--reason", default="")
    parser.add_argument("--preview", action="store_true", help="show what would change; write nothing")
    parser = verb(subparsers, "correct", "correct an event: a new version of its report", correct)
    parser.add_argument("event")
    parser.add_argument("file", nargs="?")
    parser.add_argument(
        "--result",
        nargs=4,
        action="append",
        metavar=("ROUND", "WHO", "SCORE", "WHO"),
        help=(
            'instead of a file, one result: 3 "Ann Ames" 1-0 "Bo Bird"; WHO is an id, a pairing number, a name or part'
            " of it"
        ),
    )
    parser.add_argument(
        "--supernorm",
        choices=("yes", "no"),
        help="instead of a file, whether supernorms can be earned in the event (1996), whatever its name is",
    )
    parser.add_argument(
        "--section", type=whole, help="of the results, where the two play in several; or of --supernorm (default: all)"
    )
    parser.add_argument("--reason", default="")
    parser.add_argument("--preview", action="store_true", help="show what would change; write nothing")
    parser.add_argument(
        "--record-only", action="store_true", help="correct results in the record, and leave ratings alone"
    )
    _given(parser)
    parser = verb(subparsers, "history", "the revisions of an event", revisions)
    parser.add_argument("event")


def _given(parser: argparse.ArgumentParser) -> None:
    add_given(parser)
    add_assumed_games(parser, "; the log tells it")


def _ratings(subparsers: Any) -> None:
    parser = verb(subparsers, "rerate", "recompute every rating", rerate)
    parser.add_argument("--preview", action="store_true", help="show what would change; write nothing")
    parser.add_argument("--reason", default="")
    parser = verb(subparsers, "trace", "show how a rating was computed", trace)
    parser.add_argument("event")
    parser.add_argument("section", type=whole)
    parser.add_argument("player", help="an id, a pairing number, a name or part of it")
    parser.add_argument("pool", type=pool_name, nargs="?", help="default: every pool in which the section is rated")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--private", action="store_true", help="with numbers that would reveal an age (officers)")
    form.add_argument("--public", action="store_true", help="as the public sees it")


def init(args: argparse.Namespace) -> int:
    from crosstable import federations, office
    from crosstable.office.audit.log import record
    from crosstable.office.ledger import office_settings
    from crosstable.office.storage.database import writing

    office.migrate()
    actor = acting(args, "office.init")
    systems: dict[str, list[str]] = {}
    for one in args.system:
        kind, given, names = one.partition("=")
        if not given or ":" in kind:  # the = of an option
            kind, names = office_settings.DEFAULT, one
        systems[kind] = split_names(names)
    works_for = federations.federation(args.federation) if args.federation else None
    kept = works_for or (federations.for_systems(systems) if systems else federations.federation(federations.DEFAULT))
    titles = kept.titles if args.titles is None else args.titles.replace("none", "")
    name = args.name or (works_for.name if works_for else "Rating office")
    with writing():
        row = office_settings.create(
            name, systems or None, args.profile, titles, args.prison_rules, works_for=works_for
        )
        record(actor.name, "office.init", "office", "", {"systems": row.systems, "profile": row.profile})
    answer = {"name": row.name, "systems": row.systems, "profile": row.profile, "titles": row.titles}
    words = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in row.systems.items())
    print_json(answer) if args.json else print(f"{row.name}: ready, rated by {words} ({row.profile})")
    return 0


def federation(args: argparse.Namespace) -> int:
    """Show the office's profile as TOML, or take a new one."""
    from crosstable import federations
    from crosstable.office.people import settings

    if args.profile:
        wanted = federations.federation(args.profile)
        settings.change_federation(acting(args, "office.settings"), wanted)
    current = settings.current_federation()
    print_json(current.to_json()) if args.json else print(federations.to_toml(current), end="")
    return 0


def submit(args: argparse.Namespace) -> int:
    from crosstable import office

    if args.id and len(args.file) > 1:
        raise CrosstableError("--id names one event: submit one file")
    actor = acting(args, "event.submit")
    status = 0
    for path in args.file:
        reading = read_given(path, args)
        data, name = read_bytes(Path(path)), Path(path).name
        done = office.submit(actor, data, name, args.id, office.Added(reading, args.assume_games))
        print_findings(done.findings, path, reading.draft)
        if args.json:
            found = findings_to_json(done.findings, reading.draft, path)
            print_json(
                {"file": path, "outcome": done.outcome, "event": done.event, "message": done.message, "findings": found}
            )
        else:
            print(f"{path}: {done.event or done.outcome}: {done.message}")
        wrong = bool(errors(done.findings))
        if wrong and done.outcome == "queued":
            print(f"{path}: it cannot be accepted as it is: {_way_to_mend(actor, done.event)}", file=sys.stderr)
        status = max(status, 0 if done.ok and not wrong else 1)
    return status


def _way_to_mend(actor: Actor, event: str) -> str:
    if actor.may("event.correct"):
        return f"fix the file, then `office correct {event} FILE --reason WHY`"
    return f"`office withdraw {event}`, fix the file, then submit it again"


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file; for a folder that holds a report, an archive of its files."""
    import io
    import zipfile

    try:
        if not path.is_dir():
            return path.read_bytes()
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            for item in sorted(path.iterdir()):
                if item.is_file():
                    archive.writestr(zipfile.ZipInfo(item.name), item.read_bytes())
        return data.getvalue()
    except OSError as problem:
        raise CrosstableError(f"{path}: {problem.strerror or problem}") from problem


def import_history(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from crosstable import office

    actor = acting(args, "history.import")
    with progress_bar("games rated", quiet=args.json) as report:
        done = office.import_history(actor, Path(args.folder), report)
    if args.json:
        print_json(asdict(done))
    elif done.already:
        print("the office has these tables already: nothing to do")
    else:
        print(f"{done.sections:,} sections, {done.players:,} players, {done.games:,} games: {done.ratings:,} ratings")
        if done.refused:
            print(f"{done.refused:,} sections cannot be rated in all the office's systems: `office trace` says why")
    return 0


def withdraw(args: argparse.Namespace) -> int:
    from crosstable import office

    actor = acting(args, "event.withdraw")
    with progress_bar("rating again", quiet=args.json):
        done = office.withdraw(actor, args.event, args.reason, preview=args.preview)
    return print_ratings_changed(args, done, WITHDRAWN)


def correct(args: argparse.Namespace) -> int:
    from crosstable.office.ledger.models import Event
    from crosstable.office.reports.events import find

    if sum(bool(one) for one in (args.file, args.result, args.supernorm)) != 1:
        print(
            "crosstable: office correct takes a FILE, --result ROUND WHO SCORE WHO or --supernorm, one of the three",
            file=sys.stderr,
        )
        return 2
    done = _with_file(args) if args.file else _with_results(args) if args.result else _with_mark(args)
    print_ratings_changed(args, done, CORRECTED)
    if not (args.json or args.preview) and find(args.event).status == Event.SUBMITTED:
        print(f"It waits for review: now `office accept {args.event}`.")
    return 0


def _with_file(args: argparse.Namespace) -> Rerated:
    from crosstable import office

    actor, path = acting(args, "event.correct"), Path(args.file)
    reading = read_given(path, args)
    with progress_bar("rating again", quiet=args.json):
        return office.correct(
            actor,
            args.event,
            read_bytes(path),
            path.name,
            args.reason,
            preview=args.preview,
            record_only=args.record_only,
            added=office.Added(reading, args.assume_games),
        )


def _with_results(args: argparse.Namespace) -> Rerated:
    from crosstable.office.reports import result_corrections

    actor, said = acting(args, "event.correct"), [result_corrections.Said(*one) for one in args.result]
    with progress_bar("rating again", quiet=args.json):
        lines, ratings = result_corrections.correct(
            actor,
            args.event,
            said,
            args.reason,
            section=args.section,
            preview=args.preview,
            record_only=args.record_only,
        )
    if not args.json:
        for line in lines:
            print(plain(line))
    return ratings


def _with_mark(args: argparse.Namespace) -> Rerated:
    from crosstable.office.reports import supernorm_marks

    return supernorm_marks.mark(
        acting(args, "event.correct"),
        args.event,
        supernorm=args.supernorm == "yes",
        reason=args.reason,
        section=args.section,
        preview=args.preview,
    )


def rerate(args: argparse.Namespace) -> int:
    from crosstable import office

    actor = acting(args, "rating.rerate")
    with progress_bar("games rated", quiet=args.json) as report:
        done = office.rerate(actor, args.reason, preview=args.preview, progress=report)
    return print_ratings_changed(args, done, RATED_AGAIN)


def revisions(args: argparse.Namespace) -> int:
    from crosstable import office

    rows = office.revisions(args.event)
    if args.json:
        print_json(rows)
    else:
        print_table(("revision", "kind", "by", "at", "reason"), [tuple(row.values()) for row in rows])
    return 0


def trace(args: argparse.Namespace) -> int:
    from crosstable import office
    from crosstable.office.people.rights import require

    everything = args.private or (not args.public and at_own_console(args))
    if everything:
        require(acting(args, "player.read_private"), "player.read_private")
    pools = (args.pool,) if args.pool else ()
    answers = office.traces(args.event, args.section, args.player, pools, public=not everything)
    section = next(one for one in office.document(args.event).sections if one.number == args.section)
    names = names_of(section) if everything else {}
    if args.json:
        found = [_trace_json(answer, names) for answer in answers]
        print_json(found[0] if args.pool else found)
        return 0
    for answer in answers:
        if len(answers) > 1:
            print(f"{answer.pool}:")
        for step in answer.derivation:
            source = citation(step.cite)
            print(f"{title(step)}: {say(step, names)}" + (f"  [{source}]" if source else ""))
    return 0


def _trace_json(answer: Answer, names: Names) -> dict[str, Any]:
    return {"pool": answer.pool, **answer.values, "derivation": derivation_json(answer, names)}


def submissions(args: argparse.Namespace) -> int:
    from crosstable.office.reports import submissions

    rows = submissions.submissions(acting(args, "event.review"), args.event)
    if args.json:
        print_json(rows)
        return 0
    columns = tuple(name for name in submissions.COLUMNS if name != "findings")
    print_table(columns, [tuple(row[name] for name in columns) for row in rows])
    return 0


def original(args: argparse.Namespace) -> int:
    from crosstable.office.reports import submissions

    data = submissions.original(acting(args, "event.review"), args.number)
    new_file(args.out).write_bytes(data)
    answer = {"submission": args.number, "file": args.out, "bytes": len(data)}
    return print_answer(args, answer, f"{args.out}: {len(data):,} bytes, as they came in")
