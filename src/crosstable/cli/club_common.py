"""What the club's verbs share: how a verb is declared, and who acts."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crosstable.office.people.rights import Actor


def verb(actions: Any, name: str, words: str, call: Any, *, database: bool = True) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(
        name, help=words, description=words[0].upper() + words[1:] + "."
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    if database:
        parser.add_argument("--db", metavar="URL", help="the club's database (or CROSSTABLE_DB; default crosstable.db)")
        parser.add_argument("--as", dest="user", default="", metavar="NAME", help="who does it, for the log")
    parser.set_defaults(action_run=call)
    return parser


def acting(args: argparse.Namespace) -> Actor:
    from crosstable.club.clubs import volunteer

    return volunteer(args.user)
