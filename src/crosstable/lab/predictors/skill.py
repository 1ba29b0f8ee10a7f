"""TrueSkill and Weng–Lin as predictors, game by game."""

from __future__ import annotations

from crosstable.lab.predictors.base import Predictor, Settings, TunedParameter
from crosstable.lab.predictors.systems import SLOPE, steeper
from crosstable.lab.source import Source
from crosstable.replay import skill
from crosstable.replay.arrays import Floats
from crosstable.rulebook import rulebook
from crosstable.rulebook.reform import with_numbers
from crosstable.systems.skill import SkillSystem, TrueSkill, WengLin

RANGES = {"start.deviation": (1.0, 20.0), "skill.beta": (0.5, 15.0), "skill.tau": (0.0, 1.0)}


def _predictor(method: type[SkillSystem], name: str, ranges: dict[str, tuple[float, float]]) -> Predictor:
    book = rulebook(name)
    defaults = {
        value: float(book.rules[rule].written[-1][field]) for value in ranges for rule, field in [value.split(".")]
    }

    def predict(source: Source, settings: Settings) -> Floats:
        changed = {value: settings[value] for value in ranges if settings[value] != defaults[value]}
        system = method(with_numbers(name, tuple(sorted(changed.items()))))
        return steeper(skill.replay(source.periods, system, predict=source.room()).predictions, settings["slope"])

    parameters = tuple(TunedParameter(value, defaults[value], *span) for value, span in ranges.items())
    return Predictor(name, book.title, predict, (*parameters, SLOPE), learns="game")


TRUESKILL = _predictor(TrueSkill, "trueskill", {**RANGES, "skill.draws": (0.01, 0.9)})
WENG_LIN = _predictor(WengLin, "weng_lin", RANGES)
