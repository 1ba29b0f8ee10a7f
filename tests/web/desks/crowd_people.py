"""The eight people of the crowd: what each does at a desk, and is notified. crowd_runner.py says where
`writers_runner` is.
"""

from __future__ import annotations

import csv
import hashlib
import io
import random
import re
from dataclasses import dataclass
from typing import Any

from writers_runner import PLAYERS, Act, Told, quad

DIRECTORS, OFFICERS, READERS = ("dora", "dirk"), ("olive", "oscar", "otto"), ("pia", "paul")
NOTHING_THERE = "nothing there"


@dataclass(slots=True)
class Journal(Told):
    """What a person was told, and how many pages that took."""

    asked: int = 0


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
        """The address that a form leads to. Refused if the page says that nothing was done, or not what it `says` when
        it was.
        """
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
        self.post(f"{draft}ask/", "Requested. This is correction request", reason=f"Asked: {what}")
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
        return self.some(r'href="(/desk/requests/\d+/)"', self.get("/desk/requests/").partition("Recently answered")[0])

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
    **dict.fromkeys(DIRECTORS, Director),
    **dict.fromkeys(OFFICERS, Officer),
    **dict.fromkeys(READERS, Player),
    "reader": Reader,
}
