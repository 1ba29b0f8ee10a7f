"""`crosstable titles …`: what commands.md prints, an event file, and what is wrong input or wrong usage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crosstable.cli import main


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_chance(capsys: pytest.CaptureFixture[str]) -> None:
    """Printed in appendix A: 0.9102173."""
    found = answer(capsys, "titles", "chance", "--p", "0.5", "--events", "10")
    assert list(found) == ["p", "events", "probability"]
    assert (found["p"], found["events"]) == (0.5, 10)
    assert found["probability"] == pytest.approx(0.9102173, abs=5e-8)


def test_the_p_for_a_wanted_chance_with_its_delta(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "titles", "chance", "--want", "0.5", "--events", "10")
    assert found["p"] == pytest.approx(0.32575115, abs=1e-7)
    assert len(found["deltas"]) == 5


def test_norms_of_one_score(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["titles", "norms", "--level", "2200", "--score", "4.5", "--opponents", "2100,2150,2200,2250,2300"]
    found = answer(capsys, *words)
    assert (found["level"], found["norms"]) == (2200, 2)
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("2 norms for level 2200")


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "titles", "table")
    assert len(found["titles"]) == 14
    assert found["deltas"] == [0.227, 0.625, 0.910, 1.142, 1.343]
    assert len(answer(capsys, "titles", "table", "--rules", "2010")["titles"]) == 7
    assert main(["titles", "table"]) == 0
    assert "Senior Master" in capsys.readouterr().out


def document(rounds: int, **section: object) -> dict[str, object]:
    """Player 1 wins every game; everybody is 1800 and established."""
    players = [
        {"number": n, "id": f"1000{n}", "ratings": {"OTBR": {"rating": 1800, "games": 100}, "USCF": {"rating": 1800}}}
        for n in range(1, rounds + 2)
    ]
    games = [{"round": n, "white": 1, "black": n + 1, "result": "1-0"} for n in range(1, rounds + 1)]
    dates = {"start": "2012-09-01", "end": "2012-09-02"}
    body = {"number": 1, "name": "Open", "time_control": "G/90", "players": players, "games": games, **dates, **section}
    return {"format": "crosstable-event/1", "name": "Test", **dates, "sections": [body]}


def test_norms_of_an_event_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Four wins over 1800: three norms for 1800 (2.0 over; Delta 0.454, 1.25, 1.82, 2.284), the title for 1600."""
    file = tmp_path / "event.json"
    file.write_text(json.dumps(document(4)))
    found = answer(capsys, "titles", "norms", str(file), "--rules", "1996")
    winner = found["players"][0]
    assert (winner["number"], winner["score"], winner["games"]) == (1, 4, 4)
    assert {level: winner["norms"][level] for level in ("1600", "1800", "2000")} == {"1600": 5, "1800": 3, "2000": 1}
    assert main(["titles", "norms", str(file), "--rules", "1996"]) == 0
    assert "1800: 3" in capsys.readouterr().out


def test_norms_go_by_the_rules_of_the_events_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The titles since 2010 for events of that year and later; before it the proposal of 1996."""
    file = tmp_path / "event.json"
    for year, rules in (("2012", "2010"), ("2010", "2010"), ("2009", "1996")):
        file.write_text(json.dumps(document(4)).replace("2012", year))
        assert answer(capsys, "titles", "norms", str(file))["rules"] == rules


def test_supernorms_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "event.json"
    file.write_text(json.dumps({**document(4), "name": "97th U.S. Open"}))
    assert answer(capsys, "titles", "norms", str(file), "--rules", "1996")["players"][0]["supernorms"] is True
    assert main(["titles", "norms", str(file), "--rules", "1996"]) == 0
    assert "(supernorms)" in capsys.readouterr().out


def test_norms_of_2010_look_at_post_event_ratings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The losers fall below 1800, so at 1800 the table expects more than 0.5 a game: 4 - 4 x (0.5 + d/400) > 1
    still.
    """
    file = tmp_path / "event.json"
    file.write_text(json.dumps(document(4)))
    winner = answer(capsys, "titles", "norms", str(file), "--rules", "2010")["players"][0]
    assert winner["norms"]["1800"] == 1
    assert set(winner["norms"].values()) == {1}


def test_norms_of_2010_as_the_record_shows_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Four games of six rounds: none as written, a norm as practised."""
    event = document(4)
    rivals = [{"round": n, "white": 2, "black": 3, "result": "1/2-1/2"} for n in (5, 6)]
    event["sections"][0]["games"] += rivals
    file = tmp_path / "event.json"
    file.write_text(json.dumps(event))
    words = ["titles", "norms", str(file), "--rules", "2010"]
    assert "2 rounds not played" in answer(capsys, *words)["players"][0]["reason"]
    assert answer(capsys, *words, "--profile", "as-practised")["players"][0]["norms"]["1800"] == 1


@pytest.mark.parametrize(
    ("section", "reason"),
    [({"time_control": "G/15"}, "quick"), ({"weight": "half"}, "half-K"), ({"weight": "quarter"}, "quarter-K")],
)
def test_events_without_norms_say_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], section: dict[str, object], reason: str
) -> None:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(document(4, **section)))
    winner = answer(capsys, "titles", "norms", str(file), "--rules", "1996")["players"][0]
    assert winner["norms"] == {}
    assert reason in winner["reason"]


def test_three_rounds_are_too_few_and_a_quad_has_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a round robin `round` may be the opponent's column: four columns are three rounds."""
    quad = document(3, kind="round-robin")
    for game in quad["sections"][0]["games"]:
        game["round"] = game["black"]
    file = tmp_path / "event.json"
    file.write_text(json.dumps(quad))
    assert "3 rounds" in answer(capsys, "titles", "norms", str(file))["players"][0]["reason"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["norms", "--level", "2200", "--score", "2", "--opponents", "2100,2150,2200"], "3 rounds are too few"),
        (["norms", "--level", "2250", "--score", "2", "--opponents", "1,2,3,4"], "no title of level 2250"),
        (["norms", "--level", "2200", "--score", "5", "--opponents", "1,2,3,4"], "impossible"),
        (["norms", "no-such-file.json"], "no-such-file.json"),
        (["chance", "--p", "1.5"], "not a probability"),
        (["chance", "--want", "1"], "strictly between"),
        (["chance", "--p", "0.5", "--events", "-1"], "0 or more"),
        (["chance", "--p", "0.5", "--plot", "chance.txt"], "not a picture"),
    ],
)
def test_wrong_input_is_one_line_and_status_1(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["titles", *words]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["norms"],
        ["norms", "--level", "2200"],
        ["norms", "file.json", "--level", "2200"],
        ["norms", "--level", "2200", "--score", "4", "--opponents", "a,b"],
        ["norms", "--level", "2200", "--score", "4", "--opponents", "1,2,3,4", "--rules", "2010"],
        ["chance"],
        ["chance", "--p", "0.5", "--want", "0.5"],
    ],
)
def test_a_wrong_command_line_is_status_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["titles", *words])
    assert caught.value.code == 2


def test_a_plot(tmp_path: Path) -> None:
    assert main(["titles", "chance", "--p", "0.5", "--plot", str(tmp_path / "chance.png")]) == 0
    assert (tmp_path / "chance.png").stat().st_size > 1000
