"""Several systems on the same games: how well each expected what came."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from crosstable.errors import UnknownSystem, WrongValue
from crosstable.estimators.base import Estimator
from crosstable.estimators.chessmetrics import Chessmetrics
from crosstable.estimators.elo_mmr import EloMMR
from crosstable.estimators.federations import Dwz, Fide, GlickoBoost
from crosstable.estimators.fitted import scored
from crosstable.estimators.methods import Elo, Glicko, Glicko2, StCharles, Stephenson
from crosstable.estimators.skill import TrueSkill, WengLin
from crosstable.estimators.us_chess import UsChess
from crosstable.estimators.whole_history import BradleyTerry, WholeHistoryRating
from crosstable.extras import needed_for

if TYPE_CHECKING:
    from crosstable.estimators.games import FitGames, GameColumns
    from crosstable.estimators.own import OwnPredictor
    from crosstable.replay.arrays import Floats

#: By the names of `rate --system`
BY_NAME: dict[str, type[Estimator]] = {
    "bradley_terry": BradleyTerry,
    "chessmetrics": Chessmetrics,
    "dwz": Dwz,
    "elo": Elo,
    "elo_mmr": EloMMR,
    "fide": Fide,
    "glicko": Glicko,
    "glicko2": Glicko2,
    "glicko_boost": GlickoBoost,
    "st_charles": StCharles,
    "stephenson": Stephenson,
    "trueskill": TrueSkill,
    "us_chess": UsChess,
    "weng_lin": WengLin,
    "whole_history": WholeHistoryRating,
}


def compare(
    systems: Sequence[Estimator | OwnPredictor | str],
    games: Any,
    *,
    test_from: date | str | None = None,
    predictions: Mapping[str, Any] | None = None,
    **columns: Any,
) -> Any:
    """Rate the same games with each system and score what it expected of each game before it rated it.

    A system is an estimator, its name, or a predictor of your own: an object with `predict(games)`, and `learn(games)`
    if it learns. It is asked about one period (the games of a day, or of a day and event) and then told the results; a
    copy of it does the work. `predictions` are White's expected scores from elsewhere, by label: in the order of the
    table, or the name of a column. No one can tell whether those were made before the games.

    Only games from `test_from` on are scored; the ones before are there to learn from. A frame, best first: system,
    games, deviance, log_loss, brier (smaller is better), accuracy, and the seconds that rating took. `columns`
    (`date`, `white`, `black`, `score`, `event`, `colours`) are named as for `fit`.
    """
    with needed_for("compare"):
        import polars as pl

        from crosstable.estimators.columns import from_arrow
        from crosstable.estimators.games import GameColumns, read_games
        from crosstable.estimators.own import check_predictions

    from_elsewhere = check_predictions({} if predictions is None else predictions)
    chosen = _systems(systems, may_be_empty=bool(from_elsewhere))
    named = GameColumns(**columns)
    games = from_arrow(games)
    games = list(games) if isinstance(games, Iterator) else games  # it is looked at twice
    table = read_games(games, named)
    rows = [_row(name, found, table, test_from) for name, found in _played(chosen, from_elsewhere, games, named, table)]
    frame = pl.DataFrame(rows).sort("log_loss")
    if not table.pandas:
        return frame
    import pandas as pd  # type: ignore[import-untyped, unused-ignore]  # the caller's, not ours

    return pd.DataFrame(frame.to_dicts())


def _played(
    systems: Sequence[Any], predictions: Mapping[str, Any], games: Any, columns: GameColumns, table: FitGames
) -> Iterator[tuple[str, Callable[[], Floats]]]:
    """Each system's name, and what gives its expected scores in rating order."""
    from crosstable.estimators.games import table_in_order
    from crosstable.estimators.own import given_predictions, name_of, predicted_by

    own = [system for system in systems if not isinstance(system, Estimator)]
    frame: Any = table_in_order(games, columns, table) if own or predictions else None
    for system in systems:
        if isinstance(system, Estimator):
            yield str(system), partial(_expected_by, system, table)
        else:
            yield name_of(system), partial(predicted_by, system, frame, table.first)
    for label, values in predictions.items():
        yield label, partial(given_predictions, label, values, frame, table.order)


def _expected_by(system: Estimator, table: FitGames) -> Floats:
    return system._run(table)[1]


def _row(name: str, play: Callable[[], Floats], table: FitGames, test_from: date | str | None) -> dict[str, Any]:
    begun = time.perf_counter()
    expected = play()
    seconds = time.perf_counter() - begun
    found = scored(table, expected, test_from)
    return {"system": name, "games": found.pop("n"), **found, "seconds": seconds}


def _systems(systems: Sequence[Any], *, may_be_empty: bool) -> list[Estimator | OwnPredictor]:
    if isinstance(systems, str) or not isinstance(systems, Iterable):
        raise WrongValue(f"systems: expected a list, as in compare([Elo(), Glicko2()], games), found {systems!r}")
    found = [_system(system) for system in systems]
    if not found and not may_be_empty:
        raise WrongValue("systems: the list is empty. Name at least one: compare([Elo(), Glicko2()], games)")
    return found


def _system(system: Any) -> Estimator | OwnPredictor:
    if isinstance(system, type):
        raise WrongValue(f"systems: found the class {system.__name__}. Write {system.__name__}()")
    if isinstance(system, Estimator) or callable(getattr(system, "predict", None)):
        return system  # type: ignore[no-any-return]  # one or the other
    if not isinstance(system, str) or system not in BY_NAME:
        raise UnknownSystem(f"no system '{system}' for a table of games: there are {', '.join(BY_NAME)}")
    return BY_NAME[system]()
