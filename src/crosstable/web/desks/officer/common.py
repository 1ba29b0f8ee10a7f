"""What the officer's pages share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from crosstable.errors import CrosstableError, EventRejected
from crosstable.model import errors
from crosstable.office.people.rights import NotAllowedError

LONGEST = 4000


@contextmanager
def or_said(request: HttpRequest) -> Iterator[None]:
    """What the office refuses is said at the top of the next page, all of it."""
    try:
        yield
    except NotAllowedError:
        raise
    except EventRejected as refused:
        for one in errors(refused.findings)[:12]:
            messages.error(request, f"Not done. {one.where.capitalize()}: {one.message} {one.advice}")
    except CrosstableError as refused:
        words = str(refused)
        messages.error(request, f"Not done. {words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}")


def to_queue(decided: str) -> HttpResponse:
    """Back to the queue, which then offers what comes after the thing decided (`waiting.Line.key`)."""
    query = QueryDict(mutable=True)
    query["decided"] = decided
    return redirect(f"{reverse('desk-queue')}?{query.urlencode()}")


def words_of(request: HttpRequest) -> str:
    """The message of the form."""
    return request.POST.get("message", "").strip()[:LONGEST]
