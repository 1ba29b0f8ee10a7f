"""What version 1 promises, as data: recorded by `make contracts`, compared by test_contracts.py.

The record is made once, when 1.0.0 is tagged, and again only with a new major version. Before that it may be made at
any time.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import crosstable
from crosstable.cli import full_parser, main
from crosstable.formats import event_schema

FOLDER = Path(__file__).parent / "version-1"
EXAMPLE = "examples/riverside-open.json"
#: What a schema says to its reader
WORDS = ("description", "title")
#: Commands whose JSON programs read
QUESTIONS = {
    "rate": ["rate", EXAMPLE, "--json"],
    "rate --explain": ["rate", EXAMPLE, "--json", "--explain", "30000004"],
    "check": ["check", EXAMPLE, "--json"],
    "rules": ["rules", "--on", "2025-08-02", "--json"],
    "estimate": [
        *("estimate", "--rating", "1643", "--games", "40", "--opponents", "1700,1650"),
        *("--score", "1", "--target", "1660", "--on", "2025-08-02", "--json"),
    ],
    "titles norms": ["titles", "norms", EXAMPLE, "--json"],
}


def contracts() -> dict[str, Any]:
    """Return everything that version 1 promises, by the name of its file."""
    return {
        "library": library(),
        "commands": dict(commands(full_parser())),
        "json": {name: sorted(shape(answer(question))) for name, question in QUESTIONS.items()},
        "event-document": event_schema.schema(),
        "api": api(),
    }


def library() -> dict[str, list[str]]:
    """Return the public names with the names of their arguments."""
    found = {}
    for name in crosstable.__all__:
        value = getattr(crosstable, name)
        try:
            found[name] = [*inspect.signature(value).parameters]
        except (TypeError, ValueError):
            found[name] = []
    return found


def commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, list[str]]]:
    """Yield every command with its options."""
    options = (text for action in parser._actions if action.help != argparse.SUPPRESS for text in action.option_strings)
    yield parser.prog, sorted(options)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from commands(below)


def answer(question: list[str]) -> Any:
    """Return what a command prints as JSON."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        main(question)
    return [json.loads(line) for line in printed.getvalue().splitlines() if line.startswith("{")] or json.loads(
        printed.getvalue()
    )


def shape(value: Any, path: str = "") -> set[str]:
    """Return the paths of all fields, and what kind of value each has."""
    if isinstance(value, dict):
        found = {f"{path}.{name}".lstrip(".") for name in value}
        return found.union(*(shape(one, f"{path}.{name}".lstrip(".")) for name, one in value.items()))
    if isinstance(value, list):
        return set().union(*(shape(one, f"{path}[]") for one in value))
    return set()


def api() -> dict[str, Any]:
    """Return the addresses with their parameters and the fields of their answers."""
    from crosstable.web.api.api import api as served

    document = json.loads(json.dumps(served.get_openapi_schema(), default=str))
    found = {}
    for address, methods in document["paths"].items():
        for method, operation in methods.items():
            found[f"{method.upper()} {address}"] = {
                "parameters": sorted(f"{one['in']} {one['name']}" for one in operation.get("parameters", ())),
                "required": sorted(one["name"] for one in operation.get("parameters", ()) if one.get("required")),
                "answers": sorted(operation["responses"]),
            }
    schemas = document.get("components", {}).get("schemas", {})
    return {"operations": found, "fields": {name: sorted(one.get("properties", {})) for name, one in schemas.items()}}


def broken(promised: Any, found: Any, path: str = "") -> Iterator[str]:
    """Yield every promise that is not kept: something named in the record that is gone or has changed.

    What is new is no break, except a new required parameter. Words for people may change.
    """
    if isinstance(promised, dict) and isinstance(found, dict):
        for name, one in promised.items():
            if name in WORDS and isinstance(one, str):
                continue
            if name in found:
                yield from broken(one, found[name], f"{path}/{name}")
            else:
                yield f"{path}/{name} is gone"
    elif isinstance(promised, list) and isinstance(found, list):
        if path.endswith("/required") and path.startswith("/api"):
            yield from (f"{path}: {one} is required now" for one in found if one not in promised)
        else:
            yield from (f"{path}: {one} is gone" for one in promised if one not in found)
    elif promised != found:
        yield f"{path} was {promised!r}, is {found!r}"


def write() -> None:
    """Record what is promised."""
    FOLDER.mkdir(exist_ok=True)
    for name, value in contracts().items():
        text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    from crosstable.web import settings

    settings.configure(f"sqlite:///{tempfile.mkdtemp()}/office.db", https=False)
    import django

    django.setup()
    write()
