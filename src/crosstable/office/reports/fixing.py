"""One mend more, or the last one less: each is kept with who, when, what from and what to."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import QuerySet

from crosstable.errors import OfficeError
from crosstable.fixes import FixRefused, apply, settled
from crosstable.model import Event, Finding
from crosstable.office.ledger import documents
from crosstable.office.people.rights import Actor, require
from crosstable.office.reports import drafts
from crosstable.office.reports.drafts import Loaded
from crosstable.office.reports.models import Draft, DraftFile, Mend
from crosstable.office.storage.database import writing
from crosstable.words.places import place_text

#: Marks mends that were applied with one button
_TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class Line:
    """A mend, for people."""

    place: str
    before: str
    after: str
    author: str
    at: datetime
    said: bool = False  # nothing was changed: it is said to be right
    games: tuple[int, int] | None = None  # before and after; not known of old fixes


def key(finding: Finding) -> str:
    """Return a finding's name within its draft."""
    text = "\0".join((finding.code, place_text(finding.place), finding.message))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def mend(actor: Actor, number: int, action: str, values: Mapping[str, str], finding: Finding | None = None) -> Loaded:
    """Put one thing right. `finding`: what it answers. Raises FixRefused where it does not fit."""
    require(actor, "draft.write")
    with writing():
        row = drafts.find(actor, number, sent=False)
        draft, line = _applied(actor, drafts.loaded(row), action, values, finding)
        line.save()
        row.version += 1
        drafts.put(row, draft.event, draft.reading)
        return draft


def mend_all(actor: Actor, number: int, wanted: Sequence[tuple[str, Mapping[str, str], Finding | None]]) -> int:
    """Several at once, each from what the one before left; one that no longer fits is passed over.

    Answers how many there were. They are undone together.
    """
    require(actor, "draft.write")
    with writing():
        row = drafts.find(actor, number, sent=False)
        draft, made = drafts.loaded(row), []
        for action, values, finding in wanted:
            try:
                draft, line = _applied(actor, draft, action, values, finding)
            except FixRefused:
                continue
            line.values, line.was_document = {**line.values, _TOGETHER: str(row.version)}, None
            made.append(line)
        if made:
            made[0].was_document = row.document
            Mend.objects.bulk_create(made)
            row.version += 1
            drafts.put(row, draft.event, draft.reading)
    return len(made)


def _applied(
    actor: Actor, draft: Loaded, action: str, values: Mapping[str, str], finding: Finding | None
) -> tuple[Loaded, Mend]:
    """Return the draft after a fix, and the fix's line; neither is saved yet."""
    if draft.event is None:
        raise FixRefused("no event could be read from the file: correct the file itself")
    told = (
        {"place": place_text(finding.place), "before": finding.message}
        if finding and action in ("keep", "leave-out")
        else {}
    )
    done = apply(draft.event, action, {**values, **told})
    kept = settled(draft.event, draft.reading, action, values, finding)
    line = Mend(
        draft=draft.row,
        action=action,
        values=dict(values),
        place=done.place[:200],
        before=done.before[:300],
        after=done.after[:300],
        finding=None if finding is None else documents.finding_to_json(finding),
        author=actor.name,
        was_document=draft.row.document,
        was_reading=draft.row.reading,
        games_before=_games(draft.event),
        games_after=_games(done.event),
    )
    return replace(draft, event=done.event, reading=tuple(kept)), line


def _games(event: Event) -> int:
    return sum(len(section.games) for section in event.sections)


def mend_text(actor: Actor, number: int, text: str) -> int:
    """Change the file's text as its owner typed it and apply the earlier fixes again; return how many still fit."""
    require(actor, "draft.write")
    with writing():
        row = drafts.find(actor, number, sent=False)
        before = [(one.action, _values(one), _finding(one)) for one in _standing(row)]
        drafts.another_file(actor, number, text.encode(), row.file_name, DraftFile.TEXT)
        return mend_all(actor, number, before)


def _values(one: Mend) -> dict[str, str]:
    return {name: value for name, value in one.values.items() if name != _TOGETHER}


def _finding(one: Mend) -> Finding | None:
    return None if one.finding is None else documents.finding_from_json(one.finding)


def undo(actor: Actor, number: int) -> Loaded:
    """Undo the last fix, or the last that were applied together. Their lines stay, as undone."""
    require(actor, "draft.write")
    with writing():
        row = drafts.find(actor, number, sent=False)
        last = _standing(row).last()
        if last is None:
            raise OfficeError("there is no mend to undo")
        group = [
            one for one in _standing(row) if one.values.get(_TOGETHER, one.id) == last.values.get(_TOGETHER, last.id)
        ]
        Mend.objects.filter(id__in=[one.id for one in group]).update(undone=True)
        row.document, row.reading, row.version = group[0].was_document, group[0].was_reading, row.version + 1
        row.save()
        return drafts.loaded(row)


def lines(row: Draft) -> list[Line]:
    """Return the fixes that count, in their order."""
    return [
        Line(one.place, one.before, one.after, one.author, one.at, one.action == "keep", _counted(one))
        for one in _standing(row)
    ]


def _counted(one: Mend) -> tuple[int, int] | None:
    return None if one.games_before is None or one.games_after is None else (one.games_before, one.games_after)


def said_right(row: Draft) -> set[str]:
    """Return the findings that the owner has confirmed as correct."""
    kept = _standing(row).filter(action="keep").exclude(finding=None).values_list("finding", flat=True)
    return {key(documents.finding_from_json(one)) for one in kept}


def _standing(row: Draft) -> QuerySet[Mend]:
    return Mend.objects.filter(draft=row, undone=False).order_by("id")
