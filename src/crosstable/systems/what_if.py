"""What a player's rating would be, had some games ended otherwise: the event with other results, rated as always."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from crosstable.errors import CrosstableError
from crosstable.model import Answer, Event, Game, Rated, Section

#: White's result by White's score
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def what_if(
    event: Event, rate: Callable[[Event], Rated], section: int, player: int, scores: Mapping[int, float]
) -> tuple[Answer, ...]:
    """Return the player's answers in the section, one a pool, had the player scored so in these rounds: {3: 0.5}.

    `player` is a pairing number. `rate` rates an event; where the answer is public, let it give the
    public form.
    """
    changed = (_changed(part, player, scores) if part.number == section else part for part in event.sections)
    rated = rate(replace(event, sections=tuple(changed)))
    return tuple(answer for answer in rated.answers if (answer.section, answer.number) == (section, player))


def _changed(section: Section, player: int, scores: Mapping[int, float]) -> Section:
    own = {game.round for game in section.games if player in (game.white, game.black)}
    for place, score in scores.items():
        if place not in own:
            raise CrosstableError(f"section {section.number}: player {player} has no game in round {place}")
        if score not in RESULTS:
            raise CrosstableError(f"a score of {score:g} in round {place}: a game gives 1, 0.5 or 0")

    def ended(game: Game) -> Game:
        if game.round not in scores or player not in (game.white, game.black):
            return game
        score = scores[game.round]
        return replace(game, result=RESULTS[score if game.white == player else 1 - score])

    return replace(section, games=tuple(ended(game) for game in section.games))
