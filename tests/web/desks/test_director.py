"""The director's desk through its pages: bring a file, mend it, preview, send, and see what became of it."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from crosstable.office.ledger.models import Event, Office, Player, Submission
from crosstable.office.people import users
from crosstable.office.reports import accepting
from crosstable.office.reports.models import Draft
from tests.desk_files import CLASH
from tests.web.desks import stage

Desk = Callable[[str], Client]


def bring(client: Client, data: bytes, name: str = "file.trf", **more: str) -> int:
    answer = client.post("/desk/drafts/new/", {"file": SimpleUploadedFile(name, data), **more})
    assert answer.status_code == 302, answer.content.decode()
    return int(re.search(r"/desk/drafts/(\d+)/", answer["Location"])[1])


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return answer.content.decode()


def press(client: Client, draft: int, label: str, **typed: str) -> None:
    """The first button of that label, with what is typed beside it."""
    html = page(client, f"/desk/drafts/{draft}/")
    found = re.search(rf'name="mend" value="([^"]+)">(?:<span>)?{re.escape(label)}<', html)
    assert found, (label, re.findall(r'name="mend" value="[^"]+">([^<]+)<', html)[:40])
    answer = client.post(f"/desk/drafts/{draft}/mend/", {"mend": found[1].replace("&amp;", "&"), **typed})
    assert answer.status_code == 302


def ids(count: int) -> list[str]:
    rows = Player.objects.filter(merged_into=None, withheld=False, birth_date=None).order_by("number")
    return list(rows.values_list("number", flat=True)[:count])


def mend_all(client: Client, draft: int) -> None:
    press(client, draft, "It was a draw")
    press(client, draft, "Use these days", start="2025-12-27", end="2025-12-28")
    press(client, draft, "Use this time control", time_control="G/60;d5")
    press(client, draft, "Use this name", name="Dayton Winter Open")
    press(client, draft, "Use these IDs", ids="\n".join(ids(7)))


@pytest.fixture
def dora(desk_office: str, desk: Desk) -> Client:
    return desk("director")


def test_a_file_from_upload_to_rated(dora: Client, desk: Desk) -> None:
    draft = bring(dora, CLASH.read_bytes(), CLASH.name)
    html = page(dora, f"/desk/drafts/{draft}/")
    assert "row 2 says won, row 3 says won" in html
    mend_all(dora, draft)
    html = page(dora, f"/desk/drafts/{draft}/")
    assert "Needs fixing" not in html
    assert "✓ Ready" in html
    asked = re.search(
        r"(\d+) questions are not answered: the officer will see them", html
    )  # the ids are other people's
    assert asked
    preview = page(dora, f"/desk/drafts/{draft}/preview/")
    assert "not official, not saved" in preview
    assert '<table class="ct cards"' in preview  # a card for each player on a phone: no column is cut off
    answer = dora.post(f"/desk/drafts/{draft}/send/")
    sent = page(dora, answer["Location"])
    assert "Next step: the office’s" in sent
    assert re.search(r"The officer sees (\d+) things to look at", sent)
    assert "Nothing to fix" not in sent
    assert "Joel Barlow (2) drew" in sent
    event = Submission.objects.order_by("-id")[0].event
    assert event is not None
    assert "Joel Barlow (2) drew" in page(
        desk("officer"), f"/desk/review/{event.number}/"
    )  # who reviews it reads the mends
    accepting.accept(users.acting_as("olive"), event.number)
    sent = page(dora, answer["Location"])
    assert "It is rated." in sent
    assert "By olive." in sent
    assert f'href="/events/{event.number}/1/"' in sent


def test_columns_that_nobody_reads_are_named(dora: Client) -> None:
    games = b"Rd,White,W strength,Black,B strength,Result\n1,Ann,1850,Bo,1720,1-0\n"
    draft = bring(dora, games, "games.csv")
    html = page(dora, f"/desk/drafts/{draft}/")
    assert "These columns are not used: &#x27;W strength&#x27;, &#x27;B strength&#x27;." in html


def test_a_result_of_a_list_that_cannot_be_read_is_one_press(dora: Client) -> None:
    games = b"Rd,White,Black,Result\n1,Ann Ames,Bo Orr,?!\n1,Cy Poe,Dee Day,1-0\n"
    draft = bring(dora, games, "games.csv")
    html = page(dora, f"/desk/drafts/{draft}/")
    assert "Ann Ames (1) against Bo Orr (2): the file has “?!”" in html
    press(dora, draft, "Orr won (Black)")
    html = page(dora, f"/desk/drafts/{draft}/")
    assert "?!" not in html
    assert "Ann Ames (1) lost" in html  # in the list of mends


def test_numbers_of_fide_are_kept_only_with_a_tick(dora: Client) -> None:
    """One press is not enough to make FIDE's numbers the office's ids."""
    file = Path(__file__).parents[2] / "events" / "checks" / "fide-numbers.trf"
    draft = bring(dora, file.read_bytes(), file.name)
    html = page(dora, f"/desk/drafts/{draft}/")
    assert "The ids and ratings in this file are FIDE’s, not this office’s." in html
    assert re.search(r'<input type="checkbox" name="sure" value="1" required> I know that this office numbers', html)
    label = "Keep the FIDE numbers as members’ IDs"
    press(dora, draft, label)
    html = page(dora, f"/desk/drafts/{draft}/")
    assert "Tick the box first" in html
    assert "You say it is right." not in html
    press(dora, draft, label, sure="1")
    html = page(dora, f"/desk/drafts/{draft}/")
    assert html.count("You say it is right.") == 3  # the section, and the two of it


def test_a_clash_in_one_of_several_sections_is_one_press_there(dora: Client) -> None:
    table = b"Section,No.,Name,Rnd 1\nOpen,1,Ann Ames,W2\nOpen,2,Bo Orr,L1\nU1600,1,Cy Poe,W2\nU1600,2,Dee Day,W1\n"
    draft = bring(dora, table, "sections.csv")
    html = page(dora, f"/desk/drafts/{draft}/")
    assert html.index("U1600</h2>") < html.index("row 1 says won, row 2 says won")  # below its own title
    assert ">Leave it out<" not in html
    press(dora, draft, "Day won")
    html = page(dora, f"/desk/drafts/{draft}/")
    assert "says won" not in html
    assert "Cy Poe (1) lost" in html  # in the list of mends


def test_a_file_comes_back_as_a_file(dora: Client) -> None:
    """Whatever is in it: a browser is told to keep it, not to show it."""
    evil = b"<html><script>alert(1)</script></html>"
    draft = bring(dora, evil, 'evil".html')
    html = page(dora, f"/desk/drafts/{draft}/")
    assert "<script>alert" not in html
    for address in (f"/desk/drafts/{draft}/file/",):
        answer = dora.get(address)
        assert answer.content == evil
        assert answer["Content-Type"] == "application/octet-stream"
        assert answer["Content-Disposition"].startswith("attachment;")
        assert answer["X-Content-Type-Options"] == "nosniff"
    assert "&lt;script&gt;" in page(dora, f"/desk/drafts/{draft}/text/")


def test_fifty_megabytes_are_refused_unread(dora: Client) -> None:
    """Only what the browser announces is looked at: the body is never asked for, so none is sent here."""

    class Unread(io.BytesIO):
        def read(self, *size: int | None) -> bytes:  # noqa: ARG002  as files are read
            raise AssertionError("the body was read")

    answer = dora.generic(
        "POST",
        "/desk/drafts/new/",
        b"",
        "multipart/form-data; boundary=x",
        **{"CONTENT_LENGTH": str(50 * 1024 * 1024), "wsgi.input": Unread()},
    )
    assert answer.status_code == 413
    assert "It was not read." in answer.content.decode()
    assert Draft.objects.count() == 0


def test_a_zip_bomb_and_hostile_files_get_a_clear_answer(dora: Client) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("THEXPORT.DBF", b"\0" * (60 * 1024 * 1024))
    for data, words in (
        (out.getvalue(), "unpacks to 62,914,560 bytes; the limit is 52,428,800."),  # 60 and 50 times 1,048,576
        (b"PK\x03\x04 not a zip", "cannot be unpacked: File is not a zip file."),
        (b"\0" * 100, "It begins with “”, which is not a report that we know."),
        (
            b"=cmd|' /C calc'!A0,W2\n",
            "It begins with “=cmd|&#x27; /C calc&#x27;!A0,W2”, which is not a report that we know.",
        ),
        (b" ", "It begins with “”, which is not a report that we know."),
    ):
        html = page(dora, f"/desk/drafts/{bring(dora, data, 'hostile.zip')}/")
        assert words in html
        assert "No event could be read" in html
    assert "Choose a file or paste a text first" in dora.post("/desk/drafts/new/", {}, follow=True).content.decode()


def test_forms_need_their_token_also_where_a_file_comes(desk_office: str, desk: Desk) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"host": "localhost"})
    strict.cookies = desk("director").cookies
    assert strict.post("/desk/drafts/new/", {"text": "x"}).status_code == 403
    assert Draft.objects.count() == 0


def test_the_three_tables_of_a_report_come_together(dora: Client) -> None:
    archive = zipfile.ZipFile(Path(__file__).parents[2] / "events" / "checks" / "last-number.zip")
    files = [SimpleUploadedFile(name, archive.read(name)) for name in archive.namelist()]
    answer = dora.post("/desk/drafts/new/", {"file": files})
    assert "Ada Example" in page(dora, answer["Location"])


def test_a_text_is_pasted_and_mended_by_hand(dora: Client) -> None:
    answer = dora.post(
        "/desk/drafts/new/", {"text": "No.,Name,ID,Rnd 1\r\n1,Ann,30000001,W2\r\n2,Bob,30000002,Q9z9z9\r\n"}
    )
    assert "Q9z9z9" in page(dora, answer["Location"])
    text = page(dora, f"{answer['Location']}text/")
    assert "2,Bob,30000002,Q9z9z9" in text
    dora.post(f"{answer['Location']}text/", {"text": "No.,Name,ID,Rnd 1\n1,Ann,30000001,W2\n2,Bob,30000002,L1\n"})
    assert "Q9z9z9" not in page(dora, answer["Location"])


def test_typing_saves_itself_and_refuses_to_overwrite(dora: Client) -> None:
    address = dora.post("/desk/drafts/type/", {"begin": "1"})["Location"]
    given = {
        "version": "1",
        "rows": "2",
        "rounds": "1",
        "event": "Typed Open",
        "start": "2025-12-27",
        "time_control": "G/60;d5",
        "id1": "30000001",
        "name1": "Ann",
        "r1-1": "w2",
        "name2": "Bob",
        "id2": "30000002",
    }
    answer = dora.post(address, given, headers={"X-Autosave": "1"})
    assert answer.json()["version"] == 2
    stale = dora.post(address, {**given, "name1": "Eve"}, headers={"X-Autosave": "1"})
    assert (stale.status_code, "Another window" in stale.json()["problem"]) == (409, True)
    assert 'value="Ann"' in page(dora, address)
    done = dora.post(address, {**given, "version": "2", "done": "1"})
    html = page(dora, done["Location"])
    assert "<b>W</b>2" in html
    assert "<b>L</b>1" in html


def test_nobody_else_sees_it(dora: Client, desk: Desk) -> None:
    draft = bring(dora, CLASH.read_bytes())
    for role in ("officer", "admin"):
        for rest in ("", "file/", "text/", "preview/"):
            assert desk(role).get(f"/desk/drafts/{draft}/{rest}").status_code == 404
    assert desk("player").get(f"/desk/drafts/{draft}/").status_code == 403


def test_taken_back_stays_readable_and_comes_again(dora: Client) -> None:
    draft = bring(dora, CLASH.read_bytes(), CLASH.name)
    mend_all(dora, draft)
    sent = dora.post(f"/desk/drafts/{draft}/send/")["Location"]
    dora.post(f"{sent}take-back/")
    html = page(dora, sent)
    assert "You took it back." in html
    assert dora.get(f"{sent}file/").content == CLASH.read_bytes()
    again = dora.post(f"{sent}mend/")["Location"]
    assert "Needs fixing" not in page(dora, again)
    new = dora.post(f"{again}send/")["Location"]
    assert "It waits for review." in page(dora, new)
    assert "A newer file of this event" in page(dora, sent)
    assert f'It was sent before as <a href="{sent}">' in page(dora, new)


def sent_in(dora: Client) -> tuple[str, Event]:
    """The address of a report that was mended and sent, and its event."""
    draft = bring(dora, CLASH.read_bytes(), CLASH.name)
    mend_all(dora, draft)
    sent = dora.post(f"/desk/drafts/{draft}/send/")["Location"]
    event = Submission.objects.order_by("-id")[0].event
    assert event is not None
    return sent, event


def test_a_refused_report_has_a_button_to_close_it(dora: Client) -> None:
    sent, event = sent_in(dora)
    accepting.refuse(users.acting_as("olive"), event.number, "it is here already")
    assert "Agreed, close it" in page(dora, sent)
    again = bring(dora, CLASH.read_bytes(), CLASH.name)
    mend_all(dora, again)
    assert f"as submission {Submission.objects.order_by('-id')[0].id}." in page(dora, f"/desk/drafts/{again}/")
    dora.post(f"{sent}take-back/")
    html = page(dora, sent)
    assert "Agreed, close it" not in html
    assert "Next step: none" in html


def test_a_correction_is_asked_for_with_its_difference(dora: Client) -> None:
    sent, event = sent_in(dora)
    accepting.accept(users.acting_as("olive"), event.number)
    address = dora.post(f"{sent}correct/")["Location"]
    assert "Nothing differs yet" in page(dora, address)
    number = int(re.search(r"(\d+)", address)[1])
    preview = f"/desk/drafts/{number}/preview/"
    assert "No ratings change." in page(dora, preview)
    typed = {"section": "1", "round": "5", "one": "2", "score": "won", "other": "3"}  # the form below the crosstable
    dora.post(f"/desk/drafts/{number}/mend/", {"mend": "action=result", **typed})
    html = page(dora, address)
    assert "<del>½–½</del>" in html
    assert "<ins>1–0</ins>" in html or "<ins>0–1</ins>" in html
    assert f'href="{preview}">Preview the ratings</a>' in html
    html = page(dora, preview)
    assert "Regular, rated now" in html
    assert "No ratings change." not in html
    dora.post(f"/desk/drafts/{number}/ask/", {"reason": "The slip was found."})
    html = page(dora, "/desk/submissions/")
    assert "The slip was found." in html
    assert Event.objects.get(number=event.number).status == Event.ACCEPTED


def test_buttons_are_what_they_say(dora: Client) -> None:
    """A button holds its action and values, and nothing that the finding does not say."""
    draft = bring(dora, CLASH.read_bytes())
    html = page(dora, f"/desk/drafts/{draft}/")
    values = dict(parse_qsl(re.search(r'value="([^"]+)">It was a draw', html)[1].replace("&amp;", "&")))
    assert {key: values[key] for key in ("action", "one", "other", "round", "score")} == {
        "action": "result",
        "one": "2",
        "other": "3",
        "round": "5",
        "score": "drew",
    }


def test_sections_in_order_can_be_sent_while_another_must_be_mended(desk: Desk) -> None:
    """Three sections in one report; in the Reserve the two sides of a game disagree."""
    draft = stage.draft_crosstables("Winter Open", "2025-12-20", stage.SECTIONS, slip="Reserve")
    dora = desk("director")
    assert page(dora, f"/desk/drafts/{draft}/").count(">Send now</button>") == 2
    sent = dora.post(f"/desk/drafts/{draft}/send/")["Location"]
    text = page(dora, sent)
    assert "Next step: yours" in text
    assert re.findall(r"(\d) things? needs fixing", text)


def test_ids_that_were_typed_stay_in_the_box_when_one_is_missing(dora: Client) -> None:
    draft = bring(dora, CLASH.read_bytes(), CLASH.name)
    html = page(dora, f"/desk/drafts/{draft}/")
    found = re.search(r'name="mend" value="([^"]+)">Use these IDs</button>', html)
    assert found
    six = "\n".join(ids(6))
    answer = dora.post(f"/desk/drafts/{draft}/mend/", {"mend": found[1].replace("&amp;", "&"), "ids": six})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "7 ids are needed, one for each player in the order of the rows; there are 6." in html
    assert f">{six}</textarea>" in html


def test_the_preview_page_is_the_same_whatever_the_stored_birth_date(dora: Client) -> None:
    """Byte for byte, but for the token of its forms; beyond the limit it leads back to the report and says what
    to do.
    """
    child = Player.objects.create(number="31234567", name="Kim Kale")
    report = {
        "format": "crosstable-event/1",
        "name": "Kale Open",
        "start": "2025-12-27",
        "end": "2025-12-27",
        "sections": [
            {
                "number": 1,
                "name": "Open",
                "kind": "swiss",
                "time_control": "G/120;d5",
                "players": [{"number": place, "id": one} for place, one in enumerate(["31234567", *ids(2)], 1)],
                "games": [{"round": turn, "white": 1, "black": turn + 1, "result": "0-1"} for turn in (1, 2)],
            }
        ],
    }
    drafts = [bring(dora, json.dumps({**report, "name": name}).encode(), "kale.json") for name in ("Kale", "Cole")]
    seen = set()
    for born in (date(2015, 3, 3), date(2014, 3, 3), date(2016, 3, 3), None):
        Player.objects.filter(id=child.id).update(birth_date=born)
        seen.add(
            re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", page(dora, f"/desk/drafts/{drafts[0]}/preview/"))
        )
    assert len(seen) == 1
    assert "depend on the age of a player in the office’s register" in seen.pop()
    Office.objects.update(previews_a_day=1)
    answer = dora.get(f"/desk/drafts/{drafts[1]}/preview/", follow=True)
    assert answer.redirect_chain == [(f"/desk/drafts/{drafts[1]}/", 302)]
    assert "send the report without another preview, or preview it tomorrow." in answer.content.decode()


def test_each_fix_is_announced_with_the_number_of_games(dora: Client) -> None:
    draft = bring(dora, CLASH.read_bytes(), CLASH.name)
    html = page(dora, f"/desk/drafts/{draft}/")
    assert '<span class="hide">In doubt: </span>' in html
    press(dora, draft, "It was a draw")
    told = re.search(r'role="status">(Fixed\.[^<]+)<', page(dora, f"/desk/drafts/{draft}/"))
    assert told
    assert re.search(r"round 5, .+ won → .+ drew\. (\d+) games now, \1 before\.", told[1])


def test_an_event_that_was_sent_before_is_announced_above_everything_to_fix(dora: Client) -> None:
    first = bring(dora, CLASH.read_bytes(), CLASH.name)
    mend_all(dora, first)
    dora.post(f"/desk/drafts/{first}/send/")
    second = bring(dora, CLASH.read_bytes(), CLASH.name)
    mend_all(dora, second)
    html = page(dora, f"/desk/drafts/{second}/")
    assert html.index("Perhaps already sent.") < html.index('id="whole"')
