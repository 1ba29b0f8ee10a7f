"""The office's verbs that only read: events, one event's crosstables, players."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from crosstable.cli.office_common import acting, count, verb
from crosstable.cli.output import plain, print_json, whole
from crosstable.cli.tables import print_table
from crosstable.formats.crosstable import people
from crosstable.formats.file_ratings import printed
from crosstable.systems.us_chess.pools import MAIN

if TYPE_CHECKING:
    from crosstable.office.ledger.rating_change import Numbers
    from crosstable.office.queries.crosstable import CrosstablePage, Row
    from crosstable.office.queries.search import Hit


def register(subparsers: Any) -> None:
    parser = verb(subparsers, "events", "the events of the office, newest first", events)
    parser.add_argument("text", nargs="*", help="words of the name, or the beginning of the id")
    parser.add_argument("--status", choices=("submitted", "accepted", "withdrawn", "refused"))
    parser.add_argument("--most", type=whole, default=50, help="how many lines (50)")
    parser = verb(subparsers, "event", "an event with its rated crosstables", event)
    parser.add_argument("event")


def register_players(verbs: Any) -> None:
    """`office players list`, `search`, `duplicates`, `template`."""
    parser = verb(verbs, "list", "players by their ids", list_players)
    parser.add_argument("--state", default="", help="of one state")
    parser.add_argument("--page", type=whole, default=1)
    parser = verb(verbs, "search", "players by half a name, an id, or many ids", search)
    parser.add_argument("text", nargs="+")
    parser.add_argument("--state", default="", help="of one state")
    parser.add_argument("--page", type=whole, default=1)
    verb(verbs, "duplicates", "records that may be one person's: `players merge` makes them one", duplicates)
    verb(verbs, "template", "the columns of a list for `players import`, as CSV", template)


def list_players(args: argparse.Namespace) -> int:
    from crosstable.office.queries.desk import players

    rows, total = players(args.page, args.state)
    if args.json:
        print_json({"total": total, "page": args.page, "players": [asdict(one) for one in rows]})
        return 0
    if not total:
        print("The office has no players yet: `office players template` shows what a list looks like.")
        return 0
    print_table(("id", "name", "state"), [(one.number, plain(one.name), one.state) for one in rows])
    last = (args.page - 1) * len(rows) + len(rows)
    if last < total:
        print(f"{count(total, 'player')} in all: --page {args.page + 1} shows more")
    return 0


def search(args: argparse.Namespace) -> int:
    return _found_players(args, " ".join(args.text))


def _found_players(args: argparse.Namespace, text: str) -> int:
    from crosstable.office.queries.search import Limits, players

    found = players(text, args.page, Limits(args.state))
    rows = [_hit(hit) for hit in found.hits]
    if args.json:
        print_json({"total": found.total, "page": found.page, "pages": found.pages, "players": rows})
        return 0
    if rows:
        print_table(tuple(rows[0]), [tuple(row.values()) for row in rows])
    for one in found.missing:
        near = f"; {one.near.number} is {one.near.name}" if one.near else ""
        print(f"no player has the ID {one.asked}{near}")
    if not rows and not found.missing:
        names = ", ".join(f"{one.name} ({one.number})" for one in found.near)
        print(f"No player has that name.{f' Near: {names}.' if names else ''}")
    if found.pages > 1:
        print(
            f"page {found.page} of {found.pages} ({count(found.total, 'player')}): --page {found.page + 1} shows more"
        )
    return 0


def _hit(hit: Hit) -> dict[str, Any]:
    live = {one.pool: f"{one.live.rating:.0f}" for one in hit.pools if one.live and one.live.rating is not None}
    return {
        "id": hit.person.number,
        "name": plain(hit.person.name),
        "state": hit.person.state,
        "ratings": ", ".join(f"{pool} {rating}" for pool, rating in live.items()),
        "last_event": str(hit.last) if hit.last else None,
    }


def duplicates(args: argparse.Namespace) -> int:
    from crosstable.office.queries.desk import possible_duplicates

    found = possible_duplicates(acting(args, "player.read_private"))
    if args.json:
        print_json([asdict(one) for one in found])
    elif not found:
        print("No records look like duplicates.")
    else:
        columns = ("id", "name", "other", "other_name", "reason")
        print_table(columns, [(o.first, plain(o.name), o.second, plain(o.other_name), o.reason) for o in found])
        print("`office players merge DUPLICATE KEPT --preview` shows what making them one would change.")
    return 0


def template(args: argparse.Namespace) -> int:
    """Print a header that `players import` reads, with one made-up line."""
    columns = {
        "ID": "30000001",
        "Name": "Ada Example",
        "State": "OH",
        "Birth_Date": "2012-05-01",
        "Expires": "2026-12-31",
        "FIDE_ID": "",
        MAIN: "1500",
        f"{MAIN}_GAMES": "12",
    }
    if args.json:
        print_json({"columns": list(columns)})
    else:
        print(",".join(columns))
        print(",".join(columns.values()))
    return 0


def events(args: argparse.Namespace) -> int:
    from crosstable.office.queries.desk import events as found_events

    found = found_events(" ".join(args.text), args.status, args.most)
    if args.json:
        print_json([asdict(one) for one in found])
        return 0
    if not found:
        print("No matching events." if args.text or args.status else "The office has no events yet: `office submit`.")
        return 0
    print_table(
        ("event", "name", "end", "status", "sections", "players"),
        [(one.number, plain(one.name), str(one.end), one.status, one.sections, one.players) for one in found],
    )
    return 0


def event(args: argparse.Namespace) -> int:
    """Print an accepted event as it was rated, and a pending one as it was submitted."""
    from crosstable.office.ledger.models import Event
    from crosstable.office.queries.crosstable import crosstable
    from crosstable.office.queries.event import event as read_event
    from crosstable.office.reports.events import document, find

    row = find(args.event)
    if row.status != Event.ACCEPTED:
        return _waiting(args, row.status, document(args.event))
    page = read_event(args.event)
    tables = [crosstable(args.event, section.number) for section in page.sections]
    if args.json:
        waiting = [{"section": one.number, "name": one.name} for one in page.waiting]
        sections = [_as_json(one) for one in tables]
        print_json({"event": args.event, "name": row.name, "sections": sections, "waiting": waiting})
        return 0
    for table in tables:
        print_crosstable(table)
    for section in page.waiting:
        print(
            f"{plain(section.name)} (section {section.number}): {count(section.players, 'player')}, waits: not"
            " rated yet"
        )
    return 0


def _waiting(args: argparse.Namespace, status: str, event: Any) -> int:
    players = people(event.sections)
    games = sum(len(section.games) for section in event.sections)
    if args.json:
        print_json({"event": args.event, "name": event.name, "status": status, "players": players, "games": games})
    else:
        words = f"{count(players, 'player')}, {count(games, 'game')}, {status}: it has no ratings"
        print(f"{plain(event.name)} ({args.event}): {words}")
    return 0


def print_crosstable(page: CrosstablePage) -> None:
    """Print a section with ratings before and after, in order of score."""
    parts = (page.event_name, page.name, page.place, str(page.end), page.time_control)
    columns = ["no", "name", "total", *page.pools, *(f"rd {turn}" for turn in page.turns)]
    rows = [_line(row, page) for row in page.rows]
    print_table(columns, rows, title=plain(" · ".join(part for part in parts if part)))
    print()


def _line(row: Row, page: CrosstablePage) -> list[Any]:
    numbers = {one.pool: one for one in row.numbers}
    cells = [f"{cell.letter}{cell.opponent or ''}" for cell in row.cells]
    ratings = [_change(numbers.get(pool)) for pool in page.pools]
    return [row.number, plain(row.person.name), f"{row.score:g}", *ratings, *cells]


def _change(numbers: Numbers | None) -> str:
    if numbers is None or numbers.after is None:
        return ""
    before = "new" if numbers.before is None else printed(numbers.before, numbers.before_games)
    return f"{before} → {printed(numbers.after, numbers.after_games)}"


def _as_json(page: CrosstablePage) -> dict[str, Any]:
    return {
        "section": page.section,
        "name": page.name,
        "pools": list(page.pools),
        "rows": [
            {
                "number": row.number,
                "id": row.person.number,
                "name": row.person.name,
                "score": row.score,
                "ratings": [asdict(one) for one in row.numbers],
                "rounds": [{"round": c.round, "result": c.letter, "opponent": c.opponent} for c in row.cells],
            }
            for row in page.rows
        ],
    }
