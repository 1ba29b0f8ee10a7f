"""The rulebook: in force, one rule, what changed."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse

from crosstable.office.queries import examples
from crosstable.office.queries import rules as reading
from crosstable.web.public import charts
from crosstable.web.public.views.common import as_csv, day, page, shown, today, wants_csv


@page
def rules(request: HttpRequest) -> HttpResponse:
    found = reading.in_force(day(request, "on", today()), request.GET.get("system", reading.main_system()))
    if wants_csv(request):
        rows = [(one.rule, one.title, one.since, one.says, one.document, one.section) for one in found.rules]
        return as_csv(f"rules-{found.on}", ("rule", "title", "since", "says", "document", "section"), rows)
    return shown(request, "rules/rules", page=found)


@page
def rule(request: HttpRequest, name: str) -> HttpResponse:
    system, profile = request.GET.get("system", reading.main_system()), request.GET.get("profile", "written")
    found = reading.rule(name, today(), system, profile)
    if wants_csv(request):
        rows = [(one.since, one.until, one.says, one.document, one.section, one.note) for one in found.values]
        return as_csv(f"rule-{name}", ("since", "until", "says", "document", "section", "note"), rows)
    example = examples.bonus() if found.thresholds else None
    return shown(request, "rules/rule", page=found, drawings=charts.steps(found.steps, today()), example=example)


@page
def diff(request: HttpRequest) -> HttpResponse:
    later = day(request, "to", today())
    found = reading.diff(
        day(request, "from", date(max(later.year - 5, 1), 1, 1)),
        later,
        request.GET.get("system", reading.main_system()),
    )
    if wants_csv(request):
        rows = [(one.rule, one.title, one.before, one.after, " ".join(map(str, one.changed))) for one in found.changes]
        return as_csv(f"rules-{found.earlier}-{found.later}", ("rule", "title", "was", "is", "changed_on"), rows)
    return shown(request, "rules/diff", page=found)
