"""Errors as RFC 9457 has them (application/problem+json), with the office's finding codes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpResponse

from crosstable.findings import declare
from crosstable.model import Event, Finding, Level, Place
from crosstable.words.findings import findings_to_json

MEDIA_TYPE = "application/problem+json"
DOCS = "/api/v1/docs"
#: Findings that speak of someone's age; an office's officers see them at their desks
ABOUT_AGES = frozenset({"improbable-age", "age-far-from-field"})
WRONG_VALUE = declare(
    "wrong-value", Level.ERROR, "A value of an API request cannot be used.", "Correct it; the finding names it."
)
#: Code → title, and what to do
KINDS = {
    "bad-request": ("The request cannot be read", "Check the address and its parameters."),
    "token-needed": (
        "A token is needed",
        "Send `Authorization: Bearer TOKEN`; `crosstable office user token` makes one.",
    ),
    "not-allowed": ("The token may not do that", "Ask the office for a token with this right in its scope."),
    "not-found": ("Not found", "Check the address: its ids, numbers and dates."),
    "method-not-allowed": ("This address does not answer that method", "See the Allow header."),
    "conflict": ("The office has something else under this id", "Ask for a correction, or use another id."),
    "body-too-large": ("The body is too large", "Send one event in a file."),
    "media-type": (
        "The body is not of a kind that is read here",
        (
            "Send the file itself as the body, with the header `Content-Type: application/octet-stream`: curl"
            " --data-binary @FILE."
        ),
    ),
    "wrong-value": ("Something in the request has a value that cannot be used", "The findings name each."),
    "event-with-errors": ("The event cannot be rated as it is", "The findings say what is wrong and what to do."),
    "too-many-requests": ("Too many requests", "Wait as many seconds as Retry-After says."),
    "server-error": ("The fault is ours", "Try again later."),
}
STATUS = {
    "bad-request": 400,
    "token-needed": 401,
    "not-allowed": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "conflict": 409,
    "body-too-large": 413,
    "media-type": 415,
    "wrong-value": 422,
    "event-with-errors": 422,
    "too-many-requests": 429,
    "server-error": 500,
}


class Refused(Exception):
    """The request ends here, with this answer."""

    def __init__(self, code: str, detail: str, findings: Iterable[Finding] = (), **more: Any) -> None:
        super().__init__(detail)
        self.code, self.detail, self.findings = code, detail, tuple(findings)
        self.headers: Mapping[str, str] = more.pop("headers", {})
        self.more = more

    def answer(self) -> HttpResponse:
        return problem(self.code, self.detail, self.findings, self.headers, **self.more)


def problem(
    code: str, detail: str, findings: Iterable[Finding] = (), headers: Mapping[str, str] | None = None, **more: Any
) -> HttpResponse:
    title, advice = KINDS[code]
    body = {
        "type": f"{DOCS}#{code}",
        "title": title,
        "status": STATUS[code],
        "detail": detail,
        "code": code,
        "advice": advice,
        "findings": as_json(findings),
        **more,
    }
    response = HttpResponse(json.dumps(body), status=STATUS[code], content_type=MEDIA_TYPE)
    response.headers["Cache-Control"] = "no-store"
    for name, value in (headers or {}).items():
        response.headers[name] = value
    return response


def as_json(findings: Iterable[Finding], event: Event | None = None, file: str = "") -> list[dict[str, Any]]:
    """Return findings for a program, without those that speak of ages; with the event they have their fixes."""
    return findings_to_json((one for one in findings if one.code not in ABOUT_AGES), event, file)


def wrong(where: str, message: str, advice: str = "") -> Finding:
    """One value of the request that cannot be used."""
    return Finding(WRONG_VALUE.level, WRONG_VALUE.name, Place(part=where), message, advice)
