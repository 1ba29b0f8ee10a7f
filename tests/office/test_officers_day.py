"""Small things that an officer and a director do: a player with a rating, a file taken back, a list as a workbook."""

from __future__ import annotations

import io
import json
import re
from datetime import UTC, date, datetime
from pathlib import Path

import openpyxl
import pytest

from crosstable import office as desk
from crosstable.cli import main
from crosstable.errors import OfficeError
from crosstable.model import Rating
from crosstable.office.ledger.models import Event, Player
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.rating import states
from crosstable.office.storage import clock

EVENT = (Path(__file__).parents[2] / "examples" / "riverside-open.json").read_bytes()
OFFICER = Actor("olga", Role.OFFICER)
DIRECTOR, OTHER = Actor("dora", Role.DIRECTOR), Actor("dan", Role.DIRECTOR)


@pytest.fixture
def ledger(office: str) -> str:
    from crosstable.office.ledger import office_settings

    office_settings.create()
    return office


def test_a_new_player_may_bring_a_rating(ledger: str) -> None:
    brings = {"OTBR": Rating(1643.0, 12, date(2025, 7, 1))}
    row = desk.players.add(OFFICER, "30000001", "transfer", brings=brings, name="Ada Example")
    held = states.now([row.id])[row.id]["OTBR"]
    assert (held.rating, held.games) == (1643.0, 12)


@pytest.mark.parametrize(
    ("pool", "rating", "words"),
    [("OTBR", Rating(1643.0), "number of games"), ("OTBX", Rating(1643.0, 5), "OTBX"), ("OTBR", Rating(43.0, 5), "43")],
)
def test_a_rating_that_cannot_be_is_refused(ledger: str, pool: str, rating: Rating, words: str) -> None:
    with pytest.raises(OfficeError, match=words):
        desk.players.add(OFFICER, "30000001", brings={pool: rating})


def test_a_director_takes_back_a_file_that_waits_and_no_other(ledger: str) -> None:
    number = desk.submit(DIRECTOR, EVENT, "riverside.json").event
    with pytest.raises(NotAllowedError):
        desk.withdraw(OTHER, number, "not mine")
    desk.withdraw(DIRECTOR, number, "the wrong file")
    assert Event.objects.get(number=number).status == Event.WITHDRAWN


def test_a_director_does_not_withdraw_what_is_rated(ledger: str) -> None:
    number = desk.submit(DIRECTOR, EVENT, "riverside.json").event
    desk.accept(OFFICER, number)
    with pytest.raises(NotAllowedError):
        desk.withdraw(DIRECTOR, number, "a second thought")


def test_a_list_as_a_workbook(ledger: str) -> None:
    """The same cells as the CSV, numbers as numbers."""
    from crosstable.office.lists import read
    from crosstable.office.lists.export import export
    from crosstable.office.people import users
    from crosstable.office.requests import registry
    from crosstable.office.requests.list_publication import propose

    for name in ("ada", "boris"):
        users.add_user(Actor.installation(), name, Role.OFFICER)
    desk.accept(OFFICER, desk.submit(DIRECTOR, EVENT, "riverside.json").event)
    waiting = propose(users.acting_as("ada"), date(2025, 9, 1), "monthly list")
    registry.approve(users.acting_as("boris"), waiting.id)
    published = read.find(date(2025, 9, 1))
    sheet = openpyxl.load_workbook(io.BytesIO(export(published, "xlsx"))).active
    head, *rows = [[cell.value for cell in row] for row in sheet.rows]
    lines = export(published, "csv").decode().splitlines()
    assert ",".join(head) == lines[0]
    assert len(rows) == len(lines) - 1
    maya = next(row for row in rows if row[0] == "30000004")
    assert maya[head.index("OTBR")] == 1666


def test_a_list_says_which_day_it_was_given(ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "members.csv"
    path.write_text("ID,Name,Rating,Games\n30000001,Ada Example,1500,12\n")
    importing = ["office", "--db", ledger, "players", "import", str(path), "--preview"]
    with clock.set_to(datetime(2026, 3, 1, 12, tzinfo=UTC)):
        assert main(importing) == 0
    words = "1 player added, 0 known, 1 rating, 0 foreign ratings\nNothing was written.\n"
    assert capsys.readouterr().out == f"List of 2026-03-01, which is today (--date gives the list's own day): {words}"
    assert main([*importing, "--date", "7/1/2025"]) == 0
    assert capsys.readouterr().out == f"List of 2025-07-01: {words}"


def test_members_in_a_spreadsheet_with_birth_dates_as_people_type_them(ledger: str, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Member #", "Name", "Rating", "Games", "DOB"], [30000001, "Ada Example", 1500, 12, "5/1/1990"]):
        book.worksheets[0].append(row)
    book.save(tmp_path / "members.xlsx")
    with (tmp_path / "members.xlsx").open("rb") as file:
        done = desk.players.import_list(OFFICER, file, date(2025, 7, 1))
    assert (done.added, done.openings) == (1, 1)
    assert [finding.code for finding in done.findings] == ["date-guessed"]  # an American's date, and said so
    assert Player.objects.get(number="30000001").birth_date == date(1990, 5, 1)


def test_a_list_without_known_columns_is_shown_its_first_line(
    ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "members.csv").write_text("Nummer,Naam\n1,Ann\n")
    assert main(["office", "--db", ledger, "players", "import", str(tmp_path / "members.csv")]) == 1
    said = capsys.readouterr().err
    assert "the first line does not name an ID and a rating: 'Nummer,Naam'" in said
    assert "Name the columns in the first line: ID, Name, Rating, Games" in said


def test_findings_of_a_report_name_its_players(ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(EVENT)
    maya = document["sections"][0]["players"][3]
    maya["ratings"]["OTBR"]["rating"] = 1200.3  # Grace has 2031
    (tmp_path / "riverside.json").write_text(json.dumps(document), encoding="utf-8")
    for words in (["submit", str(tmp_path / "riverside.json")], ["review"]):
        assert main(["office", "--db", ledger, *words]) == 0
        assert "Maya Lindqvist (no. 4) beat Grace Whitfield (no. 1), who is rated" in capsys.readouterr().err


@pytest.mark.parametrize("database", ["sqlite"])  # a PostgreSQL office has no console of its own
def test_the_owner_of_the_file_is_told_everything_at_the_console(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Leo Bright is a child: the public form of the work behind his rating leaves his age out."""
    desk.accept(OFFICER, desk.submit(OFFICER, EVENT, "riverside.json", "R1").event)
    said = {}
    for form in ([], ["--public"]):
        assert main(["office", "--db", ledger, "trace", "R1", "1", "30000007", "OTBR", *form]) == 0
        said[bool(form)] = capsys.readouterr().out
    assert "age" in said[False].lower()
    assert said[False] != said[True]


@pytest.mark.parametrize("database", ["sqlite"])  # a PostgreSQL office has no console of its own
def test_the_work_behind_a_rating_is_found_by_name(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    desk.accept(OFFICER, desk.submit(OFFICER, EVENT, "riverside.json", "R1").event)
    said = []
    for who in ("30000004", "4", "maya"):
        assert main(["office", "--db", ledger, "trace", "R1", "1", who, "OTBR"]) == 0
        said.append(capsys.readouterr().out)
    assert said == [said[0]] * 3
    assert "Grace Whitfield" in said[0]  # whom she beat
    assert main(["office", "--db", ledger, "trace", "R1", "1", "an", "OTBR"]) == 1
    assert "is several players" in capsys.readouterr().err


def test_without_a_pool_the_work_behind_every_rating_of_the_section(ledger: str, capsys) -> None:
    """The example is dual: Regular and Quick."""
    if not ledger.startswith("sqlite"):
        pytest.skip("a PostgreSQL office has no console of its own")
    desk.accept(OFFICER, desk.submit(OFFICER, EVENT, "riverside.json", "R1").event)
    asked = ["office", "--db", ledger, "trace", "R1", "1", "maya", "--json"]
    assert main(asked) == 0
    every = json.loads(capsys.readouterr().out)
    assert [one["pool"] for one in every] == ["OTBR", "OTBQ"]
    assert main([*asked[:-1], "quick", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == every[1]


def test_one_result_is_corrected_without_a_file(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In round 1 of the example Maya (4) beat number 8. A preview shows it and writes nothing; then it counts."""
    if not ledger.startswith("sqlite"):
        pytest.skip("a PostgreSQL office has no console of its own")
    desk.accept(OFFICER, desk.submit(OFFICER, EVENT, "riverside.json", "R1").event)
    before = desk.document("R1")
    correct = ["office", "--db", ledger, "correct", "R1", "--reason", "scoresheet"]
    assert main([*correct, "--result", "1", "maya", "1/2-1/2", "8", "--preview"]) == 0
    shown = capsys.readouterr().out
    assert "section 1, round 1, Maya Lindqvist (4) against" in shown
    assert "Maya Lindqvist (4) won → Maya Lindqvist (4) drew" in shown
    assert desk.document("R1") == before
    assert main([*correct, "--result", "1", "maya", "1/2-1/2", "8"]) == 0
    changed = [game for game in desk.document("R1").sections[0].games if game not in before.sections[0].games]
    assert [(game.round, {game.white, game.black}, game.result) for game in changed] == [(1, {4, 8}, "1/2-1/2")]


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["--result", "1", "maya", "2-0", "8"], 1, "'2-0' is not a result: write 1-0, 0-1 or 1/2-1/2"),
        (["--result", "2", "maya", "1-0", "8"], 1, "have no game in round 2 of section 1: they met in round 1"),
        (["--result", "1", "maya", "1-0", "nobody"], 1, "no section has 'maya' and 'nobody'"),
        (["--result", "1", "maya", "1-0", "an"], 1, "may be several"),
        (["--result", "1", "maya", "1-0", "8"], 1, "the event already says so"),
        ([], 2, "takes a FILE, --result"),
    ],
)
def test_a_result_that_cannot_be_meant_is_refused(
    ledger: str, words: list[str], status: int, says: str, capsys
) -> None:
    if not ledger.startswith("sqlite"):
        pytest.skip("a PostgreSQL office has no console of its own")
    desk.submit(OFFICER, EVENT, "riverside.json", "R1")
    assert main(["office", "--db", ledger, "correct", "R1", "--reason", "why", *words]) == status
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "events",
        "event {event}",
        "review {event}",
        "trace {event} 1 30000004 OTBR",
        "players list",
        "players show 30000004",
        "players search Maya",
        "lists",
        "audit log",
        "jobs",
        "proposals",
        "settings",
    ],
)
def test_people_read_no_hash_microsecond_or_python(ledger: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    number = desk.submit(DIRECTOR, EVENT, "riverside.json").event
    desk.accept(OFFICER, number)
    main(["office", "--db", ledger, *words.format(event=number).split()])
    said = capsys.readouterr().out
    assert said.strip()
    for unreadable in (
        r"\d\d:\d\d:\d\d\.\d",
        r"\b[0-9a-f]{40,}\b",
        r"datetime\.|<[\w.]+ object|\w+\(\w+=|None\b|True\b|False\b",
    ):
        assert not re.search(unreadable, said), said
