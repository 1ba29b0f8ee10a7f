"""Following a player and an event from their pages, and stopping on the inbox page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.test import Client

from crosstable.office.audit.models import AuditEntry
from crosstable.office.notices import messages
from crosstable.office.notices.models import Follow
from crosstable.office.players import person
from crosstable.office.storage.database import writing

Desk = Callable[[str], Client]


def test_follow_and_stop_through_the_pages(sample: Mapping[str, str], desk_office: str, desk: Desk) -> None:
    pia, player, event = desk("player"), sample["player"], sample["event"]
    public = f'href="/desk/follow/?player={player}"'
    assert public in pia.get(f"/players/{player}/").content.decode()
    assert public in Client(headers={"host": "localhost"}).get(f"/players/{player}/").content.decode()
    assert f'href="/desk/follow/?event={event}"' in pia.get(f"/events/{event}/").content.decode()
    entries = AuditEntry.objects.count()
    found = person.by_number(player)
    assert found is not None
    asked = pia.get("/desk/follow/", {"player": player}).content.decode()
    assert f"<h1>Follow {found.name}</h1>" in asked
    assert 'value="follow"' in asked
    for chosen in ({"player": player}, {"event": event}):
        assert pia.post("/desk/follow/", {**chosen, "do": "follow"}).headers["Location"] == "/desk/inbox/#follow"
    assert 'value="stop"' in pia.get("/desk/follow/", {"event": event}).content.decode()
    page = pia.get("/desk/inbox/").content.decode()
    assert page.count(">Stop following<") == 2
    with writing():
        messages.send("pia", "Open: rated", "", about=f"followed-player:{player}", by="the office")
    page = pia.get("/desk/inbox/").content.decode()
    assert f'<a href="/players/{player}/">Open: rated</a>' in page
    assert f"<p>{found.name}</p>" in page  # as it is public today
    assert pia.post("/desk/follow/", {"player": player, "do": "stop"}).status_code == 302
    assert list(Follow.objects.values_list("event__number", flat=True)) == [event]
    assert AuditEntry.objects.count() == entries  # nobody sees who follows whom
