"""Facts that hold from a day on, and adults by membership (readings 25 and 26)."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from simulated import OFFICER, accept, data, document, officers, rated

from crosstable.cli import main
from crosstable.errors import OfficeError
from crosstable.model.us_chess_steps import AgeStart
from crosstable.office import players
from crosstable.office.ledger.models import DatedFact, ExternalRating, RatingRow
from crosstable.office.rating import run, trace
from crosstable.office.reports.fide_events import fide_desk
from crosstable.office.requests import opting_out, registry

ADA, BEN, CAY = "30000001", "30000002", "30000003"


def at_home(**facts: Any) -> str:
    games = [(1, 1, 2, "1-0"), (2, 2, 3, "1-0")]
    number = accept(document("Open", date(2025, 1, 4), [ADA, BEN, CAY], games, control="G/120;d5", facts=facts))
    for one in (BEN, CAY):
        players.join(OFFICER, one, "regular", date(2020, 1, 1))
    return number


def abroad(day: date, player: str) -> str:
    """One of ours beats a foreigner with FIDE 2300, in an event of one day."""
    facts = {"F1": {"fide": {"rating": 2300, "date": "2025-01-01"}}}
    return accept(document(f"Abroad {day}", day, [player, "F1"], [(1, 1, 2, "1-0")], kind="fide", facts=facts))


def counted(event: str, player: str) -> bool:
    return RatingRow.objects.filter(section__event__number=event, player__number=player).exists()


def test_opting_in_counts_from_the_next_day_on_and_no_earlier_event_changes(ready: str) -> None:
    """2025 section 6, "in advance of the event": opted in on 7 June, the event of that day does not count."""
    at_home(**{ADA: rated(2000), BEN: rated(2000), CAY: rated(2000)})
    before, same, after = (abroad(date(2025, 6, day), CAY) for day in (6, 7, 8))
    players.change(OFFICER, CAY, "a letter", since=date(2025, 6, 7), fide_opt_in=True)
    assert [counted(event, CAY) for event in (before, same, after)] == [False, False, True]
    assert run.compute(run.BEGINNING).nothing
    assert (
        trace.trace(after, 1, CAY, "OTBR", public=False).post
        == RatingRow.objects.get(section__event__number=after, player__number=CAY).post
    )
    reasons = {one.event: (one.adjusted, one.reason) for one in fide_desk(OFFICER) if one.player == CAY}
    why_not = "neither a USA flag with FIDE 2200 or more, nor opted in"
    assert reasons == {before: (False, why_not), same: (False, why_not), after: (True, "")}


@pytest.mark.clause("fide_events.opt-out")
def test_opting_out_takes_two_officers_and_leaves_the_past(ready: str) -> None:
    at_home(**{ADA: rated(2000), BEN: rated(2000), CAY: rated(2000)})
    players.change(OFFICER, CAY, "a letter", since=date(2025, 5, 1), fide_opt_in=True)
    first_event = abroad(date(2025, 6, 7), CAY)
    with pytest.raises(OfficeError, match="two officers"):
        players.change(OFFICER, CAY, "no more", since=date(2025, 7, 1), fide_opt_in=False)
    one, other = officers()
    proposal = opting_out.propose(one, CAY, date(2025, 7, 1), "no more")
    later = abroad(date(2025, 8, 2), CAY)
    assert counted(later, CAY)  # a proposal changes nothing
    registry.approve(other, proposal.pk)
    assert (counted(first_event, CAY), counted(later, CAY)) == (True, False)
    said = DatedFact.objects.filter(player__number=CAY).order_by("id")
    assert [(fact.value, fact.author, fact.second) for fact in said] == [(True, "olga", ""), (False, "olga", "boris")]
    assert run.compute(run.BEGINNING).nothing


def fide_list() -> bytes:
    row = (
        "<player><fideid>{}</fideid><name>{}</name><country>{}</country><rating>2250</rating><games>7</games></player>"
    )
    rows = row.format("1000001", "Cay, Player", "USA") + row.format("1000002", "Ben, Player", "CAN")
    return f"<?xml version='1.0'?><playerslist>{rows}</playerslist>".encode()


@pytest.mark.clause("fide_events.identified-by-list")
def test_a_fide_list_sets_the_usa_flag_from_its_day(
    ready: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """FIDE 2250 with the flag counts without opting in, from the list's day on."""
    at_home(**{ADA: rated(2000), BEN: rated(2000), CAY: rated(2000)})
    players.change(OFFICER, CAY, "known", fide_id="1000001")
    players.change(OFFICER, BEN, "known", fide_id="1000002", usa_flag=True, since=date(2025, 1, 1))
    early = abroad(date(2025, 5, 31), CAY)
    done = players.import_list(OFFICER, io.BytesIO(fide_list()), date(2025, 6, 1), "fide.txt")
    assert set(ExternalRating.objects.filter(date=date(2025, 6, 1)).values_list("games", flat=True)) == {7}
    assert (done.foreign, done.flags) == (2, 2)
    file = tmp_path / "abroad.json"
    facts = {"F1": {"fide": {"rating": 2300, "date": "2025-01-01"}}}
    games = [(1, 1, 2, "1-0"), (2, 3, 2, "1-0")]
    file.write_bytes(data(document("Abroad", date(2025, 6, 7), [CAY, "F1", BEN], games, kind="fide", facts=facts)))
    assert main(["office", "--db", ready, "fide", str(file), "--list", "2025-07-01"]) == 0
    lines = capsys.readouterr().out
    assert f"Player {CAY} ({CAY})" in lines
    (late,) = {one.event for one in fide_desk(OFFICER, date(2025, 7, 1))}
    assert (counted(early, CAY), counted(late, CAY), counted(late, BEN)) == (False, True, False)
    assert f"Player {BEN} ({BEN}), {late}: not adjusted: neither a USA flag" in lines
    assert run.compute(run.BEGINNING).nothing


@pytest.mark.clause("inferred_adult.membership")
@pytest.mark.parametrize(
    ("kind", "until", "start"),
    [
        ("senior", date(2026, 1, 1), 1300.0),  # readings 26, and 2025 section 2.3: an adult starts at 1300
        ("life", None, 1300.0),
        ("regular", date(2026, 1, 1), 750.0),  # the documents do not call it adult: it may be a child's
        ("youth", date(2026, 1, 1), 750.0),  # without a birth date, and nobody says adult: 750
        ("senior", date(2025, 1, 3), 750.0),  # it ran out the day before the event's end
    ],
)
def test_a_membership_infers_an_adult(ready: str, kind: str, until: date | None, start: float) -> None:
    players.add(OFFICER, CAY, name="Cay")
    players.join(OFFICER, CAY, kind, date(2024, 1, 1), until)
    number = at_home(**{ADA: rated(1500), BEN: rated(1500)})
    row = RatingRow.objects.get(section__event__number=number, player__number=CAY)
    assert (row.prior, row.initialized) == (start, True)
    assert trace.trace(number, 1, CAY, "OTBR", public=False).prior == start
    assert run.compute(run.BEGINNING).nothing


def test_a_birth_date_and_a_flag_by_hand_win_over_a_membership(ready: str) -> None:
    """Born on 1 January 2013, twelve years at the event: 50 x 12.0 = about 601 (2025 section 2.3); by hand: 750."""
    players.add(OFFICER, CAY, name="Cay")
    players.join(OFFICER, CAY, "senior", date(2024, 1, 1))
    number = at_home(**{ADA: rated(1500), BEN: rated(1500)})

    def start() -> float | None:
        return RatingRow.objects.get(section__event__number=number, player__number=CAY).prior

    assert start() == 1300.0
    DatedFact.objects.create(player=players.find(CAY), name="adult", value=False, since=date(2025, 1, 1), author="olga")
    players.change(OFFICER, CAY, "he is a child", since=date(2025, 1, 1), adult=False)
    players.change(OFFICER, CAY, "state", since=date(2025, 1, 2), adult=False, canadian_resident=True)
    assert start() == 750.0
    players.change(OFFICER, CAY, "a form", birth_date=date(2013, 1, 1))
    assert start() == pytest.approx(600, abs=2)


@pytest.mark.clause("age_rating.below-three")
@pytest.mark.parametrize(("kind", "start"), [("senior", 1300.0), ("youth", 750.0)])
def test_an_age_below_3_counts_as_no_birth_date(ready: str, kind: str, start: float) -> None:
    """Readings 38: two years old at the event is a slip of the pen, and the membership decides (2025 section 2.3)."""
    players.add(OFFICER, CAY, name="Cay", birth_date=date(2023, 1, 1))
    players.join(OFFICER, CAY, kind, date(2024, 1, 1), date(2026, 1, 1))
    number = at_home(**{ADA: rated(1500), BEN: rated(1500)})
    assert RatingRow.objects.get(section__event__number=number, player__number=CAY).prior == start
    step = trace.trace(number, 1, CAY, "OTBR", public=False).derivation[0]
    assert isinstance(step, AgeStart)
    assert (step.rating, step.implausible, step.adult) == (start, True, start == 1300.0)
    assert run.compute(run.BEGINNING).nothing


def test_an_adult_from_a_day_on_does_not_change_an_earlier_start(ready: str) -> None:
    number = at_home(**{ADA: rated(1500), BEN: rated(1500)})
    players.change(OFFICER, CAY, "grown up", since=date(2025, 1, 5), adult=True)
    assert RatingRow.objects.get(section__event__number=number, player__number=CAY).prior == 750.0
    players.change(OFFICER, CAY, "a day earlier", since=date(2025, 1, 4), adult=True)
    assert RatingRow.objects.get(section__event__number=number, player__number=CAY).prior == 1300.0
    assert run.compute(run.BEGINNING).nothing
