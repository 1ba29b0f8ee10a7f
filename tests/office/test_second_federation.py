"""A system of another package (tests/systems/second_federation) in an office: rated, explained, listed, rated anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar

import pytest
from django.test import Client
from simulated import OFFICER, data, document, officers
from tests.derivations import shown_steps
from tests.systems.second_federation import River
from tests.web.test_federations import FOREIGN, pages

from crosstable.cli import main
from crosstable.errors import OfficeError, UnknownSystem
from crosstable.model import Answer, Finding
from crosstable.model.derivation import Step
from crosstable.model.values import Number
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Player
from crosstable.office.lists import read
from crosstable.office.rating import run, states
from crosstable.office.rating.trace import trace
from crosstable.office.reports import accepting, submissions
from crosstable.office.requests import list_publication, registry
from crosstable.rulebook import Rules
from crosstable.systems import SYSTEMS
from crosstable.systems.field import SectionPlayers


@pytest.fixture
def river(office: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(SYSTEMS, "river", "tests.systems.second_federation")
    return office


def play(number: str, day: date, result: str) -> None:
    submissions.submit(OFFICER, data(document(number, day, ["1", "2"], [(1, 1, 2, result)])), "e.json", number)
    accepting.accept(OFFICER, number)


def live() -> dict[str, float]:
    numbers = dict(Player.objects.values_list("id", "number"))
    return {numbers[player]: own["RIVER"].rating for player, own in states.now().items()}


def test_it_is_kept_explained_and_rated_anew(river: str) -> None:
    office_settings.create("River", {"default": ["river"]}, titles="")
    play("first", date(2025, 6, 1), "1-0")  # 10 points for a win until July, then 20
    play("second", date(2025, 8, 1), "1-0")
    assert live() == {"1": 1030, "2": 970}
    play("between", date(2025, 6, 15), "0-1")  # a late report: what followed is rated again
    assert live() == {"1": 1020, "2": 980}
    answer = trace("second", 1, "1", "RIVER")
    assert [(step.text, step.rule) for step in shown_steps(answer)] == [("1000 +20 = 1020", "points")]
    before = run.fingerprint()
    assert run.compute(run.BEGINNING).nothing
    assert run.fingerprint() == before


def test_it_is_listed(river: str) -> None:
    office_settings.create("River", {"default": ["river"]}, titles="")
    play("first", date(2025, 6, 1), "1-0")
    first, second = officers()
    registry.approve(second, list_publication.propose(first, date(2025, 7, 1), "monthly list").id)
    rows = list(read.rows(read.find(date(2025, 7, 1)), "RIVER"))
    assert sorted((row["id"], row["rating"]) for row in rows) == [("1", 1010), ("2", 990)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentStep(Step):
    """A kind of step that only this federation has."""

    kind: ClassVar[str] = "current"
    main: ClassVar[str] = "speed"

    speed: Number


@dataclass(frozen=True)
class RiverWithCurrent(River):
    """The same system with one more step."""

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        answers, findings = super().rate_field(field, rules)
        return [replace(one, derivation=(CurrentStep(speed=3.5), *one.derivation)) for one in answers], findings


WITH_CURRENT = RiverWithCurrent()


def test_a_step_of_its_own_is_on_the_page_in_the_terminal_and_in_the_api(
    office: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(SYSTEMS, "river", f"{__name__}:WITH_CURRENT")
    office_settings.create("River", {"default": ["river"]}, titles="")
    play("first", date(2025, 6, 1), "1-0")
    client = Client(headers={"host": "localhost"})
    page = client.get("/events/first/1/1/RIVER/").content.decode()
    api = client.get("/api/v1/events/first/sections/1/1/RIVER").json()
    assert "Current" in page
    assert "speed 3.5" in page.lower()
    step = api["derivation"][0]
    assert (step["kind"], step["text"], step["speed"]) == ("current", "speed 3.5.", 3.5)
    assert main(["office", "--db", office, "trace", "first", "1", "1", "RIVER"]) == 0
    assert "Current: speed 3.5." in capsys.readouterr().out


def test_an_option_in_the_name_stays_with_the_office(river: str) -> None:
    office_settings.create("River", {"default": ["river:k=3"]}, titles="")
    play("first", date(2025, 6, 1), "1-0")
    assert live() == {"1": 1003, "2": 997}


def test_an_unknown_option_is_refused(river: str) -> None:
    with pytest.raises(UnknownSystem, match="river has no option 'q': there are k=a number"):
        office_settings.create("River", {"default": ["river:q=3"]})


def test_two_systems_cannot_keep_the_same_pool(river: str) -> None:
    with pytest.raises(OfficeError, match="both write 'RIVER' ratings"):
        office_settings.create("River", {"default": ["river"], "match": ["river:k=3"]})


def test_every_public_page_opens_and_none_speaks_of_another_federation(river: str) -> None:
    """The walk that the offices of our own profiles are given."""
    office_settings.create("River", {"default": ["river"]}, titles="")
    play("first", date(2025, 6, 1), "1-0")
    play("second", date(2025, 8, 1), "1-0")
    first, second = officers()
    registry.approve(second, list_publication.propose(first, date(2025, 9, 1), "monthly list").id)
    walked = dict(pages(Client(SERVER_NAME="localhost")))
    shapes = {
        "/players/1/",
        "/players/1/RIVER/",
        "/events/first/1/",
        "/lists/2025-09-01/RIVER/",
        "/rules/",
        "/estimate/",
    }
    assert shapes - walked.keys() == set()
    assert [address for address, words in walked.items() if FOREIGN.search(words)] == []
