"""What the verbs share: findings on stderr, dates from the command line, JSON on stdout."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from crosstable.checks.grouping import grouped
from crosstable.errors import CrosstableError, UnknownSystem
from crosstable.formats.dates import typed_day, typed_span
from crosstable.model import Event, Finding
from crosstable.systems import system


def day(text: str) -> date:
    """A date argument; argparse turns the error into one line and exit status 2."""
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


def system_name(text: str) -> str:
    """A rating system with its options, as `systems` lists them."""
    try:
        system(text)
    except UnknownSystem as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def count(text: str) -> int:
    """A number of games behind a rating: one or more."""
    if not text.isdecimal() or len(text) > 7 or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of games: give a whole number from 1 up")
    return int(text)


def whole(text: str) -> int:
    """A whole number from 1 up that a database can hold: of a request, a proposal, a section, how many lines."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9 or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 up")
    return int(text)


def numbers(text: str) -> list[float]:
    """A comma-separated list: 1700,1650,1580."""
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
        raise CrosstableError(f"{plain(name)} is there already and stays as it is; choose another name")
    return path


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, default=str))


def print_findings(findings: Iterable[Finding], source: str = "", event: Event | None = None) -> None:
    """Errors first, many of a kind as one line; the file's name stands once, above."""
    lines = grouped(findings, event)
    if lines and source:
        print(plain(f"{source}:"), file=sys.stderr)
    for line in lines:
        print(plain(f"  {line}" if source else str(line)), file=sys.stderr)
