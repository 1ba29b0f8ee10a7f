"""400 events with answers computed by two engines that were written independently from the documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crosstable.formats import event_json
from crosstable.systems.us_chess import rate


@pytest.fixture(scope="module")
def vectors(shared: Path) -> list[dict[str, Any]]:
    return json.loads((shared / "vectors" / "uschess-events.json").read_text())


@pytest.mark.shared
def test_every_field_of_every_rating_agrees(vectors: list[dict[str, Any]]) -> None:
    compared = 0
    for place, vector in enumerate(vectors):
        reading = event_json.read(json.dumps(vector["event"]).encode())
        assert reading.ok, (place, reading.findings)
        answers = {(a.section, a.pool, a.number): a.values for a in rate(reading.event).answers}
        expected = {(row["section"], row["system"], row["number"]): row for row in vector["ratings"]}
        assert answers.keys() == expected.keys(), place
        for key, row in expected.items():
            row["pool"] = row.pop("system")  # the vectors were made before the word
            for name, value in row.items():
                found = answers[key][name]
                if isinstance(value, float) and found is not None:
                    assert found == pytest.approx(value, abs=1e-6), (place, key, name)
                else:
                    assert found == value, (place, key, name)
            compared += 1
    assert (len(vectors), compared) == (400, 3904)
