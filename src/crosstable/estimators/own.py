"""A predictor of one's own: a Python object with `predict`, and `learn` if it learns, or a column of predictions.

`predict` gets the games of one period (those of a day, or of a day and event) without their results, and `learn` then
gets the same games with them. So nothing that it is given can tell a result too early.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import polars as pl

from crosstable.errors import WrongValue
from crosstable.estimators.columns import from_values
from crosstable.replay.arrays import Floats, Integers


class OwnPredictor(Protocol):
    """`predict(games)` gives White's expected score of each row. `learn(games)`, if there is one, gets the results."""

    def predict(self, games: pl.DataFrame, /) -> Any: ...


def name_of(predictor: object) -> str:
    """Return the predictor's own name, or the name of its class."""
    return str(getattr(predictor, "name", type(predictor).__name__))


def predicted_by(predictor: OwnPredictor, games: pl.DataFrame, first: Integers) -> Floats:
    """Ask a copy of the predictor for each period in turn; `games` have a column `score`, which it gets after it has
    answered.
    """
    asked, name = deepcopy(predictor), name_of(predictor)
    learn = getattr(asked, "learn", None)
    questions, found = games.drop("score"), np.empty(len(games))
    for start, end in pairwise(first.tolist()):
        answer = asked.predict(questions[start:end])
        found[start:end] = _expected(name, answer, end - start)
        if learn is not None:
            learn(games[start:end])
    return found


def given_predictions(label: str, values: Any, games: pl.DataFrame, order: Integers) -> Floats:
    """Predictions as the name of a column of the games (which are in rating order), or as values in the order of the
    table.
    """
    if isinstance(values, str):
        if values not in games.columns:
            raise WrongValue(f"predictions: no column '{values}': there are {', '.join(games.columns)}")
        return _expected(label, games[values], len(games))
    return _expected(label, values, len(games))[order]


def check_predictions(predictions: Any) -> Mapping[str, Any]:
    """Refuse what is not a mapping from labels to predictions."""
    if not isinstance(predictions, Mapping):
        raise WrongValue(f'predictions: write {{"my model": values or a column\'s name}}, found {predictions!r}')
    return predictions


def _expected(name: str, answer: Any, games: int) -> Floats:
    """Return the expected scores, or an error that says what is wrong with the first of them."""
    column = from_values(name, answer.tolist() if isinstance(answer, np.ndarray) else answer)
    values = column.cast(pl.Float64, strict=False)
    if len(values) != games:
        raise WrongValue(f"{name}: {len(values):,} predictions for {games:,} games")
    wrong = ~values.is_between(0.0, 1.0).fill_null(value=False)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        raise WrongValue(f"{name}, row {row}: {column[row]!r} is not an expected score between 0 and 1")
    return values.to_numpy()
