"""The office's verbs for events and ratings."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from crosstable.cli import office_reading
from crosstable.cli.given import add_assumed_games, add_given, read_given
from crosstable.cli.office_common import (
    ACCEPTED,
    CORRECTED,
    RATED_AGAIN,
    WITHDRAWN,
    acting,
    at_own_console,
    print_answer,
    print_proposal,
    print_ratings_changed,
    progress_bar,
    verb,
)
from crosstable.cli.output import day, new_file, print_findings, print_json, whole
from crosstable.cli.tables import print_table
from crosstable.errors import CrosstableError
from crosstable.systems import split_names
from crosstable.systems.us_chess.pools import MAIN


def register(subparsers: Any) -> None:
    _init(subparsers)
    _events(subparsers)
    _ratings(subparsers)
    _floors(subparsers)


def _init(subparsers: Any) -> None:
    parser = verb(subparsers, "init", "make a new office in the database", init)
    parser.add_argument("--name", default="Rating office")
    parser.add_argument("--profile", default="as-written", help="as-written or as-practised")
    parser.add_argument(
        "--system", action="append", default=[], metavar="[KIND=]NAME[,NAME…]",
        help="the systems that rate sections (of a kind); default us_chess",
    )  # fmt: skip
    parser.add_argument("--titles", default="2010", choices=("1996", "2010", "none"))
    parser.add_argument("--prison-rules", action="store_true", help="the prison rules of the 1996 report")


def _events(subparsers: Any) -> None:
    parser = verb(subparsers, "submit", "put event files into the review queue", submit)
    parser.add_argument("file", nargs="+")
    parser.add_argument("--id", default="", help="the event's id (one file only)")
    _given(parser)
    parser = verb(subparsers, "import", "a whole history from its three tables", import_history)
    parser.add_argument("folder", metavar="DIR")
    parser = verb(subparsers, "review", "what waits for review, with findings", review)
    parser.add_argument("event", nargs="?", default="")
    parser = verb(
        subparsers, "submissions", "the files of an event, or files that could not become an event", submissions
    )
    parser.add_argument("event", nargs="?", default="")
    parser = verb(subparsers, "original", "a submitted file again, byte by byte", original)
    parser.add_argument("number", type=whole, help="of the submission")
    parser.add_argument("out", metavar="OUT")
    for name, words, call in (
        ("accept", "rate an event, and everything after it that it touches", accept),
        ("withdraw", "take an event out again", withdraw),
    ):
        parser = verb(subparsers, name, words, call)
        parser.add_argument("event", nargs="+" if name == "accept" else None)
        parser.add_argument("--reason", default="")
        parser.add_argument("--preview", action="store_true", help="show what would change; write nothing")
    parser = verb(subparsers, "correct", "another content for an event: a new revision", correct)
    parser.add_argument("event")
    parser.add_argument("file")
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
    parser = verb(subparsers, "rerate", "compute every rating anew", rerate)
    parser.add_argument("--preview", action="store_true", help="show what would change; write nothing")
    parser.add_argument("--reason", default="")
    parser = verb(subparsers, "trace", "the work behind a rating, recomputed", trace)
    parser.add_argument("event")
    parser.add_argument("section", type=whole)
    parser.add_argument("player")
    parser.add_argument("pool")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--private", action="store_true", help="with what would give an age away (officers)")
    form.add_argument("--public", action="store_true", help="as everybody may see it")
    parser = verb(subparsers, "adjust", "propose a rating, ceiling or life master; a second officer approves", adjust)
    parser.add_argument("player")
    parser.add_argument("pool")
    parser.add_argument("--on", type=day, required=True, metavar="DATE", help="from the beginning of this day on")
    parser.add_argument("--rating", type=float)
    parser.add_argument("--games", type=int)
    ceiling = parser.add_mutually_exclusive_group()
    ceiling.add_argument("--ceiling", type=float)
    ceiling.add_argument("--no-ceiling", action="store_true", help="lift a ceiling")
    parser.add_argument("--life-master", action=argparse.BooleanOptionalAction)
    parser.add_argument("--reason", default="")
    parser.add_argument("--preview", action="store_true", help="show what would change; write nothing")
    parser = verb(subparsers, "adjustments", "the adjustments of a player, with their numbers", decisions)
    parser.add_argument("player")
    parser = verb(subparsers, "revoke", "propose to take an adjustment back; a second officer approves", revoke)
    parser.add_argument("number", type=whole)
    parser.add_argument("--reason", required=True)


def _floors(subparsers: Any) -> None:
    parser = verb(subparsers, "floors", "floor requests: show, make, grant or refuse them; prize floors", floors)
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--grant", type=whole, metavar="REQUEST")
    act.add_argument("--refuse", type=whole, metavar="REQUEST")
    act.add_argument(
        "--request", nargs=3, metavar=("PLAYER", "EVENT", "SECTION"), help="ask for a lower floor after a match"
    )
    act.add_argument("--prize", nargs=5, metavar=("PLAYER", "EVENT", "SECTION", "UNDER", "DOLLARS"))
    parser.add_argument("--pool", default=MAIN, help="the rating that a prize or a request is about")
    parser.add_argument("--reason", default="")
    parser.add_argument(
        "--preview", action="store_true", help="of --grant or --prize: what would change; write nothing"
    )
    parser.add_argument("--all", action="store_true", help="show those that are decided, too")


def init(args: argparse.Namespace) -> int:
    from crosstable import office
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
    with writing():
        titles = "" if args.titles == "none" else args.titles
        row = office_settings.create(args.name, systems or None, args.profile, titles, args.prison_rules)
        record(actor.name, "office.init", "office", "", {"systems": row.systems, "profile": row.profile})
    answer = {"name": row.name, "systems": row.systems, "profile": row.profile, "titles": row.titles}
    words = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in row.systems.items())
    print_json(answer) if args.json else print(f"{row.name}: ready, rated by {words} ({row.profile})")
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
        done = office.submit(actor, data, name, args.id, reading, assume_games=args.assume_games)
        print_findings(done.findings, path)
        if args.json:
            found = [str(finding) for finding in done.findings]
            print_json(
                {"file": path, "outcome": done.outcome, "event": done.event, "message": done.message, "findings": found}
            )
        else:
            print(f"{path}: {done.event or done.outcome}: {done.message}")
        status = max(status, 0 if done.ok else 1)
    return status


def read_bytes(path: Path) -> bytes:
    """A file as it is; a folder that holds a report as an archive of its files."""
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

    done = office.import_history(acting(args, "history.import"), Path(args.folder), progress_bar(args))
    if args.json:
        print_json(asdict(done))
    elif done.already:
        print("the office has these tables already: nothing to do")
    else:
        print(f"{done.sections:,} sections, {done.players:,} players, {done.games:,} games: {done.ratings:,} ratings")
        if done.refused:
            print(f"{done.refused:,} sections cannot be rated in all the office's systems: `office trace` says why")
    return 0


def review(args: argparse.Namespace) -> int:
    from crosstable import office

    waiting = office.review(acting(args, "event.review"), args.event)
    if args.json:
        print_json([{**_columns(one), "findings": [str(finding) for finding in one.findings]} for one in waiting])
        return 0
    columns = ("event", "name", "end", "players", "games", "by", "acceptable")
    rows = [
        (one.event, one.name, one.end, one.players, one.games, one.by, "yes" if one.acceptable else "no")
        for one in waiting
    ]
    print_table(columns, rows)
    for one in waiting:
        print_findings(one.findings, one.event)
    return 0


def _columns(one: Any) -> dict[str, Any]:
    names = ("event", "name", "start", "end", "players", "games", "by", "at", "acceptable")
    return {name: getattr(one, name) for name in names}


def accept(args: argparse.Namespace) -> int:
    from crosstable import office

    actor = acting(args, "event.accept")
    if len(args.event) > 1:
        if args.preview:
            raise CrosstableError("--preview shows one event: name one")
        return print_ratings_changed(args, office.accept_many(actor, args.event, args.reason), ACCEPTED)
    (number,) = args.event
    status = print_ratings_changed(args, office.accept(actor, number, args.reason, preview=args.preview), ACCEPTED)
    if not args.json and not args.preview:
        print()
        office_reading.event(argparse.Namespace(event=number, json=False))
    return status


def withdraw(args: argparse.Namespace) -> int:
    from crosstable import office

    actor = acting(args, "event.withdraw")
    return print_ratings_changed(args, office.withdraw(actor, args.event, args.reason, preview=args.preview), WITHDRAWN)


def correct(args: argparse.Namespace) -> int:
    from crosstable import office

    actor, path = acting(args, "event.correct"), Path(args.file)
    reading = read_given(path, args)
    done = office.correct(
        actor, args.event, read_bytes(path), path.name, args.reason, preview=args.preview, reading=reading,
        assume_games=args.assume_games, record_only=args.record_only,
    )  # fmt: skip
    return print_ratings_changed(args, done, CORRECTED)


def rerate(args: argparse.Namespace) -> int:
    from crosstable import office

    actor = acting(args, "rating.rerate")
    return print_ratings_changed(
        args, office.rerate(actor, args.reason, preview=args.preview, progress=progress_bar(args)), RATED_AGAIN
    )


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
    answer = office.trace(args.event, args.section, args.player, args.pool, public=not everything)
    if args.json:
        steps = [
            {"title": step.title, "text": step.text, "value": step.value, "source": step.source}
            for step in answer.trace
        ]
        print_json({**answer.values, "trace": steps})
        return 0
    for step in answer.trace:
        print(f"{step.title}: {step.text}" + (f"  [{step.source}]" if step.source else ""))
    return 0


def adjust(args: argparse.Namespace) -> int:
    from crosstable.office.decisions import adjustments

    actor = acting(args, "rating.adjust")
    given = {
        "rating": args.rating,
        "games": args.games,
        "ceiling": args.ceiling,
        "life_master": args.life_master,
    }
    fields = {name: value for name, value in given.items() if value is not None}
    if args.no_ceiling:
        fields["ceiling"] = None
    if args.preview:
        return print_ratings_changed(
            args, adjustments.preview(actor, args.player, args.pool, args.on, fields, args.reason)
        )
    return print_proposal(args, adjustments.propose(actor, args.player, args.pool, args.on, fields, args.reason).pk)


def revoke(args: argparse.Namespace) -> int:
    from crosstable.office.decisions import adjustments

    return print_proposal(
        args, adjustments.propose_revoking(acting(args, "rating.adjust"), args.number, args.reason).pk
    )


def decisions(args: argparse.Namespace) -> int:
    from crosstable.office.decisions import adjustments

    rows = adjustments.decisions(acting(args, "rating.preview"), args.player)
    if args.json:
        print_json(rows)
    elif rows:
        print_table(tuple(rows[0]), [tuple({**row, "set": _words(row["set"])}.values()) for row in rows])
    else:
        print(f"no adjustments of {args.player}")
    return 0


def _words(fields: dict[str, Any]) -> str:
    """`rating 1500, games 12`; what is lifted says so."""
    shown = {None: "lifted", True: "yes", False: "no"}
    return ", ".join(
        f"{name.replace('_', ' ')} {shown[value] if value is None or isinstance(value, bool) else format(value, 'g')}"
        for name, value in fields.items()
    )


def floors(args: argparse.Namespace) -> int:
    from crosstable.office.decisions import floors as decisions

    if args.grant or args.refuse:
        actor = acting(args, "floor.decide")
        done = decisions.decide(actor, args.grant or args.refuse, bool(args.grant), args.reason, preview=args.preview)
        row = done.request
        if args.json:
            answer = {"request": row.id, "player": row.player.number, "status": row.status}
            print_json({**answer, **done.changed.as_json()})
            return 0
        print(f"floor request {row.id} of {row.player.number} {'would be' if args.preview else 'is'} {row.status}")
        return print_ratings_changed(args, done.changed) if args.grant else 0
    if args.request:
        return _floor_request(args)
    if args.prize:
        return _prize_floor(args)
    rows = list(decisions.requests(acting(args, "event.review"), "" if args.all else "asked"))
    if args.json:
        print_json(rows)
    else:
        columns = ("request", "player", "name", "pool", "event", "section", "floor", "wanted", "status", "words")
        print_table(columns, [tuple(row[name] for name in columns) for row in rows])
    return 0


def _floor_request(args: argparse.Namespace) -> int:
    from crosstable.office.decisions import floors as decisions

    player, event, section = args.request
    actor = acting(args, "floor.request")
    row = decisions.request(actor, player, event, _number(section, "section"), args.reason, args.pool)
    answer = {"request": row.id, "player": player, "pool": row.pool, "floor": row.floor, "wanted": row.wanted}
    return print_answer(
        args, answer, f"floor request {row.id} of {player}: from {row.floor:g} to {row.wanted:g}, waits for an officer"
    )


def _prize_floor(args: argparse.Namespace) -> int:
    from crosstable.office.decisions import prizes

    player, event, section, under, dollars = args.prize
    numbers = _number(section, "section"), _amount(under, "rating limit"), _amount(dollars, "number of dollars")
    actor, prize = acting(args, "floor.write"), prizes.Prize(event, *numbers)
    made = prizes.prize_floor(actor, player, prize, args.reason, args.pool, preview=args.preview)
    if args.json:
        print_json(made.as_json())
        return 0
    verb = "would be" if args.preview else "is"
    print(f"The {made.pool} floor of {made.player} {verb} {made.floor:g} from {made.date} on.")
    return print_ratings_changed(args, made.changed)


def _number(text: str, what: str) -> int:
    try:
        return whole(text)
    except argparse.ArgumentTypeError as problem:
        raise CrosstableError(f"{problem}, as a {what} has") from None


def _amount(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise CrosstableError(f"'{text}' is no {what}") from None


def submissions(args: argparse.Namespace) -> int:
    from crosstable.office.events import submitted_files

    rows = submitted_files.submissions(acting(args, "event.review"), args.event)
    if args.json:
        print_json(rows)
        return 0
    columns = tuple(name for name in submitted_files.COLUMNS if name != "findings")
    print_table(columns, [tuple(row[name] for name in columns) for row in rows])
    return 0


def original(args: argparse.Namespace) -> int:
    from crosstable.office.events import submitted_files

    data = submitted_files.original(acting(args, "event.review"), args.number)
    new_file(args.out).write_bytes(data)
    answer = {"submission": args.number, "file": args.out, "bytes": len(data)}
    return print_answer(args, answer, f"{args.out}: {len(data):,} bytes, as they came in")
