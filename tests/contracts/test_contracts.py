"""A client of version 1 can rely on every later version 1.x: nothing that was recorded may go."""

from __future__ import annotations

import json
from typing import Any

import pytest

import crosstable
from tests.contracts import record

IN_FORCE = not crosstable.__version__.startswith("0.")
RECORDED = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(record.FOLDER.glob("*.json"))}


@pytest.fixture(scope="module")
def today() -> dict[str, Any]:
    """What this version offers."""
    return json.loads(json.dumps(record.contracts()))


@pytest.mark.parametrize("name", RECORDED)
def test_what_is_promised_is_kept(name: str, today: dict[str, Any]) -> None:
    gone = list(record.broken(RECORDED[name], today[name], f"/{name}"))
    if gone and not IN_FORCE:
        pytest.skip(f"before 1.0 names may change; `make contracts` records them again: {gone[0]}")
    assert gone == []


def test_everything_that_is_promised_is_recorded(today: dict[str, Any]) -> None:
    assert set(RECORDED) == set(today)


@pytest.mark.parametrize(
    ("promised", "found", "broken"),
    [
        ({"rate": ["--json"]}, {"rate": ["--json", "--new"], "more": []}, []),
        ({"rate": ["--json"]}, {"rate": []}, ["/x/rate: --json is gone"]),
        ({"rate": []}, {}, ["/x/rate is gone"]),
        ({"type": "string"}, {"type": "number"}, ["/x/type was 'string', is 'number'"]),
        ({"description": "the games it stands on"}, {"description": "based on so many games"}, []),
        ({"description": {"type": "string"}}, {}, ["/x/description is gone"]),
    ],
)
def test_a_break_is_noticed(promised: Any, found: Any, broken: list[str]) -> None:
    assert list(record.broken(promised, found, "/x")) == broken


def test_a_new_required_parameter_breaks_the_clients_of_the_api() -> None:
    (line,) = record.broken({"required": []}, {"required": ["token"]}, "/api/GET x")
    assert line == "/api/GET x/required: token is required now"
