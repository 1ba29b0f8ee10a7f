"""Whatever predicts games, by name: baselines, our rating systems, and what the lab has found."""

from __future__ import annotations

from crosstable.errors import CrosstableError
from crosstable.lab.predictors.base import Parameter, Predictor, Settings, refuse_peeking

BASELINES = ("constant", "white", "published")
FOUND = ("tempered", "live")


def names() -> tuple[str, ...]:
    from crosstable.systems import SYSTEMS

    return (*BASELINES, *FOUND, *SYSTEMS)


def predictor(name: str) -> Predictor:
    """The predictor of that name; each is imported only when asked for."""
    if name in BASELINES:
        from crosstable.lab.predictors import baselines

        found = {one.name: one for one in (baselines.CONSTANT, baselines.WHITE, baselines.PUBLISHED)}
        return found[name]
    if name in FOUND:
        from crosstable.lab.predictors import live

        return live.LIVE if name == "live" else live.TEMPERED
    if name not in names():
        raise CrosstableError(f"nothing predicts under the name '{name}': there are {', '.join(names())}")
    if name == "us_chess":
        from crosstable.lab.predictors.us_chess import US_CHESS

        return US_CHESS
    from crosstable.lab.predictors import systems

    fast = (
        systems.ELO, systems.GLICKO, systems.GLICKO2, systems.STEPHENSON, systems.BOOST, systems.ST_CHARLES,
    )  # fmt: skip
    for one in fast:
        if one.name == name:
            return one
    from crosstable.lab.predictors.by_event import event_predictor

    return event_predictor(name)


__all__ = ["BASELINES", "Parameter", "Predictor", "Settings", "names", "predictor", "refuse_peeking"]
