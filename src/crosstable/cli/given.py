"""What a person may say about a file that does not say it itself; the same words wherever a file is read."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from crosstable import formats
from crosstable.cli.output import count, day
from crosstable.errors import UnknownSystem
from crosstable.formats import Reading, file_ratings
from crosstable.model import MODES


def _rating_name(text: str) -> str:
    try:
        return file_ratings.system_key(text)
    except UnknownSystem as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_given(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--date", type=day, help="for files without dates: when it was played")
    parser.add_argument("--time-control", metavar="TC", help="for files without a time control, as in G/60;d5")
    parser.add_argument("--mode", choices=MODES, help="for files that do not say: over the board or online")
    parser.add_argument(
        "--ratings",
        type=_rating_name,
        metavar="NAME",
        help=f"for files that do not say which ratings they carry: {', '.join(file_ratings.SYSTEM_KEYS)}",
    )


def add_assumed_games(parser: argparse.ArgumentParser, more: str = "") -> None:
    words = f"for files without game counts: take N games behind each rating{more}"
    parser.add_argument("--assume-games", type=count, metavar="N", help=words)


def read_given(path: str | Path, args: argparse.Namespace, day: date | None = None) -> Reading:
    """A file with what the person said. `day` stands in where nobody knows the date."""
    return formats.read_path(
        path, day=args.date or day, time_control=args.time_control, mode=args.mode, ratings=args.ratings
    )
