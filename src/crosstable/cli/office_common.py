"""What the office's verbs share: who acts, how a verb is declared, how answers are printed."""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crosstable.cli.output import print_findings, print_json
from crosstable.cli.tables import print_table
from crosstable.errors import CrosstableError

if TYPE_CHECKING:
    from crosstable.office.people.rights import Actor
    from crosstable.office.rating.rerating import Rerated

#: What the operator of a server does without a name
OPERATORS = ("user.write", "user.read")
ACCEPTED, CORRECTED, WITHDRAWN, RATED_AGAIN = "Accepted", "Corrected", "Withdrawn", "Rated again"


def verb(subparsers: Any, name: str, words: str, call: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name, help=words, description=words[0].upper() + words[1:] + "."
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(call=call)
    return parser


def acting(args: argparse.Namespace, action: str) -> Actor:
    """Return who acts: the user named by --as, or the operator at the machine of the office.

    On PostgreSQL an office with users wants a name, except for its users themselves: where no second person is left to
    confirm a new officer, only the operator can help, and the log says that it was the operator.
    """
    from django.db import connection

    from crosstable.office.people.models import Person
    from crosstable.office.people.rights import RIGHTS, Actor, Role
    from crosstable.office.people.users import acting_as

    if args.user:
        return replace(acting_as(args.user), console=True)
    if connection.vendor == "postgresql" and action not in OPERATORS and Person.objects.exists():
        raise CrosstableError("this office has users: say who you are with --as USER")
    role = Role.OFFICER if Role.OFFICER in RIGHTS[action] else Role.ADMIN
    return Actor(f"{getpass.getuser()}@local", role, console=True)


def at_own_console(args: argparse.Namespace) -> bool:
    """Anyone who runs the command on an SQLite office holds its file, and so may see everything in it."""
    from django.db import connection

    return not args.user and connection.vendor == "sqlite"


def refuse_missing_file(url: str | None, what: str, maker: str) -> None:
    """Refuse an SQLite database that does not exist instead of making an empty file."""
    from crosstable.office.storage import database

    settings = database.parse(database.chosen(url))
    file = Path(settings["NAME"])
    if settings["ENGINE"].endswith("sqlite") and not file.exists():
        raise CrosstableError(f"there is no {what} at {file.name}: `{maker}` makes one, --db names another")


def print_ratings_changed(args: argparse.Namespace, done: Rerated, act: str = "") -> int:
    """Print what an act did to ratings, or would do; for a preview every player who changes, the largest change first.

    `act`: what was done to an event ("Withdrawn"); then later events are told apart from its own.
    """
    if args.json:
        print_json(done.as_json())
        return 0
    for one in done.refused:
        print_findings(one.findings, f"event {one.event} is no longer rated")
    print(_sentence(done, act))
    print(done.note) if done.note else None
    print_changes([change.as_json() for change in done.changes])
    for words in (*dict.fromkeys(one.title_words for one in done.changes if one.title_words), *map(str, done.norms)):
        print(words)
    return 0


def _sentence(done: Rerated, act: str) -> str:
    begin = f"{act}. " if act and not done.preview else ""
    verb = "would change" if done.preview else "changed"
    if act == WITHDRAWN:
        if not done.later:
            return f"{begin}No later event {'would be' if done.preview else 'is'} affected."
        where = count(done.later, "later section")
    elif not done.sections and done.players:
        return f"{begin}{count(done.players, 'player')} {verb}; no later section is affected."
    elif not done.sections:
        return f"{begin}No rating {'would change' if done.preview else 'changes'}."
    else:
        where = count(done.sections, "section")
    new = f"{count(done.rows_added, 'rating')} {'would be written' if done.preview else 'written'}"
    old = f", {done.rows_removed:,} taken back" if done.rows_removed else ""
    return f"{begin}{count(done.players, 'player')} in {where} {verb}: {new}{old}."


def count(number: int, what: str) -> str:
    """ "1 error", "2 errors"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def print_proposal(args: argparse.Namespace, proposal: int) -> int:
    """Print a proposal and what happens to it next."""
    if args.json:
        print_json({"proposal": proposal, "waits_for": "a second officer"})
    else:
        print(f"proposal {proposal}: another officer approves it with `crosstable office approve {proposal}`")
    return 0


def print_answer(args: argparse.Namespace, answer: dict[str, Any], words: str) -> int:
    """Print an answer as JSON or in words."""
    print_json(answer) if args.json else print(words)
    return 0


def print_changes(rows: Sequence[Mapping[str, Any]]) -> None:
    """Whose ratings or floors change, a row for each, as `--json` has them."""
    if not rows:
        return
    columns = ("player", "name", "pool", "before", "after", "difference", "on lists", "since", "reason")
    print_table(columns, [_line(row) for row in rows])
    if any(row["lists"] for row in rows):
        print("on lists: published lists since then that show the player; none of them changes")


def _line(row: Mapping[str, Any]) -> tuple[Any, ...]:
    before, after = (None if row[name] is None else f"{row[name]:.2f}" for name in ("before", "after"))
    lists = row["lists"][0] if len(row["lists"]) == 1 else f"{len(row['lists'])} lists" if row["lists"] else ""
    who, why = (row["player"], row["name"], row["pool"]), (row["since"], row["reason"])
    return (*who, before, after, _difference(row), lists, *why)


def _difference(row: Mapping[str, Any]) -> str:
    """Return what changes: the rating, or where it stays the floor."""
    if row["before"] is None:
        return "new"
    if row["after"] is None:
        return "gone"
    floors = [f"{row[name]:g}" if row[name] is not None else "none" for name in ("floor_before", "floor_after")]
    if row["before"] == row["after"] and floors[0] != floors[1]:
        return f"floor {floors[0]} → {floors[1]}"
    return f"{row['difference']:+.2f}"


def print_rows(args: argparse.Namespace, rows: list[dict[str, Any]], empty: str) -> int:
    if args.json:
        print_json(rows)
    elif rows:
        print_table(list(rows[0]), [list(row.values()) for row in rows])
    else:
        print(empty)
    return 0
