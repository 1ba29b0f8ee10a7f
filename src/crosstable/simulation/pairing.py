"""Swiss pairing by score groups; in each group the upper half meets the lower half.

No two players meet twice if it can be helped.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from crosstable.systems.formula import formula

NO_OPPONENT = -1
#: The rounds of a quad, by rank: White first
QUAD = (((0, 3), (1, 2)), ((2, 0), (3, 1)), ((0, 1), (2, 3)))


@formula
def next_round(
    order: MutableSequence[int],
    points: Sequence[float],
    seeds: Sequence[float],
    opponents: Sequence[Sequence[int]],
    halves: bool,
) -> None:
    """Put the players of `order` into the order of the boards: the first two play, the next two, and so on.

    The higher ranked of a pair stands first; the last of an odd number has a bye. `opponents` has everybody's earlier
    ones, and NO_OPPONENT. Without `halves` neighbours in the standings meet, as clubs do it.
    """
    rank(order, points, seeds)
    for place in range(0, len(order) - 1, 2):
        at = _rival(order, place, points, opponents, halves)
        rival = order[at]
        for later in range(at, place + 1, -1):
            order[later] = order[later - 1]
        order[place + 1] = rival


@formula
def rank(order: MutableSequence[int], points: Sequence[float], seeds: Sequence[float]) -> None:
    """By points, then by seed, the highest first. Little changes from round to round, so it is an insertion sort."""
    for place in range(1, len(order)):
        one = order[place]
        at = place
        while at > 0:
            other = order[at - 1]
            if points[other] > points[one] or (points[other] == points[one] and seeds[other] >= seeds[one]):
                break
            order[at] = other
            at -= 1
        order[at] = one


@formula
def _rival(
    order: Sequence[int],
    place: int,
    points: Sequence[float],
    opponents: Sequence[Sequence[int]],
    halves: bool,
) -> int:
    """Where in the order the opponent of the player at `place` stands: of those behind, the nearest to the ideal
    one.
    """
    first = order[place]
    left = len(order) - place - 1
    group = 0  # how many of those behind have as many points
    while halves and group < left and points[order[place + 1 + group]] == points[first]:
        group += 1
    lower = max((group + 1) // 2 - 1, 0)  # where the lower half of the group begins
    for trial in range(left):
        if trial < group - lower:
            behind = lower + trial  # the lower half from its top,
        elif trial < group:
            behind = group - 1 - trial  # the upper half from its end,
        else:
            behind = trial  # then everybody else
        if not _met(opponents[first], order[place + 1 + behind]):
            return place + 1 + behind
    return place + 1 + (lower if group > 0 else 0)


@formula
def _met(opponents: Sequence[int], other: int) -> bool:
    met = False
    for place in range(len(opponents)):
        met = met or opponents[place] == other
    return met


@formula
def has_white(whites: int, rivals: int, otherwise: bool) -> bool:
    """Whether a player has White: who has had it less often; `otherwise` decides between equals."""
    return whites < rivals or (whites == rivals and otherwise)
