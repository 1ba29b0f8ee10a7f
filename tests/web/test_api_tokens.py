"""Tokens of programs: what they open, and what a program may send with one."""

from __future__ import annotations

import io
from collections.abc import Mapping

from django.test import Client

from crosstable.formats.limits import FILE_BYTES
from tests.web.api_answers import API, problem


def test_an_unknown_token_is_refused_even_for_reading(office: str) -> None:
    stranger = Client(headers={"host": "localhost", "authorization": "Bearer ct_nobodys"})
    answer = stranger.get(f"{API}lists")
    problem(answer, 401, "token-needed")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_token_does_what_its_scope_holds(office: str) -> None:
    from crosstable.office.people import tokens
    from crosstable.office.people.rights import Actor

    narrow = tokens.create_token(Actor.installation(), "dora", "reads only", ["submission.read"], days=1)
    client = Client(headers={"host": "localhost", "authorization": f"Bearer {narrow}"})
    for verb in ("check", "submit"):
        body = problem(client.post(f"{API}{verb}", b"{}", content_type="application/octet-stream"), 403, "not-allowed")
        assert "event.submit" in body["detail"]
    tokens.revoke(Actor.installation(), narrow[:12])
    problem(client.get(f"{API}submissions/1"), 401, "token-needed")


def test_somebody_elses_submission_is_not_found(office: str) -> None:
    from crosstable.office.people import tokens, users
    from crosstable.office.people.rights import Actor, Role

    users.add_user(Actor.installation(), "other-director", Role.DIRECTOR)
    other = tokens.create_token(Actor.installation(), "other-director", "program", ["submission.read"], days=1)
    client = Client(headers={"host": "localhost", "authorization": f"Bearer {other}"})
    problem(client.get(f"{API}submissions/1"), 404, "not-found")


def test_bodies_are_limited(clients: Mapping[str, Client]) -> None:
    token = clients["token"]
    large = b" " * (FILE_BYTES + 1)
    problem(token.post(f"{API}check", large, content_type="application/octet-stream"), 413, "body-too-large")
    problem(token.post(f"{API}submit", large, content_type="application/octet-stream"), 413, "body-too-large")
    problem(token.post(f"{API}players/lookup", large, content_type="application/json"), 413, "body-too-large")
    problem(token.post(f"{API}check", {"file": io.BytesIO(b"x")}), 415, "media-type")


def test_a_file_that_curl_calls_a_form_is_taken_and_a_form_is_not(clients: Mapping[str, Client]) -> None:
    """`curl --data-binary @FILE` says application/x-www-form-urlencoded where no header is given."""
    kind = "application/x-www-form-urlencoded"
    body = problem(
        clients["token"].post(f"{API}check", b"name=x.json&file=%7B%7D", content_type=kind), 415, "media-type"
    )
    assert "Content-Type: application/octet-stream" in body["advice"]
    answer = clients["token"].post(f"{API}check?name=x.json", b'{"name": "a=b"}', content_type=kind)
    assert answer.status_code == 200
    assert not answer.json()["ok"]


def test_answers_with_a_token_are_not_kept(clients: Mapping[str, Client]) -> None:
    answer = clients["token"].get(f"{API}submissions/1")
    assert answer["Cache-Control"] == "no-store"
    assert "ETag" not in answer
