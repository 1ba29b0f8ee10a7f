"""Several systems on the same games: how well each expected what came."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from crosstable.errors import UnknownSystem, WrongValue
from crosstable.estimators.base import Estimator, Fitted
from crosstable.estimators.chessmetrics import Chessmetrics
from crosstable.estimators.elo_mmr import EloMMR
from crosstable.estimators.federations import Dwz, Fide, GlickoBoost
from crosstable.estimators.methods import Elo, Glicko, Glicko2, StCharles, Stephenson
from crosstable.estimators.skill import TrueSkill, WengLin
from crosstable.estimators.us_chess import UsChess
from crosstable.estimators.whole_history import BradleyTerry, WholeHistoryRating
from crosstable.extras import needed_for

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
    systems: Sequence[Estimator | str],
    games: Any,
    *,
    test_from: date | str | None = None,
    **columns: str | None,
) -> Any:
    """Rate the same games with each system and score what it expected of each game before it rated it.

    Only games from `test_from` on are scored; the ones before are there to learn from. A frame, best first: system,
    games, deviance, log_loss, brier (smaller is better), accuracy, and the seconds that rating took. `columns`
    (`date`, `white`, `black`, `score`, `event`) are named as for `fit`.
    """
    with needed_for("compare"):
        import polars as pl

        from crosstable.estimators.games import Columns, read_games

    chosen = _estimators(systems)
    named = Columns(**columns)  # type: ignore[arg-type]  # only `event` may be None
    table = read_games(games, named)
    rows = []
    for estimator in chosen:
        begun = time.perf_counter()
        state, predictions = estimator._run(table)
        seconds = time.perf_counter() - begun
        found = Fitted(estimator, table, state, predictions, named).scores(test_from)
        rows.append({"system": str(estimator), "games": found.pop("n"), **found, "seconds": seconds})
    frame = pl.DataFrame(rows).sort("log_loss")
    if not table.pandas:
        return frame
    import pandas as pd  # type: ignore[import-untyped, unused-ignore]  # the caller's, not ours

    return pd.DataFrame(frame.to_dicts())


def _estimators(systems: Sequence[Estimator | str]) -> list[Estimator]:
    if isinstance(systems, str) or not isinstance(systems, Iterable):
        raise WrongValue(f"systems: expected a list, as in compare([Elo(), Glicko2()], games), found {systems!r}")
    found = [_estimator(system) for system in systems]
    if not found:
        raise WrongValue("systems: the list is empty. Name at least one: compare([Elo(), Glicko2()], games)")
    return found


def _estimator(system: Any) -> Estimator:
    if isinstance(system, Estimator):
        return system
    if isinstance(system, type):
        raise WrongValue(f"systems: found the class {system.__name__}. Write {system.__name__}()")
    if not isinstance(system, str) or system not in BY_NAME:
        raise UnknownSystem(f"no system '{system}' for a table of games: there are {', '.join(BY_NAME)}")
    return BY_NAME[system]()
