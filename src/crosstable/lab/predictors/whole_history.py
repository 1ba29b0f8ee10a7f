"""The methods that fit a whole history as predictors: a game is predicted from a fit to earlier games only."""

from __future__ import annotations

from crosstable.lab.predictors.base import Predictor, Settings, TunedParameter
from crosstable.lab.predictors.systems import SLOPE, steeper
from crosstable.lab.source import Source
from crosstable.replay import bradley_terry, chessmetrics, elo_mmr, whole_history
from crosstable.replay.arrays import Floats
from crosstable.rulebook import rulebook


def _default(book: str, rule: str, field: str) -> float:
    return float(rulebook(book).rules[rule].written[-1][field])


def _parameter(book: str, name: str, low: float, high: float) -> TunedParameter:
    """Return a value of the rulebook, with its default from there."""
    return TunedParameter(name, _default(book, *name.split(".")), low, high)


def _bradley_terry(source: Source, settings: Settings) -> Floats:
    asked = bradley_terry.Settings(prior=settings["prior.games"], davidson=settings["davidson"] >= 0.5)
    found = bradley_terry.replay(source.periods, asked, settings["refit.days"], predict=source.room(), last=False)
    return steeper(found.predictions, settings["slope"])


BRADLEY_TERRY = Predictor(
    "bradley_terry",
    "Bradley–Terry",
    _bradley_terry,
    (
        _parameter("bradley_terry", "prior.games", 1.0, 20.0),
        _parameter("bradley_terry", "refit.days", 1.0, 400.0),
        TunedParameter("davidson", 1.0, 0.0, 1.0, "1: draws by Davidson's model; 0: a draw is half a win"),
        SLOPE,
    ),
)


def _whole_history(source: Source, settings: Settings) -> Floats:
    points = _default("whole_history", "scale", "points")
    numbers = whole_history.numbers_of(settings["drift.w2"], settings["prior.games"], settings["refit.days"], points)
    found = whole_history.replay(source.periods, numbers, predict=source.room(), last=False)
    return steeper(found.predictions, settings["slope"])


WHOLE_HISTORY = Predictor(
    "whole_history",
    "Whole-History Rating",
    _whole_history,
    (
        _parameter("whole_history", "drift.w2", 0.1, 300.0),
        _parameter("whole_history", "prior.games", 0.1, 20.0),
        _parameter("whole_history", "refit.days", 1.0, 400.0),
        SLOPE,
    ),
)


def _elo_mmr(source: Source, settings: Settings) -> Floats:
    numbers = elo_mmr.numbers_of(
        settings["skill.beta"], settings["skill.limit"], _default("elo_mmr", "skill", "transfer")
    )
    start = _default("elo_mmr", "start", "rating"), settings["start.deviation"]
    remembered = int(_default("elo_mmr", "history", "games"))
    _, predictions = elo_mmr.replay(source.periods, numbers, start, remembered, predict=source.room())
    return steeper(predictions, settings["slope"])


ELO_MMR = Predictor(
    "elo_mmr",
    "Elo-MMR",
    _elo_mmr,
    (
        _parameter("elo_mmr", "start.deviation", 100.0, 600.0),
        _parameter("elo_mmr", "skill.beta", 160.0, 800.0),
        _parameter("elo_mmr", "skill.limit", 10.0, 150.0),
        SLOPE,
    ),
    learns="game",
)


def _chessmetrics(source: Source, settings: Settings) -> Floats:
    book = "chessmetrics"
    numbers = chessmetrics.ListNumbers(
        settings["performance.points"],
        settings["weight.months"],
        settings["padding.average"],
        settings["padding.fixed"],
        _default(book, "padding", "rating"),
    )
    found = chessmetrics.replay(source.periods, numbers, settings["refit.days"], predict=source.room(), last=False)
    return steeper(found.predictions, settings["slope"])


CHESSMETRICS = Predictor(
    "chessmetrics",
    "Chessmetrics",
    _chessmetrics,
    (
        _parameter("chessmetrics", "performance.points", 400.0, 2000.0),
        _parameter("chessmetrics", "weight.months", 3.0, 120.0),
        _parameter("chessmetrics", "padding.average", 0.0, 20.0),
        _parameter("chessmetrics", "padding.fixed", 0.1, 20.0),
        _parameter("chessmetrics", "refit.days", 1.0, 400.0),
        SLOPE,
    ),
)
