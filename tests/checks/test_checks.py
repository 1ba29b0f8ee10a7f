"""The checks against each other: a clean event is silent, order and limits hold, and nothing depends on a rating list
that is not there.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from crosstable import checks
from crosstable.checks.names import same_name
from crosstable.formats.fields import one_edit_apart
from crosstable.formats.rating_lists import ListedPlayer
from crosstable.model import Event, Game, Level, Player, Rating, Section

DAY = date(2025, 8, 2)


def player(number: int, rating: float = 1500) -> Player:
    return Player(number, f"1234567{number}", f"Player {number}", ratings={"OTBR": Rating(rating, 40)})


def event(players: list[Player], games: list[Game], **more: object) -> Event:
    section = Section(1, "Open", DAY, DAY, tuple(players), tuple(games), time_control="G/60;d5")
    return Event("Riverside Open", DAY, DAY, (replace(section, **more),), "Dayton", "OH", "USA", "A6012345", "12345678")


CLEAN = event([player(1), player(2, 1450), player(3, 1400)], [Game(1, 1, 2, "1-0"), Game(2, 3, 1, "1/2-1/2")])


def codes(of: Event, **more: object) -> set[str]:
    return {finding.code for finding in checks.check(of, **more)}


def test_a_clean_event_is_silent() -> None:
    assert checks.check(CLEAN) == []


def test_errors_come_first() -> None:
    levels = [finding.level for finding in checks.check(replace(CLEAN, name="", city="", end=date(2025, 8, 1)))]
    assert levels == sorted(levels, key=[Level.ERROR, Level.WARNING, Level.NOTICE].index)
    assert levels[0] is Level.ERROR


@pytest.mark.parametrize(("gap", "odd"), [(798, False), (799, True)])
def test_improbable_is_under_one_percent(gap: int, odd: bool) -> None:
    """1 / (1 + 10^(798/400)) = 0.01002, 1 / (1 + 10^(799/400)) = 0.00996."""
    upset = event([player(1, 1200 + gap), player(2, 1200)], [Game(1, 1, 2, "0-1")])
    assert ("improbable-result" in codes(upset)) is odd


@pytest.mark.parametrize(("rating", "odd"), [(1899, False), (1900, True)])
def test_a_performance_600_below(rating: int, odd: bool) -> None:
    """Three losses against 1700: 1700 − 400 = 1300, which is 600 below 1900."""
    players = [player(1, rating), *(player(n, 1700) for n in (2, 3, 4))]
    low = event(players, [Game(n - 1, 1, n, "0-1") for n in (2, 3, 4)])
    assert ("low-performance" in codes(low)) is odd


@pytest.mark.parametrize(("day", "late"), [(date(2025, 8, 12), False), (date(2025, 8, 13), True)])
def test_late_is_more_than_ten_days(day: date, late: bool) -> None:
    assert ("late-report" in codes(CLEAN, received=day)) is late


@pytest.mark.parametrize(("high", "swapped"), [(1900, True), (1520, False)])
def test_swapped_ids_by_results(high: float, swapped: bool) -> None:
    """1 stands high and makes two of four against 1100s, 2 stands at 1100 and makes two of four against the high ones.

    With the other's rating every game is even. From 1900 a loss to 1100 has 1 chance in 101: 0.5 / 0.0099 = 50.5 times
    as likely, a win 0.5 / 0.9901 = 0.505 times; (50.5 × 0.505)^4 = 423,000. From 1520: (6.1 × 0.545)^4 = 122, which
    happens.
    """
    field = [player(1, high), player(2, 1100), *(player(n, high) for n in (3, 4)), *(player(n, 1100) for n in (5, 6))]
    results = [("1-0", 1), ("0-1", 2), ("1-0", 3), ("0-1", 4)]
    games = [Game(turn, 1, 5 + turn % 2, result) for result, turn in results]
    games += [Game(turn, 2, 3 + turn % 2, result) for result, turn in results]
    assert ("swapped-ids" in codes(event(field, games))) is swapped


def test_swapped_ids_by_the_list() -> None:
    names = {1: "ANN SMITH", 2: "BOB JONES", 3: "CY ZED"}
    players = [replace(player(n), name=names[n].title()) for n in (2, 1, 3)]
    swapped = event([replace(p, number=place) for place, p in enumerate(players, start=1)], [Game(1, 1, 2, "1-0")])
    members = {
        f"1234567{n}": ListedPlayer(f"1234567{n}", name)
        for n, name in {1: "BOB JONES", 2: "ANN SMITH", 3: "CY ZED"}.items()
    }
    assert {"swapped-ids", "name-differs"} <= codes(swapped, members=members)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Müller, Jörg", "JORG MULLER", True),
        ("A. Smith", "SMITH, ALAN", True),
        ("Bo Jones", "Ann Smith", False),
        ("", "X Y", True),
        ("Patrick O'Brien", "Igor Webb", False),
        ("P. Obrien", "O'Brien, Patrick", True),  # the mark of a name is no letter
        ("Bob Neuman", "Newman, Robert", True),  # a nickname, and one letter
        ("Bo Wang", "Li Wong", False),  # of short names one letter makes another name
        ("John Smith Jr", "Igor Webb Jr.", False),  # "Jr" is nobody's name
        ("Ana de la Cruz", "Rui de Souza", False),
    ],
)
def test_names(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same
    assert same_name(other, one) is same


@pytest.mark.parametrize(
    ("other", "apart"),
    [
        ("neuman", True),
        ("newmann", True),
        ("ewman", True),
        ("nwema", False),
        ("enwman", True),
        ("newman", False),
        ("nemwan", True),
        ("neumann", False),
    ],
)
def test_one_letter_of_a_name(other: str, apart: bool) -> None:
    assert one_edit_apart("newman", other) is apart
    assert one_edit_apart(other, "newman") is apart


def test_a_round_robin_by_columns_has_no_double_rounds() -> None:
    games = [Game(2, 1, 2, "1-0"), Game(3, 1, 3, "1-0"), Game(3, 2, 3, "1-0")]
    players = [player(n) for n in (1, 2, 3)]
    assert "two-games-in-round" in codes(event(players, games))
    assert "two-games-in-round" not in codes(event(players, games, kind="round-robin"))


def test_nobodys_birth_date_is_in_a_finding() -> None:
    players = [replace(player(n), birth_date=date(1899 + n, 3, 4)) for n in (1, 2, 3)]
    text = " ".join(str(finding) for finding in checks.check(event(players, [Game(1, 1, 2, "1-0")])))
    assert "improbable-age" in text
    assert "1900" not in text


def test_fide_numbers_in_the_united_states() -> None:
    """A TRF gives FIDE ratings and FIDE numbers, which are no wrong US Chess IDs."""
    ada = replace(player(1), id="2501171")
    fide = [replace(p, ratings={"FIDE": Rating(2100)}) for p in (ada, player(2))]
    games = [Game(1, 1, 2, "1-0")]
    assert "id-format" in codes(replace(event([ada, player(2)], games), country="USA"))
    assert "id-format" not in codes(replace(event(fide, games), country="USA"))


def test_the_values_of_a_message_are_facts() -> None:
    """What the sentence quotes, a program reads from the facts: no message needs to be taken apart."""
    section = CLEAN.sections[0]
    player = section.players[0]
    wrong = replace(
        CLEAN,
        name="x" * 40,
        affiliate="A12",
        chief_td="77",
        state="QQ",
        sections=(replace(section, players=(replace(player, id="123"), *section.players[1:])), *CLEAN.sections[1:]),
    )
    found = {one.code: one.facts for one in checks.check(wrong, received=date(2030, 1, 1))}
    assert found["affiliate-id"] == {"found": "A12"}
    assert found["td-id"] == {"found": "77"}
    assert found["unknown-state"] == {"found": "QQ"}
    assert found["id-format"] == {"found": "123"}
    assert found["over-width"] == {"field": "name", "length": 40, "limit": 35}
    assert found["late-report"] == {"ended": str(CLEAN.end), "received": "2030-01-01"}
