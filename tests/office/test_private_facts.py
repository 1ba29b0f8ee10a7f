"""What the office knows of a person, and neither the log nor a page tells."""

from __future__ import annotations

import json
from datetime import date

from simulated import OFFICER, accept, document
from three_players import ADA, BEN

from crosstable.office import players
from crosstable.office.audit.models import AuditEntry


def test_nothing_private_is_in_the_log(ready: str) -> None:
    born = {ADA: {"birth_date": "2014-04-05"}}
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], facts=born))
    players.change(OFFICER, BEN, "a form", birth_date=date(2013, 2, 3))
    words = json.dumps([list(row) for row in AuditEntry.objects.values_list("subject", "reason", "details")])
    assert "2014-04-05" not in words
    assert "2013-02-03" not in words
    assert "birth_date" in words  # that it was changed may be known
    assert "2014" not in json.dumps(players.show(ADA)) + json.dumps(players.history(ADA))


def test_an_age_based_first_rating_is_not_shown(ready: str) -> None:
    # ADA is ten, unrated, and loses to a strong player far above: the rating stays where her age put it, 50 × age
    born = {ADA: {"birth_date": "2014-04-05"}}
    strong = {BEN: {"ratings": {"OTBR": {"rating": 2000.0, "games": 400}}}}
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "0-1")], facts=born | strong))
    age_based = 50 * (date(2025, 1, 4) - date(2014, 4, 5)).days / 365.25
    shown = json.dumps(players.show(ADA)) + json.dumps(players.history(ADA))
    assert f"{age_based:.1f}" not in shown
    assert players.show(ADA)["ratings"]["OTBR"]["rating"] is None
    assert players.history(ADA)[0]["post"] is None
    assert players.show(BEN)["ratings"]["OTBR"]["rating"] is not None
