"""The steps of a derivation as the API answers with them: a model per kind, made from the records of `model`.

`python -m crosstable.web.api.derivation_steps` prints the JSON Schema that ships as `formats/derivation.schema.json`.
"""

from __future__ import annotations

import datetime as dt
import enum
import json
import sys
import types
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from crosstable.model import system_steps, us_chess_steps
from crosstable.model.derivation import Step, kinds
from crosstable.model.us_chess_steps import AgeStart
from crosstable.model.values import Hidden

#: The modules whose kinds are described one by one; a plug-in's kinds are described by their facts
DESCRIBED = (us_chess_steps, system_steps)


class RoundedNumber(BaseModel):
    """A number that is rounded because its exact value would reveal a player's age."""

    rounded: float = Field(examples=[1664])


#: A number; rounded; or null where it is hidden
PublicNumber = float | RoundedNumber | None


class OtherStep(BaseModel):
    """A step of a kind that a plug-in brings: its facts beside these."""

    model_config = ConfigDict(extra="allow")

    kind: str
    rule: str | None = None
    document: str | None = None
    section: str | None = None
    since: dt.date | None = None
    text: str


def _model(record: type[Any], extra: Mapping[str, Any]) -> type[BaseModel]:
    """Describe a record; `extra`: fields beside its own."""
    hints = get_type_hints(record)
    own: dict[str, Any] = {
        one.name: (_described(hints[one.name]), ... if one.default is MISSING else one.default)
        for one in fields(record)
        if one.name != "cite"
    }
    name, doc = f"{record.__name__}Out", (record.__doc__ or "").split("\n")[0]
    return create_model(name, __base__=BaseModel, __doc__=doc, **{**extra, **own})


def _described(hint: Any) -> Any:
    """Translate a field's type: numbers may be rounded or hidden, records become objects, tuples lists."""
    if get_origin(hint) is tuple:
        return list[_described(get_args(hint)[0])]  # type: ignore[misc]  # made at run time
    if get_origin(hint) in (Union, types.UnionType):
        members = get_args(hint)
        if Hidden in members:
            return PublicNumber
        return reduce(or_, (_described(one) for one in members))
    if is_dataclass(hint) and isinstance(hint, type):
        return _nested(hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return Literal[tuple(one.value for one in hint)]
    return hint


_known: dict[type, type[BaseModel]] = {}


def _nested(record: type[Any]) -> type[BaseModel]:
    if record not in _known:
        _known[record] = _model(record, {})
    return _known[record]


def _step_model(kind: str, record: type[Step]) -> type[BaseModel]:
    cited: dict[str, Any] = {
        "kind": (Literal[kind], Field(examples=[kind])),
        "rule": (str | None, None),
        "document": (str | None, None),
        "section": (str | None, None),
        "since": (dt.date | None, None),
        "text": (str, Field(description="The step in words")),
    }
    return _model(record, cited)


def described_kinds() -> dict[str, type[Step]]:
    """Return the kinds that this package declares."""
    return {kind: one for kind, one in sorted(kinds().items()) if one.__module__.startswith("crosstable.model.")}


_models = {kind: _step_model(kind, record) for kind, record in described_kinds().items()}
#: What only a director or an officer may see, and the API never gives
PRIVATE = (AgeStart.kind,)


def _steps(models: Iterable[type[BaseModel]]) -> Any:
    return Annotated[Union[tuple(models)], Field(discriminator="kind")] | OtherStep  # noqa: UP007  made at run time


if TYPE_CHECKING:
    StepOut = Any
else:
    StepOut = _steps(model for kind, model in _models.items() if kind not in PRIVATE)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a derivation."""
    every: Any = list[_steps(_models.values())]  # type: ignore[misc]  # made at run time
    found = TypeAdapter(every).json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The steps of a derivation",
        **found,
    }


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, indent=1, sort_keys=True)
    print()
