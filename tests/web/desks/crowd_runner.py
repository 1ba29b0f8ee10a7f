"""Eight people at their desks at once. A program of its own: `python crowd_runner.py KIND ROUNDS`.

Each is a process with a browser's session: two directors upload and send reports, three officers accept, refuse,
correct and answer, two players report mistakes, and a reader loads pages. Afterwards everything that somebody was told
had been done must be in the ledger as often; every decision must have reached its director; the reader must have seen
no half of an act; and the acts on events, taken from the log and done again one after the other, must give the same
ratings. Prints one JSON line; exit 1 if anything was lost, wrong or half done.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "office"))

import forked
import logical
from office_databases import databases, template
from writers_runner import PLAYERS, quad
from writers_runner import prepare as prepare_office

from tests.web.desks.crowd_people import DIRECTORS, OFFICERS, PEOPLE, READERS, Journal

#: What of the office must be the same when one process does it all again
SAME = ("ratings", "events", "revisions", "sections", "titles", "norms", "submissions")


def prepare() -> None:
    """An office with forty rated players, eight accounts that sign in, and a few rated events."""
    from crosstable.office.people import users
    from crosstable.office.people.rights import Actor, Role
    from crosstable.office.reports import accepting, submissions
    from tests.web import accounts

    prepare_office(0)
    roles = {**dict.fromkeys(DIRECTORS, Role.DIRECTOR), **dict.fromkeys(OFFICERS, Role.OFFICER)}
    for name, role in {**roles, **dict.fromkeys(READERS, Role.PLAYER)}.items():
        users.add_user(Actor.installation(), name, role, accounts.PASSWORD)
        if role is Role.OFFICER:
            accounts.give_app(name)
    for name, number in zip(READERS, PLAYERS, strict=False):
        users.set_player(users.acting_as(OFFICERS[0]), name, number)
    rng, dora, olive = random.Random(1), users.acting_as("dora"), users.acting_as("olive")
    for turn in range(4):
        accepting.accept(olive, submissions.submit(dora, quad(rng, f"First {turn}"), "first.json").event)


def run_jobs(batches: int, until: Path) -> int:
    """The worker beside the pages: jobs as they come, until everybody has gone and none is left."""
    from django_tasks_db.management.commands.db_worker import Worker

    done = 0
    while True:
        ending = until.exists()
        Worker(
            queue_names=["default"],
            interval=0.1,
            batch=True,
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=f"crowd{done}",
            excluded_queue_names=[],
        ).run()
        done += 1
        if ending:
            return done
        time.sleep(0.2)


def lost(journals: list[Journal]) -> list[str]:
    """What somebody was told had been done, and is not there exactly as often."""
    from crosstable.office.audit.models import AuditEntry
    from crosstable.office.notices.models import Message
    from crosstable.office.requests.models import Request

    there: Counter[tuple[str, str]] = Counter()
    for action, reason, details in AuditEntry.objects.values_list("action", "reason", "details"):
        there[action, json.loads(details).get("file", "") if action == "event.submit" else reason] += 1
    there.update(("message", words) for words in Message.objects.values_list("words", flat=True))
    there.update(("report", words) for words in Request.objects.values_list("words", flat=True))
    there.update(("answer", words) for words in Request.objects.values_list("answer", flat=True))
    told = Counter(act for journal in journals for act in journal.done)
    return [f"{act}: told {count}, there {there[act]}" for act, count in told.items() if there[act] != count]


def untold() -> list[str]:
    """Decisions that did not reach the director, or reached twice; answers that did not reach the player."""
    from crosstable.office.audit.models import AuditEntry
    from crosstable.office.notices.models import Notice
    from crosstable.office.requests.models import Request

    acts = ("event.accept", "event.refuse", "event.correct", "event.withdraw")
    made = AuditEntry.objects.filter(action__in=acts).exclude(actor__in=DIRECTORS).count()
    sent = Notice.objects.filter(  # about reports; answers to requests are counted below
        to__username__in=DIRECTORS,
        message__about__startswith="submission:",
        message__subject__regex=r": (accepted|refused|corrected|withdrawn)",
    )
    found = [] if sent.count() == made else [f"{made} decisions, {sent.count()} messages to directors"]
    for row in Request.objects.exclude(decided_at=None).exclude(state=Request.TAKEN_BACK):
        if (
            Notice.objects.filter(
                to_id=row.user_id, message__about=f"request:{row.id}", message__words=row.answer
            ).count()
            != 1
        ):
            found.append(f"the answer to request {row.id} did not reach {row.user.username}")
    return found


def acts_of() -> list[tuple[str, str, str, str, bytes]]:
    """(actor, action, event, reason, file) in the log's order."""
    from crosstable.office.audit.models import AuditEntry
    from crosstable.office.ledger.models import Submission

    files = {sha: bytes(data) for sha, data in Submission.objects.values_list("sha256", "data")}
    rows = AuditEntry.objects.filter(action__startswith="event.").order_by("seq")
    return [
        (
            one.actor,
            one.action,
            one.subject.partition(":")[2],
            one.reason,
            files.get(json.loads(one.details).get("file", ""), b""),
        )
        for one in rows
    ]


def one_after_the_other(acts: list[tuple[str, str, str, str, bytes]]) -> None:
    """What the log says of events, again, by one process, without pages."""
    from crosstable.office.people.users import acting_as
    from crosstable.office.reports import accepting, submissions

    for name, action, number, reason, data in acts:
        actor = acting_as(name)
        if action == "event.submit":
            submissions.submit(actor, data, "report.json")
        elif action == "event.accept":
            accepting.accept(actor, number, reason)
        elif action == "event.refuse":
            accepting.refuse(actor, number, reason)
        elif action == "event.withdraw":
            accepting.withdraw(actor, number, reason)
        elif action == "event.correct":
            accepting.correct(actor, number, data, "report.json", reason)
        else:
            raise AssertionError(f"nobody did {action}")


def crowd(kind: str, rounds: int, folder: Path) -> dict[str, Any]:
    with databases(kind, folder) as offices:
        tables, gone = template(offices), folder / "gone"
        bare, base = offices.copy(tables), offices.copy(tables)
        forked.result(base, prepare)
        url = offices.copy(base)
        forked.result(bare, prepare_people_only)
        began = time.monotonic()
        worker = forked.start(url, lambda: run_jobs(rounds, gone))
        people = [forked.start(url, lambda n=n, k=k: k(n, rounds).work()) for n, k in PEOPLE.items()]
        journals: list[Journal] = [one.finished()[1] for one in people]
        gone.touch()
        worker.finished()
        seconds = time.monotonic() - began
        missing, silent, problems, acts, found = forked.result(
            url, lambda: (lost(journals), untold(), logical.problems(), acts_of(), logical.state())
        )
        forked.result(bare, lambda: one_after_the_other(acts))
        again = forked.result(bare, logical.state)
    return {
        "kind": kind,
        "people": len(PEOPLE),
        "rounds": rounds,
        "pages": sum(journal.asked for journal in journals),
        "done": sum(len(journal.done) for journal in journals),
        "refused": dict(sum((journal.refused for journal in journals), Counter())),
        "wrong": [words for journal in journals for words in journal.wrong],
        "lost": missing,
        "untold": silent,
        "differs_from_serial": [part for part in SAME if found[part] != again[part]],
        "problems": problems,
        "acts": dict(Counter(action for _, action, *_ in acts)),
        "seconds": round(seconds, 1),
    }


def prepare_people_only() -> None:
    """The same people, and no event yet: the log tells of all of them."""
    from crosstable.office.people import users
    from crosstable.office.people.rights import Actor, Role

    prepare_office(0)
    for name in (*DIRECTORS, *OFFICERS):
        users.add_user(Actor.installation(), name, Role.DIRECTOR if name in DIRECTORS else Role.OFFICER)


def main(kind: str, rounds: int) -> int:
    from django.core.checks.urls import check_url_config

    from crosstable.web import logs, settings, static_files

    settings.configure("sqlite:///no-office-yet.db", https=False)
    static_files.collect()
    logs.quiet()
    forked.preload()
    check_url_config(None)  # imports every page, once for all eight
    with tempfile.TemporaryDirectory(prefix="crosstable-crowd-") as folder:
        report = crowd(kind, rounds, Path(folder))
    print(json.dumps(report), flush=True)
    bad = ("wrong", "lost", "untold", "differs_from_serial", "problems")
    return 1 if any(report[one] for one in bad) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
