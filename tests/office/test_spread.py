"""A run that follows a change from player to player finds what a run over everything finds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

import pytest
from simulated import OFFICER, Federation, adjusted
from test_replay_equality import from_scratch

from crosstable.office import players
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Player
from crosstable.office.rating import rerating, run
from crosstable.office.rating.incremental import algorithm, next_sections
from crosstable.office.rating.run import Outcome
from crosstable.office.reports import accepting

pytestmark = pytest.mark.both_databases


@pytest.fixture
def held_against_everything(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every run of an act is done both ways; how many sections the one that follows the change left out."""
    left_out: list[int] = []
    monkeypatch.setattr(algorithm, "worth_following", lambda *_: True)

    def both(
        position: int, gone: Sequence[int] | None, who: Collection[int] | None, progress: object = None
    ) -> Outcome:
        everything = run.compute(position, gone=gone)
        if who is None:
            return everything
        followed = algorithm.compute(position, who, gone or ())
        for name in ("added", "removed"):
            one, other = (
                getattr(outcome, name).sort("section_id", "pool", "number") for outcome in (followed, everything)
            )
            assert one.equals(other), name
        for name in ("signatures", "reasons", "refused"):
            assert getattr(followed, name) == getattr(everything, name), name
        left_out.append(len(everything.sections) - len(followed.sections))
        return followed

    monkeypatch.setattr(rerating, "_compute", both)
    return left_out


@pytest.mark.parametrize(("most", "following"), [(1000, 4), (3, 1), (2, 2), (20, 1)])
def test_every_act_gives_the_same_outcome(
    office: str, held_against_everything: list[int], monkeypatch: pytest.MonkeyPatch, most: int, following: int
) -> None:
    """Corrections, withdrawals, returns and merges; decisions and facts; however many sections are rated at a time."""
    monkeypatch.setattr(algorithm, "MOST", most)
    monkeypatch.setattr(next_sections, "NEXT", following)
    office_settings.create()
    federation = Federation(most, size=60)
    federation.fill(30, step=15)
    done = [federation.change() for _ in range(12)]
    assert "correct" in done
    people = [one for one in federation.people if Player.objects.filter(number=one).exists()]
    someone = players.find(people[3]).number
    adjusted(someone, "OTBR", date(2023, 6, 1), {"rating": 1777.5, "games": 30}, "an error")
    adjusted(someone, "OTBR", date(2023, 9, 1), {"ceiling": 1780.0}, "sandbagging")
    players.change(OFFICER, people[5], "a form came in", birth_date=date(2012, 5, 1))
    players.join(OFFICER, people[6], "regular", date(2022, 1, 1))
    assert sum(held_against_everything) > 0


def test_the_same_in_other_systems(
    office: str, held_against_everything: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(next_sections, "NEXT", 1)
    office_settings.create(systems={"default": ["us_chess", "glicko"], "round-robin": ["glicko2"]})
    federation = Federation(5, size=40)
    federation.fill(14)
    for _ in range(6):
        federation.change()
    adjusted(players.find(federation.people[3]).number, "GLICKO", date(2023, 6, 1), {"rating": 1777.5}, "an error")
    assert sum(held_against_everything) > 0


def test_a_change_that_reaches_nearly_everything_is_not_followed_to_the_end(
    office: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen people who all meet: a second turn would take longer than a run over all thirty sections."""
    office_settings.create()
    federation = Federation(3, size=16)
    federation.fill(30, step=30)
    turns: list[int] = []
    rate = algorithm._Chase.rate
    monkeypatch.setattr(
        algorithm._Chase, "rate", lambda chase, places: turns.append(len(places)) or rate(chase, places)
    )
    first = min(federation.made, key=lambda number: federation.made[number]["end"])
    accepting.withdraw(OFFICER, first, "not rated after all")
    assert len(turns) == 1
    assert run.fingerprint() == from_scratch()
