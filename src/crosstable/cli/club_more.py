"""The club's verbs that are needed less often: cards, records, seasons, settings, files in and out."""

from __future__ import annotations

import argparse
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

from crosstable.cli.club_common import acting, verb
from crosstable.cli.output import day, print_json
from crosstable.cli.tables import print_table
from crosstable.errors import CrosstableError
from crosstable.office.storage import clock


def configure_more(actions: Any) -> None:
    """Add the arguments that are needed less often."""
    card = verb(actions, "card", "a child's season", _card)
    card.add_argument("who", metavar="WHO")
    card.add_argument("--csv", action="store_true", help="show all data about a child")
    forget = verb(actions, "forget", "delete a child's name on request; results stay", _forget)
    forget.add_argument("who", metavar="WHO")
    verb(actions, "records", "the season's bests, and who passed a hundred", _records)
    season = verb(actions, "season", "start a season", _season)
    season.add_argument("name", metavar="NAME")
    season.add_argument("--from", dest="start", type=day, metavar="DATE", help="its first day (today)")
    season.add_argument(
        "--clean", action="store_true", help="start all ratings again; otherwise ratings are carried over"
    )
    chosen = verb(actions, "settings", "the club's numbers and choices, and what follows from them", _settings)
    chosen.add_argument("--set", nargs="+", default=[], metavar="NAME=NUMBER", help="at_risk=20 start=500")
    chosen.add_argument("--from", dest="start", type=day, metavar="DATE", help="from this day on (today)")
    chosen.add_argument("--numbers", type=Path, metavar="FILE", help="the same from a TOML file")
    chosen.add_argument("--public", choices=("nobody", "ladder"), help="what people can see without the PIN")
    chosen.add_argument("--mode", choices=("rounds", "free"), help="pair whole rounds, or the children who are free")
    chosen.add_argument("--pin", help="set a new PIN")
    taken = verb(actions, "import", "children or games from a CSV file", _import)
    taken.add_argument("file", type=Path)
    given = verb(actions, "export", "the season's games as CSV", _export)
    given.add_argument("out", type=Path)
    send = verb(actions, "send", "the season's games as an event for a federation's office", _send)
    send.add_argument("out", type=Path, metavar="OUT.json")
    send.add_argument(
        "--ids", type=Path, required=True, metavar="FILE", help="CSV: child, id, name (at the federation)"
    )
    send.add_argument("--since", type=day, default=date.min, metavar="DATE", help="nights of this day or later")


def _card(args: argparse.Namespace) -> int:
    from crosstable.club import children, exchange
    from crosstable.club.ladder import card, number

    player = children.find(args.who)
    if args.csv:
        print(exchange.child_csv(player), end="")
        return 0
    own = card(player)
    answer = {
        "name": own.name,
        "rating": number(own.rating),
        "games": own.played,
        "mark": own.mark,
        "wins": own.wins,
        "draws": own.draws,
        "losses": own.losses,
        "best": number(own.best),
    }
    print_json(answer) if args.json else print("\n".join(f"{name}: {value}" for name, value in answer.items()))
    return 0


def _forget(args: argparse.Namespace) -> int:
    from crosstable.club import children

    player = children.find(args.who)
    children.forget(acting(args), player)
    words = f"the name of number {player.number} is deleted; the results stay"
    print_json({"player": player.number, "forgotten": True}) if args.json else print(words)
    return 0


def _records(args: argparse.Namespace) -> int:
    from crosstable.club.ladder import certificates, records

    rows = [(one.title, one.who, one.words) for one in records()]
    rows += [("Certificate", one.name, f"passed {one.hundred} on {one.date}") for one in certificates()]
    if args.json:
        print_json([{"title": title, "who": who, "words": words} for title, who, words in rows])
    else:
        print_table(("record", "player", ""), rows)
    return 0


def _season(args: argparse.Namespace) -> int:
    from crosstable.club import seasons

    made = seasons.begin(acting(args), args.name, args.start, fresh=args.clean)
    words = "all ratings start again" if made.fresh else "ratings are carried over"
    print_json({"season": made.name, "from": str(made.start), "clean": made.fresh}) if args.json else print(
        f"season {made.name} from {made.start}: {words}"
    )
    return 0


def _settings(args: argparse.Namespace) -> int:
    from crosstable.club import clubs
    from crosstable.office.requests.club_numbers import set_numbers
    from crosstable.systems.st_charles import StCharles
    from crosstable.systems.st_charles.numbers import consequences, numbers_of

    actor = acting(args)
    numbers = tomllib.loads(args.numbers.read_text(encoding="utf-8")) if args.numbers else {}
    if numbers or args.set:
        set_numbers(actor, args.start or clock.today_here(), {**numbers, **_numbers(args.set)}, "settings")
    if args.public or args.mode:
        clubs.choose(actor, public=args.public, mode=args.mode)
    if args.pin:
        clubs.set_pin(actor, args.pin)
    row, system = clubs.club(), clubs.system()
    own = numbers_of(system) if isinstance(system, StCharles) else {}
    said = consequences(system) if isinstance(system, StCharles) else []
    if args.json:
        print_json(
            {"system": system.name, "public": row.public, "mode": row.mode, "numbers": own, "consequences": said}
        )
        return 0
    print(f"{clubs.name()}: {system.title}; public: {row.public}; pairing: {row.mode}")
    print_table(("number", "value"), list(own.items()))
    print("\n".join(said))
    return 0


def _numbers(words: list[str]) -> dict[str, int | float]:
    found: dict[str, int | float] = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            found[name] = int(value) if value.isdigit() else float(value)
        except ValueError:
            raise CrosstableError(f"{word!r}: write NAME=NUMBER, as in at_risk=20") from None
    return found


def _import(args: argparse.Namespace) -> int:
    from crosstable.club import exchange

    done = exchange.import_csv(acting(args), args.file.read_bytes())
    answer = {"children": done.children, "games": done.games}
    print_json(answer) if args.json else print(f"{done.children} children and {done.games} games came in")
    return 0


def _export(args: argparse.Namespace) -> int:
    from crosstable.club import exchange

    text = exchange.games_csv()
    args.out.write_text(text, encoding="utf-8")
    games = len(text.splitlines()) - 1
    print_json({"file": str(args.out), "games": games}) if args.json else print(f"{args.out}: {games} games")
    return 0


def _send(args: argparse.Namespace) -> int:
    import json

    from crosstable.club import evening, exchange
    from crosstable.club.games import of_season
    from crosstable.formats import event_json

    games = [game for game in of_season(evening.season()) if game.date >= args.since]
    event, unknown = exchange.as_event(games, exchange.registered(args.ids.read_bytes()))
    args.out.write_text(json.dumps(event_json.to_json(event), ensure_ascii=False, indent=1), encoding="utf-8")
    sent = sum(len(section.games) for section in event.sections)
    if args.json:
        print_json({"file": str(args.out), "games": sent, "left_out": len(games) - sent, "without_id": unknown})
        return 0
    print(f"{args.out}: {sent} games; hand it in with `crosstable office submit {args.out}`")
    if unknown:
        print(f"{len(games) - sent} games are left out, because these children have no id there: {', '.join(unknown)}")
    return 0
