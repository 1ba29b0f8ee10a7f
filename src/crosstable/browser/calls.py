"""What the worker calls: one function, with JSON in and JSON out, so that JavaScript needs to know nothing of
Python.
"""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from crosstable.browser import rating_page, result_page, tool_pages
from crosstable.browser.desk import BrowserDesk, RatedFile
from crosstable.errors import CrosstableError, EventRejected
from crosstable.formats import limits

DESK = BrowserDesk()
WARM_UP = b"""Event,Warm-up
Dates,2026-01-10
Time control,G/60;d5
No,Name,Rating,Rd 1
1,Ann,1500/30,W2
2,Bo,1500/30,L1
"""


def call(name: str, arguments: str, data: bytes | memoryview = b"") -> str:
    """Carry out a request of the page. What is wrong with it comes back as `problem`, never as an exception."""
    try:
        answer = _CALLS[name](json.loads(arguments), bytes(data))
    except EventRejected as refused:
        answer = {"problem": " ".join(f"{one.message} {one.advice}".strip() for one in refused.findings[:3])}
    except (CrosstableError, ValueError) as wrong:
        answer = {"problem": str(wrong)}
    return json.dumps(answer)


def warm_up() -> None:
    """Rate two made-up players and forget them: what a first rating loads is then in the memory that the page keeps."""
    work = BrowserDesk().open("warm-up.csv", WARM_UP)
    result_page.result(work)
    _about({}, b"")


def _about(_: Mapping[str, str], __: bytes) -> dict[str, Any]:
    """Return what the page needs once: formats, pools, rulebooks, the largest file."""
    return {
        "formats": result_page.formats_to_write(),
        "pools": result_page.pools(),
        "systems": tool_pages.rule_systems(),
        "largest": limits.FILE_BYTES,
    }


def _open(asked: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    parts = asked.get("parts", ())
    return _shown(DESK.open(asked["name"], _together(parts, data) if len(parts) > 1 else data))


def _together(parts: Sequence[Mapping[str, Any]], data: bytes) -> bytes:
    """Return several files as one archive: a US Chess report is three tables."""
    archive, at = io.BytesIO(), 0
    with zipfile.ZipFile(archive, "w") as files:
        for one in parts:
            files.writestr(one["name"], data[at : at + one["size"]])
            at += one["size"]
    return archive.getvalue()


def _say(asked: Mapping[str, str], _: bytes) -> dict[str, Any]:
    return _shown(DESK.say(asked))


def _fix(asked: Mapping[str, Any], _: bytes) -> dict[str, Any]:
    return _shown(DESK.fix(asked["finding"], asked["fix"], asked["typed"]))


def _undo(_: Mapping[str, Any], __: bytes) -> dict[str, Any]:
    return _shown(DESK.undo())


def _shown(work: RatedFile) -> dict[str, Any]:
    return {
        "html": result_page.result(work),
        "said": result_page.said(work),
        "rated": work.rated is not None,
        "fixes": len(DESK.fixes),
        "sections": [section.number for section in work.event.sections] if work.event else [],
        "titles": tool_pages.titles(work),
    }


def _why(asked: Mapping[str, Any], _: bytes) -> dict[str, Any]:
    work = _work()
    answer = work.answer(asked["section"], asked["number"], asked["pool"])
    return {"html": rating_page.why(work, answer), "form": rating_page.what_if_form(work, answer)}


def _what_if(asked: Mapping[str, Any], _: bytes) -> dict[str, Any]:
    work = _work()
    place = (asked["section"], asked["number"], asked["pool"])
    results = rating_page.changed_results(work, work.answer(*place), asked["results"])
    if not results:
        return {"html": ""}
    return {"html": rating_page.what_if_answer(work, DESK.what_if(*place, results), results)}


def _write(asked: Mapping[str, Any], _: bytes) -> dict[str, Any]:
    written = DESK.write(asked["format"], asked.get("section"))
    return {"name": written.name, "data": base64.b64encode(written.data).decode(), "losses": written.losses}


def _answers(asked: Mapping[str, str], data: bytes) -> dict[str, Any]:
    """Return the bare numbers of a file, for comparison with other machines."""
    work = DESK.open(asked["name"], data)
    answers = work.rated.answers if work.rated else ()
    codes = [finding.code for finding in work.findings]
    rows = [[one.section, one.pool, one.number, float(one.post).hex(), one.published] for one in answers]
    return {"answers": rows, "findings": codes}


def _estimate(asked: Mapping[str, str], _: bytes) -> dict[str, Any]:
    return {"html": tool_pages.estimator(asked, date.today())}


def _rules(asked: Mapping[str, str], _: bytes) -> dict[str, Any]:
    return {"html": tool_pages.rules(asked, date.today())}


def _work() -> RatedFile:
    if DESK.work is None:
        raise CrosstableError("no file is open")
    return DESK.work


_CALLS: dict[str, Callable[[Mapping[str, Any], bytes], dict[str, Any]]] = {
    "about": _about,
    "open": _open,
    "say": _say,
    "fix": _fix,
    "undo": _undo,
    "why": _why,
    "what-if": _what_if,
    "write": _write,
    "answers": _answers,
    "estimate": _estimate,
    "rules": _rules,
}
