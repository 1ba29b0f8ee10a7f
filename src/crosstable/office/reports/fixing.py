"""One fix more, or any one less: each is kept with who, when, what from and what to."""

from __future__ import annotations

import hashlib
from collections import Counter
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
    """A fix, for people. `step` names it, or those that were applied together, to undo it."""

    step: int
    place: str
    before: str
    after: str
    author: str
    at: datetime
    said: bool = False  # nothing was changed: it is said to be right
    games: tuple[int, int] | None = None  # before and after; not known of old fixes
    together: int = 1  # how many are undone with it


def key(finding: Finding) -> str:
    """Return a finding's name within its draft."""
    text = "\0".join((finding.code, place_text(finding.place), finding.message))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def mend(actor: Actor, number: int, action: str, values: Mapping[str, str], finding: Finding | None = None) -> Loaded:
    """Put one thing right. `finding`: what it answers. Raises FixRefused where it does not fit."""
    require(actor, "draft.write")
    with writing():
        row = drafts.find(actor, number, sent=False)
        drafts.refuse_bytes(actor, len(row.document or b""))
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
        drafts.refuse_bytes(actor, len(row.document or b""))
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


def undo(actor: Actor, number: int, step: int | None = None) -> list[Line]:
    """Undo a fix, or those that were applied together; the last one where `step` does not say which.

    Later fixes are applied again to what was there before. Return those that no longer fit: they are undone too.
    """
    require(actor, "draft.write")
    with writing():
        row = drafts.find(actor, number, sent=False)
        standing = list(_standing(row))
        if not standing or step not in (None, *(_step(one) for one in standing)):
            raise OfficeError("there is no such fix to undo" if standing else "there is nothing to undo")
        wanted = _step(standing[-1]) if step is None else step
        first = next(place for place, one in enumerate(standing) if _step(one) == wanted)
        row.document, row.reading = standing[first].was_document, standing[first].was_reading
        undone = [one for one in standing if _step(one) == wanted]
        lost = _applied_again(actor, row, [one for one in standing[first:] if _step(one) != wanted])
        Mend.objects.filter(id__in=[one.id for one in (*undone, *lost)]).update(undone=True)
        row.version += 1
        row.save()
        return [_line(one) for one in lost]


def _applied_again(actor: Actor, row: Draft, later: Sequence[Mend]) -> list[Mend]:
    """Apply later fixes to what the draft has now, and save what each changes; return those that do not fit."""
    draft, lost, last = drafts.loaded(row), [], None
    for one in later:
        try:
            draft, line = _applied(actor, draft, one.action, _values(one), _finding(one))
        except FixRefused:
            lost.append(one)
            continue
        first, last = _step(one) != last, _step(one)
        one.place, one.before, one.after = line.place, line.before, line.after
        one.games_before, one.games_after = line.games_before, line.games_after
        one.was_document, one.was_reading = (row.document if first else None), row.reading
        one.save()
        drafts.put(row, draft.event, draft.reading)
    return lost


def _step(one: Mend) -> int:
    """Return what names a fix, or all that were applied with one button: the version of the draft before them."""
    together = one.values.get(_TOGETHER)
    return one.id if together is None else -int(together)


def lines(row: Draft) -> list[Line]:
    """Return the fixes that count, in their order."""
    standing = list(_standing(row))
    count = Counter(_step(one) for one in standing)
    return [replace(_line(one), together=count[_step(one)]) for one in standing]


def _line(one: Mend) -> Line:
    return Line(
        step=_step(one),
        place=one.place,
        before=one.before,
        after=one.after,
        author=one.author,
        at=one.at,
        said=one.action == "keep",
        games=_counted(one),
    )


def _counted(one: Mend) -> tuple[int, int] | None:
    return None if one.games_before is None or one.games_after is None else (one.games_before, one.games_after)


def said_right(row: Draft) -> set[str]:
    """Return the findings that the owner has confirmed as correct."""
    kept = _standing(row).filter(action="keep").exclude(finding=None).values_list("finding", flat=True)
    return {key(documents.finding_from_json(one)) for one in kept}


def _standing(row: Draft) -> QuerySet[Mend]:
    return Mend.objects.filter(draft=row, undone=False).order_by("id")
