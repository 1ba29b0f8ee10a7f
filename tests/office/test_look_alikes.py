"""At review the office says who of a report may be somebody whom it knows, and whose ratings it takes from the file."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from crosstable import office as desk
from crosstable.cli import main
from crosstable.model import Rating
from crosstable.office.people.rights import Actor, Role
from crosstable.office.players.similar_players import look_alikes

OFFICER = Actor("olga", Role.OFFICER)
FILE = """\
No,ID,Name,Rating,Rnd 1,Rnd 2
1,99900011,Anjali Rao,1500,W2,W3
2,99900012,Peter Kowalski,1450,L1,W4
3,31234567,Ava Stone,1400,W4,L1
4,99900014,Zoe Adams,1300,L3,L2
"""


@pytest.fixture
def ledger(office: str) -> str:
    from crosstable.office.ledger import office_settings

    office_settings.create()
    for number, name in (("15233410", "Rao, Anjali"), ("15233411", "Kowalski, Pete"), ("15233412", "Rao, Vikram")):
        desk.players.add(OFFICER, number, name=name)
    brings = {"OTBR": Rating(1400.0, 18, date(2025, 7, 1))}
    desk.players.add(OFFICER, "31234567", "transfer", brings=brings, name="Stone, Ava")
    return office


def _said(ledger: str, folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    (folder / "quad.csv").write_text(FILE)
    said = ["--date", "8/16/2025", "--time-control", "G/60;d5", "--name", "Quad"]
    assert main(["office", "--db", ledger, "submit", str(folder / "quad.csv"), "--id", "Q1", *said]) == 0
    if words:
        capsys.readouterr()
        assert main(["office", "--db", ledger, *words]) == 0
    return capsys.readouterr().err


def test_review_names_whom_a_newcomer_looks_like(
    ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = _said(ledger, tmp_path, capsys, "review", "Q1")
    assert "Anjali Rao (99900011): looks like Rao, Anjali (15233410)." in said
    assert "Peter Kowalski (99900012): looks like Kowalski, Pete (15233411)." in said
    assert said.count("looks like") == 2
    assert "not in the register yet." in said


def test_only_newcomers_are_taken_as_established(
    ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ava Stone's 18 games are in the register, and are used."""
    said = _said(ledger, tmp_path, capsys)
    assert "count as established (26 games): Anjali Rao; Peter Kowalski; Zoe Adams" in said


def test_a_last_name_with_one_letter_wrong_is_a_look_alike(ledger: str) -> None:
    """Kowalsky for Kowalski; a short name with another letter is another name, and so is another first name."""
    from crosstable.office.players.similar_players import look_alikes

    new = {"1": "Pete Kowalsky", "2": "Kovalski, Pete", "3": "Anjali Rai", "4": "Anna Kowalsky", "5": "Pete Kowlaski"}
    pete = [("15233411", "Kowalski, Pete")]
    assert look_alikes(new) == {"1": pete, "2": pete, "5": pete}


def test_the_register_is_searched_for_a_misspelt_last_name_where_it_has_no_other(ledger: str) -> None:
    from crosstable.office.reports.candidates import by_name

    found = by_name(["Pete Kowalsky", "Rao, Anjali", "Kowalsky, Anna"])
    assert {name: [one.id for one in people] for name, people in found.items()} == {
        "Pete Kowalsky": ["15233411"],
        "Rao, Anjali": ["15233410"],
    }


def test_a_newcomer_without_the_middle_initial_looks_like_who_has_it(ledger: str) -> None:
    desk.players.add(OFFICER, "15233413", name="Lee, Ann M")
    assert look_alikes({"1": "Ann Lee", "2": "Ann B Lee", "3": "Ann M. Lee", "4": "A Lee"}) == {
        "1": [("15233413", "Lee, Ann M")],
        "3": [("15233413", "Lee, Ann M")],
    }
