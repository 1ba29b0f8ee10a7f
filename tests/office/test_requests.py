"""Players claim their id and report mistakes; the office answers, and the event's director reads along."""

from __future__ import annotations

import json
from datetime import date

import pytest
from simulated import data, document

from crosstable.cli import main
from crosstable.errors import OfficeError
from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.backup.proof import verify_all
from crosstable.office.ledger import office_settings
from crosstable.office.notices import inbox, messages
from crosstable.office.people import users
from crosstable.office.people.models import Person
from crosstable.office.people.own_player import own_player
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.reports import accepting, events, submissions
from crosstable.office.requests import claims, corrections, lifecycle, mistakes, player_requests, registry
from crosstable.office.requests.models import Request

ADMIN = Actor.installation()
ADA, BEN, OLD_BEN = "30000001", "30000002", "30000003"
OPEN = mistakes.Place("A", 1, 1)
PEOPLE = {"olga": Role.OFFICER, "dora": Role.DIRECTOR, "dan": Role.DIRECTOR, "ben": Role.PLAYER, "eve": Role.PLAYER}


@pytest.fixture
def ready(office: str) -> str:
    """Dora's event A is rated: Ada beat Ben in its only round. Ben was born on 3 May 2014."""
    office_settings.create()
    for name, role in PEOPLE.items():
        users.add_user(ADMIN, name, role)
    players.add(acting("olga"), BEN, name="Ben", birth_date=date(2014, 5, 3))
    report = document("Riverside Open", date(2025, 8, 2), [ADA, BEN], [(1, 1, 2, "1-0")])
    submissions.submit(acting("dora"), data(report), "open.json", "A")
    accepting.accept(acting("olga"), "A")
    return office


def acting(name: str) -> Actor:
    return users.acting_as(name)


def newest(name: str) -> tuple[str, str]:
    one = inbox.inbox(acting(name))[0]
    return one.subject, one.words


def test_a_player_claims_an_id_and_an_officer_confirms_it(ready: str) -> None:
    claim = claims.claim(acting("ben"), BEN, "The office knows my school.")
    assert newest("olga") == (f"ben claims to be player {BEN}", "The office knows my school.")
    assert own_player(acting("ben")) is None
    for other in ("ben", "dora"):
        with pytest.raises(NotAllowedError, match=r"may not request\.decide"):
            lifecycle.decide(acting(other), claims.CLAIM, claim.id, granted=True)
    lifecycle.decide(acting("olga"), claims.CLAIM, claim.id, granted=True)
    assert Person.objects.get(user__username="ben").player_id == BEN
    assert newest("ben") == (f"Your claim to be player {BEN}: confirmed", "")
    (mine,) = player_requests.mine(acting("ben"))
    assert (mine.state_words, mine.decided_by) == ("confirmed", "olga")
    with pytest.raises(OfficeError, match="granted already"):
        lifecycle.decide(acting("olga"), claims.CLAIM, claim.id, granted=False, words="no")
    with pytest.raises(OfficeError, match="already: write to the office"):
        claims.claim(acting("ben"), ADA, "and this one too")
    log = [(one.actor, one.action, one.subject) for one in AuditEntry.objects.filter(action__startswith="request.")]
    assert log == [
        ("ben", "request.claim", f"player:{BEN}"),
        ("olga", "request.decide", f"request:{claim.id}"),
    ]
    assert verify_all().ok


def test_a_refused_claim_says_why_and_can_be_made_again(ready: str) -> None:
    first = claims.claim(acting("eve"), BEN, "It is me")
    with pytest.raises(OfficeError, match="open claim"):
        claims.claim(acting("eve"), BEN, "It is me!")
    with pytest.raises(OfficeError, match="needs a reason"):
        lifecycle.decide(acting("olga"), claims.CLAIM, first.id, granted=False, words=" ")
    lifecycle.decide(
        acting("olga"), claims.CLAIM, first.id, granted=False, words="Please write from the address that we have."
    )
    assert newest("eve")[1] == "Please write from the address that we have."
    second = claims.claim(acting("eve"), BEN, "I did")
    registry.take_back(acting("eve"), f"request:{second.id}")
    assert [one.state_words for one in player_requests.mine(acting("eve"))] == ["taken back", "refused"]
    assert own_player(acting("eve")) is None


def test_a_player_has_one_account_also_under_a_merged_id(ready: str) -> None:
    first = claims.claim(acting("ben"), BEN, "me")
    lifecycle.decide(acting("olga"), claims.CLAIM, first.id, granted=True)
    players.add(acting("olga"), OLD_BEN, name="Ben")
    players.merge(acting("olga"), OLD_BEN, BEN, "one person")
    second = claims.claim(acting("eve"), OLD_BEN, "me")
    assert second.player == BEN
    with pytest.raises(OfficeError, match=f"player {BEN} has an account already: ben"):
        lifecycle.decide(acting("olga"), claims.CLAIM, second.id, granted=True)
    found = own_player(acting("ben"))
    assert found is not None
    assert found.number == BEN


def test_a_report_reaches_office_and_director_and_its_answer_the_player(ready: str) -> None:
    report = mistakes.report(acting("ben"), OPEN, "My round 1 was a draw.", "draw")
    told = ("A mistake is reported: Riverside Open, section 1, round 1", "My round 1 was a draw.")
    assert newest("olga") == newest("dora") == told
    assert inbox.inbox(acting("dan")) == []
    assert [one.number for one in player_requests.waiting(acting("olga"))] == [report.id]
    assert [one.number for one in player_requests.waiting(acting("dora"))] == [report.id]
    assert player_requests.waiting(acting("dan")) == []
    messages.write(acting("dora"), f"request:{report.id}", "The scoresheet says a draw.")
    assert newest("olga")[1] == "The scoresheet says a draw."
    with pytest.raises(NotAllowedError):
        lifecycle.decide(acting("dora"), mistakes.MISTAKE, report.id, granted=True, words="yes")
    lifecycle.decide(acting("olga"), mistakes.MISTAKE, report.id, granted=True, words="You are right.")
    assert newest("ben") == newest("dora") == ("Riverside Open, section 1, round 1: corrected", "You are right.")
    (mine,) = player_requests.mine(acting("ben"))
    assert (mine.state_words, mine.answer, mine.event_name) == ("corrected", "You are right.", "Riverside Open")
    assert player_requests.waiting(acting("olga")) == []
    assert [one.number for one in player_requests.decided(acting("olga"))] == [report.id]
    assert "draw" not in "".join(f"{one.reason}{one.details}" for one in AuditEntry.objects.all())


def test_a_report_keeps_who_the_reporter_is(ready: str) -> None:
    lifecycle.decide(acting("olga"), claims.CLAIM, claims.claim(acting("ben"), BEN, "me").id, granted=True)
    assert mistakes.report(acting("ben"), OPEN, "a draw").player == BEN
    assert mistakes.report(acting("eve"), mistakes.Place("A"), "the name of the event").player == ""


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (mistakes.Place("B"), "no rated event 'B'"),
        (mistakes.Place("A", 2), "has no section 2"),
        (mistakes.Place("A", 1, 2), "has 1 rounds: round 2 is not one"),
        (mistakes.Place("A", None, 1), "belongs to a section"),
    ],
)
def test_a_report_is_about_something_that_is_there(ready: str, place: mistakes.Place, why: str) -> None:
    with pytest.raises(OfficeError, match=why):
        mistakes.report(acting("ben"), place, "wrong")
    assert not Request.objects.exists()


@pytest.mark.parametrize("words", [" ", "x" * 2001, "Ben was born 5/3/2014"])
def test_words_that_cannot_be_kept_are_refused(ready: str, words: str) -> None:
    with pytest.raises(OfficeError):
        mistakes.report(acting("ben"), OPEN, words)
    with pytest.raises(OfficeError):
        claims.claim(acting("ben"), BEN, words)
    with pytest.raises(OfficeError):
        mistakes.report(acting("ben"), OPEN, "right", "1-0")
    assert not Request.objects.exists()


def test_strangers_see_nothing(ready: str) -> None:
    report = mistakes.report(acting("ben"), OPEN, "wrong")
    for stranger in (acting("eve"), acting("dan")):
        with pytest.raises(OfficeError, match="no request"):
            player_requests.one(stranger, report.id)
        with pytest.raises(OfficeError, match="no request"):
            registry.take_back(stranger, f"request:{report.id}")
        assert messages.conversation(stranger, f"request:{report.id}") == []
    with pytest.raises(NotAllowedError, match="ben's to take back"):
        registry.take_back(acting("olga"), f"request:{report.id}")
    with pytest.raises(NotAllowedError):
        mistakes.report(Actor.nobody(), OPEN, "wrong")
    assert (
        player_requests.one(acting("dora"), report.id).player_name,
        player_requests.one(acting("ben"), report.id).number,
    ) == (
        "",
        report.id,
    )


def test_one_person_does_not_flood_the_office(ready: str) -> None:
    for number in range(player_requests.MOST_OPEN):
        mistakes.report(acting("eve"), OPEN, f"wrong {number}")
    with pytest.raises(OfficeError, match="20 requests of yours are open"):
        mistakes.report(acting("eve"), OPEN, "wrong once more")
    mistakes.report(acting("ben"), OPEN, "wrong")


def test_a_report_becomes_a_correction_and_the_rating_moves(ready: str) -> None:
    """Ben lost to Ada, and says that it was a draw: the draw gives him more, and her less."""
    lifecycle.decide(acting("olga"), claims.CLAIM, claims.claim(acting("ben"), BEN, "me").id, granted=True)
    report = mistakes.report(acting("ben"), OPEN, "My round 1 was a draw.", "draw")
    assert player_requests.one(acting("olga"), report.id).correctable
    with pytest.raises(NotAllowedError):
        corrections.make_correction(acting("dora"), report.id)
    asked = corrections.make_correction(acting("olga"), report.id)
    assert newest("ben")[0] == "Your report has become a correction request"
    with pytest.raises(OfficeError, match="correct it with a file"):
        corrections.make_correction(acting("olga"), report.id)
    moved = {one.player: one.change for one in corrections.preview(acting("olga"), asked.id).ratings.changes}
    assert moved[BEN] > 0 > moved[ADA]
    lifecycle.decide(acting("olga"), corrections.CORRECTION, asked.id, granted=True)
    assert [game.result for game in events.document("A").sections[0].games] == ["1/2-1/2"]
    assert player_requests.one(acting("ben"), report.id).correction_state == "granted"
    assert "My round 1" not in events.revisions("A")[-1]["reason"]  # that one is public
    assert newest("ben")[1] == "You are right: it has been corrected."  # the decision answers the report too
    assert verify_all().ok


@pytest.mark.parametrize(
    ("who", "own", "game"), [(ADA, "win", "1-0"), (BEN, "win", "0-1"), (ADA, "loss", "0-1"), (BEN, "loss", "1-0")]
)
def test_a_result_is_the_players_own(ready: str, who: str, own: str, game: str) -> None:
    """Ada has White: her win is 1-0, Ben's is 0-1."""
    Person.objects.filter(user__username="eve").update(player_id=who)
    row = mistakes.report(acting("eve"), OPEN, "wrong", own)
    assert corrections._corrected(row).sections[0].games[0].result == game


def test_the_same_from_the_shell(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    def shell(*words: str) -> str:
        assert main(["office", "--db", ready, *words]) == 0
        return capsys.readouterr().out

    claim, report = claims.claim(acting("ben"), BEN, "me"), mistakes.report(acting("ben"), OPEN, "a draw")
    assert [one["kind"] for one in json.loads(shell("--as", "olga", "requests", "--json"))] == ["claim", "mistake"]
    assert "confirmed" in shell("--as", "olga", "requests", str(claim.id), "--grant")
    assert "not changed" in shell("--as", "olga", "requests", str(report.id), "--refuse", "--reason", "Ada says no")
    assert "no requests to answer" in shell("--as", "olga", "requests")
    shell("--as", "ben", "notices", f"request:{report.id}", "--write", "I have the scoresheet.")
    assert "I have the scoresheet." in shell("--as", "olga", "notices", f"request:{report.id}")
    assert [one["words"] for one in json.loads(shell("--as", "ben", "notices", "--read", "--json"))] == [
        "Ada says no",
        "",
    ]
    assert inbox.unread(acting("ben")) == 0
    file = data(document("Second Open", date(2025, 9, 6), [ADA, BEN], [(1, 1, 2, "1-0")]))
    submissions.submit(acting("dora"), file, "open.json", "B")
    assert "refused" in shell("--as", "olga", "refuse-event", "B", "--reason", "a simul")
    assert newest("dora")[0] == "Second Open: refused"
    assert main(["office", "--db", ready, "--as", "olga", "requests", "--grant"]) == 1
    assert main(["office", "--db", ready, "--as", "ben", "notices", "--write", "words"]) == 1


def test_a_claim_confirmed_after_the_report_makes_it_correctable(ready: str) -> None:
    """Whose game it is, is decided when the report is looked at; Ben's own record stands for an older one of his."""
    row = mistakes.report(acting("ben"), OPEN, "It was a draw.", "draw")
    assert not player_requests.one(acting("olga"), row.id).correctable
    with pytest.raises(OfficeError, match="whose game"):
        corrections.make_correction(acting("olga"), row.id)
    players.add(acting("olga"), OLD_BEN)
    lifecycle.decide(acting("olga"), claims.CLAIM, claims.claim(acting("ben"), OLD_BEN, "It is me.").id, granted=True)
    players.merge(acting("olga"), OLD_BEN, BEN, "one person")
    asked = player_requests.one(acting("olga"), row.id)
    assert (asked.correctable, asked.player, asked.corrected) == (True, BEN, False)
    made = corrections.make_correction(acting("olga"), row.id)
    lifecycle.decide(acting("olga"), corrections.CORRECTION, made.id, granted=True)
    asked = player_requests.one(acting("olga"), row.id)
    assert (asked.state_words, asked.corrected) == ("corrected", True)
    assert events.document("A").sections[0].games[0].result == "1/2-1/2"


def test_the_same_reported_again_leads_to_the_first(ready: str) -> None:
    first = mistakes.report(acting("ben"), OPEN, "It was a draw.", "draw")
    with pytest.raises(OfficeError, match=f"reported this already: request {first.id} has not been answered"):
        mistakes.report(acting("ben"), OPEN, "Once more: a draw.", "draw")
    others = [
        mistakes.report(acting("ben"), OPEN, "Or I won.", "win"),  # that is another thing to say
        mistakes.report(acting("eve"), OPEN, "It was a draw.", "draw"),
        mistakes.report(acting("ben"), mistakes.Place("A"), "The name is wrong"),
        mistakes.report(acting("ben"), mistakes.Place("A"), "The day is wrong"),
    ]
    with pytest.raises(OfficeError, match=f"request {others[3].id} has not been answered"):
        mistakes.report(acting("ben"), mistakes.Place("A"), "The day is wrong")
    assert [one.number for one in player_requests.waiting(acting("olga"))] == [first.id, *(one.id for one in others)]
    registry.take_back(acting("ben"), f"request:{first.id}")
    mistakes.report(acting("ben"), OPEN, "It was a draw after all.", "draw")
