"""Who follows a player or an event gets one message for each act, without names, ratings or ages."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.test import override_settings
from simulated import data, document

from crosstable.errors import OfficeError
from crosstable.office.backup.proof import verify_all
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Player
from crosstable.office.notices import following, inbox, mail
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.reports import accepting, submissions

ADA, BEN, CAY = "30000001", "30000002", "30000003"
MEMORY = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def ready(office: str) -> str:
    office_settings.create()
    for name, role in {"olga": Role.OFFICER, "dora": Role.DIRECTOR, "pia": Role.PLAYER, "pit": Role.PLAYER}.items():
        users.add_user(Actor.installation(), name, role)
    return office


def acting(name: str) -> Actor:
    return users.acting_as(name)


def report(number: str, day: int, people: list[str], result: str = "1-0") -> bytes:
    return data(document(f"Open {number}", date(2025, 8, day), people, [(1, 1, 2, result)]))


def rate(number: str, day: int, people: list[str], result: str = "1-0") -> None:
    submissions.submit(acting("dora"), report(number, day, people, result), "open.json", number)
    accepting.accept(acting("olga"), number)


def received(name: str) -> list[tuple[str, str, str]]:
    """What came, oldest first."""
    return [(one.subject, one.words, one.about) for one in reversed(inbox.inbox(acting(name)))]


def test_followers_of_a_player_are_told_once_of_each_act_on_an_event(ready: str) -> None:
    rate("A", 2, [ADA, BEN])
    Player.objects.filter(number=ADA).update(name="Strong, Ada", withheld=True)
    pia = acting("pia")
    following.follow(pia, "player", ADA)
    following.follow(pia, "player", ADA)  # twice is once
    following.follow(pia, "player", BEN)
    following.follow(pia, "event", "A")
    following.follow(acting("pit"), "player", ADA)
    rate("B", 9, [ADA, CAY])
    accepting.correct(acting("olga"), "A", report("A", 2, [ADA, BEN], "0-1"), "open.json", "wrong way round")
    accepting.withdraw(acting("olga"), "A", "never played")
    assert received("pia") == [
        ("Open B: rated", f"You follow player {ADA}.", f"followed-player:{ADA}"),
        ("Open A: corrected", f"You follow this event and players {ADA}, {BEN}.", "followed-event:A"),
        ("Open A: withdrawn", f"You follow this event and players {ADA}, {BEN}.", "followed-event:A"),
    ]
    assert [subject for subject, _, _ in received("pit")] == ["Open B: rated", "Open A: corrected", "Open A: withdrawn"]
    assert not any("Strong" in word or "olga" in word for one in received("pia") for word in one)
    assert verify_all().ok


def test_a_rating_that_an_earlier_event_changes_is_told_as_corrected(ready: str) -> None:
    rate("A", 2, [ADA, BEN])
    rate("B", 9, [BEN, CAY])
    following.follow(acting("pia"), "player", CAY)
    accepting.correct(acting("olga"), "A", report("A", 2, [ADA, BEN], "0-1"), "open.json", "wrong", preview=True)
    assert received("pia") == []  # a preview tells nobody
    accepting.correct(acting("olga"), "A", report("A", 2, [ADA, BEN], "0-1"), "open.json", "wrong way round")
    ((subject, _, about),) = received("pia")
    assert (subject, about) == (f"Player {CAY}: rating corrected", f"followed-player:{CAY}")


def test_stopping_ends_it_and_own_acts_are_not_told(ready: str) -> None:
    rate("A", 2, [ADA, BEN])
    for name in ("pia", "olga"):
        following.follow(acting(name), "player", ADA)
    following.stop(acting("pia"), "player", ADA)
    rate("B", 9, [ADA, CAY])
    assert received("pia") == received("olga") == []


def test_several_events_at_once_tell_each_by_itself_and_mail_says_so(ready: str) -> None:
    rate("A", 2, [ADA, BEN])
    User.objects.filter(username="pia").update(email="pia@office.example")
    following.follow(acting("pia"), "player", ADA)
    for number, day in (("B", 9), ("C", 16)):
        submissions.submit(acting("dora"), report(number, day, [ADA, BEN]), "open.json", number)
    outbox.outbox = []
    with override_settings(EMAIL_BACKEND=MEMORY):
        accepting.accept_many(acting("olga"), ["B", "C"])
        mail.finish()
    assert sorted((one.subject, *one.to) for one in outbox.outbox) == [
        ("Open B: rated", "pia@office.example"),
        ("Open C: rated", "pia@office.example"),
    ]
    assert [subject for subject, _, _ in received("pia")] == ["Open B: rated", "Open C: rated"]


def test_what_cannot_be_followed(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rate("A", 2, [ADA, BEN])
    submissions.submit(acting("dora"), report("B", 9, [ADA, BEN]), "open.json", "B")
    pia = acting("pia")
    for kind, number in (("event", "B"), ("event", "none"), ("player", "none"), ("club", "A")):
        with pytest.raises(OfficeError):
            following.follow(pia, kind, number)
    with pytest.raises(NotAllowedError):
        following.follow(Actor.nobody(), "player", ADA)
    monkeypatch.setattr(following, "MOST", 1)
    following.follow(pia, "event", "A")
    with pytest.raises(OfficeError, match="which is the most"):
        following.follow(pia, "player", ADA)
