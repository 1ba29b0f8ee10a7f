"""Kill the office at its writes and look at what is left. A program of its own: `python crash_runner.py KIND EVERY [OP
…]`.

KIND is sqlite or postgresql; EVERY takes every n-th point (1: all). Prints one JSON line for each operation:
{"kind", "op", "points", "tried", "before", "after", "failures"}.

This process only forks: it loads the programs once and never opens a database, so its children start from a clean copy.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import faults
import forked
import logical
from office_databases import Files, Server, databases, migrate, template


def killed(url: str, work: Callable[[], Any], fatal: int) -> tuple[int, Any]:
    """(signal, result) of `work` in a process that dies at that point (0: never)."""

    def ready() -> None:
        faults.install()
        faults.arm(fatal)

    return forked.start(url, work, ready).finished()


def season() -> None:
    """A small office with a history."""
    from crosstable.office.example.load import load

    load(count=50, tournaments=8, lists=1)


def staff(name: str) -> Any:
    from crosstable.office.people.users import acting_as

    return acting_as(name)


def some_event() -> Any:
    """An accepted event from the middle of the history: (number, document)."""
    from crosstable.office.ledger.models import Event
    from crosstable.office.reports import events

    numbers = list(Event.objects.filter(status="accepted").order_by("end", "number").values_list("number", flat=True))
    return numbers[3], events.document(numbers[3])


def as_file(event: Any) -> bytes:
    from crosstable.formats import event_json

    return json.dumps(event_json.to_json(event)).encode()


def submit() -> Any:
    from crosstable.office.reports import submissions

    _, event = some_event()
    new = replace(event, name="Another one")
    return submissions.submit(staff("dora"), as_file(new), "new.json", "NEW1").outcome


def accept() -> Any:
    from crosstable.office.reports import accepting

    return accepting.accept(staff("olive"), "NEW1", "in order").rows_added


def correct() -> Any:
    from crosstable.office.reports import accepting

    number, event = some_event()
    section = event.sections[0]
    games = [replace(section.games[0], result="1/2-1/2"), *section.games[1:]]
    other = replace(event, sections=(replace(section, games=tuple(games)), *event.sections[1:]))
    return accepting.correct(staff("olive"), number, as_file(other), "again.json", "a draw").rows_added


def prepare_wrong_ratings() -> None:
    from django.db.models import F

    from crosstable.office.ledger.models import RatingRow

    first = RatingRow.objects.order_by("position").values_list("position", flat=True)[0]
    RatingRow.objects.filter(position=first).update(post=F("post") + 7)


def rerate() -> Any:
    from crosstable.office.rating import rerating

    return rerating.rerate(staff("olive"), "a check").rows_added


def prepare_proposal() -> None:
    from datetime import date

    from crosstable.office.requests import list_publication

    list_publication.propose(staff("olive"), date(2026, 3, 1), "the list of March")


def publish_list() -> Any:
    from crosstable.office.requests import registry
    from crosstable.office.requests.models import Proposal

    waiting = Proposal.objects.filter(subject="list:2026-03-01").get()
    return registry.approve(staff("oscar"), waiting.id)["rows"]


def prepare_empty() -> None:
    from crosstable.office.ledger import office_settings
    from crosstable.office.storage.database import writing

    with writing():
        office_settings.create("History")


def tables() -> Path:
    """A little history in three tables, as `office import` reads them."""
    return Path(os.environ["CRASH_TABLES"])


def write_tables(folder: Path) -> None:
    import random
    from datetime import date, timedelta

    import polars as pl

    rng = random.Random(3)
    sections, entries, games = [], [], []
    for number in range(1, 13):
        end = date(2007, 1, 6) + timedelta(days=14 * number)
        sections.append((number, end, end, end, "R" if number % 3 else "D", "S", "F", "G/90", 3, 6))
        field = rng.sample(range(1, 25), 6)
        for place, player in enumerate(field, start=1):
            pre = 1000 + 40 * player
            blank = (None,) * 8
            entries.append((number, place, player, pre, None, pre, None, *blank, "", "R"))
        for round_ in range(1, 4):
            order = rng.sample(range(1, 7), 6)
            pairs = zip(order[::2], order[1::2], strict=True)
            games += [(number, round_, min(a, b), max(a, b), rng.choice((0, 1, 2)), None) for a, b in pairs]
    kinds = [
        f"{kind}_{what}"
        for kind in ("regular", "quick", "blitz")
        for what in ("pre", "pre_games", "post", "post_games")
    ]
    names = ["section", "start", "end", "event_end", "system", "type", "k", "time_control", "rounds", "players"]
    pl.DataFrame(sections, names, orient="row").write_parquet(folder / "sections.parquet")
    types = {"section": pl.Int32, "number": pl.Int32, "player": pl.Int32, **dict.fromkeys(kinds, pl.Int32)}
    pl.DataFrame(entries, {**types, "norm": pl.String, "has": pl.String}, orient="row").write_parquet(
        folder / "entries.parquet"
    )
    names = {"section": pl.Int32, "round": pl.Int32, "number": pl.Int32, "opponent": pl.Int32, "half_points": pl.Int32}
    pl.DataFrame(games, {**names, "color": pl.String}, orient="row").write_parquet(folder / "games.parquet")


def import_tables() -> Any:
    from crosstable.office.history import import_history
    from crosstable.office.people.rights import Actor

    return import_history(Actor.installation(), tables()).ratings


#: operation → the office it begins with, what must happen there before, and the operation
OPERATIONS: dict[str, tuple[Callable[[], None], Callable[[], Any] | None, Callable[[], Any]]] = {
    "import": (prepare_empty, None, import_tables),
    "submit": (season, None, submit),
    "accept": (season, submit, accept),
    "correct": (season, None, correct),
    "rerate": (season, prepare_wrong_ratings, rerate),
    "publish": (season, prepare_proposal, publish_list),
}


def counted(work: Callable[[], Any]) -> Callable[[], int]:
    def run() -> int:
        work()
        return faults.FAULT.points

    return run


def looked_at(work: Callable[[], Any]) -> Callable[[], tuple[dict[str, Any], dict[str, Any], list[str]]]:
    """After a restart: the state as found, and what it is after the operation once more, which must just work.

    That it has been done already is a clean answer.
    """

    def run() -> tuple[dict[str, Any], dict[str, Any], list[str]]:
        from crosstable.errors import CrosstableError

        found = logical.state()
        with suppress(CrosstableError):
            work()
        return found, logical.state(), logical.problems()

    return run


def attempt(offices: Files | Server, made: dict[Callable[[], None], str], name: str, every: int) -> dict[str, Any]:
    """One operation, killed at every n-th of its points. `made`: offices to begin with, made once."""
    begin, prepare, work = OPERATIONS[name]
    if begin not in made:
        made[begin] = offices.copy(made[migrate])
        forked.result(made[begin], begin)
    base = offices.copy(made[begin])
    if prepare:
        forked.result(base, prepare)
    before = forked.result(base, logical.state)
    done = offices.copy(base)
    points: int = killed(done, counted(work), 0)[1]
    after = forked.result(done, logical.state)
    report: dict[str, Any] = {"op": name, "points": points, "tried": 0, "before": 0, "after": 0, "failures": []}
    chosen = sorted({*range(1, points + 1, every), points - 1, points})
    for fatal in chosen:
        url = offices.copy(base)
        died, _ = killed(url, work, fatal)
        found, final, problems = forked.result(url, looked_at(work))
        which = "before" if found == before else "after" if found == after else "between"
        report["tried"] += 1
        if died != signal.SIGKILL or which == "between" or problems:
            report["failures"].append([fatal, died, which, problems])
        elif which == "before" and final != after:
            report["failures"].append([fatal, "the next run did not give the state after", differing(final, after)])
        elif final["ratings"] != after["ratings"]:
            report["failures"].append([fatal, "the next run changed ratings", differing(final, after)])
        else:
            report[which] += 1
        offices.drop(url)
    offices.drop(done)
    offices.drop(base)
    return report


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [name for name in one if one[name] != other[name]]


def main(kind: str, every: int, names: list[str]) -> int:
    forked.preload()
    failures = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="crosstable-crash-")))
        os.environ["CRASH_TABLES"] = str(folder / "tables")
        (folder / "tables").mkdir()
        offices = stack.enter_context(databases(kind, folder))
        forked.result(f"sqlite:///{folder / 'none.db'}", lambda: write_tables(folder / "tables"))
        made: dict[Callable[[], None], str] = {migrate: template(offices)}
        for name in names or list(OPERATIONS):
            report = {"kind": kind, **attempt(offices, made, name, every)}
            failures += len(report["failures"])
            print(json.dumps(report), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
