"""FIDE and CFC ratings on the US Chess scale, on a day and by a rulebook's name."""

from __future__ import annotations

import math
from datetime import date

from crosstable.errors import CrosstableError
from crosstable.rulebook import rulebook
from crosstable.systems import uscf_1996
from crosstable.systems.us_chess import coefficients
from crosstable.systems.us_chess.initial import from_cfc, from_fide, from_fide_youth

SOURCES = ("fide", "cfc")
RULES = ("us_chess", "uscf_1996")


def convert_rating(source: str, rating: float, on: date, rules: str = "us_chess", *, youth: bool = False) -> float:
    """Convert a rating to the US Chess scale; a clear error where there is no conversion.

    `youth`: FIDE youth events (§6).
    """
    if source not in SOURCES or rules not in RULES:
        raise CrosstableError(f"no conversion from '{source}' under '{rules}': there are {', '.join(SOURCES + RULES)}")
    in_force = rulebook(rules).on(on)
    if rules == "uscf_1996":
        value = uscf_1996.convert(in_force, source, rating)
        if value is None:
            rows = in_force[f"{source}_conversion"]["foreign"]
            raise CrosstableError(
                f"no conversion for {source.upper()} {rating:g} in the table of 1996, which runs from {rows[0]} to"
                f" {rows[-1]}"
            )
        return value
    formula = from_cfc if source == "cfc" else from_fide_youth if youth else from_fide
    converted = formula(coefficients(in_force), rating)
    if math.isnan(converted):
        raise CrosstableError(f"no conversion for {source.upper()} {rating:g} on {on}")
    return converted
