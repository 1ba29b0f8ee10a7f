"""Announced events on the director's desk, on the public page, and before an officer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.test import Client

from crosstable.office.reports.models import Announcement
from crosstable.office.storage import clock

Desk = Callable[[str], Client]


def test_announce_change_and_remove_through_the_pages(desk: Desk) -> None:
    dora, olive, visitor = desk("director"), desk("officer"), Client(headers={"host": "localhost"})
    day = (clock.today() + timedelta(days=9)).isoformat()
    typed = {"name": "Elm <b>Open", "start": day, "city": "Akron", "rounds": "5", "link": "https://elm.example/"}
    refused = dora.post("/desk/announcements/", {**typed, "rounds": "many"})
    assert refused.status_code == 400
    assert "is not a number of rounds" in refused.content.decode()
    assert 'value="Elm &lt;b&gt;Open"' in refused.content.decode()  # nothing typed is lost
    assert "Elm" not in visitor.get("/events/").content.decode()
    assert dora.post("/desk/announcements/", typed).status_code == 302
    row = Announcement.objects.get()
    assert (row.owner, row.end.isoformat(), row.rounds) == ("dora", day, 5)
    page = visitor.get("/events/").content.decode()
    assert '<a href="https://elm.example/" rel="nofollow noopener external">Elm &lt;b&gt;Open</a>' in page
    assert "dora" not in page
    assert "announced" in page.split('id="coming"')[1]
    assert "anunciado" in visitor.get("/events/", headers={"accept-language": "es"}).content.decode()
    assert 'id="coming"' not in visitor.get("/events/?q=zzz").content.decode()
    assert "Elm" in dora.get("/desk/").content.decode()
    assert dora.post(f"/desk/announcements/{row.id}/", {**typed, "city": "Toledo"}).status_code == 302
    assert "Toledo" in visitor.get("/events/").content.decode()
    assert 'value="Toledo"' in dora.get(f"/desk/announcements/{row.id}/").content.decode()
    assert desk("player").post(f"/desk/announcements/{row.id}/cancel/").status_code == 403
    assert ">Remove" in olive.get("/desk/announcements/").content.decode()
    assert olive.get(f"/desk/announcements/{row.id}/").status_code == 403
    assert olive.post(f"/desk/announcements/{row.id}/cancel/").status_code == 302
    assert "Elm" not in visitor.get("/events/").content.decode()
