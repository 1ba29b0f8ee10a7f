"""The web office's speed on the whole public record: pages in process, search by any three letters, 304s, and a crowd.

    python bench/web.py [--part PART] [--database sqlite|postgresql] [--office URL] [--data DIR]
                        [--clients 32] [--requests 1000] [--server serve|gunicorn] [--threads 6]

`--part`: player, crosstable, list, search, derivation, 304, kept or crowd; more than one may be given, all otherwise.
`--office`: an office that has been imported already (`crosstable office --db URL init`, then `import DIR`); the record
has no names and no list, so both are made in it once. Pages are asked of the program itself (no network), and none
comes from memory but in `kept`. The crowd (bench/web_crowd.py has its mix) asks a server that is started for it; on
SQLite only where
`--part crowd` asks for it. Each figure is the time on the clock and, as `work`, the processor's (this process and its
PostgreSQL connection); with a crowd, the server's for each request. They are printed, and kept in
bench/results/web-DATABASE.json. Skips with a reason where there is no data.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from office import database  # noqa: E402  the office's own bench beside this file

#: What was promised, in milliseconds
PROMISED = {
    "player p95": 60,
    "crosstable p95": 60,
    "list p95": 60,
    "search p95": 50,
    "derivation p95": 150,
    "304 p95": 5,
    "crowd p99": 500,
}
PARTS = ("player", "crosstable", "list", "search", "derivation", "304", "kept", "crowd")
FIRST = (
    "Ahmed",
    "Anna",
    "Boris",
    "Carlos",
    "Daniel",
    "Elena",
    "Felix",
    "Grace",
    "Hugo",
    "Ivan",
    "Jana",
    "Kevin",
    "Luis",
    "Maria",
    "Nathan",
    "Olga",
    "Priya",
    "Quentin",
    "Ravi",
    "Sofia",
    "Thomas",
    "Ursula",
    "Victor",
    "Wanda",
    "Yuki",
    "Zoe",
)


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
    from crosstable.office.lists.models import PublishedList
    from crosstable.office.people import users
    from crosstable.office.people.rights import Actor, Role
    from crosstable.office.requests import list_publication, registry

    newest = PublishedList.objects.order_by("-date").first()
    if newest is not None:
        return newest.date.isoformat()
    last: date = Section.objects.order_by("-end").values_list("end", flat=True)[0]
    day = (last.replace(day=1) + timedelta(days=32)).replace(day=1)
    for name in ("olive", "oscar"):
        users.add_user(Actor.installation(), name, Role.OFFICER)
    proposal = list_publication.propose(users.acting_as("olive"), day, "bench")
    registry.approve(users.acting_as("oscar"), proposal.pk)
    return day.isoformat()


def timed(call: Callable[[], Any]) -> tuple[float, float]:
    """Seconds on the clock, and of work, this process's and the database's: what is left of a figure on a busy
    machine.
    """
    begin, work = time.perf_counter(), time.process_time() + database_work()
    call()
    return time.perf_counter() - begin, time.process_time() + database_work() - work


def database_work() -> float:
    """Seconds that a PostgreSQL on this machine has worked for this process's connection."""
    from django.db import connection

    if connection.vendor != "postgresql" or connection.connection is None:
        return 0.0
    spent = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    return int(spent.read_text(encoding="ascii").split()[0]) / 1e9 if spent.exists() else 0.0


def figures_of(kind: str, times: Sequence[tuple[float, float]]) -> dict[str, float]:
    clock, work = ([one[place] for one in times] for place in (0, 1))
    return {
        f"{kind} p50": percentile(clock, 0.5),
        f"{kind} p95": percentile(clock, 0.95),
        f"{kind} most": max(clock) * 1000,
        f"{kind} work p50": percentile(work, 0.5),
        f"{kind} work p95": percentile(work, 0.95),
        f"{kind} work most": max(work) * 1000,
    }


def addresses(day: str, count: int) -> dict[str, list[str]]:
    """Pages of each kind, chosen at random."""
    from crosstable.office.ledger.models import Player, RatingRow, Section

    rng = random.Random(2)
    players = rng.sample(list(Player.objects.order_by("id").values_list("number", flat=True)), count)
    sections = rng.sample(list(Section.objects.order_by("id").values_list("event__number", "number")), count)
    letters = ["".join(rng.choices(string.ascii_lowercase, k=3)) for _ in range(count)]
    common = [name[:3].lower() for name in FIRST]
    columns = ("section__event__number", "section__number", "number", "pool")
    rows = RatingRow.objects.order_by("section_id", "number", "pool").values_list(*columns)
    large = list(rows.filter(section_id__in=_large_sections()))
    return {
        "player": [f"/players/{one}/" for one in players],
        "crosstable": [f"/events/{event}/{section}/" for event, section in sections],
        "list": (
            [f"/lists/{day}/OTBR/", f"/lists/{day}/OTBR/?all=1", f"/lists/{day}/OTBR/?all=1&page=50"] * (count // 3)
        ),
        "search": [f"/players/?q={one}" for one in (*letters, *common)],
        "derivation": [_derivation(*one) for one in rng.sample(large, min(60, len(large)))],
    }


def _derivation(event: str, section: int, number: int, pool: str) -> str:
    return f"/events/{event}/{section}/{number}/{pool}/"


def _large_sections() -> list[int]:
    """Of about 300 players."""
    from django.db.models import Count

    from crosstable.office.ledger.models import RatingRow

    sizes = RatingRow.objects.values("section_id", "pool").annotate(size=Count("id"))
    found = sizes.filter(size__gte=270, size__lte=330).order_by("section_id")
    return [row["section_id"] for row in found[:10]]


def in_process(day: str, count: int, parts: Sequence[str]) -> dict[str, float]:
    from django.test import Client, override_settings

    from crosstable.web.wsgi import spare_the_collector

    client = Client(headers={"host": "localhost"})
    pages = addresses(day, count)
    client.get("/")
    spare_the_collector()
    figures: dict[str, float] = {}
    with override_settings(KEPT_PAGES_BYTES=0):
        for kind in (one for one in pages if one in parts):
            headers = {"hx-request": "true"} if kind == "search" else {}
            client.get(pages[kind][0], headers=headers)
            figures |= figures_of(kind, [_asked(client, page, 200, headers) for page in pages[kind]])
        page = pages["player"][0]
        etag = {"if-none-match": client.get(page)["ETag"]}
        if "304" in parts:
            figures |= figures_of("304", [_asked(client, page, 304, etag) for _ in range(200)])
    if "kept" in parts:
        client.get(page)
        figures |= figures_of("kept", [_asked(client, page, 200, {}) for _ in range(200)])
    return figures


def _asked(client: Any, page: str, status: int, headers: dict[str, str]) -> tuple[float, float]:
    answer: list[Any] = []
    times = timed(lambda: answer.append(client.get(page, headers=headers)))
    if answer[0].status_code != status:
        raise SystemExit(f"{page}: {answer[0].status_code}")
    return times


def popular(day: str) -> dict[str, list[str]]:
    """Return addresses for a crowd, by kind, the most popular first: the busiest players and the newest events."""
    from django.db.models import Count

    from crosstable.office.ledger.models import Event, Player, RatingRow, Section

    rng = random.Random(5)
    most = RatingRow.objects.values("player_id").annotate(rows=Count("id")).order_by("-rows", "player_id")
    busy = dict(Player.objects.values_list("id", "number"))
    players = [busy[row["player_id"]] for row in most[:6000]]
    regular = RatingRow.objects.filter(pool="OTBR", player__number__in=players[:600]).distinct()
    regular = list(regular.order_by("player_id").values_list("player__number", flat=True))
    sections = list(Section.objects.order_by("-position").values_list("event__number", "number")[:3000])
    columns = ("section__event__number", "section__number", "number", "pool")
    rows = rng.sample(list(RatingRow.objects.order_by("-position").values_list(*columns)[:40_000]), 3000)
    events = list(Event.objects.order_by("-end", "-number").values_list("number", flat=True)[:2000])
    words = ["".join(pair) for pair in rng.sample([(a, b) for a in "bcdfghjklmnprstvwz" for b in "aeiou"], 90)]
    words = [word + third for word in words for third in "nrstkl"]
    return {
        "home": ["/"],
        "player": [f"/players/{one}/" for one in players],
        "pool": [f"/players/{one}/OTBR/" for one in regular],
        "versus": [f"/players/{a}/vs/{b}/" for a, b in zip(players, players[7:], strict=False)][:600],
        "events": ["/events/", *(f"/events/?year={year}" for year in sorted({one[:4] for one in events}))],
        "event": [f"/events/{one}/" for one in events],
        "crosstable": [f"/events/{event}/{section}/" for event, section in sections],
        "derivation": [_derivation(*one) for one in rows],
        "list": [
            f"/lists/{day}/OTBR/",
            "/lists/",
            f"/lists/{day}/OTBQ/",
            *(f"/lists/{day}/OTBR/?all=1&page={n}" for n in range(1, 60)),
        ],
        "search": [f"/players/?q={word}" for word in words],
        "typing": [f"/players/?q={word}" for word in words],
        "api": [f"/api/v1/players/{one}" for one in players],
    }


@contextmanager
def serving(url: str, kind: str, threads: int) -> Iterator[tuple[int, int]]:
    """The server in a process of its own, as docs/web.md says to run it: its port and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["crosstable", "serve", "--db", url, "--port", str(port), "--threads", str(threads)]
    if kind == "gunicorn":
        command = [
            "gunicorn",
            "crosstable.web.wsgi",
            "--bind",
            f"127.0.0.1:{port}",
            "--workers",
            "2",
            "--threads",
            str(threads),
        ]
    env = {**os.environ, "CROSSTABLE_DB": url, "CROSSTABLE_HTTPS": "0"}
    with tempfile.TemporaryFile() as said:
        server = subprocess.Popen([sys.executable, "-m", *command], stdout=said, stderr=said, env=env)
        try:
            for _ in range(600):
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.2)
            yield port, server.pid
        finally:
            server.terminate()
            server.wait()


def tokens(clients: int) -> list[str]:
    """Return an address for each client: the API counts requests by address."""
    from crosstable.office.people import tokens as people
    from crosstable.office.people import users
    from crosstable.office.people.rights import Actor, Role

    known = {row["name"] for row in users.users(Actor.installation())}
    names = [f"bench-{number}" for number in range(clients)]
    for name in names:
        if name not in known:
            users.add_user(Actor.installation(), name, Role.PLAYER)
    return [people.create_token(Actor.installation(), name, "bench", ["player.read"], days=1) for name in names]


def crowd(url: str, day: str, args: argparse.Namespace) -> dict[str, float]:
    """So many clients at a time, each with so many requests."""
    plan = {"clients": args.clients, "requests": args.requests, "pages": popular(day), "tokens": tokens(args.clients)}
    with tempfile.TemporaryDirectory() as folder, serving(url, args.server, args.threads) as (port, server):
        file = Path(folder) / "plan.json"
        file.write_text(json.dumps(plan), encoding="utf-8")
        before = work_of(server)
        client = subprocess.run(
            [sys.executable, HERE / "web_crowd.py", str(port), file], capture_output=True, check=True
        )
        work = work_of(server) - before
    found = json.loads(client.stdout)
    times = [seconds for _, seconds in found["times"]]
    good = sum(found["statuses"].get(status, 0) for status in ("200", "304"))
    return {
        "crowd requests": len(times),
        "crowd addresses": found["addresses"],
        "crowd 304s": found["statuses"].get("304", 0),
        "crowd errors": len(times) - good,
        "crowd a second": len(times) / found["seconds"],
        "crowd p50": percentile(times, 0.5),
        "crowd p95": percentile(times, 0.95),
        "crowd p99": percentile(times, 0.99),
        "crowd most": max(times) * 1000,
        "crowd server work each": work / len(times) * 1000,
    }


def work_of(server: int) -> float:
    """Seconds of processor time of a process and its children (gunicorn's workers) so far."""
    found = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            fields = file.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if server in (int(file.parent.name), int(fields[1])):
                found += int(fields[11]) + int(fields[12])
    return found / os.sysconf("SC_CLK_TCK")


def measure(kind: str, args: argparse.Namespace) -> dict[str, float]:
    from crosstable import office
    from crosstable.web import logs, settings, static_files

    with database(kind) if not args.office else nullcontext(args.office) as url:
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
            office.import_history(Actor.installation(), args.data)
        named()
        day = published()
        figures = in_process(day, args.count, args.part)
        if "crowd" in args.part:
            figures |= crowd(url, day, args)
        from django.db import connections

        connections.close_all()
        return figures


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data")
    parser.add_argument("--database", choices=("sqlite", "postgresql"))
    parser.add_argument("--office", help="an office that has been imported already")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--server", choices=("serve", "gunicorn"), default="serve")
    parser.add_argument("--threads", type=int, default=6)
    return parser.parse_args()


def main() -> int:
    args = arguments()
    if not args.office and not args.data.is_dir():
        print(f"web: skipped, there is no data in {args.data}")
        return 0
    if args.office:
        args.database = "sqlite" if args.office.startswith("sqlite") else "postgresql"
    if not args.database:  # each in a process of its own: Django is set up once
        alone = [[sys.executable, __file__, *sys.argv[1:], "--database", kind] for kind in ("sqlite", "postgresql")]
        return max(subprocess.run(command, check=False).returncode for command in alone)
    args.part = args.part or (PARTS if args.database == "postgresql" else PARTS[:-1])
    figures = measure(args.database, args)
    for name, value in figures.items():
        limit = PROMISED.get(name)
        print(f"{args.database:<11} {name:<24} {value:>10,.1f}" + (f"   promised under {limit}" if limit else ""))
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    file = folder / f"web-{args.database}.json"
    before = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps(before | figures, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("CROSSTABLE_SECRET_KEY", "".join(random.choices(string.ascii_letters, k=60)))
    sys.exit(main())
