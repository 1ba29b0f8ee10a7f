"""`rate --system NAME`: the fields of docs/event-document.md's table, errors with all findings, warnings on stderr."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crosstable.cli import main

FIELDS = {
    "aga": ("AGA", {"post", "sigma"}),
    "glicko": ("GLICKO", {"post", "deviation"}),
    "glicko2": ("GLICKO2", {"post", "deviation", "volatility"}),
    "fide": ("FIDE", {"post", "change", "k"}),
    "elo": ("ELO", {"post"}),
    "st_charles": ("CLUB", {"post", "status"}),
}
RECORDS: dict[str, Any] = {
    "aga": {"rating": 2.1, "sigma": 0.2, "date": "2025-05-04"},
    "glicko": {"rating": 1500, "deviation": 80, "date": "2025-05-04"},
    "glicko2": {"rating": 1500, "deviation": 80, "volatility": 0.06, "date": "2025-05-04"},
    "fide": {"rating": 1900, "games": 50, "date": "2025-05-04", "ever_2400": False, "ever_2300": False},
    "elo": {"rating": 1500, "games": 20},
    "st_charles": {"rating": 500, "games": 7},
}


def document(tmp_path: Path, name: str, record: Any, game: dict[str, Any] | None = None, rank: str = "2d") -> str:
    key, _ = FIELDS[name]
    players = [{"number": n, "id": f"id{n}", "rank": rank, "ratings": {key: record}} for n in (1, 2)]
    games = [{"round": 1, "white": 1, "black": 2, "result": "1-0", **(game or {})}]
    section = {"number": 1, "start": "2025-11-05", "end": "2025-11-05", "players": players, "games": games}
    event = {
        "format": "crosstable-event/1",
        "name": "Two",
        "start": "2025-11-05",
        "end": "2025-11-05",
        "sections": [section],
    }
    file = tmp_path / "event.json"
    file.write_text(json.dumps(event))
    return str(file)


@pytest.mark.parametrize("name", FIELDS)
def test_the_answers_fields(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, fields = FIELDS[name]
    assert main(["rate", document(tmp_path, name, RECORDS[name]), "--system", name, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["ratings"]
    assert [row["number"] for row in rows] == [1, 2]
    for row in rows:
        assert fields | {"section", "pool", "id", "name", "prior", "games", "score", "published", "state"} <= row.keys()
        assert row["pool"] == key
        assert row["state"]["rating"] == row["post"]
    assert rows[0]["post"] > rows[0]["prior"] > rows[1]["post"]


@pytest.mark.parametrize("name", ["aga", "glicko", "glicko2"])
def test_ratings_print_with_their_interval(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = document(tmp_path, name, RECORDS[name])
    assert main(["rate", file, "--system", name, "--json"]) == 0
    low, high = json.loads(capsys.readouterr().out)["ratings"][0]["interval"]
    assert main(["rate", file, "--system", name]) == 0
    printed = capsys.readouterr().out
    digits = 2 if name == "aga" else 0
    assert f"{low:.{digits}f}" in printed
    assert f"{high:.{digits}f}" in printed


@pytest.mark.parametrize("name", FIELDS)
def test_every_system_explains(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", document(tmp_path, name, RECORDS[name]), "--system", name, "--explain", "id1"]) == 0
    assert "Round 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "record", "game", "rank", "words"),
    [
        ("aga", RECORDS["aga"], {}, "0d", "'0d' is not a go rank"),
        ("aga", RECORDS["aga"], {}, "3x", "'3x' is not a go rank"),
        ("aga", RECORDS["aga"], {"result": "1/2-1/2"}, "2d", "is a draw"),
        ("glicko", {"rating": 1500, "deviation": -50}, {}, "2d", "deviation -50"),
        ("glicko2", {"rating": 1500, "deviation": 50}, {}, "2d", "no 'volatility'"),
        ("st_charles", {"rating": 250, "games": 3}, {}, "2d", "under the floor"),
    ],
)
def test_wrong_input_is_a_clear_error(
    name: str,
    record: Any,
    game: dict[str, Any],
    rank: str,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rate", document(tmp_path, name, record, game, rank), "--system", name]) == 1
    assert words in capsys.readouterr().err


def test_a_skipped_go_game_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", document(tmp_path, "aga", RECORDS["aga"], {"handicap": 10}), "--system", "aga", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["ratings"] == []
    assert "warning" in shown.err
    assert "10 stones" in shown.err


@pytest.mark.parametrize(
    ("variant", "of"),
    [
        ("aga_matthews", "aga"),
        ("aga_chess", "aga"),
        ("glicko_1995", "glicko"),
        ("cxr", "st_charles"),
        ("harkness", "st_charles"),
    ],
)
def test_every_variant_that_rules_lists_rates(
    variant: str, of: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {"rating": 1500, "sigma": 100, "date": "2025-05-04"} if variant == "aga_chess" else RECORDS[of]
    found = json.loads(_answer(capsys, ["rate", document(tmp_path, of, record), "--system", variant, "--json"]))
    assert found["ratings"][0]["post"] > found["ratings"][0]["prior"]
    assert _answer(capsys, ["rules", "--system", variant])


def _answer(capsys: pytest.CaptureFixture[str], words: list[str]) -> str:
    assert main(words) == 0, capsys.readouterr().err
    return capsys.readouterr().out
