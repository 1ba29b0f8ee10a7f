"""What a person may say about a file that does not say it itself; the same words wherever a file is read."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

from crosstable import formats
from crosstable.cli.output import count, day, days, pool_name
from crosstable.formats import Given, Reading, file_ratings
from crosstable.formats.dates import typed_day
from crosstable.formats.rating_lists.mapping import NO_MAPPING, ListMapping, read_mapping
from crosstable.model import MODES, Event
from crosstable.systems.records import RECORDS
from crosstable.systems.us_chess.pools import ONLINE, POOLS


def _rating_name(text: str) -> str:
    return ONLINE if text.strip().lower() == ONLINE else pool_name(text)


def _born(text: str) -> list[tuple[str, date]]:
    """`WHO=DATE,WHO=DATE`. Names and dates may hold commas: `Zed, Cy=May 31, 2012`."""
    who, *parts = text.split("=")
    found: list[tuple[str, date]] = []
    for place, part in enumerate(parts, start=1):
        commas = [at for at, letter in enumerate(part) if letter == ","] if place < len(parts) else []
        end = next((at for at in commas if _is_day(part[:at])), len(part))
        if not who.strip():
            break
        found.append((who.strip(), day(part[:end])))
        who = part[end + 1 :]
    if not found or len(found) < len(parts):
        raise argparse.ArgumentTypeError(f"'{text}' is not as in 12345678=2012-05-31,12345679=2014-02-01")
    return found


def _is_day(text: str) -> bool:
    try:
        typed_day(text)
    except ValueError:
        return False
    return True


def add_given(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what the file does not say")
    group.add_argument("--date", type=days, metavar="DATE", help="when it was played: 2025-08-02, 8/2/2025, A..B")
    group.add_argument("--time-control", metavar="TC", help="as in G/60;d5")
    group.add_argument("--mode", choices=MODES, help="over the board or online")
    group.add_argument(
        "--ratings",
        type=_rating_name,
        metavar="POOL",
        help=f"which ratings the file carries: {', '.join(pool.word for pool in POOLS)}; or {', '.join(RECORDS)}",
    )
    group.add_argument("--name", help="the event's name")
    group.add_argument("--city", help="where it was played")
    group.add_argument("--state", help="the state, two letters")
    group.add_argument("--affiliate", metavar="ID", help="the affiliate, as in A6012345")
    group.add_argument("--chief-td", metavar="ID", help="the chief director's id")
    group.add_argument(
        "--adult",
        action="append",
        default=[],
        metavar="WHO,…",
        help="unrated players who are adults: ids, numbers or names",
    )
    group.add_argument(
        "--born",
        action="append",
        default=[],
        type=_born,
        metavar="WHO=DATE,…",
        help="unrated players' birth dates; WHO as for --adult",
    )


def add_assumed_games(parser: argparse.ArgumentParser, more: str = "") -> None:
    words = f"for files without game counts: take N games behind each rating{more}"
    parser.add_argument("--assume-games", type=count, metavar="N", help=words)


def overrides(args: argparse.Namespace) -> Given:
    start, end = args.date or (None, None)
    return Given(
        start=start,
        end=end,
        time_control=args.time_control,
        mode=args.mode,
        ratings=args.ratings,
        name=args.name,
        city=args.city,
        state=args.state,
        affiliate=args.affiliate,
        chief_td=args.chief_td,
        adults=[one.strip() for text in args.adult for one in text.split(",") if one.strip()],
        born={who: when for some in args.born for who, when in some},
    )


def read_given(path: str | Path, args: argparse.Namespace, day: date | None = None) -> Reading:
    """Read a file with what the user said; `-` is standard input. `day` replaces an unknown date."""
    said = overrides(args)
    if said.start is None and day is not None:
        said = replace(said, start=day, end=day)
    if str(path) == "-":
        return formats.read(_standard_input(args), "standard input", said)
    return formats.read_path(path, said)


def _standard_input(args: argparse.Namespace) -> bytes:
    """Read once: a verb may look at a file twice."""
    if not hasattr(args, "standard_input"):
        args.standard_input = sys.stdin.buffer.read(formats.limits.FILE_BYTES + 1)
    data: bytes = args.standard_input
    return data


def to_add(event: Event, system_name: str) -> str:
    """Return the options that give what the file does not say, ready to type."""
    options = ["--date YYYY-MM-DD"] if event.start is None else []
    untimed = any(
        not file_ratings.readable(s.time_control) and not s.notes.get("pools") and s.kind != "fide"
        for s in event.sections
    )
    return " ".join([*options, *(["--time-control 'G/60;d5'"] if untimed and system_name == "us_chess" else [])])


def mapping_of(args: argparse.Namespace) -> ListMapping:
    """Return what `--mapping` says about the columns and codes of a list."""
    return read_mapping(args.mapping) if args.mapping else NO_MAPPING
