"""After how many rounds of a Swiss are ratings recovered, if all players begin at one rating with a large variance?

    python bench/aga_bootstrap.py [--players 64] [--events 5] [--spread 300] [--seed 1996]

The 1996 report (chapter 6) says: about seven. Each simulated event has players with true strengths on Elo's scale
(normal, around 1500), paired by score groups with nobody met twice where that is possible; results are drawn by the
logistic expectation.
`aga_chess` rates the first rounds of it, everybody a newcomer (1500, sigma 350). Printed for each number of rounds: how
ratings and true strengths correlate, the typical error in points, and the share of the variance that is explained.
"""

from __future__ import annotations

import argparse
import math
import random
from datetime import date

from crosstable.model import Event, Game, Player, Section
from crosstable.simulation.pairing import NO_OPPONENT, next_round
from crosstable.systems import system

DAY = date(2025, 1, 4)
MOST_ROUNDS = 10


def swiss(strength: list[float], rng: random.Random) -> list[Game]:
    """All rounds of one Swiss."""
    score = [0.0] * len(strength)
    opponents = [[NO_OPPONENT] * MOST_ROUNDS for _ in strength]
    games = []
    for number in range(1, MOST_ROUNDS + 1):
        lots = [rng.random() for _ in strength]  # no player has a rating for the seeding
        order = list(range(len(strength)))
        next_round(order, score, lots, opponents, halves=True)
        for white, black in zip(order[::2], order[1::2], strict=True):
            opponents[white][number - 1], opponents[black][number - 1] = black, white
            expected = 1 / (1 + 10 ** ((strength[black] - strength[white]) / 400))
            won = rng.random() < expected
            score[white if won else black] += 1
            games.append(Game(number, white + 1, black + 1, "1-0" if won else "0-1"))
    return games


def recovered(strength: list[float], games: list[Game], rounds: int) -> list[float]:
    """Return the ratings after so many rounds, with every player a newcomer."""
    players = tuple(Player(place, str(place), f"Player {place}") for place in range(1, len(strength) + 1))
    played = tuple(game for game in games if game.round <= rounds)
    section = Section(1, "Open", DAY, DAY, players, played, time_control="G/90;d5")
    event = Event("Simulated Swiss", DAY, DAY, (section,))
    found = {answer.number: answer.post for answer in system("aga_chess").rate(event).answers}
    return [found[place] for place in range(1, len(strength) + 1)]


def agreement(true: list[float], found: list[float]) -> tuple[float, float]:
    """(correlation, typical error after both are centred)."""
    count = len(true)
    a = [value - sum(true) / count for value in true]
    b = [value - sum(found) / count for value in found]
    product = sum(x * y for x, y in zip(a, b, strict=True))
    correlation = product / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    return correlation, math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / count)


def simulated(players: int, events: int, spread: float, seed: int) -> list[tuple[list[float], list[Game]]]:
    """Events as true strengths and games."""
    rng = random.Random(seed)
    fields = [[rng.gauss(1500, spread) for _ in range(players)] for _ in range(events)]
    return [(strength, swiss(strength, rng)) for strength in fields]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("players", 64), ("events", 5), ("spread", 300), ("seed", 1996)):
        parser.add_argument(f"--{name}", type=int, default=value)
    args = parser.parse_args()
    made = simulated(args.players, args.events, args.spread, args.seed)
    print("rounds  correlation  error  explained")
    for rounds in range(1, MOST_ROUNDS + 1):
        both = [agreement(true, recovered(true, games, rounds)) for true, games in made]
        correlation = sum(one for one, _ in both) / len(both)
        error = sum(other for _, other in both) / len(both)
        print(f"{rounds:6}  {correlation:11.3f}  {error:5.0f}  {correlation**2:8.0%}")


if __name__ == "__main__":
    main()
