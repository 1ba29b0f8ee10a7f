"""The records of an office hold facts; the addresses of pages are made in `web/`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import crosstable.office

OFFICE = Path(crosstable.office.__file__).parent
#: A text, or a part of one, that begins as the address of a page: "/events/", and "/" before a value
ADDRESS = re.compile(r"/\w")
#: The modules with such texts, and why they are right there
ALLOWED = {
    "lists/export.py": "the number of games after a rating: 1500/12",
    "notices/mail.py": "a mail names the page of the inbox; the worker that sends it has no request",
}


def texts_like_addresses(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            whole = "".join(one.value if isinstance(one, ast.Constant) else "0" for one in node.values)
            found += [whole] if ADDRESS.match(whole) else []
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and ADDRESS.match(node.value):
            found.append(node.value)
    return found


def test_no_text_of_an_office_begins_as_an_address() -> None:
    found = {path.relative_to(OFFICE).as_posix(): texts_like_addresses(path) for path in OFFICE.rglob("*.py")}
    assert {name: texts for name, texts in found.items() if texts}.keys() == ALLOWED.keys()
