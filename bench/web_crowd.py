"""Many clients at once against a running server: the light half of bench/web.py's crowd, in a process of its own.

    python bench/web_crowd.py PORT PLAN.json

The plan names the clients, their requests, their tokens and the addresses by kind. A client draws a kind by its share,
then an address by Zipf's law (the second most popular is asked for half as often as the first, the third a third as
often …), asks without a pause, and like a browser keeps what it has seen and asks for that with If-None-Match. Prints
times as JSON.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

#: Of a hundred requests, so many are for each kind of page. The first page stands for links from elsewhere, `typing`
#: for search while somebody types, `api` for pairing programs, which come with a token
SHARES = {
    "home": 5,
    "player": 29,
    "pool": 4,
    "versus": 2,
    "events": 3,
    "event": 8,
    "crosstable": 19,
    "derivation": 8,
    "list": 5,
    "search": 4,
    "typing": 8,
    "api": 5,
}


def plans(pages: Mapping[str, Sequence[str]], clients: int, requests: int) -> list[list[tuple[str, str]]]:
    """Kind and address of every request of every client, the same in every run."""
    rng = random.Random(3)
    weights = {kind: list(accumulate(1 / rank for rank in range(1, len(own) + 1))) for kind, own in pages.items()}
    kinds = rng.choices(list(SHARES), list(SHARES.values()), k=clients * requests)
    drawn = [(kind, rng.choices(pages[kind], cum_weights=weights[kind])[0]) for kind in kinds]
    return [drawn[one::clients] for one in range(clients)]


async def visit(port: int, plan: Sequence[tuple[str, str]], token: str, found: list[tuple[str, int, float]]) -> None:
    """One client on one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    seen: dict[str, str] = {}
    for kind, address in plan:
        asked = [f"GET {address} HTTP/1.1", "Host: localhost", "Accept-Encoding: gzip"]
        asked += [f"If-None-Match: {seen[address]}"] if address in seen else []
        asked += ["HX-Request: true"] if kind == "typing" else []
        asked += [f"Authorization: Bearer {token}"] if kind == "api" else []
        begin = time.perf_counter()
        writer.write("\r\n".join([*asked, "", ""]).encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        status = int(head[0].split()[1])
        if status != 304:
            await reader.readexactly(int(fields["content-length"]))
        found.append((kind, status, time.perf_counter() - begin))
        seen[address] = fields.get("etag", "")
        if fields.get("connection") == "close":
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()


async def crowd(port: int, plan: Mapping[str, Any]) -> dict[str, Any]:
    found: list[tuple[str, int, float]] = []
    own = plans(plan["pages"], plan["clients"], plan["requests"])
    begin = time.perf_counter()
    await asyncio.gather(
        *(visit(port, mine, token, found) for mine, token in zip(own, plan["tokens"], strict=True)),
    )
    return {
        "seconds": time.perf_counter() - begin,
        "addresses": len({address for mine in own for _, address in mine}),
        "statuses": Counter(str(status) for _, status, _ in found),
        "times": [(kind, seconds) for kind, _, seconds in found],
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(crowd(int(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))))))
