"""What the views of this room share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from crosstable.errors import EventRejected, OfficeError
from crosstable.office.reports.drafts import NoDraft
from crosstable.office.reports.submission_status import NoSubmission
from crosstable.web.desks.access import needs

View = Callable[..., HttpResponseBase]


def told(right: str) -> Callable[[View], View]:
    """Require a right, and show a refusal of the office on the page of the form."""
    return lambda view: needs(right)(_told(view))


def _told(view: View) -> View:
    """Answer "not found" for what does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except (NoDraft, NoSubmission) as missing:
            raise Http404(str(missing)) from missing
        except EventRejected as refused:
            messages.error(request, "; ".join(finding.message for finding in refused.findings[:3]))
        except OfficeError as refused:
            messages.error(request, sentence(str(refused)))
        return redirect(_page_of(request))

    return guarded


def _page_of(request: HttpRequest) -> str:
    """Return the page of a form, one step above its address."""
    return request.path.rstrip("/").rsplit("/", 1)[0] + "/"


def sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
