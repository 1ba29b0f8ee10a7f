"""Answers do not depend on a private value of another person: two offices that differ in one answer alike.

Each list of requests is what an attacker would send; all of them go to both offices, and every answer is compared.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from axes.utils import reset
from django.db import connections
from django.http import HttpResponse
from django.test import Client, override_settings

from crosstable import office as the_office
from crosstable.office.ledger import names
from crosstable.office.ledger.models import Player, RatingRow, Submission
from crosstable.office.people import tokens, users
from crosstable.office.people.models import Person
from crosstable.office.reports.models import RowComment
from crosstable.office.requests import correction_drafts
from crosstable.office.storage import clock
from tests.web import accounts

GUESS = date(2015, 5, 4)
#: The same day as people write it, a day that is not it, and a list of days as in a search by halves
TEXTS = (
    "2015-05-04",
    "K, born 4 May 2015",
    "May 4th, 2015",
    "2015-05-05",
    " ".join(f"2015-05-{day:02}" for day in range(1, 32)),
)
#: What a page has anew each time; the log's hash covers the beginning of a random token
RANDOM = re.compile(r'(?<=csrfmiddlewaretoken" value=")[^"]+|(?<=nonce=")[^"]+|(?<=\d:)[0-9a-f]{8}(?=</span>)')

Ask = Callable[[Mapping[str, str]], Iterator[HttpResponse]]


def answers(example: str, copy: Path, sample: Mapping[str, str], change: Callable[[], object], ask: Ask) -> list[str]:
    """What a copy of the example with one change answers, without what is random."""
    the_office.setup(example)
    connections.close_all()
    shutil.copyfile(example.removeprefix("sqlite:///"), copy)
    the_office.setup(f"sqlite:///{copy}")
    reset()
    with override_settings(API_LIMITS={}), clock.set_to(datetime(2026, 3, 1, 12, tzinfo=UTC)):
        change()
        found = [_as_text(answer) for answer in ask(sample)]
    connections.close_all()
    return found


def _as_text(answer: HttpResponse) -> str:
    where = answer.headers.get("Location", "")
    return RANDOM.sub("", f"{answer.status_code} {where}\n{answer.content.decode()}")


def by_players(sample: Mapping[str, str]) -> Iterator[HttpResponse]:
    """Claims, reports and messages, by anyone with an account."""
    pia = accounts.signed_in("player")
    Person.objects.filter(user__username="pia").update(player_id="")
    for text in TEXTS:
        yield pia.post("/desk/mine/claim/", {"player": sample["player"], "words": text})
        report = {"event": sample["event"], "section": sample["section"], "round": "1", "result": "draw"}
        yield pia.post("/desk/mine/report/", {**report, "words": text})
        yield pia.post("/desk/messages/", {"about": f"player:{sample['player']}", "words": text})
        yield pia.post("/desk/mine/floor/", {"floor": "1", "words": text})
    yield pia.get("/desk/mine/")


def by_directors(sample: Mapping[str, str]) -> Iterator[HttpResponse]:
    """Messages about a report, a reason to take it back, and the reason for a correction."""
    dora, actor = accounts.signed_in("director"), users.acting_as("dora")
    sent = Submission.objects.filter(event__number=sample["event"])
    sent.update(author="dora", outcome="queued")
    number, draft = sent.order_by("id")[0].id, correction_drafts.correction(actor, sample["event"]).id
    for text in TEXTS:
        yield dora.post("/desk/messages/", {"about": f"submission:{number}", "words": text})
        yield dora.post(f"/desk/drafts/{draft}/ask/", {"reason": text})
        yield dora.get(f"/desk/drafts/{draft}/")
    api = _program("dora")
    for count, text in enumerate(TEXTS):
        content = _event(count, [sample["player"], sample["other"]])
        answer = api.post(f"/api/v1/submit?event=x-{text[:40]}", content, content_type="application/octet-stream")
        yield answer
        submission = Submission.objects.order_by("-id")[0].id
        yield dora.post(f"/desk/submissions/{submission}/take-back/", {"reason": text})
        yield dora.get(f"/desk/submissions/{submission}/")
    yield dora.get("/desk/submissions/")


def by_commenters(sample: Mapping[str, str]) -> Iterator[HttpResponse]:
    """Comments on rows of a report, by its director, and by people who may not see it."""
    Submission.objects.filter(event__number=sample["event"]).update(author="dora", outcome="queued")
    section, address = sample["section"], f"/desk/comments/{sample['event']}/"
    for role in ("director", "player", "officer"):
        client = accounts.signed_in(role)
        for text in TEXTS:
            yield client.post(address, {"do": "comment", "row": f"{section}-1", "words": text})
        yield client.post(address, {"do": "comment", "row": f"{section}-1", "words": f"{role} asks about this row."})
        thread = str(RowComment.objects.order_by("id").values_list("id", flat=True)[0])
        for text in TEXTS:
            yield client.post(address, {"do": "answer", "thread": thread, "words": text})
        yield client.post(address, {"do": "resolve", "thread": thread})
        yield client.get("/desk/inbox/")
        yield client.get(f"/desk/review/{sample['event']}/")


def by_reporters(sample: Mapping[str, str]) -> Iterator[HttpResponse]:
    """Mistakes reported by visitors without an account."""
    visitor = Client(headers=accounts.HOST)
    report = {"event": sample["event"], "section": sample["section"], "round": "1", "result": "draw"}
    for text in TEXTS:
        yield visitor.post(
            "/report/", {**report, "player": sample["player"], "email": "parent@example.org", "words": text}
        )


def _program(name: str) -> Client:
    secret = tokens.create_token(users.acting_as(name), name, "pairing program", ["event.submit"], days=1)
    return Client(headers={**accounts.HOST, "authorization": f"Bearer {secret}"})


def _event(count: int, ids: list[str]) -> bytes:
    players = [{"number": at, "id": one, "name": ""} for at, one in enumerate(ids, start=1)]
    games = [{"round": 1, "white": 1, "black": 2, "result": "1-0"}]
    section = {"number": 1, "time_control": "G/60;d5", "players": players, "games": games}
    day = f"2026-01-{10 + count}"
    return json.dumps(
        {"format": "crosstable-event/1", "name": f"Night {count}", "start": day, "end": day, "sections": [section]}
    ).encode()


@pytest.mark.parametrize("ask", [by_players, by_directors, by_reporters, by_commenters])
def test_text_is_never_compared_with_a_stored_birth_date(
    example: str, sample: Mapping[str, str], tmp_path: Path, ask: Ask
) -> None:
    """The refusal of "leave the birth date out" told in sixteen requests when a player was born."""

    def born(day: date) -> Callable[[], object]:
        return lambda: Player.objects.filter(number=sample["player"]).update(birth_date=day)

    right = answers(example, tmp_path / "right.db", sample, born(GUESS), ask)
    wrong = answers(example, tmp_path / "wrong.db", sample, born(date(2016, 8, 9)), ask)
    assert right == wrong
    assert any("leave birth dates out" in one.lower() for one in right)


def by_visitors(sample: Mapping[str, str]) -> Iterator[HttpResponse]:
    """Searches by a name that one guesses, whole, in part and misspelt."""
    visitor = Client(headers=accounts.HOST)
    for word in ("Zyxwvut", "Zyxwvu", "Zyxwvuts", "zy", "Zyxvwut Quentin"):
        for address in (
            f"/players/?q={word}",
            f"/api/v1/players?q={word}",
            f"/players/{sample['other']}/vs/x/?q={word}",
        ):
            yield visitor.get(address)
        yield visitor.get(f"/search/?q={word}", headers={"HX-Request": "true"})
    report = f"/report/?event={sample['event']}&section={sample['section']}"
    for address in ("/", f"/lists/{sample['list']}/OTBR/", f"/api/v1/lists/{sample['list']}/OTBR", report):
        yield visitor.get(address)


def test_a_withheld_name_is_found_by_no_search(example: str, sample: Mapping[str, str], tmp_path: Path) -> None:
    """A hidden name also pushed the visible ones out of what a search suggests."""

    def called(name: str) -> Callable[[], object]:
        def change() -> None:
            row = Player.objects.get(number=sample["player"])
            row.name, row.withheld = name, True
            row.save()
            names.change(row.id, name)
            like = [Player(number=f"4000000{at}", name=f"Zyxwvu{at}") for at in "abc"]  # as many as are suggested
            for one in like:
                one.save()
            names.add((one.id, one.name) for one in like)

        return change

    right = answers(example, tmp_path / "right.db", sample, called("Zyxwvut Quentin"), by_visitors)
    wrong = answers(example, tmp_path / "wrong.db", sample, called("Zeta Quill"), by_visitors)
    assert right == wrong


def by_commenters_on_the_player(sample: Mapping[str, str]) -> Iterator[HttpResponse]:
    """A comment on the row of a withheld player, by the report's director, and what both sides hear of it."""
    Submission.objects.filter(event__number=sample["event"]).update(author="dora", outcome="queued")
    rows = RatingRow.objects.filter(player__number=sample["player"], section__event__number=sample["event"])
    section, row = rows.values_list("section__number", "number")[0]
    dora, address = accounts.signed_in("director"), f"/desk/comments/{sample['event']}/"
    yield dora.post(address, {"do": "comment", "row": f"{section}-{row}", "words": "Is this the right player?"})
    thread = str(RowComment.objects.get().id)
    accounts.signed_in("officer").post(address, {"do": "answer", "thread": thread, "words": "Yes."})
    yield dora.get("/desk/inbox/")
    submission = Submission.objects.filter(event__number=sample["event"]).order_by("id")[0].id
    yield dora.get(f"/desk/submissions/{submission}/")


def test_a_comment_tells_its_director_no_withheld_name(example: str, sample: Mapping[str, str], tmp_path: Path) -> None:
    """Messages name the row as the report does, not as the office's register does."""

    def called(name: str) -> Callable[[], object]:
        def change() -> None:
            Player.objects.filter(number=sample["player"]).update(name=name, withheld=True)

        return change

    both = [
        answers(example, tmp_path / f"{at}.db", sample, called(name), by_commenters_on_the_player)
        for at, name in enumerate(("Zyxwvut Quentin", "Zeta Quill"))
    ]
    assert both[0] == both[1]
    assert "Is this the right player?" in both[0][-1]
    assert "Zyxwvut" not in "".join(both[0])
