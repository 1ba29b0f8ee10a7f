"""Eight people at their desks at once. A program of its own: `python crowd_runner.py KIND ROUNDS`.

Each is a process with a browser's session: two directors upload and send reports, three officers accept, refuse, correct and
answer, two players report mistakes, and a reader loads pages. Afterwards everything that somebody was told had been done must
be in the ledger as often; every decision must have reached its director; the reader must have seen no half of an act; and the
acts on events, taken from the log and done again one after the other, must give the same ratings.
Prints one JSON line; exit 1 if anything was lost, wrong or half done.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "office"))

import forked
import logical
from office_databases import databases
from writers_runner import PLAYERS, Act, Told, quad
from writers_runner import prepare as prepare_office

DIRECTORS, OFFICERS, READERS = ("dora", "dirk"), ("olive", "oscar", "otto"), ("pia", "paul")
#: What of the office must be the same when one process does it all again
SAME = ("ratings", "events", "revisions", "sections", "titles", "norms", "submissions")
NOTHING_THERE = "nothing there"


@dataclass(slots=True)
class Journal(Told):
    """What a person was told, and how many pages that took."""

    asked: int = 0


def prepare() -> None:
    """An office with forty rated players, eight accounts that sign in, and a few rated events."""
    from crosstable.office import events
    from crosstable.office.people import users
    from crosstable.office.people.models import Person
    from crosstable.office.people.rights import Actor, Role
    from tests.web import accounts

    prepare_office(0)
    roles = {**dict.fromkeys(DIRECTORS, Role.DIRECTOR), **dict.fromkeys(OFFICERS, Role.OFFICER)}
    for name, role in {**roles, **dict.fromkeys(READERS, Role.PLAYER)}.items():
        users.add_user(Actor.installation(), name, role, accounts.PASSWORD)
        if role is Role.OFFICER:
            accounts.give_app(name)
    for name, number in zip(READERS, PLAYERS, strict=False):
        Person.objects.filter(user__username=name).update(player_id=number)
    rng, dora, olive = random.Random(1), users.acting_as("dora"), users.acting_as("olive")
    for turn in range(4):
        events.accept(olive, events.submit(dora, quad(rng, f"First {turn}"), "first.json").event)


class Somebody:
    """A person with a browser."""

    def __init__(self, name: str, rounds: int) -> None:
        from django.test import Client

        from tests.web import accounts

        self.name, self.rounds = name, rounds
        self.rng = random.Random(name)
        self.journal = Journal()
        self.client = Client(headers=accounts.HOST)
        if name != "reader":
            accounts.sign_in_as(self.client, name, second=name in OFFICERS)

    def acts(self) -> list[Act]:
        raise NotImplementedError

    def work(self) -> Journal:
        acts = self.acts()
        for turn in range(self.rounds):
            self.journal.of(self.rng.choice(acts), f"{self.name} {turn}", Refused, lambda refused: str(refused)[:60])
        return self.journal

    def get(self, address: str) -> str:
        self.journal.asked += 1
        answer = self.client.get(address)
        if answer.status_code == 404:
            raise Refused("404")
        if answer.status_code != 200:
            raise AssertionError(f"GET {address}: {answer.status_code}")
        return str(answer.content.decode())

    def post(self, address: str, says: str = "", **given: Any) -> str:
        """The address that a form leads to. Refused if the page says that nothing was done, or not what it `says` when it was."""
        self.journal.asked += 1
        answer = self.client.post(address, given, follow=True)
        text = answer.content.decode()
        if answer.status_code in (400, 403, 404) or "Not done" in text or says not in text:
            found = re.search(r'role="(?:alert|status)"[^>]*>(.*?)</p>', text, re.S)
            words = re.sub(r"<[^>]+>|\s+", " ", found[1]).strip() if found else ""
            raise Refused(f"{answer.status_code} {re.sub(r'[0-9][0-9a-f-]*', '#', words)}")
        if answer.status_code != 200:
            raise AssertionError(f"POST {address}: {answer.status_code}")
        last: str = answer.redirect_chain[-1][0] if answer.redirect_chain else address
        return last

    def some(self, pattern: str, page: str) -> str:
        found = sorted(set(re.findall(pattern, page)))
        if not found:
            raise Refused(NOTHING_THERE)
        return str(self.rng.choice(found))


class Refused(Exception):
    """The office says no, or there is nothing to do: that is no fault."""


class Director(Somebody):
    def acts(self) -> list[Act]:
        return [self.send] * 5 + [self.write, self.take_back, self.look, self.ask]

    def send(self, what: str) -> tuple[str, str]:
        """A file is uploaded, looked at, and sent."""
        data = quad(self.rng, what)
        draft = self.post("/desk/drafts/new/", file=_upload(data))
        self.get(draft)
        sent = self.post(f"{draft}send/", "Sent. This is submission")
        if "/desk/submissions/" not in sent:
            raise Refused(f"sent to {sent}")
        self.get(sent)
        return "event.submit", hashlib.sha256(data).hexdigest()

    def _one(self) -> str:
        return self.some(r'href="(/desk/submissions/\d+/)"', self.get("/desk/submissions/"))

    def look(self, _: str) -> None:
        self.get(self._one())
        self.get("/desk/inbox/")

    def write(self, what: str) -> tuple[str, str]:
        number = self._one().rstrip("/").rsplit("/", 1)[1]
        self.post("/desk/messages/", about=f"submission:{number}", words=f"Words of {what}")
        return "message", f"Words of {what}"

    def take_back(self, what: str) -> tuple[str, str]:
        page = self._one()
        if "take-back/" not in self.get(page):
            raise Refused(NOTHING_THERE)
        self.post(f"{page}take-back/", "Taken back.", reason=f"Taken back: {what}")
        return "event.withdraw", f"Taken back: {what}"

    def ask(self, what: str) -> tuple[str, str]:
        """A rated event of the director's own, with another result: a correction is asked for."""
        page = self._one()
        if f"{page}correct/" not in self.get(page):
            raise Refused(NOTHING_THERE)
        draft = self.post(f"{page}correct/")
        self.post(f"{draft}file/", file=_upload(quad(self.rng, what)))
        self.post(f"{draft}ask/", "Asked. This is correction request", reason=f"Asked: {what}")
        return "correction.ask", f"Asked: {what}"


class Officer(Somebody):
    def acts(self) -> list[Act]:
        return [self.accept] * 6 + [
            self.refuse,
            self.answer,
            self.answer,
            self.make,
            self.correct,
            self.correct,
            self.look,
        ]

    def _waiting(self) -> str:
        return self.some(r'href="(/desk/review/[^"]+/)"', self.get("/desk/queue/"))

    def accept(self, what: str) -> tuple[str, str]:
        page = self._waiting()
        self.get(page)
        self.post(page, do="accept", message=f"Accepted: {what}")
        return "event.accept", f"Accepted: {what}"

    def refuse(self, what: str) -> tuple[str, str]:
        self.post(self._waiting(), do="refuse", message=f"Refused: {what}")
        return "event.refuse", f"Refused: {what}"

    def _request(self) -> str:
        return self.some(r'href="(/desk/requests/\d+/)"', self.get("/desk/requests/").partition("Answered lately")[0])

    def answer(self, what: str) -> tuple[str, str]:
        page = self._request()
        self.post(f"{page}decide/", answer=self.rng.choice(("yes", "no")), words=f"Answered: {what}")
        return "answer", f"Answered: {what}"

    def make(self, _: str) -> None:
        """A report becomes a correction request."""
        self.post(f"{self._request()}correct/")

    def correct(self, what: str) -> tuple[str, str] | None:
        """A correction is looked at, and done by the worker or rejected."""
        page = self.some(r'href="(/desk/corrections/\d+/)"', self.get("/desk/corrections/"))
        self.get(page)
        if self.rng.random() < 0.3:
            self.post(page, do="reject", message=f"Rejected: {what}")
            return "correction.decide", f"Rejected: {what}"
        self.post(page, do="apply", message=f"Applied: {what}")
        return None  # the worker says what became of it

    def look(self, _: str) -> None:
        self.get("/desk/inbox/")
        self.post("/desk/inbox/read/")


class Player(Somebody):
    def acts(self) -> list[Act]:
        return [self.report] * 3 + [self.look, self.take_back, self.write]

    def report(self, what: str) -> tuple[str, str]:
        event = self.some(r'href="/events/([^"/]+)/"', self.get("/events/"))
        given = {"event": event, "section": "1", "round": str(self.rng.randint(1, 3)), "words": f"Wrong: {what}"}
        self.post("/desk/mine/report/", **given, result=self.rng.choice(("win", "draw", "loss")))
        return "report", f"Wrong: {what}"

    def look(self, _: str) -> None:
        self.get("/desk/mine/")
        self.get("/desk/inbox/")
        self.post("/desk/inbox/read/")

    def _one(self) -> str:
        return self.some(r'href="(/desk/requests/\d+/)"', self.get("/desk/mine/"))

    def write(self, what: str) -> tuple[str, str]:
        number = self._one().rstrip("/").rsplit("/", 1)[1]
        self.post("/desk/messages/", about=f"request:{number}", words=f"Words of {what}")
        return "message", f"Words of {what}"

    def take_back(self, _: str) -> None:
        self.post(f"{self._one()}take-back/")


class Reader(Somebody):
    """Whoever looks sees an event rated as a whole or not at all."""

    def acts(self) -> list[Act]:
        return [self.table] * 3 + [self.derivation, self.around]

    def _event(self) -> str:
        return self.some(r'href="(/events/[^"/]+/)"', self.get("/events/"))

    def table(self, _: str) -> None:
        """Four players, each result on both sides, everybody with a rating before and after."""
        rows = list(csv.DictReader(io.StringIO(self.get(f"{self._event()}1/?format=csv"))))
        by_number = {row["number"]: row for row in rows}
        other = {"W": "L", "L": "W", "D": "D"}
        for row in rows:
            for turn in ("round_1", "round_2", "round_3"):
                found = re.match(r"([WLD])(\d+)", row[turn])
                if found and not by_number[found[2]][turn].startswith(f"{other[found[1]]}{row['number']}"):
                    raise AssertionError(f"half of a correction: {rows}")
            if not (row["OTBR_before"] and row["OTBR_after"]):
                raise AssertionError(f"half rated: {rows}")
        if len(rows) != 4:
            raise AssertionError(f"{len(rows)} players of 4: {rows}")

    def derivation(self, _: str) -> None:
        """The work behind a rating is computed anew, and must come to the rating that is stored."""
        page = self.get(f"{self._event()}1/{self.rng.randint(1, 4)}/OTBR/")
        if "→" not in page:
            raise AssertionError("a derivation without its numbers")

    def around(self, _: str) -> None:
        for address in ("/", f"/players/{self.rng.choice(PLAYERS)}/", "/feeds/events/", "/about/", self._event()):
            self.get(address)


def _upload(data: bytes) -> Any:
    from django.core.files.uploadedfile import SimpleUploadedFile

    return SimpleUploadedFile("report.json", data)


PEOPLE: dict[str, type[Somebody]] = {
    **dict.fromkeys(DIRECTORS, Director), **dict.fromkeys(OFFICERS, Officer), **dict.fromkeys(READERS, Player),
    "reader": Reader,
}  # fmt: skip


def run_jobs(batches: int, until: Path) -> int:
    """The worker beside the pages: jobs as they come, until everybody has gone and none is left."""
    from django_tasks_db.management.commands.db_worker import Worker

    done = 0
    while True:
        ending = until.exists()
        Worker(
            queue_names=["default"], interval=0.1, batch=True, backend_name="default", startup_delay=False, max_tasks=None,
            worker_id=f"crowd{done}", excluded_queue_names=[],
        ).run()  # fmt: skip
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
    sent = Notice.objects.filter(
        to__username__in=DIRECTORS, message__subject__regex=r": (accepted|refused|corrected|withdrawn)"
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
    from crosstable.office import events
    from crosstable.office.people.users import acting_as

    for name, action, number, reason, data in acts:
        actor = acting_as(name)
        if action == "event.submit":
            events.submit(actor, data, "report.json")
        elif action == "event.accept":
            events.accept(actor, number, reason)
        elif action == "event.refuse":
            events.refuse(actor, number, reason)
        elif action == "event.withdraw":
            events.withdraw(actor, number, reason)
        elif action == "event.correct":
            events.correct(actor, number, data, "report.json", reason)
        else:
            raise AssertionError(f"nobody did {action}")


def crowd(kind: str, rounds: int, folder: Path) -> dict[str, Any]:
    with databases(kind, folder) as offices:
        bare, base, gone = offices.new(), offices.new(), folder / "gone"
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
    from crosstable.web import logs, settings, static_files

    settings.configure("sqlite:///no-office-yet.db", https=False)
    static_files.collect()
    logs.quiet()
    forked.preload()
    with tempfile.TemporaryDirectory(prefix="crosstable-crowd-") as folder:
        report = crowd(kind, rounds, Path(folder))
    print(json.dumps(report), flush=True)
    bad = ("wrong", "lost", "untold", "differs_from_serial", "problems")
    return 1 if any(report[one] for one in bad) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
