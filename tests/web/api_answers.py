"""What the API answers to a test's program."""

from __future__ import annotations

from typing import Any

from django.test import Client

API = "/api/v1/"


def asked(visitor: Client, address: str, status: int = 200) -> Any:
    answer = visitor.get(API + address)
    assert answer.status_code == status, (address, answer.content[:500])
    return answer.json()


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    body: dict[str, Any] = answer.json()
    assert (body["status"], body["code"], body["type"]) == (status, code, f"/api/v1/docs#{code}")
    return body
