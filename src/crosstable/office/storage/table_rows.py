"""Rows of the office's tables in one form for both databases: what a backup holds.

A row is a JSON array in the order of the model's columns: dates and times as ISO text in UTC, bytes as base64, JSON as
itself, numbers to their last bit.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from django.apps import apps
from django.db import models

#: Apps whose tables a backup holds, each after those it refers to. Django's own bookkeeping comes with `migrate`.
APPS = (
    "auth", "people", "notices", "requests", "ledger", "corrections", "jobs", "lists", "reports", "club", "drafts",
    "audit",
)  # fmt: skip
_LEFT_OUT = ("auth_permission", "auth_group")

Convert = Callable[[Any], Any]


def tables() -> list[type[models.Model]]:
    """The models whose rows make up an office."""
    found = [model for app in APPS for model in apps.get_app_config(app).get_models()]
    return [model for model in found if model._meta.db_table not in _LEFT_OUT]


def columns(model: type[models.Model]) -> list[str]:
    return [str(field.column) for field in model._meta.concrete_fields]


def to_line(model: type[models.Model]) -> Callable[[Sequence[Any]], bytes]:
    """Turns a row, as either driver gives it, into a line."""
    converts = [_OUT.get(kind) for kind in _kinds(model)]

    def line(row: Sequence[Any]) -> bytes:
        values = [
            value if convert is None or value is None else convert(value)
            for value, convert in zip(row, converts, strict=True)
        ]
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"

    return line


def from_lines(model: type[models.Model], lines: Iterator[bytes], vendor: str) -> Iterator[list[Any]]:
    """The rows of these lines, as the database of that vendor takes them."""
    incoming = _IN | (_IN_SQLITE if vendor == "sqlite" else {})
    converts = [incoming.get(kind) for kind in _kinds(model)]
    for line in lines:
        yield [
            value if convert is None or value is None else convert(value)
            for value, convert in zip(json.loads(line), converts, strict=True)
        ]


def _kinds(model: type[models.Model]) -> list[str]:
    return [field.get_internal_type() for field in model._meta.concrete_fields]


def _moment(value: Any) -> str:
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="microseconds")


def _json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _naive(text: str) -> str:
    """A moment as Django keeps it in SQLite: UTC without saying so, and no zeros after the second."""
    return str(datetime.fromisoformat(text).replace(tzinfo=None))


_OUT: dict[str, Convert] = {
    "BooleanField": bool,
    "DateField": lambda value: str(value)[:10],
    "DateTimeField": _moment,
    "JSONField": lambda value: json.loads(value) if isinstance(value, str | bytes) else value,
    "BinaryField": lambda value: base64.b64encode(bytes(value)).decode(),
}
_IN: dict[str, Convert] = {"JSONField": _json_text, "BinaryField": base64.b64decode}
_IN_SQLITE: dict[str, Convert] = {"DateTimeField": _naive}
