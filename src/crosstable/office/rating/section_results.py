"""What the sections of a run give in one rating system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import polars as pl

from crosstable.model import Finding
from crosstable.office.rating.signature import Signature


@dataclass(frozen=True, slots=True)
class Computed:
    """Each section's signature, and the rating rows of the sections asked for (nothing: of all)."""

    signatures: dict[int, Signature]
    rows: Callable[[set[int] | None], pl.DataFrame]
    refused: dict[int, tuple[Finding, ...]] = field(
        default_factory=dict
    )  # sections that were to be rated and could not
