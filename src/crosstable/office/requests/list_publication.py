"""Publishing a list: one officer proposes it, another approves."""

from __future__ import annotations

from datetime import date

from crosstable.office.ledger import free_text
from crosstable.office.lists import publish
from crosstable.office.lists.options import Options
from crosstable.office.lists.publish import ACTION
from crosstable.office.people.rights import Actor, require
from crosstable.office.requests import two_officers
from crosstable.office.requests.models import Proposal
from crosstable.office.requests.two_officers import TwoOfficers
from crosstable.office.storage.database import writing

PUBLICATION = TwoOfficers(ACTION, publish.publish, publish.outlook)


def propose(actor: Actor, day: date, reason: str, options: Options | None = None) -> Proposal:
    """Propose the list of a day. The ratings are taken when the second officer approves."""
    require(actor, ACTION)
    free_text.refuse(reason, "the reason for a list")
    with writing():  # so that no list is published between the check of the date and the proposal
        publish.refuse_date(day)
        payload = {"date": day.isoformat(), "options": (options or publish.usual_options()).as_dict()}
        return two_officers.propose(actor, PUBLICATION, f"list:{day}", payload, reason)
