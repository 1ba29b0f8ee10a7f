"""The office's only clock: UTC. Whatever the office dates, it dates by this one; tests can set it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta

_set_to: datetime | None = None


def now() -> datetime:
    return _set_to or datetime.now(UTC)


def today() -> date:
    return now().date()


def today_here() -> date:
    """Today on the wall: a club meets by the clock of its room, whatever day it is in Greenwich."""
    return now().astimezone().date()


def stamp(moment: datetime | None = None) -> str:
    """Return a moment (default: now) as text that sorts."""
    return (moment or now()).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def stamp_in(days: int) -> str:
    return stamp(now() + timedelta(days=days))


@contextmanager
def set_to(moment: datetime) -> Iterator[None]:
    """Stop the clock at a moment, for tests."""
    global _set_to  # noqa: PLW0603  one clock for the process: that is its purpose
    before, _set_to = _set_to, moment
    try:
        yield
    finally:
        _set_to = before
