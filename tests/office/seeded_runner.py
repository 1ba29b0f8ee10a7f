"""Random lives of an office, each from a seed. A program of its own: `python seeded_runner.py KIND FIRST COUNT
[STEPS]`.

KIND is sqlite or postgresql. A life is a chain of random acts: reports submitted, corrected, withdrawn and restored;
merges; floor requests, adjustments and lists; users; a clock that is set back; processes that are killed at a write, or
whose n-th write fails; backups that are restored. After every step everything that was acknowledged must be there,
nothing may be half done, and the office must find nothing wrong with itself. Prints one JSON line: {"kind", "lives",
"steps", "acts", "failures"}. A failure names its seed: `python seeded_runner.py KIND SEED 1` repeats it.
"""

from __future__ import annotations

import json
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import faults
import forked
import logical
from office_databases import Files, Server, databases, template

#: Points of an act among which a fault is drawn; a later one never comes, and the act succeeds
POINTS = 60
Offices = Files | Server


@dataclass(slots=True)
class Life:
    """One office, what its federation has been told, and what was wrong."""

    seed: int
    url: str
    federation: Any
    lists: dict[str, str] = field(default_factory=dict)  # day → hash of the rows
    acts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def beginning(size: int = 24, events: int = 8) -> Any:
    """Make the office with which every life begins; return its federation."""
    from simulated import Federation, officers

    from crosstable.office.ledger import office_settings

    office_settings.create("Seeded")
    officers()
    federation = Federation(1, size=size)
    federation.fill(events)
    return federation


def publish(federation: Any) -> str:
    """Publish the list of the next month."""
    from simulated import officers

    from crosstable.office.lists import publish as lists
    from crosstable.office.requests import list_publication, registry

    first, second = officers()
    registry.approve(second, list_publication.propose(first, lists.next_day(), "the list of the month").id)
    return "publish"


def adjust(federation: Any) -> str:
    from simulated import FIRST, adjusted

    player = federation.random.choice(federation.people)
    day = FIRST + timedelta(days=federation.random.randrange(900))
    adjusted(player, "OTBR", day, {"rating": 100.0 * federation.random.randrange(8, 20), "games": 30}, "an error")
    return "adjust"


def change_users(federation: Any) -> str:
    """Add a user, or deactivate one and bring them back."""
    from simulated import ADMIN

    from crosstable.office.people import users
    from crosstable.office.people.models import Person
    from crosstable.office.people.rights import Role

    number = Person.objects.count()
    users.add_user(ADMIN, f"person{number}", federation.random.choice((Role.DIRECTOR, Role.PLAYER)))
    return "user"


def submit(federation: Any) -> str:
    federation.fill(1)
    return "submit"


def set_clock_back(federation: Any) -> str:
    """Accept an event while the clock is a day behind: order and log must not depend on it."""
    from crosstable.office.storage import clock

    with clock.set_to(datetime.now(UTC) - timedelta(days=1)):
        federation.fill(1)
    return "clock set back"


def random_act(federation: Any) -> str:
    """Do one act; a refusal is an answer like any other."""
    from crosstable.errors import CrosstableError

    own: tuple[Callable[[Any], str], ...] = (publish, adjust, change_users, submit, submit, set_clock_back)
    chosen = federation.random.randrange(10)
    try:
        return own[chosen](federation) if chosen < len(own) else federation.change()
    except CrosstableError as refused:
        return f"refused: {type(refused).__name__}"


@dataclass(frozen=True, slots=True)
class Seen:
    """What is found in an office after a step; `federation` is what it has been told by then."""

    federation: Any
    state: dict[str, Any]
    wrong: list[str]
    lists: dict[str, str]


def seen(federation: Any, after: Any = None, done: dict[str, Any] | None = None) -> Seen:
    """Look at the office. In the state `done` it has been told what the federation `after` knows."""
    state = logical.state()
    told = after if done is not None and state == done else federation
    return Seen(told, state, problems(told), published())


def acted(federation: Any) -> tuple[str, Seen]:
    """Do an act; return its name and what the office is like afterwards."""
    name = random_act(federation)
    return name, seen(federation)


def problems(federation: Any) -> list[str]:
    """Return what the office finds wrong with itself, and acknowledged reports that it no longer has."""
    from crosstable.office.backup.proof import verify_all
    from crosstable.office.ledger import models

    known = set(models.Event.objects.values_list("number", flat=True))
    gone = sorted(set(federation.made) - known)
    return [*verify_all().problems, *(f"{number} was acknowledged and is gone" for number in gone)]


def published() -> dict[str, str]:
    from crosstable.office.lists.models import PublishedList

    return {str(day): rows for day, rows in PublishedList.objects.values_list("date", "rows_hash")}


def step(offices: Offices, life: Life) -> None:
    """One act in a process of its own, which may be killed, or find its disk full, at one of its writes."""
    fault = life.federation.random.choice(("", "", "", "kill", "kill", "fail"))
    point = life.federation.random.randrange(1, POINTS)
    if fault:
        twin = offices.copy(life.url)
        now, name = _faulty(life, fault, point, twin)
        offices.drop(twin)
    else:
        name, now = forked.result(life.url, lambda: acted(life.federation))
        life.acts[name.partition(":")[0]] += 1
    life.federation = now.federation
    life.failures += [f"after {name}: {problem}" for problem in now.wrong]
    if not life.lists.items() <= now.lists.items():
        life.failures.append("a published list changed")
    life.lists = now.lists


def _faulty(life: Life, fault: str, point: int, twin: str) -> tuple[Seen, str]:
    """The twin does the act undisturbed: afterwards the office is as it was or as the twin was after one of its
    commits.
    """

    def ready() -> None:
        faults.install()
        (faults.arm if fault == "kill" else faults.arm_failure)(point)

    _, (after, name, states) = forked.start(twin, lambda: _watched(life.federation), faults.install).finished()
    died, finished = forked.start(life.url, lambda: _finished(life.federation), ready).finished()
    life.acts["a fault that came too late" if finished else f"{fault} during an act"] += 1
    words = f"{name}, {fault} at {point}"
    if died not in (0, signal.SIGKILL):
        life.failures.append(f"{words}: signal {died}")
    now: Seen = forked.result(life.url, lambda: seen(life.federation, after, states[-1]))
    if now.state not in states:
        life.failures.append(f"{words}: half done")
    return now, words


def _watched(federation: Any) -> tuple[Any, str, list[dict[str, Any]]]:
    """Do the act; return the state of the office before it, after each of its commits and at the end."""
    states = [logical.state()]
    faults.watch(lambda: states.append(logical.state()))
    name = random_act(federation)
    return federation, name, [*states, logical.state()]


def _finished(federation: Any) -> bool:
    """Do the act; False where one of its writes failed."""
    try:
        random_act(federation)
    except faults.DiskFull:
        return False
    return True


def moved(offices: Offices, life: Life, clean: str, folder: Path) -> None:
    """Back the office up, restore it into a new database, and go on living there."""
    archive = folder / f"{life.seed}.zip"
    before = forked.result(life.url, lambda: _backed_up(archive))
    new = offices.copy(clean)
    after = forked.result(new, lambda: _restored(archive))
    differing = [part for part in before if before[part] != after[part] and part != "log"]
    if differing:
        life.failures.append(f"the restored office differs in {differing}")
    offices.drop(life.url)
    life.url = new
    life.acts["backup and restore"] += 1
    archive.unlink()


def _backed_up(archive: Path) -> dict[str, Any]:
    from crosstable.office.backup.archive import backup
    from crosstable.office.people.rights import Actor

    backup(Actor.installation(), archive)
    return logical.state()


def _restored(archive: Path) -> dict[str, Any]:
    from crosstable.office.backup.archive import restore
    from crosstable.office.people.rights import Actor

    restore(Actor.installation(), archive)
    return logical.state()


@dataclass(frozen=True, slots=True)
class Start:
    """What every life begins with: an empty database with tables, and an office with its federation."""

    clean: str
    office: str
    federation: Any


def live(offices: Offices, start: Start, seed: int, steps: int, folder: Path) -> Life:
    """Live one life of so many steps."""
    federation = deepcopy(start.federation)
    federation.random.seed(seed)
    life = Life(seed, offices.copy(start.office), federation)
    for number in range(steps):
        if number == steps // 2 and seed % 3 == 0:
            moved(offices, life, start.clean, folder)
        step(offices, life)
        if life.failures:
            break
    offices.drop(life.url)
    return life


def main(kind: str, first: int, count: int, steps: int = 6) -> int:
    forked.preload()
    acts: Counter[str] = Counter()
    failures = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="crosstable-lives-")))
        offices = stack.enter_context(databases(kind, folder))
        clean = template(offices)
        office = offices.copy(clean)
        start = Start(clean, office, forked.result(office, beginning))
        for seed in range(first, first + count):
            life = live(offices, start, seed, steps, folder)
            acts += life.acts
            failures += [f"seed {seed}: {failure}" for failure in life.failures]
    report = {"kind": kind, "lives": count, "steps": acts.total(), "acts": dict(acts), "failures": failures}
    print(json.dumps(report), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
