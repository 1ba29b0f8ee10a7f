"""Which go games are rated: what is wrong is an error, what the program leaves out is left out with a warning."""

from __future__ import annotations

import math
from collections.abc import Iterator

from crosstable.findings import declare
from crosstable.model import Finding, Level
from crosstable.rulebook import Rules
from crosstable.systems.aga import formulas
from crosstable.systems.aga.posterior import Tournament
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.sections import warning
from crosstable.systems.structure import error

declare("draw-in-go", Level.ERROR, "A go game cannot be drawn.", "Correct the result.")
NEGATIVE_HANDICAP = declare("negative-handicap", Level.ERROR, "A handicap is negative.", "White gives the stones.")
WRONG_KOMI = declare("wrong-komi", Level.ERROR, "A komi is not a number of points.", "Give the points that White gets.")
NO_HANDICAP = declare(
    "no-handicap", Level.ERROR, "Handicap stones or komi are given in a game that does not use them.", "Leave them out."
)
GAME_SKIPPED = declare(
    "game-skipped", Level.WARNING, "A game with this handicap and komi is not rated.", "The AGA program skips it too."
)
declare(
    "improbable-game",
    Level.WARNING,
    "By the ratings, a result is nearly impossible.",
    "Check the result, the handicap and both ids.",
)


def wrong_games(field: SectionPlayers, rules: Rules) -> Iterator[Finding]:
    for pairing in field.pairings:
        game, where = pairing.game, field.where_played(pairing)
        if pairing.score == 0.5 and not rules["draws"]["allowed"]:
            advice = "Replay it, or leave it out of the report."
            yield error("draw-in-go", where, "the game is a draw, and this system has none.", advice)
        if game.handicap < 0:
            yield NEGATIVE_HANDICAP.at(where, f"a handicap of {game.handicap} stones.")
        if not math.isfinite(game.komi):
            yield WRONG_KOMI.at(where, f"a komi of {game.komi}.")
        if "handicap_game" not in rules and (game.handicap or game.komi):
            yield NO_HANDICAP.at(where, "stones or komi in a system without them.")


def why_skipped(field: SectionPlayers, pairing: PlayedPairing, rules: Rules) -> str | None:
    """Why the program would not rate a game, or None."""
    if "skipped" not in rules:
        return None
    rule, handicap, komi = rules["skipped"], pairing.game.handicap, pairing.game.komi
    if field.section.mode == "online" and rule["online"]:
        return "it was played online"
    if handicap > rule["most_stones"]:
        return f"a handicap of {handicap} stones is over {rule['most_stones']}"
    if handicap >= 2 and abs(komi) >= rule["handicap_komi"]:
        return f"a komi of {komi:g} with {handicap} stones reaches {rule['handicap_komi']}"
    if handicap <= 1 and komi <= rule["even_komi"]:
        return f"a komi of {komi:g} reaches {rule['even_komi']}"
    if "0" in (field.entrants[pairing.white].id, field.entrants[pairing.black].id):
        return "a player's id is 0"
    return None


def skipped_games(field: SectionPlayers, rules: Rules) -> Iterator[Finding]:
    for pairing in field.pairings:
        if reason := why_skipped(field, pairing, rules):
            yield GAME_SKIPPED.at(field.where_played(pairing), f"not rated: {reason}.")


def improbable(field: SectionPlayers, tournament: Tournament, rules: Rules) -> Iterator[Finding]:
    """Results that hardly happen if the seeds are right: a person should look whether one of them is wrong."""
    t, below = tournament, rules["improbable"]["below"]
    for pairing in field.pairings:
        game = pairing.place
        u = float((t.mu[t.white[game]] - t.mu[t.black[game]] - t.d[game]) / t.s[game])
        chance = 1.0 if pairing.score == 0.5 else formulas.cdf(u if pairing.score == 1.0 else -u)
        if chance < below:
            white, black = field.called(pairing.white), field.called(pairing.black)
            message = f"{white} against {black} ended {pairing.game.result}, which had a probability of {chance:.4f}."
            advice = "Check the result and both entry ranks; a director may certify a strength."
            yield warning("improbable-game", field.where_played(pairing), message, advice)
