"""The office's verbs for players: `office players …`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from crosstable.cli import office_reading
from crosstable.cli.given import add_assumed_games, mapping_of
from crosstable.cli.office_common import acting, count, print_answer, print_proposal, print_ratings_changed, verb
from crosstable.cli.output import day, pool_name, print_findings, print_json, whole
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table
from crosstable.errors import CrosstableError
from crosstable.formats.rating_lists.records import BROUGHT, brought_record
from crosstable.model import Rating
from crosstable.office.storage import clock
from crosstable.systems.us_chess.pools import MAIN

if TYPE_CHECKING:
    from crosstable.office.queries.titles import PlayerTitles


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser("players", help="players of the office", description="Players of the office.")
    verbs = parser.add_subparsers(dest="player_act", metavar="ACT", required=True)
    office_reading.register_players(verbs)
    reading = verb(verbs, "import", "a player or rating list", import_list)
    reading.add_argument("file")
    reading.add_argument(
        "--date",
        type=day,
        metavar="DATE",
        help="the list's date (default: what a FIDE list's head says, else today; it is said)",
    )
    add_assumed_games(reading)
    reading.add_argument("--mapping", metavar="FILE", help="TOML: what the columns and codes of a member list mean")
    reading.add_argument("--preview", action="store_true", help="show what it would bring; write nothing")
    for name, words, call in (("add", "a new player", add), ("change", "other facts about a player", change)):
        one = _about_player(verbs, name, words, call)
        _facts(one)
        if name == "add":
            one.add_argument("--rating", type=float, help="opens the record with this rating; needs --games")
            one.add_argument("--games", type=whole, help="how many games are behind it")
            one.add_argument("--pool", default=MAIN, type=pool_name, help=f"of --rating ({MAIN})")
            one.add_argument("--on", type=day, metavar="DATE", help="the day of --rating (default: today)")
            _record(one)
        if name == "change":
            one.add_argument(
                "--from",
                dest="since",
                type=day,
                metavar="DATE",
                help="the first day of a flag: adult, Canadian resident, USA, opted in (default: today)",
            )
            one.add_argument("--preview", action="store_true", help="show what would change; write nothing")
    leaving = _about_player(
        verbs, "opt-out", "propose that FIDE events no longer count; a second officer approves", opt_out
    )
    leaving.add_argument(
        "--from", dest="since", type=day, metavar="DATE", default=clock.today(), help="the first day (default: today)"
    )
    leaving.add_argument("--reason", required=True)
    _shown(verbs)
    _memberships(verbs)
    _merging(verbs)


def _about_player(verbs: Any, name: str, words: str, call: Any) -> argparse.ArgumentParser:
    parser = verb(verbs, name, words, call)
    parser.add_argument("player", metavar="ID")
    return parser


def _shown(verbs: Any) -> None:
    showing = _about_player(verbs, "show", "a player's ratings and history", show)
    showing.add_argument("--private", action="store_true", help="with memberships (officers; a player with --as)")
    _about_player(verbs, "facts", "what the office knows about a player, with days (officers)", show_facts)


def _memberships(verbs: Any) -> None:
    joining = _about_player(verbs, "join", "a membership", join)
    joining.add_argument("kind", nargs="?", default="regular")
    joining.add_argument("--since", type=day, metavar="DATE", required=True, help="the first day of membership")
    joining.add_argument("--until", type=day, metavar="DATE", help="its last day")
    joining.add_argument("--reason", default="")
    joining.add_argument("--preview", action="store_true", help="show what would change; write nothing")
    forgetting = _about_player(
        verbs, "forget-name", "delete a player's name on request; results stay under the id", forget_name
    )
    forgetting.add_argument("--reason", default="")


def _merging(verbs: Any) -> None:
    verb(verbs, "merges", "which records were merged, by whom and why, and what was undone", show_merges)
    for name, words, call in (
        ("merge", "merge two records of one person", merge),
        ("unmerge", "undo a merge: they were two people", unmerge),
    ):
        one = verb(verbs, name, words, call)
        one.add_argument(
            "player", metavar="ID", help="the duplicate, whose ID is no longer used" if name == "merge" else ""
        )
        if name == "merge":
            one.add_argument("into", metavar="INTO", help="the ID to keep, with its opening ratings and results")
        one.add_argument("--reason", default="")
        one.add_argument("--preview", action="store_true", help="show what would change; write nothing")


def _facts(parser: argparse.ArgumentParser) -> None:
    for name in ("name", "state", "country", "sex", "fide-id", "cfc-id"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--born", type=day, dest="birth_date", metavar="DATE", help="the birth date, kept private")
    parser.add_argument("--foreign-rating", type=float, help="the office's own conversion of a foreign rating")
    for name in ("adult", "canadian-resident", "usa-flag", "fide-opt-in", "withheld"):
        parser.add_argument(f"--{name}", action=argparse.BooleanOptionalAction)
    parser.add_argument("--reason", default="")


def _record(parser: argparse.ArgumentParser) -> None:
    for name, words in BROUGHT.items():
        parser.add_argument(f"--{name.replace('_', '-')}", help=f"of --rating: {words}")


def _brought(args: argparse.Namespace) -> dict[str, Rating] | None:
    """Return the record that a new player brings along."""
    cells = {name: text for name in BROUGHT if (text := getattr(args, name))}
    if args.rating is None:
        if cells:
            raise CrosstableError(f"--{next(iter(cells)).replace('_', '-')} needs --rating and --games")
        return None
    record = brought_record(args.pool, args.rating, args.games, cells)
    return {args.pool: replace(record, date=args.on or clock.today())}


def _given(args: argparse.Namespace) -> dict[str, Any]:
    from crosstable.office.players import PLAIN, RATED

    return {name: value for name in (*PLAIN, *RATED) if (value := getattr(args, name)) is not None}


def add(args: argparse.Namespace) -> int:
    from crosstable.office import players

    row = players.add(acting(args, "player.write"), args.player, args.reason, brings=_brought(args), **_given(args))
    print_json({"id": row.number, "name": row.name}) if args.json else print(f"{row} added")
    return 0


def change(args: argparse.Namespace) -> int:
    from crosstable.office import players

    actor = acting(args, "player.write")
    with progress_bar("rating again", quiet=args.json):
        done = players.change(actor, args.player, args.reason, since=args.since, preview=args.preview, **_given(args))
    return print_ratings_changed(args, done)


def opt_out(args: argparse.Namespace) -> int:
    from crosstable.office.requests import opting_out

    actor = acting(args, "fide.opt_out")
    return print_proposal(args, opting_out.propose(actor, args.player, args.since, args.reason).pk)


def join(args: argparse.Namespace) -> int:
    from crosstable.office import players

    actor = acting(args, "membership.write")
    with progress_bar("rating again", quiet=args.json):
        done = players.join(
            actor, args.player, args.kind, since=args.since, until=args.until, reason=args.reason, preview=args.preview
        )
    return print_ratings_changed(args, done)


def merge(args: argparse.Namespace) -> int:
    from crosstable.office import players

    actor = acting(args, "player.merge")
    with progress_bar("rating again", quiet=args.json):
        done = players.merge(actor, args.player, args.into, args.reason, preview=args.preview)
    if not args.json:
        kept = players.kept_id(args.into)
        print(f"{args.player} {'would become' if args.preview else 'is now'} {kept}.")
    return print_ratings_changed(args, done)


def unmerge(args: argparse.Namespace) -> int:
    from crosstable.office import players

    actor = acting(args, "player.merge")
    with progress_bar("rating again", quiet=args.json):
        done = players.unmerge(actor, args.player, args.reason, preview=args.preview)
    return print_ratings_changed(args, done)


def forget_name(args: argparse.Namespace) -> int:
    from crosstable.office import players

    players.forget_name(acting(args, "player.forget_name"), args.player, args.reason)
    return print_answer(args, {"id": args.player}, f"The name of {args.player} is deleted; the results stay.")


def show_facts(args: argparse.Namespace) -> int:
    from crosstable.office.players.profiles import private_record

    record = private_record(acting(args, "player.read_private"), args.player)
    if args.json:
        print_json(record.as_json())
        return 0
    print(f"{record.name} ({record.number})")
    print_table(("fact", "value"), list(record.facts.items()))
    said = [tuple(one.values()) for one in record.said]
    print_table(("fact", "value", "since", "by", "second", "reason"), said) if said else None
    for one in record.memberships:
        print(f"  {one['kind']} member since {one['since']}" + (f" until {one['until']}" if one["until"] else ""))
    for one in record.foreign:
        print(f"  {one['kind'].upper()} {one['rating']:g} on the list of {one['date']}")
    return 0


def show_merges(args: argparse.Namespace) -> int:
    from crosstable.office import players

    rows = players.merges(acting(args, "rating.preview"))
    if args.json:
        print_json(rows)
    elif rows:
        print_table(tuple(rows[0]), [tuple(row.values()) for row in rows])
    else:
        print("no records were merged")
    return 0


def import_list(args: argparse.Namespace) -> int:
    from crosstable.formats import rating_lists
    from crosstable.office import players
    from crosstable.office.storage import clock

    try:
        with open(args.file, "rb") as file, progress_bar("reading the list", quiet=args.json):
            own = rating_lists.day_of(file)
            day_of_list = args.date or own or clock.today()
            done = players.import_list(
                acting(args, "external.import"),
                file,
                day_of_list,
                args.file,
                assume_games=args.assume_games,
                mapping=mapping_of(args),
                preview=args.preview,
            )
    except OSError as problem:
        raise CrosstableError(f"{args.file}: {problem.strerror or problem}") from problem
    print_findings(done.findings, args.file)
    if args.json:
        print_json({"date": str(day_of_list), **done.as_json()})
    else:
        said = ", as its head says" if own else ", which is today (--date gives the list's own day)"
        dated = "" if args.date else said
        words = f"{count(done.added, 'player')} added, {done.known:,} known, {count(done.openings, 'rating')}"
        print(f"List of {day_of_list}{dated}: {words}, {count(done.foreign, 'foreign rating')}")
        print("Nothing was written.") if args.preview else None
    return 0


def show(args: argparse.Namespace) -> int:
    from crosstable.office import players

    viewer = acting(args, "player.read_private") if args.private else None
    player, rows = players.show(args.player, viewer), players.history(args.player, decisions=True)
    titles = _titles(args.player)
    if args.json:
        print_json({**player, **({"titles": titles.as_json()} if titles else {}), "history": rows})
        return 0
    if "merged" in player:
        print(f"{player['merged']} was merged into {player['id']}: this is the record that was kept.")
    also = f"; also {', '.join(player['also'])}" if player["also"] else ""
    state = f" {player['state']}" if player["state"] else ""
    print(f"{player['name']} ({player['id']}){state}{also}")
    for one in player.get("memberships", ()):
        print(f"  {one['kind']} member since {one['since']}" + (f" until {one['until']}" if one["until"] else ""))
    for key, held in player["ratings"].items():
        hidden = "not shown to the public, because it would reveal the age;"
        rating = hidden if held["rating"] is None else f"{held['rating']:g}"
        floor = f"; floor {held['floor']['rating']:g}, {held['floor']['reason']}" if held["floor"] else ""
        ceiling = "" if held["ceiling"] is None else f"; ceiling {held['ceiling']:g}"
        print(f"  {key}: {rating} after {held['games']} games, {held['date']}{floor}{ceiling}")
        _print_progress(held)
    for line in titles.lines() if titles else ():
        print(f"  {line}")
    if rows:
        print_table(tuple(rows[0]), [tuple(row.values()) for row in rows])
    else:
        print("  no rated event yet")
    return 0


def _print_progress(held: dict[str, Any]) -> None:
    """Progress to life master, and what matches did to a rating and may still do."""
    if master := held.get("life_master_games"):
        print(f"    life master: {master['games']} of {master['needed']} games above 2200")
    for one in held.get("matches", ()):
        left = f"may still gain {one['gain_left']:g} and lose {one['loss_left']:g}"
        print(f"    matches since {one['since']}: {one['net']:+g} net; {left}")


def _titles(player: str) -> PlayerTitles | None:
    """Titles and norms, where the office keeps any."""
    from crosstable.errors import OfficeError
    from crosstable.office.queries.titles import standing_of

    try:
        return standing_of(player, clock.today())
    except OfficeError:
        return None
