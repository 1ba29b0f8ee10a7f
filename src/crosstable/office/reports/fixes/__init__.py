"""The mends: each takes the event document and a few values, and gives the changed one, with what it was and what it
is.

They are pure: whoever has the file and the list of mends has the report.
"""

from __future__ import annotations

from crosstable.office.reports.fixes import events, games, players
from crosstable.office.reports.fixes.base import ACTIONS, Mended, MendRefused

__all__ = ["ACTIONS", "MendRefused", "Mended", "events", "games", "players"]
