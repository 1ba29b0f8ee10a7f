"""The installation: settings with what each does, backups, imports."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from crosstable.errors import CrosstableError
from crosstable.office import backup
from crosstable.office.ledger.office_settings import office
from crosstable.office.people import second_person, settings
from crosstable.office.rating import age_dependence, rules_behind
from crosstable.office.storage import clock, mail_settings
from crosstable.web import jobs
from crosstable.web.account_settings import TRIES
from crosstable.web.desks.access import actor_of, fresh_second_factor, fresh_second_factor_for_download, is_fresh, needs
from crosstable.web.desks.common import BOTH


@require_safe
@needs("office.settings")
def overview(request: HttpRequest) -> HttpResponse:
    context = {
        "settings": settings.settings(actor_of(request)),
        "mail": mail_settings.configured(),
        "tries": TRIES,
        "behind": rules_behind.known_behind(),
        "four_eyes": office().four_eyes,
        "contact": office().contact,
        "sign_up": office().sign_up,
        "ways": settings.SIGN_UP,
        "given_alone": second_person.given_alone(),
        "alone": not second_person.another_ever(actor_of(request)),
        "confirmed": "confirmed" in request.GET and is_fresh(request),
    }
    return render(request, "desks/admin/installation.html", context)


@require_POST
@needs("office.settings")
def name(request: HttpRequest) -> HttpResponse:
    try:
        settings.rename(actor_of(request), request.POST.get("name", ""))
        messages.success(request, "The office has a new name.")
    except CrosstableError as refused:
        messages.error(request, str(refused))
    return redirect("desk_admin")


@require_POST
@needs("office.settings")
def previews(request: HttpRequest) -> HttpResponse:
    """Set the limit of previews."""
    given = request.POST.get("most", "").strip()[:10]
    try:
        settings.limit_previews(actor_of(request), int(given) if given.isdecimal() else 0)
        messages.success(request, "The limit of previews is changed.")
    except CrosstableError as refused:
        messages.error(request, str(refused))
    return redirect("desk_admin")


@require_POST
@needs("office.settings")
def contact(request: HttpRequest) -> HttpResponse:
    """Set how people reach the office."""
    try:
        settings.set_contact(actor_of(request), request.POST.get("contact", "")[:300])
        messages.success(request, "The contact is changed.")
    except CrosstableError as refused:
        messages.error(request, str(refused))
    return redirect("desk_admin")


@require_POST
@needs("office.settings")
@fresh_second_factor
def sign_up(request: HttpRequest) -> HttpResponse:
    """Set how players and directors get an account."""
    try:
        settings.set_sign_up(actor_of(request), request.POST.get("how", "")[:20])
        messages.success(request, "The setting is changed.")
    except CrosstableError as refused:
        messages.error(request, str(refused))
    return redirect("desk_admin")


@require_POST
@needs("office.settings")
@fresh_second_factor
def four_eyes(request: HttpRequest) -> HttpResponse:
    """Set whether another officer decides on what an officer has sent in."""
    settings.require_four_eyes(actor_of(request), request.POST.get("needed") == "yes")
    messages.success(request, "The setting is changed.")
    return redirect("desk_admin")


@require_POST
@needs("office.settings")
@fresh_second_factor
def first_ratings(request: HttpRequest) -> HttpResponse:
    """Set when ratings that depend on an age are published."""
    try:
        age_dependence.choose(actor_of(request), request.POST.get("when", ""))
        messages.success(request, "The setting is changed. Lists that are published stay as they are.")
    except CrosstableError as refused:
        messages.error(request, str(refused))
    return redirect("desk_admin")


@require_POST
@needs("history.import")
@fresh_second_factor
def take_history(request: HttpRequest) -> HttpResponse:
    """Import the three tables of a folder on the server, as a job: what is wrong with them is on its page."""
    given = {"folder": request.POST.get("folder", "").strip()[:500]}
    return redirect("desk-job", jobs.begin(actor_of(request), "import", "Importing earlier events", given).id)


@BOTH
@needs("backup.make")
def make_backup(request: HttpRequest) -> HttpResponseBase:
    """Anyone who comes to the address without the form, by going back or reloading, finds the page with the button."""
    return _backup(request) if request.method == "POST" else redirect("desk_admin")


@fresh_second_factor_for_download("desk_admin")
def _backup(request: HttpRequest) -> FileResponse:
    """Everything in one file, to be kept elsewhere.

    The server keeps no copy: it holds birth dates and password hashes.
    """
    named = f"crosstable-{clock.now():%Y-%m-%d-%H%M}.zip"
    with tempfile.TemporaryDirectory() as folder:
        saved = backup.backup(actor_of(request), Path(folder) / named)
        sent = tempfile.TemporaryFile()  # noqa: SIM115  gone by itself when it has been sent
        with saved.path.open("rb") as made:
            shutil.copyfileobj(made, sent)
    sent.seek(0)
    return FileResponse(sent, as_attachment=True, filename=named, content_type="application/zip")
