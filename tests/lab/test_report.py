"""Calibration by arithmetic, and the report in a browser without a network."""

from __future__ import annotations

import math
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab import calibration
from crosstable.lab.report import charts
from crosstable.lab.report.page import LabReport, ReportSection, document, write
from crosstable.lab.source import read_source
from tests.lab.small import FIRST, csv, tables, written


def test_wilsons_interval() -> None:
    """8 of 10: the textbook's 0.49 to 0.94."""
    low, high = calibration.wilson(np.array([0.8]), np.array([10.0]))
    assert (round(float(low[0]), 2), round(float(high[0]), 2)) == (0.49, 0.94)


def test_bins_look_from_the_favourites_side() -> None:
    table = calibration.bins(np.array([0.62, 0.38, 0.93]), np.array([1.0, 0.5, 1.0]))
    assert table["n"].to_list() == [2, 1]
    assert table["score"].to_list() == [0.75, 1.0]
    assert table["expected"].to_list() == pytest.approx([0.62, 0.93])


def test_recalibration_finds_the_slope_and_whites_points() -> None:
    random = np.random.default_rng(1)
    logit = random.normal(0, 1.5, 60_000)
    score = (random.random(60_000) < 1 / (1 + np.exp(-(0.7 * logit + 0.2)))).astype(float)
    found = calibration.recalibrated(1 / (1 + np.exp(-logit)), score, np.ones(60_000, bool))
    assert found.intercept == pytest.approx(0.2, abs=0.03)
    assert found.slope == pytest.approx(0.7, abs=0.03)
    assert found.ece > 0.02


def test_days_since_the_last_event(tmp_path: Path) -> None:
    text = "date,white,black,score\n2020-01-01,A,B,1\n2020-01-31,A,C,1\n2020-01-31,B,A,0\n2020-03-01,C,B,0\n"
    found = calibration.days_since_last(read_source(str(csv(tmp_path, text))).games)
    assert np.array_equal(found, [[np.nan, np.nan], [30, np.nan], [30, 30], [30, 30]], equal_nan=True)


def test_bias_by_groups_is_score_minus_expectation(tmp_path: Path) -> None:
    text = "date,white,black,score,white_rating,black_rating,white_games,black_games\n"
    text += "2020-01-01,A,B,1,1500,1720,10,\n2020-01-01,C,D,0.5,1800,1810,,\n"
    games = read_source(str(csv(tmp_path, text))).games
    table = calibration.groups(games, np.ones(2, bool), np.array([0.2, 0.5]))
    by = {(row["by"], row["group"]): row for row in table.to_dicts()}
    assert by["rating gap", "200 to 299"]["bias"] == pytest.approx(0 - 0.8)
    assert by["rating gap", "0 to 49"]["bias"] == pytest.approx(0)
    assert by["rating", "provisional"]["bias"] == pytest.approx(0.8)
    assert by["class", "1600 to 1999"]["n"] == 3


def test_figures_are_shown_with_digits_that_tell_something() -> None:
    """A column's figures have the same number of digits: points none or one, a deviance five."""
    columns = {
        "deviance": [0.246571, -0.5, math.nan],
        "slope": [1.5, 0.25, None],
        "points": [1512.34, 3.0, -0.06],
        "whole": [60.0, 4.0, -522.0],
        "games": [493_216, 12, None],
        "player": ["10463566", "a", None],
    }
    texts = document(LabReport("", "", (ReportSection("", table=pl.DataFrame(columns, strict=False)),)))["parts"][0][
        "table"
    ]["rows"]
    assert [list(column) for column in zip(*texts, strict=True)] == [
        ["0.24657", "−0.50000", "–"],
        ["1.50", "0.25", ""],
        ["1,512.3", "3.0", "−0.1"],
        ["60", "4", "−522"],
        ["493,216", "12", ""],
        ["10463566", "a", ""],
    ]


def test_a_chart_names_each_year_once_and_every_line_in_full() -> None:
    name = "Bonus multiplier 8 from 2013 on, as the committee asks"
    rows = [(rules, year, 1.0) for rules in (name, "actual") for year in (2005, 2006, 2007)]
    frame = pl.DataFrame(rows, ["system", "year", "points"], orient="row")
    drawn = charts.lines(frame, "year", "points", ["actual", name], "Points", across="year", up="points")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    assert [text for text in texts if text.startswith("200")] == ["2005", "2006", "2007"]
    assert name in texts
    assert 'stroke-dasharray="7,5"' in drawn
    assert drawn.index(charts.COLOURS[0]) < drawn.index(charts.COLOURS[1])


def test_of_many_years_some_are_named() -> None:
    """2001 to 2013 are twelve steps: every second year."""
    frame = pl.DataFrame({"year": [2001, 2013]})
    assert charts.years_under(frame) == [2001, 2003, 2005, 2007, 2009, 2011, 2013]


#: The labels that stick out of their chart, which hides what is beyond its edge
CUT_OFF = """() => [...document.querySelectorAll('figure svg')].flatMap(chart => {
  const edge = chart.getBoundingClientRect();
  return [...chart.querySelectorAll('text')].filter(label => {
    const box = label.getBoundingClientRect();
    return box.width && (box.left < edge.left - 1 || box.right > edge.right + 1);
  }).map(label => label.textContent);
})"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = written(tmp_path_factory.mktemp("record"), tables(events=90))
    path = tmp_path_factory.mktemp("report") / "report.html"
    arguments = ["lab", "backtest", str(folder), "--systems", "constant,published,elo,glicko2,live", "--samples", "100"]
    assert main([*arguments, "--from", str(FIRST + timedelta(days=200)), "--report", str(path)]) == 0
    return path


def test_the_report_says_how_to_repeat_it(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    for words in ("Command", "SHA-256", "Seed", "Versions", "numpy", "Calibration", "Settings"):
        assert words in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")
    assert "<script" not in text


def test_the_first_sentences_claim_no_lead_that_chance_explains(report: Path) -> None:
    """Named are just those whose interval against the best reaches 0 in the table of differences."""
    best = pl.read_csv(report.with_name("report-scores.csv"))["system"][0]
    frame = pl.read_csv(report.with_name("report-differences.csv"))
    open_pairs = frame.filter(
        ((pl.col("a") == best) | (pl.col("b") == best)) & (pl.col("low") <= 0) & (pl.col("high") >= 0)
    )
    near = {name for pair in open_pairs.select("a", "b").rows() for name in pair if name != best}
    text = report.read_text(encoding="utf-8")
    found = re.search(r"could explain its lead over (.*?): these games", text)
    assert near == (set(found[1].split(" and ")) if found else set())
    assert near


def test_every_table_stands_beside_it_twice(report: Path) -> None:
    for name in ("scores", "differences", "calibration", "slopes", "bias", "by-month", "settings"):
        one = pl.read_csv(report.with_name(f"report-{name}.csv"))
        two = pl.read_parquet(report.with_name(f"report-{name}.parquet"))
        assert one.shape == two.shape
        assert len(one) > 0


def test_it_opens_in_a_browser_without_a_network(report: Path, chromium: Any) -> None:
    asked: list[str] = []
    context = chromium.new_context(offline=True, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    problems: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(report.as_uri())
    assert page.locator("h1").inner_text() == "Which system predicts best?"
    assert page.locator("figure svg").count() >= 5
    assert page.locator("table").count() >= 6
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate(CUT_OFF) == []
    page.locator("summary").first.click()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert asked == [report.as_uri()]
    assert problems == []


def test_a_report_is_a_page(tmp_path: Path) -> None:
    folder = tmp_path / "folder.html"
    folder.mkdir()
    with pytest.raises(CrosstableError, match=r"end it in \.html"):
        write(LabReport("", "", ()), tmp_path / "report.pdf")
    with pytest.raises(CrosstableError, match="cannot write"):
        write(LabReport("", "", ()), folder)
    write(LabReport("", "", ()), tmp_path / "new" / "report.html")
    assert (tmp_path / "new" / "report.html").is_file()


def test_every_tool_of_the_lab_is_documented() -> None:
    from crosstable.cli.lab import TOOLS

    docs = Path(__file__).parents[2] / "docs"
    pages = "".join(
        (docs / name).read_text(encoding="utf-8")
        for name in ("lab.md", "verification.md", "titles.md", "report-1996.md")
    )
    missing = [name for name in TOOLS if f"lab {name}" not in pages and f"`{name}`" not in pages]
    assert missing == []
