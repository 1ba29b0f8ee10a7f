"""`crosstable estimate`: what a result would do to a rating, and what score a target needs."""

from __future__ import annotations

import argparse
import sys
from datetime import date

from crosstable.cli import WRONG_USAGE
from crosstable.cli.output import day, numbers, pool_name, print_json
from crosstable.model import Player, Rating
from crosstable.rulebook import AS_WRITTEN, PROFILES
from crosstable.systems import system
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.estimate import estimate, needed_for, with_history
from crosstable.systems.us_chess.pools import KEYS, MAIN

_UNRATED = ("unr", "unrated", "new", "u")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rating", type=_rating, help="the rating before (default: unrated)")
    parser.add_argument("--games", type=int, help="how many games it is based on (default: just established)")
    parser.add_argument(
        "--opponents", type=_opponents, required=True, metavar="R1,R2,…", help="the opponents' ratings; unr for unrated"
    )
    parser.add_argument("--born", type=day, metavar="DATE", help="an unrated player's birth date")
    parser.add_argument("--adult", action="store_true", help="the unrated player is an adult")
    parser.add_argument("--score", type=float, help="points made against them")
    parser.add_argument("--target", type=float, help="say what score brings the rating to this")
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


def _rating(text: str) -> float | None:
    """A rating, or none for an unrated player."""
    if text.strip().lower().rstrip(".") in _UNRATED:
        return None
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a rating such as 1643, or unrated") from None


def _opponents(text: str) -> list[float | None]:
    """1700,unr,1580."""
    parts = [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]
    found = [None if part.lower().rstrip(".") in _UNRATED else numbers(part)[0] for part in parts]
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of ratings such as 1700,1650,unr")
    return found


def _start(args: argparse.Namespace, on: date) -> tuple[Rating, list[float], list[str]]:
    """The rating before, the opponents' ratings, and what was assumed about them."""
    assumed: list[str] = []
    us_chess = system("us_chess")
    opponents = [one for one in args.opponents if one is not None]
    if len(opponents) < len(args.opponents):
        unknown = us_chess.start(Player(1, ""), on, args.pool).rating
        opponents = [unknown if one is None else one for one in args.opponents]
        assumed.append(f"unrated opponents count as {unknown:g}, the start without a birth date")
    if args.rating is None:
        record = us_chess.start(Player(1, "", birth_date=args.born, adult=args.adult), on, args.pool)
        assumed.append(f"unrated: the start is {record.rating:g}")
        return record, opponents, assumed
    games = args.games
    if games is None:
        games = provisional_games(on) + 1
        assumed.append(f"the rating is taken as established ({games} games; --games says otherwise)")
    return with_history(Rating(args.rating, games, peak=args.peak), args.history), opponents, assumed


def run(args: argparse.Namespace) -> int:
    if problem := _wrong(args):
        print(f"crosstable estimate: {problem}", file=sys.stderr)
        return WRONG_USAGE
    on = args.on or date.today()
    record, opponents, assumed = _start(args, on)
    for words in assumed:
        print(f"crosstable estimate: {words}", file=sys.stderr)
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
    if not 0 <= (args.rating or 0) < 1e5 or (args.games or 0) < 0:
        return "--rating and --games are numbers from 0 up"
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
        before = "unrated" if args.rating is None else f"{args.rating:g}"
        print(f"{before} → {answer['published']} ({answer['change']:+.2f}; {detail}; floor {answer['floor']:g})")
    if args.target is not None:
        if answer["needed_score"] is None:
            print(f"Even {len(args.opponents)} wins do not reach {args.target:g}.")
        else:
            print(
                f"{answer['needed_score']:g} of {len(args.opponents)} reaches {args.target:g} (then {answer['needed_post']:.2f})."
            )
