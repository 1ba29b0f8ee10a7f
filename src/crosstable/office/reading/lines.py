"""What the log and proposals hold, as lines that one can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Of a long list so many are told
MOST = 20


def lines_of(details: Any) -> list[tuple[str, str]]:
    """(name, value) of each detail; of an entry that was damaged, what is left."""
    if not isinstance(details, Mapping):
        return [("damaged", str(details))]
    return [(str(name).replace("_", " "), _text(value)) for name, value in details.items() if value not in ("", [], {})]


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{str(name).replace('_', ' ')} {_text(one)}" for name, one in value.items())
    if isinstance(value, list):
        more = f"; and {len(value) - MOST:,} more" if len(value) > MOST else ""
        return "; ".join(_text(one) for one in value[:MOST]) + more
    return f"{value:g}" if isinstance(value, float) else str(value)
