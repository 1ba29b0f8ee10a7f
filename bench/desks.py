"""How long a director waits: a file with 300 players and errors, from upload to its findings, preview and sending.
And an officer: the queue of 500 events.

python bench/desks.py            on a made-up office of 400 players
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PLAYERS, ROUNDS, TIMES = 300, 6, 5
#: Seconds, from upload to findings
LIMIT = 1.0
#: Events that wait, and seconds until the officer's queue stands
WAITING, QUEUE_LIMIT = 500, 0.1


def report(people: list[tuple[str, str]], *, clean: bool = False) -> bytes:
    """A crosstable with a game that disagrees, a cell that cannot be read, wrong and missing ids, a typing error; or none."""
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


def main() -> None:
    from crosstable.web import settings

    folder = Path(tempfile.mkdtemp(prefix="bench-desks-"))
    settings.configure(f"sqlite:///{folder / 'office.db'}", https=False)
    from crosstable import office
    from crosstable.web import logs

    logs.quiet()
    office.migrate()
    from crosstable.office.example import load

    load.load(count=400, tournaments=80, lists=1)
    from crosstable.office.drafts import drafting, looking, previewing, sending
    from crosstable.office.ledger.models import Player
    from crosstable.office.people.rights import Actor, Role

    dora = Actor("dora", Role.DIRECTOR)
    people = list(Player.objects.filter(merged_into=None).order_by("number").values_list("number", "name")[:PLAYERS])
    data = report(people)

    def brought() -> looking.Look:
        return looking.look(drafting.load(dora, drafting.start(dora, data, "big.csv").id))

    rounds = [timed(brought) for _ in range(TIMES)]
    wall, cpu, look = min(rounds, key=lambda one: one[0])
    print(f"{len(people)} players, {look.must} things to mend, {look.look} to look at")
    print(f"upload to findings   {wall:6.3f} s   ({cpu:.3f} s of computing; limit {LIMIT:.0f} s)")
    row = drafting.start(dora, report(people, clean=True), "clean.csv")
    wall, cpu, shown = timed(lambda: previewing.preview(looking.look(drafting.load(dora, row.id))))
    print(f"preview              {wall:6.3f} s   ({cpu:.3f} s of computing; {len(shown.parts)} sections)")
    wall, cpu, done = timed(lambda: sending.send(dora, row.id))
    print(f"send                 {wall:6.3f} s   ({cpu:.3f} s of computing; {done.outcome})")
    waiting(people)


def waiting(people: list[tuple[str, str]]) -> None:
    """The officer's queue, with so many events in it."""
    from crosstable.office import events
    from crosstable.office.people.rights import Actor, Role
    from crosstable.office.queue.waiting import queue

    dora, olga = Actor("dora", Role.DIRECTOR), Actor("olga", Role.OFFICER)
    for number in range(WAITING):
        some = people[number % 280 : number % 280 + 16]
        data = report(some, clean=True).replace(b"Big Open", f"Club night {number}".encode())
        events.submit(dora, data, f"night-{number}.csv")
    wall, cpu, found = min((timed(lambda: queue(olga)) for _ in range(TIMES)), key=lambda one: one[0])
    print(f"queue of {len(found.lines):<11} {wall:6.3f} s   ({cpu:.3f} s of computing; limit {QUEUE_LIMIT} s)")


if __name__ == "__main__":
    main()
