"""A reform's verdict for a delegate: whether it predicts better, how sure that is, and what it does to ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from crosstable.lab.reform import ACTUAL, Comparison
from crosstable.lab.reform_effects import last_year

#: The deviance of a coin: what ratings tell beyond it is their worth
COIN = 0.3010299956639812


class ReformOutcome(StrEnum):
    """What the games say of a reform."""

    BETTER = "better"
    WORSE = "worse"
    OPEN = "open"  # chance can explain the difference
    SAME = "same"


@dataclass(frozen=True, slots=True)
class ReformVerdict:
    """The facts. `gain` and its ends are shares of what the actual ratings tell beyond a coin; below 0, a loss."""

    reform: str
    outcome: ReformOutcome
    gain: float
    low: float
    high: float
    raw_is_opposite: bool
    year: int | None = None
    inflation: float | None = None
    inflation_low: float | None = None
    inflation_high: float | None = None
    players: int | None = None
    by_50: int | None = None
    by_100: int | None = None
    other_class: int | None = None


def verdict(found: Comparison, name: str) -> ReformVerdict:
    """Weigh the recalibrated scores; the interval is the joint one, however many reforms were compared."""
    pair, raw = found.headline.behind_actual(name), found.raw.behind_actual(name)
    worth = COIN - found.headline.deviance[ACTUAL]
    outcome = ReformOutcome.OPEN
    if abs(pair.difference) < 5e-9:
        outcome = ReformOutcome.SAME
    elif pair.sure:
        outcome = ReformOutcome.BETTER if pair.difference > 0 else ReformOutcome.WORSE
    return ReformVerdict(
        reform=name,
        outcome=outcome,
        gain=pair.difference / worth,
        low=pair.joint_low / worth,
        high=pair.joint_high / worth,
        raw_is_opposite=raw.sure and raw.difference * pair.difference < 0,
        **_effects(found, name),
    )


def _effects(found: Comparison, name: str) -> dict[str, Any]:
    """Return what the reform has done to ratings at the end of the last year."""
    if "inflation" not in found.effects:
        return {}
    level, moves = (last_year(found.effects[table], name) for table in ("inflation", "moved"))
    if level is None or moves is None:
        return {}
    return {
        "year": level["year"],
        "inflation": level["inflation"],
        "inflation_low": level["low"],
        "inflation_high": level["high"],
        "players": moves["players"],
        "by_50": moves["by_50"],
        "by_100": moves["by_100"],
        "other_class": moves["to_a_higher_class"] + moves["to_a_lower_class"],
    }


def in_words(one: ReformVerdict) -> str:
    """Return the verdict in a sentence or two, with its uncertainty."""
    return f"{_prediction(one)}{_level(one)}"


def _prediction(one: ReformVerdict) -> str:
    low, high = sorted((abs(one.low), abs(one.high)))
    between = f"{_per_cent(low)} to {_per_cent(high)}"
    if one.outcome is ReformOutcome.SAME:
        return f"“{one.reform}” predicts results exactly as well as the actual rules."
    if one.outcome is ReformOutcome.OPEN:
        ends = f"between {_per_cent(abs(one.low))} worse and {_per_cent(abs(one.high))} better"
        return f"These games cannot tell whether “{one.reform}” predicts results better: it lies {ends}."
    word = "better" if one.outcome is ReformOutcome.BETTER else "worse"
    share = f"{_per_cent(abs(one.gain))} {'more' if word == 'better' else 'less'}"
    raw = " (With the printed winning expectancy it looks the other way round.)" if one.raw_is_opposite else ""
    return (
        f"“{one.reform}” predicts results {word} than the actual rules: its ratings tell {share} about who will win "
        f"({between}).{raw}"
    )


def _level(one: ReformVerdict) -> str:
    if one.inflation is None or not one.players:
        return ""
    low, high = sorted((one.inflation_low or 0.0, one.inflation_high or 0.0), key=abs)
    level = f" At the end of {one.year} the average established player is "
    if abs(one.inflation) < 0.05:
        level += "where they are under the actual rules."
    else:
        side = "higher" if one.inflation > 0 else "lower"
        level += f"{_points(one.inflation)} points {side} ({_points(low)} to {_points(high)})."
    return (
        level
        + f" Of {one.players:,} players, {one.by_50 or 0:,} move by 50 points or more, {one.by_100 or 0:,} by 100 or"
        f" more, and {one.other_class or 0:,} change class."
    )


def _points(value: float) -> str:
    """Return a number of points in tenths, without its sign."""
    return f"{abs(value):.1f}"


def _per_cent(share: float) -> str:
    """Return a share in per cent, with more digits below 1 % so that an interval keeps its width."""
    return f"{100 * share:.{1 if share >= 0.01 else 2}f}\N{NO-BREAK SPACE}%"


def in_short(verdicts: Sequence[ReformVerdict]) -> str:
    """All verdicts in a sentence: which reforms predict better, which worse, and of which nothing can be said."""
    words = {
        ReformOutcome.BETTER: "predict results better than the actual rules",
        ReformOutcome.WORSE: "predict them worse",
        ReformOutcome.OPEN: "cannot be told apart from them",
        ReformOutcome.SAME: "predict exactly as they do",
    }
    found = []
    for outcome, said in words.items():
        names = [f"“{one.reform}”" for one in verdicts if one.outcome is outcome]
        if names:
            found.append(f"{' and '.join(names)} {_of_one(said) if len(names) == 1 else said}")
    return "; ".join(found) + "."


def _of_one(words: str) -> str:
    return words.replace("predict ", "predicts ", 1)
