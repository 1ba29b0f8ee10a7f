"""Many writers at once. A program of its own: `python writers_runner.py KIND WRITERS ROUNDS`.

Each writer is a process that submits, accepts, corrects, withdraws, proposes and approves what it finds, as it finds
it. Afterwards the audit log is taken as the order in which it all happened: one process does the same, one after the
other, in a new office, and both must say the same. Prints one JSON line; exit 1 if anything was lost, wrong or not
clean.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import forked
import logical
from office_databases import databases, template

FIRST = date(2024, 1, 6)
PLAYERS = [str(41_000_001 + n) for n in range(40)]
Act = Callable[[str], tuple[str, str] | None]


@dataclass(slots=True)
class Told:
    """What became of somebody's acts: what was done, what was refused, and what should not have happened."""

    done: list[tuple[str, str]] = field(default_factory=list)  # (action, reason or file's hash)
    refused: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def of(self, act: Act, what: str, refusal: type[Exception], why: Callable[[Exception], str]) -> None:
        """Do one act, and note it."""
        try:
            if said := act(what):
                self.done.append(said)
        except refusal as refused:
            self.refused[f"{act.__name__}: {why(refused)}"] += 1
        except Exception as error:
            self.wrong.append(f"{what}, {act.__name__}: {type(error).__name__}: {error}")


@dataclass(slots=True)
class Journal(Told):
    """What a writer did, and the files it made."""

    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)  # sha256 → (event, bytes)
    corrections: dict[str, bytes] = field(default_factory=dict)  # reason → bytes


def prepare(writers: int) -> None:
    from crosstable.model import Rating
    from crosstable.office.ledger import office_settings
    from crosstable.office.ledger.models import Adjustment, Player
    from crosstable.office.people import users
    from crosstable.office.people.rights import Actor, Role
    from crosstable.office.players.opening_ratings import opening
    from crosstable.office.storage.database import writing

    with writing():
        office_settings.create("Crowded")
        Player.objects.bulk_create(Player(number=one, name=f"Player {one}", state="OH") for one in PLAYERS)
        rows = dict(Player.objects.values_list("number", "id"))
        Adjustment.objects.bulk_create(
            opening(rows[one], "OTBR", FIRST - timedelta(days=9), Rating(1000.0 + 30 * n, 30), "prepare", "opening")
            for n, one in enumerate(PLAYERS)
        )
    for n in range(writers):
        users.add_user(Actor.installation(), f"officer{n}", Role.OFFICER)


def quad(rng: random.Random, name: str) -> bytes:
    day = (FIRST + timedelta(days=7 * rng.randrange(80))).isoformat()
    people = rng.sample(PLAYERS, 4)
    pairs = ((1, 1, 4), (1, 2, 3), (2, 3, 1), (2, 4, 2), (3, 1, 2), (3, 3, 4))
    games = [{"round": r, "white": w, "black": b, "result": rng.choice(("1-0", "0-1", "1/2-1/2"))} for r, w, b in pairs]
    section = {
        "number": 1,
        "name": "Quad",
        "kind": "round-robin",
        "time_control": "G/90;d5",
        "games": games,
        "players": [{"number": n, "id": one, "name": f"Player {one}"} for n, one in enumerate(people, 1)],
    }
    whole = {"format": "crosstable-event/1", "name": name, "city": "Dayton", "state": "OH", "start": day, "end": day}
    return json.dumps({**whole, "sections": [section]}).encode()


class Writer:
    def __init__(self, number: int, rounds: int) -> None:
        from crosstable.office.people.users import acting_as

        self.number, self.rounds = number, rounds
        self.rng = random.Random(1000 + number)
        self.actor = acting_as(f"officer{number}")
        self.journal = Journal()

    def work(self) -> Journal:
        from crosstable.errors import CrosstableError

        acts = [self.submit] * 9 + [self.accept] * 6 + [self.correct] * 3 + [self.withdraw, self.propose, self.approve]
        for turn in range(self.rounds):
            act = self.rng.choice(acts)
            what = f"{act.__name__} {self.number}.{turn}"
            self.journal.of(act, what, CrosstableError, lambda refused: type(refused).__name__)
        return self.journal

    def submit(self, what: str) -> tuple[str, str]:
        """Mostly an event of one's own; sometimes under an id that others use too, or the same bytes again."""
        import hashlib

        from crosstable.office.reports import submissions

        own = list(self.journal.files.values())
        if own and self.rng.random() < 0.1:
            number, data = self.rng.choice(own)
        else:
            shared = self.rng.random() < 0.15
            number = f"S{self.rng.randrange(40)}" if shared else f"W{self.number}-{len(own)}"
            data = quad(self.rng, what)
        digest = hashlib.sha256(data).hexdigest()
        self.journal.files.setdefault(digest, (number, data))
        submissions.submit(self.actor, data, "file.json", number)
        return "event.submit", digest

    def _some(self, *status: str) -> str:
        from crosstable.errors import CrosstableError
        from crosstable.office.ledger.models import Event

        numbers = list(Event.objects.filter(status__in=status).values_list("number", flat=True))
        if not numbers:
            raise CrosstableError("nothing there")
        return self.rng.choice(sorted(numbers)[-12:])

    def accept(self, what: str) -> tuple[str, str]:
        from crosstable.office.reports import accepting

        accepting.accept(self.actor, self._some("submitted", "withdrawn"), what)
        return "event.accept", what

    def correct(self, what: str) -> tuple[str, str]:
        from crosstable.office.reports import accepting

        number = self._some("accepted", "submitted")
        data = quad(self.rng, what)
        self.journal.corrections[what] = data
        accepting.correct(self.actor, number, data, "file.json", what)
        return "event.correct", what

    def withdraw(self, what: str) -> tuple[str, str]:
        from crosstable.office.reports import accepting

        accepting.withdraw(self.actor, self._some("accepted"), what)
        return "event.withdraw", what

    def propose(self, what: str) -> tuple[str, str]:
        from crosstable.office.lists.models import PublishedList
        from crosstable.office.requests import list_publication

        last = PublishedList.objects.order_by("-date").values_list("date", flat=True).first() or date(2004, 12, 1)
        month = last.year * 12 + last.month  # the month after it
        list_publication.propose(self.actor, date(month // 12, month % 12 + 1, 1), what)
        return "proposal.make", what

    def approve(self, _: str) -> tuple[str, str]:
        from crosstable.errors import CrosstableError
        from crosstable.office.requests import registry, two_officers

        waiting = two_officers.waiting(self.actor)
        if not waiting:
            raise CrosstableError("nothing to review")
        registry.approve(self.actor, waiting[0]["number"])
        return "proposal.approve", waiting[0]["reason"]


def one_after_the_other(log: list[tuple[str, str, str, str, str]], journals: list[Journal]) -> None:
    """What the log says, again, by one process."""
    from crosstable.office.people.users import acting_as
    from crosstable.office.reports import accepting, submissions
    from crosstable.office.requests import list_publication, registry
    from crosstable.office.requests.models import Proposal

    files = {digest: file for journal in journals for digest, file in journal.files.items()}
    corrections = {reason: data for journal in journals for reason, data in journal.corrections.items()}
    for name, action, subject, reason, details in log:
        what = subject.partition(":")[2]
        if action == "list.publish" or not name.startswith("officer"):
            continue
        actor = acting_as(name)
        if action == "event.submit":
            number, data = files[json.loads(details)["file"]]
            submissions.submit(actor, data, "file.json", number)
        elif action == "event.accept":
            accepting.accept(actor, what, reason)
        elif action == "event.correct":
            accepting.correct(actor, what, corrections[reason], "file.json", reason)
        elif action == "event.withdraw":
            accepting.withdraw(actor, what, reason)
        elif action == "proposal.make":
            day = date.fromisoformat(json.loads(details)["subject"].partition(":")[2])
            list_publication.propose(actor, day, reason)
        elif action == "proposal.approve":
            waiting = Proposal.objects.get(subject=json.loads(details)["subject"], state=Proposal.WAITING)
            registry.approve(actor, waiting.id)
        else:
            raise AssertionError(f"nobody did {action}")


def log_of() -> list[tuple[str, str, str, str, str]]:
    from crosstable.office.audit.models import AuditEntry

    rows = AuditEntry.objects.order_by("seq").values_list("actor", "action", "subject", "reason", "details")
    return list(rows)


def lost(log: list[tuple[str, str, str, str, str]], journals: list[Journal]) -> list[str]:
    """Acts that a writer was told had been done, but that the log does not have as often."""
    told = Counter(act for journal in journals for act in journal.done)
    logged: Counter[tuple[str, str]] = Counter()
    for name, action, _, reason, details in log:
        if name.startswith("officer") and action != "list.publish":
            logged[action, json.loads(details)["file"] if action == "event.submit" else reason] += 1
    return [f"{act}: told {told[act]}, logged {logged[act]}" for act in told | logged if told[act] != logged[act]]


def deadlocks() -> int:
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def crowd(kind: str, writers: int, rounds: int, folder: Path) -> dict[str, Any]:
    with databases(kind, folder) as offices:
        base = offices.copy(template(offices))
        forked.result(base, lambda: prepare(writers))
        url = offices.copy(base)
        began = time.monotonic()
        children = [forked.start(url, lambda n=n: Writer(n, rounds).work()) for n in range(writers)]
        journals: list[Journal] = [child.finished()[1] for child in children]
        seconds = time.monotonic() - began
        log, found, problems, dead = forked.result(
            url, lambda: (log_of(), logical.state(), logical.problems(), deadlocks())
        )
        serial = offices.copy(base)
        forked.result(serial, lambda: one_after_the_other(log, journals))
        again = forked.result(serial, logical.state)
    return {
        "kind": kind,
        "writers": writers,
        "rounds": rounds,
        "done": sum(len(journal.done) for journal in journals),
        "refused": dict(sum((journal.refused for journal in journals), Counter())),
        "wrong": [words for journal in journals for words in journal.wrong],
        "lost": lost(log, journals),
        "differs_from_serial": [part for part in found if found[part] != again[part]],
        "problems": problems,
        "deadlocks": dead,
        "acts": dict(Counter(re.sub(r"^event\.|^proposal\.", "", action) for _, action, *_ in log)),
        "seconds": round(seconds, 1),
    }


def main(kind: str, writers: int, rounds: int) -> int:
    forked.preload()
    with tempfile.TemporaryDirectory(prefix="crosstable-writers-") as folder:
        report = crowd(kind, writers, rounds, Path(folder))
    print(json.dumps(report), flush=True)
    bad = (
        report["wrong"] or report["lost"] or report["differs_from_serial"] or report["problems"] or report["deadlocks"]
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
