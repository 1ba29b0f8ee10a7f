"""The steps of every system: their page, their JSON Schema, their words, and a plug-in's own kind."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import ClassVar

import jsonschema

import crosstable as ct
from crosstable.model import Answer, Rating
from crosstable.model.derivation import OwnRating, Step, kinds
from crosstable.model.us_chess_steps import EffectiveGames, Pass
from crosstable.model.values import Number, Rounded
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


def test_the_api_s_page_shows_what_the_api_answers() -> None:
    """A win against 1600 by 1500 after 30 games; the last step as if the opponent's strength depended on an age."""
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    printed = json.loads(re.findall(r"## Derivations.*?```json\n(.*?)```", page, re.DOTALL)[0])
    jsonschema.validate(printed, json.loads(SCHEMA.read_text(encoding="utf-8")))
    own = {who: {"OTBR": Rating(rating, 30)} for who, rating in (("Ann", 1500), ("Bob", 1600))}
    event = ct.Event.of("N", [("Ann", "Bob", 1)], on="2025-08-02", ratings=own, time_control="G/90;d5")
    answer = next(one for one in ct.rate(event).answers if one.number == 1)
    kept = {type(one): one for one in answer.derivation if isinstance(one, OwnRating | EffectiveGames | Pass)}
    last = kept[Pass]
    [game] = last.games
    games = (replace(game, rating=Rounded(game.rating), expected=Rounded(game.expected, 10)),)
    kept[Pass] = replace(
        last, expected=Rounded(last.expected, 10), gain=Rounded(last.gain), result=Rounded(last.result), games=games
    )
    answered = derivation_json(replace(answer, derivation=tuple(kept.values())), {1: "Ann", 2: "Bob"})
    assert printed == json.loads(json.dumps(answered))
