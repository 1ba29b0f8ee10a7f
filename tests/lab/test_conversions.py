"""From pairs of ratings to a conversion: table, band, plot; and the mistakes that a file can hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crosstable.errors import CrosstableError
from crosstable.lab.conversions import draw, fit_conversion, pairs_of_players, read_pairs
from crosstable.model import ForeignRating, Player, Rating
from crosstable.rulebook import rulebook


def printed_pairs() -> list[tuple[float, float]]:
    table = rulebook("uscf_1996").rules["fide_conversion"].written[0]
    return list(zip(table["foreign"], table["uscf"], strict=True))


def test_a_fit_through_the_printed_table_gives_the_printed_table_back() -> None:
    """The printed curve is smooth: a local parabola through its own rows stays within two points of every row."""
    conversion = fit_conversion(printed_pairs(), span=0.3, step=5, samples=0)
    printed = dict(printed_pairs())
    assert [row.foreign for row in conversion.rows] == list(printed)
    assert max(abs(row.rating - printed[row.foreign]) for row in conversion.rows) < 2
    assert conversion.convert(2250) == pytest.approx(2282, abs=1)
    assert conversion.convert(2110) is None


def test_a_known_line_is_found_through_noise_and_outliers() -> None:
    """y = 1.1 x - 240 with a spread of 40 and every tenth player 500 points off."""
    random = np.random.default_rng(3)
    x = random.uniform(1500, 2500, 400)
    y = 1.1 * x - 240 + random.normal(0, 40, 400)
    y[::10] -= 500
    conversion = fit_conversion(list(zip(x, y, strict=True)), degree=1, step=100, samples=40)
    for row in conversion.rows:
        truth = 1.1 * row.foreign - 240
        assert row.rating == pytest.approx(truth, abs=25)
        assert row.low <= row.rating <= row.high


def test_pairs_of_an_offices_own_players() -> None:
    """Who holds both, the own rating established."""
    fide, cfc = ForeignRating(2250), ForeignRating(2440)
    players = [
        Player(1, "a", ratings={"OTBR": Rating(2290, games=100)}, fide=fide, cfc=cfc),
        Player(2, "b", ratings={"OTBR": Rating(2300, games=25)}, fide=fide),
        Player(3, "c", ratings={"OTBR": Rating(2310)}, fide=fide),
        Player(4, "d", ratings={"OTBQ": Rating(2310)}, fide=fide),
        Player(5, "e", ratings={"OTBR": Rating(2310)}),
    ]
    assert pairs_of_players(players) == [(2250, 2290), (2250, 2310)]
    assert pairs_of_players(players, "cfc") == [(2440, 2290)]


def test_pairs_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("fide,uscf\n2200,2215\n\n2300; 2346\n2400\t2463\n2500 2566\n")
    assert read_pairs(file) == [(2200, 2215), (2300, 2346), (2400, 2463), (2500, 2566)]


@pytest.mark.parametrize("line", ["2300,NA", "2300", "2300,2346,1", "abc,def", "2300,inf"])
def test_a_pair_without_numbers_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(f"2200,2215\n{line}\n")
    with pytest.raises(CrosstableError, match=r"line 2: .* is not a pair of ratings"):
        read_pairs(file)


def test_other_mistakes(tmp_path: Path) -> None:
    with pytest.raises(CrosstableError, match="no pairs"):
        fit_conversion([])
    with pytest.raises(CrosstableError, match="too few"):
        fit_conversion([(2200, 2215), (2300, 2346)])
    with pytest.raises(CrosstableError, match="step"):
        fit_conversion(printed_pairs(), step=0)
    with pytest.raises(CrosstableError, match="cannot read"):
        read_pairs(tmp_path / "absent.csv")


@pytest.mark.parametrize("difference", [False, True])
def test_a_plot(tmp_path: Path, difference: bool) -> None:
    conversion = fit_conversion(printed_pairs(), step=20, samples=5)
    draw(conversion, tmp_path / "curve.png", source="FIDE", difference=difference)
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(CrosstableError, match="is not a picture format"):
        draw(conversion, tmp_path / "curve.txt")
