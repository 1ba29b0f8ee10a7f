"""A correction as a draft: a rated event on the director's desk, to say what it should have said."""

from __future__ import annotations

from crosstable.errors import OfficeError
from crosstable.formats import event_json
from crosstable.model.difference import Difference
from crosstable.office.audit.log import record
from crosstable.office.ledger import documents, input_checks
from crosstable.office.people.rights import Actor, require
from crosstable.office.reports import drafts, submissions
from crosstable.office.reports.events import find, in_force
from crosstable.office.reports.models import Draft, DraftFile
from crosstable.office.requests import corrections
from crosstable.office.storage.database import writing


def correction(actor: Actor, event: str) -> Draft:
    """Open a rated event as a draft, to say what it should have said; nothing changes until an officer grants it."""
    require(actor, "draft.write")
    with writing():
        row = find(event)
        submissions.refuse_others(actor, row)
        owner = actor.user
        open_ = Draft.objects.filter(owner=owner, state=Draft.OPEN, corrects=event).first()
        if open_ is not None:
            return open_
        content = documents.unpack(in_force(row).document, event)
        data = event_json.write(content).data
        drafts.refuse_another(actor, len(data))
        made = Draft(owner=owner, file_name=f"{event}.json", format="event-json", corrects=event)
        drafts.put(made, content, ())
        DraftFile.objects.create(draft=made, file_name=made.file_name, data=data)
        record(actor.name, "draft.start", f"draft:{made.id}", "", {"corrects": event})
    return made


def changes(actor: Actor, draft: drafts.Loaded) -> list[Difference]:
    """Return what the event says now, and what it would say."""
    return corrections.asked_differences(actor, draft.row.corrects, *_as_file(draft))


def ask(actor: Actor, number: int, reason: str) -> int:
    """Ask for the correction; the request's number. Its file is the report as mended."""
    require(actor, "draft.write")
    drafts.find(actor, number, sent=False)  # a draft that is not theirs is not found, whatever the reason
    input_checks.refuse(input_checks.reasons(reason, "a correction"))
    with writing():
        row = drafts.find(actor, number, sent=False)
        asked = corrections.ask(actor, row.corrects, *_as_file(drafts.loaded(row)), reason)
        row.state = Draft.SENT
        row.save()
        record(actor.name, "draft.send", f"draft:{row.id}", "", {"request": asked.id})
    return asked.id


def _as_file(draft: drafts.Loaded) -> tuple[bytes, str]:
    if draft.event is None:
        raise OfficeError("no event could be read from it yet: there is nothing to ask for")
    return event_json.write(draft.event).data, f"{draft.row.corrects}.json"
