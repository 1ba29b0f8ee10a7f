"""Days and pools as people write them, in what the log and proposals hold."""

from __future__ import annotations

from datetime import date

from crosstable.federations.current import current
from crosstable.formats.dates import day


def readable(word: str) -> str:
    """ "31 December 2025" for 2025-12-31, "Regular" for OTBR; everything else as it stands."""
    try:
        return day(date.fromisoformat(word)) if len(word) == len("2025-12-31") else _pool(word)
    except ValueError:
        return word


def _pool(word: str) -> str:
    return current().titles_of_pools.get(word, word)


def subject(words: str) -> str:
    """ "list of 1 December 2025" for list:2025-12-01; "player 31001590, Regular, 31 December 2025"."""
    kind, *parts = words.replace(":adjustment:", ":adjustment ").split(":")
    told = ", ".join(readable(part) for part in parts)
    return f"list of {told}" if kind == "list" else f"{kind} {told}".strip()
