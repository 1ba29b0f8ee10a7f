"""Reports of the lab that the office has published."""

from __future__ import annotations

from csp.constants import NONE, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse

from crosstable.office.lab_reports import publishing as reports
from crosstable.web.public.views.common import page, shown

#: A chart is a picture: nothing in it can run, load or send anything, wherever it is opened
PICTURE = {"default-src": [NONE], "style-src": [UNSAFE_INLINE], "script-src": [NONE], "sandbox": True}


@page
def index(request: HttpRequest) -> HttpResponse:
    return shown(request, "reports/index", reports=reports.published())


@page
def report(request: HttpRequest, number: int) -> HttpResponse:
    return shown(request, "reports/report", page=reports.show(number))


@csp_replace(PICTURE)
@page
def chart(request: HttpRequest, number: int, place: int) -> HttpResponse:
    return HttpResponse(reports.chart(number, place), content_type="image/svg+xml")
