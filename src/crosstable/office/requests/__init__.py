"""What players ask of the office: to be taken for a player, and to have a mistake mended."""

from __future__ import annotations

from crosstable.office.storage.lazy import lazy_modules

__getattr__ = lazy_modules(__name__, "claims", "correcting", "floors", "listing", "mistakes")
