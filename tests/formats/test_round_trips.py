"""Document → file → document, for every writable format: equal up to what the format cannot hold, and the loss is
listed.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable

from hypothesis import HealthCheck, given, settings

from crosstable import formats
from crosstable.formats import (
    aga_report,
    grid_writing,
    losses,
    text_crosstable_writing,
    trf_writing,
    us_chess_report_writing,
)
from crosstable.model import Event
from tests.formats.strategies import events, go_events

HELD: dict[str, Callable[[Event], Event]] = {
    "event-json": lambda event: event,
    "us-chess-report": us_chess_report_writing.writable_event,
    "csv": grid_writing.writable_event,
    "tsv": grid_writing.writable_event,
    "xlsx": grid_writing.writable_event,
    "text-crosstable": text_crosstable_writing.writable_event,
}
#: `make fuzz` turns this up.
EXAMPLES = int(os.environ.get("CROSSTABLE_EXAMPLES", "60"))
RELAXED = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def _same(found: object, expected: object, where: str = "event") -> None:
    """Equality that names the place, since two whole events are too much to compare by eye."""
    if dataclasses.is_dataclass(expected) and type(found) is type(expected):
        for item in dataclasses.fields(expected):
            _same(getattr(found, item.name), getattr(expected, item.name), f"{where}.{item.name}")
    elif isinstance(expected, tuple) and isinstance(found, tuple) and len(found) == len(expected):
        for place, (one, other) in enumerate(zip(found, expected, strict=True)):
            _same(one, other, f"{where}[{place}]")
    else:
        assert found == expected, where


def back(event: Event, name: str, held: Event) -> None:
    written = formats.write(event, name)
    reading = formats.read(written.data)
    assert formats.detect(written.data) == name
    _same(reading.draft, held, name)
    errors = {finding.code for finding in reading.findings if finding.level == "error"}
    assert errors <= {"nothing-played"}, name
    assert written.losses == losses.between(event, held), name


@RELAXED
@given(event=events())
def test_what_is_held_comes_back(event: Event) -> None:
    for name, held in HELD.items():
        back(event, name, held(event))


@RELAXED
@given(event=events(most_sections=1))
def test_trf(event: Event) -> None:
    back(event, "trf", trf_writing.writable_event(event))


@RELAXED
@given(event=go_events())
def test_aga(event: Event) -> None:
    back(event, "aga-report", aga_report.writable_event(event))


@settings(RELAXED, max_examples=EXAMPLES // 2)
@given(event=events(most_sections=1))
def test_every_rated_game_survives_and_writing_again_loses_nothing_more(event: Event) -> None:
    for name in (*HELD, "trf"):
        again = formats.read(formats.write(event, name).data).draft
        assert again is not None, name
        assert _rated(again) == _rated(event), name
        assert formats.write(again, name).losses == (), name


def _rated(event: Event) -> list[tuple[int, int, str]]:
    flip = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}
    games = [game for section in event.sections for game in section.games if game.played]
    return sorted(
        (g.white, g.black, g.result) if g.white < g.black else (g.black, g.white, flip[g.result]) for g in games
    )
