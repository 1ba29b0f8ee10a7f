"""Whether the office can be asked: says nothing else."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from crosstable.office.queries import status


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 when the database answers and its tables are up to date, else 503."""
    return HttpResponse(status=200 if status.ready() else 503, content_type="text/plain")
