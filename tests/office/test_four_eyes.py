"""An officer does not decide on what the officer has sent in or asked for, unless the office has one officer."""

from __future__ import annotations

from datetime import date

import pytest
from simulated import data, document, officers
from three_players import ADA, BEN

from crosstable.office.audit.models import AuditEntry
from crosstable.office.people import settings, tokens, users
from crosstable.office.people.models import Person
from crosstable.office.people.rights import Actor, NotAllowedError
from crosstable.office.reports import accepting, submissions
from crosstable.office.requests import claims, corrections, registry

ANOTHER = "another officer must decide"


def content(name: str, result: str = "1-0") -> bytes:
    return data(document(name, date(2025, 4, 5), [ADA, BEN], [(1, 1, 2, result)], control="G/120;d5"))


def test_an_officer_does_not_accept_an_own_event(ready: str) -> None:
    olga, boris = officers()
    secret = tokens.create_token(olga, "olga", "pairing program", ["event.submit", "event.accept"])
    for sender, name in ((olga, "Open"), (tokens.actor_with(secret), "Next")):
        submissions.submit(sender, content(name), "event.json", name)
        with pytest.raises(NotAllowedError, match=ANOTHER):
            accepting.accept(olga, name)
    with pytest.raises(NotAllowedError, match=ANOTHER):
        accepting.accept_many(olga, ["Open", "Next"])
    accepting.accept(olga, "Open", preview=True)  # looking is no decision
    accepting.accept_many(boris, ["Open", "Next"])


def test_an_officer_does_not_grant_an_own_correction(ready: str) -> None:
    olga, boris = officers()
    submissions.submit(boris, content("Open"), "event.json", "Open")
    accepting.accept(olga, "Open")
    asked = corrections.ask(olga, "Open", content("Open", "0-1"), "event.json", "a misprint")
    with pytest.raises(NotAllowedError, match=ANOTHER):
        registry.decide(olga, f"correction:{asked.id}", granted=True)
    registry.decide(boris, f"correction:{asked.id}", granted=True)


def test_an_officer_does_not_confirm_an_own_claim(ready: str) -> None:
    olga, boris = officers()
    submissions.submit(olga, content("Open"), "event.json", "Open")
    accepting.accept(boris, "Open")
    claim = claims.claim(olga, ADA, "the office knows me")
    with pytest.raises(NotAllowedError, match=ANOTHER):
        registry.decide(olga, f"request:{claim.id}", granted=True)
    assert Person.objects.get(user__username="olga").player_id == ""
    registry.decide(boris, f"request:{claim.id}", granted=True)
    assert Person.objects.get(user__username="olga").player_id == ADA


def test_an_office_with_one_officer_can_switch_it_off(ready: str) -> None:
    olga, _ = officers()
    settings.require_four_eyes(Actor.installation(), needed=False)
    assert AuditEntry.objects.get(action="office.four_eyes").details == '{"after":false,"before":true}'
    submissions.submit(olga, content("Open"), "event.json", "Open")
    accepting.accept(olga, "Open")
    assert users.acting_as("olga") == olga
