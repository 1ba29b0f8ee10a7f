"""The generated reference: each page is made from what the program itself runs.

What is undocumented fails the build.
"""

from __future__ import annotations

import argparse
import inspect
import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import crosstable
from crosstable.checks import catalogue
from crosstable.cli import full_parser
from crosstable.formats import event_schema
from crosstable.rulebook import PROFILES, browsing, rulebook, systems


class Undocumented(Exception):
    """Something that people use has no words."""


def write(folder: Path) -> None:
    """Write every page of the reference."""
    folder.mkdir(parents=True)
    pages = {
        "commands": commands(),
        "rules": rules(),
        "findings": findings(),
        "event-document": event_document(),
        "api": api(),
        "library": library(),
    }
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def commands() -> str:
    """Describe every command with its options, from the parsers."""
    parts = ["# Every command\n\nGenerated from the commands' own parsers. [A shorter list by task](../commands.md).\n"]
    for name, parser in _parsers(full_parser()):
        depth = min(len(name.split()) - 1, 3)
        words = parser.description or ""
        parts.append(f"{'#' * depth}# {name}\n\n{_plain(words)}\n\n```\n{parser.format_usage().strip()}\n```\n")
        rows = []
        for action in parser._actions:
            if (
                isinstance(action, argparse._SubParsersAction | argparse._HelpAction)
                or action.help == argparse.SUPPRESS
            ):
                continue
            if not action.help:
                raise Undocumented(f"{name}: {', '.join(action.option_strings) or action.dest} has no help")
            shown = ", ".join(f"`{one}`" for one in action.option_strings) or f"`{action.metavar or action.dest}`"
            text = _plain(parser._get_formatter()._expand_help(action))
            rows.append(f"| {shown} | {text} |")
        if rows:
            parts.append("| option | |\n|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _parsers(parser: argparse.ArgumentParser, help_text: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield every parser below this one with its full name."""
    if help_text and not parser.description:
        parser.description = help_text[0].upper() + help_text[1:] + "."
    if parser.prog != "crosstable":
        yield parser.prog, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            words = {one.dest: one.help or "" for one in action._choices_actions}
            for name, sub in action.choices.items():
                if not words.get(name) and name in words:
                    raise Undocumented(f"{sub.prog} has no help")
                yield from _parsers(sub, words.get(name, ""))


def rules() -> str:
    """Describe every rule of every system with its timeline."""
    parts = [
        "# Every rule\n\nGenerated from the rulebooks: what each rule says, since when, and the document behind it.\n"
    ]
    for key in systems():
        book = rulebook(key)
        parts.append(f"## {book.title}\n")
        for rule in book.rules.values():
            if not rule.title:
                raise Undocumented(f"{key}: the rule {rule.name} has no title")
            parts.append(f"### {rule.title}\n\n`{rule.name}` in `{key}`\n")
            for profile in PROFILES:
                values = browsing.timeline(book, rule, profile)
                if profile != PROFILES[0] and values == browsing.timeline(book, rule, PROFILES[0]):
                    continue
                parts.append(f"{profile.replace('-', ' ').capitalize()}:\n\n| from | says | document |\n|---|---|---|")
                parts += [
                    f"| {one.since} | {_plain(one.says)} | {_plain(one.document)}, {one.section} |" for one in values
                ]
                parts.append("")
    return "\n".join(parts)


def findings() -> str:
    """Describe every finding, from the declarations."""
    rows = []
    for code, origin in sorted(catalogue.declared_codes(), key=lambda one: one[0].name):
        if not code.says:
            raise Undocumented(f"the finding {code.name} says nothing")
        rows.append(
            f"| `{code.name}` | {code.level} | {_plain(code.says)} | {_plain(code.advice)} | {_plain(origin)} |"
        )
    head = "# All codes of findings\n\nGenerated from the declarations. [How checks work](../checks.md).\n\n"
    return (
        head
        + "| code | level | what it says | what to do | found by |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def event_document() -> str:
    """Show the schema of the event document."""
    schema = event_schema.schema()
    text = json.dumps(schema, indent=2, ensure_ascii=False)
    head = "# The event document's schema\n\nGenerated. [The same in words](../event-document.md).\n\n"
    return f"{head}```json\n{text}\n```\n"


def api() -> str:
    """Describe every address of the API, from its OpenAPI document."""
    from crosstable.web import settings

    settings.configure(f"sqlite:///{tempfile.mkdtemp()}/office.db", https=False)
    import django

    django.setup()
    from crosstable.web.api.api import api as served

    document = json.loads(json.dumps(served.get_openapi_schema(), default=str))
    parts = ["# Every address of the API\n\nGenerated from the OpenAPI document. [How to use the API](../api.md).\n"]
    for address, methods in document["paths"].items():
        for method, operation in methods.items():
            if not operation.get("summary"):
                raise Undocumented(f"{method} {address} has no summary")
            parts.append(
                f"## {method.upper()} {address}\n\n**{_plain(operation['summary'])}.**"
                f" {_plain(operation.get('description', ''))}\n"
            )
            rows = [
                f"| `{one['name']}` | {one['in']} |"
                f" {_plain(one.get('description') or one.get('schema', {}).get('description', ''))} |"
                for one in operation.get("parameters", ())
            ]
            if rows:
                parts.append("| parameter | in | |\n|---|---|---|\n" + "\n".join(rows) + "\n")
            parts.append("Answers: " + ", ".join(f"`{code}`" for code in operation["responses"]) + ".\n")
    return "\n".join(parts)


def library() -> str:
    """Describe every public name, from its docstring."""
    parts = [
        "# Every public name\n\nGenerated from the docstrings. [The same with examples that are run](../library.md).\n"
    ]
    for name in crosstable.__all__:
        if name.startswith("__"):
            continue
        value = getattr(crosstable, name)
        if isinstance(value, Mapping | tuple):
            listed = ", ".join(f"`{one}`" for one in value)
            parts.append(f"## {name}\n\n{listed}\n")
            continue
        text = inspect.getdoc(value)
        if not text:
            raise Undocumented(f"crosstable.{name} has no docstring")
        parts.append(f"## {name}\n\n```python\n{_signature(name, value)}\n```\n\n```\n{text}\n```\n")
    return "\n".join(parts)


def _signature(name: str, value: Any) -> str:
    try:
        return f"{name}{inspect.signature(value)}"
    except (TypeError, ValueError):
        return name


def _plain(text: str) -> str:
    """Return text that stands in a table's cell as it is."""
    kept = " ".join(text.split())
    for mark in "\\|*_<>[]":
        kept = kept.replace(mark, f"\\{mark}")
    return kept
