"""What every view does: look up a record, show it, or say that there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from crosstable.errors import CrosstableError
from crosstable.formats.guarded_tables import Writer, workbook
from crosstable.office.storage import clock
from crosstable.web.caching import from_ledger
from crosstable.web.downloads import attachment

View = Callable[..., HttpResponse]


def page(view: View) -> View:
    """Make a public page: to be read only, kept by the ledger's head,
    and a 404 where the office knows nothing of it.
    """

    @require_safe
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except CrosstableError as problem:
            raise Http404(str(problem)) from problem

    return from_ledger(answered)


def shown(request: HttpRequest, template: str, **context: Any) -> HttpResponse:
    return render(request, f"public/{template}.html", context)


def today() -> date:
    return clock.today()


def number(request: HttpRequest, name: str, default: int = 1) -> int:
    """Return a whole number from the address, or the default where it is none."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else default


def day(request: HttpRequest, name: str, default: date) -> date:
    try:
        return date.fromisoformat(request.GET.get(name, ""))
    except ValueError:
        return default


def as_csv(name: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """Return a table to download; no text in it becomes a formula."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = attachment(f"{name}.csv")
    writer = Writer(response, line_end="\r\n")
    writer.row(head)
    writer.rows([_cell(cell) for cell in row] for row in rows)
    return response


def as_xlsx(name: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """Send the same for a spreadsheet."""
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    response = HttpResponse(workbook([(name, (head, *rows))]), content_type=kind)
    response["Content-Disposition"] = attachment(f"{name}.xlsx")
    return response


def _cell(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def wants_csv(request: HttpRequest) -> bool:
    return request.GET.get("format") == "csv"
