"""The rule behind a step of a derivation: its title, its print, and the page that shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from crosstable.model import Step
from crosstable.rulebook import rulebook

_SOURCE = re.compile(r"(.+) §(.+), since (\d{4}-\d\d-\d\d)")


@dataclass(frozen=True, slots=True)
class Cite:
    """The rule behind a step, with its print."""

    rule: str
    title: str
    document: str
    section: str
    since: date | None
    address: str


def cite(step: Step, system: str, rule: str = "") -> Cite | None:
    name, match = rule or step.rule, _SOURCE.match(step.source)
    if not name:
        return None
    book = rulebook(system)
    title = book.rules[name].title if name in book.rules else name.replace("_", " ")
    address = f"/rules/{name}/" if system == "us_chess" else f"/rules/{name}/?system={system}"
    if match is None:
        return Cite(name, title, step.source, "", None, address)
    document, section, since = match.groups()
    words = f"US Chess Rating System, {document} edition" if document.isdigit() else document
    return Cite(name, title, words, section, date.fromisoformat(since), address)
