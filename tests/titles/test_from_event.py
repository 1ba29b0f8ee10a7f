"""Event documents as title systems see them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from crosstable.errors import EventRejected
from crosstable.model import Event, ForeignRating, Game, Player, Rating, Section
from crosstable.titles.from_event import results, rounds_of, strength, system_of

DAY = date(2012, 9, 1)


def section(**more: object) -> Section:
    players = (
        Player(1, "a", ratings={"OTBR": Rating(1800, games=100)}),
        Player(2, "b", fide=ForeignRating(2250)),
        Player(3, "c", adult=True),
        Player(4, "a", ratings={"OTBR": Rating(1800, games=100)}),  # a re-entry
    )
    games = (
        Game(1, 1, 2, "1-0"),
        Game(2, 4, 3, "1/2-1/2"),
        Game(3, 1, 3, "+/-"),
        Game(4, 2, 3, "0-1"),
    )
    fields = {"mode": "otb", "kind": "swiss", **more}
    return Section(1, "Open", DAY, DAY, players, games, **fields)


def test_one_record_per_person_with_imputed_opponents() -> None:
    """FIDE 2250 is 2282 by table 1; an adult without a rating 1300; the forfeit is no game."""
    found = {
        item.player.id: item for item in results(Event("E", DAY, DAY, (section(supernorm=True),)), {(1, 2): 2290.0})
    }
    own = found["a"].record
    assert (found["a"].number, own.score, own.rounds, own.supernorm) == (1, 1.5, 4, True)
    assert [(met.pre, met.post, met.id) for met in own.opponents] == [(2282, 2290, "b"), (1300, None, "c")]


def test_a_rating_goes_before_a_conversion() -> None:
    both = Player(1, "a", ratings={"OTBR": Rating(2200)}, fide=ForeignRating(2250))
    assert strength(both, DAY) == 2200
    assert strength(replace(both, ratings={"OTBR": Rating(2200), "USCF": Rating(2210)}), DAY) == 2210
    assert strength(Player(1, "a", birth_date=date(1986, 9, 1)), date(1990, 9, 1)) < 1300


@pytest.mark.parametrize(
    ("control", "mode", "expected"),
    [
        (None, "otb", "regular"),
        ("G/90", "otb", "regular"),
        ("G/30;d5", "otb", "regular"),  # dual
        ("G/15", "otb", "quick"),
        ("as usual", "otb", "regular"),
    ],
)
def test_regular_or_not(control: str | None, mode: str, expected: str) -> None:
    assert system_of(section(time_control=control, mode=mode), DAY) == expected
    assert system_of(section(time_control="G/5;d0"), date(2014, 1, 1)) == "blitz"


def test_a_round_robin_counts_games_not_columns() -> None:
    columns = replace(
        section(kind="round-robin"), games=tuple(Game(b, a, b, "1-0") for a in (1, 2, 3) for b in range(a + 1, 5))
    )
    assert rounds_of(columns) == 3
    assert rounds_of(replace(columns, kind="swiss")) == 4


def test_a_broken_event_is_refused_with_findings() -> None:
    with pytest.raises(EventRejected, match="date is missing"):
        results(Event("E", None, None, (replace(section(), start=None, end=None),)))


def test_grand_prix_points_and_the_name_make_supernorms() -> None:
    """5.3: 20 guaranteed Grand Prix points, as the report of the section states them, or an event on the list."""
    event = Event("Big Weekend", DAY, DAY, (section(),))
    noted = replace(event, sections=(replace(section(), notes={"grand_prix_points": "020"}),))
    few = replace(event, sections=(replace(section(), notes={"grand_prix_points": "19"}),))
    named = replace(event, name="97th US Open")
    assert [results(one)[0].record.supernorm for one in (event, noted, few, named)] == [False, True, False, True]
