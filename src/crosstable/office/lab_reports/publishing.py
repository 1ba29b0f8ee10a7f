"""Reports of the lab on the web office: an officer publishes one, everybody reads it, an officer takes it back.

What comes in is the file of figures that `lab … --report` writes beside its page (`.json`), never a page: the site
shows the words and tables in its own way, and the charts as pictures. Tables that name players are left out, because
who would gain and lose is the committee's to know, and a first rating may tell an age.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.lab_reports.models import PublishedReport
from crosstable.office.ledger import free_text
from crosstable.office.people.rights import Actor, require
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or

FORMAT = "crosstable-lab-report/1"
#: A report is a page to read: no file of figures is larger
LARGEST = 5_000_000
#: A column of such a name tells of single players
PERSONAL = frozenset({"player", "id", "name", "birth_date", "age"})


Cell = tuple[str, bool]


class ReportRefused(OfficeError):
    """It is no report of the lab, or there is none of this number."""


@dataclass(frozen=True, slots=True)
class Table:
    """Each cell with whether it is a number, which stands on the right."""

    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    left_out: int  # rows that are in the committee's file only


class Part(NamedTuple):
    """A section. Its charts have the numbers under which the site shows them."""

    title: str
    words: str
    charts: tuple[int, ...]
    table: Table | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A published report as everybody reads it."""

    row: PublishedReport
    lead: str
    parts: tuple[Part, ...]
    facts: Mapping[str, str]


def publish(actor: Actor, data: bytes) -> PublishedReport:
    """Publish a report. The same file is not published twice; one that was withdrawn comes back."""
    require(actor, "report.publish")
    content, digest = _public(_parsed(data)), hashlib.sha256(data).hexdigest()
    with writing():
        row = PublishedReport.objects.filter(sha256=digest).first()
        if row is not None and row.withdrawn is None:
            raise ReportRefused(f"this report has been published already: report {row.id}")
        row = row or PublishedReport(sha256=digest)
        row.title, row.content, row.author = content["title"], json.dumps(content), actor.name
        row.at, row.withdrawn = clock.now(), None
        row.save()
        record(actor.name, "report.publish", f"report:{row.id}", "", {"title": row.title, "file": digest})
    return row


def withdraw(actor: Actor, number: int, reason: str) -> None:
    """No one is shown it any more; the office keeps it."""
    require(actor, "report.publish")
    if not reason.strip():
        raise ReportRefused("say why the report is withdrawn")
    free_text.refuse(reason, "the reason")
    with writing():
        row = _find(number)
        row.withdrawn = clock.now()
        row.save()
        record(actor.name, "report.withdraw", f"report:{number}", reason, {"title": row.title})


def published() -> list[PublishedReport]:
    """All that everybody may read, newest first."""
    return list(PublishedReport.objects.filter(withdrawn=None).order_by("-at", "-id"))


def show(number: int) -> Shown:
    row = _find(number)
    content = json.loads(row.content)
    parts, charts = [], 0
    for part in content["parts"]:
        numbers = tuple(range(charts, charts + len(part["charts"])))
        charts += len(numbers)
        parts.append(Part(part["title"], part["words"], numbers, part["table"] and _shown(part["table"])))
    return Shown(row, content["lead"], tuple(parts), content["facts"])


def _shown(table: Mapping[str, Any]) -> Table:
    lines = [tuple(zip(line, table["numeric"], strict=True)) for line in (table["columns"], *table["rows"])]
    return Table(lines[0], tuple(lines[1:]), table["left_out"])


def chart(number: int, place: int) -> str:
    """One picture (SVG). Serve it so that nothing in it can run."""
    charts = [one for part in json.loads(_find(number).content)["parts"] for one in part["charts"]]
    if place >= len(charts):
        raise ReportRefused(f"report {number} has no chart {place}")
    return str(charts[place])


def _find(number: int) -> PublishedReport:
    return first_or(
        PublishedReport.objects.filter(id=number, withdrawn=None), ReportRefused(f"there is no report {number}")
    )


def _parsed(data: bytes) -> dict[str, Any]:
    if len(data) > LARGEST:
        raise ReportRefused(f"a report has at most {LARGEST // 1_000_000} MB: this is another file")
    try:
        content = json.loads(data)
        if content["format"] != FORMAT:
            raise ReportRefused(f"this is not a report of the lab ({FORMAT}): publish the .json file beside its page")
        return _checked(content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise ReportRefused(
            "this is not a report of the lab: publish the .json that `lab … --report` writes beside its page"
        ) from problem


def _checked(content: Mapping[str, Any]) -> dict[str, Any]:
    """Only what a page shows, every piece a text: whatever else the file holds stays out."""
    return {
        "title": str(content["title"])[:200],
        "lead": str(content["lead"]),
        "parts": [
            {
                "title": str(part["title"]),
                "words": str(part["words"]),
                "charts": [str(one) for one in part["charts"]],
                "table": part["table"] and _table(part["table"]),
            }
            for part in content["parts"]
        ],
        "facts": {str(name): str(text) for name, text in content["facts"].items()},
    }


def _table(table: Mapping[str, Any]) -> dict[str, Any]:
    columns: Sequence[str] = [str(name) for name in table["columns"]]
    rows = [[str(cell) for cell in row] for row in table["rows"]]
    numeric = [bool(one) for one in table["numeric"]]
    if {len(columns), len(numeric), *map(len, rows)} != {len(columns)}:
        raise ValueError("a row of another length")
    return {"columns": columns, "numeric": numeric, "rows": rows, "left_out": int(table["left_out"])}


def _public(content: dict[str, Any]) -> dict[str, Any]:
    """Without the tables that name players.

    The command may hold a path of the committee's machine: it stays out too.
    """
    for part in content["parts"]:
        if part["table"] and PERSONAL & {name.strip().lower() for name in part["table"]["columns"]}:
            part["table"] = None
            part["words"] = f"{part['words']} The table names players, so only the committee has it.".strip()
    content["facts"].pop("Command", None)
    return content
