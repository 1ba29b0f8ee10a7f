"""Publishing what the lab found."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from crosstable.office.lab_reports import publishing as office
from crosstable.web.desks.access import actor_of, needs


@require_http_methods(["GET", "HEAD", "POST"])
@needs("report.publish")
def reports(request: HttpRequest) -> HttpResponse:
    """Show what is published, and a form for the next one."""
    problem = ""
    if request.method == "POST":
        file = request.FILES.get("report")
        data = file.read(office.LARGEST + 1) if file else b""
        try:
            done = office.publish(actor_of(request), data)
        except office.ReportRefused as refused:
            problem = str(refused) if file else "Choose the .json file beside the report's page."
        else:
            messages.success(request, f"Published: anyone can read it at /reports/{done.id}/.")
            return redirect("desk-reports")
    return render(request, "desks/reports/reports.html", {"reports": office.published(), "problem": problem})


@require_http_methods(["POST"])
@needs("report.publish")
def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    try:
        office.withdraw(actor_of(request), number, request.POST.get("reason", ""))
    except office.ReportRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"Report {number} is withdrawn and no longer shown.")
    return redirect("desk-reports")
