"""A director announces an event; its status follows from the days and from what becomes of the report."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from simulated import data, document

from crosstable.errors import OfficeError
from crosstable.office.audit.models import AuditEntry
from crosstable.office.backup.proof import verify_all
from crosstable.office.ledger import office_settings
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.queries import announced
from crosstable.office.reports import accepting, announcements, submissions
from crosstable.office.reports.announcements import Details

FIRST, LAST = date(2025, 8, 2), date(2025, 8, 3)
DAY = timedelta(days=1)
OPEN = Details(
    name="River Open", start=FIRST, end=LAST, city="Dayton", state="OH", rounds=5, link="https://club.example/open"
)


@pytest.fixture(autouse=True)
def ready(office: str, monkeypatch: pytest.MonkeyPatch) -> None:
    office_settings.create()
    for name, role in {"olga": Role.OFFICER, "dora": Role.DIRECTOR, "dan": Role.DIRECTOR, "pia": Role.PLAYER}.items():
        users.add_user(Actor.installation(), name, role)
    monkeypatch.setattr(announcements.clock, "today", lambda: FIRST - 10 * DAY)


def acting(name: str) -> Actor:
    return users.acting_as(name)


def submitted(number: str, author: str = "dora", name: str = "River  open") -> None:
    report = data(document(name, FIRST, ["30000001", f"3000000{2 if author == 'dora' else 3}"], [(1, 1, 2, "1-0")]))
    assert submissions.submit(acting(author), report, "open.json", number).submission


def status(today: date) -> tuple[str, str]:
    (one,) = announced.coming(today)
    return str(one.status), one.event


def test_the_status_follows_from_the_days_and_from_the_report() -> None:
    announcements.announce(acting("dora"), OPEN)
    assert announced.coming(FIRST - 121 * DAY) == ()  # too far ahead for the list: 120 days
    assert [status(day)[0] for day in (FIRST - 120 * DAY, FIRST - DAY)] == ["announced"] * 2
    assert [status(day)[0] for day in (FIRST, LAST)] == ["being played now"] * 2
    assert status(LAST + DAY) == ("report expected", "")
    submitted("OTHER", "dan")  # the same name and days, another director
    assert status(LAST + DAY) == ("report expected", "")
    submitted("A")
    assert status(LAST + DAY) == ("report under review", "")  # a report that waits has no public page
    accepting.accept(acting("olga"), "A")
    assert status(LAST + 30 * DAY) == ("rated", "A")
    assert announced.coming(LAST + 31 * DAY) == ()
    accepting.withdraw(acting("olga"), "A", "never played")
    assert status(LAST + DAY) == ("report expected", "")


def test_the_director_chooses_a_report_of_another_name() -> None:
    dora = acting("dora")
    row = announcements.announce(dora, OPEN)
    submitted("A", name="River Open, Championship")
    assert status(LAST + DAY) == ("report expected", "")
    submitted("B", "dan")
    with pytest.raises(OfficeError, match="not a report of yours"):
        announcements.change(dora, row.id, OPEN, "B")
    announcements.change(dora, row.id, OPEN, "A")
    assert status(LAST + DAY) == ("report under review", "")
    announcements.change(dora, row.id, OPEN, "")
    assert status(LAST + DAY) == ("report expected", "")
    assert verify_all().ok


def test_who_may_announce_change_cancel_and_remove() -> None:
    dora, dan, olga = map(acting, ("dora", "dan", "olga"))
    one, two = announcements.announce(dora, OPEN), announcements.announce(dora, replace(OPEN, name="Second"))
    for nobody in (acting("pia"), Actor.nobody()):
        with pytest.raises(NotAllowedError):
            announcements.announce(nobody, OPEN)
    for act in (lambda: announcements.change(dan, one.id, OPEN), lambda: announcements.cancel(dan, one.id)):
        with pytest.raises(NotAllowedError, match="did not announce"):
            act()
    announcements.change(dora, one.id, replace(OPEN, city="Akron"))
    assert [line.place for line in announced.own(dora, FIRST)] == ["Dayton, OH", "Akron, OH"]
    assert [line.name for line in announced.others(olga, FIRST)] == ["River Open", "Second"]
    assert announced.others(dan, FIRST) == ()
    announcements.cancel(dora, one.id)
    announcements.cancel(olga, two.id)
    assert announced.coming(FIRST) == announced.own(dora, FIRST) == ()
    with pytest.raises(OfficeError, match="no announced event"):
        announcements.cancel(dora, one.id)
    log = AuditEntry.objects.filter(subject__startswith="announcement:").order_by("seq").values_list("actor", "action")
    assert list(log) == [
        ("dora", "event.announce"),
        ("dora", "event.announce"),
        ("dora", "event.announce_change"),
        ("dora", "event.announce_cancel"),
        ("olga", "event.announce_remove"),
    ]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": ""}, "enter the name"),
        ({"end": FIRST - DAY}, "the last day is before the first"),
        ({"start": FIRST - 90 * DAY, "end": FIRST - 90 * DAY}, "the event is over"),
        ({"end": FIRST + 367 * DAY}, "a year at most"),
        ({"start": FIRST + 730 * DAY, "end": FIRST + 730 * DAY}, "more than two years ahead"),
        ({"rounds": 100}, "1 to 99"),
        ({"link": "javascript:alert(1)"}, "not a web address"),
        ({"link": "https://office.example@evil.example/"}, "not a web address"),
        ({"city": "C" * 101}, "at most 100"),
        ({"name": "born 5/3/2014"}, "birth dates"),
    ],
)
def test_what_is_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(OfficeError, match=words):
        announcements.announce(acting("dora"), replace(OPEN, **wrong))


def test_one_person_announces_so_many_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcements, "MOST", 1)
    announcements.announce(acting("dora"), OPEN)
    announcements.announce(acting("dan"), OPEN)
    with pytest.raises(OfficeError, match="which is the most"):
        announcements.announce(acting("dora"), replace(OPEN, name="Second"))
