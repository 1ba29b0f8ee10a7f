"""The office's verbs for what officers decide about a player: adjustments, floor requests, prize floors."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from crosstable.cli.office_common import acting, print_answer, print_proposal, print_ratings_changed, verb
from crosstable.cli.output import day, pool_name, print_json, whole
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table
from crosstable.errors import CrosstableError
from crosstable.systems.us_chess.pools import MAIN

if TYPE_CHECKING:
    from crosstable.office.people.rights import Actor


def register(subparsers: Any) -> None:
    _adjustments(subparsers)
    _floors(subparsers)


def _adjustments(subparsers: Any) -> None:
    parser = verb(
        subparsers, "adjust", "propose a rating, ceiling, floor or life master; a second officer approves", adjust
    )
    parser.add_argument("player")
    parser.add_argument("pool", type=pool_name)
    parser.add_argument("--on", type=day, required=True, metavar="DATE", help="from the beginning of this day on")
    parser.add_argument("--rating", type=float)
    parser.add_argument("--games", type=int)
    ceiling = parser.add_mutually_exclusive_group()
    ceiling.add_argument("--ceiling", type=float)
    ceiling.add_argument("--no-ceiling", action="store_true", help="lift a ceiling")
    parser.add_argument("--life-master", action=argparse.BooleanOptionalAction)
    for name, words in (("prize-floor", "a prize or money floor"), ("lowered-floor", "a floor lowered on request")):
        floor = parser.add_mutually_exclusive_group()
        floor.add_argument(f"--{name}", type=float, help=words)
        floor.add_argument(f"--no-{name}", action="store_true", help=f"lift {words}")
    parser.add_argument("--reason", default="")
    parser.add_argument("--preview", action="store_true", help="show what would change; write nothing")
    parser = verb(subparsers, "adjustments", "the adjustments of a player, with their numbers", decisions)
    parser.add_argument("player")
    parser = verb(subparsers, "revoke", "propose to take an adjustment back; a second officer approves", revoke)
    parser.add_argument("number", type=whole)
    parser.add_argument("--reason", default="")
    parser.add_argument("--preview", action="store_true", help="show what would change; write nothing")


def _floors(subparsers: Any) -> None:
    parser = verb(subparsers, "floors", "floor requests: show, make, grant or refuse them; prize floors", floors)
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--grant", type=whole, metavar="REQUEST")
    act.add_argument("--refuse", type=whole, metavar="REQUEST")
    act.add_argument(
        "--request", nargs=3, metavar=("PLAYER", "EVENT", "SECTION"), help="ask for a lower floor after a match"
    )
    act.add_argument("--prize", nargs=5, metavar=("PLAYER", "EVENT", "SECTION", "UNDER", "DOLLARS"))
    parser.add_argument("--pool", default=MAIN, type=pool_name, help="the rating that a prize or a request is about")
    parser.add_argument("--reason", default="")
    parser.add_argument(
        "--preview", action="store_true", help="of --grant or --prize: what would change; write nothing"
    )
    parser.add_argument("--all", action="store_true", help="show those that are decided, too")


def adjust(args: argparse.Namespace) -> int:
    from crosstable.office.requests import adjustments

    actor = acting(args, "rating.adjust")
    given = {
        "rating": args.rating,
        "games": args.games,
        "ceiling": args.ceiling,
        "life_master": args.life_master,
        "prize_floor": args.prize_floor,
        "lowered_floor": args.lowered_floor,
    }
    fields = {name: value for name, value in given.items() if value is not None}
    fields |= {name: None for name in ("ceiling", "prize_floor", "lowered_floor") if getattr(args, f"no_{name}")}
    if args.preview:
        with progress_bar("rating again", quiet=args.json):
            done = adjustments.preview(actor, args.player, args.pool, day=args.on, fields=fields, reason=args.reason)
        return print_ratings_changed(args, done)
    return print_proposal(
        args, adjustments.propose(actor, args.player, args.pool, day=args.on, fields=fields, reason=args.reason).pk
    )


def revoke(args: argparse.Namespace) -> int:
    from crosstable.office.requests import adjustments

    actor = acting(args, "rating.adjust")
    if args.preview:
        with progress_bar("rating again", quiet=args.json):
            done = adjustments.preview_revoking(actor, args.number)
        return print_ratings_changed(args, done)
    return print_proposal(args, adjustments.propose_revoking(actor, args.number, args.reason).pk)


def decisions(args: argparse.Namespace) -> int:
    from crosstable.office.requests import adjustments

    rows = adjustments.decisions(acting(args, "rating.preview"), args.player)
    if args.json:
        print_json(rows)
    elif rows:
        columns = [name for name in rows[0] if name != "set"]
        print_table(columns, [tuple(row[name] for name in columns) for row in rows])
    else:
        print(f"no adjustments of {args.player}")
    return 0


def floors(args: argparse.Namespace) -> int:
    from crosstable.office.requests import floors as decisions

    if args.grant or args.refuse:
        actor = acting(args, "floor.decide")
        number = args.grant or args.refuse
        return _decide_floor(args, actor, number)
    if args.request:
        return _floor_request(args)
    if args.prize:
        return _prize_floor(args)
    rows = list(decisions.requests(acting(args, "event.review"), "" if args.all else "waiting"))
    if args.json:
        print_json(rows)
    else:
        columns = (
            "request",
            "player",
            "name",
            "pool",
            "event",
            "section",
            "floor",
            "wanted",
            "state",
            "effect",
            "words",
        )
        print_table(columns, [tuple(row[name] for name in columns) for row in rows])
    return 0


def _decide_floor(args: argparse.Namespace, actor: Actor, number: int) -> int:
    from crosstable.office.requests import floors as decisions
    from crosstable.office.requests import registry

    key, granted = f"floor:{number}", bool(args.grant)
    with progress_bar("rating again", quiet=args.json):
        if args.preview:
            changed = registry.preview(actor, key) if granted else None
        else:
            changed = registry.decide(actor, key, granted=granted, words=args.reason).outcome
    row = decisions.find(actor, number)
    state = ("granted" if granted else "refused") if args.preview else row["state"]
    if args.json:
        answer = {"request": number, "player": row["player"], "state": state}
        print_json({**answer, **(changed.as_json() if changed else {})})
        return 0
    print(f"floor request {number} of {row['player']} {'would be' if args.preview else 'is'} {state}")
    return print_ratings_changed(args, changed) if changed else 0


def _floor_request(args: argparse.Namespace) -> int:
    from crosstable.office.requests import floors as decisions

    player, event, section = args.request
    actor = acting(args, "floor.request")
    row = decisions.request(
        actor, player, event, section=_number(section, "section"), reason=args.reason, pool=args.pool
    )
    answer = {"request": row.id, "player": player, "pool": row.pool, "floor": row.floor, "wanted": row.wanted}
    return print_answer(
        args, answer, f"floor request {row.id} of {player}: from {row.floor:g} to {row.wanted:g}, waits for an officer"
    )


def _prize_floor(args: argparse.Namespace) -> int:
    from crosstable.office.requests import prize_floors

    player, event, section, under, dollars = args.prize
    numbers = _number(section, "section"), _amount(under, "rating limit"), _amount(dollars, "number of dollars")
    actor, prize = acting(args, "floor.write"), prize_floors.Prize(event, *numbers)
    with progress_bar("rating again", quiet=args.json):
        made = prize_floors.prize_floor(actor, player, prize, args.reason, args.pool, preview=args.preview)
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
        raise CrosstableError(f"'{text}' is not a {what}") from None
