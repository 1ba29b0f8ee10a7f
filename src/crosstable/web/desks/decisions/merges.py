"""Two records of one person: finding them, merging them after a look, telling them apart again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from crosstable.formats import guarded_tables
from crosstable.office import players
from crosstable.office.people.rights import Actor
from crosstable.office.players.profiles import private_record
from crosstable.office.queries import changes, words
from crosstable.office.queries.desk import possible_duplicates
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import BOTH, download, or_not_found, or_told
from crosstable.web.desks.decisions import forms
from crosstable.web.desks.decisions.common import seen, shown, told, wants

#: What tells two people apart
NAMES = {
    "name": "Name",
    "birth_date": "Born",
    "sex": "Sex",
    "state": "State",
    "country": "Country",
    "fide_id": "FIDE id",
    "cfc_id": "CFC id",
}
#: What is shown where one of the two has it
SELDOM = {
    "withheld": "Name withheld",
    "foreign_rating": "Converted foreign rating",
    "adult": "Adult",
    "canadian_resident": "Canadian resident",
    "usa_flag": "USA flag",
    "fide_opt_in": "FIDE opt-in",
}


@require_safe
@needs("player.read_private")
def merges(request: HttpRequest) -> HttpResponse:
    """Show records that may be one person's, and those that were merged."""
    actor = actor_of(request)
    may = actor.may("player.merge")
    return shown(request, "merges", alike=possible_duplicates(actor), rows=players.merges(actor), may=may)


@BOTH
@needs("player.merge")
def merge(request: HttpRequest) -> HttpResponseBase:
    """Which id goes and which stays, side by side, and whose ratings that would move."""
    given = {name: request.GET.get(name, "")[:40] for name in ("duplicate", "into")}
    form = forms.MergeForm(request.POST or (given if all(given.values()) else None), initial=given)
    actor, look, sides, note = actor_of(request), None, (), ""
    if form.is_bound and form.is_valid():
        what = actor, form.cleaned_data["duplicate"], form.cleaned_data["into"], form.cleaned_data["reason"]
        if wants(request, "merge"):
            with told(form):
                done = players.merge(*what)
                messages.success(request, f"{what[1]} is now {players.kept_id(what[2])}. {done.note}")
                return redirect("desk-player", what[2])
        with told(form) if form.is_valid() else or_told(lambda _: None):  # what was refused once is not told twice
            sides = _sides(actor, *what[1:3])
            done = players.merge(*what[:3], "", preview=True)
            if request.method == "GET" and request.GET.get("format") == "csv":
                return _table(changes.moved(done.as_json(), None), f"merge-{what[1]}-{what[2]}.csv")
            look, note = seen(done), done.note
    return shown(request, "merge", form=form, look=look, sides=sides, note=note)


def _table(moved: changes.Moved, name: str) -> HttpResponse:
    """Return everyone whose published number would change, as a table to download."""
    heads = ("id", "name", "pool", "now", "would be", "difference", "since", "why", "lists")
    lines = ((o.player, o.name, o.pool, o.before, o.after, o.change, o.since, o.reason, o.lists) for o in moved.rows)
    return download(name, guarded_tables.text((heads, *lines), line_end="\r\n").encode(), "text/csv; charset=utf-8")


def _sides(actor: Actor, duplicate: str, into: str) -> Any:
    """Return what the office knows of both, fact by fact."""
    one, other = (private_record(actor, number) for number in (duplicate, into))
    ratings = [
        ", ".join(_rating(key, held["rating"]) for key, held in players.show(number)["ratings"].items())
        for number in (duplicate, into)
    ]
    facts = [
        (name, title, *values)
        for name, title in (NAMES | SELDOM).items()
        if any(values := [_known(side.facts[name]) for side in (one, other)]) or name in NAMES
    ]
    members = [", ".join(_membership(row) for row in side.memberships) for side in (one, other)]
    both = [("Memberships", *members), ("Ratings", *ratings)]
    return {"goes": one, "stays": other, "facts": facts, "both": both}


def _membership(row: Mapping[str, Any]) -> str:
    return f"{row['kind']} since {words.day(date.fromisoformat(row['since']))}"


def _rating(pool: str, rating: float | None) -> str:
    return f"{words.pool(pool)} {'not shown' if rating is None else words.whole(rating)}"


def _known(value: Any) -> str:
    if isinstance(value, date):
        return words.day(value)
    return "yes" if value is True else str(value or "")


@BOTH
@needs("player.merge")
def undo(request: HttpRequest, player: str) -> HttpResponseBase:
    """They were two people after all."""
    actor, form, look = actor_of(request), forms.Reason(request.POST or None), None
    if wants(request, "unmerge") and form.is_valid():
        with told(form):
            players.unmerge(actor, player, form.cleaned_data["reason"])
            messages.success(request, f"{player} is a record of its own again.")
            return redirect("desk-player", player)
    with or_not_found():
        kept = players.kept_id(player)
        look = seen(players.unmerge(actor, player, "", preview=True))
    return shown(request, "unmerge", player=player, kept=kept, form=form, look=look)
