"""Choose who enters an event."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from crosstable.simulation.rng import Rng
from crosstable.systems.formula import formula


@formula
def choose(rng: Rng, weights: Sequence[float], field: MutableSequence[int], keys: MutableSequence[float]) -> int:
    """Fill `field` with the places of those who come, and say how many they are. `keys` is room of the same length.

    A player of twice the weight is twice as likely to be the next to enter. Each player draws a number u and gets the
    key u to the power of 1/weight; the largest keys come (Efraimidis and Spirakis: drawing without replacement, in one
    pass).
    """
    count = 0
    for place in range(len(weights)):
        key = rng.random() ** (1 / weights[place])
        if count == len(field):
            if key <= keys[count - 1]:
                continue
        else:
            count += 1
        at = count - 1
        while at > 0 and keys[at - 1] < key:
            keys[at], field[at] = keys[at - 1], field[at - 1]
            at -= 1
        keys[at], field[at] = key, place
    return count
