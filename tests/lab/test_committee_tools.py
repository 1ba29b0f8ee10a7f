"""The committee's tools on a record small enough to count by hand, and on the published one where it is at hand."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from crosstable.errors import CrosstableError
from crosstable.lab.distribution import distribution, draw_distribution
from crosstable.lab.drift import draw_drift, drift
from crosstable.lab.floors import draw_floors_and_prediction, draw_on_floors, floors_and_prediction, on_floors
from crosstable.lab.norms_record import compare, draw_norm_agreement, norm_agreement
from crosstable.lab.published import table
from crosstable.rulebook import AS_PRACTISED, AS_WRITTEN
from crosstable.titles import EventRecord, Met, Titles2010

DAYS = (date(2007, 3, 1), date(2007, 9, 1), date(2008, 3, 1))


def entry(
    section: int, number: int, player: int, pre: int, post: int, games: int | None = None, norm: str | None = None
):
    return {
        "section": section,
        "number": number,
        "player": player,
        "regular_pre": pre,
        "regular_pre_games": games,
        "regular_post": post,
        "regular_post_games": games,
        "norm": norm,
    }


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Three sections of four rounds; player 1 sits on 1500, player 4 is provisional, player 5 re-enters in
    section 2.
    """
    sections = [
        {"section": i, "event_end": day, "system": "R", "type": "S", "k": "F", "rounds": 4}
        for i, day in enumerate(DAYS)
    ]
    entries = [
        entry(0, 1, 1, 1510, 1500),
        entry(0, 2, 2, 1650, 1660),
        entry(0, 3, 3, 1850, 1840),
        entry(0, 4, 4, 1400, 1450, 9),
        entry(1, 1, 1, 1500, 1500),
        entry(1, 2, 2, 1660, 1690),
        entry(2, 1, 1, 1500, 1500),
        entry(2, 2, 2, 1690, 1700, norm="2"),
        entry(2, 3, 5, 1610, 1605),
        entry(2, 4, 5, 1610, 1605),
    ]
    games = [
        (0, 1, 2, 0),
        (0, 1, 3, 0),
        (0, 2, 3, 2),
        (0, 2, 4, 2),
        (1, 1, 2, 1),
        (1, 1, 2, 0),
        (2, 2, 3, 2),
        (2, 2, 4, 2),
        (2, 1, 2, 0),
        (2, 1, 2, 0),
    ]
    rows = [
        {"section": s, "round": i, "number": a, "opponent": b, "half_points": h}
        for i, (s, a, b, h) in enumerate(games, 1)
    ]
    for name, content in (("sections", sections), ("entries", entries), ("games", rows)):
        pl.DataFrame(content).with_columns(pl.col(pl.Int64).cast(pl.Int32)).write_parquet(tmp_path / f"{name}.parquet")
    return tmp_path


def test_floors_by_hand(record: Path) -> None:
    """2007 ends with 1500, 1690 and 1840 (the provisional player is not counted): one of three ends in 00. 2008: 2 of
    3.
    """
    rows = on_floors(record).to_dicts()
    assert [(row["year"], row["players"], row["ending_in_00"]) for row in rows] == [(2007, 3, 1), (2008, 3, 2)]
    assert rows[0]["share"] == pytest.approx(1 / 3)
    assert rows[0]["on_floor"] == pytest.approx(1 / 3 - 2 / 99 / 3)


def test_distribution_by_hand(record: Path) -> None:
    rows = distribution(record).filter(pl.col("year") == 2007).to_dicts()
    assert [(row["from"], row["players"]) for row in rows] == [(1500, 1), (1600, 1), (1800, 1)]


def test_drift_by_hand(record: Path) -> None:
    """Players 1 and 2 are there in both years: 1500 to 1500, 1690 to 1700."""
    (row,) = drift(record).filter(pl.col("band") == "all").to_dicts()
    assert (row["players"], row["mean_change"], row["median_change"]) == (2, 5, 5)


def test_floors_and_prediction_by_hand(record: Path) -> None:
    """In 2007 player 1 is on 1500 in section 1 only: half a point of two games against 1660, expected 0.2848 each."""
    rows = {(row["year"], row["rated"]): row for row in floors_and_prediction(record).to_dicts()}
    row = rows[2007, "on a hundred"]
    assert row["games"] == 2
    assert row["surplus"] == pytest.approx(0.25 - 1 / (1 + 10 ** (160 / 400)))


def test_norms_by_hand(record: Path) -> None:
    """Section 2: four wins of four against 1500 (twice) and 1605 (one person, re-entered): at 1600 the table expects 2
    x (0.5 + 100/400) + 2 x (0.5 - 5/800) = 2.4875, so 1.51 over; at 1800 it expects 4 x 1 - ... = 3.975, 0.01 over."""
    rows = {row["player"]: row for row in compare(record).filter(pl.col("section") == 2).to_dicts()}
    assert (rows[2]["shown"], rows[2]["ours"]) == (1600, 1600)
    assert rows[2]["meetings"] == 2
    assert rows[5]["games"] == 2
    agreement = norm_agreement(record).filter(pl.col("year") == 2008).to_dicts()[0]
    assert (agreement["results"], agreement["same"], agreement["norms_shown"]) == (3, 3, 1)


def test_the_plots(record: Path, tmp_path: Path) -> None:
    draw_on_floors(on_floors(record), tmp_path / "a.png")
    draw_distribution(distribution(record), tmp_path / "b.png")
    draw_drift(drift(record), tmp_path / "c.png")
    draw_floors_and_prediction(floors_and_prediction(record), tmp_path / "d.png")
    draw_norm_agreement(record, tmp_path / "e.png")
    assert all((tmp_path / f"{name}.png").stat().st_size > 1000 for name in "abcde")


def test_broken_records_are_named(record: Path) -> None:
    with pytest.raises(CrosstableError, match="no such file"):
        on_floors(record / "nowhere")
    with pytest.raises(CrosstableError, match="no column colour"):
        table(record, "games", ("colour",))
    (record / "games.parquet").write_bytes(b"not parquet")
    with pytest.raises(CrosstableError, match="not a table"):
        floors_and_prediction(record)


@pytest.mark.shared
@pytest.mark.parametrize("profile", [AS_PRACTISED, AS_WRITTEN])
def test_the_columns_and_the_pure_function_agree(shared: Path, tmp_path: Path, profile: str) -> None:
    """On 60 published sections every result gets the norm that Titles2010 gives it alone."""
    data = shared / "data"
    sections = pl.read_parquet(data / "sections.parquet").filter(pl.col("rounds") >= 3).gather_every(1400)
    kept = sections["section"].to_list()
    for name in ("sections", "entries", "games"):
        whole = pl.scan_parquet(data / f"{name}.parquet").filter(pl.col("section").is_in(kept)).collect()
        whole.write_parquet(tmp_path / f"{name}.parquet")
    found = {(row["section"], row["player"]): row["ours"] for row in compare(tmp_path, profile).to_dicts()}
    assert found
    titles = Titles2010(profile)
    for (section, player), record in records_of(tmp_path).items():
        if (section, player) in found:
            assert found[section, player] == (titles.highest_norm(record) or 0), (section, player)


def records_of(folder: Path) -> dict[tuple[int, int], EventRecord]:
    """The plain way: one record a person, from the tables row by row."""
    sections = {row["section"]: row for row in pl.read_parquet(folder / "sections.parquet").to_dicts()}
    seats = {(row["section"], row["number"]): row for row in pl.read_parquet(folder / "entries.parquet").to_dicts()}
    met: dict[tuple[int, int], list[tuple[Met, float]]] = {}
    for game in pl.read_parquet(folder / "games.parquet").to_dicts():
        here, there = (game["section"], game["number"]), (game["section"], game["opponent"])
        for one, other, halves in ((here, there, game["half_points"]), (there, here, 2 - game["half_points"])):
            if one in seats and other in seats:
                rival = seats[other]
                key = (one[0], seats[one]["player"])
                met.setdefault(key, []).append((Met(None, rival["regular_post"], str(rival["player"])), halves / 2))
    return {
        (section, player): EventRecord(
            sections[section]["event_end"],
            sections[section]["rounds"],
            sum(score for _, score in games),
            tuple(rival for rival, _ in games),
            weight={"H": "half", "Q": "quarter"}.get(sections[section]["k"], "full"),
        )
        for (section, player), games in met.items()
    }


@pytest.mark.shared
def test_the_published_record(shared: Path) -> None:
    """What docs/titles.md and docs/report-1996.md say of it."""
    data = shared / "data"
    agreement = norm_agreement(data)
    assert agreement["agreement"].min() > 0.999
    floors = {row["year"]: row["on_floor"] for row in on_floors(data).to_dicts()}
    assert 0.03 < floors[2013] < 0.05 < floors[2006] < 0.07
    points = {(row["year"], row["rated"]): row["points"] for row in floors_and_prediction(data).to_dicts()}
    assert points[2012, "on a hundred"] < -60
    assert -15 < points[2012, "elsewhere"] < 0
