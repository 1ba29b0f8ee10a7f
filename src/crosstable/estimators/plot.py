"""Ratings over time as an Altair chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from crosstable.errors import WrongValue

WIDTH, HEIGHT = 520, 300
DEVIATIONS = 2.0  # to each side of a rating


def rating_chart(history: Any, players: Sequence[Any]) -> Any:
    """Return a line for each player, with a band of two deviations to each side where there are deviations."""
    import altair as alt

    frame = history if isinstance(history, pl.DataFrame) else pl.DataFrame(history.to_dict("list"))
    known = frame["player"].unique()
    if unknown := [player for player in players if player not in known]:
        raise WrongValue(f"players: no games of {', '.join(map(repr, unknown))}")
    rows = _rows(frame.filter(pl.col("player").is_in(pl.Series(list(players)).implode())))
    when = "date:T" if "date" in frame.columns else "game:Q"
    names = [str(player) for player in players]
    data = alt.Data(values=rows)  # type: ignore[no-untyped-call]  # Altair's own classes have no types
    base = alt.Chart(data).encode(x=alt.X(when, title=when[:4]), color=alt.Color("player:N", sort=names, title=None))
    span = alt.Scale(zero=False)
    facet = ["pool:N"] if "pool" in frame.columns else []
    lines = base.mark_line(point=True, interpolate="step-after").encode(
        y=alt.Y("rating:Q", scale=span), tooltip=["player:N", when, "rating:Q", *facet], detail=facet or alt.Undefined
    )
    if "deviation" not in frame.columns:
        return lines.properties(width=WIDTH, height=HEIGHT)
    band = base.mark_area(opacity=0.12, interpolate="step-after").encode(y=alt.Y("low:Q", scale=span), y2="high:Q")
    return (band + lines).properties(width=WIDTH, height=HEIGHT)


def _rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as JSON has them: text for players and dates."""
    frame = frame.with_columns(pl.col("player").cast(pl.String))
    if "date" in frame.columns:
        frame = frame.with_columns(pl.col("date").cast(pl.Date).cast(pl.String))
    if "deviation" in frame.columns:
        wide = DEVIATIONS * pl.col("deviation")
        frame = frame.with_columns(low=pl.col("rating") - wide, high=pl.col("rating") + wide)
    return frame.to_dicts()
