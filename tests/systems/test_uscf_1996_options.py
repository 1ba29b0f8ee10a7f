"""The choices that the 1996 report leaves open, by name."""

from __future__ import annotations

from datetime import date

import pytest

from crosstable.errors import UnknownSystem
from crosstable.model import ForeignRating, Rating
from crosstable.systems import system
from crosstable.systems.uscf_1996 import floor_of
from tests.systems.events_of_1996 import DAY, event, player


@pytest.mark.parametrize(
    ("name", "k"),
    [
        ("uscf_1996", 600 / (16 + 3)),  # 4.3: R = 800 on N = 40 counts as N* = max(8, 0.02 R) = 16; m = 4
        ("uscf_1996:k=4.3", 600 / (16 + 3)),
        ("uscf_1996:k=4.2", 32),  # 40 + 4 games are over 20: below 2100 K is 32
        ("uscf_1996:k=800", 32),
    ],
)
def test_k_by_name(name: str, k: float) -> None:
    games = [(1, 2, "1-0"), (1, 3, "1-0"), (1, 4, "1-0"), (1, 5, "0-1")]
    field = [player(number, Rating(800, games=40, date=DAY)) for number in range(1, 6)]
    answers = {one.number: one for one in system(name).rate(event(field, games)).answers}
    assert answers[1].post == pytest.approx(800 + k * (3 - 2))


@pytest.mark.parametrize(("name", "k"), [("uscf_1996:k=4.2", 600 / (10 + 3)), ("uscf_1996:k=800", 800 / (10 + 4))])
def test_k_of_a_provisional_player_by_name(name: str, k: float) -> None:
    """4.2: 600/(N+m-1), or 800/(N+m), with N = 10 and m = 4."""
    games = [(1, 2, "1-0"), (1, 3, "1-0"), (1, 4, "1-0"), (1, 5, "0-1")]
    newer = Rating(1500, games=10, date=DAY, wins=4, draws=2, losses=4)
    field = [player(1, newer), *(player(number, Rating(1500, games=40, date=DAY)) for number in range(2, 6))]
    answers = {one.number: one for one in system(name).rate(event(field, games)).answers}
    assert answers[1].values["k"] == pytest.approx(k)


def test_other_options_by_name() -> None:
    abroad = player(1, fide=ForeignRating(2200))
    opponents = [player(number, Rating(1800, games=40, date=DAY)) for number in range(2, 7)]
    won = [(1, number, "1-0") for number in range(2, 7)]
    entered, only_met = (
        {one.number: one for one in system(f"uscf_1996{option}").rate(event([abroad, *opponents], won)).answers}[1]
        for option in ("", ":convert=opponents")
    )
    assert entered.values["formula"] != only_met.values["formula"] == "nominal"  # only wins, and no rating before
    at_once = system("uscf_1996:carry=no").rate(event([player(1), *opponents], won)).answers[0]
    assert (at_once.values["formula"], at_once.state.pending) == ("first rating", ())


def test_floors_by_name() -> None:
    """The motion: a peak of 1705 has a floor of 1500. A schedule drops it to 1400, then abolishes it."""
    motion, none = system("uscf_1996"), system("uscf_1996:floors=none")
    gradual = system("uscf_1996:floors=1997-01-01/300,1998-01-01/none,k=4.2")
    assert gradual.name == "uscf_1996:floors=1997-01-01/300,1998-01-01/none,k=4.2"
    days = (DAY, date(1997, 6, 1), date(1998, 1, 1))
    floors = [[floor_of(one.rules(day)["floor"], 1705) for day in days] for one in (motion, none, gradual)]
    assert floors == [[1500, 1500, 1500], [0, 0, 0], [1500, 1400, 0]]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("uscf_1997", "no rating system 'uscf_1997': there are us_chess, uscf_1996"),
        ("uscf_1996:q=1", "uscf_1996 has no option 'q': there are k=4.3 or 4.2 or 800"),
        ("uscf_1996:k=5", "uscf_1996 has no k=5: give k=4.3 or 4.2 or 800"),
        ("uscf_1996:k", "write NAME:option=value"),
        ("uscf_1996:k=4.2,k=800", "says k twice"),
        ("uscf_1996:carry=perhaps", "give carry=yes or no"),
        ("uscf_1996:floors=1998-01-01/300,1997-01-01/none", "give floors=none, or DATE/POINTS"),
        ("uscf_1996:floors=1990-01-01/300", "give floors=none, or DATE/POINTS"),
        ("us_chess:k=32", "us_chess has no option 'k': there are none"),
        ("elo:k=-3", "give k=a number"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(name: str, says: str) -> None:
    with pytest.raises(UnknownSystem, match=says):
        system(name)
