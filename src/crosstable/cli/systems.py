"""`crosstable systems`: the rating systems that exist, with their parameters."""

from __future__ import annotations

import argparse
from datetime import date
from typing import Any

from crosstable.cli.output import day, print_json
from crosstable.systems import names, system


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--on", type=day, metavar="DATE", help="parameters on this day (default: today)")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    on = args.on or date.today()
    rows = [_row(name, on) for name in names()]
    if args.json:
        print_json({"date": on, "systems": rows})
        return 0
    for row in rows:
        print(f"{row['name']}: {row['title']} (ratings {', '.join(row['pools'])}; rulebook from {row['first']})")
        for option, words in row["options"].items():
            print(f"  {row['name']}:{option}=… {words}")
        for title, words in row["parameters"].items():
            print(f"  {title}: {words}")
    return 0


def _row(name: str, on: date) -> dict[str, Any]:
    chosen = system(name)
    book = chosen.book
    rules = book.on(on) if on >= book.first else None
    return {
        "name": name,
        "title": chosen.title,
        "pools": chosen.pools,
        "options": {option: f"{one.values}: {one.says}" for option, one in chosen.options.items()},
        "first": book.first,
        "parameters": {book.rules[name].title: book.rules[name].words(value) for name, value in rules.values.items()}
        if rules
        else {"not in force": f"its first day is {book.first}"},
    }
