"""A crawler of the whole office: every route of the table and the links on its pages, with one role's client."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any
from urllib.parse import urljoin

from django.test import Client

from tests.web.routes import table

LINK = re.compile(r'(?:href|src|action)="([^"#]+)')
#: What ends the session, or only says what stands on the server's disk
LEFT_OUT = re.compile(r"sign-out|/static/|/backup|/favicon|language=")
TEXT = ("text/", "application/json", "application/xml", "application/atom", "application/problem", "+xml", "calendar")


def crawled(client: Client, sample: Mapping[str, str], most: int) -> Iterator[tuple[str, str]]:
    """Yield each address with its whole answer as text: status, headers and body.

    Every GET of the route table is asked; of the links on these pages so many more, in the order in which they come.
    """
    addresses = [route.address.format(**sample) for route in table() if "GET" in route.status]
    seen = dict.fromkeys(one for one in addresses if not LEFT_OUT.search(one))
    queue, asked = list(seen), 0
    while queue and asked < len(seen) and asked < len(addresses) + most:
        address = queue.pop(0)
        asked += 1
        text = _asked(client, address)
        yield address, text
        for link in LINK.findall(text):
            there = urljoin(address, unescape(link))
            if there.startswith("/") and not LEFT_OUT.search(there) and there not in seen:
                seen[there] = None
                queue.append(there)


def posted(client: Client, sample: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what every form answers to nonsense. No files, nothing that would be accepted."""
    for route in table():
        address = route.address.format(**sample)
        if "POST" in route.status and not LEFT_OUT.search(address):
            yield address, _as_text(client.post(address, {"words": "x", "reason": "", "player": "?", "event": "../'"}))


def _asked(client: Client, address: str) -> str:
    return _as_text(client.get(address))


def _as_text(answer: Any) -> str:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    headers = "".join(f"{name}: {value}\n" for name, value in sorted(answer.headers.items()))
    kind = answer.headers.get("Content-Type", "")
    shown = body.decode(errors="replace") if any(one in kind for one in TEXT) else body.decode("latin-1")
    return f"{answer.status_code}\n{headers}\n{shown}"
