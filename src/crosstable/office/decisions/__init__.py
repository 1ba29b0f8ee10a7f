"""What officers decide about a player: adjustments, lower floors after matches, prize floors; and a club about itself."""

from __future__ import annotations

from crosstable.office.decisions import adjustments, clubs, floors, prizes

__all__ = ["adjustments", "clubs", "floors", "prizes"]
