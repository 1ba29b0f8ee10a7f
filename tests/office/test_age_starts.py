"""A first rating that came from an age stays hidden for as long as nothing has moved it, wherever it could be seen."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.db import connection
from simulated import ADMIN, OFFICER, adjusted, data, document
from tests.derivations import shown_steps

from crosstable.errors import EventRejected
from crosstable.office import players
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Membership, RatingRow, Section, Submission
from crosstable.office.lists import official
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, Role
from crosstable.office.queries import player as reading
from crosstable.office.queries import submission_page
from crosstable.office.rating import trace
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.reports import accepting, review_queue, submissions
from crosstable.office.storage import bulk

CHILD, STRONG, FRIEND, OTHER = "30000001", "30000002", "30000003", "30000004"
BORN, FIRST, SECOND, THIRD = date(2014, 4, 5), date(2025, 1, 4), date(2025, 2, 1), date(2025, 3, 1)
#: 50 points a year of life on the first event's day (2025 §2): 537.6
START = 50 * (FIRST - BORN).days / 365.25
FACTS = {
    CHILD: {"birth_date": BORN.isoformat()},
    STRONG: {"ratings": {"OTBR": {"rating": 2000.0, "games": 400}, "OTBQ": {"rating": 2000.0, "games": 400}}},
    FRIEND: {"ratings": {"OTBR": {"rating": 700.0, "games": 60, "wins": 20, "draws": 10, "losses": 30}}},
    OTHER: {"ratings": {"OTBR": {"rating": 900.0, "games": 60, "wins": 20, "draws": 10, "losses": 30}}},
}


def accept(
    name: str, day: date, people: list[str], games: list[tuple[int, int, int, str]], control: str = "G/120;d5"
) -> str:
    content = document(name, day, people, games, control=control, facts={one: FACTS[one] for one in people})
    done = submissions.submit(OFFICER, data(content), "event.json")
    accepting.accept(OFFICER, done.event)
    return done.event


@pytest.fixture
def unmoved(office: str) -> str:
    """The child has lost to somebody far above, and stands where the age put the rating."""
    office_settings.create()
    accept("First", FIRST, [CHILD, STRONG], [(1, 1, 2, "0-1")])
    assert RatingRow.objects.get(player__number=CHILD).post == pytest.approx(START)
    return office


def seen(number: str) -> str:
    """Everything that the public may see of an event's work."""
    answers = trace.answers(Section.objects.get(event__number=number), "OTBR", public=True)
    return " ".join(str((one.values, one.prior, one.post, shown_steps(one))) for one in answers)


def digits() -> str:
    return f"{START:.4f}"[:5]


def test_decisions_in_the_public_history_do_not_tell_the_start(unmoved: str) -> None:
    """A ceiling leaves the rating where the age put it; a rating that two officers set is no age's."""
    adjusted(CHILD, "OTBR", SECOND, {"ceiling": 1500.0}, "an example")
    adjusted(CHILD, "OTBR", THIRD, {"rating": 650.0}, "an error")
    page = reading.pool(CHILD, "OTBR", date(2025, 6, 1))
    assert page is not None
    told = [(one.title, one.before, one.after) for one in page.decided]
    assert told == [("Ceiling of 1500", None, None), ("Rating set to 650", None, 650.0)]
    assert [str(one.date) for one in page.rows] == ["2025-03-01", "2025-02-01", "2025-01-04"]


def test_the_next_event_shows_neither_the_start_nor_what_it_could_be_worked_out_from(unmoved: str) -> None:
    number = accept("Next", SECOND, [CHILD, FRIEND, OTHER], [(1, 1, 2, "1-0"), (2, 2, 3, "1-0")])
    everything = seen(number)
    assert digits() not in everything
    assert f"{START:.0f}" not in everything
    own = trace.trace(number, 1, CHILD, "OTBR")
    for name in ("prior", "intermediate", "unfloored", "post"):
        assert own.values[name] is None, name
    assert own.values["published"] is not None  # a whole number, moved by a win: the lists print it
    friend = {step.title: step.text for step in shown_steps(trace.trace(number, 1, FRIEND, "OTBR"))}
    assert (
        "the sum is not shown" in friend["Intermediate rating (Step 4)"]
    )  # with a bonus at one age, without it at another
    assert "the sum is not shown" in friend["New rating (Step 5)"]
    assert "700" in friend["Pre-event rating"]
    inner = trace.trace(number, 1, CHILD, "OTBR", public=False)
    assert inner.prior == pytest.approx(START)
    assert digits() in shown_steps(inner)[0].text


def test_a_rating_that_has_moved_is_shown_again(unmoved: str) -> None:
    accept("Next", SECOND, [CHILD, FRIEND], [(1, 1, 2, "1-0")])
    number = accept("Third", THIRD, [CHILD, OTHER], [(1, 1, 2, "1-0")])
    prior = trace.trace(number, 1, CHILD, "OTBR").prior
    assert prior is not None
    assert prior > START + 1
    assert [row["prior"] is None for row in players.history(CHILD)] == [True, True, False]
    assert [row["post"] is None for row in players.history(CHILD)] == [True, False, False]


def test_another_systems_first_rating_taken_over_from_it_is_hidden_too(unmoved: str) -> None:
    """A quick rating starts from the regular one (2025 §2), which still is the age's."""
    number = accept("Quick", SECOND, [CHILD, STRONG], [(1, 1, 2, "0-1")], control="G/15;d3")
    row = RatingRow.objects.get(player__number=CHILD, pool="OTBQ")
    assert row.prior == row.post == round(START)  # whole numbers are taken over
    assert row.prior_games
    shown = json.dumps([players.show(CHILD), players.history(CHILD)])
    shown += str(trace.trace(number, 1, CHILD, "OTBQ").values)
    shown += str(shown_steps(trace.trace(number, 1, CHILD, "OTBQ")))
    assert digits() not in shown
    assert f"{START:.0f}" not in shown
    rated = {(one.number, one.pool): one.rating for one in official.standings(THIRD)}
    assert rated[CHILD, "OTBR"] is None
    assert rated[CHILD, "OTBQ"] is None
    assert rated[STRONG, "OTBQ"] is not None


def test_however_many_games_were_lost_an_unmoved_start_is_hidden(unmoved: str) -> None:
    for month in range(2, 9):
        accept(f"Event {month}", date(2025, month, 1), [CHILD, STRONG], [(n, 1, 2, "0-1") for n in range(1, 5)])
    row = RatingRow.objects.filter(player__number=CHILD).order_by("position").last()
    assert row is not None
    assert (row.state_games, row.post) == (29, pytest.approx(START))
    rated = {one.number: one.rating for one in official.standings(date(2025, 9, 1))}
    assert rated[CHILD] is None
    assert digits() not in json.dumps([players.show(CHILD), players.history(CHILD)])


def test_memberships_are_for_officers_and_the_player(unmoved: str) -> None:
    """A kind can be an age band, or worse."""
    Membership.objects.create(
        player=players.find(CHILD), kind="youth", since=date(2025, 1, 1), until=date(2025, 12, 31)
    )
    for name, role, who in (
        ("olga", Role.OFFICER, ""),
        ("carl", Role.PLAYER, CHILD),
        ("fred", Role.PLAYER, FRIEND),
        ("dora", Role.DIRECTOR, ""),
    ):
        if who == FRIEND:
            players.add(OFFICER, FRIEND, "a friend", name="Fred")
        users.add_user(Actor.installation(), name, role, player_id=who)
    may = {
        name: "memberships" in players.show(CHILD, users.acting_as(name)) for name in ("olga", "carl", "fred", "dora")
    }
    assert may == {"olga": True, "carl": True, "fred": False, "dora": False}
    words = json.dumps(players.show(CHILD))
    assert "youth" not in words
    assert "2025-12-31" not in words
    kept = players.show(CHILD, users.acting_as("carl"))["memberships"]
    assert kept == [{"kind": "youth", "since": "2025-01-01", "until": "2025-12-31"}]
    token = Actor("carl/ct_abc", Role.PLAYER, users.acting_as("carl").user_id, frozenset({"rating.read"}))
    assert "memberships" not in players.show(CHILD, token)


#: 300 points and 50 a year of life, the stand-in of docs/systems for the table of 1994: 741.5
OLD_BORN, OLD_FIRST, OLD_NEXT, OLD_LIST = date(1988, 5, 6), date(1997, 3, 5), date(1997, 5, 5), date(1997, 8, 1)
OLD_START = 300 + 50 * (OLD_FIRST - OLD_BORN).days / 365.25
TWIN, VETERAN, GROWN = "30000005", "30000006", "30000007"
OLD_FACTS = {
    CHILD: {"birth_date": OLD_BORN.isoformat()},
    TWIN: {"birth_date": OLD_BORN.isoformat()},
    VETERAN: {"ratings": {"USCF": {"rating": 1500.0, "games": 40}}},
    GROWN: {"adult": True},
    STRONG: {"ratings": {"USCF": {"rating": 2800.0, "games": 40}}},
    OTHER: {"cfc": {"rating": 1600.0, "date": "1997-01-01"}},
}
#: After a win against 1500: in 1996 the rating that a draw and this win together stand for, in 1994 the average
MOVED = {"uscf_1996": 1500.0, "uscf_1994": (OLD_START + 1500 + 400) / 2}


def accept_old(name: str, day: date, people: list[str], games: list[tuple[int, int, int, str]]) -> None:
    content = document(name, day, people, games, control="G/120", facts={one: OLD_FACTS[one] for one in people})
    accepting.accept(OFFICER, submissions.submit(OFFICER, data(content), "event.json", name).event)


def pages(name: str, *numbers: str) -> str:
    """The players' pages, and the public work of an event."""
    own = [(players.show(one), players.history(one)) for one in numbers]
    return str([own, [trace.trace(name, 1, one, "USCF") for one in numbers]])


@pytest.mark.parametrize("system", ["uscf_1996", "uscf_1994"])
def test_under_the_old_rules_a_first_rating_that_is_an_ages_is_hidden_until_it_moves(office: str, system: str) -> None:
    """A draw between two children of one age leaves both where that age puts them."""
    office_settings.create(systems={"default": [system]})
    accept_old("Kids", OLD_FIRST, [CHILD, TWIN], [(1, 1, 2, "1/2-1/2")])
    rows = RatingRow.objects.filter(section__event__number="Kids")
    assert [row.post for row in rows] == [pytest.approx(OLD_START)] * 2
    told = f"{OLD_START:.4f}"[:5]
    assert told not in pages("Kids", CHILD, TWIN)
    assert [one.rating for one in official.standings(OLD_NEXT)] == [None, None]
    accept_old("Next", OLD_NEXT, [CHILD, VETERAN], [(1, 1, 2, "1-0")])
    assert told not in pages("Next", CHILD, VETERAN)
    child, veteran = (trace.trace("Next", 1, one, "USCF") for one in (CHILD, VETERAN))
    assert child.prior is None
    assert veteran.prior == 1500.0
    # from it, and the known K, the child's number would follow; by the rules of 1996 that is 1500 at any age
    assert veteran.values["expected"] == {"uscf_1996": 0.5, "uscf_1994": None}[system]
    assert trace.trace("Next", 1, CHILD, "USCF", public=False).prior == pytest.approx(OLD_START)
    assert [row["post"] for row in players.history(CHILD)] == [None, round(MOVED[system])]
    shown = {one.number: one.rating for one in official.standings(OLD_LIST)}
    assert shown[CHILD] == round(MOVED[system])
    assert shown[TWIN] is None


@pytest.mark.parametrize("system", ["uscf_1996", "uscf_1994"])
def test_under_the_old_rules_an_adults_first_rating_is_a_performance_and_shown(office: str, system: str) -> None:
    """One draw with 1500 is a performance of 1500, whoever made it."""
    office_settings.create(systems={"default": [system]})
    accept_old("Open", OLD_FIRST, [GROWN, VETERAN], [(1, 1, 2, "1/2-1/2")])
    assert players.show(GROWN)["ratings"]["USCF"]["rating"] == pytest.approx(1500.0)
    assert players.history(GROWN)[0]["post"] == pytest.approx(1500.0)
    assert {one.number: one.rating for one in official.standings(OLD_NEXT)}[GROWN] == 1500.0
    assert trace.trace("Open", 1, GROWN, "USCF").post == pytest.approx(1500.0)
    assert trace.trace("Open", 1, VETERAN, "USCF").values["post"] is not None


def test_in_1996_a_converted_rating_is_nobodys_age_and_shown(office: str) -> None:
    """CFC 1600 is 1525 by the printed table (1996, section 3); a loss to somebody far above moves it by less than a
    point.
    """
    office_settings.create(systems={"default": ["uscf_1996"]})
    accept_old("Open", OLD_FIRST, [OTHER, STRONG], [(1, 1, 2, "0-1")])
    assert players.show(OTHER)["ratings"]["USCF"]["rating"] == pytest.approx(1525, abs=0.5)
    assert {one.number: one.rating for one in official.standings(OLD_NEXT)}[OTHER] == 1525


def test_in_1996_an_opponents_work_does_not_tell_what_the_childs_hides(office: str) -> None:
    """A loss to somebody far above moves nothing, but the opponent's expected score rests on the child's number."""
    office_settings.create(systems={"default": ["uscf_1996"]})
    accept_old("Kids", OLD_FIRST, [CHILD, TWIN, VETERAN], [(1, 1, 2, "1/2-1/2"), (2, 3, 1, "1-0")])
    assert RatingRow.objects.get(player__number=CHILD).post == pytest.approx(OLD_START)
    veteran = trace.trace("Kids", 1, VETERAN, "USCF")
    assert veteran.values["expected"] == 1.0  # 0.987 in tenths, whatever the child's age
    assert f"{OLD_START:.4f}"[:5] not in str(veteran)
    assert veteran.published is not None
    inner = trace.trace("Kids", 1, VETERAN, "USCF", public=False)
    assert inner.values["expected"] == pytest.approx(1 / (1 + 10 ** ((OLD_START - 1500) / 400)))


def match_findings(viewer: Actor, name: str, opponent: str) -> list[str]:
    """What a viewer reads about a match of the child that Dora has submitted."""
    games = [(1, 1, 2, "1-0"), (2, 2, 1, "1-0")]
    content = document(name, THIRD, [CHILD, opponent], games, kind="match", control="G/120;d5")
    submissions.submit(users.acting_as("dora"), data(content), "event.json", name)
    (waiting,) = review_queue.review(viewer, name)
    return [f"{one.code}: {one.message}" for one in waiting.findings if one.code.startswith("match-")]


def test_a_director_does_not_learn_the_start_from_a_review(unmoved: str) -> None:
    """STRONG is 1462 points above the child, FRIEND 162: whoever may try all strengths would find where 400 ends."""
    users.add_user(ADMIN, "dora", Role.DIRECTOR)
    accept("Others", SECOND, [FRIEND, OTHER], [(1, 1, 2, "1-0")])
    director = users.acting_as("dora")
    unestablished = ["match-not-established: player 1 has no established OTBR rating."]
    assert match_findings(director, "Far", STRONG) == unestablished
    assert match_findings(director, "Near", FRIEND) == unestablished
    told = match_findings(OFFICER, "Far-again", STRONG)
    assert [one.partition(":")[0] for one in told] == ["match-not-established", "match-gap"]
    with pytest.raises(EventRejected) as refused:
        accepting.accept(OFFICER, "Far")
    assert "match-gap" in {one.code for one in refused.value.findings}


def test_a_child_long_at_the_start_is_not_called_unestablished(unmoved: str) -> None:
    """Nothing untrue is said instead of what is hidden."""
    users.add_user(ADMIN, "dora", Role.DIRECTOR)
    accept("Long", SECOND, [CHILD, STRONG], [(n, 1, 2, "0-1") for n in range(1, 31)])
    assert match_findings(users.acting_as("dora"), "Far", STRONG) == []
    assert [one.partition(":")[0] for one in match_findings(OFFICER, "Far-again", STRONG)] == ["match-gap"]


def test_a_director_reads_no_count_of_what_is_hidden(unmoved: str) -> None:
    """The list of what dora sent said "1 thing needs fixing" where the review hid what it was."""
    users.add_user(ADMIN, "dora", Role.DIRECTOR)
    accept("Long", SECOND, [CHILD, STRONG], [(n, 1, 2, "0-1") for n in range(1, 31)])
    assert match_findings(users.acting_as("dora"), "Far", STRONG) == []
    sent = Submission.objects.get(event__number="Far").id
    assert (
        submission_page.page(users.acting_as("dora"), sent).line.next_step
        == "It waits for review. There is nothing to do."
    )


def test_a_director_reads_how_far_apart_shown_ratings_are(unmoved: str) -> None:
    users.add_user(ADMIN, "dora", Role.DIRECTOR)
    accept("Next", SECOND, [CHILD, FRIEND], [(1, 1, 2, "1-0")])  # a win has moved the child
    codes = [one.partition(":")[0] for one in match_findings(users.acting_as("dora"), "Far", STRONG)]
    assert codes == ["match-not-established", "match-gap"]


@pytest.mark.both_databases
def test_only_rows_in_which_a_rating_began_are_read(office: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long players have played: an index leads to the few rows that matter."""
    long = ((player, place) for player in range(1, 201) for place in range(1, 31))
    RatingRow.objects.bulk_create(
        RatingRow(
            section_id=place,
            pool="OTBR",
            player_id=player,
            position=place,
            number=player,
            prior=1500.0,
            post=1500.0 + place,
            prior_games=place - 1,
            initialized=place == 1,
            games=1,
            score=1.0,
        )
        for player, place in long
    )
    asked: list[str] = []
    with connection.cursor() as cursor, monkeypatch.context() as patched:
        cursor.execute("ANALYZE")
        patched.setattr(bulk, "rows", lambda sql: asked.append(sql) or [])
        AgeStarts([3, 5, 7])
        cursor.execute(("EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN ") + asked[0])
        assert "where_a_rating_began" in str(cursor.fetchall())
    starts = AgeStarts([3, 5, 7])
    assert starts.tells(5, "OTBR", 1500.0, 1)
    assert not starts.tells(5, "OTBR", 1500.0, 2)  # the first section moved it by one
