"""`crosstable estimate`: what a result would do to a rating, and what score a target needs."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from datetime import date

from crosstable.cli import WRONG_USAGE
from crosstable.cli.output import day, pool_name, print_json
from crosstable.formats.table_cells import typed_rating
from crosstable.model import Player, Rating
from crosstable.rulebook import AS_WRITTEN, PROFILES
from crosstable.systems.us_chess.estimate import Begun, begin, estimate, needed_for, with_history
from crosstable.systems.us_chess.pools import KEYS, MAIN


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rating", type=_rating, help="the rating before, 1643 or 1643P12 (default: unrated)")
    parser.add_argument("--games", type=int, help="how many games it is based on (default: just established)")
    parser.add_argument(
        "--opponents", type=_opponents, required=True, metavar="R1,R2,…", help="the opponents' ratings; unr for unrated"
    )
    parser.add_argument("--born", type=day, metavar="DATE", help="an unrated player's birth date")
    parser.add_argument("--adult", action="store_true", help="the unrated player is an adult")
    parser.add_argument("--score", type=float, help="the points scored against them")
    parser.add_argument("--target", type=float, help="a rating to reach: show the score that it takes")
    parser.add_argument("--on", type=day, metavar="DATE", help="the day (default: today)")
    parser.add_argument(
        "--pool", default=MAIN, type=pool_name, help="regular (default), quick, blitz …, or a code: OTBR"
    )
    parser.add_argument("--dual", action="store_true", help="a dual-rated event (K is lower above 2200)")
    parser.add_argument(
        "--history", default="mixed", choices=("mixed", "all-wins", "all-losses"), help="all previous games won or lost"
    )
    parser.add_argument("--peak", type=float, help="the highest established rating so far, for the floor")
    parser.add_argument("--profile", default=AS_WRITTEN, choices=PROFILES)
    parser.add_argument("--json", action="store_true")


def _rating(text: str) -> Rating | None:
    """Return a rating, or none for an unrated player."""
    try:
        return typed_rating(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _opponents(text: str) -> list[float | None]:
    """1700,unr,1580P12."""
    found = [_rating(part) for part in text.replace(";", ",").split(",") if part.strip()]
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of ratings such as 1700,1650,unr")
    return [None if one is None else one.rating for one in found]


def _begin(args: argparse.Namespace, on: date) -> Begun:
    given: Rating | None = args.rating
    if given is not None:
        games = given.games if args.games is None else args.games
        given = replace(given, games=games, peak=args.peak)
    begun = begin(given, args.opponents, on, args.pool, Player(1, "", birth_date=args.born, adult=args.adult))
    return begun if given is None else replace(begun, record=with_history(begun.record, args.history))


def run(args: argparse.Namespace) -> int:
    if problem := _wrong(args):
        print(f"crosstable estimate: {problem}", file=sys.stderr)
        return WRONG_USAGE
    on = args.on or date.today()
    begun = _begin(args, on)
    record, opponents = begun.record, begun.opponents
    for words in begun.assumed:
        more = " (--games says otherwise)" if "established" in words else ""
        print(f"crosstable estimate: {words}{more}", file=sys.stderr)
    settings = {"pool": args.pool, "dual": args.dual, "profile": args.profile}
    answer: dict[str, object] = {}
    if args.score is not None:
        update = estimate(record, opponents, args.score, on, **settings)
        answer = {
            "post": update.post,
            "published": update.published,
            "change": update.post - record.rating,
            "formula": "special" if update.steps.special else "standard",
            "expected": update.steps.expected,
            "k": update.steps.k,
            "bonus": update.steps.bonus,
            "floor": update.floor,
            "post_games": update.post_games,
        }
    if args.target is not None:
        needed = needed_for(args.target, record, opponents, on, **settings)
        answer |= {
            "target": args.target,
            "needed_score": needed.score if needed else None,
            "needed_post": needed.post if needed else None,
        }
    if args.json:
        print_json(answer)
    else:
        _print(args, answer)
    return 0


def _wrong(args: argparse.Namespace) -> str | None:
    games = len(args.opponents)
    if args.score is None and args.target is None:
        return "give --score, or --target, or both"
    if args.score is not None and not (0 <= args.score <= games and float(2 * args.score).is_integer()):
        return f"--score {args.score:g} is not possible in {games} game{'' if games == 1 else 's'}"
    if (args.games or 0) < 0:
        return "--games must be 0 or more"
    if args.pool not in KEYS:
        return f"--pool is one of {', '.join(KEYS)}, not {args.pool}"
    return None


def _print(args: argparse.Namespace, answer: dict[str, object]) -> None:
    if args.score is not None:
        detail = (
            f"E = {answer['expected']:.2f}, K = {answer['k']:.2f}, bonus {answer['bonus']:.2f}"
            if answer["k"] is not None
            else "special formula"
        )
        before = "unrated" if args.rating is None else f"{args.rating.rating:g}"
        print(f"{before} → {answer['published']} ({answer['change']:+.2f}; {detail}; floor {answer['floor']:g})")
    if args.target is not None:
        if answer["needed_score"] is None:
            print(f"Even {len(args.opponents)} wins do not reach {args.target:g}.")
        else:
            print(
                f"{answer['needed_score']:g} of {len(args.opponents)} reaches {args.target:g} (then"
                f" {answer['needed_post']:.2f})."
            )
