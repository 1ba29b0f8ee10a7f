"""A file or a text comes in. What is too large is refused before it is read."""

from __future__ import annotations

import io
import zipfile

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from crosstable.errors import OfficeError
from crosstable.formats import limits
from crosstable.office.drafts import drafting, mending
from crosstable.office.drafts.models import DraftFile
from crosstable.web.desks.common import download
from crosstable.web.desks.director.common import View, told
from crosstable.web.desks.doors import actor_of
from crosstable.words.places import place_text

#: Of a form's other fields, and of what a browser adds
ROOM = 64 * 1024
MOST_FILES = 12


def limited(view: View) -> View:
    """Look at the size that the browser announces before anything of the body is read, even for the form's own token."""
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
    """A draft from a file, from the tables of one report together, or from a pasted text."""
    name, data, kind = _brought(request)
    row = drafting.start(actor_of(request), data, name, kind, request.POST.get("corrects", "")[:60])
    return redirect("draft", row.id)


@limited
@require_http_methods(["GET", "HEAD", "POST"])
@told("draft.write")
def file(request: HttpRequest, number: int) -> HttpResponse:
    """The file as it came; or another one in its place."""
    if request.method != "POST":
        return download(*drafting.original(actor_of(request), number))
    name, data, kind = _brought(request)
    drafting.another_file(actor_of(request), number, data, name, kind)
    messages.success(request, f"{name} is read. The file before it is kept.")
    return redirect("draft", number)


@limited
@require_http_methods(["GET", "HEAD", "POST"])
@told("draft.write")
def text(request: HttpRequest, number: int) -> HttpResponse:
    """The text of the file, to mend it by hand."""
    actor = actor_of(request)
    if request.method == "POST":
        mending.mend_text(actor, number, request.POST.get("text", "").replace("\r\n", "\n"))
        return redirect("draft", number)
    draft, found = drafting.load(actor, number), drafting.text(actor, number)
    if found is None:
        raise OfficeError("this file is no text: mend it in the program that it came from, and send it again")
    lines = {place_text(one.place) for one in draft.reading if one.place.line is not None}
    return render(request, "desks/director/text.html", {"draft": draft, "text": found, "lines": sorted(lines)})


def _brought(request: HttpRequest) -> tuple[str, bytes, str]:
    """The name, the bytes and the kind of what was brought."""
    files = [one for one in request.FILES.getlist("file") if one.name]
    if len(files) == 1:
        return _name(files[0].name), files[0].read(limits.FILE_BYTES + 1), DraftFile.FILE
    if files:
        if len(files) > MOST_FILES:
            raise OfficeError(f"{len(files)} files are too many: bring the tables of one event")
        return (
            "report.zip",
            _packed([(_name(one.name), one.read(limits.FILE_BYTES + 1)) for one in files]),
            DraftFile.FILE,
        )
    typed = request.POST.get("text", "")
    if typed.strip():
        return "pasted.txt", typed.replace("\r\n", "\n").encode(), DraftFile.TEXT
    raise OfficeError("choose a file, or paste a text: there was neither")


def _name(name: str | None) -> str:
    """The file's own name, without a folder."""
    plain = "".join(one for one in (name or "") if one.isprintable()).replace("\\", "/").rsplit("/", 1)[-1]
    return plain[:200] or "file"


def _packed(files: list[tuple[str, bytes]]) -> bytes:
    """The tables of one report in one archive, as a pairing program's own would be."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()
