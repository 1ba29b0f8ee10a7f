"""A history of three tables as an office: its own order and systems, null time controls, old matches, re-entries."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl
import pytest
from simulated import ADMIN, OFFICER, data

from crosstable.formats import event_json
from crosstable.office.history import import_history
from crosstable.office.history.tables import HistoryTablesError
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Adjustment, Player, RatingRow, Section
from crosstable.office.people.rights import NotAllowedError
from crosstable.office.rating import rerating, rules_behind, run, trace
from crosstable.office.reports import accepting, events

pytestmark = pytest.mark.both_databases

DAY = date(2001, 1, 28)


def tables(folder: Path, **changes: pl.DataFrame) -> Path:
    """Four sections of one day and one later: a dual Swiss, a match, an unparsed type, a half-K, a blitz."""
    sections = pl.DataFrame(
        {
            "section": [0, 1, 2, 3, 4],
            "start": [date(2000, 9, 28), DAY, DAY, DAY, date(2013, 6, 1)],  # before the first rules: no error here
            "end": [DAY, DAY, DAY, DAY, date(2013, 6, 1)],
            "event_end": [DAY, DAY, DAY, DAY, date(2013, 6, 1)],
            "system": ["D", "R", "Q", "R", "B"],
            "type": ["S", "M", "Time", "R", "C"],
            "k": ["F", "F", "Q", "H", "F"],
            "time_control": [None, "G/60", "??", None, "G/5"],
            "rounds": [2, 3, 1, 1, 1],
            "players": [4, 2, 2, 2, 2],
        },
        schema_overrides={"section": pl.Int32},
    )
    seats = [(0, 1, 11, 2048), (0, 2, 12, 1978), (0, 3, 13, None), (0, 4, 11, 2048), (1, 1, 11, 2050), (1, 2, 14, 900)]
    seats += [
        (2, 1, 12, None),
        (2, 2, 13, None),
        (3, 1, 11, None),
        (3, 2, 12, None),
        (4, 1, 13, None),
        (4, 2, 14, None),
    ]
    rows = []
    for section, number, player, pre in seats:
        rows.append(
            {
                "section": section,
                "number": number,
                "player": player,
                "regular_pre": pre,
                "regular_pre_games": None,
                "quick_pre": 1500 if player == 12 else None,
                "quick_pre_games": 7 if player == 12 else None,
                "blitz_pre": None,
                "blitz_pre_games": None,
            }
        )
    entries = pl.DataFrame(rows, schema_overrides={name: pl.Int16 for name in rows[0] if "pre" in name})
    games = pl.DataFrame(
        [
            (0, 1, 1, 2, 2),
            (0, 1, 3, 4, 0),
            (0, 2, 1, 3, 1),
            (0, 2, 2, 4, 2),
            (1, 1, 1, 2, 2),
            (1, 2, 1, 2, 2),
            (1, 3, 1, 2, 2),
            (2, 1, 1, 2, 0),
            (3, 1, 1, 2, 1),
            (4, 1, 1, 2, 2),
        ],
        schema=["section", "round", "number", "opponent", "half_points"],
        orient="row",
    )
    for name, table in {"sections": sections, "entries": entries, "games": games, **changes}.items():
        table.write_parquet(folder / f"{name}.parquet")
    return folder


@pytest.fixture
def imported(office: str, tmp_path: Path) -> Path:
    office_settings.create()
    folder = tables(tmp_path)
    done = import_history(ADMIN, folder)
    assert (done.sections, done.players, done.games) == (5, 4, 10)
    return folder


def test_everything_is_rated_in_the_tables_order_and_systems(imported: Path) -> None:
    rows = Section.objects.order_by("position")
    assert [row.keys for row in rows] == ["OTBR,OTBQ", "OTBR", "OTBQ", "OTBR", "OTBB"]
    assert [row.event.number for row in rows] == [f"H{number:07d}" for number in range(5)]
    assert set(RatingRow.objects.values_list("section_id", flat=True)) == {row.id for row in rows}


def test_no_section_stands_behind_the_rules_not_even_one_that_is_older(imported: Path) -> None:
    assert rules_behind.behind() is None


def test_first_published_ratings_open_the_records(imported: Path) -> None:
    openings = Adjustment.objects.filter(kind=Adjustment.OPENING)
    found = {(row.player.number, row.pool): (row.fields["rating"], row.fields["games"]) for row in openings}
    assert found == {
        ("11", "OTBR"): (2048.0, 50),
        ("12", "OTBR"): (1978.0, 50),
        ("14", "OTBR"): (900.0, 50),
        ("12", "OTBQ"): (1500.0, 7),
    }
    first = RatingRow.objects.filter(player__number="11", pool="OTBR").order_by("position").first()
    assert first is not None
    assert (first.prior, first.number) == (2048.0, 1)
    newcomer = RatingRow.objects.filter(player__number="13", pool="OTBR").order_by("position").first()
    assert newcomer is not None
    assert newcomer.initialized


def test_a_reentry_is_one_player(imported: Path) -> None:
    rows = RatingRow.objects.filter(section__event__number="H0000000", pool="OTBR")
    assert sorted((row.player.number, row.games) for row in rows) == [("11", 4), ("12", 2), ("13", 2)]


def test_the_match_is_limited_though_never_eligible(imported: Path) -> None:
    row = RatingRow.objects.get(section__event__number="H0000001", player__number="14")
    assert row.prior == 900.0
    assert abs(row.post - row.prior) <= 50


def test_the_same_tables_again_change_nothing(imported: Path) -> None:
    before = run.fingerprint()
    assert import_history(ADMIN, imported).already
    assert run.fingerprint() == before
    assert Player.objects.count() == 4
    tables(imported, games=pl.read_parquet(imported / "games.parquet").head(9))
    with pytest.raises(HistoryTablesError, match="other tables"):
        import_history(ADMIN, imported)


def test_rerating_gives_the_same(imported: Path) -> None:
    assert rerating.rerate(OFFICER).rows_added == 0


def test_an_imported_event_can_be_corrected_and_withdrawn(imported: Path) -> None:
    before = run.fingerprint()
    content = event_json.to_json(events.document("H0000000"))
    content["sections"][0]["games"][0]["result"] = "0-1"
    preview = accepting.correct(OFFICER, "H0000000", data(content), "event.json", "typo", preview=True)
    done = accepting.correct(OFFICER, "H0000000", data(content), "event.json", "typo")
    assert done.rows_added == preview.rows_added > 0
    content["sections"][0]["games"][0]["result"] = "1-0"
    accepting.correct(OFFICER, "H0000000", data(content), "event.json", "no typo")
    assert run.fingerprint() == before
    accepting.withdraw(OFFICER, "H0000001", "a match between strangers")
    assert run.compute(run.BEGINNING).nothing


def test_imported_rows_show_their_traces(imported: Path) -> None:
    for row in RatingRow.objects.select_related("section__event", "player"):
        answer = trace.trace(row.section.event.number, 1, row.player.number, row.pool, public=False)
        assert answer.post == row.post


@pytest.mark.parametrize("name", ["sections", "entries", "games"])
def test_damaged_tables_are_refused_and_nothing_is_written(office: str, tmp_path: Path, name: str) -> None:
    office_settings.create()
    folder = tables(tmp_path)
    whole = (folder / f"{name}.parquet").read_bytes()
    (folder / f"{name}.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(HistoryTablesError, match=name):
        import_history(ADMIN, folder)
    (folder / f"{name}.parquet").unlink()
    with pytest.raises(HistoryTablesError, match=name):
        import_history(ADMIN, folder)
    assert not Player.objects.exists()


def test_unsorted_or_incomplete_tables_are_refused(office: str, tmp_path: Path) -> None:
    office_settings.create()
    folder = tables(tmp_path)
    sections = pl.read_parquet(folder / "sections.parquet")
    tables(tmp_path, sections=sections.reverse())
    with pytest.raises(HistoryTablesError, match="rating order"):
        import_history(ADMIN, folder)
    tables(tmp_path, sections=sections.drop("k"))
    with pytest.raises(HistoryTablesError, match="k"):
        import_history(ADMIN, folder)
    with pytest.raises(NotAllowedError):
        import_history(OFFICER, folder)
