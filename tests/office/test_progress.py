"""What `players show` says of the way to life master and of the limits of matches."""

from __future__ import annotations

from datetime import date

import pytest

from crosstable.cli import main
from crosstable.office import players
from crosstable.office.queries import player as page
from crosstable.office.storage import clock

NEW = ["players", "add", "12345678", "--name", "Ann Ames", "--rating", "2210", "--games", "400", "--on", "2025-08-01"]


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "today", lambda: date(2025, 8, 15))


def test_progress_to_life_master_and_limits_of_matches(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    """2025 §5: 300 games. §7: 100 net in 180 days (since 16 February), 200 in three years: 24 - 10 = +14 and +14
    + 40.
    """
    words = ["--games-above-2200", "120", "--match-changes", "2023-05-01 +40; 2025-03-02 +24; 2025-04-02 -10"]
    assert main(["office", "--db", ready, *NEW, *words]) == 0
    held = players.show("12345678")["ratings"]["OTBR"]
    assert held["life_master_games"] == {"games": 120, "needed": 300}
    assert held["matches"] == [
        {"since": "2025-02-16", "net": 14.0, "gain_left": 86.0, "loss_left": 114.0},
        {"since": "2022-08-15", "net": 54.0, "gain_left": 146.0, "loss_left": 254.0},
    ]
    assert main(["office", "--db", ready, "players", "show", "12345678"]) == 0
    said = capsys.readouterr().out
    assert "life master: 120 of 300 games above 2200" in said
    assert "matches since 2025-02-16: +14 net; may still gain 86 and lose 114" in said


def test_matches_of_long_ago_and_no_games_above_2200_say_nothing(ready: str) -> None:
    assert main(["office", "--db", ready, *NEW, "--match-changes", "2022-08-14 +40"]) == 0
    assert not {"life_master_games", "matches"} & set(players.show("12345678")["ratings"]["OTBR"])


def test_the_page_knows_ceiling_progress_and_matches(ready: str) -> None:
    """As above: 120 of 300 games; 24 - 10 = +14 in 180 days, 86 left of 100."""
    words = ["--games-above-2200", "120", "--match-changes", "2025-03-02 +24; 2025-04-02 -10", "--ceiling", "2250"]
    assert main(["office", "--db", ready, *NEW, *words]) == 0
    (held,) = page.player("12345678", clock.today()).pools
    assert held.ceiling == 2250
    assert held.life_master is not None
    assert (held.life_master.games, held.life_master.needed) == (120, 300)
    assert [(one.net, one.gain_left) for one in held.matches] == [(14.0, 86.0), (14.0, 186.0)]
