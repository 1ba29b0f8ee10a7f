"""The club's pages without JavaScript: every act by forms, the PIN before any of them, and no child's full name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from crosstable.club import children, clubs, evening, ladder
from crosstable.club.models import Act, Board
from crosstable.office.ledger.models import Office, Revision
from crosstable.office.storage import clock
from crosstable.web import logs, static_files
from tests.club.conftest import MONDAY, Helper

SEVENTEEN = "Ade, Ben, Cem, Dora, Eva, Finn, Gia, Hal, Ines, Jo, Kit, Leo, Mila, Nora, Omar, Priya, Rafi"


@pytest.fixture(scope="session")
def pages() -> None:
    """Static files, once."""
    static_files.collect()
    logs.quiet()


@pytest.fixture
def visitor(club: Helper, pages: None) -> Client:
    return Client(headers={"host": "localhost"})


@pytest.fixture
def anna(visitor: Client) -> Client:
    assert visitor.post("/club/enter/", {"pin": "1234", "name": "Anna"}).status_code == 302
    return visitor


def test_a_whole_night_by_forms(anna: Client) -> None:
    assert anna.post("/club/here/", {"new": SEVENTEEN}).status_code == 302
    assert anna.post("/club/pair/").status_code == 302
    page = " ".join(anna.get("/club/").content.decode().split())
    assert "round 1 · 17 here" in page
    assert page.count('class="board"') == 8
    board = Board.objects.filter(number=1).get()
    anna.post("/club/result/", {"board": board.id, "result": "1-0", "seen": ""})
    page = " ".join(anna.get("/club/").content.decode().split())
    assert f"{board.white.name} beat" in page
    assert "400 → <b>421</b>" in page
    assert Revision.objects.get().author == "club/Anna"
    assert anna.post("/club/undo/").status_code == 302
    assert "<b>421</b>" not in anna.get("/club/").content.decode()
    poster = anna.get("/club/poster/").content.decode()
    assert poster.count("<tr>") == 1 + 17 + 1 + 8


def test_newcomers_come_in_together_or_not_at_all(anna: Client) -> None:
    """With children waiting nothing may be half done: what was typed stays in the field, and the next try works."""
    assert anna.post("/club/here/", {"new": "Ann"}).status_code == 302
    refused = anna.post("/club/here/", {"new": "Kim, Ann, Jo"})
    page = refused.content.decode()
    assert refused.status_code == 400
    assert "the club has a child called Ann already: for another one write Ann and an initial. No one was added" in page
    assert 'value="Kim, Ann, Jo"' in page
    assert [one.name for one in children.members()] == ["Ann"]
    assert anna.post("/club/here/", {"new": "Kim, Ann K, Jo"}).status_code == 302
    assert [one.name for one in children.members()] == ["Ann", "Ann K", "Jo", "Kim"]


def test_the_club_explains_its_own_ratings(visitor: Client) -> None:
    """St. Charles: 21 points, and a difference of 100 divided by 25 makes 4 more or fewer."""
    page = visitor.get("/club/how/").content.decode()
    assert 'href="/club/how/"' in visitor.get("/club/").content.decode()
    for line in (
        "Leo beat Nora, who had the same rating: <b>21.</b>",
        "Leo beat Nora, who was 100 points higher: <b>21 + 4 = 25.</b>",
        "Leo beat Nora, who was 100 points lower: <b>21 − 4 = 17.</b>",
        "Leo drew with Nora, who was 100 points higher: <b>4 points go to Leo.</b>",
        "a newcomer starts at 400",
    ):
        assert line in page


def test_nothing_is_written_without_the_pin(visitor: Client) -> None:
    for address in ("here", "state", "pair", "wish", "undo", "result", "leave"):
        answer = visitor.post(f"/club/{address}/", {"new": "Ade"})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/club/enter/")
    assert visitor.post("/club/taps/", "{}", content_type="application/json").status_code == 403
    for address in ("settings/", "seasons/", "nights/", "games.csv"):
        assert visitor.get(f"/club/{address}").headers["Location"] == "/club/enter/"
    assert children.members() == []
    assert evening.latest() is None  # looking makes no night
    assert visitor.post("/club/enter/", {"pin": "0000"}).status_code == 403


def test_the_club_chooses_whether_anything_is_public(visitor: Client) -> None:
    clubs.choose(clubs.volunteer(), public="nobody")
    for address in ("", "ladder/", "poster/", "players/", "ladder.csv"):
        assert visitor.get(f"/club/{address}").headers["Location"] == "/club/enter/"


def test_children_are_shown_on_the_club_s_pages_only(anna: Client) -> None:
    anna.post("/club/here/", {"new": "Ade, Ben"})
    for address in (
        "/players/",
        "/players/1/",
        "/players/?q=ade",
        "/events/",
        "/api/v1/players",
        "/lists/",
        "/players/11/",
    ):
        answer = anna.get(address)
        assert answer.status_code == 404, address
        assert "Ade" not in answer.content.decode()
    assert "Ade" not in anna.get("/club/players/12/").content.decode()
    assert anna.get("/").headers["Location"] == "/club/"


def test_settings_show_the_address_for_phones(anna: Client) -> None:
    assert "serve --lan" in anna.get("/club/settings/").content.decode()
    with override_settings(ALLOWED_HOSTS=["192.0.2.7"]):
        page = anna.get("/club/settings/", headers={"host": "192.0.2.7:8000"}).content.decode()
    assert "http://192.0.2.7:8000/club/" in page
    assert "<svg" in page


def test_looking_writes_nothing(anna: Client) -> None:
    anna.get("/club/")
    anna.get("/club/pulse/")
    assert evening.latest() is None


def test_children_come_in_by_file(anna: Client) -> None:
    file = SimpleUploadedFile("club.csv", b"name\nAde\nBen Example\n")
    assert "Imported: 2 children and 0 games." in anna.post("/club/players/", {"file": file}).content.decode()
    assert [player.name for player in children.members()] == ["Ade", "Ben E"]
    assert anna.post("/club/players/").status_code == 400


def test_a_new_pin_ends_old_visits(anna: Client) -> None:
    clubs.set_pin(clubs.volunteer(), "5678")
    assert anna.post("/club/pair/").headers["Location"] == "/club/enter/"


def test_kept_taps_are_taken_once_and_in_order(anna: Client) -> None:
    anna.post("/club/here/", {"new": "Ade, Ben, Cem, Dora"})
    anna.post("/club/pair/")
    one, other = Board.objects.order_by("number")
    taps = [
        {"key": "k1", "board": one.id, "result": "1-0", "seen": ""},
        {"key": "k2", "board": one.id, "result": "0-1", "seen": "1-0"},
        {"key": "k3", "board": other.id, "result": "1/2-1/2", "seen": ""},
    ]
    first = anna.post("/club/taps/", {"taps": taps}, content_type="application/json").json()["taps"]
    again = anna.post("/club/taps/", {"taps": taps}, content_type="application/json").json()["taps"]
    assert [tap["outcome"] for tap in first] == ["taken", "taken", "taken"]
    assert [tap["outcome"] for tap in again] == ["again", "again", "again"]
    assert Act.objects.filter(kind="result").count() == 3
    assert evening.load(one.night).result_of(one) == "0-1"
    for wrong in (b"", b"[]", b'{"taps": [{"key": 1}]}', b'{"taps": 7}'):
        assert anna.post("/club/taps/", wrong, content_type="application/json").status_code == 400


def test_mistakes_settings_and_seasons(anna: Client) -> None:
    anna.post("/club/here/", {"new": "Ade, Ben"})
    anna.post("/club/pair/")
    board = Board.objects.get()
    anna.post("/club/result/", {"board": board.id, "result": "1-0", "seen": ""})
    address = f"/club/nights/{board.night_id}/"
    shown = anna.post(address, {"board": board.id, "result": "0-1", "how": "preview"}).content.decode()
    assert "A re-rate would change 2 ratings" in shown
    anna.post(address, {"board": board.id, "result": "0-1", "how": "record"})
    assert "corrected for the record; ratings as before" in anna.get(address).content.decode()
    numbers = {"start": 400, "at_risk": 30, "divisor": 25, "equal_within": 12, "least": 2, "most": 41, "floor": 300}
    tried = anna.post("/club/settings/", {**numbers, "do": "try"}).content.decode()
    assert "A 100-point upset moves 34" in tried  # 30 + 100/25
    assert "moves 25" in anna.get("/club/settings/").content.decode()  # nothing was written
    chosen = {**numbers, "do": "save", "mode": "free", "public": "ladder"}
    assert anna.post("/club/settings/", chosen).status_code == 302
    assert "moves 34" in anna.get("/club/settings/").content.decode()
    assert anna.post("/club/settings/", {**numbers, "at_risk": "lots"}).status_code == 400
    assert anna.post("/club/seasons/", {"name": "", "ratings": "clean"}).status_code == 400


def test_a_child_s_card_and_a_name_deleted(anna: Client) -> None:
    anna.post("/club/here/", {"new": "Sam Kowalski, Nora"})
    anna.post("/club/pair/")
    anna.post("/club/result/", {"board": Board.objects.get().id, "result": "1-0", "seen": ""})
    sam = children.find("Sam")
    assert "Sam K" in anna.get(f"/club/players/{sam.number}/").content.decode()
    anna.post(f"/club/players/{sam.number}/", {"what": "forget"})
    for address in ("", "ladder/", "players/", "poster/", f"players/{sam.number}/", "ladder.csv", "games.csv"):
        assert "Sam" not in anna.get(f"/club/{address}").content.decode()
    assert "Kowalski" not in Path(connection_file()).read_bytes().decode("latin-1")


def connection_file() -> str:
    from django.db import connection

    return str(connection.settings_dict["NAME"])


def test_nothing_inline(anna: Client) -> None:
    anna.post("/club/here/", {"new": SEVENTEEN})
    anna.post("/club/pair/")
    for address in ("", "ladder/", "players/", "players/1/", "poster/", "settings/", "seasons/", "nights/", "enter/"):
        page = anna.get(f"/club/{address}").content.decode()
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)


@pytest.mark.parametrize("number", [0, 10**23])
def test_a_night_that_does_not_exist_is_not_found(anna: Client, number: int) -> None:
    assert anna.get(f"/club/nights/{number}/").status_code == 404


@pytest.mark.parametrize("body", ["", "[]", "null", '{"taps": 1}', '{"taps": [null]}', '{"taps": [{"board": "x"}]}'])
def test_malformed_taps_are_refused(anna: Client, body: str) -> None:
    assert anna.post("/club/taps/", body, content_type="application/json").status_code == 400


def test_equal_ratings_share_a_place(club: Helper) -> None:
    """Ada wins, Ben loses, Cem and Dan have not played: 1, 2, 2, 4."""
    club.join("Ada", "Ben", "Cem", "Dan")
    night = club.night(MONDAY, "Ada", "Ben")
    club.play(night, "Ada", "Ben")
    assert [(rung.name, rung.place) for rung in ladder.ladder()] == [("Ada", 1), ("Cem", 2), ("Dan", 2), ("Ben", 4)]


def test_a_draw_is_marked_on_the_printed_sheet(anna: Client, club: Helper) -> None:
    club.join("Ada", "Ben")
    night = club.night(clock.today_here(), "Ada", "Ben")
    board = club.board(night, "Ada", "Ben")
    cells = re.compile(r'<td class="c"><span class="blank">(.?)</span></td>')
    assert cells.findall(anna.get("/club/poster/").content.decode()) == ["", "", ""]
    anna.post("/club/result/", {"board": board.id, "result": "1/2-1/2", "seen": ""})
    assert cells.findall(anna.get("/club/poster/").content.decode()) == ["", "✓", ""]


@pytest.mark.parametrize(("how", "words"), [("record", "for the record"), ("rerate", "computed again")])
def test_a_correction_is_confirmed(anna: Client, club: Helper, how: str, words: str) -> None:
    club.join("Ada", "Ben")
    night = club.night(MONDAY, "Ada", "Ben")
    board = club.play(night, "Ada", "Ben")
    done = anna.post(f"/club/nights/{night.id}/", {"board": board.id, "result": "1/2-1/2", "how": how}, follow=True)
    assert re.search(rf'role="status">Corrected[^<]*{words}', done.content.decode())


def test_a_volunteer_makes_a_club_in_the_browser(database: str, pages: None) -> None:
    volunteer = Client(headers={"host": "localhost"})
    assert 'href="/club/new/"' in volunteer.get("/club/").content.decode()
    shown = volunteer.get("/club/new/").content.decode()
    assert re.search(r'name="pin"[^>]*value="\d{6}"', shown)
    typed = {"name": "Tuesday club", "pin": "482913", "children": "Sam, Priya\nLeo, Maya, Maya"}
    refused = volunteer.post("/club/new/", typed)
    assert (refused.status_code, Office.objects.exists()) == (400, False)
    assert "Leo, Maya, Maya" in refused.content.decode()
    made = volunteer.post("/club/new/", {**typed, "children": "Sam, Priya\nLeo, Maya K, Maya R"})
    assert made["Location"] == "/club/"
    assert sorted(player.name for player in children.members()) == ["Leo", "Maya K", "Maya R", "Priya", "Sam"]
    assert "Pair" in volunteer.post("/club/here/", {"new": "Nora, Ines"}, follow=True).content.decode()
    assert clubs.check_pin("482913", "10.0.0.1")
    stranger = Client(headers={"host": "localhost"})
    assert stranger.post("/club/new/", typed).status_code == 404
    assert "database of its own" in stranger.get("/club/new/").content.decode()
