"""A club's office: its own numbers from a day on, a clean slate, and a name deleted while results stay."""

from __future__ import annotations

from datetime import date

import pytest
from simulated import OFFICER, data, document

from crosstable.errors import OfficeError
from crosstable.office.audit.verify import verify
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import FormerName, Player, RatingRow
from crosstable.office.players import register
from crosstable.office.rating import states
from crosstable.office.reports import accepting, submissions
from crosstable.office.requests import club_numbers


def play(day: date, *games: tuple[int, int, int, str]) -> None:
    number = f"night-{day}"
    submissions.submit(OFFICER, data(document(number, day, ["1", "2"], list(games))), "night.json", number)
    accepting.accept(OFFICER, number)


def live() -> dict[str, tuple[float, int | None]]:
    found = states.now()
    numbers = dict(Player.objects.values_list("id", "number"))
    return {numbers[player]: (own["CLUB"].rating, own["CLUB"].games) for player, own in found.items()}


@pytest.fixture
def club(office: str) -> str:
    office_settings.create("Club", {"default": ["st_charles"]}, titles="")
    play(date(2026, 1, 5), (1, 1, 2, "1-0"))
    return office


def test_numbers_hold_from_a_day_on(club: str) -> None:
    play(date(2026, 2, 2), (1, 2, 1, "1-0"))  # 379 beats 421: 21 + 42/25 = 22.68, so 23
    assert live() == {"1": (398, 2), "2": (402, 2)}
    preview = club_numbers.set_numbers(OFFICER, date(2026, 2, 1), {"at_risk": 10}, "gentler", preview=True)
    assert preview.players == 2
    assert live()["1"] == (398, 2)
    club_numbers.set_numbers(OFFICER, date(2026, 2, 1), {"at_risk": 10}, "gentler")  # now 10 + 2
    assert live() == {"1": (409, 2), "2": (391, 2)}
    club_numbers.set_numbers(OFFICER, date(2026, 2, 1), {"start": 500}, "on the same day")
    assert office_settings.office().numbers == [{"from": "2026-02-01", "at_risk": 10, "start": 500}]


def test_wrong_numbers_change_nothing(club: str) -> None:
    with pytest.raises(OfficeError, match="floor 500 is more than start 400"):
        club_numbers.set_numbers(OFFICER, date(2026, 2, 1), {"floor": 500})
    assert office_settings.office().numbers == []


def test_a_clean_slate_starts_everybody_anew(club: str) -> None:
    assert club_numbers.clean_slate(OFFICER, date(2026, 9, 1), "a new season") == 2
    assert live() == {"1": (400, 0), "2": (400, 0)}
    play(date(2026, 9, 2), (1, 1, 2, "1/2-1/2"))
    assert live() == {"1": (400, 1), "2": (400, 1)}
    assert RatingRow.objects.filter(post=421).count() == 1  # the old season stays
    with pytest.raises(OfficeError, match="before the season's first game"):
        club_numbers.clean_slate(OFFICER, date(2026, 9, 2), "too late")


def test_a_federation_has_no_clean_slate(office: str) -> None:
    office_settings.create()
    with pytest.raises(OfficeError, match="not a club's office"):
        club_numbers.clean_slate(OFFICER, date(2026, 9, 1), "a new season")


def test_a_name_goes_and_results_stay(club: str) -> None:
    register.change(OFFICER, "1", "a name", name="Sam")
    register.change(OFFICER, "1", "with an initial", name="Sam K")
    assert FormerName.objects.exists()
    register.forget_name(OFFICER, "1", "the parents asked")
    assert Player.objects.get(number="1").name == ""
    assert not FormerName.objects.exists()
    assert live()["1"] == (421, 1)
    assert verify().ok
