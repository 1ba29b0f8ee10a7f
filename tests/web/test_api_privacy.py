"""Birth dates and ages are in no answer, header or log line of the API; withheld names are initials everywhere."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import pytest
from django.test import Client

from crosstable.office.ledger.models import Player, RatingRow
from crosstable.office.rating.age_starts import AgeStarts
from tests.web.routes.api import ADDRESSES

BORN = date(1987, 3, 29)
MONTHS = ("March", "Mar", "march", "mar", "MAR")


def forms(day: date) -> set[str]:
    """The ways in which a birth date could stand somewhere."""
    y, m, d = day.year, day.month, day.day
    short = y % 100
    found = {day.isoformat(), f"{y}{m:02}{d:02}", f"{d:02}{m:02}{y}", f"{m:02}{d:02}{y}", f"{y}-{m}-{d}"}
    for mark in ("/", ".", "-", " "):
        found |= {f"{y}{mark}{m:02}{mark}{d:02}", f"{d:02}{mark}{m:02}{mark}{y}", f"{m:02}{mark}{d:02}{mark}{y}"}
        found |= {f"{d}{mark}{m}{mark}{y}", f"{m}{mark}{d}{mark}{y}"}
    found |= {f"{m}/{d}/{short}", f"{d}.{m}.{short}", f"{m:02}/{d:02}/{short}"}
    for month in MONTHS:
        found |= {f"{d} {month} {y}", f"{month} {d}, {y}", f"{d}-{month}-{y}", f"{month} {y}"}
    return found | {str(day.toordinal()), str(int((day - date(1970, 1, 1)).total_seconds()))}


FORMS = forms(BORN)


@pytest.fixture
def born(sample: Mapping[str, str]) -> Iterator[None]:
    """Everybody is born on one day, of which no result speaks."""
    before = dict(Player.objects.values_list("id", "birth_date"))
    Player.objects.update(birth_date=BORN)
    yield
    players = list(Player.objects.all())
    for player in players:
        player.birth_date = before[player.id]
    Player.objects.bulk_update(players, ["birth_date"], batch_size=200)


def addresses(sample: Mapping[str, str]) -> list[str]:
    found = [f"/api/v1/{address.format(**sample)}" for _, address, status in ADDRESSES if "GET" in status]
    found += [f"{one}{'&' if '?' in one else '?'}format=csv" for one in found]
    word = Player.objects.get(number=sample["player"]).name.split()[-1]
    return [*found, f"/api/v1/players?q={word}", f"/api/v1/events/{sample['corrected']}", "/api/v1/openapi.json"]


def everything(client: Client, sample: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every answer with its headers, errors too."""
    wrong = [f"/api/v1/players/{BORN:%Y}x", "/api/v1/events?year=x", "/api/v1/rules?on=x"]
    for address in (*addresses(sample), *wrong):
        answer = client.get(address)
        yield address, f"{answer.headers}\n{answer.content.decode()}"
    file = json.dumps(_event([sample["player"], sample["other"]])).encode()
    answer = client.post("/api/v1/check", file, content_type="application/octet-stream")
    yield "check", f"{answer.headers}\n{answer.content.decode()}"


def _event(ids: list[str]) -> dict[str, Any]:
    players = [{"number": at, "id": one, "birth_date": BORN.isoformat()} for at, one in enumerate(ids, start=1)]
    games = [{"round": 1, "white": 1, "black": 1, "result": "1-0"}]
    section = {"number": 1, "time_control": "G/60;d5", "players": players, "games": games}
    head = {"format": "crosstable-event/1", "name": "Twice", "start": "2026-01-10", "end": "2026-01-10"}
    return {**head, "sections": [section]}


def test_there_are_forty_forms_and_more() -> None:
    assert len(FORMS) >= 40


def test_no_answer_header_or_log_line_has_a_birth_date(
    clients: Mapping[str, Client], sample: Mapping[str, str], born: None
) -> None:
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.getMessage()} {getattr(record, 'facts', '')}")

    handler, loggers = Keep(), [logging.getLogger(name) for name in ("", "crosstable.web", "django")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        answers = list(everything(clients["token"], sample))
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
    for address, text in (*answers, ("log", "\n".join(lines))):
        assert not [form for form in FORMS if re.search(rf"(?<!\d){re.escape(form)}(?!\d)", text)], address


def test_no_field_is_named_after_an_age(visitor: Client) -> None:
    names = re.findall(r'"(\w+)": \{', json.dumps(visitor.get("/api/v1/openapi.json").json()["components"]))
    assert len(names) > 100
    assert not [name for name in names if {"age", "birth", "born", "adult", "sex"} & set(name.lower().split("_"))]


def test_a_rating_that_would_tell_an_age_is_null(visitor: Client) -> None:
    first = RatingRow.objects.filter(initialized=True, pool="OTBR").select_related("player", "section__event")
    starts = AgeStarts([row.player_id for row in first])
    telling = [row for row in first if starts.tells(row.player_id, "OTBR", row.post, row.position)]
    assert telling
    for row in telling:
        played = visitor.get(f"/api/v1/players/{row.player.number}/history?pool=OTBR").json()["played"]
        mine = next(one for one in played if one["event"] == row.section.event.number)
        assert (mine["before"], mine["after"], mine["change"]) == (None, None, None)
        derivation = visitor.get(mine["derivation"]).json()
        assert (derivation["after"], derivation["what_if"]["offered"]) == (None, False)


def test_a_withheld_name_is_initials_in_every_answer(clients: Mapping[str, Client], sample: Mapping[str, str]) -> None:
    player = Player.objects.get(number=sample["player"])
    Player.objects.filter(id=player.id).update(withheld=True)
    try:
        for address, text in everything(clients["token"], sample):
            assert player.name not in text, address
        found = clients["anonymous"].get(f"/api/v1/players/{player.number}").json()
        assert found["name"] == " ".join(f"{word[0]}." for word in player.name.replace(",", " ").split())
        word = player.name.split()[-1]
        hits = clients["anonymous"].get(f"/api/v1/players?q={word}&limit=200").json()["players"]
        assert player.number not in {one["id"] for one in hits}
    finally:
        Player.objects.filter(id=player.id).update(withheld=False)
