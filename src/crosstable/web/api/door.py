"""What every request to the API passes: who asks, how often, how much, and how a refusal is worded."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.views.decorators.csrf import csrf_exempt
from ninja.security import HttpBearer

from crosstable.errors import CrosstableError, EventRejected, NoRulesOnDate, RulebookError
from crosstable.formats.limits import FILE_BYTES
from crosstable.office.lists.options import ListError
from crosstable.office.people.rights import Actor, NotAllowedError
from crosstable.office.people.tokens import actor_with
from crosstable.office.players.person import UnknownState
from crosstable.office.queries.pieces import UnknownCursor
from crosstable.web.api import limits, problems
from crosstable.web.api.problems import Refused

View = Callable[..., HttpResponse]
#: What is not there, where it was asked for, and what to do
NOT_THERE: tuple[tuple[type[CrosstableError], str, str], ...] = (
    (UnknownCursor, "query cursor", "Give `next` of the answer before, unchanged, or none to begin again."),
    (ListError, "path", "`/api/v1/lists` names the lists and the pools of each."),
    (NoRulesOnDate, "query", "Ask for a later day."),
    (RulebookError, "path", "`/api/v1/rules` names the rules."),
)
LOG = logging.getLogger("crosstable.web.api")


class Token(HttpBearer):
    """A token from `crosstable office user token`. The door has looked at it already."""

    def authenticate(self, request: HttpRequest, token: str) -> Actor | None:
        actor: Actor | None = getattr(request, "actor", None)
        return actor


def guarded(view: View) -> View:
    """Guard a view of the API. No cookie means anything here, so there is nothing to forge."""

    @csrf_exempt
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            _look(request)
            return _ask(view, request, args, kwargs)
        except Refused as refused:
            return refused.answer()
        except Exception as fault:
            return told(fault)

    return answered


def _look(request: HttpRequest) -> None:
    """Refuse unreadable requests, unknown tokens and clients that ask too often."""
    _count(request)
    if "\x00" in request.path or any("\x00" in value for _, own in request.GET.lists() for value in own):
        raise Refused("bad-request", "There is a NUL character in the address.")
    if _length(request) > FILE_BYTES:
        raise Refused("body-too-large", f"The body has more than {FILE_BYTES:,} bytes.")


def _length(request: HttpRequest) -> int:
    text = request.META.get("CONTENT_LENGTH") or "0"
    return int(text) if text.isascii() and text.isdigit() else 0


def _count(request: HttpRequest) -> None:
    """With a token, by its owner, whose tokens all count together; without one, or with a wrong one, by the address."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not secret:
        _wait("address", limits.network(request))
        return
    try:
        actor = actor_with(secret.strip())
    except NotAllowedError as problem:
        _wait("address", limits.network(request))
        raise no_token(str(problem)) from problem
    _wait("token", actor.user)
    request.actor = actor  # type: ignore[attr-defined]  # for `Token`, and for the view


def _wait(kind: str, who: str) -> None:
    seconds = limits.wait(kind, who)
    if seconds:
        raise Refused("too-many-requests", f"Ask again in {seconds} seconds.", headers={"Retry-After": str(seconds)})


def no_token(detail: str) -> Refused:
    return Refused("token-needed", detail, headers={"WWW-Authenticate": 'Bearer realm="Crosstable"'})


def _ask(view: View, request: HttpRequest, args: Any, kwargs: Any) -> HttpResponse:
    """HEAD is GET without the body, which the server leaves out."""
    method, request.method = request.method, "GET" if request.method == "HEAD" else request.method
    try:
        response = view(request, *args, **kwargs)
    finally:
        request.method = method
    if isinstance(response, HttpResponseNotAllowed):
        allowed = ", ".join(sorted({*response["Allow"].split(", "), *(["HEAD"] if "GET" in response["Allow"] else [])}))
        raise Refused("method-not-allowed", f"{method} is not one of {allowed}.", headers={"Allow": allowed})
    if getattr(request, "ledger_head", None) is None:  # it follows from more than the address and the ledger
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def told(fault: Exception) -> HttpResponse:
    """Any error as an answer. Only our own words go out; of others, the kind and place go to the log."""
    if isinstance(fault, Refused):
        return fault.answer()
    if isinstance(fault, EventRejected):
        return problems.problem("event-with-errors", "The event cannot be taken as it is.", fault.findings)
    if isinstance(fault, NotAllowedError):
        return problems.problem("not-allowed", str(fault))
    if isinstance(fault, CrosstableError):
        return _not_there(fault, f"{str(fault)[:1].upper()}{str(fault)[1:]}.")
    LOG.error("an API answer failed", exc_info=fault)
    return problems.problem("server-error", "The office could not answer. It has noted where, not what you asked.")


def _not_there(fault: CrosstableError, said: str) -> HttpResponse:
    if isinstance(fault, UnknownState):
        found = [problems.wrong("query state", said, "Write its two letters or its name: OH, Ohio.")]
        return problems.problem("wrong-value", "Something in the request cannot be used.", found)
    for kind, where, advice in NOT_THERE:
        if isinstance(fault, kind):
            return problems.problem("not-found", said, [problems.wrong(where, said, advice)], advice=advice)
    return problems.problem("not-found", said)


@csrf_exempt
def nothing(request: HttpRequest, rest: str) -> NoReturn:
    raise Refused("not-found", f"There is no address /api/v1/{rest[:100]}.")
