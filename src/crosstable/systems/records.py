"""Which fields a rating record has, by pool: see docs/event-document.md. A system of another package says its own
(`record`).
"""

from __future__ import annotations

from collections.abc import Mapping

from crosstable.systems.us_chess.pools import KEYS, RECORD

#: What every record has; a system that keeps no more need not say so
LEAST = ("rating", "games", "date")
_DEVIATION = ("rating", "deviation", "date", "games")

RECORDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(KEYS, RECORD),
    "AGA": ("rating", "sigma", "date", "games"),
    "GLICKO": _DEVIATION,
    "GLICKO2": ("rating", "deviation", "volatility", "date", "games"),
    "STEPHENSON": _DEVIATION,
    "GLICKOBOOST": _DEVIATION,
    "TRUESKILL": _DEVIATION,
    "WENGLIN": _DEVIATION,
    **dict.fromkeys(("DWZ", "ECF"), ("rating", "games", "date", "pending")),
    **dict.fromkeys(("FIDE", "FIDE_R", "FIDE_B"), ("rating", "games", "date", "ever_2400", "ever_2300")),
    "ELO": LEAST,
    "CLUB": LEAST,
    "USCF": ("rating", "games", "date", "peak", "wins", "draws", "losses", "assigned_games", "pending"),
}
