"""Players: finding them, adding them, and what the office knows about one."""

from __future__ import annotations

from typing import Any

from django import forms as django_forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from crosstable.formats.rating_lists.mapping import LARGEST as LARGEST_MAPPING
from crosstable.formats.rating_lists.mapping import NO_MAPPING, ListMapping, parse_mapping
from crosstable.office import players
from crosstable.office.players.profiles import PrivateRecord, private_record
from crosstable.office.queries import desk
from crosstable.office.requests import adjustments, opting_out
from crosstable.office.storage import clock
from crosstable.web.desks.access import actor_of, fresh_second_factor, needs
from crosstable.web.desks.common import BOTH, or_not_found
from crosstable.web.desks.decisions import forms
from crosstable.web.desks.decisions.common import POST, seen, shown, told, wants
from crosstable.web.public.views.common import number as page_number


@require_safe
@needs("player.read_private")
def find(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "")[:200]
    page = max(1, page_number(request, "page"))
    rows, total = desk.find_records(actor_of(request), query, page)
    pages = max(1, -(-total // desk.PAGE))
    return shown(request, "players", rows=rows, total=total, page=page, pages=pages, query=query)


@BOTH
@needs("player.write")
def add(request: HttpRequest) -> HttpResponseBase:
    """Offer the next free ID; records that may be the same person are shown before anything is saved."""
    actor = actor_of(request)
    form = forms.AddForm(request.POST or None, initial={"number": desk.next_player_id(actor)})
    similar: list[desk.SimilarRecord] = []
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        similar = desk.similar_records(actor, given["name"], given["birth_date"], given["state"])
        if not similar or wants(request, "add-anyway"):
            with told(form):
                row = players.add(actor, given["number"], given["reason"], brings=form.brings(), **form.facts())
                messages.success(request, f"{row} has been added.")
                return redirect("desk-player", row.number)
    return shown(request, "add", form=form, similar=similar)


@require_safe
@needs("player.read_private")
def player(request: HttpRequest, player: str) -> HttpResponse:
    """Show the record with its facts, memberships and decisions."""
    with or_not_found():
        record = private_record(actor_of(request), player)
    return _page(request, player, record)


def _page(request: HttpRequest, asked: str, record: PrivateRecord, **more: Any) -> HttpResponse:
    actor, number = actor_of(request), record.number
    known = {
        "facts": forms.FactsForm(initial=record.facts),
        "joining": forms.MembershipForm(initial={"begins": clock.today()}, auto_id="join_%s"),
        "forgetting": forms.Reason(auto_id="forget_%s"),
        "leaving": forms.OptOutForm(auto_id="leave_%s"),
    }
    return shown(
        request,
        "player",
        asked=asked,
        record=record,
        public=players.show(number),
        decided=adjustments.decisions(actor, number),
        history=players.history(number, decisions=True)[::-1][:12],
        may=actor.may("rating.adjust"),
        **(known | more),
    )


@POST
@needs("player.write")
def change(request: HttpRequest, player: str) -> HttpResponseBase:
    """Other facts; ratings that follow from them are shown first."""
    actor, form, look = actor_of(request), forms.FactsForm(request.POST), None
    with or_not_found():
        record = private_record(actor, player)
    if form.is_valid():
        facts, since = form.facts(record.facts), form.cleaned_data.get("since")
        if not facts:
            form.add_error(None, "Nothing was changed: the office already has these facts.")
        with told(form):
            if facts and wants(request, "change"):
                players.change(actor, record.number, form.cleaned_data["reason"], since=since, **facts)
                messages.success(request, f"Changed: {', '.join(sorted(facts)).replace('_', ' ')}.")
                return redirect("desk-player", record.number)
            look = seen(players.change(actor, record.number, "", since=since, preview=True, **facts)) if facts else None
    return _page(request, player, record, facts=form, look=look)


@POST
@needs("membership.write")
def join(request: HttpRequest, player: str) -> HttpResponseBase:
    actor, form, look = actor_of(request), forms.MembershipForm(request.POST, auto_id="join_%s"), None
    with or_not_found():
        record = private_record(actor, player)
    if form.is_valid():
        given = form.cleaned_data
        what = record.number, given["kind"], given["begins"], given["ends"], given["reason"]
        with told(form):
            if wants(request, "join"):
                players.join(actor, *what)
                messages.success(request, f"The {given['kind']} membership was added.")
                return redirect("desk-player", record.number)
            look = seen(players.join(actor, *what, preview=True))
    return _page(request, player, record, joining=form, joined=look)


@POST
@needs("player.forget_name")
def forget(request: HttpRequest, player: str) -> HttpResponseBase:
    """Delete the name on request; results stay under the id."""
    form = forms.Reason(request.POST, auto_id="forget_%s")
    return _done(request, player, form, "forgetting", "The name is deleted; the results stay under the id.")


@POST
@needs("fide.opt_out")
@fresh_second_factor
def opt_out(request: HttpRequest, player: str) -> HttpResponseBase:
    form = forms.OptOutForm(request.POST, auto_id="leave_%s")
    return _done(request, player, form, "leaving", "Proposed. Another officer approves or refuses it.")


def _done(request: HttpRequest, player: str, form: django_forms.Form, name: str, words: str) -> HttpResponse:
    actor = actor_of(request)
    with or_not_found():
        record = private_record(actor, player)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        with told(form):
            if name == "forgetting":
                players.forget_name(actor, record.number, reason)
            else:
                opting_out.propose(actor, record.number, form.cleaned_data["since"], reason)
            messages.success(request, words)
            return redirect("desk-player", record.number)
    return _page(request, player, record, **{name: form})


@BOTH
@needs("external.import")
def take_list(request: HttpRequest) -> HttpResponseBase:
    """Show a player or rating list: what it would bring, then the act."""
    form = forms.ImportForm(request.POST or None, request.FILES or None)
    done = None
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        file = given["file"]
        preview = not wants(request, "take")
        with told(form):
            done = players.import_list(
                actor_of(request),
                file.file,
                given["date"],
                file.name,
                assume_games=given["assume_games"],
                mapping=_mapping(given["mapping"]),
                preview=preview,
            )
    return shown(request, "take_list", form=form, done=done, look=done and seen(done.changed))


def _mapping(file: UploadedFile[bytes] | None) -> ListMapping:
    """Return what a federation's own columns and codes mean."""
    return parse_mapping(file.read(LARGEST_MAPPING + 1), file.name or "mapping") if file else NO_MAPPING
