"""The desks for other federations, pairs for a conversion, and an office as history tables."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from simulated import ADMIN, OFFICER, Federation, adjusted, data, document, rated
from test_history_import import tables

from conftest import connect
from crosstable.cli import main
from crosstable.office import players
from crosstable.office.history import import_history
from crosstable.office.history.exporting import export_history
from crosstable.office.history.tables import HistoryTablesError, file_hash, read
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import ExternalRating, RatingRow
from crosstable.office.players.cfc_desk import cfc_desk
from crosstable.office.queries.pairs import pairs
from crosstable.office.rating import run
from crosstable.office.reports import accepting, review_queue, submissions
from crosstable.office.storage import clock
from crosstable.words.places import place_text

ADA, BEN, CAY = "30000001", "30000002", "30000003"


@pytest.fixture
def ready(office: str) -> str:
    office_settings.create()
    content = document(
        "Open",
        date(2025, 6, 7),
        [ADA, BEN],
        [(1, 1, 2, "1/2-1/2")],
        control="G/120;d5",
        facts={ADA: rated(2300), BEN: rated(2300, 10)},
    )
    accepting.accept(OFFICER, submissions.submit(OFFICER, data(content), "event.json").event)
    return office


def listed(player: str, kind: str, rating: float, day: date, games: int | None = None) -> None:
    ExternalRating.objects.create(player=players.find(player), kind=kind, rating=rating, date=day, games=games)


def test_the_cfc_desk_has_those_without_a_us_rating(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    """2025 section 2.2 and footnote 2: CFC 1500 of a Canadian resident is -650 + 1.28 x 1500 = 1270."""
    for player, canadian in ((CAY, True), ("30000004", False)):
        players.add(OFFICER, player, name="Cay", canadian_resident=canadian)
        listed(player, "cfc", 1500, date(2025, 6, 1))
    listed(ADA, "cfc", 2200, date(2025, 6, 1))  # she has a US rating
    found = [(one.player, one.converted, bool(one.reason)) for one in cfc_desk(OFFICER, date(2025, 7, 1))]
    assert found == [(CAY, 1270.0, False), ("30000004", None, True)]
    assert main(["office", "--db", ready, "cfc-desk", "--on", "2025-07-01"]) == 0
    assert "CFC 1500 of 2025-06-01, converts to 1270" in capsys.readouterr().out


def test_pairs_are_of_established_players_active_in_both(ready: str, tmp_path: Path) -> None:
    """1996 report, B: established (Ben is not), FIDE 2200 or more, both in the same year, ten FIDE games or more
    in it.
    """
    for player, games in ((ADA, 6), (BEN, 20)):
        listed(player, "fide", 2250, date(2025, 5, 1), games)
    listed(ADA, "fide", 2250, date(2024, 7, 1), 30)  # more than a year before
    assert pairs(OFFICER, "fide", date(2025, 7, 1)) == []  # six games
    listed(ADA, "fide", 2250, date(2025, 3, 1), 4)
    out = tmp_path / "pairs.csv"
    arguments = ["office", "--db", ready, "pairs", "fide", "--on", "2025-07-01", "--out", str(out)]
    assert main(arguments) == 0
    assert out.read_text().splitlines() == ["foreign,own", "2250,2300"]
    assert main([*arguments[:6], "2027-07-01", *arguments[7:]]) == 0
    assert out.read_text().splitlines() == ["foreign,own"]


def test_an_office_goes_through_its_tables_unchanged(spare: Callable[[], str], tmp_path: Path) -> None:
    """Export, import into an empty office: one hash."""
    connect(spare())
    office_settings.create()
    import_history(ADMIN, tables(tmp_path))
    before = run.fingerprint()
    done = export_history(OFFICER, tmp_path / "out")
    assert (done.sections, done.left_out) == (5, 0)
    connect(spare())
    office_settings.create()
    import_history(ADMIN, tmp_path / "out")
    assert run.fingerprint() == before


def ratings() -> list[tuple[Any, ...]]:
    """Every rating in order, with all that a record carries on; events have other numbers in another office."""
    state = ("wins", "draws", "losses", "three_game_events", "peak", "prize_floor", "ceiling", "lowered_floor")
    rows = RatingRow.objects.order_by("position", "pool", "number")
    return list(rows.values_list("player__number", "pool", "prior", "post", "state_games", *state))


def test_an_office_of_its_own_events_goes_through_its_tables_too(spare: Callable[[], str], tmp_path: Path) -> None:
    """Openings with decimals and known results, adjustments, floors and merges; nobody began by age."""
    connect(spare())
    office_settings.create()
    federation = Federation(5, size=40)
    federation.facts = lambda player: {
        "ratings": {"OTBR": {"rating": 1000.25 + int(player) % 1300, "games": 30 + int(player) % 60, "peak": 2100.5}}
    }
    federation.event_of = federation.event
    federation.event = lambda day=None: over_the_board(federation.event_of(day))
    federation.fill(25)
    first, second, third = federation.people[:3]
    players.merge(OFFICER, second, first, "one person")
    adjusted(third, "OTBR", date(2025, 6, 1), {"prize_floor": 1900.0}, "money floor")
    adjusted(federation.people[3], "OTBR", date(2023, 6, 1), {"rating": 1712.5, "ceiling": 1800.0}, "checked by hand")
    before = ratings()
    done = export_history(OFFICER, tmp_path / "one")
    assert (done.sections, done.left_out, done.differs) == (25, 0, ())
    connect(spare())
    office_settings.create()
    import_history(ADMIN, tmp_path / "one")
    assert ratings() == before
    export_history(OFFICER, tmp_path / "two")
    assert file_hash(tmp_path / "two") == file_hash(tmp_path / "one")


def over_the_board(content: dict[str, Any]) -> dict[str, Any]:
    content["sections"][0] |= {"mode": "otb"}
    return content


def test_an_export_names_what_it_cannot_hold(ready: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cay has a birth date, and one section is online: neither is in the tables."""
    born = {CAY: {"birth_date": "2010-05-05"}}
    for mode in ("otb", "online"):
        content = document(
            mode, date(2025, 7, 5), [ADA, CAY], [(1, 1, 2, "1-0")], control="G/120;d5", facts=born, mode=mode
        )
        accepting.accept(OFFICER, submissions.submit(OFFICER, data(content), "event.json").event)
    assert main(["office", "--db", ready, "export", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().out
    assert "1 sections are not in the tables (online, abroad, or of other systems)" in told
    assert "1 players began by age, membership, or a FIDE, CFC or foreign rating" in told
    assert "2010" not in (tmp_path / "out" / "decisions.parquet").read_bytes().decode("latin-1")


def test_a_table_of_decisions_that_is_none_is_refused(spare: Callable[[], str], tmp_path: Path) -> None:
    connect(spare())
    office_settings.create()
    folder = tables(tmp_path)
    good = {"player": 1, "pool": "OTBR", "kind": "opening", "day": date(2025, 1, 1), "fields": '{"rating": 1500.0}'}
    for wrong in (
        {"kind": "gift"},
        {"fields": "[]"},
        {"fields": '{"birth_date": "2010-05-05"}'},
        {"pool": None},
        {"fields": '{"rating": "high"}'},
        {"fields": '{"match_changes": [1]}'},
    ):
        pl.DataFrame([good | wrong]).write_parquet(folder / "decisions.parquet")
        with pytest.raises(HistoryTablesError, match=r"decisions.parquet, row 1"):
            import_history(ADMIN, folder)
    assert not RatingRow.objects.exists()


def test_the_tables_of_an_office_hold_what_was_played_over_the_board(ready: str, tmp_path: Path) -> None:
    federation = Federation(3, size=40)
    federation.fill(12)
    assert main(["office", "--db", ready, "export", str(tmp_path / "out")]) == 0
    found = read(tmp_path / "out")
    kept = {number: one for number, one in federation.made.items() if one["sections"][0]["mode"] == "otb"}
    assert len(found["sections"]) == len(kept) + 1
    assert len(found["games"]) == sum(len(one["sections"][0]["games"]) for one in kept.values()) + 1


def test_a_floor_is_shown_with_its_reason(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    """2300 established: 2300 - 200 = 2100, the highest earned floor (2025 section 5)."""
    assert players.show(ADA)["ratings"]["OTBR"]["floor"] == {"rating": 2100.0, "reason": "earned by 2300"}
    assert main(["office", "--db", ready, "players", "show", ADA]) == 0
    assert "floor 2100, earned by 2300" in capsys.readouterr().out


def test_review_points_out_a_cfc_rating_without_a_us_rating(ready: str) -> None:
    """2025 section 2.2, footnote 2; Ada has a US rating."""
    cfc = {"cfc": {"rating": 1500, "date": "2025-06-01"}}
    content = document(
        "Next", date(2025, 7, 5), [ADA, CAY], [(1, 1, 2, "1-0")], control="G/120;d5", facts={CAY: cfc, ADA: cfc}
    )
    number = submissions.submit(OFFICER, data(content), "event.json").event
    (waiting,) = review_queue.review(OFFICER, number)
    assert [place_text(one.place) for one in waiting.findings if one.code == "cfc-conversion"] == [f"player {CAY}"]


def test_the_cfc_desk_has_reports_that_wait_and_first_ratings(
    ready: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The notice of a review points here: CFC 1500 is -650 + 1.28 x 1500 = 1270, of residents (2025 section 2.2)."""
    monkeypatch.setattr(clock, "today", lambda: date(2025, 7, 1))
    facts = {
        CAY: {"cfc": {"rating": 1500}, "canadian_resident": True},
        "30000004": {"cfc": {"rating": 1500}},
    }
    games = [(1, 1, 2, "1-0"), (2, 1, 3, "1-0")]
    content = document("Border Open", date(2025, 6, 14), [ADA, CAY, "30000004"], games, control="G/120;d5", facts=facts)
    event = submissions.submit(OFFICER, data(content), "event.json").event
    found = [(one.state, one.event, one.player, one.converted) for one in cfc_desk(OFFICER)]
    assert found == [("waiting", event, CAY, 1270.0), ("waiting", event, "30000004", None)]
    accepting.accept(OFFICER, event)
    found = [(one.state, one.event, one.player, one.converted) for one in cfc_desk(OFFICER)]
    assert found == [("rated", event, CAY, 1270.0), ("rated", event, "30000004", None)]
    assert main(["office", "--db", ready, "cfc-desk"]) == 0
    said = capsys.readouterr().out
    assert "0 players with a CFC rating and no US Chess rating" in said
    assert f"first rated in event {event}: CFC 1500" in said
    assert cfc_desk(OFFICER, date(2027, 7, 1)) == []
