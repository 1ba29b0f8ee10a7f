"""What the sections of a run give in one rating system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from crosstable.office.rating.signature import Signature


@dataclass(frozen=True, slots=True)
class Computed:
    """Each section's signature, and the rating rows of the sections asked for (nothing: of all)."""

    signatures: dict[int, Signature]
    rows: Callable[[set[int] | None], pl.DataFrame]
