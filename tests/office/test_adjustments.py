"""Adjustments: two officers and a reason, refused with everything wrong in them, revoked or lifted again."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, accept, adjusted, document, officers, rated
from three_players import ADA, BEN, CAY, last

from crosstable.cli import main
from crosstable.errors import OfficeError
from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Adjustment
from crosstable.office.people.rights import NotAllowedError
from crosstable.office.players import profiles
from crosstable.office.queries import player as reading
from crosstable.office.rating import run
from crosstable.office.requests import adjustments, registry


@pytest.mark.parametrize("level", [1750.0, 2300.0, 2100.0])
def test_a_prize_floor_is_a_multiple_of_a_hundred_up_to_2000(ready: str, level: float) -> None:
    """2025 §5: 'any 100-point level up to 2000'."""
    accept(
        document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], facts={ADA: rated(1900), BEN: rated(1400)})
    )
    first, _ = officers()
    with pytest.raises(OfficeError, match="multiple of 100, up to 2000"):
        adjustments.propose(first, ADA, "OTBR", date(2025, 2, 1), {"prize_floor": level}, "why")


def test_a_rating_above_the_ceiling_is_refused(ready: str) -> None:
    """Readings 43."""
    accept(
        document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], facts={ADA: rated(1900), BEN: rated(1400)})
    )
    first, second = officers()
    day = date(2025, 2, 1)
    registry.approve(second, adjustments.propose(first, ADA, "OTBR", day, {"ceiling": 1800.0}, "sandbagging").id)
    for when in (day, date(2025, 3, 1)):
        with pytest.raises(OfficeError, match=r"the ceiling of .* is 1800"):
            adjustments.propose(first, ADA, "OTBR", when, {"rating": 1900.0}, "why")
    adjustments.propose(first, ADA, "OTBR", date(2025, 3, 1), {"rating": 1900.0, "ceiling": None}, "both")
    assert profiles.show(ADA)["ratings"]["OTBR"]["ceiling"] == 1800.0


def test_adjustments_take_two_officers_and_a_reason(ready: str) -> None:
    accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN],
            [(1, 1, 2, "1-0")],
            control="G/120;d5",
            facts={ADA: rated(1900), BEN: rated(1400)},
        )
    )
    day = date(2025, 2, 1)
    first, second = officers()
    with pytest.raises(NotAllowedError, match="a name"):  # the machine's owner is nobody's colleague
        adjustments.propose(OFFICER, ADA, "OTBR", day, {"ceiling": 1950.0}, "why")
    with pytest.raises(OfficeError, match="reason"):
        adjustments.propose(first, ADA, "OTBR", day, {"ceiling": 1950.0}, "")
    with pytest.raises(OfficeError, match="no OTBB rating"):
        adjustments.propose(first, ADA, "OTBB", day, {"ceiling": 1950.0}, "why")
    proposal = adjustments.propose(first, ADA, "OTBR", day, {"ceiling": 1950.0}, "sandbagging")
    with pytest.raises(NotAllowedError, match="another officer"):
        registry.approve(first, proposal.id)
    assert not Adjustment.objects.filter(kind=Adjustment.CEILING).exists()
    registry.approve(second, proposal.id)
    row = Adjustment.objects.get(kind=Adjustment.CEILING)
    assert (row.author, row.second, row.reason, row.date) == ("olga", "boris", "sandbagging", day)
    accept(
        document(
            "Next",
            date(2025, 3, 1),
            [ADA, BEN, CAY],
            [(n, 1, 3, "1-0") for n in range(1, 9)],
            control="G/120;d5",
            facts={CAY: rated(2100)},
        )
    )
    assert last(ADA).post == 1950.0


def test_a_preview_of_an_adjustment_takes_one_officer(ready: str) -> None:
    accept(
        document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], facts={ADA: rated(1900), BEN: rated(1400)})
    )
    accept(document("Next", date(2025, 3, 1), [ADA, BEN], [(1, 1, 2, "1-0")]))
    preview = adjustments.preview(OFFICER, ADA, "OTBR", date(2025, 2, 1), {"rating": 2000.0}, "an error")
    assert {change.player for change in preview.changes} == {ADA, BEN}
    assert not Adjustment.objects.filter(kind=Adjustment.RATING).exists()


@pytest.mark.parametrize(
    ("pool", "day", "fields", "words"),
    [
        ("OTBR", date(2025, 2, 1), {"rating": 1e9, "games": -5}, ("rating 1", "between 100 and 3500", "games -5")),
        ("OTBR", date(2025, 2, 1), {"rating": float("nan")}, ("rating nan",)),
        ("OTBR", date(2025, 2, 1), {"ceiling": -5.0}, ("ceiling -5.0",)),
        ("OTBR", date(2025, 2, 1), {"rating": None}, ("rating None",)),
        ("XXXX", date(2999, 12, 21), {"ceiling": 1800.0}, ("no 'XXXX' ratings", "OTBR, OTBQ", "2999-12-21", "today")),
        ("OTBR", date(2025, 2, 1), {"ceiling": 1800.0, "luck": 3}, ("cannot adjust luck",)),
        ("OTBR", date(2025, 2, 1), {"life_master": "yes"}, ("true or false",)),
    ],
)
def test_an_adjustment_that_cannot_be_is_refused_with_everything_wrong_in_it(
    ready: str, pool: str, day: date, fields: dict[str, Any], words: tuple[str, ...]
) -> None:
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], facts={ADA: rated(1900)}))
    for act in (adjustments.preview, adjustments.propose):
        with pytest.raises(OfficeError) as refused:
            act(officers()[0], ADA, pool, day, fields, "why")
        assert all(word in str(refused.value) for word in words), str(refused.value)


def test_an_adjustment_is_revoked_by_two_officers(ready: str) -> None:
    """Everything is as if it had never been, but the decision and its end stay on record."""
    accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN],
            [(1, 1, 2, "1-0")],
            control="G/120;d5",
            facts={ADA: rated(1900), BEN: rated(1800)},
        )
    )
    accept(document("Next", date(2025, 3, 1), [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5"))
    before = run.fingerprint()
    adjusted(ADA, "OTBR", date(2025, 2, 1), {"rating": 1500.0}, "a mistake")
    assert last(ADA).prior == 1500.0
    first, second = officers()
    (made,) = adjustments.decisions(first, ADA)
    assert (made["set"], made["status"], made["by"], made["second"]) == ({"rating": 1500.0}, "granted", "olga", "boris")
    proposal = adjustments.propose_revoking(second, made["number"], "it was another player")
    with pytest.raises(NotAllowedError):
        registry.approve(second, proposal.id)
    registry.approve(first, proposal.id)
    assert run.fingerprint() == before
    assert run.compute(run.BEGINNING).nothing
    assert adjustments.decisions(first, ADA)[0]["status"] == "withdrawn"
    entry = AuditEntry.objects.get(action="rating.revoke")
    assert (entry.actor, entry.reason, json.loads(entry.details)["second"]) == (
        "boris",
        "it was another player",
        "olga",
    )
    with pytest.raises(OfficeError, match="withdrawn already"):
        adjustments.propose_revoking(first, made["number"], "again")
    opening = Adjustment.objects.get(kind=Adjustment.OPENING, player__number=ADA)
    with pytest.raises(OfficeError, match="no adjustment"):
        adjustments.propose_revoking(first, opening.id, "openings follow from reports")


def test_a_ceiling_is_lifted_from_a_day_on(ready: str) -> None:
    accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN],
            [(1, 1, 2, "1-0")],
            control="G/120;d5",
            facts={ADA: rated(1900), BEN: rated(1900)},
        )
    )
    adjusted(ADA, "OTBR", date(2025, 2, 1), {"ceiling": 1900.0}, "sandbagging")
    adjusted(ADA, "OTBR", date(2025, 4, 1), {"ceiling": None}, "a year is over")
    for month in (3, 5):
        accept(
            document(
                f"Month {month}",
                date(2025, month, 1),
                [ADA, BEN],
                [(n, 1, 2, "1-0") for n in range(1, 5)],
                control="G/120;d5",
            )
        )
    history = players.history(ADA, "OTBR")
    assert history[1]["post"] == 1900.0
    assert history[2]["post"] > 1900.0
    assert run.compute(run.BEGINNING).nothing


def test_a_players_page_says_who_moved_the_live_number_last(ready: str) -> None:
    """After an adjustment the office, after the next event that event; a ceiling moves nothing."""
    today = date(2026, 1, 31)
    facts = {ADA: rated(1600.0), BEN: rated(1500.0)}
    for name, day in (("Open", date(2025, 8, 2)), ("Next", date(2025, 9, 6))):
        accept(document(name, day, list(facts), [(1, 1, 2, "1-0")], control="G/120;d5", facts=facts))
    assert reading.player(ADA, today).set_since is None
    adjusted(ADA, "OTBR", date(2025, 9, 20), {"ceiling": 2000.0}, "an example")
    assert reading.player(ADA, today).set_since is None
    adjusted(ADA, "OTBR", date(2025, 9, 30), {"rating": 1700.0}, "an error")
    page, pool = reading.player(ADA, today), reading.pool(ADA, "OTBR", today)
    assert pool is not None
    for since in (page.set_since, pool.set_since):
        assert since is not None
        assert (since.date, since.after) == (date(2025, 9, 30), 1700.0)
    assert reading.player(BEN, today).set_since is None
    accept(document("Last", date(2025, 10, 4), list(facts), [(1, 1, 2, "1-0")], control="G/120;d5"))
    assert reading.player(ADA, today).set_since is None


def test_where_only_the_floor_changes_preview_and_approval_show_the_floor(
    ready: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A peak of 1700 earns 1500 (2025 §5); a cash prize sets 1600, below the rating."""
    facts = {ADA: rated(1700), BEN: rated(1700)}
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5", facts=facts))
    first, _ = officers()
    number = adjustments.propose(first, BEN, "OTBR", date(2025, 2, 1), {"prize_floor": 1600.0}, "money").id
    for who, words in (("olga", "proposals"), ("boris", "approve")):
        assert main(["office", "--db", ready, "--as", who, words, str(number)]) == 0
        assert "floor 1500 → 1600" in capsys.readouterr().out
