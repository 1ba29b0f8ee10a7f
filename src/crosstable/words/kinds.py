"""The kinds of steps, as docs/derivations.md lists them: `python -m crosstable.words.kinds > docs/derivations.md`."""

from __future__ import annotations

from dataclasses import fields

from crosstable.model.derivation import Step, kinds
from crosstable.words.derivation import REGISTERED
from crosstable.words.steps import TITLES

HEAD = """# The steps of a derivation

Every rating comes with the steps that lead to it, as facts. `crosstable rate FILE --explain WHO --json` (an id, a
number, a name, or `all`), `office trace … --json` and the API's derivation give the same list:

```json
{"kind": "bonus", "rule": "bonus", "document": "us-chess-2025", "section": "4.2, 8", "since": "2025-01-01",
 "reason": "earned", "bonus": 78.9201441529374, "games": 4, "gain": 98.9201441529374, "multiplier": 10.0,
 "counted_games": 4.0, "threshold": 20.0,
 "text": "The gain of 98.9201 exceeds 10 × √4 = 20.0000 by 78.9201: that is the bonus."}
```

`rule` is the rule's name in the rulebook, `document` and `section` say where it is printed, `since` from which day it
holds. `text` is the step in words; everything else is a fact of the step. In the public form, which an office's pages
and API use, a number is a number, `{"rounded": 1664}` where its exact value would reveal a player's age, or null
where it is hidden; a step that says something else at another age is of the kind `hidden`.

The JSON Schema is `crosstable/formats/derivation.schema.json` in the package. A plug-in's system may bring kinds of
its own: a frozen record that subclasses `crosstable.model.derivation.Step` (see
[CONTRIBUTING](../CONTRIBUTING.md#add-a-system)).

| kind | title | what it is | facts |
|---|---|---|---|
"""


def page() -> str:
    """Return the page as Markdown."""
    rows = [_row(kind, record) for kind, record in sorted(kinds().items()) if _is_ours(record)]
    return HEAD + "".join(rows)


def _is_ours(record: type[Step]) -> bool:
    return record.__module__.startswith("crosstable.model.") and bool(REGISTERED)


def _row(kind: str, record: type[Step]) -> str:
    facts = ", ".join(f"`{one.name}`" for one in fields(record) if one.name != "cite")
    what = (record.__doc__ or "").split("\n")[0]
    return f"| `{kind}` | {TITLES.get(kind, '')} | {what} | {facts} |\n"


if __name__ == "__main__":
    print(page(), end="")
