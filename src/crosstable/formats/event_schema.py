"""The event document as a JSON Schema, made from the same tables as the reader.

`event.schema.json` beside this module is its output, for editors and for programs in other languages:
`python -m crosstable.formats.event_schema > event.schema.json` writes it anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from crosstable.formats import event_fields as tables
from crosstable.formats.event_fields import LARGEST, LARGEST_WHOLE, EventField
from crosstable.formats.event_json import RATING_FIELDS
from crosstable.model import FORMAT

FILE = "event.schema.json"

_WHOLE = {"type": "integer", "minimum": -LARGEST_WHOLE, "maximum": LARGEST_WHOLE}
_NUMBER = {"type": "number", "minimum": -LARGEST, "maximum": LARGEST}
_KINDS: Mapping[str, Mapping[str, Any]] = {
    "text": {"type": "string"},
    "identity": {"type": ["string", "integer"]},
    "boolean": {"type": "boolean"},
    "integer": _WHOLE,
    "number": _NUMBER,
    "rating": {**_NUMBER, "minimum": 0},
    "day": {"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
    "notes": {"type": "object"},
    "sections": {"type": "array", "items": {"$ref": "#/$defs/section"}},
    "players": {"type": "array", "items": {"$ref": "#/$defs/player"}},
    "games": {"type": "array", "items": {"$ref": "#/$defs/game"}},
    "ratings": {"$ref": "#/$defs/ratings"},
    "foreign": {"$ref": "#/$defs/foreign_rating"},
    "match_changes": {"type": "array", "items": {"$ref": "#/$defs/match_change"}},
    "pending": {"type": "array", "items": {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}},
}


def schema() -> dict[str, Any]:
    """Draft 2020-12. A document that it refuses the reader refuses too, and the other way round (but for doubled
    fields).
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FORMAT,
        **_record(tables.EVENT),
        "$defs": {
            "section": _record(tables.SECTION),
            "player": _record(tables.PLAYER),
            "game": _record(tables.GAME),
            "ratings": {
                "type": "object",
                "properties": {name: {"$ref": f"#/$defs/rating_{name}"} for name in RATING_FIELDS},
                "additionalProperties": False,
            },
            **{f"rating_{name}": _rating(name) for name in RATING_FIELDS},
            "foreign_rating": _record(tables.FOREIGN),
            "match_change": _record(tables.MATCH_CHANGE),
        },
    }


def _record(fields: Mapping[str, EventField]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: _property(field) for name, field in fields.items()},
        "required": [name for name, field in fields.items() if field.required],
        "additionalProperties": False,
    }


def _property(field: EventField) -> dict[str, Any]:
    """Return a field's schema: one that is not required may also be null, which says the same as leaving it out."""
    content = {"enum": list(field.options)} if field.kind == "choice" else dict(_KINDS[field.kind])
    return {"description": field.says, **(content if field.required else _or_null(content))}


def _or_null(content: Mapping[str, Any]) -> dict[str, Any]:
    if "enum" in content:
        return {"enum": [*content["enum"], None]}
    if "$ref" in content:
        return {"anyOf": [content, {"type": "null"}]}
    kinds = content["type"] if isinstance(content["type"], list) else [content["type"]]
    return {**content, "type": [*kinds, "null"]}


def _rating(pool: str) -> dict[str, Any]:
    record = _record({name: tables.RATING[name] for name in RATING_FIELDS[pool]})
    if pool == "AGA":  # go ranks below 1 dan are negative
        record["properties"]["rating"]["minimum"] = -LARGEST
    return record


def text() -> str:
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")
