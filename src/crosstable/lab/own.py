"""Predictors of one's own in a backtest: a Python class, or a table of predictions made elsewhere.

A class is asked as `crosstable.compare` asks it: about the games of one day without their results, which it then gets.
A table is made from the one that `lab games` writes, with a column `expected`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError, WrongValue
from crosstable.estimators.own import OwnPredictor, name_of, predicted_by
from crosstable.lab.games import LabGames
from crosstable.lab.predictors.base import Predictor, Settings
from crosstable.lab.record import EPOCH
from crosstable.lab.source import Source
from crosstable.replay.arrays import Floats

#: What a table of predictions must hold
PREDICTED = ("game", "white", "black", "expected")
SHOWN = 3  # mistakes in a message


def games_frame(games: LabGames) -> pl.DataFrame:
    """Return the games as predictors may see them, and `score`. Where `colours` is false no one knows who had White."""
    columns: dict[str, pl.Series] = {
        "date": _days(games.day),
        "start": _days(games.start),
        "event": pl.Series(games.event),
        "round": pl.Series(games.round),
        "white": pl.Series(games.ids[games.one]),
        "black": pl.Series(games.ids[games.two]),
        "colours": pl.Series(games.white),
    }
    for place, side in enumerate(("white", "black")):
        for name, values in (("rating", games.rating), ("games", games.played)):
            columns[f"{side}_{name}"] = pl.Series(np.ascontiguousarray(values[:, place])).fill_nan(None)
    return pl.DataFrame({**columns, "rated": pl.Series(games.rated), "score": pl.Series(games.score)})


def write_games(source: Source, path: Path) -> None:
    """Write a source's games with their numbers, as CSV or Parquet: what a table of predictions is made from."""
    frame = games_frame(source.games).with_row_index("game")
    if path.suffix.lower() == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path)


def load_predictor(text: str) -> Predictor:
    """Return the predictor behind FILE.py:CLASS; the class is made without arguments."""
    file, _, name = text.rpartition(":")
    path = Path(file)
    if not name.isidentifier() or path.suffix != ".py" or not path.is_file():
        raise CrosstableError(f"--own {text}: write FILE.py:CLASS with the path of a Python file and a class in it")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise CrosstableError(f"--own {text}: Python cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        made = getattr(module, name)()
    except Exception as error:  # their code may raise anything
        raise CrosstableError(f"--own {text}: {type(error).__name__}: {error}") from error
    if not callable(getattr(made, "predict", None)):
        raise CrosstableError(f"--own {text}: {name} has no method predict(games)")
    return own_predictor(made)


def own_predictor(given: OwnPredictor) -> Predictor:
    """Return a predictor that asks a Python object, a day at a time."""
    name = name_of(given)

    def predict(source: Source, settings: Settings) -> Floats:  # noqa: ARG001 - every predictor is called alike
        return predicted_by(given, games_frame(source.games), source.periods.first)

    return Predictor(name, (type(given).__doc__ or name).strip().splitlines()[0], predict)


def table_predictor(path: Path, label: str, since: date | None, until: date | None) -> Predictor:
    """Return a predictor that looks its answers up. Every game that is scored, from `since` to `until`, needs one."""
    frame = _table(path)

    def predict(source: Source, settings: Settings) -> Floats:  # noqa: ARG001 - every predictor is called alike
        return _looked_up(frame, source, path.name, source.games.window(since, until))

    return Predictor(label, f"Predictions from {path.name}", predict, from_file=True)


def _table(path: Path) -> pl.DataFrame:
    try:
        frame = pl.read_parquet(path) if path.suffix.lower() == ".parquet" else pl.read_csv(path, infer_schema=False)
    except (pl.exceptions.PolarsError, OSError, UnicodeDecodeError) as error:
        raise CrosstableError(f"{path}: not a table that we can read: {str(error).splitlines()[0]}") from error
    if missing := [name for name in PREDICTED if name not in frame.columns]:
        raise CrosstableError(f"{path}: no column {', '.join(missing)}. `lab games` writes a table to begin with")
    kinds = {"game": pl.Int64, "white": pl.String, "black": pl.String, "expected": pl.Float64}
    return frame.select(pl.col(name).cast(kind, strict=False) for name, kind in kinds.items())


def _looked_up(frame: pl.DataFrame, source: Source, name: str, window: np.ndarray) -> Floats:
    """Return the predictions by game; one half where there is none and none is needed."""
    games, found = source.games, np.full(len(source.games), np.nan)
    here = frame.filter(pl.col("game").is_between(0, len(games) - 1))
    row = here["game"].to_numpy()
    named = [games.ids[side[row]].astype(str) for side in (games.one, games.two)]
    same = (named[0] == here["white"].to_numpy()) & (named[1] == here["black"].to_numpy())
    wrong = [
        ("is not between these players here: the table was made from other games", ~same),
        ("is predicted twice", here["game"].is_duplicated().to_numpy()),
        ("has no expected score between 0 and 1", ~here["expected"].is_between(0, 1).fill_null(value=False).to_numpy()),
    ]
    for words, bad in wrong:
        if bad.any():
            raise WrongValue(f"{name}: {_some(row[bad].tolist())} {words}")
    found[row] = here["expected"].to_numpy()
    if (missing := np.flatnonzero(np.isnan(found) & window)).size:
        raise WrongValue(f"{name}: {_some(missing.tolist())} of the window is not predicted")
    return np.asarray(np.nan_to_num(found, nan=0.5))


def _some(games: Sequence[int]) -> str:
    more = f" and {len(games) - SHOWN:,} more" if len(games) > SHOWN else ""
    return f"game {', '.join(map(str, games[:SHOWN]))}{more}"


def _days(ordinals: np.ndarray) -> pl.Series:
    return pl.Series(ordinals - EPOCH).cast(pl.Int32).cast(pl.Date)
