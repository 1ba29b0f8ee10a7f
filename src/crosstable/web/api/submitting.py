"""Checking and submitting a file with a token, and how a submission stands."""

from __future__ import annotations

import re
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router, Status

from crosstable.fixes import Fixed, fix_suggested
from crosstable.formats import event_json
from crosstable.formats.limits import FILE_BYTES
from crosstable.model import errors
from crosstable.office.people.rights import Actor, require
from crosstable.office.reports import findings, submission_status, submissions
from crosstable.office.reports.file_reading import read_file
from crosstable.web.api import schemas
from crosstable.web.api.door import Token
from crosstable.web.api.parameters import Name
from crosstable.web.api.problems import Refused, as_json, wrong

router = Router(tags=["submitting"], auth=Token())
FILE = {
    "requestBody": {
        "required": True,
        "description": "The file itself, in any format that `crosstable check` reads",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary", "minLength": 1}}},
    }
}
MADE = {
    "responses": {
        201: {"headers": {"Location": {"schema": {"type": "string"}, "description": "Where its status is"}}},
    }
}
EventId = Annotated[
    str, Query(max_length=60, examples=["202510120007"], description="The event's id, over the file's own")
]
Fix = Annotated[bool, Query(description="Carry out the suggested fixes that leave no choice")]
Number = Annotated[int, Path(ge=1, le=2**53)]
#: name=value&name=value, without blanks, lines or quotes: no file looks so
FORM = re.compile(rb"[\w.%+*-]+=[\w.%+*-]*(?:&[\w.%+*-]+=[\w.%+*-]*)*")


@router.post("/check", response=schemas.Checked, openapi_extra=FILE, summary="Check a file")
def check(request: HttpRequest, name: Name = "file", fix: Fix = False) -> Any:
    """Return what the office would find in this file; nothing is kept. Right: event.submit.

    With `fix`, the suggested fixes that leave no choice are carried out first: `fixed` has what they changed, and
    `event` the event document after them.
    """
    require(actor(request), "event.submit")
    reading = read_file(body(request), _readable(name))
    fixed: list[Fixed] = []
    if fix:
        reading, fixed = fix_suggested(reading, findings.of_file)
    found = findings.of_file(reading)
    answer = {"ok": not errors(found), "format": reading.format, "findings": as_json(found, reading.draft, name)}
    if not fix:
        return answer
    event = event_json.to_json(reading.event) if reading.ok else None
    changes = [{"place": one.place, "before": one.before, "after": one.after} for one in fixed]
    return {**answer, "fixed": changes, "event": event}


@router.post(
    "/submit",
    response={200: schemas.SubmissionOut, 201: schemas.SubmissionOut},
    openapi_extra={**FILE, **MADE},
    summary="Submit an event",
)
def submit(
    request: HttpRequest,
    response: HttpResponse,
    name: Name = "file",
    event: EventId = "",
) -> Any:
    """Submit a file, which is kept in any case. Right: event.submit.

    201: the event waits for review, also with errors: then `message` counts them, `findings` has them, and the event is
    not rated until the office corrects it with a file that has none. Events that wait or count already and are much
    like this one are findings too (`possible-duplicate`). 200: the office has this very event. 409 or 422: it became no
    event.
    """
    require(actor(request), "event.submit")
    done = submissions.submit(actor(request), body(request), _readable(name), event)
    status = f"/api/v1/submissions/{done.submission}"
    if not done.ok:
        kind = "conflict" if done.outcome == submissions.REFUSED else "event-with-errors"
        raise Refused(kind, f"{done.message}.", done.findings, submission=done.submission, headers={"Location": status})
    response.headers["Location"] = status
    answer = {
        "submission": done.submission,
        "outcome": done.outcome,
        "event": done.event,
        "status": "submitted" if done.outcome == submissions.QUEUED else "",
        "message": done.message,
        "findings": as_json(done.findings),
    }
    return Status(201 if done.outcome == submissions.QUEUED else 200, answer)


@router.get("/submissions/{number}", response=schemas.SubmissionOut, summary="The status of a submission")
def submission(request: HttpRequest, number: Number) -> Any:
    """Return what was found, what became of it, and what to do next.

    Right: submission.read; directors see their own.
    """
    found = submission_status.status(actor(request), number)
    return {
        "submission": found.number,
        "outcome": found.outcome,
        "event": found.event,
        "status": found.event_status,
        "message": found.next_step,
        "findings": as_json(found.findings),
    }


def actor(request: HttpRequest) -> Actor:
    """Anyone who came with the token."""
    found: Actor = request.actor  # type: ignore[attr-defined]  # the door has put it there
    return found


def body(request: HttpRequest) -> bytes:
    """Return the file, no longer than a file may be."""
    kind = request.content_type or ""
    if kind.startswith("multipart/"):
        raise Refused("media-type", f"The body is a form ({kind}).")
    data: bytes = request.read(FILE_BYTES + 1)
    if kind == "application/x-www-form-urlencoded" and FORM.fullmatch(data):  # curl says so of any file
        raise Refused("media-type", f"The body is a form ({kind}).")
    if len(data) > FILE_BYTES:
        raise Refused("body-too-large", f"The body has more than {FILE_BYTES:,} bytes.")
    if not data:
        raise Refused(
            "wrong-value", "The body is empty.", [wrong("body", "There is no file.", "Send the file itself.")]
        )
    return data


def _readable(name: str) -> str:
    """Return a name that can be kept and shown."""
    return "".join(letter for letter in name if letter.isprintable()) or "file"
