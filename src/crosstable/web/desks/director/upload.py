"""A file or a text comes in. What is too large is refused before it is read."""

from __future__ import annotations

import io
import zipfile

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from crosstable.errors import OfficeError
from crosstable.formats import limits
from crosstable.office.reports import drafts, fixing
from crosstable.office.reports.models import Draft, DraftFile
from crosstable.office.reports.typed_report import FACTS, MOST_ROUNDS, MOST_ROWS, Row, Typed
from crosstable.office.storage import clock
from crosstable.web.desks.access import actor_of
from crosstable.web.desks.common import download
from crosstable.web.desks.director.common import View, sentence, told
from crosstable.words.places import place_text

#: Of a form's other fields, and of what a browser adds
ROOM = 64 * 1024
MOST_FILES = 12


def limited(view: View) -> View:
    """Look at the size that the browser announces before anything of the body is read, even for the form's own
    token.
    """
    protected = csrf_protect(view)

    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        size = request.META.get("CONTENT_LENGTH") or "0"
        if request.method == "POST" and (not size.isdecimal() or int(size) > limits.FILE_BYTES + ROOM):
            return render(
                request, "desks/director/too_large.html", {"limit": limits.FILE_BYTES // limits.MEGABYTE}, status=413
            )
        return protected(request, *args, **kwargs)

    return csrf_exempt(guarded)


@limited
@require_POST
@told("draft.write")
def new(request: HttpRequest) -> HttpResponse:
    """Make a draft from a file, from the tables of one report together, or from a pasted text."""
    name, data, kind = _brought(request)
    row = drafts.start(actor_of(request), data, name, kind, request.POST.get("corrects", "")[:60])
    return redirect("draft", row.id)


@limited
@require_http_methods(["GET", "HEAD", "POST"])
@told("draft.write")
def file(request: HttpRequest, number: int) -> HttpResponse:
    """Show the file as it came, or replace it."""
    if request.method != "POST":
        return download(*drafts.original(actor_of(request), number))
    name, data, kind = _brought(request)
    drafts.another_file(actor_of(request), number, data, name, kind)
    messages.success(request, f"{name} was read. The earlier file was saved.")
    return redirect("draft", number)


@limited
@require_http_methods(["GET", "HEAD", "POST"])
@told("draft.write")
def text(request: HttpRequest, number: int) -> HttpResponse:
    """Show the text of the file, to fix it by hand."""
    actor = actor_of(request)
    if request.method == "POST":
        fixing.mend_text(actor, number, request.POST.get("text", "").replace("\r\n", "\n"))
        return redirect("draft", number)
    draft, found = drafts.load(actor, number), drafts.text(actor, number)
    if found is None:
        raise OfficeError("this file is not text: fix it in the program that it came from, and send it again")
    lines = {place_text(one.place) for one in draft.reading if one.place.line is not None}
    return render(request, "desks/director/text.html", {"draft": draft, "text": found, "lines": sorted(lines)})


def _brought(request: HttpRequest) -> tuple[str, bytes, str]:
    """Return the name, the bytes and the kind of what was brought."""
    files = [one for one in request.FILES.getlist("file") if one.name]
    if len(files) == 1:
        return _name(files[0].name), files[0].read(limits.FILE_BYTES + 1), DraftFile.FILE
    if files:
        if len(files) > MOST_FILES:
            raise OfficeError(f"{len(files)} files are too many: send the tables of one event")
        return (
            "report.zip",
            _packed([(_name(one.name), one.read(limits.FILE_BYTES + 1)) for one in files]),
            DraftFile.FILE,
        )
    typed = request.POST.get("text", "")
    if typed.strip():
        return "pasted.txt", typed.replace("\r\n", "\n").encode(), DraftFile.TEXT
    raise OfficeError("choose a file or paste a text first")


def _name(name: str | None) -> str:
    """Return the file's own name, without a folder."""
    plain = "".join(one for one in name or "" if one.isprintable()).replace("\\", "/").rsplit("/", 1)[-1]
    return plain[:200] or "file"


def _packed(files: list[tuple[str, bytes]]) -> bytes:
    """Return the tables of one report in one archive, as a pairing program's own would be."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


# Typing a report in: a row for each player, cells like W12; saved at every pause.

ROWS, ROUNDS, MORE = 12, 4, 8
LABELS = {
    "event": "Event",
    "city": "City",
    "state": "State",
    "country": "Country",
    "start": "First day",
    "end": "Last day",
    "affiliate": "Affiliate’s id",
    "chief_td": "Chief TD’s id",
    "section": "Section",
    "time_control": "Time control",
}


@require_POST
@told("draft.write")
def start(request: HttpRequest) -> HttpResponse:
    if not request.POST.get("begin"):
        raise OfficeError("nothing was started: press the button")
    row = drafts.start_typed(actor_of(request), Typed({}, ROUNDS, (Row(),) * ROWS))
    return redirect("draft-grid", row.id)


@require_http_methods(["GET", "HEAD", "POST"])
@told("draft.write")
def grid(request: HttpRequest, number: int) -> HttpResponse:
    actor = actor_of(request)
    if request.method != "POST":
        row, typed = drafts.typed_of(actor, number)
        return _page(request, row, typed)
    typed = _typed(request)
    try:
        row = drafts.save_typed(actor, number, typed, _whole(request, "version", 0))
    except OfficeError as problem:
        return _not_saved(request, number, typed, str(problem))
    if request.headers.get("X-Autosave"):
        return JsonResponse({"version": row.version, "saved": f"{clock.now():%H:%M:%S}"})
    if request.POST.get("done"):
        drafts.read_typed(actor, number)
        return redirect("draft", number)
    return redirect("draft-grid", number)


def _not_saved(request: HttpRequest, number: int, typed: Typed, problem: str) -> HttpResponse:
    """Show the page with what was typed."""
    if request.headers.get("X-Autosave"):
        return JsonResponse({"problem": sentence(problem)}, status=409)
    row = drafts.find(actor_of(request), number)
    return _page(request, row, typed, sentence(problem), status=409)


def _page(request: HttpRequest, row: Draft, typed: Typed, problem: str = "", status: int = 200) -> HttpResponse:
    context = {
        "draft": row,
        "typed": typed,
        "facts": [
            (name, LABELS[name], typed.facts.get(name, ""), "date" if name in ("start", "end") else "text")
            for name in FACTS
        ],
        "turns": range(1, typed.rounds + 1),
        "problem": problem,
        "rows": list(enumerate(typed.rows, start=1)),
    }
    return render(request, "desks/director/grid.html", context, status=status)


def _typed(request: HttpRequest) -> Typed:
    """Return the cells of the form; a few more rows or one more round where they were asked for."""
    post = request.POST
    rows = min(_whole(request, "rows", ROWS), MOST_ROWS)
    rounds = min(_whole(request, "rounds", ROUNDS), MOST_ROUNDS)
    made = [
        Row(
            post.get(f"id{place}", ""),
            post.get(f"name{place}", ""),
            post.get(f"rating{place}", ""),
            tuple(post.get(f"r{place}-{turn}", "") for turn in range(1, rounds + 1)),
        )
        for place in range(1, rows + 1)
    ]
    if post.get("more") == "rows":
        made += [Row()] * min(MORE, MOST_ROWS - rows)
    if post.get("more") == "round":
        rounds = min(rounds + 1, MOST_ROUNDS)
    return Typed({name: post.get(name, "") for name in FACTS}, rounds, tuple(made))


def _whole(request: HttpRequest, name: str, otherwise: int) -> int:
    text = request.POST.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 7 else otherwise
