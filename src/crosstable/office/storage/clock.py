"""The office's clock: UTC, as text that sorts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def now() -> str:
    return stamp(datetime.now(UTC))


def in_days(days: int) -> str:
    return stamp(datetime.now(UTC) + timedelta(days=days))


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
