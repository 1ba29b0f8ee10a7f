"""The office's speed on the whole public record: import, re-rate, accept at the end, correct from two years back.

    python bench/office.py [--data DIR] [--json] [--database sqlite|postgresql]

Each database runs in a process of its own, so that memory is its own too. Skips with a reason where there is no data.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
#: What the issue promises, in seconds
PROMISED = {"import": 300, "rerate": 60, "accept": 0.5, "correct_preview": 2, "correct_apply": 5}


@contextmanager
def database(kind: str) -> Iterator[str]:
    """A new, empty database."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/office.db"
        return
    sys.path.insert(0, str(HERE.parent / "tests" / "office"))
    import office_postgres

    with office_postgres.server() as server:
        yield office_postgres.create(server, "bench")


#: Seconds of this process's own work, by name: what is left of a figure on a busy machine
_CPU: dict[str, float] = {}


def timed(name: str, call: Callable[[], Any]) -> tuple[float, Any]:
    begin, work = time.perf_counter(), time.process_time()
    result = call()
    _CPU[name] = min(time.process_time() - work, _CPU.get(name, float("inf")))
    return time.perf_counter() - begin, result


def begin(url: str) -> None:
    """An empty office."""
    from crosstable import office

    office.setup(url)
    office.migrate()
    from crosstable.office.ledger import office_settings

    office_settings.create("Bench office", profile="as-practised")


def measure(kind: str, data: Path) -> dict[str, Any]:
    """All figures of one database."""
    with database(kind) as url:
        from crosstable import office

        begin(url)
        from crosstable.office.people.rights import Actor, Role

        officer, admin = Actor("officer", Role.OFFICER), Actor("admin", Role.ADMIN)
        figures: dict[str, Any] = {"database": kind}
        figures["import"], done = timed("import", lambda: office.import_history(admin, data))
        figures |= {"games": done.games, "ratings": done.ratings}
        figures["rerate"], same = timed("rerate", lambda: office.rerate(officer, "bench"))
        figures["rerate_changed_rows"] = same.rows_added
        figures["accept"] = min(accept_one(officer, number) for number in range(3))
        figures |= correct_one(officer)
        figures |= {f"cpu_{name}": seconds for name, seconds in _CPU.items()}
        figures["memory_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        from django.db import connections

        connections.close_all()
    return figures


def accept_one(officer: Any, number: int) -> float:
    """A new 100-player event at the end of the record: accepted, with everything that belongs to it."""
    from crosstable import office
    from crosstable.office.ledger.models import Player, Section

    last = Section.objects.order_by("-position").values_list("event_end", flat=True)[0] + timedelta(days=7)
    people = list(Player.objects.order_by("-id").values_list("number", flat=True)[number * 100 : number * 100 + 100])
    games = [
        {
            "round": r + 1,
            "white": 1 + i,
            "black": 51 + (i + r * 7) % 50,
            "result": ("1-0", "0-1", "1/2-1/2")[(i + r) % 3],
        }
        for r in range(5)
        for i in range(50)
    ]
    content = {
        "format": "crosstable-event/1",
        "name": f"Bench {number}",
        "start": str(last),
        "end": str(last),
        "sections": [
            {
                "number": 1,
                "name": "Open",
                "time_control": "G/60;d5",
                "games": games,
                "players": [{"number": place, "id": one} for place, one in enumerate(people, 1)],
            }
        ],
    }
    event = office.submit(officer, json.dumps(content).encode(), "bench.json").event
    return timed("accept", lambda: office.accept(officer, event))[0]


def two_years_back() -> list[tuple[str, int, int]]:
    """(event, section, players) of Swisses with more than twenty games that ended two years before the last event, the
    last first.
    """
    from crosstable.office.ledger.models import Section
    from crosstable.office.ledger.packing import entries_of, games_of

    last = Section.objects.order_by("-position").values_list("event_end", flat=True)[0]
    back = Section.objects.filter(event_end__lte=last - timedelta(days=2 * 365), kind="swiss").order_by("-position")
    return [
        (row.event.number, row.number, len(entries_of(bytes(row.entries))))
        for row in back.select_related("event")[:400]
        if len(games_of(bytes(row.games))) > 20
    ]


def turned(number: str, section: int) -> bytes:
    """The event with another result in the first game of a section."""
    from crosstable import office
    from crosstable.formats import event_json

    content = event_json.to_json(office.document(number))
    game = next(one for one in content["sections"] if one["number"] == section)["games"][0]
    game["result"] = "0-1" if game["result"] == "1-0" else "1-0"
    return json.dumps(content).encode()


def correct_one(officer: Any) -> dict[str, Any]:
    """One result of an event from two years back turns out otherwise."""
    from crosstable import office

    number, section, _ = two_years_back()[0]
    data = turned(number, section)
    preview, shown = timed(
        "preview", lambda: office.correct(officer, number, data, "bench.json", "bench", preview=True)
    )
    applied, done = timed("apply", lambda: office.correct(officer, number, data, "bench.json", "bench"))
    return {
        "correct_preview": preview,
        "correct_apply": applied,
        "correct_previewed_and_applied": preview + applied,
        "correct_rows": done.rows_added,
        "correct_players": len({change.player for change in shown.changes}),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=Path(os.environ.get("CROSSTABLE_DATA", HERE.parents[1] / "shared" / "data"))
    )
    parser.add_argument("--database", choices=("sqlite", "postgresql"))
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not (args.data / "games.parquet").exists():
        print(f"skipped: no history tables in {args.data}", file=sys.stderr)
        return 0
    if args.database:
        print(json.dumps(measure(args.database, args.data)))
        return 0
    found = []
    for kind in ("sqlite", "postgresql"):
        command = [sys.executable, __file__, "--data", str(args.data), "--database", kind]
        answer = subprocess.run(command, check=True, capture_output=True, text=True)
        found.append(json.loads(answer.stdout.splitlines()[-1]))
    if args.json:
        print(json.dumps({"promised": PROMISED, "measured": found}))
        return 0
    for name in found[0]:
        cells = [one[name] if isinstance(one[name], str) else f"{one[name]:,.2f}" for one in found]
        promised = f"promised {PROMISED[name]}" if name in PROMISED else ""
        print(f"{name:32}{cells[0]:>16}{cells[1]:>16}  {promised}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
