"""`rate` as a director types it: crosstable, derivation, JSON, and every kind of wrong file."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

from crosstable.cli import main
from tests.desk_files import FILES, crosstable

EXAMPLE = Path(__file__).parents[2] / "examples" / "riverside-open.json"


@pytest.fixture
def document() -> dict[str, Any]:
    return json.loads(EXAMPLE.read_text(encoding="utf-8"))


@pytest.fixture
def save(tmp_path: Path):
    def write(document: Any, name: str = "event.json") -> str:
        path = tmp_path / name
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return str(path)

    return write


def test_a_crosstable_like_the_ones_players_know(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", str(EXAMPLE)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[0] == "No"
    ben = next(line for line in lines if "Ben Orlov" in line)
    assert [cell.strip() for cell in re.split(" {2,}", ben)][2:8] == [
        "L 1",
        "D 8",
        "W 7",
        "L 3",
        "1.5",
        "1500 → 1500",
    ]  # on the floor
    noor = next(line for line in lines if "Noor Haddad" in line)
    assert "F 7" in noor  # a forfeit: shown, not rated
    assert "P9" in noor  # 6 + 3 games


def test_json_has_the_contracts_fields(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", "--json", str(EXAMPLE)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["event"] == "Riverside Open"
    assert answer["system"] == "us_chess"
    row = answer["ratings"][0]
    assert list(row) == [
        "section",
        "pool",
        "number",
        "id",
        "name",
        "prior",
        "prior_games",
        "initialized",
        "effective_games",
        "formula",
        "games",
        "score",
        "expected",
        "k",
        "bonus",
        "first_estimate",
        "intermediate",
        "unfloored",
        "floor",
        "post",
        "post_games",
        "published",
        "state",
    ]
    assert {"rating", "games", "date", "three_game_events", "peak"} <= row["state"].keys()


def test_the_state_goes_into_the_next_event(document: dict[str, Any], save, capsys: pytest.CaptureFixture[str]) -> None:
    main(["rate", "--json", str(EXAMPLE)])
    rows = json.loads(capsys.readouterr().out)["ratings"]
    following = copy.deepcopy(document)
    following["start"], following["end"] = "2025-09-06", "2025-09-07"
    for player in following["sections"][0]["players"]:
        for row in rows:
            if row["id"] == player["id"]:
                player["ratings"][row["pool"]] = row["state"]
    assert main(["rate", "--json", save(following)]) == 0
    again = json.loads(capsys.readouterr().out)["ratings"]
    assert {(r["pool"], r["id"]): r["prior"] for r in again} == {(r["pool"], r["id"]): r["post"] for r in rows}


def test_several_files_give_a_json_object_per_line(
    save, document: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    other = save({**document, "name": "Second"})
    assert main(["rate", "--json", str(EXAMPLE), other]) == 0
    assert [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()] == ["Riverside Open", "Second"]


def test_one_wrong_file_does_not_stop_the_others(save, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", "--json", save("{"), str(EXAMPLE)]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["event"] == "Riverside Open"
    assert "event.json" in captured.err


def test_explain_by_id_and_by_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", str(EXAMPLE), "--explain", "30000005"]) == 0
    by_id = capsys.readouterr().out
    assert main(["rate", str(EXAMPLE), "--explain", "5"]) == 0
    assert capsys.readouterr().out == by_id
    assert "is below the floor of 1500" in by_id
    assert main(["rate", str(EXAMPLE), "--explain", "99"]) == 1
    assert "is not the ID" in capsys.readouterr().err


def test_explain_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", str(EXAMPLE), "--explain", "30000004", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["ratings"]
    assert [row["pool"] for row in rows] == ["OTBR", "OTBQ"]
    bonus = next(step for step in rows[0]["derivation"] if step["kind"] == "bonus")
    assert bonus["bonus"] == rows[0]["bonus"]
    assert (bonus["rule"], bonus["document"], bonus["section"]) == ("bonus", "us-chess-2025", "4.2, 8")
    assert bonus["since"] == "2025-01-01"
    assert bonus["text"].startswith("The gain of 98.9201 exceeds")


def test_the_public_form_hides_ages(capsys: pytest.CaptureFixture[str]) -> None:
    # Leo (no. 7) is ten: he starts at 50 × age, loses all to players far above, and stays there
    for options in (["--json"], ["--explain", "7"], ["--explain", "8", "--json"], []):
        assert main(["rate", str(EXAMPLE), "--public", *options]) == 0
        shown = capsys.readouterr().out
        assert "523" not in shown
        assert "2015-02-14" not in shown
    main(["rate", str(EXAMPLE), "--explain", "7"])
    assert "523.3402" in capsys.readouterr().out  # who rates their own file sees everything


WRONG = [
    ("unknown-field", lambda d: d.update(colour="blue"), "colour"),
    ("unknown-field", lambda d: d["sections"][0]["players"][2].update(elo=1), "section 1, player 3"),
    ("unknown-player", lambda d: d["sections"][0]["games"][0].update(white=77), "no player has the number 77"),
    ("self-pairing", lambda d: d["sections"][0]["games"][0].update(white=5), "round 1"),
    ("impossible-date", lambda d: d.update(start="2025-02-30"), "2025-02-30"),
    (
        "rating-after-event",
        lambda d: d["sections"][0]["players"][0]["ratings"]["OTBR"].update(date="2025-08-04"),
        "2025-08-04",
    ),
    (
        "not-ratable",
        lambda d: d["sections"][0].update(mode="online", start="2014-09-01", end="2025-08-03", time_control="G/5"),
        "2014-10-01",
    ),
    ("unreadable-time-control", lambda d: d["sections"][0].update(time_control="G/6O;d5"), "G/6O;d5"),
    ("wrong-type", lambda d: d["sections"][0]["players"][0]["ratings"]["OTBR"].update(rating=float("nan")), "NaN"),
    ("impossible-rating", lambda d: d["sections"][0]["players"][0]["ratings"]["OTBR"].update(rating=-3), "-3"),
    (
        "counts-differ",
        lambda d: d["sections"][0]["players"][1]["ratings"]["OTBR"].update(wins=71),
        "wins + draws + losses = 152",
    ),
    (
        "zero-games",
        lambda d: d["sections"][0]["players"][1]["ratings"]["OTBR"].update(games=0, wins=0, draws=0, losses=0),
        "a rating needs at least one game",
    ),
    ("missing-field", lambda d: d["sections"][0].pop("games"), "games"),
    ("unknown-choice", lambda d: d["sections"][0].update(kind="knockout"), "knockout"),
    ("unknown-system", lambda d: d["sections"][0]["players"][1]["ratings"].update(OTBX={"rating": 1}), "OTBX"),
    (
        "no-rules",
        lambda d: (
            d.update(start="1999-01-01", end="1999-01-01"),
            d["sections"][0].update(players=d["sections"][0]["players"]),
        ),
        "2001-01-01",
    ),
    ("dates-reversed", lambda d: d.update(end="2025-08-01"), "before it starts"),
    ("unknown-result", lambda d: d["sections"][0]["games"][0].update(result="2-0"), "2-0"),
]


@pytest.mark.parametrize(
    ("code", "spoil", "says"), WRONG, ids=[f"{code}-{place}" for place, (code, _, _) in enumerate(WRONG)]
)
def test_wrong_input(
    code: str, spoil, says: str, document: dict[str, Any], save, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(document)
    assert main(["rate", "--json", save(document)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    line = next(line for line in captured.err.splitlines() if f"[{code}]" in line)
    assert says in line
    assert "Traceback" not in captured.err


def test_all_findings_at_once(document: dict[str, Any], save, capsys: pytest.CaptureFixture[str]) -> None:
    section = document["sections"][0]
    section["time_control"] = "fast"
    section["games"][0]["white"] = 77
    section["games"][1]["black"] = section["games"][1]["white"]
    section["players"][1]["ratings"]["OTBR"]["wins"] = 1
    assert main(["rate", save(document)]) == 1
    errors = capsys.readouterr().err
    for code in ("unreadable-time-control", "unknown-player", "self-pairing", "counts-differ"):
        assert f"[{code}]" in errors


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{", '{"format": "crosstable-event/1"}', "[" * 100_000, '{"a": 1, "a": 2}']
)
def test_broken_files_give_findings(text: str, save, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", save(text)]) == 1
    captured = capsys.readouterr()
    assert captured.err.strip()
    assert "Traceback" not in captured.err


def test_a_missing_file_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", "no-such-file.json"]) == 1
    assert "no-such-file.json" in capsys.readouterr().err


def test_wrong_usage_is_exit_2() -> None:
    for arguments in (
        ["rate"],
        ["rate", str(EXAMPLE), "--system", "checkers"],
        ["rate", str(EXAMPLE), "--profile", "mine"],
    ):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 2


@pytest.mark.shared
def test_published_crosstables(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # samples/EXPECTED.md: "-allrated ones can be rated with --assume-games, the others say whose rating is missing"
    for path in sorted((shared / "samples" / "crosstable-text").iterdir()):
        status = main(["rate", str(path), "--assume-games", "26", "--json"])
        captured = capsys.readouterr()
        assert status == 0
        assert "the date is missing" in captured.err  # named, not invented silently
        assert json.loads(captured.out)["ratings"]
        assert ("[missing-rating]" in captured.err) == ("allrated" not in path.name)


def test_a_published_rating_without_p_is_established(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", str(FILES / "open.txt"), "--date", "2012-05-05", "--json"]) == 0
    captured = capsys.readouterr()
    assert "count as established (26 games)" in captured.err
    rows = json.loads(captured.out)["ratings"]
    assert [row["prior_games"] for row in rows] == [26] * 6


def test_a_provisional_rating_without_a_count_is_not_guessed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.txt"
    path.write_text(crosstable("booster").replace("610P7", "610P "))
    assert main(["rate", str(path), "--date", "2012-05-05"]) == 1
    assert "--assume-games" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["1" + "0" * 400, "-1e308", "1e16", "NaN", "Infinity"])
def test_absurd_numbers_are_findings(number: str, save, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        EXAMPLE.read_text(encoding="utf-8")
        .replace('"rating": 2031.42', f'"rating": {number}')
        .replace('"games": 151', f'"games": {number}')
    )
    assert main(["rate", save(text)]) == 1
    assert capsys.readouterr().err.count("wrong-type") == 2


def test_a_page_says_what_the_terminal_says_and_does_not_widen_a_phone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "a.csv", tmp_path / "a.html"
    file.write_text("No,Name,Rating,Shoes,Rnd 1\n1,Ann Ames,1500,42,W2\n2,Bo Bird,1400,43,L1\n")
    assert main(["rate", str(file), "--date", "2025-08-02", "--time-control", "G/60;d5", "--html", str(out)]) == 0
    said = set(re.findall(r"\[([a-z-]+)\]$", capsys.readouterr().err, re.MULTILINE))
    page = out.read_text()
    noticed = set(re.findall(r"\[([a-z-]+)\]</li>", page.partition("<h2>Noticed</h2>")[2]))
    assert noticed == said
    assert {"column-ignored", "taken-as-established", "missing-id"} <= said
    assert page.count("<table>") == len(re.findall(r'<div class="wide"[^>]*><table>', page)) == 1


def test_the_text_crosstable_says_that_its_ratings_are_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", str(Path(__file__).parents[2] / "examples" / "riverside-open.json"), "--text"]) == 0
    assert "the crosstable below shows the new ratings computed here" in capsys.readouterr().err


def test_a_cfc_rating_brings_a_notice(save, capsys: pytest.CaptureFixture[str]) -> None:
    """2025 section 2.2: of a Canadian resident it is where the first rating starts, else the player starts at 750."""
    people = [
        {"number": 1, "id": "12345671", "name": "Cy", "cfc": {"rating": 1800}, "canadian_resident": True},
        {"number": 2, "id": "12345672", "name": "Nell", "cfc": {"rating": 1800}},
        {"number": 3, "id": "12345673", "name": "Ann", "ratings": {"OTBR": {"rating": 1500, "games": 60}}},
    ]
    games = [{"round": number, "white": number, "black": 3, "result": "1-0"} for number in (1, 2)]
    section = {"number": 1, "time_control": "G/120;d5", "players": people, "games": games}
    event = {"format": "crosstable-event/1", "name": "Border", "start": "2025-09-06", "end": "2025-09-06"}
    assert main(["rate", save({**event, "sections": [section]})]) == 0
    said = capsys.readouterr().err
    assert "Cy (no. 1): the first rating starts from the CFC rating 1800" in said
    assert "Nell (no. 2): the CFC rating 1800 does not count: not known to be a Canadian resident" in said
    assert "Nell from 750" in said


def test_a_blitz_event_abroad_is_not_one_without_results(save, capsys: pytest.CaptureFixture[str]) -> None:
    """It says why no rating changes (readings 40), and asks for no results."""
    own = {"number": 1, "id": "12345671", "name": "Ann", "ratings": {"OTBR": {"rating": 2300, "games": 60}}}
    people = [own | {"usa_flag": True, "fide_opt_in": True}, {"number": 2, "id": "F", "fide": {"rating": 2400}}]
    games = [{"round": 1, "white": 1, "black": 2, "result": "1-0"}]
    section = {"number": 1, "kind": "fide", "time_control": "G/3;+2", "players": people, "games": games}
    event = {"format": "crosstable-event/1", "name": "Abroad", "start": "2025-09-06", "end": "2025-09-06"}
    assert main(["rate", save({**event, "sections": [section]})]) == 0
    said = capsys.readouterr().err
    assert "fide-not-standard" in said
    assert "nothing-to-rate" not in said
