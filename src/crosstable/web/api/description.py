"""The OpenAPI description, completed: which errors each address may answer with, and what they look like."""

from __future__ import annotations

import json
from typing import Any

from crosstable.web.api.problems import KINDS, MEDIA_TYPE, STATUS, problem

ALWAYS = ("bad-request", "not-found", "wrong-value", "too-many-requests")
WITH_BODY = ("body-too-large",)
WITH_TOKEN = ("token-needed", "not-allowed", "media-type")
HEADERS = {
    "too-many-requests": {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait"}},
    "token-needed": {"WWW-Authenticate": {"schema": {"type": "string"}}},
}
FINDING = {
    "type": "object",
    "required": ["level", "code", "place", "where", "facts", "message", "advice", "fixes"],
    "properties": {
        **{name: {"type": "string"} for name in ("level", "code", "where", "message", "advice")},
        "place": {"type": "object", "description": "The parts of the place that are known: file, section, players …"},
        "facts": {"type": "object", "description": "The values that the message speaks of"},
        "fixes": {"type": "array", "items": {"type": "object"}, "description": "What could be done about it"},
    },
}
PROBLEM: dict[str, Any] = {
    "type": "object",
    "title": "Problem",
    "description": "RFC 9457, with the office's finding codes",
    "required": ["type", "title", "status", "detail", "code", "findings"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "enum": list(KINDS)},
        "advice": {"type": "string"},
        "findings": {"type": "array", "items": FINDING},
        "submission": {"type": "integer", "description": "Of a file that was kept but not taken"},
    },
}


def complete(schema: Any) -> Any:
    schema.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            for parameter in operation.get("parameters", ()):
                parameter.pop("examples", None)  # a list, as JSON Schema has it; OpenAPI's own would be named ones
                _without_nul(parameter["schema"])
                if parameter["schema"].get("examples"):
                    parameter["example"] = parameter["schema"]["examples"][0]
            _kept(method, operation)
            for code in _codes(path, method, operation):
                operation["responses"][STATUS[code]] = _response(code)
    return schema


def _kept(method: str, operation: Any) -> None:
    """Describe what may be asked again with its ETag, and where a table goes on."""
    if method != "get" or operation.get("security"):
        return
    headers = operation["responses"][200].setdefault("headers", {})
    headers["ETag"] = {"schema": {"type": "string"}, "description": "Send it back as If-None-Match"}
    if any(one["name"] == "cursor" for one in operation.get("parameters", ())):
        words = 'The address of the next piece, as <address>; rel="next"; none at the end'
        headers["Link"] = {"schema": {"type": "string"}, "description": words}
    operation["responses"][304] = {
        "description": "Unchanged since the answer with the ETag in If-None-Match; not counted"
    }


def _without_nul(schema: Any) -> None:
    """Say what the door refuses in any text."""
    if schema.get("type") == "string" and not {"pattern", "enum", "format"} & set(schema):
        schema["pattern"] = r"^[^\x00]*$"


def _codes(path: str, method: str, operation: Any) -> tuple[str, ...]:
    """Return the errors of one operation; one with the same status as another stands for both."""
    found: tuple[str, ...] = ALWAYS
    if method == "post":
        found += WITH_BODY
    if operation.get("security"):
        found += WITH_TOKEN
    else:
        found += ("token-needed",)
    return (*found, "conflict", "event-with-errors") if path.endswith("/submit") else found


def _response(code: str) -> dict[str, Any]:
    title, advice = KINDS[code]
    example = json.loads(problem(code, advice).content)
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example}}
    return {"description": title, "content": content, **({"headers": HEADERS[code]} if code in HEADERS else {})}
