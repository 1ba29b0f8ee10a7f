"""The audit log, and whether its chain is whole."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from crosstable.office.audit.log import head
from crosstable.office.jobs import running
from crosstable.office.people import log_reader, readable
from crosstable.office.queries.log_words import act_in_words, lines_of, subject_of
from crosstable.web import addresses, jobs
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import BOTH
from crosstable.web.desks.decisions import forms
from crosstable.web.desks.decisions.common import shown
from crosstable.web.public.views.common import number


@require_safe
@needs("audit.read")
def log(request: HttpRequest) -> HttpResponse:
    """Show what was done, newest first, by whom, about what, and why."""
    actor = actor_of(request)
    form = forms.LogForm(log_reader.acts(actor), request.GET)
    given: dict[str, Any] = form.cleaned_data if form.is_valid() else {}
    found = log_reader.read(actor, log_reader.Wanted(**given), number(request, "page"))
    kept = urlencode({name: value for name, value in given.items() if value})
    rows = [
        {
            **row,
            "lines": lines_of(row["details"]),
            "words": act_in_words(row["action"]),
            "page": addresses.on_desk(subject_of(row["subject"])),
            "about": readable.subject(row["subject"]),
        }
        for row in found.rows
    ]
    return shown(request, "log", form=form, found=found, rows=rows, kept=kept, head=head())


@BOTH
@needs("audit.read")
def chain(request: HttpRequest) -> HttpResponse:
    """Show the last proof of the whole log and every list; the form asks for a new one, which runs as a job."""
    actor = actor_of(request)
    if request.method == "POST":
        jobs.begin(actor, "verify", "Verifying the log", {})
        return redirect("desk-chain")
    return shown(request, "chain", job=running.last(actor, "verify"), head=head())
