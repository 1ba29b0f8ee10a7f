"""What the verbs share: findings on stderr, dates from the command line, JSON on stdout."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any, TextIO

from crosstable.cli.tables import styled
from crosstable.errors import CrosstableError, UnknownSystem
from crosstable.formats.dates import typed_day, typed_span
from crosstable.formats.file_ratings import established_games
from crosstable.model import Event, Finding
from crosstable.systems import all_pools, system
from crosstable.systems.us_chess.pools import POOLS, key_of
from crosstable.words.findings import Line, grouped, line_of

_GAMES = "--assume-games {established} of rate, office submit and office correct"
_TIME, _OTHER = "--time-control 'G/60;d5'", "--system uscf_1996 of rate"
#: The option that gives what a finding misses: the findings themselves are shown on pages and in the library too
OPTIONS = {
    "missing-date": "--date YYYY-MM-DD",
    "no-date": "--date YYYY-MM-DD",
    "missing-time-control": _TIME,
    "no-rules": _OTHER,
    "no-quarter-k": _OTHER,
    "no-game-count": _GAMES,
    "missing-game-counts": _GAMES,
    "taken-as-established": _GAMES,
    "missing-rating": "--born WHO=DATE or --adult WHO, by id, number or name",
    "one-section": "--section N",
    "opt-in-reported": "office players change ID --fide-opt-in --from DATE",
    "unused-ratings": "--ratings regular",
}
_LEVELS = {"error": "red", "warning": "yellow", "notice": "cyan"}


def day(text: str) -> date:
    """Parse a date argument; argparse turns the error into one line and exit status 2."""
    try:
        return typed_day(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a date: write YYYY-MM-DD or 8/2/2025") from None


def days(text: str) -> tuple[date, date]:
    """One day, or the first and the last: 2025-08-02..2025-08-03."""
    try:
        return typed_span(text)
    except ValueError:
        words = f"'{text}' is not a date: write YYYY-MM-DD, 8/2/2025, or A..B for the first and the last day"
        raise argparse.ArgumentTypeError(words) from None


def pool_name(text: str) -> str:
    """Parse a pool by its code or its name, in any case: OTBR, regular, online-quick."""
    key = key_of(text) or text.strip().upper()
    if key not in all_pools():
        words = ", ".join(pool.word for pool in POOLS)
        raise argparse.ArgumentTypeError(
            f"no ratings are called '{text}': there are {words}, or by their codes {', '.join(all_pools())}"
        )
    return key


def system_name(text: str) -> str:
    """Parse a rating system with its options, as `systems` lists them."""
    try:
        system(text)
    except UnknownSystem as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def count(text: str) -> int:
    """Parse a number of games behind a rating: one or more."""
    if not text.isdecimal() or len(text) > 7 or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of games: give a whole number from 1 up")
    return int(text)


def whole(text: str) -> int:
    """Parse a whole number from 1 up that a database can hold: of a request, a proposal, a section,
    a count of lines.
    """
    if not text.isascii() or not text.isdecimal() or len(text) > 9 or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 up")
    return int(text)


def numbers(text: str) -> list[float]:
    """Parse a comma-separated list: 1700,1650,1580."""
    try:
        found = [float(part) for part in text.replace(";", ",").split(",") if part.strip()]
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers such as 1700,1650,1580") from None
    if not found or not all(abs(value) < 1e6 for value in found):
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of ratings such as 1700,1650,1580")
    return found


def plain(text: str) -> str:
    """Without what would command a terminal: a stranger's file may hold escapes, line ends, right-to-left marks."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in text)


def new_file(name: str) -> Path:
    """Where a result may be written: never over a file that is there."""
    path = Path(name)
    if path.exists():
        raise CrosstableError(f"{plain(name)} already exists; not overwritten. Choose another name")
    return path


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, default=str))


def print_findings(findings: Iterable[Finding], source: str = "", event: Event | None = None) -> None:
    """Errors first, many of a kind as one line; the file's name stands once, above."""
    lines = grouped(findings, event)
    if lines and source:
        print(plain(f"{source}:"), file=sys.stderr)
    for line in lines:
        print(f"{'  ' if source else ''}{finding_line(line, sys.stderr)}", file=sys.stderr)


def finding_line(line: Line | Finding, stream: TextIO) -> str:
    """`warning: … (--date YYYY-MM-DD) [missing-date]`: with the option that helps, and in colour on a terminal."""
    level, text = str(line.level), (line if isinstance(line, Line) else line_of(line)).text
    option = OPTIONS.get(line.code)
    helps = f" ({option.format(established=established_games())})" if option else ""
    return styled(level, _LEVELS[level], stream) + plain(f": {text}{helps} [{line.code}]")
