"""docs/event-document.md, the JSON Schema and the reader say the same about every field of the event document."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from crosstable.formats import event_fields, event_json, event_schema
from crosstable.formats.event_fields import EventField
from crosstable.model import Level

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "event-document.md").read_text(encoding="utf-8")
SHIPPED = ROOT / "src" / "crosstable" / "formats" / event_schema.FILE

RECORDS: dict[str, Mapping[str, EventField]] = {
    "Event": event_fields.EVENT,
    "Section": event_fields.SECTION,
    "Player": event_fields.PLAYER,
    "Game": event_fields.GAME,
    "Rating": event_fields.RATING,
    "Foreign rating": event_fields.FOREIGN,
    "Match change": event_fields.MATCH_CHANGE,
}


def table(fields: Mapping[str, EventField]) -> list[str]:
    """A record's table as the page must have it."""
    rows = []
    for name, field in fields.items():
        shown = f"**`{name}`**" if field.required else f"`{name}`"
        choices = " ".join(f"`{option}`" for option in field.options)
        rows.append(f"| {shown} | {choices or event_fields.KINDS_OF_FIELD[field.kind]} | {field.says} |")
    return rows


@pytest.mark.parametrize("heading", RECORDS)
def test_the_page_has_every_field(heading: str) -> None:
    part = re.split(r"^## ", PAGE, flags=re.M)
    text = next(piece for piece in part if piece.startswith(heading + "\n"))
    wanted = table(RECORDS[heading])
    found = [line for line in text.splitlines() if re.match(r"\| \**`", line)][: len(wanted)]
    assert found == wanted, f"docs/event-document.md, {heading}: write the table as\n" + "\n".join(wanted)


def test_the_page_has_every_pool_and_its_fields() -> None:
    for pool, fields in event_json.RATING_FIELDS.items():
        row = next((line for line in PAGE.splitlines() if line.startswith("| `") and f"`{pool}`" in line), None)
        assert row is not None, f"docs/event-document.md, Rating: the pool {pool} is missing"
        assert row.split("|")[2].strip() == " ".join(f"`{field}`" for field in fields), pool


def test_the_pages_example_is_a_right_document() -> None:
    example = re.search(r"```json\n(.*?)```", PAGE, flags=re.S)
    assert example is not None
    assert reader_agrees(json.loads(example[1]))


def test_the_shipped_schema_is_the_one_that_the_tables_give() -> None:
    advice = f"run: python -m crosstable.formats.event_schema > {SHIPPED.relative_to(ROOT)}"
    assert SHIPPED.read_text(encoding="utf-8") == event_schema.text(), advice


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(event_schema.schema())


CHECK = jsonschema.Draft202012Validator(
    event_schema.schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
)


def reader_agrees(document: Any) -> bool:
    """Whether the document is right; the schema and the reader must agree on it."""
    by_schema = CHECK.is_valid(document)
    findings = event_json.read(json.dumps(document).encode()).findings
    by_reader = not [finding for finding in findings if finding.level is Level.ERROR]
    assert by_schema == by_reader, (list(map(str, CHECK.iter_errors(document))), list(map(str, findings)))
    return by_reader


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.json")), ids=lambda path: path.name)
def test_the_examples_are_right(path: Path) -> None:
    assert reader_agrees(json.loads(path.read_text(encoding="utf-8")))


def full() -> dict[str, Any]:
    """A document in which every field of every record stands once."""
    pools = {
        pool: {name: SAMPLES[event_fields.RATING[name].kind] for name in fields}
        for pool, fields in event_json.RATING_FIELDS.items()
    }
    player = {**filled(event_fields.PLAYER), "ratings": pools}
    section = {**filled(event_fields.SECTION), "players": [player], "games": [filled(event_fields.GAME)]}
    return {**filled(event_fields.EVENT), "sections": [section]}


SAMPLES: dict[str, Any] = {
    "text": "1-0",
    "identity": 12345678,
    "boolean": True,
    "integer": 3,
    "number": -2.5,
    "rating": 1643.759,
    "day": "2025-08-02",
    "notes": {"anything": [1, None]},
    "foreign": {"rating": 2105, "date": "2025-08-01"},
    "match_changes": [{"date": "2025-03-01", "change": -12.5}],
    "pending": [[1500, 1], [1600.5, 0.5]],
}
#: What no field of a kind may hold. (Text takes any text; what a result means is a check's business.)
WRONG: dict[str, list[Any]] = {
    "text": [3, True, [], {}],
    "identity": [1.5, True, []],
    "boolean": ["true", 1, []],
    "integer": [1.5, "3", True, 2**31, -(2**31)],
    "number": ["1", False, 1e16],
    "rating": [-1, "1500", True, 1e16],
    "day": ["2025-02-30", "2.8.2025", "2025-W01-1", 20250802, "２０２５-08-02"],
    "notes": [[], "text", 3],
    "foreign": [2105, {"date": "2025-08-01"}, {"rating": None}, {"rating": 1, "title": "GM"}],
    "match_changes": [{}, [3], [{"date": "2025-03-01"}], [{"date": "2025-03-01", "change": "1"}]],
    "pending": [[1500], [[1500]], [["1500", 1]], {}],
    "ratings": [[], {"REGULAR": {"rating": 1500}}, {"OTBR": {}}, {"OTBR": None}, {"OTBR": 1500}],
    "sections": [{}, "none", [3], [{}]],
    "players": [{}, [3], [{"number": 1}]],
    "games": [{}, [3], [{"round": 1, "white": 1, "black": 2}]],
    "choice": ["none of them", 3],
}


def filled(fields: Mapping[str, EventField]) -> dict[str, Any]:
    return {
        name: field.options[0] if field.options else SAMPLES[field.kind]
        for name, field in fields.items()
        if field.options or field.kind in SAMPLES
    }


def records(document: Any) -> Iterator[tuple[str, Mapping[str, EventField], Any]]:
    """The records of a document, with the tables that describe them."""
    section = document["sections"][0]
    player = section["players"][0]
    yield "event", event_fields.EVENT, document
    yield "section", event_fields.SECTION, section
    yield "player", event_fields.PLAYER, player
    yield "game", event_fields.GAME, section["games"][0]
    for pool, record in player["ratings"].items():
        yield pool, {name: event_fields.RATING[name] for name in event_json.RATING_FIELDS[pool]}, record


def test_a_document_with_every_field_is_right() -> None:
    assert reader_agrees(full())


def places() -> list[tuple[int, str]]:
    return [(place, name) for place, (_, fields, _) in enumerate(records(full())) for name in fields]


@pytest.mark.parametrize(("place", "name"), places(), ids=str)
def test_reader_and_schema_agree_on_every_field(place: int, name: str) -> None:
    def changed(value: Any) -> Any:
        document = copy.deepcopy(full())
        list(records(document))[place][2][name] = value
        return document

    where, fields, _ = list(records(full()))[place]
    field = fields[name]
    assert reader_agrees(changed(None)) == (not field.required)
    wrong = [value for value in WRONG[field.kind] if not (where == "AGA" and name == "rating" and value == -1)]
    for value in wrong:
        assert not reader_agrees(changed(value)), value


@pytest.mark.parametrize("place", range(len(list(records(full())))))
def test_an_unknown_field_is_refused_everywhere(place: int) -> None:
    document = copy.deepcopy(full())
    list(records(document))[place][2]["colour"] = 1
    assert not reader_agrees(document)
