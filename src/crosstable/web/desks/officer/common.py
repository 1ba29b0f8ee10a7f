"""What the officer's pages share."""

from __future__ import annotations

from contextlib import AbstractContextManager

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from crosstable.errors import CrosstableError, EventRejected
from crosstable.model import errors
from crosstable.web.desks.common import or_told
from crosstable.words.places import place_text

LONGEST = 4000


def or_said(request: HttpRequest) -> AbstractContextManager[None]:
    """Show what the office refuses at the top of the next page, all of it."""

    def say(refused: CrosstableError) -> None:
        if isinstance(refused, EventRejected):
            said = [
                f"{place_text(one.place).capitalize()}: {one.message} {one.advice}"
                for one in errors(refused.findings)[:12]
            ]
        else:
            words = str(refused)
            said = [f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"]
        for one in said:
            messages.error(request, f"Not done. {one}")

    return or_told(say)


def to_queue(decided: str) -> HttpResponse:
    """Back to the queue, which then offers what comes after the thing decided (`waiting.Line.key`)."""
    query = QueryDict(mutable=True)
    query["decided"] = decided
    return redirect(f"{reverse('desk-queue')}?{query.urlencode()}")


def typed(request: HttpRequest) -> QueryDict:
    """Return what a refused form had, so that its page shows it again."""
    return request.POST if request.method == "POST" else QueryDict()


def status_of(request: HttpRequest) -> int:
    """Return the status of a page with a form: of one that comes back with its form refused, 400."""
    return 400 if request.method == "POST" else 200


def words_of(request: HttpRequest) -> str:
    """Return the message of the form."""
    return request.POST.get("message", "").strip()[:LONGEST]
