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
    """What the office refuses is said at the top of the next page, all of it."""

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


def words_of(request: HttpRequest) -> str:
    """The message of the form."""
    return request.POST.get("message", "").strip()[:LONGEST]
