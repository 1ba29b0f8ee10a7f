"""The director's drafts: the list, and one report with what was found and its mends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from crosstable.fixes import FixRefused
from crosstable.formats import limits, registry
from crosstable.formats.crosstable import people
from crosstable.model import Finding
from crosstable.office.people.rights import Actor
from crosstable.office.queries import announced, search, status, submission_page
from crosstable.office.reports import bulk_fixes, draft_page, drafts, fixing, row_comments
from crosstable.office.reports.draft_page import Look
from crosstable.office.reports.drafts import Loaded, NoDraft
from crosstable.office.reports.models import Draft
from crosstable.office.reports.sending import sent_before
from crosstable.office.requests import correction_drafts, corrections
from crosstable.office.storage import clock
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import BOTH
from crosstable.web.desks.director.common import sentence, told
from crosstable.words.findings import plural

#: Values of a mend that a page may send; everything else in a form is the browser's
NAMES = frozenset(
    {
        "section",
        "round",
        "one",
        "other",
        "score",
        "player",
        "kind",
        "new",
        "to",
        "id",
        "name",
        "ids",
        "rating",
        "pool",
        "day",
        "start",
        "end",
        "time_control",
        "city",
        "state",
        "country",
        "affiliate",
        "chief_td",
        "sure",
        "mode",
        "weight",
        "rounds",
        "cell",
        "games",
    }
)
#: What a section's settings can be, and how a page says it
CHOICES = {
    "kind": (
        ("swiss", "Swiss"),
        ("round-robin", "Round robin"),
        ("match", "Match"),
        ("other", "Other"),
        ("fide", "FIDE-rated abroad"),
    ),
    "mode": (("otb", "Over the board"), ("online", "Online")),
    "weight": (("full", "Full"), ("half", "Half"), ("quarter", "Quarter")),
}
#: Buttons that answer many findings of a section at once
OF_MANY: dict[str, Callable[[Actor, int, str, Mapping[str, str]], int]] = {
    "keep-all": lambda actor, number, section, given: bulk_fixes.keep_alike(
        actor, number, section, given.get("code", "")
    ),
    "new-all": lambda actor, number, section, _: bulk_fixes.all_new(actor, number, section),
    "keep-numbers": lambda actor, number, section, given: bulk_fixes.keep_numbers(
        actor, number, section, sure=given.get("sure") == "1"
    ),
}


def desk(request: HttpRequest) -> HttpResponse:
    """Show what needs the director, what is being worked on, what was sent."""
    actor = actor_of(request)
    sent = submission_page.submissions(actor)
    context = {
        "drafts": drafts.drafts(actor),
        "own_corrections": corrections.own_waiting(actor),
        "yours": [one for one in sent if one.whose == submission_page.YOURS],
        "waiting": [one for one in sent if one.whose == submission_page.OFFICES],
        "done": [one for one in sent if one.whose == submission_page.NOBODYS][:8],
        "closes": status.closes(),
        "announced": announced.own(actor, clock.today())[:8],
        "limit": limits.FILE_BYTES // limits.MEGABYTE,
    }
    return render(request, "desks/director/desk.html", context)


index = require_safe(needs("draft.write")(desk))


@require_safe
@told("draft.write")
def one(request: HttpRequest, number: int) -> HttpResponse:
    draft = drafts.load(actor_of(request), number)
    if draft.event is None and draft.row.typed is not None:
        return redirect("draft-grid", number)
    look = draft_page.look(draft)
    return render(request, "desks/director/draft.html", page_of(request, draft, look))


def page_of(request: HttpRequest, draft: Loaded, look: Look) -> dict[str, Any]:
    known = registry.by_name().get(draft.row.format)
    return {
        "draft": draft,
        "office_asked": submission_page.asked_in(draft.row.replaces) if draft.row.state == Draft.OPEN else [],
        "threads": row_comments.about(actor_of(request), draft.row.replaces) if draft.row.state == Draft.OPEN else (),
        "open": draft.row.state == Draft.OPEN,
        "look": look,
        "mends": fixing.lines(draft.row)[::-1],
        "read_as": known.title if known else "",
        "changes": _changes(request, draft, look),
        "before": sent_before(actor_of(request), draft),
        "players": people(look.event.sections) if look.event else 0,
        "games": sum(part.games for part in look.parts),
        "choices": CHOICES,
        "first": next((one.key for one in look.all if one.must or one.look), ""),
    }


def _changes(request: HttpRequest, draft: Loaded, look: Look) -> list[Any] | None:
    """Of a correction: what would change, as soon as nothing stands in the way."""
    if not draft.row.corrects or look.must or draft.row.state != Draft.OPEN:
        return None
    return list(correction_drafts.changes(actor_of(request), draft))


@BOTH
@told("draft.write")
def mend(request: HttpRequest, number: int) -> HttpResponse:
    """One mend: a button's own values, and what was typed beside it.

    A reload after a refused one leads to the draft.
    """
    if request.method != "POST":
        return redirect("draft", number)
    values = dict(parse_qsl(request.POST.get("mend", "")[:4000], keep_blank_values=True))
    typed = {name: request.POST.get(name, "") for name in NAMES if name in request.POST}
    actor = actor_of(request)
    key = values.pop("finding", "")
    finding = _finding(actor_of(request), number, key)
    action = values.pop("action", "")
    if action in OF_MANY:
        OF_MANY[action](actor, number, values.get("section", ""), {**typed, **values})
        return redirect(f"{reverse('draft', args=[number])}#next")
    try:
        fixing.mend(actor, number, action, {**typed, **values}, finding)
    except FixRefused as problem:
        if not typed:
            raise
        if action in EDITED:
            return _edit_page(request, number, {**typed, **values}, action, sentence(str(problem)))
        return _typed_again(request, number, sentence(str(problem)), {"key": key, "action": action, "typed": typed})
    _announce(request, number)
    section, player = values.get("section", typed.get("section", "")), values.get("player", typed.get("player", ""))
    row = f"s{section}p{player}" if action in EDITED and section.isdecimal() and player.isdecimal() else "next"
    return redirect(f"{reverse('draft', args=[number])}#{row}")


#: Fixes that are typed into the crosstable
EDITED = {"cell": "cell", "name": "name", "id": "id"}


@require_safe
@told("draft.write")
def edit(request: HttpRequest, number: int) -> HttpResponse:
    """Show one cell of the crosstable to type in: a result, a name or an ID. With JavaScript the cell itself opens."""
    given = {name: request.GET.get(name, "")[:10] for name in ("section", "player", "round")}
    action = "cell" if given["round"] else "id" if request.GET.get("field") == "id" else "name"
    return _edit_page(request, number, given, action, "")


def _edit_page(request: HttpRequest, number: int, given: Mapping[str, str], action: str, problem: str) -> HttpResponse:
    draft = drafts.load(actor_of(request), number)
    look = draft_page.look(draft)
    part = next((one for one in look.parts if str(one.number) == given.get("section")), None)
    row = next((one for one in part.rows if str(one.player.number) == given.get("player")), None) if part else None
    if part is None or row is None:
        raise NoDraft("there is no such row in this draft")
    turn = given.get("round", "")
    cell = next((one for one in row.cells if str(one.round) == turn), None)
    was = {"cell": cell.text if cell else "", "name": row.player.name, "id": row.player.id}[action]
    context = {
        "draft": draft,
        "part": part,
        "row": row,
        "action": action,
        "round": turn,
        "value": given.get(EDITED[action], was) if problem else was,
        "problem": problem,
    }
    return render(request, "desks/director/edit.html", context, status=409 if problem else 200)


def _announce(request: HttpRequest, number: int) -> None:
    """Say what the last fix changed, and how many games the report has: screen readers read it out."""
    line = fixing.lines(drafts.find(actor_of(request), number))[-1]
    if line.said:
        messages.success(request, "Noted: it is right.")
        return
    change = f"{line.before} → {line.after}" if line.before else line.after
    counted = f" {plural(line.games[1], 'game')} now, {line.games[0]} before." if line.games else ""
    messages.success(request, f"Fixed. {sentence(f'{line.place}: {change}')}{counted}")


def _typed_again(request: HttpRequest, number: int, problem: str, refused: dict[str, Any]) -> HttpResponse:
    """Show the page with what was refused and why: everything typed stays."""
    messages.error(request, problem)
    draft = drafts.load(actor_of(request), number)
    page = page_of(request, draft, draft_page.look(draft))
    return render(request, "desks/director/draft.html", {**page, "refused": refused}, status=409)


def _finding(actor: Any, number: int, key: str) -> Finding | None:
    if not key:
        return None
    shown = draft_page.look(drafts.load(actor, number)).find(key)
    return shown.finding if shown else None


@require_POST
@told("draft.write")
def suggested(request: HttpRequest, number: int) -> HttpResponse:
    """Carry out every suggested fix."""
    look = draft_page.look(drafts.load(actor_of(request), number))
    wanted = [(one.main.kind, one.main.values, one.finding) for one in look.suggested if one.main]
    done = fixing.mend_all(actor_of(request), number, wanted)
    messages.success(request, f"{plural(done, 'fix')} applied.".capitalize())
    return redirect(f"{reverse('draft', args=[number])}#next")


@require_POST
@told("draft.write")
def undo(request: HttpRequest, number: int) -> HttpResponse:
    step = request.POST.get("step", "")
    lost = fixing.undo(
        actor_of(request), number, int(step) if step.removeprefix("-").isdecimal() and len(step) < 10 else None
    )
    messages.success(request, "Undone.")
    for line in lost:
        messages.warning(
            request, f"This later fix no longer fits and is undone too: {sentence(f'{line.place}: {line.after}')}"
        )
    return redirect("draft", number)


@require_safe
@told("draft.write")
def find(request: HttpRequest, number: int) -> HttpResponse:
    """Find an id by a name: each player found has a button."""
    draft = drafts.load(actor_of(request), number)
    given = {name: request.GET.get(name, "")[:60] for name in ("section", "player", "finding", "q")}
    found = search.players(given["q"]) if given["q"].strip() else None
    return render(request, "desks/director/find.html", {"draft": draft, "given": given, "found": found})


@require_POST
@told("draft.write")
def discard(request: HttpRequest, number: int) -> HttpResponse:
    drafts.discard(actor_of(request), number)
    messages.success(request, f"Draft {number} is deleted. Its files are saved, and it can be brought back.")
    return redirect("drafts")


@require_POST
@told("draft.write")
def bring_back(request: HttpRequest, number: int) -> HttpResponse:
    drafts.bring_back(actor_of(request), number)
    return redirect("draft", number)
