"""The design principle of 5.2 put to the test: does Y strength earn the Y title in ten events half the time?

Once in the report's own model (normal scores), once with games: whole and half points, draws, 4 to 9 rounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from crosstable.lab.plots import COLOURS, figure
from crosstable.rulebook import rulebook
from crosstable.titles.norms import TOLERANCE

EVENTS = 10
NORMS = 5
ROUNDS = range(4, 10)
DRAWS = (0.0, 0.3, 0.6)
SPREADS = (0.0, 200.0)
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TitleChance:
    """What a simulation found: the chance of at least one norm in an event, and of the title in all of them."""

    rounds: int | None  # None: as many as the event happens to have
    draws: float
    spread: float
    norm: float
    title: float
    standard_error: float  # of `title`


def _deltas() -> npt.NDArray[np.float64]:
    return np.array(rulebook("uscf_1996").rules["delta"].written[0]["per_root_game"])


def normal_model(trials: int = 20_000, events: int = EVENTS, seed: int = 1996) -> TitleChance:
    """Compute by the report's own model: scores are normal around the expected one, with a spread of 0.5 per root of
    a game.

    The number of games cancels: margin and Delta both grow with its root.
    """
    random = np.random.default_rng(seed)
    margins = random.normal(0, 0.5, (trials, events))
    return _summary(np.searchsorted(_deltas(), margins, side="right"), (None, 0.0, 0.0))


def real_games(
    rounds: int | None = None,
    draws: float = 0.3,
    *,
    trials: int = 20_000,
    events: int = EVENTS,
    spread: float = 200.0,
    seed: int = 1996,
) -> TitleChance:
    """Compute the same with games.

    Opponents are normal around the player's strength; the player scores the expected share.

    `rounds` None: 4 to 9, each as likely. `draws`: how often a game between equals is drawn; less often between others.
    `spread`: of the opponents' ratings; 0: all of the player's own strength.
    """
    random = np.random.default_rng(seed)
    lengths = random.choice(np.array(ROUNDS), (trials, events)) if rounds is None else np.full((trials, events), rounds)
    played = np.arange(int(lengths.max())) < lengths[..., None]
    expected = 1 / (1 + 10 ** (random.normal(0, spread, played.shape) / 400))
    drawn = draws * 2 * np.minimum(expected, 1 - expected)
    luck = random.random(played.shape)
    score = np.where(luck < expected - drawn / 2, 1.0, np.where(luck < expected + drawn / 2, 0.5, 0.0))
    margin = ((score - expected) * played).sum(axis=2) / np.sqrt(lengths)
    norms = np.searchsorted(_deltas(), margin + TOLERANCE, side="right")
    return _summary(norms, (rounds, draws, spread))


def _summary(norms: Counts, setting: tuple[int | None, float, float]) -> TitleChance:
    titles = norms.sum(axis=1) >= NORMS
    chance = float(titles.mean())
    error = math.sqrt(chance * (1 - chance) / len(titles))
    return TitleChance(*setting, float((norms > 0).mean()), chance, error)


def principle_table(
    trials: int = 20_000, *, draws: Sequence[float] = DRAWS, spreads: Sequence[float] = SPREADS, seed: int = 1996
) -> list[TitleChance]:
    """How far the principle misses with games: every number of rounds, and all mixed, by draws and by opponents."""
    return [
        real_games(rounds, share, trials=trials, seed=seed, spread=spread)
        for spread in spreads
        for share in draws
        for rounds in (*ROUNDS, None)
    ]


def draw_principle(rows: Sequence[TitleChance], model: TitleChance, path: str | Path) -> None:
    title = "Chance of the Y title in ten events for a player of Y strength"
    lines = sorted({(row.spread, row.draws) for row in rows})
    with figure(path, title, "rounds per event", "probability of the title") as axes:
        for spread, draws in lines:
            known = [row for row in rows if (row.spread, row.draws) == (spread, draws) and row.rounds is not None]
            axes.plot(
                [row.rounds or 0 for row in known],
                [row.title for row in known],
                marker="o",
                linestyle=":" if spread == 0 else "-",
                color=COLOURS[sorted({row.draws for row in rows}).index(draws) % len(COLOURS)],
                label=f"{100 * draws:.0f} % draws, "
                + ("equal opponents" if spread == 0 else f"opponents ± {spread:g}"),
            )
        axes.axhline(
            model.title, color=COLOURS[6], linestyle="--", label=f"the report's normal model: {model.title:.3f}"
        )
        axes.set_ylim(0, 1)
