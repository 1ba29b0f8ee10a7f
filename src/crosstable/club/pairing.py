"""Who plays whom: the pairing with the smallest total penalty, the same one every time, and able to say why.

Rating distance decides, squared so that two small gaps beat one large one. Above it stand, in this order: no one meets
the same child twice in a row, no one sits out again before the others have, and no one's Whites and Blacks come further
apart than one. Teachers' wishes come before everything: children who must play each other, children who must not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from itertools import combinations

import rustworkx as rx

Pair = frozenset[str]

#: Opponents of two, three, four and five games ago count as if the ratings were so many points further apart
LATELY = (400, 300, 200, 100)
LONGEST = 1 + len(LATELY)
#: The same colour as in the last game counts as so many points
SAME_COLOUR = 60
#: A larger rating gap than this counts no more than this
LARGEST_GAP = 2000
#: Penalties that outrank rating distance are counted up to this
MOST = 99
#: Up to so many children every pair is looked at; above it, first each child's nearest in rating on either side
ALL_PAIRS, NEAREST = 64, 20
#: Up to so many, every pair after all where the nearest would meet again or have the wrong colours
STILL_ALL_PAIRS = 300


@dataclass(frozen=True)
class FreeChild:
    """What pairing needs to know of a child who is free to play."""

    id: str
    rating: float
    opponents: tuple[str, ...] = ()  # of earlier games, the last one last
    colours: str = ""  # of earlier games, the last one last: "wbbw"
    byes: int = 0  # how often the child has sat out this season
    byes_tonight: int = 0

    @cached_property
    def balance(self) -> int:
        """Whites minus Blacks."""
        return self.colours.count("w") - self.colours.count("b")

    @cached_property
    def last_colour(self) -> str:
        return self.colours[-1:]

    @cached_property
    def games_ago(self) -> Mapping[str, int]:
        """Opponent → how many games ago they met last, 1 for the last game."""
        return {one: len(self.opponents) - place for place, one in enumerate(self.opponents)}


@dataclass(frozen=True, slots=True, order=True)
class Penalty:
    """What speaks against a board or a bye; the first field that differs decides."""

    rematch: int = 0  # the last opponent again
    bye: int = 0
    colours: int = 0  # games by which Whites and Blacks would come further apart than one
    distance: int = 0  # squared points

    def __add__(self, other: Penalty) -> Penalty:
        return Penalty(
            self.rematch + other.rematch,
            self.bye + other.bye,
            self.colours + other.colours,
            self.distance + other.distance,
        )


@dataclass(frozen=True, slots=True)
class PairedBoard:
    white: str
    black: str
    penalty: Penalty
    why: str


@dataclass(frozen=True, slots=True)
class NightPairing:
    boards: tuple[PairedBoard, ...]  # the highest rating first
    out: tuple[str, ...]  # who does not play this time
    penalty: Penalty  # of all boards and byes


def pair(
    children: Iterable[FreeChild],
    *,
    together: Collection[Pair] = (),
    apart: Collection[Pair] = (),
    rematches: bool = True,
) -> NightPairing:
    """Pair all free children.

    `rematches`: false where a child may rather wait than meet the last opponent again.
    """
    field = sorted(children, key=lambda child: (-child.rating, child.id))
    by_id = {child.id: child for child in field}
    wished, taken = _wished(by_id, together)
    free = [child for child in field if child.id not in taken]
    forbidden = set(apart)
    if not rematches:
        forbidden |= {frozenset((child.id, child.opponents[-1])) for child in free if child.opponents}
    found = _matched(free, forbidden)
    seated = {id for one in (*wished, *found) for id in one}
    boards = [
        *(_board(by_id[a], by_id[b], wished=True) for a, b in wished),
        *(_board(by_id[a], by_id[b]) for a, b in found),
    ]
    out = tuple(child.id for child in field if child.id not in seated)
    boards.sort(key=lambda board: (-max(by_id[board.white].rating, by_id[board.black].rating), board.white))
    total = sum((board.penalty for board in boards), Penalty())
    return NightPairing(tuple(boards), out, sum((_bye(by_id[id]) for id in out), total))


def penalty(a: FreeChild, b: FreeChild) -> Penalty:
    """Return what speaks against these two playing each other now, with the better choice of colours."""
    return Penalty(*_against(a, b))


def _against(a: FreeChild, b: FreeChild) -> tuple[int, int, int, int]:
    """Return the penalty's fields: a big club has tens of thousands of pairs,
    and records of all would take half the time.
    """
    beyond, running = min(_colour_cost(a, b), _colour_cost(b, a))
    gap = min(abs(a.rating - b.rating), LARGEST_GAP)
    ago = _games_ago(a, b)
    lately = LATELY[ago - 2] if 2 <= ago <= LONGEST else 0
    distance = int(gap * gap) + running * SAME_COLOUR**2 + lately**2
    return int(ago == 1), 0, min(beyond, MOST), distance


def _games_ago(a: FreeChild, b: FreeChild) -> int:
    """How many games ago they met, by the count of the one who has played less since; 0 if never."""
    mine, theirs = a.games_ago.get(b.id, 0), b.games_ago.get(a.id, 0)
    return min(mine, theirs) if mine and theirs else mine or theirs


def _bye(child: FreeChild) -> Penalty:
    """Return the penalty of a bye: a second one in one night is worse than one on an earlier night."""
    return Penalty(bye=min(10 * child.byes_tonight + child.byes, MOST))


def _colour_cost(white: FreeChild, black: FreeChild) -> tuple[int, int]:
    """Games by which colours come further apart than one; colours twice running."""
    beyond = max(0, white.balance) + max(0, -black.balance)
    return beyond, (white.last_colour == "w") + (black.last_colour == "b")


def _preference(white: FreeChild, black: FreeChild) -> tuple[tuple[int, int], int, float, str]:
    """Where the cost is the same: White for who has had it less often, then for the lower rating, then by id."""
    return _colour_cost(white, black), white.balance - black.balance, white.rating, white.id


def _board(a: FreeChild, b: FreeChild, *, wished: bool = False) -> PairedBoard:
    white, black = (a, b) if _preference(a, b) <= _preference(b, a) else (b, a)
    return PairedBoard(white.id, black.id, penalty(a, b), why(white, black, wished=wished))


def why(white: FreeChild, black: FreeChild, *, wished: bool = False) -> str:
    """Return the reasons for a board in one line, without names: "100 points apart; they met 3 games ago; White had
    Black last".
    """
    gap = abs(white.rating - black.rating)
    reasons = ["requested by the teacher"] if wished else []
    reasons.append("the same rating" if gap == 0 else f"{gap:g} points apart")
    ago = _games_ago(white, black)
    if ago == 1:
        reasons.append("they met in their last game, and there was no other way")
    elif 2 <= ago <= LONGEST:
        reasons.append(f"they met {ago} games ago")
    reasons += [
        f"{side} had {word} last"
        for side, child, colour, word in (("White", white, "b", "Black"), ("Black", black, "w", "White"))
        if child.colours.endswith(colour)
    ]
    return "; ".join(reasons)


def _wished(by_id: Mapping[str, FreeChild], together: Collection[Pair]) -> tuple[list[tuple[str, str]], set[str]]:
    """Return the wishes that can be met: both are free, and neither is in an earlier wish."""
    boards: list[tuple[str, str]] = []
    taken: set[str] = set()
    for wish in sorted(map(sorted, together)):
        if len(wish) == 2 and set(wish) <= by_id.keys() and not set(wish) & taken:
            boards.append((wish[0], wish[1]))
            taken |= set(wish)
    return boards, taken


def _matched(field: Sequence[FreeChild], forbidden: Collection[Pair]) -> list[tuple[str, str]]:
    """As many boards as can be, with the smallest total penalty. Of an odd number one sits out, at a price too."""
    if len(field) < 2:
        return []
    if len(field) <= ALL_PAIRS:
        return _solved(field, forbidden, combinations(range(len(field)), 2))
    near = ((a, b) for a in range(len(field)) for b in range(a + 1, min(a + 1 + NEAREST, len(field))))
    found = _solved(field, forbidden, near)
    if len(found) == len(field) // 2 and (len(field) > STILL_ALL_PAIRS or _by_rating_alone(field, found)):
        return found
    return _solved(field, forbidden, combinations(range(len(field)), 2))


def _by_rating_alone(field: Sequence[FreeChild], pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether nothing but distance speaks against these boards: then no children further apart would do better."""
    by_id = {child.id: child for child in field}
    costs = (penalty(by_id[a], by_id[b]) for a, b in pairs)
    return all(cost.rematch == cost.colours == 0 for cost in costs)


def _solved(
    field: Sequence[FreeChild], forbidden: Collection[Pair], pairs: Iterable[tuple[int, int]]
) -> list[tuple[str, str]]:
    # One whole number for each edge: no sum of a lower penalty reaches one of a higher.
    step = (len(field) // 2 + 1) * max(LARGEST_GAP**2 + LATELY[0] ** 2 + 2 * SAME_COLOUR**2, 2 * MOST) + 1
    edges = [
        (a, b, -_weight(_against(field[a], field[b]), step))
        for a, b in pairs
        if not forbidden or frozenset((field[a].id, field[b].id)) not in forbidden
    ]
    graph: rx.PyGraph[int, int] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(field)))
    if len(field) % 2:
        nobody = graph.add_node(-1)
        edges += [(place, nobody, -_weight(astuple(_bye(child)), step)) for place, child in enumerate(field)]
    graph.add_edges_from(edges)
    found = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((field[min(pair)].id, field[max(pair)].id) for pair in found if max(pair) < len(field))


def _weight(against: tuple[int, ...], step: int) -> int:
    rematch, bye, colours, distance = against
    return ((rematch * step + bye) * step + colours) * step + distance
