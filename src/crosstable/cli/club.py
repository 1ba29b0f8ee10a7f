"""`crosstable club score OWN OPPONENT RESULT`: what one club game does to both ratings, in one friendly sentence."""

from __future__ import annotations

import argparse

from crosstable.cli.output import print_findings, print_json
from crosstable.model import Finding, Level
from crosstable.systems.st_charles import SYSTEM, sentence

RESULTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    score = actions.add_parser("score", help="both ratings after one game")
    score.add_argument("own", type=int, metavar="OWN", help="the first player's rating")
    score.add_argument("opponent", type=int, metavar="OPPONENT", help="the second player's rating")
    score.add_argument(
        "result", choices=RESULTS, metavar="RESULT", help="win, loss or draw, from the first player's side"
    )
    score.add_argument("--json", action="store_true", help="print JSON")
    score.set_defaults(action_run=_score)


def run(args: argparse.Namespace) -> int:
    status: int = args.action_run(args)
    return status


def _score(args: argparse.Namespace) -> int:
    floor = SYSTEM.latest["floor"]["rating"]
    if low := [rating for rating in (args.own, args.opponent) if rating < floor]:
        advice = f"Nobody is rated under {floor}; a newcomer has {SYSTEM.latest['start']['rating']}."
        print_findings(
            [Finding(Level.ERROR, "under-the-floor", "", f"the rating {low[0]} is under the floor.", advice)]
        )
        return 1
    result = RESULTS[args.result]
    mine, theirs = SYSTEM.score(args.own, args.opponent, result)
    if args.json:
        print_json({"own": int(mine.post), "opponent": int(theirs.post)})
        return 0
    print(sentence("your opponent", args.own, args.opponent, result, mine, floor))
    print(f"You: {args.own} → {mine.post:g}. Your opponent: {args.opponent} → {theirs.post:g}.")
    return 0
