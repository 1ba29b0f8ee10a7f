"""The language of a page: asked for in the address, kept in a cookie, or the browser's own.

Public pages and the club are translated; desks and API are English. `?lang=es` chooses a language and is remembered, so
that the links of a page need not carry it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

from crosstable.words.language import ENGLISH, LANGUAGES, language, speaking

COOKIE = "language"
PARAMETER = "lang"
YEAR = 365 * 24 * 3600
#: Rooms that are not translated
ENGLISH_ONLY = ("/desk/", "/api/")


class Languages:
    """Middleware: outside everything that keeps pages, so that each language has its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(ENGLISH_ONLY):
            with translation.override(ENGLISH):
                return self.get_response(request)
        code = chosen(request)
        with translation.override(code), speaking(code):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", code)
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        _remember(request, response)
        return response


def chosen(request: HttpRequest) -> str:
    """Return the language that the address, the cookie or the browser asks for, in this order."""
    for code in (request.GET.get(PARAMETER, ""), request.COOKIES.get(COOKIE, ""), *_accepted(request)):
        if code in LANGUAGES:
            return code
    return ENGLISH


def _accepted(request: HttpRequest) -> Iterator[str]:
    """Yield what the browser accepts, best first; es-MX is Spanish."""
    header = request.headers.get("Accept-Language", "")
    return (code.partition("-")[0] for code, _ in parse_accept_lang_header(header))


def _remember(request: HttpRequest, response: HttpResponse) -> None:
    wanted = request.GET.get(PARAMETER, "")
    if wanted in LANGUAGES and request.COOKIES.get(COOKIE) != wanted:
        secure = bool(settings.SESSION_COOKIE_SECURE)
        response.set_cookie(COOKIE, wanted, max_age=YEAR, secure=secure, httponly=True, samesite="Lax")


@dataclass(frozen=True, slots=True)
class PageLanguage:
    """A language in which a page can be read, and its address."""

    code: str
    name: str
    address: str
    current: bool


def of_page(request: HttpRequest) -> tuple[PageLanguage, ...]:
    """Return the languages of a page; none where it has only one."""
    if request.path.startswith(ENGLISH_ONLY):
        return ()
    here = language()
    return tuple(PageLanguage(code, name, _address(request, code), code == here) for code, name in LANGUAGES.items())


def _address(request: HttpRequest, code: str) -> str:
    asked = request.GET.copy()
    asked[PARAMETER] = code
    return f"{request.path}?{asked.urlencode()}"
