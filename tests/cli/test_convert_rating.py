"""`crosstable convert-rating`: the answers of commands.md, and a fit from pairs."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.systems.conversions import convert_rating


@pytest.mark.parametrize(
    ("words", "rating"),
    [
        (["--from", "fide", "--rating", "2250", "--on", "1996-08-01", "--rules", "uscf_1996"], 2282),  # table 1
        (["--from", "cfc", "--rating", "2440", "--on", "1996-08-01", "--rules", "uscf_1996"], 2445),  # table 2
        (["--from", "fide", "--rating", "2252.5", "--on", "1996-08-01", "--rules", "uscf_1996"], 2285.5),  # 2282, 2289
        (["--from", "fide", "--rating", "1900", "--on", "2025-08-01"], 1903.73),  # commands.md
    ],
)
def test_answers(capsys: pytest.CaptureFixture[str], words: list[str], rating: float) -> None:
    assert main(["convert-rating", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"rating": rating}
    assert main(["convert-rating", *words]) == 0
    assert capsys.readouterr().out == f"{rating}\n"


def test_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pairs on the line y = x + 50 give it back."""
    file = tmp_path / "pairs.csv"
    file.write_text("fide,own\n" + "".join(f"{rating},{rating + 50}\n" for rating in range(2000, 2400, 10)))
    words = ["convert-rating", "fit", str(file), "--step", "100", "--samples", "5"]
    assert main([*words, "--json", "--plot", str(tmp_path / "fit.png")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pairs"] == 40
    assert [row["foreign"] for row in found["rows"]] == [2000, 2100, 2200, 2300]
    assert [row["rating"] for row in found["rows"]] == pytest.approx([2050, 2150, 2250, 2350])
    assert (tmp_path / "fit.png").stat().st_size > 1000
    assert main(words) == 0
    assert "2150" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--from", "fide", "--rating", "2110", "--rules", "uscf_1996"], "2115 to 2660"),
        (["--from", "fide", "--rating", "1900", "--on", "1999-01-01"], "2001-01-01"),
        (["fit", "no-such-file.csv"], "no-such-file.csv"),
    ],
)
def test_wrong_input(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert main(["convert-rating", *words]) == 1
    assert message in capsys.readouterr().err


def test_a_pair_without_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("2000,2050\n2010,unknown\n")
    assert main(["convert-rating", "fit", str(file)]) == 1
    assert "line 2: '2010,unknown' is not a pair of ratings" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [[], ["--from", "fide"], ["--from", "elo", "--rating", "1"], ["fit"], ["--from", "fide", "--rating", "nan"]],
)
def test_a_wrong_command_line(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["convert-rating", *words])
    assert caught.value.code == 2


def test_unknown_names_in_the_library() -> None:
    with pytest.raises(CrosstableError, match="no conversion from 'ecf'"):
        convert_rating("ecf", 2000, date(2025, 1, 1))


@pytest.mark.parametrize(
    ("source", "rating", "add"),
    [("fide", 2250, 32), ("fide", 2400, 63), ("fide", 2660, 2), ("cfc", 1510, -89), ("cfc", 2440, 5)],
)
def test_the_printed_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, rating: int, add: int
) -> None:
    """1996 report, 3.1 and 3.2: "32 points need to be added" to FIDE 2250, and so on; figures B.1 to B.4 draw them."""
    for number, words in enumerate(([], ["--difference"])):
        plot = tmp_path / f"figure{number}.svg"
        assert main(["convert-rating", "table", "--from", source, "--plot", str(plot), "--json", *words]) == 0
        rows = {row["foreign"]: row["rating"] for row in json.loads(capsys.readouterr().out)["rows"]}
        assert rows[rating] - rating == add
        assert plot.stat().st_size > 1000
