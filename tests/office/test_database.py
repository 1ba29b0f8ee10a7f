"""Database URLs, the order of positions, and many rows at once on both databases."""

from __future__ import annotations

import math
import stat
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from conftest import connect, disconnect
from crosstable.office import migrate
from crosstable.office.ledger import order
from crosstable.office.ledger.models import Player
from crosstable.office.ledger.order import DAY, STEP, Place, arranged, date_of, day_of
from crosstable.office.rating import signature
from crosstable.office.rating.signature import Signature
from crosstable.office.storage import bulk, database

pytestmark = pytest.mark.both_databases


def test_sqlite_urls(tmp_path: object) -> None:
    assert database.parse("sqlite:////var/lib/office.db")["NAME"] == "/var/lib/office.db"
    assert database.parse("sqlite:///office.db")["NAME"].endswith("/office.db")
    options = database.parse("sqlite:///office.db")["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]


def test_postgresql_urls() -> None:
    found = database.parse("postgresql://ada:s%40cret@db.example.org:5433/league?sslmode=require")
    assert (found["NAME"], found["USER"], found["PASSWORD"]) == ("league", "ada", "s@cret")
    assert (found["HOST"], found["PORT"], found["OPTIONS"]) == ("db.example.org", "5433", {"sslmode": "require"})
    assert database.parse("postgres://ada@/league?host=/run/pg")["HOST"] == "/run/pg"


@pytest.mark.parametrize("url", ["mysql://x/y", "office.db", "sqlite://", "postgresql://host", ""])
def test_other_urls_are_refused_in_words(url: str) -> None:
    with pytest.raises(database.DatabaseURLError, match=r"sqlite:///|postgresql://"):
        database.parse(url)


def modes_when_used(path: Path) -> dict[str, int]:
    """Of the database and of the files beside it, while somebody writes."""
    connect(f"sqlite:///{path}")
    migrate()
    with database.writing():
        Player.objects.create(number="1")
    found = {one.name: stat.S_IMODE(one.stat().st_mode) for one in path.parent.glob(f"{path.name}*")}
    disconnect()
    return found


def test_a_new_office_is_its_owners_alone(tmp_path: Path) -> None:
    """It holds birth dates and password hashes; so do the files beside it."""
    found = modes_when_used(tmp_path / "office.db")
    assert found == dict.fromkeys(("office.db", "office.db-wal", "office.db-shm", "office.db-queue"), 0o600)


def test_a_mode_that_somebody_chose_stays(tmp_path: Path) -> None:
    path = tmp_path / "office.db"
    path.touch()
    path.chmod(0o660)
    found = modes_when_used(path)
    assert set(found.values()) == {0o660}
    assert "office.db-queue" in found


def test_the_environment_names_the_office(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(database.VARIABLE, raising=False)
    assert database.chosen() == database.DEFAULT
    monkeypatch.setenv(database.VARIABLE, "sqlite:///other.db")
    assert database.chosen() == "sqlite:///other.db"
    assert database.chosen("sqlite:///mine.db") == "sqlite:///mine.db"


TODAY = date(2025, 8, 3)


def wish(section: int, event: str, position: int = 0, *, start: date = TODAY, history: bool = False) -> Place:
    return Place(section, position, history, start, event, TODAY, 1)


def test_a_day_begins_with_its_decisions() -> None:
    assert date_of(day_of(TODAY)) == TODAY
    assert arranged(TODAY, [wish(1, "A")]) == {1: day_of(TODAY) + STEP}
    assert order.day_of(date(2025, 8, 4)) == day_of(TODAY) + DAY


def test_newcomers_stand_between_those_who_are_there() -> None:
    first, second = day_of(TODAY) + STEP, day_of(TODAY) + 2 * STEP
    assert arranged(TODAY, [wish(1, "A", first), wish(2, "C", second), wish(3, "B")]) == {3: first + STEP // 2}
    assert arranged(TODAY, [wish(1, "A", first), wish(2, "C", second)]) == {}


def test_where_no_gap_is_left_the_day_is_numbered_anew() -> None:
    first = day_of(TODAY) + STEP
    moves = arranged(TODAY, [wish(1, "A", first), wish(2, "C", first + 1), wish(3, "B")])
    assert moves == {1: first, 3: first + STEP, 2: first + 2 * STEP}


def test_start_goes_before_id_and_a_history_before_both() -> None:
    earlier = date(2025, 8, 1)
    places = [
        wish(1, "A"),
        wish(2, "Z", start=earlier),
        wish(3, "H0000002", history=True),
        wish(4, "H0000001", history=True),
    ]
    moves = arranged(TODAY, places)
    assert sorted(moves, key=moves.__getitem__) == [4, 3, 2, 1]


def test_signatures_say_why() -> None:
    own = Signature("a", "b", "c", "d")
    assert signature.parse(f"us_chess={own} glicko={own}") == {"us_chess": own, "glicko": own}
    assert signature.parse(signature.moved(signature.moved(f"us_chess={own}"))) == {"us_chess": own}
    assert own.differs_in(None) == "it was not rated until now"
    assert "results" in own.differs_in(Signature("x", "b", "c", "d"))
    assert "rules" in own.differs_in(Signature("a", "x", "c", "d"))
    assert "players" in own.differs_in(Signature("a", "b", "x", "d"))
    assert own.differs_in(own) == ""
    assert own.same_inputs(Signature("a", "b", "c", "x"))


def test_floats_come_back_bit_for_bit(office: str) -> None:
    """What is written in bulk is read again as it was, on both databases."""
    values = [0.1 + 0.2, 1643.759, math.pi * 1e3, 5e-324, 1.7976931348623157e308, -0.5, None]
    schema = {"player_id": pl.Int64, "kind": pl.String, "rating": pl.Float64, "date": pl.String}
    from crosstable.office.ledger.models import ExternalRating, Player

    player = Player.objects.create(number="1")
    given = [value for value in values if value is not None]
    rows = [(player.id, "fide", value, f"2025-01-{day:02d}") for day, value in enumerate(given, 1)]
    bulk.insert("ledger_externalrating", pl.DataFrame(rows, schema=schema, orient="row"))
    found = bulk.frame("SELECT rating FROM ledger_externalrating ORDER BY date", {"rating": pl.Float64})
    assert found["rating"].to_list() == given
    assert [row.rating for row in ExternalRating.objects.order_by("date")] == given
