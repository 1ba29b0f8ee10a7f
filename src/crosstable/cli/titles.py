"""`crosstable titles`: how many norms an event earns, the chance of a title, and the table of titles."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crosstable.cli.output import day, numbers, print_findings, print_json
from crosstable.cli.tables import print_table
from crosstable.rulebook import AS_WRITTEN, PROFILES

if TYPE_CHECKING:
    from crosstable.titles.in_event import Earned

SYSTEMS = ("1996", "2010")


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    norms = actions.add_parser("norms", help="norms of an event file, or of one score against opponents")
    norms.add_argument("file", nargs="?", help="an event in any supported format")
    norms.add_argument("--level", type=int, help="the title's level: 2200")
    norms.add_argument("--score", type=float, help="points made")
    norms.add_argument("--opponents", type=numbers, metavar="R,R,…", help="the opponents' pre-event ratings")
    norms.add_argument(
        "--rules", choices=SYSTEMS, help="the proposal of 1996, or the titles since 2010 (a file: those of its date)"
    )
    norms.add_argument(
        "--profile", choices=PROFILES, default=AS_WRITTEN, help="2010: as printed or as the record shows"
    )
    norms.set_defaults(action_run=_norms, parser=norms)
    chance = actions.add_parser("chance", help="the chance of a title in so many events")
    chance.add_argument("--p", type=float, help="the chance of a norm in one event")
    chance.add_argument("--events", type=int, default=10, help="how many events (10)")
    chance.add_argument(
        "--want", type=float, metavar="CHANCE", help="instead of --p: which p gives this chance, and its Delta"
    )
    chance.add_argument(
        "--plot", metavar="FILE", help="draw the chance against the number of events (.png, .svg, .pdf)"
    )
    chance.add_argument("--deltas", action="store_true", help="with --p: Delta from first principles as well")
    chance.set_defaults(action_run=_chance, parser=chance)
    table = actions.add_parser("table", help="titles, norms and what they ask for")
    table.add_argument("--rules", choices=SYSTEMS, default="1996")
    table.set_defaults(action_run=_table, parser=table)
    player = actions.add_parser("player", help="a player's norms in an office: held, since when, until when, missing")
    player.add_argument("player", metavar="ID")
    player.add_argument("--db", help="the office (default: CROSSTABLE_DB, or crosstable.db here)")
    player.add_argument("--on", type=day, metavar="DATE", help="the day asked about (default: today)")
    player.set_defaults(action_run=_player, parser=player)
    for action in (norms, chance, table, player):
        action.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    status: int = args.action_run(args)
    return status


def _norms(args: argparse.Namespace) -> int:
    stateless = [args.level is not None, args.score is not None, args.opponents is not None]
    if args.file and not any(stateless):
        return _norms_of_file(args)
    if args.file or not all(stateless):
        args.parser.error("give an event file, or --level, --score and --opponents together")
    if args.rules == "2010":
        args.parser.error("--level, --score and --opponents answer for 1996; the titles since 2010 need an event file")
    from crosstable.titles import norms_in_event

    answer = norms_in_event(args.level, args.score, args.opponents)
    row = {
        "level": answer.level,
        "norms": answer.norms,
        "games": answer.games,
        "score": answer.score,
        "expected": answer.expected,
        "margin": answer.margin,
        "deltas": list(answer.thresholds),
    }
    if args.json:
        print_json(row)
        return 0
    words = "the title" if answer.norms == len(answer.thresholds) else f"{answer.norms} norms"
    made = f"{answer.score:g} points, {answer.expected:.3f} expected, {answer.margin:+.3f}"
    print(f"{words} for level {answer.level}: {made}")
    steps = ", ".join(f"{delta:.3f}" for delta in answer.thresholds)
    print(
        f"1, 2, 3, 4 norms and the title need a margin of {steps} in {answer.games}"
        f" game{'' if answer.games == 1 else 's'}."
    )
    return 0


def _norms_of_file(args: argparse.Namespace) -> int:
    from crosstable import formats
    from crosstable.errors import EventRejected
    from crosstable.titles.in_event import earned, rules_on

    reading = formats.read_path(Path(args.file))
    print_findings(reading.findings, args.file)
    if not reading.ok:
        return 1
    event = reading.event
    args.rules = args.rules or rules_on(event)
    try:
        found = earned(event, args.rules, args.profile)
    except EventRejected as problem:
        print_findings(problem.findings, args.file)
        return 1
    rows = [_norm_row(one) for one in found]
    _print_norms(args, event.name, rows)
    return 0


def _norm_row(one: Earned) -> dict[str, Any]:
    item = one.result
    return {
        "section": item.section,
        "number": item.number,
        "id": item.player.id,
        "name": item.player.name,
        "score": item.record.score,
        "games": len(item.record.opponents),
        "norms": {str(level): count for level, count in one.norms.items()},
        "supernorms": item.record.supernorm,
        "reason": one.barred,
    }


def _print_norms(args: argparse.Namespace, event: str, rows: list[dict[str, Any]]) -> None:
    if args.json:
        print_json({"event": event, "rules": args.rules, "players": rows})
        return
    columns = ("section", "number", "name", "score", "norms by level")
    lines = []
    for row in rows:
        norms = ", ".join(f"{level}: {count}" for level, count in row["norms"].items()) or row["reason"] or "none"
        if row["norms"] and row["supernorms"] and args.rules == "1996":
            norms += " (supernorms)"
        lines.append(
            (row["section"], row["number"], row["name"] or row["id"], f"{row['score']:g}/{row['games']}", norms)
        )
    print_table(columns, lines, title=f"{event}: norms under the rules of {args.rules}")


def _chance(args: argparse.Namespace) -> int:
    from crosstable.titles.chance import chance_of_a_norm, delta_schedule, title_chance

    if (args.p is None) == (args.want is None):
        args.parser.error("give either --p or --want")
    p = chance_of_a_norm(args.want, args.events) if args.p is None else args.p
    answer: dict[str, Any] = {"p": p, "events": args.events, "probability": title_chance(p, args.events)}
    if args.deltas or args.want is not None:
        answer["deltas"] = delta_schedule(p)
    if args.plot:
        from crosstable.lab.title_plots import draw_chances

        draw_chances(args.plot, sorted({0.2, 0.325, 0.5, p}), max(30, args.events))
    if args.json:
        print_json(answer)
        return 0
    chance = f"{answer['probability']:.7g}"
    print(f"p = {p:.8g} for a norm in one event: the title in {args.events} events with probability {chance}")
    if "deltas" in answer:
        print("Delta per root of a game: " + ", ".join(f"{value:.3f}" for value in answer["deltas"]))
    return 0


def _table(args: argparse.Namespace) -> int:
    from crosstable.titles import Titles1996
    from crosstable.titles.in_event import title_rules

    titles = title_rules(args.rules)
    rows = [
        {
            "level": level,
            "title": title,
            "norms": titles.norms_for_title,
            "supernorms": titles.supernorms_for(level),
            "rating": titles.rating_for(level),
        }
        for level, title in titles.levels.items()
    ]
    deltas = list(titles.rules["delta"]["per_root_game"]) if isinstance(titles, Titles1996) else None
    if args.json:
        print_json({"rules": args.rules, "titles": rows} | ({"deltas": deltas} if deltas else {}))
        return 0
    print_table(
        ("level", "title", "norms", "supernorms", "rating needed"),
        [(row["level"], row["title"], row["norms"], row["supernorms"], row["rating"]) for row in rows],
        title=f"Titles of {args.rules}",
    )
    if deltas:
        print(
            "Delta for 1, 2, 3, 4 norms and the title, times the root of the games: "
            + ", ".join(f"{d:.3f}" for d in deltas)
        )
    return 0


def _player(args: argparse.Namespace) -> int:
    from datetime import date

    from crosstable import office
    from crosstable.cli.office_common import refuse_missing_file

    refuse_missing_file(args.db, "office", "crosstable office init")
    office.setup(args.db)
    from crosstable.office.queries.titles import standing_of  # reads tables, which exist once an office is open

    shown = standing_of(args.player, args.on or date.today())
    if args.json:
        print_json(shown.as_json())
        return 0
    print(f"{shown.name} ({shown.id}): {shown.title or 'no title yet'}")
    for line in shown.lines():
        print(f"  {line}")
    return 0
