"""`check` and `convert` as a person runs them: exit status, findings, losses, and nothing half written."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from crosstable import formats
from crosstable.cli import main
from crosstable.errors import UnknownSystem
from crosstable.systems import SYSTEMS, system
from crosstable.systems.records import RECORDS
from tests.fuzz.seeds import EVENT, EVENT_SEEDS, FIDE_TEXT, GO, packed

SUFFIXES = {"us-chess-report": "zip", "event-json": "json", "text-crosstable": "txt"}


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "event.json"
    path.write_bytes(EVENT_SEEDS["event-json"][0])
    return path


def test_check_prints_findings_and_counts(event: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(event)]) == 0
    out = capsys.readouterr().out
    assert "Riverside Open, 2025-08-02: 1 section, 4 players, 4 games" in out
    assert "[missing-game-counts]" in out
    assert "no errors" in out


def test_check_says_of_ratings_without_games_what_rate_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("No,Name,Rating,Rd 1\n1,Ann,1850,W2\n2,Bo,1720P8,L1\n")
    words = "ratings without P count as established (26 games): Ann."
    assert main(["rate", str(path), "--date", "2025-08-02", "--time-control", "G/90;d5"]) == 0
    assert words in capsys.readouterr().err
    assert main(["check", str(path)]) == 0
    out = capsys.readouterr().out
    assert words in out
    assert "[missing-game-counts]" not in out


def test_check_json_is_one_object_per_file(event: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.trf"
    bad.write_text("012 X\n999 nonsense\n")
    assert main(["check", str(event), str(bad), "--json"]) == 1
    first, second = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (first["format"], first["ok"]) == ("event-json", True)
    assert (second["format"], second["ok"]) == ("trf", False)
    assert {"level", "code", "place", "where", "facts", "message", "advice", "fixes"} == set(second["findings"][0])


def test_check_reads_rating_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(FIDE_TEXT)
    assert main(["check", str(path)]) == 0
    assert "1 player, 1 rated" in capsys.readouterr().out


def test_a_missing_file_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "no/such/file.trf"]) == 1
    assert "[no-file]" in capsys.readouterr().out
    assert main(["check", "no/such/file.trf", "--list", "no/such/list.dbf"]) == 1


def test_no_birth_date_is_printed(event: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Children are in this data: findings may say that an age is odd, never the date."""
    text = event.read_text().replace("2000-07-01", "2030-07-01")
    event.write_text(text)
    assert main(["check", str(event)]) == 1
    out = capsys.readouterr().out
    assert "[born-after-event]" in out
    assert "2030" not in out


@pytest.mark.parametrize("name", ["us-chess-report", "trf", "csv", "tsv", "xlsx", "text-crosstable", "event-json"])
def test_convert_there_and_back(name: str, event: Path, tmp_path: Path) -> None:
    there = tmp_path / f"there.{SUFFIXES.get(name, name)}"
    assert main(["convert", str(event), str(there)]) == 0
    assert formats.detect(there.read_bytes()) == name
    back = tmp_path / "back.json"
    assert main(["convert", str(there), str(back)]) == 0
    again = formats.read_path(back).event
    assert again is not None
    assert sum(game.played for game in again.sections[0].games) == sum(game.played for game in EVENT.sections[0].games)


def test_convert_says_what_is_lost(event: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(event), str(tmp_path / "out.csv")]) == 0
    assert "birth date of 1 player" in capsys.readouterr().err


def test_convert_to_a_folder(event: Path, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    assert main(["convert", str(event), str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["TDEXPORT.DBF", "THEXPORT.DBF", "TSEXPORT.DBF"]
    assert formats.read_path(folder).ok


def test_convert_to_stdout(event: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["convert", str(event), "-", "--to", "trf"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"012 Riverside Open\n")
    assert main(["convert", str(event), "-"]) == 2


def test_what_cannot_be_read_or_written_leaves_the_old_file(
    event: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out.aga"
    target.write_text("old")
    assert main(["convert", str(event), str(target)]) == 1  # chess players have no go ranks
    assert target.read_text() == "old"
    assert main(["convert", "no/such/file", str(target)]) == 1
    assert main(["convert", str(event), str(tmp_path / "no" / "folder" / "out.csv")]) == 1
    assert main(["convert", str(event), str(tmp_path / "out.docx")]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_go_events(tmp_path: Path) -> None:
    source, target = tmp_path / "go.json", tmp_path / "go.aga"
    source.write_bytes(formats.write(GO, "event-json").data)
    assert main(["convert", str(source), str(target)]) == 0
    assert target.read_text().startswith("TOURNEY Cotsen Open, Los Angeles\n")


@pytest.mark.parametrize("name", ["csv", "tsv", "dbf", "json"])
def test_convert_rating_lists(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "list.txt", tmp_path / f"out.{name}"
    source.write_bytes(FIDE_TEXT)
    assert main(["convert", str(source), str(target)]) == 0
    assert main(["check", str(target)]) == 0
    assert "(rating-list): 1 player" in capsys.readouterr().out


def test_what_the_file_lacks_can_be_given(tmp_path: Path) -> None:
    source, target = tmp_path / "plain.csv", tmp_path / "out.json"
    source.write_text("No.,Name,Rating,Rnd 1\n1,Ada,1500,W2\n2,Bo,1400,L1\n")
    given = ["--date", "2025-08-02", "--time-control", "G/5;d0", "--mode", "online", "--ratings", "OLB"]
    assert main(["convert", str(source), str(target), *given]) == 0
    event = formats.read_path(target).event
    assert event is not None
    section = event.sections[0]
    assert (str(event.start), section.time_control, section.mode) == ("2025-08-02", "G/5;d0", "online")
    assert [list(player.ratings) for player in section.players] == [["OLB"], ["OLB"]]


def test_a_file_is_not_converted_onto_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "event.json"
    content = (Path(__file__).parents[2] / "examples" / "riverside-open.json").read_bytes()
    path.write_bytes(content)
    assert main(["convert", str(path), str(path)]) == 2
    assert "choose another name" in capsys.readouterr().err
    assert path.read_bytes() == content


def test_converting_a_list_says_what_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "list.txt", tmp_path / "out.dbf"
    source.write_bytes(FIDE_TEXT)
    assert main(["convert", str(source), str(target)]) == 0
    assert "lacks it: " in (said := capsys.readouterr().err)
    assert "ratings.FIDE, ratings.FIDE_BLITZ, ratings.FIDE_RAPID" in said


def test_a_damaged_archive_is_a_finding_everywhere(event: Path, tmp_path: Path) -> None:
    data = bytearray(packed(FIDE_TEXT * 50, zipfile.ZIP_LZMA))
    data[50:80] = bytes(30)
    path = tmp_path / "list.zip"
    path.write_bytes(data)
    for command in (["check", str(path)], ["convert", str(path), str(tmp_path / "out.csv")], ["rate", str(path)]):
        assert main(command) == 1
    assert main(["check", str(event), "--list", str(path)]) == 1


PLAIN = "No.,Name,Rating,Rnd 1\n1,Ada,1500,W2\n2,Bo,1400,L1\n"


@pytest.mark.parametrize("verb", ["rate", "check", "convert"])
def test_a_mistyped_rating_system_is_a_wrong_command_line(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plain.csv"
    path.write_text(PLAIN)
    files = [str(path), str(tmp_path / "out.json")] if verb == "convert" else [str(path)]
    with pytest.raises(SystemExit) as stopped:
        main([verb, *files, "--date", "2025-08-02", "--ratings", "FOO"])
    assert stopped.value.code == 2
    assert "OTBR, OTBQ, OTBB" in capsys.readouterr().err


def test_rating_systems_are_named_in_any_case(tmp_path: Path) -> None:
    path, out = tmp_path / "plain.csv", tmp_path / "out.json"
    path.write_text(PLAIN)
    assert main(["convert", str(path), str(out), "--date", "2025-08-02", "--ratings", "otbq"]) == 0
    event = formats.read_path(out).event
    assert event is not None
    assert [list(player.ratings) for player in event.sections[0].players] == [["OTBQ"], ["OTBQ"]]
    with pytest.raises(UnknownSystem, match="OTBR"):
        formats.read(PLAIN.encode(), given=formats.Given(ratings="FOO"))


def test_every_systems_ratings_can_be_named() -> None:
    assert {key for name in SYSTEMS for key in system(name).pools} == set(RECORDS)


def test_check_says_what_rate_needs_besides_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file without a date is no wrong file, so `check` warns; for `rate` it is an error, and both name the option."""
    path = tmp_path / "a.csv"
    path.write_text("No,Name,Rating,Rnd 1\n1,Ann Ames,1500,W2\n2,Bo Bird,1400,L1\n")
    needed = "--date YYYY-MM-DD --time-control 'G/60;d5'"
    assert main(["check", str(path)]) == 0
    assert f"to be rated it needs {needed}\n" in capsys.readouterr().out
    assert main(["rate", str(path)]) == 1
    assert f"try again with {needed}\n" in capsys.readouterr().err
    assert main(["check", str(path), "--date", "2025-08-02", "--time-control", "G/60;d5"]) == 0
    assert "to be rated" not in capsys.readouterr().out


MISTYPED = """Event: Tuesday Quad
Date: 2026-01-25
State: Ohio
Time control: G/6O;d5
No,Name,ID,Rating,Rd 1,Rd 2,Rd 3,Total
1,Ann Alder,12345671,1500,W2,W3,D4,2.5
2,Bob Birch,12345672,1400,L1,W4,W3,2
3,Cy Cedar,12345673,1300,W4,L1,W2,{total}
4,Di Dogwood,12345674,1200,L3,L2,D1,0.5
"""


def test_check_carries_out_the_fixes_that_leave_no_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both totals fit one result of the game between 2 and 3: 2 and 1 without it are 1 and 1, so Bob won."""
    source, target = tmp_path / "quad.csv", tmp_path / "fixed.json"
    source.write_text(MISTYPED.format(total=1), encoding="utf-8")
    assert main(["check", str(source), "--fix", str(target), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["written"] == str(target)
    assert answer["fixed"] == [
        {
            "place": "section 1, round 3, Bob Birch (2) against Cy Cedar (3)",
            "before": "in doubt",
            "after": "Bob Birch (2) won",
        },
        {"place": "event", "before": "state Ohio", "after": "state OH"},
        {"place": "section 1", "before": "G/6O;d5", "after": "G/60;d5"},
    ]
    event = json.loads(target.read_text(encoding="utf-8"))
    assert (event["state"], event["sections"][0]["time_control"]) == ("OH", "G/60;d5")
    assert len(event["sections"][0]["games"]) == 6


def test_check_writes_nothing_while_only_the_owner_can_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Totals of 2 and 2 fit no result: the written file would hide that the rows disagree."""
    source, target = tmp_path / "quad.csv", tmp_path / "fixed.json"
    source.write_text(MISTYPED.format(total=2), encoding="utf-8")
    assert main(["check", str(source), "--fix", str(target)]) == 1
    assert not target.exists()
    assert "fixed.json: not written. Correct the errors below first" in capsys.readouterr().out
    assert main(["check", str(source), "--fix", str(source)]) == 2
    assert main(["check", str(source), str(source), "--fix", str(target)]) == 2


def test_rate_gives_its_findings_with_place_and_fixes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "quad.csv"
    text = MISTYPED.format(total=1).replace("W2,1", "L2,1").replace("G/6O", "G/60")
    source.write_text(text, encoding="utf-8")
    assert main(["rate", str(source), "--json"]) == 0
    (state,) = [one for one in json.loads(capsys.readouterr().out)["findings"] if one["code"] == "unknown-state"]
    assert state["place"] == {"file": str(source), "part": "event"}
    assert state["fixes"] == [{"kind": "facts", "state": "OH", "suggested": True, "text": "Use OH"}]
