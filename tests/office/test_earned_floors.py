"""Floors that somebody earns: by a large prize, and as a life master by games above 2200."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, accept, data, document, rated
from three_players import ADA, BEN, CAY, last

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Adjustment
from crosstable.office.reports import accepting
from crosstable.office.requests import prize_floors
from crosstable.office.requests.prize_floors import Prize


@pytest.mark.parametrize(
    ("start", "under", "money", "floor"),
    [
        (date(2016, 6, 4), 1800, 2000, None),  # over $2,000 until the 2017 edition
        (date(2016, 6, 4), 1800, 2001, 1800.0),
        (date(2025, 6, 7), 1800, 3999, None),  # $4,000 or more from it
        (date(2025, 6, 7), 1800, 4000, 1800.0),
        (date(2025, 6, 7), 1750, 4000, 1800.0),
        (date(2025, 6, 7), 2200, 9000, None),  # up to 2000 only
    ],
)
def test_prize_floors(ready: str, start: date, under: float, money: float, floor: float | None) -> None:
    facts = {ADA: rated(1790), BEN: rated(1700)}
    number = accept(document("Open", start, [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5", facts=facts))
    if floor is None:
        with pytest.raises(OfficeError, match="earns no floor"):
            prize_floors.prize_floor(OFFICER, ADA, Prize(number, 1, under, money), "first prize")
        return
    assert prize_floors.prize_floor(OFFICER, ADA, Prize(number, 1, under, money), "first prize").floor == floor
    later = date(start.year, 9, 6)
    accept(document("Next", later, [ADA, BEN], [(n, 2, 1, "1-0") for n in range(1, 9)], control="G/120;d5"))
    assert last(ADA).post == floor
    assert last(ADA).prize_floor == floor


def test_a_prize_floor_is_for_players_of_the_section(ready: str) -> None:
    """2025 §5: the money is won in the section, so a player without a game there cannot have won it."""
    facts = {ADA: rated(1790), BEN: rated(1700), CAY: rated(1700)}
    played = document("Open", date(2025, 6, 7), [ADA, BEN, CAY], [(1, 1, 2, "1-0")], control="G/120;d5", facts=facts)
    number = accept(played)
    with pytest.raises(OfficeError, match="did not play in section 1"):
        prize_floors.prize_floor(OFFICER, CAY, Prize(number, 1, 1800, 5000), "first prize")


def test_a_correction_that_removes_the_winner_takes_the_floor_away(ready: str) -> None:
    """2025 §5: Cay, not Ada, turns out to have played; with Ada back the floor of her prize is back."""
    facts = {one: rated(1690) for one in (ADA, BEN, CAY)}

    def played(winner: str) -> dict[str, Any]:
        games = [(1, 1, 2, "1-0")]
        return document("Open", date(2025, 6, 7), [winner, BEN], games, control="G/120;d5", facts=facts)

    number = accept(played(ADA))
    accept(document("Later", date(2025, 7, 5), [ADA, BEN], [(1, 1, 2, "0-1")], control="G/120;d5"))
    prize_floors.prize_floor(OFFICER, ADA, Prize(number, 1, 1800, 5000), "first prize")
    assert last(ADA).prize_floor == 1800.0
    accepting.correct(OFFICER, number, data(played(CAY)), "open.json", "another winner")
    assert last(ADA).prize_floor is None
    assert Adjustment.objects.get(kind=Adjustment.PRIZE_FLOOR).status == Adjustment.WITHDRAWN
    accepting.correct(OFFICER, number, data(played(ADA)), "open.json", "it was Ada")
    assert last(ADA).prize_floor == 1800.0


def test_life_master_games_are_counted(ready: str) -> None:
    facts = {ADA: rated(2300, games_above_2200=297), BEN: rated(2300)}
    accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN],
            [(n, 1, 2, "0-1") for n in range(1, 4)],
            control="G/120;d5",
            facts=facts,
        )
    )
    assert last(ADA).games_above_2200 == 300
    assert last(ADA).life_master
    accept(
        document(
            "Next",
            date(2025, 3, 1),
            [ADA, CAY],
            [(n, 1, 2, "0-1") for n in range(1, 30)],
            control="G/120;d5",
            facts={CAY: rated(1700)},
        )
    )
    assert last(ADA).post == 2200.0


@pytest.mark.parametrize(("under", "money"), [(float("nan"), 5000.0), (1800.0, float("inf")), (-5.0, 5000.0)])
def test_a_prize_is_given_in_numbers(ready: str, under: float, money: float) -> None:
    number = accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")]))
    with pytest.raises(OfficeError, match="as numbers"):
        prize_floors.prize_floor(OFFICER, ADA, Prize(number, 1, under, money), "won")
