"""The web office's speed on the whole public record: pages in process, search by any three letters, 304s, and a crowd.

    python bench/web.py [--data DIR] [--database sqlite|postgresql] [--office URL] [--clients 32] [--requests 1000]

`--office`: an office that has been imported already. The record has no names, so made-up ones are given. Pages are asked of
the program itself (no network); the crowd asks a server that is started for it. Figures are printed, and kept in
bench/results/web-DATABASE.json. Skips with a reason where there is no data.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import socket
import string
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from office import database  # noqa: E402  the office's own bench beside this file

#: What was promised, in milliseconds
PROMISED = {
    "player p95": 60, "crosstable p95": 60, "list p95": 60, "search p95": 50, "derivation of 300 p95": 150, "304 p95": 5,
    "crowd p99": 500,
}  # fmt: skip
FIRST = ("Ahmed", "Anna", "Boris", "Carlos", "Daniel", "Elena", "Felix", "Grace", "Hugo", "Ivan", "Jana", "Kevin", "Luis",
         "Maria", "Nathan", "Olga", "Priya", "Quentin", "Ravi", "Sofia", "Thomas", "Ursula", "Victor", "Wanda", "Yuki", "Zoe")  # fmt: skip


def percentile(times: Sequence[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1000


def named() -> None:
    """Made-up names for players without one, and their words."""
    from crosstable.office.ledger import names
    from crosstable.office.ledger.models import Player
    from crosstable.office.storage import bulk
    from crosstable.office.storage.database import writing

    rows = list(Player.objects.filter(name="").values_list("id", flat=True))
    rng = random.Random(1)
    made = {row: f"{rng.choice(FIRST)} {_surname(rng)}" for row in rows}
    with writing():
        bulk.update("ledger_player", "name", made)
        names.add(made.items())
        bulk.analyze()


def _surname(rng: random.Random) -> str:
    """Pronounceable, and as many as people have."""
    parts = [rng.choice("bcdfghjklmnprstvwz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))]
    return ("".join(parts) + rng.choice(("", "n", "r", "s", "t", "ck"))).title()


def published() -> str:
    """The day of a list; one is published where there is none."""
    from datetime import date, timedelta

    from crosstable.office.ledger.models import Section
    from crosstable.office.lists import publish
    from crosstable.office.lists.models import PublishedList
    from crosstable.office.people import proposals, users
    from crosstable.office.people.rights import Actor, Role

    newest = PublishedList.objects.order_by("-date").first()
    if newest is not None:
        return newest.date.isoformat()
    last: date = Section.objects.order_by("-end").values_list("end", flat=True)[0]
    day = (last.replace(day=1) + timedelta(days=32)).replace(day=1)
    for name in ("olive", "oscar"):
        users.add_user(Actor.installation(), name, Role.OFFICER)
    proposal = publish.propose(users.acting_as("olive"), day, "bench")
    proposals.approve(users.acting_as("oscar"), proposal.pk)
    return day.isoformat()


def timed(call: Callable[[], Any]) -> tuple[float, float]:
    """Seconds on the clock, and of this process's own work: what is left of a figure on a busy machine."""
    begin, work = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - begin, time.process_time() - work


def figures_of(kind: str, times: Sequence[tuple[float, float]]) -> dict[str, float]:
    clock, work = ([one[place] for one in times] for place in (0, 1))
    return {
        f"{kind} p50": percentile(clock, 0.5), f"{kind} p95": percentile(clock, 0.95),
        f"{kind} own work p95": percentile(work, 0.95),
    }  # fmt: skip


def addresses(day: str, count: int) -> dict[str, list[str]]:
    """Pages of each kind, chosen at random."""
    from crosstable.office.ledger.models import Player, RatingRow, Section

    rng = random.Random(2)
    players = rng.sample(list(Player.objects.values_list("number", flat=True)), count)
    sections = rng.sample(list(Section.objects.values_list("event__number", "number")), count)
    letters = ["".join(rng.choices(string.ascii_lowercase, k=3)) for _ in range(count)]
    common = [name[:3].lower() for name in FIRST]
    large = _large_sections()
    rows = (
        RatingRow.objects.filter(section_id__in=large)
        .order_by("section_id", "number")
        .values_list("section__event__number", "section__number", "number", "pool")
    )
    work = rng.sample(list(rows), min(20, len(rows)))
    return {
        "player": [f"/players/{one}/" for one in players],
        "crosstable": [f"/events/{event}/{section}/" for event, section in sections],
        "list": [f"/lists/{day}/OTBR/", f"/lists/{day}/OTBR/?all=1", f"/lists/{day}/OTBR/?all=1&page=50"]
        * (count // 3),
        "search": [f"/players/?q={one}" for one in (*letters, *common)],
        "derivation of 300": [f"/events/{event}/{section}/{number}/{pool}/" for event, section, number, pool in work],
    }


def _large_sections() -> list[int]:
    from django.db.models import Count

    from crosstable.office.ledger.models import RatingRow

    found = (
        RatingRow.objects.values("section_id", "pool").annotate(size=Count("id")).filter(size__gte=270, size__lte=330)
    )
    return [row["section_id"] for row in found[:10]]


def in_process(day: str, count: int) -> dict[str, float]:
    from django.test import Client

    client = Client(headers={"host": "localhost"})
    figures: dict[str, float] = {}
    for kind, pages in addresses(day, count).items():
        client.get(pages[0])
        times = []
        for page in pages:
            answer: list[Any] = []
            headers = {"hx-request": "true"} if kind == "search" else {}
            times.append(
                timed(
                    lambda page=page, headers=headers, answer=answer: answer.append(client.get(page, headers=headers))
                )
            )
            assert answer[0].status_code == 200, page
        figures |= figures_of(kind, times)
    page = addresses(day, 1)["player"][0]
    etag = client.get(page)["ETag"]
    times = [timed(lambda: client.get(page, headers={"if-none-match": etag})) for _ in range(200)]
    return figures | figures_of("304", times)


@contextmanager
def serving(url: str) -> Iterator[int]:
    """`crosstable serve` in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "crosstable", "serve", "--db", url, "--port", str(port), "--threads", "8"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.2)
        yield port
    finally:
        server.terminate()
        server.wait()


def crowd(url: str, pages: Sequence[str], clients: int, requests: int) -> dict[str, float]:
    """So many clients at a time, each with so many requests; each begins somewhere else and keeps what it has seen."""
    times: list[float] = []
    wrong: list[int] = []
    with serving(url) as port:

        def visit(number: int) -> None:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            seen: dict[str, str] = {}
            for turn in range(requests):
                page = pages[(number * 97 + turn * 7) % len(pages)]
                headers = {"If-None-Match": seen[page]} if page in seen else {}
                begin = time.perf_counter()
                connection.request("GET", page, headers=headers)
                answer = connection.getresponse()
                answer.read()
                times.append(time.perf_counter() - begin)
                if answer.status not in (200, 304):
                    wrong.append(answer.status)
                seen[page] = answer.headers.get("ETag", "")

        threads = [threading.Thread(target=visit, args=(number,)) for number in range(clients)]
        begin = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.perf_counter() - begin
    return {
        "crowd requests": len(times), "crowd errors": len(wrong), "crowd a second": len(times) / took,
        "crowd p50": percentile(times, 0.5), "crowd p99": percentile(times, 0.99),
    }  # fmt: skip


def measure(kind: str, data: Path, args: argparse.Namespace) -> dict[str, float]:
    from crosstable import office
    from crosstable.web import logs, settings, static_files

    with database(kind) as made:
        url = args.office or made
        settings.configure(url, https=False)
        logs.quiet()
        static_files.collect()
        office.migrate()
        if not args.office:
            from crosstable.office.ledger import office_settings
            from crosstable.office.people.rights import Actor
            from crosstable.office.storage.database import writing

            with writing():
                office_settings.create("Bench")
            office.import_history(Actor.installation(), data)
        named()
        day = published()
        figures = in_process(day, args.count)
        pages = [page for group in list(addresses(day, 60).values())[:4] for page in group]
        if args.clients:
            figures |= crowd(url, pages, args.clients, args.requests)
        return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), action="append")
    parser.add_argument("--office", help="an office that has been imported already")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--requests", type=int, default=1000)
    args = parser.parse_args()
    if not args.office and not args.data.is_dir():
        print(f"web: skipped, there is no data in {args.data}")
        return 0
    kinds = args.database or ["sqlite", "postgresql"]
    if len(kinds) > 1:  # each in a process of its own: Django is set up once
        rest = [word for word in sys.argv[1:] if word]
        return max(
            subprocess.run([sys.executable, __file__, *rest, "--database", kind], check=False).returncode
            for kind in kinds
        )
    figures = measure(kinds[0], args.data, args)
    for name, value in figures.items():
        limit = PROMISED.get(name)
        print(f"{kinds[0]:<11} {name:<24} {value:>10,.1f}" + (f"   promised under {limit}" if limit else ""))
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / f"web-{kinds[0]}.json").write_text(json.dumps(figures, indent=1))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("CROSSTABLE_SECRET_KEY", "".join(random.choices(string.ascii_letters, k=60)))
    sys.exit(main())
