"""Titles and norms in the ledger: they follow from the ratings."""

from __future__ import annotations

from crosstable.office.titles.titles import (
    NORMS,
    TITLES,
    TitleRulesError,
    after_rating,
    replace_all,
    rules_of,
    standing_of,
)

__all__ = ["NORMS", "TITLES", "TitleRulesError", "after_rating", "replace_all", "rules_of", "standing_of"]
