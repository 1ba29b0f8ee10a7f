"""Below what a rating cannot fall, and why: as the rating room says it."""

from __future__ import annotations

from crosstable.office.rating.floors import Floor, binding, every

__all__ = ["Floor", "binding", "every"]
