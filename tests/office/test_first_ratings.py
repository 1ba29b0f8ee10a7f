"""An office may publish ratings only when they no longer depend on an age: then no age can be worked out from them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from director_desk import DAY, IDS
from django.test import Client
from simulated import ADMIN, OFFICER, accept, document

from crosstable.errors import OfficeError
from crosstable.model.us_chess_steps import Bonus, Floor
from crosstable.model.values import round_half_up
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import AgeDependent, Office, Player, RatingRow
from crosstable.office.lists import official
from crosstable.office.queries import history, ratings
from crosstable.office.rating import age_dependence, rerating, trace

KID, FAR_AWAY = "31234567", ["32000001", "32000002"]
#: Opponents of every strength, all established
FACTS = {
    one: {"ratings": {"OTBR": {"rating": 300 + 200 * place, "games": 30}}, "adult": True}
    for place, one in enumerate(IDS)
} | {one: {"ratings": {"OTBR": {"rating": 1500, "games": 30}}, "adult": True} for one in FAR_AWAY}
AGES = [age / 2 for age in range(8, 50)]
TRUE_AGE = 9.5

Published = dict[tuple[str, int], float | None]


def born(age: float) -> date:
    return DAY - timedelta(days=round(age * 365.25))


@pytest.fixture
def season(ready: str) -> None:
    """A child's first three events, and an event of two players who never meet the child or an opponent."""
    Player.objects.create(number=KID, name="Kim Kale", birth_date=born(TRUE_AGE))
    for week, (opponents, scores) in enumerate(
        [(IDS[:4], ("1-0", "0-1", "1/2-1/2", "0-1")), (IDS[1:5], ("1-0", "0-1", "0-1", "0-1")), (IDS[:3], ("1-0",) * 3)]
    ):
        games = [(turn, 1, turn + 1, score) for turn, score in enumerate(scores, 1)]
        accept(
            document(
                f"Week {week}", DAY + timedelta(weeks=week), [KID, *opponents], games, control="G/120;d5", facts=FACTS
            )
        )
    accept(document("Elsewhere", DAY, FAR_AWAY, [(1, 1, 2, "1/2-1/2")], control="G/120;d5", facts=FACTS))


def published() -> Published:
    """Everything that the office's pages say of ratings after each section."""
    rows = list(Player.objects.values_list("id", "number"))
    return {
        (number, one.position): one.after for row, number in rows for one in history.played([row]) if one.pool == "OTBR"
    }


def whole_numbers() -> dict[tuple[str, int], float]:
    found = RatingRow.objects.filter(pool="OTBR").values_list("player__number", "position", "post")
    return {(number, position): float(round_half_up(post)) for number, position, post in found}


def inverted(seen: Published) -> list[float]:
    """Every age of the child that the published numbers leave possible, by one who knows all else."""
    possible = []
    for age in AGES:
        Player.objects.filter(number=KID).update(birth_date=born(age))
        rerating.rerate(OFFICER, "what would it be at this age?")
        numbers = whole_numbers()
        if all(rating in (None, numbers[key]) for key, rating in seen.items()):
            possible.append(age)
    return possible


def test_published_first_ratings_tell_an_age_and_withheld_ones_do_not(season: None) -> None:
    """2025 §2.3 starts a child at 50 × age: with exact numbers published, the age is found to within a year."""
    found = inverted(published())
    assert TRUE_AGE in found
    assert max(found) - min(found) <= 1
    Player.objects.filter(number=KID).update(birth_date=born(TRUE_AGE))
    rerating.rerate(OFFICER, "as it was")
    age_dependence.choose(ADMIN, Office.WITHOUT_AGE)
    left = inverted(published())
    assert left == AGES  # from 4 to 24.5 years: nothing within five years is told


def test_neither_numbers_nor_gaps_depend_on_the_age(season: None) -> None:
    age_dependence.choose(ADMIN, Office.WITHOUT_AGE)
    seen = []
    for age in (4.5, 9.5, 17.0, 31.0):
        Player.objects.filter(number=KID).update(birth_date=born(age))
        rerating.rerate(OFFICER, "the birth date was wrong")
        seen.append(published())
    assert all(one == seen[0] for one in seen)
    shown = {number for (number, _), rating in seen[0].items() if rating is not None}
    assert {*FAR_AWAY} <= shown
    assert KID not in shown


def test_all_surfaces_withhold_the_same_ratings(season: None) -> None:
    age_dependence.choose(ADMIN, Office.WITHOUT_AGE)
    rows = dict(Player.objects.values_list("number", "id"))
    hidden = {number for (number, _), rating in published().items() if rating is None}
    live = ratings.live(list(rows.values()))
    assert {number for number, row in rows.items() if row in live and live[row]["OTBR"].rating is None} == hidden
    standing = {one.number: one.rating for one in official.standings(date(2026, 1, 1)) if one.pool == "OTBR"}
    assert {number for number, rating in standing.items() if rating is None} == hidden
    for row in RatingRow.objects.filter(pool="OTBR").select_related("section__event", "player"):
        answer = trace.trace(row.section.event.number, row.section.number, row.player.number, "OTBR")
        if row.player.number in FAR_AWAY:
            assert answer.published == 1500
        else:
            assert answer.published is None
            assert str(int(round_half_up(row.post))) not in repr(answer)


def test_the_work_behind_a_withheld_rating_has_results_and_no_outcomes(season: None) -> None:
    """That a bonus was earned bounds an age, too. The page has the score, as the crosstable has."""
    age_dependence.choose(ADMIN, Office.WITHOUT_AGE)
    visitor, first = Client(headers={"host": "localhost"}), RatingRow.objects.filter(player__number=KID, pool="OTBR")
    one, two, three = first.order_by("position").select_related("section__event")
    for row, score in ((one, "1½"), (two, "1"), (three, "3")):
        event = row.section.event.number
        page = visitor.get(f"/events/{event}/1/{row.number}/OTBR/")
        assert page.status_code == 200
        assert f">{score}<" in page.content.decode()
        answer = trace.trace(event, 1, KID, "OTBR")
        assert answer.values["score"] == row.score
        assert not [step for step in answer.derivation if isinstance(step, Bonus | Floor)]


def test_the_setting_is_logged_and_goes_back(season: None) -> None:
    before = published()
    age_dependence.choose(ADMIN, Office.WITHOUT_AGE)
    assert published() != before
    assert AgeDependent.objects.exists()
    age_dependence.choose(ADMIN, Office.AS_RATED)
    assert published() == before
    assert not AgeDependent.objects.exists()
    assert AuditEntry.objects.filter(action="office.first_ratings").count() == 2
    with pytest.raises(OfficeError, match="enter as-rated or without-age"):
        age_dependence.choose(ADMIN, "never")


def test_a_new_event_is_withheld_as_soon_as_it_is_accepted(season: None) -> None:
    age_dependence.choose(ADMIN, Office.WITHOUT_AGE)
    day = DAY + timedelta(weeks=5)
    accept(document("Later", day, ["31234568", FAR_AWAY[0]], [(1, 1, 2, "0-1")], control="G/120;d5"))
    assert [rating for (number, _), rating in sorted(published().items()) if number == FAR_AWAY[0]] == [1500, None]
