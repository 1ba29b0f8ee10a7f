"""What the club decides: its numbers and choices, and mistakes found later."""

from __future__ import annotations

from typing import Any

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from crosstable import office
from crosstable.club import clubs, evening, results, shown
from crosstable.club.models import Night
from crosstable.errors import CrosstableError, OfficeError
from crosstable.office.requests.club_numbers import set_numbers
from crosstable.office.storage import clock
from crosstable.systems.st_charles import StCharles
from crosstable.systems.st_charles.numbers import NUMBERS, consequences, numbers_of, with_numbers, wrong_numbers
from crosstable.web.club.access import actor, with_pin

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@require_http_methods(["GET", "HEAD", "POST"])
@with_pin
def settings(request: HttpRequest) -> HttpResponse:
    """Shown with the consequence; "Show what follows" writes nothing."""
    system, problem = clubs.system(), ""
    own = numbers_of(system) if isinstance(system, StCharles) else {}
    wanted = dict(own)
    if request.method == "POST":
        try:
            wanted = _numbers(request, own)
            if isinstance(system, StCharles) and request.POST.get("do") == "try":
                system = with_numbers(system, [{"from": "1980-01-01", **wanted}])
            else:
                _save(request, {name: value for name, value in wanted.items() if value != own.get(name)})
                return redirect("club:settings")
        except CrosstableError as wrong:
            problem = str(wrong)
    said = consequences(system) if isinstance(system, StCharles) and not problem else []
    rows = [(name, words, wanted[name]) for name, (_, _, words) in NUMBERS.items() if name in wanted]
    given = {"club": clubs.club(), "system": clubs.system(), "numbers": rows, "said": said, "problem": problem}
    given |= {"tried": request.method == "POST" and not problem, "here": "", **_address(request)}
    return render(request, "club/settings.html", given, status=400 if problem else 200)


def _address(request: HttpRequest) -> dict[str, Any]:
    """Return what phones open, with its QR code; nothing where only this machine can reach it."""
    address = request.build_absolute_uri("/club/")
    if request.get_host().rpartition(":")[0] in LOOPBACK or request.get_host() in LOOPBACK:
        return {"address": ""}
    code = segno.make(address, error="m").svg_inline(scale=5, border=3, light="#fff")
    return {"address": address, "code": mark_safe(code)}  # noqa: S308  segno's drawing of our own address


def _numbers(request: HttpRequest, own: dict[str, float]) -> dict[str, float]:
    found: dict[str, Any] = {}
    for name in own:
        text = request.POST.get(name, "").strip()
        try:
            value = float(text)
        except ValueError:
            raise OfficeError(f"{NUMBERS[name][2]}: {text!r} is not a number") from None
        found[name] = int(value) if value.is_integer() else value
    if wrong := wrong_numbers(found):
        raise OfficeError("; ".join(wrong))
    return found


def _save(request: HttpRequest, changed: dict[str, float]) -> None:
    who = actor(request) or clubs.volunteer()
    if changed:
        set_numbers(who, clock.today_here(), changed, "settings page")
    clubs.choose(who, public=request.POST.get("public"), mode=request.POST.get("mode"))
    if pin := request.POST.get("pin", "").strip():
        clubs.set_pin(who, pin)


@require_safe
@with_pin
def nights(request: HttpRequest) -> HttpResponse:
    rows = Night.objects.select_related("season").order_by("-date", "-id")
    return render(request, "club/nights.html", {"nights": rows, "here": ""})


@require_http_methods(["GET", "HEAD", "POST"])
@with_pin
def night(request: HttpRequest, number: int) -> HttpResponse:
    """Show a night that is over: a wrong result is corrected for the record only,
    or with a re-rate that is shown first.
    """
    try:
        chosen = evening.of_number(number)
    except clubs.ClubError as missing:
        raise Http404(str(missing)) from missing
    given: dict[str, Any] = {"night": chosen, "here": "", "problem": "", "corrected": request.GET.get("corrected", "")}
    if request.method == "POST":
        try:
            if _correct(request, given):
                return redirect(
                    f"{reverse('club:night', args=[number])}?corrected={request.POST.get('how') == 'rerate':d}"
                )
        except CrosstableError as wrong:
            given["problem"] = str(wrong)
    given["boards"] = shown.of_night(chosen)
    given["changes"] = reversed(office.revisions(chosen.event)) if given["boards"] else []
    return render(request, "club/night.html", given, status=400 if given["problem"] else 200)


def _correct(request: HttpRequest, given: dict[str, Any]) -> bool:
    """Whether something was written; a preview goes onto the page."""
    who = actor(request) or clubs.volunteer()
    board, result, how = (request.POST.get(name, "") for name in ("board", "result", "how"))
    if not board.isdigit():
        raise OfficeError("which board?")
    if how == "preview":
        given["preview"] = results.correct_later(who, int(board), result, record_only=False, preview=True)
        given |= {"wanted_board": int(board), "wanted_result": result}
        return False
    results.correct_later(who, int(board), result, record_only=how != "rerate")
    return True
