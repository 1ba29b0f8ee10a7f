"""Prison memberships under the 1996 rules: a release, and reports and memberships in whatever order they come."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, accept, document, rated
from three_players import ADA, BEN, CAY, last

from crosstable.office import players
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Adjustment
from crosstable.office.players.profiles import decided
from crosstable.office.rating import run


@pytest.mark.parametrize("rules", [True, False])
def test_leaving_prison_is_provisional_on_one_game_where_the_1996_rules_hold(office: str, rules: bool) -> None:
    office_settings.create(prison_rules=rules)
    players.add(OFFICER, ADA, name="Ada")
    players.join(OFFICER, ADA, "prison", date(2020, 1, 1), date(2024, 12, 31))
    accept(
        document("Inside", date(2024, 5, 4), [ADA, BEN], [(n, 1, 2, "1-0") for n in range(1, 13)], control="G/120;d5")
    )
    inside = last(ADA)
    players.join(OFFICER, ADA, "regular", date(2025, 1, 1))
    accept(document("Outside", date(2025, 2, 1), [ADA, CAY], [(1, 1, 2, "0-1")], control="G/120;d5"))
    assert last(ADA).prior == inside.post
    assert last(ADA).prior_games == (1 if rules else 12)
    shown = round(inside.post)
    lines = [(str(one.date), one.pool, one.title, one.before, one.after) for one in decided(players.find(ADA))]
    assert lines == ([("2025-01-01", "OTBR", "Provisional again", shown, shown)] if rules else [])
    names = [row["name"] for row in players.history(ADA, decisions=True)]
    assert names == ["Inside", *(["decision: provisional again, games 1"] if rules else []), "Outside"]
    assert run.compute(run.BEGINNING).nothing


def released_in_june() -> None:
    players.join(OFFICER, ADA, "prison", date(2025, 1, 1))
    players.join(OFFICER, ADA, "regular", date(2025, 6, 1))


def quick(name: str, day: date) -> dict[str, Any]:
    return document(name, day, [ADA, BEN], [(1, 1, 2, "1-0"), (2, 2, 1, "1/2-1/2")], control="G/15;d3")


@pytest.mark.parametrize("late", [True, False])
def test_a_report_that_comes_after_the_release_is_rated_as_if_in_time(office: str, late: bool) -> None:
    """1996: the rating stays, provisional on one game; also a quick rating of which nobody knew on that day."""
    office_settings.create(prison_rules=True)
    accept(
        document(
            "March",
            date(2025, 3, 5),
            [ADA, BEN],
            [(1, 1, 2, "1-0")],
            control="G/120;d5",
            facts={ADA: rated(1500), BEN: rated(1500)},
        )
    )
    acts = [lambda: accept(quick("April", date(2025, 4, 5))), released_in_june]
    for act in reversed(acts) if late else acts:
        act()
    inside = last(ADA, "OTBQ")
    accept(quick("July", date(2025, 7, 5)))
    assert (last(ADA, "OTBQ").prior, last(ADA, "OTBQ").prior_games) == (inside.post, 1)
    assert run.compute(run.BEGINNING).nothing


def test_a_release_without_a_record_changes_nothing(office: str) -> None:
    """Who has never played before the release begins like anybody else."""
    office_settings.create(prison_rules=True)
    players.add(OFFICER, ADA, name="Ada")
    released_in_june()
    accept(document("July", date(2025, 7, 5), [ADA, CAY], [(1, 1, 2, "1-0")], facts={CAY: rated(1500)}))
    first = last(ADA)
    assert (first.initialized, first.state_games, first.wins, first.draws, first.losses) == (True, 1, 1, 0, 0)
    assert run.compute(run.BEGINNING).nothing


def test_memberships_may_come_in_any_order(office: str) -> None:
    office_settings.create(prison_rules=True)
    accept(quick("April", date(2025, 4, 5)))
    players.join(OFFICER, ADA, "regular", date(2025, 6, 1))
    assert not Adjustment.objects.filter(kind=Adjustment.RELEASE).exists()
    players.join(OFFICER, ADA, "prison", date(2025, 1, 1))
    assert {str(row.date) for row in Adjustment.objects.filter(kind=Adjustment.RELEASE)} == {"2025-06-01"}
    players.join(OFFICER, ADA, "regular", date(2025, 5, 1))  # out a month earlier: the one of June releases nobody
    releases = Adjustment.objects.filter(kind=Adjustment.RELEASE, status=Adjustment.GRANTED)
    assert {str(row.date) for row in releases} == {"2025-05-01"}
    accept(quick("May", date(2025, 5, 3)))
    accept(quick("July", date(2025, 7, 5)))
    assert last(ADA, "OTBQ").prior_games == 3  # one on release, two games in May
    assert run.compute(run.BEGINNING).nothing
