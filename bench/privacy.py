"""How much of the public derivations is shown, in the example office, and what the public form costs.

    python bench/privacy.py [--database URL] [--every N]

Without a database it makes the example office in a scratch SQLite file (about a minute). `--every N`: only each N-th
section. A derivation counts as shown when the value of each of its steps is: all in full, or some in whole points.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from dataclasses import replace
from datetime import date

import crosstable
from crosstable.model import Answer, Event, Game, Player, Rating, Section
from crosstable.systems.privacy import Rounded


def kind(own: Answer, public: Answer) -> str:
    """What the public form of a derivation shows of the values of its steps."""
    shown = {step.title: step.value for step in public.trace}
    if any(step.value is not None and shown.get(step.title) is None for step in own.trace):
        return "hidden"
    return "rounded" if any(isinstance(shown[step.title], Rounded) for step in own.trace) else "full"


def derivations(every: int) -> tuple[Counter[str], float]:
    """The public derivations of the office's sections by what they show, and the seconds that a section took."""
    from crosstable.office.ledger.models import Section as Row
    from crosstable.office.rating import trace

    found: Counter[str] = Counter()
    begin, sections = time.perf_counter(), 0
    for row in Row.objects.order_by("position")[::every]:
        sections += 1
        pool = row.keys.partition(",")[0]
        found.update(map(kind, trace.answers(row, pool), trace.answers(row, pool, public=True)))
    return found, (time.perf_counter() - begin) / sections


def large_event(players: int = 400, rounds: int = 5, newcomers: int = 8) -> Event:
    """A dual-rated section in which every n-th player is new."""
    chance = random.Random(7)
    field = [
        Player(
            number,
            f"2{number:07d}",
            birth_date=date(chance.randint(1960, 2017), 5, 5),
            ratings=(
                {pool: Rating(chance.uniform(300, 2200), 60) for pool in ("OTBR", "OTBQ")} if number % newcomers else {}
            ),
        )
        for number in range(1, players + 1)
    ]
    games = []
    for place in range(1, rounds + 1):
        order = list(range(1, players + 1))
        chance.shuffle(order)
        pairs = zip(order[::2], order[1::2], strict=True)
        games += [Game(place, white, black, chance.choice(["1-0", "0-1", "1/2-1/2"])) for white, black in pairs]
    day = date(2025, 8, 2)
    section = Section(1, "Open", day, day, tuple(field), tuple(games), time_control="G/60;d5")
    return Event("Large", day, day, (section,))


def seconds(call: object, event: Event, times: int = 3) -> float:
    spent = []
    for _ in range(times):
        begin = time.process_time()
        call(event)
        spent.append(time.process_time() - begin)
    return min(spent)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--database")
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    event = large_event()
    crosstable.rate(replace(event, sections=event.sections))  # the rulebook is read once
    print(
        f"400 players, dual: rate {seconds(crosstable.rate, event):.2f} s, public"
        f" {seconds(crosstable.public, event, 1):.2f} s"
    )
    with tempfile.TemporaryDirectory() as folder:
        from crosstable import office

        office.setup(args.database or f"sqlite:///{folder}/office.db")
        if not args.database:
            from crosstable.office.example.load import load

            office.migrate()
            load()
        found, each = derivations(args.every)
    total = found.total()
    for name in ("full", "rounded", "hidden"):
        print(f"{name:8} {found[name]:6}  {100 * found[name] / total:5.1f} %")
    print(
        f"every step's value shown: {100 * (total - found['hidden']) / total:.1f} % of {total}; {each:.2f} s a section"
    )


if __name__ == "__main__":
    main()
