"""An office that rates every section by two systems: both on the player page, one chart for both, a list for each."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client

from crosstable import federations
from crosstable import office as the_office
from crosstable.federations import ReportFacts
from crosstable.office.example.federation import make
from crosstable.office.ledger.models import Player
from crosstable.office.lists.models import ListRow, PublishedList
from crosstable.office.rating import states
from crosstable.web import static_files
from tests.conftest import made_once
from tests.web.conftest import speaking_to

TODAY = date(2026, 3, 18)
BOTH = {"default": ("us_chess", "glicko")}


@pytest.fixture(scope="module")
def url(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    def fill(path: Path) -> None:
        shutil.copyfile(migrated, path)
        the_office.setup(f"sqlite:///{path}")
        league = replace(federations.federation("glicko_league"), report=ReportFacts(time_control=True))
        make(federations.with_systems(league, BOTH), TODAY)
        connections.close_all()

    static_files.collect()
    return f"sqlite:///{made_once(tmp_path_factory, 'two-systems.db', fill)}"


@pytest.fixture
def pages(url: str) -> Iterator[Client]:
    with speaking_to(url):
        yield Client(SERVER_NAME="localhost")


def words(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_the_player_page_has_both_and_a_chart_that_compares_them(pages: Client) -> None:
    """A line for each pool, with the last number at its end: the main pool's, and Glicko's beside it."""
    row = Player.objects.order_by("number")[0]
    held = states.now([row.id])[row.id]
    assert {"OTBR", "GLICKO"} <= set(held)
    regular, glicko = round(held["OTBR"].rating), round(held["GLICKO"].rating)
    text = words(pages, f"/players/{row.number}/")
    assert re.search(rf"Regular \d+ games {regular} {regular} ", text)
    assert re.search(rf"Glicko \d+ games {glicko} {glicko} ±", text)
    drawn = pages.get(f"/players/{row.number}/").content.decode()
    for size in ("broad", "narrow"):
        (drawing,) = re.findall(rf"<svg[^>]*\b{size}\b.*?</svg>", drawn, re.DOTALL)
        assert drawing.count('<path class="live"') == 1
        assert drawing.count('<path class="other"') == len(held) - 1
        assert str(regular) in drawing
    (wide,) = re.findall(r"<svg[^>]*\bbroad\b.*?</svg>", drawn, re.DOTALL)
    assert f"Glicko {glicko}" in " ".join(re.sub(r"<[^>]*>", " ", wide).split())


def test_there_is_a_list_for_each_system(pages: Client) -> None:
    (day,) = PublishedList.objects.values_list("date", flat=True)
    index = pages.get("/lists/").content.decode()
    for pool, title in (("OTBR", "Regular"), ("OTBQ", "Quick"), ("OTBB", "Blitz"), ("GLICKO", "Glicko")):
        assert f'href="/lists/{day}/{pool}/"' in index
        listed = ListRow.objects.filter(pool=pool).exclude(rating=None).order_by("-rating")
        text = words(pages, f"/lists/{day}/{pool}/")
        assert text.startswith(f"{title} ratings, 1 March 2026")
        assert f"1 {listed[0].name}" in text
        assert f" {listed[0].rating:.0f} " in text


def test_each_pool_of_a_player_has_its_page(pages: Client) -> None:
    number = Player.objects.order_by("number")[0].number
    assert words(pages, f"/players/{number}/GLICKO/").startswith("Omar Ortega")
    assert words(pages, f"/players/{number}/OTBR/").startswith("Omar Ortega")


def test_an_office_that_is_known_by_its_two_systems_shows_the_deviation() -> None:
    """US Chess alone shows none; of a Glicko rating it is half of what there is to know."""
    assert not federations.for_systems({"default": ["us_chess"]}).shows.deviation
    both = federations.for_systems(BOTH)
    assert both.us_chess
    assert both.shows.deviation
    assert both.shows.floor
