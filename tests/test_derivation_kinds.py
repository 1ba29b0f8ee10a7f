"""The steps of every system: their page, their JSON Schema, their words, and a plug-in's own kind."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar

import jsonschema

from crosstable.model import Answer, Rating
from crosstable.model.derivation import Step, kinds
from crosstable.model.values import Number
from crosstable.web.api import derivation_steps
from crosstable.words import kinds as page_of_kinds
from crosstable.words.derivation import derivation_json, say, step_json, title

ROOT = Path(__file__).parents[1]
SCHEMA = ROOT / "src" / "crosstable" / "formats" / "derivation.schema.json"


def test_the_page_lists_every_kind() -> None:
    assert (ROOT / "docs" / "derivations.md").read_text(encoding="utf-8") == page_of_kinds.page(), (
        "run: python -m crosstable.words.kinds > docs/derivations.md"
    )


def test_the_schema_is_that_of_the_records() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == derivation_steps.schema(), (
        "run: python -m crosstable.web.api.derivation_steps > src/crosstable/formats/derivation.schema.json"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TideStep(Step):
    """A made-up plug-in's step: nothing in this package knows it."""

    kind: ClassVar[str] = "tide"
    main: ClassVar[str] = "height"

    height: Number
    moon: str


def test_a_plug_ins_own_step_appears_everywhere() -> None:
    step = TideStep(height=3.5, moon="full")
    assert (title(step), say(step), step.value) == ("Tide", "height 3.5; moon full.", 3.5)
    found = derivation_steps.OtherStep(**step_json(step))
    assert found.model_dump(exclude_none=True) == {"kind": "tide", "text": say(step), "height": 3.5, "moon": "full"}
    answer = Answer(1, "TIDE", 1, "1", 3.0, 3.5, 4, Rating(3.5), {}, (step,))
    jsonschema.validate(derivation_json(answer), json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_every_record_says_what_it_is() -> None:
    bare = [kind for kind, one in kinds().items() if not one.__doc__ or one.__doc__.startswith(f"{one.__name__}(")]
    assert bare == []
    assert all("cite" in {one.name for one in fields(record)} for record in kinds().values())
