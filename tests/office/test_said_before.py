"""A table of results that corrects an event need not repeat what was said when the event came in."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from crosstable.cli import main
from crosstable.office.ledger.models import Event
from crosstable.office.people.rights import Actor, Role
from crosstable.office.reports.events import document
from crosstable.office.requests import corrections
from crosstable.words.differences import difference

SAID = [
    "--date",
    "8/16/2025",
    "--time-control",
    "G/60;d5",
    "--city",
    "Dayton",
    "--state",
    "OH",
    "--affiliate",
    "A6012345",
    "--chief-td",
    "12345678",
]
PLAYERS = ("Ava Stone", "Ben Cole", "Cy Zed", "Dee Fox")


def _quad(result: str) -> str:
    """Two rounds of four players; `result` of number 1 against number 2 in the first."""
    other = {"W": "L", "L": "W"}[result]
    rounds = (f"{result}2,W3", f"{other}1,W4", "W4,L1", "L3,L2")
    rows = [
        f"{n},3123456{n},{name},{1500 + n},{cells}"
        for n, (name, cells) in enumerate(zip(PLAYERS, rounds, strict=True), 1)
    ]
    return "\n".join(["No,ID,Name,Rating,Rnd 1,Rnd 2", *rows])


@pytest.fixture
def folder(office: str, tmp_path: Path) -> Path:
    """An office with a quad that waits: its file says who played, the sender said the rest."""
    from crosstable.office.ledger import office_settings

    office_settings.create()
    for name, result in (("first", "W"), ("second", "L")):
        (tmp_path / f"{name}.csv").write_text(_quad(result))
    submit = ["submit", str(tmp_path / "first.csv"), "--id", "Q1", "--name", "Autumn Quad", *SAID]
    assert main(["office", "--db", office, *submit]) == 0
    return tmp_path


def _correct(office: str, file: Path, *more: str) -> int:
    return main(["office", "--db", office, "correct", "Q1", str(file), "--reason", "a result", *more])


@pytest.mark.parametrize("accepted", [False, True])
def test_what_was_said_stays_where_the_new_file_is_silent(
    office: str, folder: Path, capsys: pytest.CaptureFixture[str], *, accepted: bool
) -> None:
    if accepted:
        assert main(["office", "--db", office, "accept", "Q1"]) == 0
    capsys.readouterr()
    assert _correct(office, folder / "second.csv") == 0
    said = capsys.readouterr().out
    row, event = Event.objects.get(number="Q1"), document("Q1")
    assert (row.name, row.city, row.state) == ("Autumn Quad", "Dayton", "OH")
    assert (event.affiliate, event.chief_td) == ("A6012345", "12345678")
    assert event.start == event.sections[0].start == date(2025, 8, 16)
    assert event.sections[0].time_control == "G/60;d5"
    assert event.sections[0].games[0].result == "0-1"
    words = (
        "Kept from the earlier version, because the new file does not give them: name Autumn Quad, city Dayton, state"
        " OH, affiliate A6012345, chief director 12345678, date 16 August 2025, time control G/60;d5.\n"
    )
    assert words in said
    assert ("now `office accept Q1`" in said) is not accepted


def test_what_is_said_anew_counts(office: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the file or by whoever sends it: a Quad in Springfield, a week later, with another time control."""
    new = folder / "second.csv"
    new.write_text(f"City,Springfield\n{new.read_text()}")
    assert _correct(office, new, "--name", "Late Quad", "--date", "8/23/2025", "--time-control", "G/30;d5") == 0
    event = document("Q1")
    assert (event.name, event.city, event.state) == ("Late Quad", "Springfield", "OH")
    assert (event.start, event.sections[0].time_control) == (date(2025, 8, 23), "G/30;d5")
    assert "does not give them: state OH, affiliate A6012345, chief director 12345678.\n" in capsys.readouterr().out


def test_a_correction_that_is_asked_for_keeps_it_too(office: str, folder: Path) -> None:
    officer = Actor("olga", Role.OFFICER)
    found = corrections.asked_differences(officer, "Q1", (folder / "second.csv").read_bytes(), "second.csv")
    assert [difference(one).where for one in found] == ["Round 1"]
