"""Clauses of practice, as an officer types them: dated facts, floors, titles held, options of the 1996 report."""

from __future__ import annotations

import json
from datetime import date

import pytest
from simulated import OFFICER, accept, data, document, officers, rated

from crosstable.cli import main
from crosstable.office import players
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import RatingRow
from crosstable.office.lists.models import TitleNorm
from crosstable.office.reports import accepting

ADA, BEN = "30000001", "30000002"


def shell(capsys: pytest.CaptureFixture[str], url: str, *words: str) -> str:
    assert main(["office", "--db", url, *words]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_a_fact_holds_from_the_day_that_is_typed(office: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Readings 25: adult from 1 June on; who starts before that day, without a birth date, starts at 750 (2025 section
    2.3).
    """
    office_settings.create()
    players.add(OFFICER, BEN, name="Ben")
    shell(capsys, office, "players", "change", BEN, "--adult", "--from", "2025-06-01", "--reason", "said so")
    for month, start in ((5, 750.0), (7, 1300.0)):
        games = [(1, 1, 2, "1-0")]
        number = accept(document(f"Open {month}", date(2025, month, 3), [ADA, BEN], games, facts={ADA: rated(1500)}))
        row = RatingRow.objects.get(section__event__number=number, player__number=BEN, pool="OTBR")
        assert row.prior == start
        accepting.withdraw(OFFICER, number, "only to see")


def test_money_floors_and_lowered_floors_are_typed(office: str, capsys: pytest.CaptureFixture[str]) -> None:
    """2025 section 7, "money floors": Ben is lifted to 1900; then his floor is lowered from there to 1750."""
    office_settings.create()
    games = [(1, 1, 2, "1/2-1/2")]
    facts = {ADA: rated(1700), BEN: rated(1700)}
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], games, control="G/120;d5", facts=facts))
    officers()
    for day, words, floor in (
        ("2025-02-01", ("--prize-floor", "1900"), {"rating": 1900.0, "reason": "set by a cash prize"}),
        ("2025-03-01", ("--lowered-floor", "1750"), {"rating": 1750.0, "reason": "lowered on request"}),
        ("2025-04-01", ("--no-lowered-floor", "--no-prize-floor"), {"rating": 1700.0, "reason": "earned by 1900"}),
    ):
        out = shell(
            capsys, office, "--as", "olga", "adjust", BEN, "OTBR", "--on", day, *words, "--reason", "x", "--json"
        )
        shell(capsys, office, "--as", "boris", "approve", str(json.loads(out)["proposal"]))
        assert players.show(BEN)["ratings"]["OTBR"]["floor"] == floor
    assert players.show(BEN)["ratings"]["OTBR"]["rating"] == 1900.0  # what a floor lifted stays lifted


@pytest.mark.parametrize(
    ("option", "k"),
    [
        ("", 600 / 16),  # section 4.3: R = 800 on N = 40 counts as N* = max(8, 0.02 R) = 16; m = 1: 600/(N* + m - 1)
        (":k=4.2", 32),  # 40 + 1 games are over 20
        (":k=800", 32),
        (":floors=none", 600 / 16),
    ],
)
def test_an_office_keeps_the_options_of_the_1996_report(
    office: str, capsys: pytest.CaptureFixture[str], option: str, k: float
) -> None:
    """1996 section 4: 800 on 40 games beats 800: K(1 - 0.5)."""
    shell(capsys, office, "init", "--system", f"uscf_1996{option}", "--titles", "none")
    facts = {who: {"ratings": {"USCF": {"rating": 800.0, "games": 40}}} for who in (ADA, BEN)}
    number = accept(document("Open", date(1997, 9, 7), [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120", facts=facts))
    row = RatingRow.objects.get(section__event__number=number, player__number=ADA)
    assert row.post == pytest.approx(800 + k / 2)


def test_norms_held_are_shown_from_the_shell(office: str, capsys: pytest.CaptureFixture[str]) -> None:
    """1996 section 5.2: 4-0 against 1500 exceeds a 1400 player's 4 x 0.36 by 2.56 >= 1.142 x 2 and < 1.343 x 2: four
    norms.
    """
    shell(capsys, office, "init", "--titles", "1996")
    people = [ADA, *(f"3000001{number}" for number in range(4))]
    facts = {one: rated(1500) for one in people}
    games = [(number, 1, number + 1, "1-0") for number in range(1, 5)]
    accept(document("Open", date(2025, 1, 4), people, games, control="G/120;d5", facts=facts))
    assert main(["titles", "player", ADA, "--db", office, "--on", "2025-02-01", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (held,) = [one for one in told["open"] if one["level"] == 1400]
    assert (held["norms"], held["held"][0]["expires"]) == (4, "2028-01-04")  # section 5.5: three years
    assert main(["titles", "player", ADA, "--db", office, "--on", "2025-02-01"]) == 0
    assert "until 2028-01-04" in capsys.readouterr().out
    assert "Category III" in shell(capsys, office, "players", "show", ADA)


def test_an_officer_marks_a_supernorm_event(office: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Readings 45: 4-0 against the own rating is 2 points over 2, which is more than 0.910 x 2: three norms."""
    shell(capsys, office, "init", "--titles", "1996")
    people = [ADA, *(f"3000001{number}" for number in range(4))]
    facts = {one: rated(2200) for one in people}
    games = [(number, 1, number + 1, "1-0") for number in range(1, 5)]
    number = accept(document("Texas Open", date(2025, 1, 4), people, games, control="G/120;d5", facts=facts))

    def marks() -> set[bool]:
        return set(TitleNorm.objects.filter(player_id=players.find(ADA).id).values_list("supernorm", flat=True))

    assert marks() == {False}
    shell(capsys, office, "correct", number, "--supernorm", "yes", "--reason", "on the list of the year")
    assert marks() == {True}
    assert main(["office", "--db", office, "correct", number, "--supernorm", "yes"]) == 1
    assert "already says so" in capsys.readouterr().err
    shell(capsys, office, "correct", number, "--supernorm", "no", "--section", "1", "--reason", "not after all")
    assert marks() == {False}
    renamed = document("World Open", date(2025, 1, 4), people, games, control="G/120;d5", facts=facts)
    other = accept({**renamed, "name": "Ohio Open", "start": "2025-01-05", "end": "2025-01-05"})
    accepting.correct(OFFICER, other, data({**renamed, "start": "2025-01-05", "end": "2025-01-05"}), "e.json", "a name")
    assert sorted(TitleNorm.objects.filter(player_id=players.find(ADA).id).values_list("supernorm", flat=True)) == [
        False,
        True,
    ]
    assert main(["office", "--db", office, "correct", number, "--supernorm", "no", "--section", "2"]) == 1
    assert "has no section 2" in capsys.readouterr().err


def test_age_counts_to_the_events_end_in_the_office_too(office: str) -> None:
    """Readings 27: born 2016-01-01, the event ends on 2026-01-01: 50 x 3653/365.25, not the 475 of the section's
    end.
    """
    office_settings.create()
    facts = {ADA: {"birth_date": "2016-01-01"}, BEN: rated(1000)}
    content = document(
        "League",
        date(2025, 7, 2),
        [ADA, BEN],
        [(1, 1, 2, "1-0")],
        end=date(2026, 1, 1),
        control="G/120;d5",
        facts=facts,
    )
    content["sections"][0] |= {"start": "2025-07-02", "end": "2025-07-02"}
    row = RatingRow.objects.get(section__event__number=accept(content), player__number=ADA)
    assert row.prior == pytest.approx(50 * 3653 / 365.25)
