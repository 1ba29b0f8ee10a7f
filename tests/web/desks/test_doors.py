"""Who gets in: without signing in, without the second factor, without a fresh one, with another role."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import include, path

from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.web.desks.access import actor_of, fresh_second_factor, needs
from crosstable.web.desks.home import tab_of, tabs
from tests.web import accounts


@needs("list.publish")
@fresh_second_factor
def publish(request: HttpRequest) -> HttpResponse:
    return HttpResponse(f"{request.method} by {actor_of(request).name}: {request.POST.get('list', '')}")


@needs("event.submit")
def submit(request: HttpRequest) -> HttpResponse:
    raise NotAllowedError("this event is another director's")


urlpatterns = [
    path("desk/publish/", publish),
    path("desk/submit/", submit),
    path("", include("crosstable.web.urls")),
]
rooms = override_settings(ROOT_URLCONF=__name__)


@rooms
def test_nobody_is_sent_to_sign_in_and_comes_back(desk_office: str) -> None:
    client = Client(headers=accounts.HOST)
    answer = client.get("/desk/publish/?list=2026-01-01")
    assert answer["Location"] == "/desk/sign-in/?next=/desk/publish/%3Flist%3D2026-01-01"
    accounts.sign_in(client, "officer", then="/desk/publish/?list=2026-01-01")
    assert client.get("/desk/publish/").content == b"GET by olive: "


@rooms
def test_another_role_is_told_whose_it_is(desk: Callable[[str], Client]) -> None:
    answer = desk("admin").get("/desk/publish/")
    assert answer.status_code == 403
    assert "This needs the role of officer." in answer.content.decode()
    assert answer["Cache-Control"] == "private, no-store"


@rooms
def test_what_the_office_refuses_is_a_page_too(desk: Callable[[str], Client]) -> None:
    answer = desk("director").get("/desk/submit/")
    assert answer.status_code == 403
    assert "another director" in answer.content.decode()


@rooms
def test_a_second_factor_of_an_hour_ago_is_asked_for_again_and_the_form_is_kept(desk_office: str) -> None:
    client = accounts.signed_in("officer", fresh=False)
    answer = client.post("/desk/publish/", {"list": "2026-01-01"})
    assert answer["Location"].startswith("/desk/account/confirm/code/?next=")
    done = client.post(answer["Location"], {"code": accounts.code_now()})
    assert done.content == b"POST by olive: 2026-01-01"
    assert client.get("/desk/publish/").status_code == 200


@rooms
def test_an_officer_without_a_second_factor_sets_one_up_first(desk_office: str) -> None:
    from allauth.mfa.models import Authenticator

    Authenticator.objects.all().delete()
    client = Client(headers=accounts.HOST)
    client.post("/desk/sign-in/", {"login": "olive", "password": accounts.PASSWORD})
    for address in ("/desk/", "/desk/publish/"):
        assert client.get(address)["Location"] == "/desk/account/"


def test_an_address_that_takes_only_a_form_is_a_page_with_a_way_on(desk: Callable[[str], Client]) -> None:
    answer = desk("director").get("/desk/drafts/7/send/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert '<a href="/desk/drafts/7/">Go to the page with the form</a>' in answer.content.decode()


def test_a_page_lies_under_the_nearest_tab() -> None:
    chief, olive, pia = (Actor("x", role, 1) for role in (Role.ADMIN, Role.OFFICER, Role.PLAYER))
    found = [
        tab_of(tabs(who), path)
        for who, path in (
            (chief, "/desk/admin/users/3/"),
            (chief, "/desk/admin/"),
            (olive, "/desk/review/17/"),
            (olive, "/desk/floors/"),
            (pia, "/desk/mine/report/"),
            (olive, "/desk/account/"),
        )
    ]
    assert found == ["/desk/admin/users/", "/desk/admin/", "/desk/queue/", "/desk/decisions/", "/desk/", ""]
