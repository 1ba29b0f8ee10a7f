"""Which mends a finding asks for, as buttons and small forms beside it."""

from __future__ import annotations

from crosstable.office.reports.suggested_fixes import events, games, players
from crosstable.office.reports.suggested_fixes.base import OFFERS, Case, Input, Offer, offered

__all__ = ["OFFERS", "Case", "Input", "Offer", "events", "games", "offered", "players"]
