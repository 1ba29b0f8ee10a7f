"""A column of a table of games as a polars series, whatever it came as. An empty cell (None, NaN, NaT, NA) is null."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
import polars as pl

from crosstable.errors import WrongValue

#: Values that polars reads as they are, where a column holds one kind only
PLAIN: tuple[set[type], ...] = ({str}, {int}, {float}, {int, float}, {bool}, {date}, {Decimal}, set())
EMPTY = ("NoneType", "NAType", "NaTType")  # the last two are pandas', which we do not load


def is_pandas(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "pandas"


def from_arrow(table: Any) -> Any:
    """Return an Arrow table, a record batch or a DuckDB relation as a polars frame; anything else as it is."""
    arrow = hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__")
    if not arrow or is_pandas(table) or isinstance(table, pl.DataFrame | pl.Series):
        return table
    try:
        found = pl.DataFrame(table)
    except (pl.exceptions.PolarsError, TypeError, ValueError) as error:
        raise WrongValue(f"games: expected an Arrow table, found {type(table).__name__}: {error}") from None
    return found


def pandas_columns(frame: Any) -> Mapping[str, pl.Series]:
    """Return the columns of a pandas frame with those of its index: dates often are there."""
    if any(name is not None and name not in frame.columns for name in frame.index.names):
        frame = frame.reset_index()
    names = [str(name) for name in frame.columns]
    for name in names:
        if names.count(name) > 1:
            raise WrongValue(f"column '{name}': {names.count(name)} columns have this name. Rename or drop all but one")
    return {name: _from_pandas(name, frame.iloc[:, place]) for place, name in enumerate(names)}


def from_values(name: str, values: Any) -> pl.Series:
    """Return a column from a series, an array, or any list of values."""
    if isinstance(values, pl.Series):
        return from_list(name, values.to_list()) if values.dtype == pl.Object else values.rename(name)
    if is_pandas(values):
        return _from_pandas(name, values)
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise WrongValue(f"column '{name}': expected a list of values, found {values!r}")
    if isinstance(values, np.ndarray):
        return _from_array(name, values)
    return from_list(name, list(values))


def from_list(name: str, values: list[Any]) -> pl.Series:
    """Return a list of one kind as it is; one of several kinds (1 and "1/2", a date and its text) as text."""
    kinds = set(map(type, values)) - {type(None)}
    if kinds not in PLAIN:
        values = [None if _is_empty(value) else value for value in values]
        kinds = set(map(type, values)) - {type(None)}
    if kinds not in PLAIN:
        values = [None if value is None else _text(name, row, value) for row, value in enumerate(values)]
    return pl.Series(name, values, strict=False)


def _from_pandas(name: str, column: Any) -> pl.Series:
    """Numbers and days as arrays, everything else as a list: no Arrow needed."""
    if getattr(column.dtype, "tz", None) is not None:
        column = column.dt.tz_localize(None)  # the day on the clock that stands there
    return _from_array(name, column.to_numpy())


def _from_array(name: str, values: Any) -> pl.Series:
    if values.dtype.kind == "M":
        values = values.astype("datetime64[us]")
    return pl.Series(name, values) if values.dtype.kind in "iufM" else from_list(name, values.tolist())


def _is_empty(value: Any) -> bool:
    return type(value).__name__ in EMPTY or (isinstance(value, float) and math.isnan(value))


def _text(name: str, row: int, value: Any) -> str:
    """Return a value as it would be typed: 1.0 as 1, a day as YYYY-MM-DD."""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return str(int(number) if (number := float(value)).is_integer() else number)
    raise WrongValue(f"column '{name}', row {row}: expected text, a number or a date, found {value!r}")
