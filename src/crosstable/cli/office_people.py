"""The office's verbs for what takes two officers, lists, the audit log and backups."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from crosstable.cli.office_common import acting, count, print_answer, print_changes, print_rows, verb
from crosstable.cli.output import day, new_file, pool_name, print_json, whole
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table
from crosstable.cli.understood import few
from crosstable.errors import OfficeError
from crosstable.systems.us_chess.pools import MAIN


def register(subparsers: Any) -> None:
    _two_officers(subparsers)
    _lists(subparsers)
    _audit(subparsers)
    _archives(subparsers)


def _two_officers(subparsers: Any) -> None:
    parser = verb(subparsers, "publish", "propose the list of a month; a second officer approves", publish)
    parser.add_argument("date", type=day, help="the first of a month")
    parser.add_argument("--reason", default="the list of the month")
    parser.add_argument("--preview", action="store_true", help="show what the list would say; propose nothing")
    parser.add_argument("--top", type=whole, default=100, help="how long top lists are")
    parser.add_argument(
        "--prison-off-top-lists", action="store_true", help="leave prison members off every top list (1996)"
    )
    parser = verb(
        subparsers, "proposals", "show proposals that need a second officer, or one of them and its effect", proposals
    )
    parser.add_argument("number", type=whole, nargs="?")
    yes = verb(subparsers, "approve", "approve another officer's proposal, which carries it out", approve)
    yes.add_argument("number", type=whole)
    no = verb(subparsers, "refuse", "refuse a proposal, or withdraw one's own", refuse)
    no.add_argument("number", type=whole)
    no.add_argument("--reason", required=True)


def _lists(subparsers: Any) -> None:
    parser = verb(subparsers, "lists", "published lists: all, one's report, its ratings, a top list, an export", lists)
    parser.add_argument("date", type=day, nargs="?", help="of one list")
    parser.add_argument("--pool", type=pool_name, help="print these ratings: regular, quick … or OTBR, OTBQ …")
    parser.add_argument("--top", metavar="GROUP", help='"overall", "women", "under 13", "state OH", "most improved", …')
    parser.add_argument("--size", type=whole, default=100, help="how many places")
    parser.add_argument("--export", metavar="FILE", help="write the list: .csv, .tsv, .xlsx, .dbf or .json")
    parser.add_argument("--active", action="store_true", help="active players only")
    parser.add_argument("--live", action="store_true", help="official against live ratings")


def _audit(subparsers: Any) -> None:
    parser = subparsers.add_parser("audit", help="the audit log", description="The audit log.")
    acts = parser.add_subparsers(dest="audit_act", metavar="ACT", required=True)
    check = verb(acts, "verify", "read the whole log and every list; exit 1 if anything was changed", audit_verify)
    check.add_argument("--head", action="append", default=[], metavar="COUNT:HASH", help="a head printed on a list")
    check.add_argument(
        "--anchor", action="append", default=[], metavar="FILE", help="a backup, a list or a note that holds a head"
    )
    check.add_argument("--quick", action="store_true", help="do not recompute every rating")
    _trust(check)
    verb(acts, "head", "print the signed end of the log, to store elsewhere", audit_head)
    log = verb(acts, "log", "the last entries", audit_log)
    log.add_argument("--last", type=whole, default=20, help="how many")
    log.add_argument("--by", default="", metavar="USER", help="only this user's acts")
    log.add_argument("--act", default="", help="only these acts: floor.decide, or floor for all that begin so")
    log.add_argument("--about", default="", help="only what names this: player:30000001, list:, event:")
    log.add_argument("--word", default="", help="only entries with this in their reason or details")
    log.add_argument("--since", type=day, metavar="DATE", help="acts of this day or later")
    log.add_argument("--until", type=day, metavar="DATE", help="acts of this day or earlier")


def _archives(subparsers: Any) -> None:
    save = verb(subparsers, "backup", "back up everything into one file, while the office is in use", backup)
    save.add_argument("file")
    save.add_argument("--passphrase-file", metavar="FILE", help="encrypt it with the passphrase in this file")
    load = verb(subparsers, "restore", "restore a backup into an empty database, and verify it by replay", restore)
    load.add_argument("file")
    _trust(load)
    chosen = verb(subparsers, "settings", "the office's settings, with what each does", settings)
    chosen.add_argument("--name", help="give the office another name")
    chosen.add_argument(
        "--previews-a-day", type=int, metavar="N", help="limit previews for each player whose age would move a rating"
    )
    chosen.add_argument(
        "--four-eyes", choices=("yes", "no"), help="whether another officer decides on what an officer has sent in"
    )
    chosen.add_argument(
        "--first-ratings",
        choices=("as-rated", "without-age"),
        help="publish ratings as the rules compute them, or only when they no longer depend on a newcomer's age",
    )
    chosen.add_argument("--contact", help="an e-mail address or a page, shown on every page; '' shows none")
    chosen.add_argument(
        "--sign-up", choices=("closed", "invitation", "open"), help="how players and directors get an account"
    )
    tables = verb(subparsers, "upgrade", "bring the tables of an earlier version up to date", upgrade)
    tables.set_defaults(web=True)
    verb(subparsers, "example", "fill an empty database with a made-up office", example)


def _trust(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--key", action="append", default=[], help="a key whose signatures are trusted")
    parser.add_argument("--passphrase-file", metavar="FILE", help="the passphrase of an encrypted backup")


def _passphrase(args: argparse.Namespace) -> str:
    """Return the first line of the file: a passphrase on the command line would stand in the list of processes."""
    if not args.passphrase_file:
        return ""
    lines = Path(args.passphrase_file).read_text(encoding="utf-8").splitlines()
    if not lines or not lines[0].strip():
        raise OfficeError(f"{args.passphrase_file} is empty: write the passphrase on its first line")
    return lines[0].strip()


def publish(args: argparse.Namespace) -> int:
    from crosstable.office.lists import publish as lists_publish
    from crosstable.office.lists.options import Options
    from crosstable.office.requests import list_publication

    actor = acting(args, "list.publish")
    prison = args.prison_off_top_lists or lists_publish.prison_rules()
    options = Options(top=args.top, prison_off_top_lists=prison)
    if args.preview:
        with progress_bar("making the list", quiet=args.json):
            seen = lists_publish.preview(actor, args.date, options)
        if args.json:
            print_json(seen)
            return 0
        print(f"The list of {args.date} would have {count(seen['rows'], 'rating')}.\n")
        _say_left_out(seen["left_out"])
        return _print_counts(seen["report"])
    with progress_bar("making the list", quiet=args.json):
        proposal = list_publication.propose(actor, args.date, args.reason, options)
    words = f"proposal {proposal.id}: another officer approves it with `crosstable office approve {proposal.id}`"
    if not args.json:
        _say_left_out(lists_publish.left_out(args.date))
    return print_answer(args, {"proposal": proposal.id, "date": str(args.date)}, words)


def _say_left_out(events: list[str]) -> None:
    if events:
        print(f"Ended before this day and not yet rated, so not in the list: {few(events)}.\n")


def proposals(args: argparse.Namespace) -> int:
    from crosstable.office.requests import registry, two_officers

    actor = acting(args, "proposal.read")
    if args.number is None:
        return print_rows(args, two_officers.waiting(actor), "nothing to review")
    row = two_officers.show(actor, args.number)
    with progress_bar("looking at what it would do", quiet=args.json):
        seen = dict(registry.preview(actor, f"proposal:{args.number}")) if row["state"] == "waiting" else {}
    if args.json:
        print_json({**row, "preview": seen})
        return 0
    print(f"Proposal {args.number} of {row['by']}, {row['state']}: {row['words']}, {row['subject']}. {row['reason']}")
    if "players" in seen:
        print(f"Approved today, it would change {count(seen['players'], 'player')}.")
        print_changes(seen["changes"][:50])
    elif "report" in seen:
        print(f"Approved today, the list would have {count(seen['rows'], 'rating')}.\n")
        _say_left_out(seen["left_out"])
        _print_counts(seen["report"])
    return 0


def approve(args: argparse.Namespace) -> int:
    from crosstable.office.requests import registry

    with progress_bar("carrying it out", quiet=args.json):
        done = dict(registry.approve(acting(args, "list.publish"), args.number))
    print_answer(args, done, f"Proposal {args.number} has been carried out.{_outcome(done)}")
    if not args.json:
        print_changes(done.get("changes", ()))
    return 0


def _outcome(done: dict[str, Any]) -> str:
    """Say what came of it, for people: hashes and counts of rows are in --json."""
    if "date" in done and "rows" in done:
        return f" The list of {done['date']} is official: {done['rows']:,} ratings."
    if "players" in done:
        return f" {count(done['players'], 'player')} changed."
    if "code" in done:
        return f" Give this code to the person yourself; it is shown this once: {done['code']}"
    return ""


def refuse(args: argparse.Namespace) -> int:
    from crosstable.office.requests import registry

    registry.decide(acting(args, "list.publish"), f"proposal:{args.number}", granted=False, words=args.reason)
    return print_answer(args, {"refused": args.number}, f"proposal {args.number} will not be carried out")


def lists(args: argparse.Namespace) -> int:
    from crosstable.office.lists import read

    if args.date is None and not (args.top or args.export or args.live):
        return _all_lists(args, read.lists())
    published = read.find(args.date)
    if args.export:
        return _export(args, published)
    if args.top:
        rows = read.top(published, args.pool or MAIN, _group(published, args.top), args.size)
        return print_rows(args, rows, "")
    if args.live:
        today = datetime.now(UTC).date()
        rows = read.official_against_live(published, args.pool or MAIN, today)
        return print_rows(args, rows, "every live rating is the official one")
    if args.pool:
        return _print_list(args, read.ranked(published, args.pool, active_only=args.active))
    return _report(args, published)


def _print_list(args: argparse.Namespace, rows: list[dict[str, Any]]) -> int:
    """Print the ratings of one pool, the highest first."""
    print_rows(args, rows[: args.size], "no players on the list in this pool")
    if len(rows) > args.size and not args.json:
        print(f"{args.size} of {len(rows):,} players; --size {len(rows)} prints all, --export FILE writes them")
    return 0


def _all_lists(args: argparse.Namespace, rows: list[dict[str, Any]]) -> int:
    """For people the date, the ratings and the officers; the hashes are in --json."""
    if args.json or not rows:
        return print_rows(args, rows, "nothing has been published yet")
    lines = [(row["date"], row["rows"], str(row["published_at"])[:10], " and ".join(row["officers"])) for row in rows]
    print_table(("list", "ratings", "published", "officers"), lines)
    return 0


def _group(published: Any, asked: str) -> str:
    """Return a top list by its name, whatever its capitals."""
    from crosstable.office.lists import read

    names = {group.casefold(): group for _, group in read.groups(published)}
    return names.get(asked.casefold(), asked)


def _export(args: argparse.Namespace, published: Any) -> int:
    from crosstable.office.lists.export import export

    path = new_file(args.export)
    with progress_bar("writing the list", quiet=args.json):
        path.write_bytes(export(published, path.suffix.lstrip(".").lower(), args.pool, active_only=args.active))
    return print_answer(args, {"file": str(path), "list": str(published.date)}, f"{path}: the list of {published.date}")


def _report(args: argparse.Namespace, published: Any) -> int:
    from crosstable.office.lists import read

    report = read.report_of(published)
    if args.json:
        head = f"{published.audit_count}:{published.audit_hash}"
        print_json({"date": str(published.date), "audit_head": head, "groups": read.groups(published), **report})
        return 0
    print(f"The list of {published.date}: {published.rows} ratings, published by {published.proposed_by} and", end=" ")
    print(f"{published.approved_by}\n")
    _print_counts(report)
    print("\nTop lists: " + (", ".join(f"{pool} {group}" for pool, group in read.groups(published)) or "none"))
    return 0


def _print_counts(report: dict[str, Any]) -> int:
    """How many there are in each pool, and how they changed."""
    columns = ("players", "shown", "provisional", "active", "new", "gone", "changed", "risen", "fallen", "mean_change")
    pools = report["pools"].items()
    print_table(("pool", *columns), [(name, *(counts[column] for column in columns)) for name, counts in pools])
    if hidden := sum(counts["not_shown"] for _, counts in pools):
        of_all = f"{report['rows']:,} ratings, {report['rows'] - hidden:,} of them shown"
        print(
            f"{of_all}: a first rating that would reveal an age is counted and not printed until a result has moved it"
        )
    return 0


def audit_verify(args: argparse.Namespace) -> int:
    from crosstable.office.audit.log import Head
    from crosstable.office.backup.anchors import anchor_in
    from crosstable.office.backup.proof import verify_all

    given = [(f"--head {text[:20]}…", Head.parse(text)) for text in args.head]
    given += [(file, anchor_in(Path(file), _passphrase(args), args.key)) for file in args.anchor]
    with progress_bar("reading the log", quiet=args.json):
        report = verify_all(given, ratings=not args.quick)
    problems = report.problems
    if args.json:
        found = {"ok": report.ok, "entries": report.entries, "head": str(report.head), "problems": list(problems)}
        print_json({**found, "anchors": report.anchors, "notes": list(report.notes)})
    else:
        print(f"{report.entries} entries, {count(report.anchors, 'printed head')}, the log ends at {report.head}")
        print("\n".join((*report.notes, *(problems or ("nothing was changed",)))))
    return 1 if problems else 0


def audit_head(args: argparse.Namespace) -> int:
    from crosstable.office.audit import signatures
    from crosstable.office.audit.log import head
    from crosstable.office.backup.anchors import signed_head

    end, key = head(), signatures.public_key()
    line = signed_head(end)
    found = {"head": str(end), "signature": line.partition(" ")[2], "key": key}
    return print_answer(args, found, f"{line}\nThe key of this installation is {key}; keep it outside the server.")


def _shortened(details: object) -> str:
    return textwrap.shorten(json.dumps(details), 60, placeholder=" … (--json)")


def audit_log(args: argparse.Namespace) -> int:
    from crosstable.office.people.log_reader import Wanted, read

    wanted = Wanted(by=args.by, act=args.act, about=args.about, word=args.word, since=args.since, until=args.until)
    rows = list(read(acting(args, "audit.read"), wanted, size=args.last).rows)
    if not args.json:
        rows = [{**row, "at": row["at"][:19].replace("T", " "), "details": _shortened(row["details"])} for row in rows]
    return print_rows(args, rows, "no matching entries" if wanted != Wanted() else "the log is empty")


def backup(args: argparse.Namespace) -> int:
    from crosstable.office.backup import backup as save

    with progress_bar("saving", quiet=args.json):
        saved = save(acting(args, "backup.make"), new_file(args.file), _passphrase(args))
    found = {"file": str(saved.path), "rows": saved.rows, "audit_head": saved.audit_head}
    print_answer(args, found, f"{saved.path}: {saved.rows} rows, the log ends at {saved.audit_head}")
    for problem in saved.problems:
        print(f"{problem}: a restore will refuse this archive", file=sys.stderr)
    return 1 if saved.problems else 0


def restore(args: argparse.Namespace) -> int:
    from crosstable.office.backup import restore as load
    from crosstable.office.people import second_factors
    from crosstable.office.storage.settings import migrated_or_as_found

    with progress_bar("restoring", quiet=args.json), migrated_or_as_found():
        actor = acting(args, "backup.restore")
        done = load(actor, Path(args.file), _passphrase(args), args.key)
    found = {"rows": done.rows, "fingerprint": done.fingerprint, "audit_head": done.audit_head}
    words = f"{done.rows} rows restored; every recomputed rating is the one that was saved ({done.fingerprint})"
    if lost := second_factors.all_missing(actor):
        found["second_factors"] = lost
        words += (
            "\nA backup holds no second factors. These people had one, and cannot sign in before you have made sure"
            f" who asks and written `office user second-factor NAME --reason …`: {', '.join(lost)}"
        )
    return print_answer(args, found, words)


def settings(args: argparse.Namespace) -> int:
    from crosstable.office.people import settings as office_settings
    from crosstable.office.rating import age_dependence, rules_behind

    actor = acting(args, "office.settings")
    if args.name is not None:
        office_settings.rename(actor, args.name)
    if args.previews_a_day is not None:
        office_settings.limit_previews(actor, args.previews_a_day)
    if args.four_eyes is not None:
        office_settings.require_four_eyes(actor, args.four_eyes == "yes")
    if args.first_ratings is not None:
        age_dependence.choose(actor, args.first_ratings)
    if args.contact is not None:
        office_settings.set_contact(actor, args.contact)
    if args.sign_up is not None:
        office_settings.set_sign_up(actor, args.sign_up)
    rows = [one._asdict() for one in office_settings.settings(actor)]
    if not args.json:
        rows = [{"setting": row["name"], "value": row["value"], "what it does": row["words"]} for row in rows]
    done = print_rows(args, rows, "")
    if not args.json and (behind := rules_behind.behind()):
        print(f"{behind} {_RERATE}")
    return done


_RERATE = "`office rerate --preview` says whose ratings would change, `office rerate --reason WHY` changes them."


def upgrade(args: argparse.Namespace) -> int:
    """Nothing is computed anew: the tables get the shape that this version reads and writes."""
    from crosstable.office.ledger.office_settings import office
    from crosstable.office.rating import rules_behind
    from crosstable.office.storage.settings import migrate

    migrate()
    name, behind = office().name, rules_behind.behind()
    words = f"{name}: its tables are those of this version"
    if behind:
        words += f"\n{behind} {_RERATE}"
    found = {"office": name, "up_to_date": True, "sections_behind_the_rules": behind.sections if behind else 0}
    return print_answer(args, found, words)


def example(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from crosstable.office.example.load import load
    from crosstable.office.storage import clock
    from crosstable.office.storage.settings import migrate

    with progress_bar("reports, decisions and lists", quiet=args.json) as report:
        migrate()
        done = load(progress=report, today=clock.today())
    words = f"{done.players} players, {done.events} events, {done.games} games, {done.lists} lists"
    return print_answer(args, asdict(done), words)
