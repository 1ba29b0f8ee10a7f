"""How long a director waits: a file with 300 players and errors, from upload to its findings, preview and sending.
And an officer: the queue of 500 events, and a correction two years back.

    python bench/desks.py [--database sqlite]                 files and queue, on a made-up office of 400 players python
    bench/desks.py --part corrections                  on the whole public record, in a new office of each database
    python bench/desks.py --part corrections --database sqlite [--data DIR] python bench/desks.py --part corrections
    --office URL     in a copy of an office that has the record: it is changed

One preview before the figures loads the compiled replay: a process whose first act is a correction waits half a second
longer.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PLAYERS, ROUNDS, TIMES = 300, 6, 5
#: Seconds, from upload to findings
LIMIT = 1.0
#: Events that wait, and seconds until the officer's queue stands
WAITING, QUEUE_LIMIT = 500, 0.1
#: Seconds until a correction two years back is previewed, and applied
PREVIEW_LIMIT, APPLY_LIMIT = 2.0, 5.0
HERE = Path(__file__).resolve().parent


def report(people: list[tuple[str, str]], *, clean: bool = False) -> bytes:
    """A crosstable with a game that disagrees, a cell that cannot be read, wrong and missing ids, a typing error; or
    none.
    """
    chance = random.Random(4)
    cells: list[list[str]] = [[] for _ in people]
    for _ in range(ROUNDS):
        order = chance.sample(range(len(people)), len(people))
        for white, black in zip(order[::2], order[1::2], strict=False):
            result = chance.choice("WDL")
            cells[white].append(f"{result}{black + 1}w")
            cells[black].append(f"{'LDW'['WDL'.index(result)]}{white + 1}b")
    if not clean:
        cells[20][1], cells[30][2] = "Q9", "W1w"
    lines = [
        "Event,Big Open",
        "Start,2025-12-27",
        "End,2025-12-28",
        f"Time control,{'G/60;d5' if clean else 'G/6O;d5'}",
    ]
    lines.append("No.,Name,ID," + ",".join(f"Rnd {turn + 1}" for turn in range(ROUNDS)))
    for place, (number, name) in enumerate(people):
        swapped = number[:-2] + number[-1] + number[-2]
        shown = number if clean or (place % 17 and place % 23) else swapped if place % 23 else ""
        lines.append(",".join([str(place + 1), name, shown, *cells[place]]))
    return "\n".join(lines).encode()


def timed(act: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds that passed, seconds of computing, and the answer."""
    begun, used = time.perf_counter(), time.process_time()
    answer = act()
    return time.perf_counter() - begun, time.process_time() - used, answer


def made_up_office(url: str) -> None:
    """A director's file, and the officer's queue."""
    from crosstable.web import settings

    settings.configure(url, https=False)
    from crosstable import office
    from crosstable.web import logs

    logs.quiet()
    office.migrate()
    from crosstable.office.example import load

    load.load(count=400, tournaments=80, lists=1)
    from crosstable.office.ledger.models import Player
    from crosstable.office.people.rights import Actor, Role
    from crosstable.office.queries import draft_preview
    from crosstable.office.reports import draft_page, drafts, sending

    dora = Actor("dora", Role.DIRECTOR)
    people = list(Player.objects.filter(merged_into=None).order_by("number").values_list("number", "name")[:PLAYERS])
    data = report(people)

    def brought() -> draft_page.Look:
        return draft_page.look(drafts.load(dora, drafts.start(dora, data, "big.csv").id))

    rounds = [timed(brought) for _ in range(TIMES)]
    wall, cpu, look = min(rounds, key=lambda one: one[0])
    print(f"{len(people)} players, {look.must} thingsto fix, {look.look} to look at")
    print(f"upload to findings   {wall:6.3f} s   ({cpu:.3f} s of computing; limit {LIMIT:.0f} s)")
    row = drafts.start(dora, report(people, clean=True), "clean.csv")
    wall, cpu, shown = timed(lambda: draft_preview.preview(draft_page.look(drafts.load(dora, row.id))))
    print(f"preview              {wall:6.3f} s   ({cpu:.3f} s of computing; {len(shown.parts)} sections)")
    wall, cpu, done = timed(lambda: sending.send(dora, row.id))
    print(f"send                 {wall:6.3f} s   ({cpu:.3f} s of computing; {done.outcome})")
    waiting(people)


def waiting(people: list[tuple[str, str]]) -> None:
    """The officer's queue, with so many events in it."""
    from crosstable.office.people.rights import Actor, Role
    from crosstable.office.queries.officer_queue import queue
    from crosstable.office.reports import submissions

    dora, olga = Actor("dora", Role.DIRECTOR), Actor("olga", Role.OFFICER)
    for number in range(WAITING):
        some = people[number % 280 : number % 280 + 16]
        data = report(some, clean=True).replace(b"Big Open", f"Club night {number}".encode())
        submissions.submit(dora, data, f"night-{number}.csv")
    wall, cpu, found = min((timed(lambda: queue(olga)) for _ in range(TIMES)), key=lambda one: one[0])
    print(f"queue of {len(found.lines):<11} {wall:6.3f} s   ({cpu:.3f} s of computing; limit {QUEUE_LIMIT} s)")


def imported(url: str, kind: str, data: Path) -> None:
    """A new office with the whole record."""
    from office import begin

    begin(url)
    from crosstable import office
    from crosstable.office.people.rights import Actor, Role

    wall, cpu, _ = timed(lambda: office.import_history(Actor("admin", Role.ADMIN), data))
    print(f"{kind}: import {wall:.0f} s ({cpu:.0f} s of computing)", flush=True)


def corrections() -> None:
    """Four events two years back: the last of them, two before it, and the largest near it."""
    from crosstable import office
    from crosstable.office.people.rights import Actor, Role
    from office import turned, two_years_back

    officer = Actor("officer", Role.OFFICER)
    back = two_years_back()
    for place, (number, section, players) in enumerate(
        (back[0], back[10], back[25], max(back, key=lambda one: one[2]))
    ):
        content = turned(number, section)

        def correct(preview: bool, number: str = number, content: bytes = content) -> Any:
            return office.correct(officer, number, content, "bench.json", "bench", preview=preview)

        if not place:
            correct(True)
        print(f"event {number}, section {section} of {players} players")
        for name, preview in (("preview", True), ("preview again", True), ("apply", False)):
            wall, cpu, done = timed(lambda preview=preview: correct(preview))
            limit = PREVIEW_LIMIT if preview else APPLY_LIMIT
            found = f"{done.players} players, {done.sections} sections"
            print(f"  {name:18} {wall:6.2f} s   ({cpu:.2f} s of computing; {found}; limit {limit:.0f} s)", flush=True)


def in_database(kind: str, act: Callable[[str], None]) -> None:
    """In a new database of this kind."""
    from office import database

    with database(kind) as url:
        act(url)
        from django.db import connections

        connections.close_all()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("made-up", "corrections"), default="made-up")
    parser.add_argument("--database", choices=("sqlite", "postgresql"))
    where = Path(os.environ.get("CROSSTABLE_DATA", HERE.parents[1] / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=where)
    parser.add_argument("--office", metavar="URL")
    args = parser.parse_args()

    def on_the_record(url: str) -> None:
        imported(url, args.database, args.data)
        corrections()

    if args.office:
        from crosstable import office

        office.setup(args.office)
        corrections()
    elif args.part == "made-up":
        in_database(args.database or "sqlite", made_up_office)
    elif not (args.data / "games.parquet").exists():
        print(f"skipped: no history tables in {args.data}", file=sys.stderr)
    elif args.database:
        in_database(args.database, on_the_record)
    else:
        for kind in ("sqlite", "postgresql"):  # each in a process of its own: Django has one database
            command = [sys.executable, __file__, "--part", "corrections", "--data", str(args.data), "--database", kind]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
