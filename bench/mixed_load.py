"""Reading and writing at once, while everything is rated again: what people were told was saved is there afterwards.

    python bench/mixed_load.py [--database postgresql|sqlite] [--server gunicorn|serve] [--clients 32] [--seconds 300]
                               [--players N --tournaments N] [--p99 500]

Of four clients one reads pages without an account; one starts typed drafts and uploads files; one reads, and reports
mistakes as often as one may; one submits by the API. Each asks without a pause. Meanwhile `crosstable office rerate`
runs again and again. The office is the made-up one; the server is of this run, on loopback. Prints one JSON line.
Exit 1 if an answer was an error, if anything that was acknowledged is missing, if a re-rate failed, or if one answer in
a hundred took longer than `--p99` milliseconds.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from office import database  # noqa: E402  the office's own bench beside this file
from web import serving  # noqa: E402  the web's

SLOW = 0.5
OFFICER = "load-officer"
#: The form's token and its cookie are the same, as a browser's are
TOKEN = "a" * 32


@dataclass(slots=True)
class Journal:
    """What a client was told. `kept`: what the office said was saved."""

    times: list[tuple[str, float]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is asked for: pages, an event with a section, players; and how each client is known to the server."""

    pages: Sequence[str]
    event: str
    section: str
    players: Sequence[str]
    cookies: Sequence[str]
    tokens: Sequence[str]


class Client:
    """A client with a connection of its own."""

    def __init__(self, port: int, number: int, known: Known) -> None:
        self.number, self.known, self.journal = number, known, Journal()
        self._rng, self._turn = random.Random(number), 0
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def work(self, until: float) -> None:
        acts: tuple[Callable[[], None], ...] = (self.read, self.draft, self.report, self.submit)
        while time.monotonic() < until:
            self._turn += 1
            try:
                acts[self.number % len(acts)]()
            except (OSError, http.client.HTTPException) as problem:
                self.journal.wrong.append(f"client {self.number}: {problem!r}")
                self._connection.close()

    def read(self) -> None:
        self._ask("read", "GET", self._rng.choice(self.known.pages), expected=(200, 302))

    def draft(self) -> None:
        if self._turn > 400:  # an account has up to 500 drafts
            return self.read()
        if self._turn % 2:
            self._form("draft", "/desk/drafts/type/", {"begin": "1"}, "typed")
            return None
        words = f"Ada 1-0 Bo, client {self.number}, turn {self._turn}"
        self._form("draft", "/desk/drafts/new/", {"text": words}, words)
        return None

    def report(self) -> None:
        if self._turn % 10 or self._turn > 190:  # a person has up to 20 open requests
            return self.read()
        words = f"The slip says a draw: client {self.number}, turn {self._turn}."
        place = {"event": self.known.event, "section": self.known.section, "round": "1", "result": ""}
        self._form("report", "/desk/mine/report/", {**place, "words": words}, words)
        return None

    def submit(self) -> None:
        name = f"Load {self.number} {self._turn}"
        white, black = self._rng.sample(list(self.known.players), 2)
        players = [{"number": 1, "id": white, "name": ""}, {"number": 2, "id": black, "name": ""}]
        game = {"round": 1, "white": 1, "black": 2, "result": "1-0"}
        section = {"number": 1, "time_control": "G/60;d5", "players": players, "games": [game]}
        day = f"2025-07-{1 + self._turn % 28:02}"
        event = {"format": "crosstable-event/1", "name": name, "start": day, "end": day, "sections": [section]}
        token = self.known.tokens[self.number]
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/octet-stream"}
        body = json.dumps(event).encode()
        if self._ask("submit", "POST", "/api/v1/submit", body, headers, expected=(200, 201, 202)):
            self.journal.kept.append(("submit", body.decode()))

    def _form(self, kind: str, address: str, values: Mapping[str, str], kept: str) -> None:
        cookie = f"sessionid={self.known.cookies[self.number]}; csrftoken={TOKEN}"
        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode({**values, "csrfmiddlewaretoken": TOKEN}).encode()
        if self._ask(kind, "POST", address, body, headers, expected=(302,)):
            self.journal.kept.append((kind, kept))

    def _ask(
        self,
        kind: str,
        method: str,
        address: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        expected: Sequence[int],
    ) -> bool:
        begin = time.perf_counter()
        self._connection.request(method, address, body, dict(headers or {}))
        answer = self._connection.getresponse()
        text = answer.read()
        self.journal.times.append((kind, time.perf_counter() - begin))
        if answer.status not in expected:
            self.journal.wrong.append(f"{kind} {address}: {answer.status} {text[:120]!r}")
        return answer.status in expected


def prepare(clients: int, players: int, tournaments: int) -> Known:
    """Fill the office, and let each client in."""
    from django.conf import settings
    from django.test import Client as Browser
    from tests.web import accounts

    from crosstable.office.example.load import load
    from crosstable.office.ledger.models import Player, Section
    from crosstable.office.people import tokens, users
    from crosstable.office.people.rights import Actor, Role

    load(count=players, tournaments=tournaments, lists=2)
    users.add_user(Actor.installation(), OFFICER, Role.OFFICER, accounts.PASSWORD)
    cookies, secrets = [], []
    for number in range(clients):
        name = f"load-{number}"
        users.add_user(Actor.installation(), name, Role.DIRECTOR, accounts.PASSWORD)
        browser = Browser(headers=accounts.HOST)
        accounts.sign_in_as(browser, name, second=False)
        cookies.append(browser.cookies[settings.SESSION_COOKIE_NAME].value)
        secrets.append(tokens.create_token(users.acting_as(name), name, "load", ["event.submit"], days=1))
    numbers = list(Player.objects.order_by("id").values_list("number", flat=True)[:200])
    sections = list(Section.objects.order_by("-position").values_list("event__number", "number")[:100])
    event, section = sections[0]
    return Known(
        pages=["/", *(f"/players/{one}/" for one in numbers), *(f"/events/{one}/{part}/" for one, part in sections)],
        event=event,
        section=str(section),
        players=numbers,
        cookies=cookies,
        tokens=secrets,
    )


def missing(journals: Sequence[Journal]) -> list[str]:
    """Return what a client was told is saved and is not there as often."""
    from crosstable.office.ledger.models import Submission
    from crosstable.office.reports.models import Draft, DraftFile
    from crosstable.office.requests.models import Request

    there: Counter[tuple[str, str]] = Counter()
    there.update(("submit", bytes(data).decode()) for data in Submission.objects.values_list("data", flat=True))
    there.update(("draft", bytes(data).decode()) for data in DraftFile.objects.values_list("data", flat=True))
    there["draft", "typed"] = Draft.objects.filter(owner__startswith="load-", file_name="typed.csv").count()
    there.update(("report", words) for words in Request.objects.values_list("words", flat=True))
    told = Counter(one for journal in journals for one in journal.kept)
    return [f"{one}: told {count}, there {there[one]}" for one, count in told.items() if there[one] != count]


def rerating(url: str, over: threading.Event, done: list[int]) -> None:
    """Rate everything again and again; the exit statuses."""
    command = [sys.executable, "-m", "crosstable", "office", "--db", url, "--as", OFFICER, "rerate", "--reason", "load"]
    while not over.is_set():
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        done.append(run.returncode)
        sys.stderr.write(run.stderr if run.returncode else "")


def measure(args: argparse.Namespace, url: str) -> dict[str, Any]:
    from django.db import connections

    from crosstable import office
    from crosstable.web import logs, settings, static_files

    settings.configure(url, https=False)
    logs.quiet()
    static_files.collect()
    office.migrate()
    known = prepare(args.clients, args.players, args.tournaments)
    connections.close_all()
    over, rerated = threading.Event(), list[int]()
    with serving(url, args.server, args.threads) as (port, _):
        clients = [Client(port, number, known) for number in range(args.clients)]
        clients[0].read()  # the server is ready
        beside = threading.Thread(target=rerating, args=(url, over, rerated))
        beside.start()
        until = time.monotonic() + args.seconds
        threads = [threading.Thread(target=one.work, args=(until,)) for one in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        over.set()
        beside.join()
    return figures([one.journal for one in clients], rerated)


def figures(journals: Sequence[Journal], rerated: Sequence[int]) -> dict[str, Any]:
    lost, wrong = missing(journals), [one for journal in journals for one in journal.wrong]
    for one in [*lost, *wrong][:20]:
        print(one, file=sys.stderr)
    times = sorted(seconds for journal in journals for _, seconds in journal.times)
    by_kind = Counter(kind for journal in journals for kind, _ in journal.times)
    return {
        "requests": len(times),
        **{f"{kind} requests": count for kind, count in sorted(by_kind.items())},
        "rerates": len(rerated),
        "rerates failed": sum(map(bool, rerated)),
        "errors": len(wrong),
        "lost": len(lost),
        "p50": round(times[len(times) // 2] * 1000),
        "p99": round(times[int(len(times) * 0.99)] * 1000),
        "slow": sum(one > SLOW for one in times),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--server", choices=("serve", "gunicorn"), default="gunicorn")
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--p99", type=float, default=500)
    parser.add_argument("--threads", type=int, default=6)
    parser.add_argument("--players", type=int, default=600)
    parser.add_argument("--tournaments", type=int, default=80)
    args = parser.parse_args()
    with database(args.database) as url:
        found = measure(args, url)
        from django.db import connections

        connections.close_all()
    print(json.dumps({"database": args.database, "clients": args.clients, "seconds": args.seconds, **found}))
    wrong = found["errors"] or found["lost"] or found["rerates failed"] or not found["rerates"]
    return 1 if wrong or found["p99"] > args.p99 else 0


if __name__ == "__main__":
    sys.exit(main())
