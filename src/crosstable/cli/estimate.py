"""`crosstable estimate`: what a result would do to a rating, and what score a target needs."""

from __future__ import annotations

import argparse
import sys
from datetime import date

from crosstable.cli import WRONG_USAGE
from crosstable.cli.output import day, numbers, print_json
from crosstable.model import Rating
from crosstable.rulebook import AS_WRITTEN, PROFILES
from crosstable.systems.us_chess.estimate import estimate, needed_for, with_history
from crosstable.systems.us_chess.pools import KEYS, MAIN


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rating", type=float, required=True, help="the rating before")
    parser.add_argument("--games", type=int, required=True, help="how many games it is based on")
    parser.add_argument("--opponents", type=numbers, required=True, metavar="R1,R2,…", help="the opponents' ratings")
    parser.add_argument("--score", type=float, help="points made against them")
    parser.add_argument("--target", type=float, help="say what score brings the rating to this")
    parser.add_argument("--on", type=day, metavar="DATE", help="the day (default: today)")
    parser.add_argument("--pool", default=MAIN, choices=KEYS)
    parser.add_argument("--dual", action="store_true", help="a dual-rated event (K is lower above 2200)")
    parser.add_argument(
        "--history", default="mixed", choices=("mixed", "all-wins", "all-losses"), help="all previous games won or lost"
    )
    parser.add_argument("--peak", type=float, help="the highest established rating so far, for the floor")
    parser.add_argument("--profile", default=AS_WRITTEN, choices=PROFILES)
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    if problem := _wrong(args):
        print(f"crosstable estimate: {problem}", file=sys.stderr)
        return WRONG_USAGE
    on = args.on or date.today()
    record = with_history(Rating(args.rating, args.games, peak=args.peak), args.history)
    settings = {"pool": args.pool, "dual": args.dual, "profile": args.profile}
    answer: dict[str, object] = {}
    if args.score is not None:
        update = estimate(record, args.opponents, args.score, on, **settings)
        answer = {
            "post": update.post,
            "published": update.published,
            "change": update.post - args.rating,
            "formula": "special" if update.steps.special else "standard",
            "expected": update.steps.expected,
            "k": update.steps.k,
            "bonus": update.steps.bonus,
            "floor": update.floor,
            "post_games": update.post_games,
        }
    if args.target is not None:
        needed = needed_for(args.target, record, args.opponents, on, **settings)
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
        return f"--score {args.score:g} is not possible in {games} games"
    if not 0 <= args.rating < 1e5 or args.games < 0:
        return "--rating and --games are numbers from 0 up"
    return None


def _print(args: argparse.Namespace, answer: dict[str, object]) -> None:
    if args.score is not None:
        detail = (
            f"E = {answer['expected']:.2f}, K = {answer['k']:.2f}, bonus {answer['bonus']:.2f}"
            if answer["k"] is not None
            else "special formula"
        )
        print(f"{args.rating:g} → {answer['published']} ({answer['change']:+.2f}; {detail}; floor {answer['floor']:g})")
    if args.target is not None:
        if answer["needed_score"] is None:
            print(f"Even {len(args.opponents)} wins do not reach {args.target:g}.")
        else:
            print(
                f"{answer['needed_score']:g} of {len(args.opponents)} reaches {args.target:g} (then {answer['needed_post']:.2f})."
            )
