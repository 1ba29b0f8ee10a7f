"""A preview tells nothing about the stored age of a registered player, however often and with whatever results it is
asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice, product
from typing import Any

import pytest
from director_desk import DAY, DIRK, DORA, IDS, look
from simulated import OFFICER, data, document

import crosstable
from crosstable.model import Event, Rating
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Office, Player
from crosstable.office.queries import draft_preview
from crosstable.office.rating import rerating, states
from crosstable.office.reports import accepting, drafts, findings, preview_limit, submissions
from crosstable.office.reports.file_reading import read_file
from crosstable.office.storage import clock
from crosstable.words.places import place_text

CHILD = "31234567"
LATER = date(2025, 9, 6)
#: Opponents of every strength, all established; they have played each other, so that the office knows them
OPPONENTS = {one: 300 + 200 * place for place, one in enumerate(IDS)}
FACTS = {
    one: {"ratings": {"OTBR": {"rating": rating, "games": 30}}, "adult": True} for one, rating in OPPONENTS.items()
}
STRONG = {"30000009": {"ratings": {"OTBR": {"rating": 2600, "games": 300}}, "adult": True}}
AGES = range(4, 26, 3)
SCORES = ("1-0", "1/2-1/2", "0-1")


@pytest.fixture
def registered(ready: str) -> None:
    """The opponents are rated; the child is registered with a birth date and has not played."""
    games = [(1, one, one + 1, "1/2-1/2") for one in (1, 3, 5)] + [(2, 6, 7, "1/2-1/2")]
    done = submissions.submit(
        OFFICER, data(document("Before", DAY, IDS, games, control="G/120;d5", facts=FACTS)), "before.json", "A"
    )
    accepting.accept(OFFICER, done.event)
    Player.objects.create(number=CHILD, name="Kim Kale", birth_date=date(2015, 3, 3))


def born(years: float) -> date:
    """The birth date of someone of this age on the day of the draft."""
    return LATER - timedelta(days=round(years * 365.25))


def later(people: list[str], games: list[tuple[int, int, int, str]], **more: Any) -> dict[str, Any]:
    return document("Later", LATER, people, games, control="G/120;d5", **more)


def reports() -> Iterator[dict[str, Any]]:
    """The child's results of the attack: every score in three games, against opponents of one strength after the
    other.
    """
    choices = [IDS[place : place + 3] for place in range(5)] + [IDS[place : place + 5 : 2] for place in range(3)]
    for scores, opponents in product(product(SCORES, repeat=3), choices):
        games = [(turn, 1, turn + 1, score) for turn, score in enumerate(scores, 1)]
        yield later([CHILD, *opponents], games)


def previewed(report: dict[str, Any]) -> draft_preview.Preview:
    number = drafts.start(DORA, data(report), "later.json").id
    seen = draft_preview.preview(look(number))
    drafts.discard(DORA, number)
    return seen


def test_offices_that_differ_in_a_birth_date_show_the_same_previews(registered: None) -> None:
    """A year apart, a few years apart, an adult, no birth date at all."""
    for report in islice(reports(), 0, None, 31):
        seen = []
        for birth_date in (born(10.2), born(9.2), born(11.2), born(4.5), born(17.9), born(31.0), None):
            Player.objects.filter(number=CHILD).update(birth_date=birth_date)
            seen.append(previewed(report))
        assert all(one == seen[0] for one in seen)
        assert seen[0].matters == {CHILD}


def test_an_adult_by_membership_is_not_told_from_a_child(registered: None) -> None:
    report = next(islice(reports(), 3, None))
    before = previewed(report)
    Player.objects.filter(number=CHILD).update(birth_date=None, adult=True)
    assert previewed(report) == before


def test_what_does_not_depend_on_the_age_is_shown(registered: None) -> None:
    """Of the same section: a draw between two players of 1500 leaves both at 1500, whatever the child's age."""
    facts = {
        one: {"ratings": {"OTBR": {"rating": 1500, "games": 30}}, "adult": True} for one in ("32000001", "32000002")
    }
    report = later([CHILD, IDS[2], *facts], [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2")], facts=facts)
    (part,) = previewed(report).parts
    after = {row.player.id: (row.numbers[0].after, row.numbers[0].hidden) for row in part.rows}
    assert after == {
        CHILD: (None, True),
        IDS[2]: (None, True),
        "32000001": (1500.0, False),
        "32000002": (1500.0, False),
    }


def test_the_attack_on_the_preview_finds_no_age(registered: None) -> None:
    """Some two hundred reports with chosen results, inverted as an attacker would: by the law, for every age."""
    known = {row.number: records for row in Player.objects.all() for records in states.now([row.id]).values()}
    possible, asked = set(AGES), 0
    for report in reports():
        asked += 1
        (part,) = previewed(report).parts
        shown = {row.player.id: row.numbers[0].after for row in part.rows}
        event = _event(report, known)
        for age in sorted(possible):
            if any(shown[one] not in (None, after) for one, after in _by_the_law(event, age).items()):
                possible.discard(age)
    assert asked == 27 * 8
    assert possible == set(AGES)


def _event(report: dict[str, Any], known: Mapping[str, Mapping[str, Rating]]) -> Event:
    """The report with the ratings that the office's pages show."""
    event = read_file(data(report), "later.json").event
    (section,) = event.sections
    entered = tuple(replace(one, ratings=known.get(one.id, {})) for one in section.players)
    return replace(event, sections=(replace(section, players=entered),))


def _by_the_law(event: Event, age: int) -> dict[str, float | None]:
    """Everyone's published rating, were the child of this age."""
    (section,) = event.sections
    entered = tuple(replace(one, birth_date=born(age)) if one.id == CHILD else one for one in section.players)
    rated = crosstable.rate(replace(event, sections=(replace(section, players=entered),)))
    return {one.id: one.published for one in rated.answers}


def test_the_day_of_a_report_does_not_find_a_birth_date(registered: None) -> None:
    """An event before the birth of a registered player is for an officer to see; a director could find the date
    by it.
    """
    report = document("Later", date(2015, 3, 2), [CHILD, IDS[0]], [(1, 1, 2, "1-0")])
    seen = []
    for birth_date in (date(2015, 3, 2), date(2015, 3, 3)):
        Player.objects.filter(number=CHILD).update(birth_date=birth_date)
        found = findings.of_file(read_file(data(report), "later.json"))
        seen.append([(one.code, place_text(one.place), one.message) for one in found])
    assert seen[0] == seen[1]


def test_a_typed_birth_date_counts_for_a_new_player_and_not_for_a_registered_one(registered: None) -> None:
    """Three losses against stronger players leave the start where the age puts it: 50 × 8 and 50 × 12 (2025 §2.3)."""
    games = [(turn, 1, turn + 1, "0-1") for turn in (1, 2, 3)]
    opponents = IDS[-3:]  # 1100 to 1500: nothing to lose against them
    after = {}
    for who in (CHILD, "39999999"):
        for age in (8, 12):
            facts = {who: {"birth_date": born(age).isoformat()}}
            (part,) = previewed(later([who, *opponents], games, facts=facts)).parts
            after[who, age] = part.rows[0].numbers[0].after
    assert after == {(CHILD, 8): None, (CHILD, 12): None, ("39999999", 8): 400.0, ("39999999", 12): 600.0}


def test_a_child_whose_start_nothing_has_moved_stays_unknown(registered: None) -> None:
    """The first event left the rating where the age had put it; the ledger holds it, and no preview tells it."""
    lost = document("First", date(2025, 8, 9), [CHILD, "30000009"], [(1, 1, 2, "0-1")], facts=STRONG)
    _accept("F", lost)
    seen = []
    for age in (9.2, 10.2, 15.0):
        Player.objects.filter(number=CHILD).update(birth_date=born(age))
        rerating.rerate(OFFICER, "the birth date was wrong")
        seen.append([previewed(one) for one in islice(reports(), 0, None, 53)])
    assert all(one == seen[0] for one in seen)


def _accept(number: str, content: dict[str, Any]) -> None:
    submissions.submit(OFFICER, data(content), f"{number}.json", number)
    accepting.accept(OFFICER, number)


def test_previews_are_limited_for_each_player_whose_age_would_matter(registered: None) -> None:
    """Each version counts once; another director and another day have their own count; officers see ages anyway."""
    Office.objects.update(previews_a_day=3)
    numbers = [drafts.start(DORA, data(one), "later.json").id for one in islice(reports(), 4)]

    def see(number: int) -> draft_preview.Preview:
        return draft_preview.preview_for(DORA, drafts.load(DORA, number), look(number))

    for number in (*numbers[:3], *numbers[:3]):
        assert see(number).matters == {CHILD}
    with pytest.raises(preview_limit.PreviewLimit, match=r"3 versions .* send the report without another preview"):
        see(numbers[3])
    refused = AuditEntry.objects.filter(action="draft.preview_limit")
    assert [(one.actor, one.subject) for one in refused] == [("dora", f"player:{CHILD}")]
    other = drafts.start(DIRK, data(next(reports())), "later.json").id
    assert draft_preview.preview_for(DIRK, drafts.load(DIRK, other), look(other, DIRK)).matters == {CHILD}
    with clock.set_to(clock.now() + timedelta(days=1)):
        assert see(numbers[3]).matters == {CHILD}


def test_reports_of_rated_players_are_not_limited(registered: None) -> None:
    Office.objects.update(previews_a_day=1)
    for score in SCORES:
        report = later(IDS[:2], [(1, 1, 2, score)])
        number = drafts.start(DORA, data(report), "later.json").id
        assert not draft_preview.preview_for(DORA, drafts.load(DORA, number), look(number)).matters
