"""Rating systems for a data frame: settings in the constructor, `fit` for a table of games, `predict` for games to
come.

Nothing here is a formula: those are in `systems`, and `replay` runs them, compiled.
"""

from crosstable.estimators.base import Estimator
from crosstable.estimators.chessmetrics import Chessmetrics
from crosstable.estimators.comparison import compare
from crosstable.estimators.elo_mmr import EloMMR
from crosstable.estimators.federations import Dwz, Fide, GlickoBoost
from crosstable.estimators.fitted import Fitted
from crosstable.estimators.methods import Elo, Glicko, Glicko2, StCharles, Stephenson
from crosstable.estimators.skill import TrueSkill, WengLin
from crosstable.estimators.us_chess import UsChess
from crosstable.estimators.whole_history import BradleyTerry, WholeHistoryRating

__all__ = [
    "BradleyTerry",
    "Chessmetrics",
    "Dwz",
    "Elo",
    "EloMMR",
    "Estimator",
    "Fide",
    "Fitted",
    "Glicko",
    "Glicko2",
    "GlickoBoost",
    "StCharles",
    "Stephenson",
    "TrueSkill",
    "UsChess",
    "WengLin",
    "WholeHistoryRating",
    "compare",
]
