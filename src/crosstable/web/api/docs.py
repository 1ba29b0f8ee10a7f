"""The page that describes the API: made on the server from the same description that programs read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from crosstable.web.api.api import api
from crosstable.web.api.problems import KINDS, STATUS
from crosstable.web.caching import from_ledger


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    where: str
    kind: str
    required: bool
    says: str
    example: str


@dataclass(frozen=True, slots=True)
class Operation:
    method: str
    path: str
    title: str
    says: str
    token: bool
    csv: bool
    parameters: tuple[Parameter, ...]
    example: str
    fields: tuple[tuple[str, str, str], ...]  # of the answer: name, kind, what it is

    @property
    def anchor(self) -> str:
        return f"{self.method}{self.path}".lower().replace("/", "-").replace("{", "").replace("}", "")


@require_safe
def begin(request: HttpRequest) -> HttpResponse:
    return HttpResponseRedirect("/api/v1/docs")


@from_ledger
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    schema = api.get_openapi_schema()
    errors = [(code, STATUS[code], *words) for code, words in KINDS.items()]
    context = {"operations": list(_operations(schema)), "errors": errors, "words": schema["info"]["description"]}
    return render(request, "api/docs.html", context)


def _operations(schema: Any) -> Iterator[Operation]:
    for path, methods in schema["paths"].items():
        for method, one in methods.items():
            parameters = tuple(_parameter(own) for own in one.get("parameters", ()))
            good = next(answer for status, answer in one["responses"].items() if int(status) < 300)
            yield Operation(
                method=method.upper(),
                path=path,
                title=one["summary"],
                says=one.get("description", ""),
                token=bool(one.get("security")),
                csv="text/csv" in good["content"],
                parameters=parameters,
                example=_example(path, parameters),
                fields=_fields(schema, good),
            )


def _parameter(own: Any) -> Parameter:
    schema = own["schema"]
    examples = schema.get("examples") or own.get("examples") or [""]
    return Parameter(
        name=own["name"],
        where=own["in"],
        kind=_kind(schema),
        required=own.get("required", False),
        says=own.get("description") or schema.get("description", ""),
        example=str(examples[0] if isinstance(examples, list) else ""),
    )


def _kind(schema: Any) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[-1])
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    return str(schema.get("format") or schema.get("type", ""))


def _example(path: str, parameters: tuple[Parameter, ...]) -> str:
    wanted = {one.name: one.example for one in parameters if one.where == "query" and one.required and one.example}
    return f"{path}?{urlencode(wanted, safe=',')}" if wanted else path


def _fields(schema: Any, answer: Any) -> tuple[tuple[str, str, str], ...]:
    named = answer["content"]["application/json"]["schema"].get("$ref", "").rsplit("/", 1)[-1]
    found = schema["components"]["schemas"].get(named, {}).get("properties", {})
    return tuple((name, _kind(own), own.get("description", "")) for name, own in found.items())
