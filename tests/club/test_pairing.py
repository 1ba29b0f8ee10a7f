"""The pairing: never worse than another way to pair, fair over a season, and the same every time."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import combinations

import rustworkx as rx
from hypothesis import given, settings
from hypothesis import strategies as st

from crosstable.club.pairing import FreeChild, NightPairing, Penalty, _bye, pair, penalty

IDS = [f"c{number}" for number in range(10)]


def children(most: int, least: int = 1) -> st.SearchStrategy[list[FreeChild]]:
    def child(id: str) -> st.SearchStrategy[FreeChild]:
        others = [one for one in IDS if one != id]
        return st.builds(
            FreeChild,
            id=st.just(id),
            rating=st.integers(300, 1100),
            opponents=st.lists(st.sampled_from(others), max_size=6).map(tuple),
            colours=st.text("wb", max_size=6),
            byes=st.integers(0, 3),
            byes_tonight=st.integers(0, 1),
        )

    return st.integers(least, most).flatmap(lambda count: st.tuples(*(child(id) for id in IDS[:count])).map(list))


def every_pairing(field: list[FreeChild]) -> list[list[tuple[FreeChild, ...]]]:
    """All ways to pair a field; of an odd number, each child sits out in turn."""
    if len(field) % 2:
        return [
            [(one,), *rest]
            for place, one in enumerate(field)
            for rest in every_pairing(field[:place] + field[place + 1 :])
        ]
    if not field:
        return [[]]
    first, *others = field
    return [
        [(first, one), *rest]
        for place, one in enumerate(others)
        for rest in every_pairing(others[:place] + others[place + 1 :])
    ]


def total(boards: list[tuple[FreeChild, ...]]) -> Penalty:
    return sum((penalty(*one) if len(one) == 2 else _bye(one[0]) for one in boards), Penalty())


def greedy(field: list[FreeChild]) -> list[tuple[FreeChild, ...]]:
    """From the top: the bye for whom it costs least, then each child with the best opponent who is left."""
    left = sorted(field, key=lambda child: (-child.rating, child.id))
    boards: list[tuple[FreeChild, ...]] = []
    if len(left) % 2:
        boards.append((min(left, key=_bye),))
        left.remove(boards[0][0])
    while left:
        first = left.pop(0)
        other = min(left, key=lambda child: penalty(first, child))
        left.remove(other)
        boards.append((first, other))
    return boards


@given(children(most=8))
@settings(deadline=None, max_examples=150)
def test_no_other_pairing_is_better(field: list[FreeChild]) -> None:
    assert pair(field).penalty == min(total(one) for one in every_pairing(field))


@given(children(most=10, least=9))
@settings(deadline=None, max_examples=12)
def test_no_other_pairing_is_better_with_ten(field: list[FreeChild]) -> None:
    assert pair(field).penalty == min(total(one) for one in every_pairing(field))


@given(st.integers(0, 10**9), st.integers(2, 150))
@settings(deadline=None, max_examples=40)
def test_never_worse_than_greedy(seed: int, count: int) -> None:
    rng = random.Random(seed)
    ids = [str(number) for number in range(count)]
    field = [
        FreeChild(
            id,
            rng.randint(300, 1200),
            tuple(rng.choices([i for i in ids if i != id], k=5)),
            "".join(rng.choices("wb", k=5)),
        )
        for id in ids
    ]
    assert pair(field).penalty <= total(greedy(field))


def test_everybody_plays_once_and_one_of_an_odd_number_sits_out() -> None:
    field = [FreeChild(id, 400) for id in IDS[:9]]
    found = pair(field)
    seated = [id for board in found.boards for id in (board.white, board.black)]
    assert sorted([*seated, *found.out]) == sorted(child.id for child in field)
    assert len(found.out) == 1


def test_nearest_ratings_play_each_other() -> None:
    found = pair([FreeChild("a", 700), FreeChild("b", 690), FreeChild("c", 410), FreeChild("d", 400)])
    assert [{board.white, board.black} for board in found.boards] == [{"a", "b"}, {"c", "d"}]


def test_wishes_come_first_and_children_kept_apart_never_meet() -> None:
    field = [FreeChild("a", 700), FreeChild("b", 690), FreeChild("c", 410), FreeChild("d", 400)]
    wished = pair(field, together=[frozenset("ad")])
    assert {frozenset((board.white, board.black)) for board in wished.boards} == {frozenset("ad"), frozenset("bc")}
    assert any("requested by the teacher" in board.why for board in wished.boards)
    siblings = pair(field, apart=[frozenset("ab")])
    assert frozenset("ab") not in {frozenset((board.white, board.black)) for board in siblings.boards}
    assert pair(field[:2], apart=[frozenset("ab")]).out == ("a", "b")


def test_who_just_played_each_other_may_wait() -> None:
    field = [FreeChild("a", 400, ("b",), "w"), FreeChild("b", 400, ("a",), "b")]
    assert pair(field, rematches=False).boards == ()
    again = pair(field).boards[0]
    assert again.white == "b"  # who had Black before
    assert "no other way" in again.why


def test_a_second_bye_is_avoided() -> None:
    field = [FreeChild("a", 500, byes_tonight=1), FreeChild("b", 450), FreeChild("c", 400)]
    assert pair(field).out != ("a",)


def test_it_says_why() -> None:
    white = FreeChild("a", 500, ("x", "b", "y", "z"), "wbwb")
    black = FreeChild("b", 600, (), "w")
    board = pair([white, black]).boards[0]
    assert (board.white, board.black) == ("a", "b")
    assert board.why == "100 points apart; they met 3 games ago; White had Black last; Black had White last"


SEASON = """
import random
from crosstable.club.pairing import FreeChild, pair
rng = random.Random(7)
field = [FreeChild(str(n), rng.choice((400, 412, 430)), tuple(rng.choices("abc", k=2)), "".join(rng.choices("wb", k=3)))
         for n in range(41)]
print(pair(field))
"""


def test_the_same_children_are_paired_the_same_way_in_every_process() -> None:
    said = {
        subprocess.run([sys.executable, "-c", SEASON], capture_output=True, text=True, check=True).stdout
        for _ in range(3)
    }
    assert len(said) == 1


class Season:
    """Nights of random results, with the children who are here; what each child has played."""

    def __init__(self, count: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.strength = {f"c{number:02}": self.rng.gauss(0, 250) for number in range(count)}
        self.rating = dict.fromkeys(self.strength, 400.0)
        self.opponents: dict[str, tuple[str, ...]] = dict.fromkeys(self.strength, ())
        self.colours = dict.fromkeys(self.strength, "")
        self.byes = dict.fromkeys(self.strength, 0)

    def child(self, id: str, tonight: dict[str, int]) -> FreeChild:
        seen = self.opponents[id], self.colours[id], self.byes[id], tonight.get(id, 0)
        return FreeChild(id, self.rating[id], *seen)

    def play(self, found: NightPairing) -> None:
        for board in found.boards:
            a, b = board.white, board.black
            self.opponents[a] += (b,)
            self.opponents[b] += (a,)
            self.colours[a] += "w"
            self.colours[b] += "b"
            gap = self.strength[a] - self.strength[b] + self.rng.gauss(0, 150)
            points = 21 if gap > 0 else -21
            self.rating[a] = max(300, self.rating[a] + points)
            self.rating[b] = max(300, self.rating[b] - points)


def fewest(field: list[FreeChild], bad: list[tuple[str, str]]) -> int:
    """The least number of these pairs without which nobody more could be paired, by a matching of its own."""
    graph: rx.PyGraph[str, int] = rx.PyGraph()
    at = {child.id: graph.add_node(child.id) for child in field}
    wrong = {frozenset(one) for one in bad}
    for a, b in combinations(at, 2):
        graph.add_edge(at[a], at[b], -1 if frozenset((a, b)) in wrong else 0)
    found = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sum(frozenset((graph[a], graph[b])) in wrong for a, b in found)


def test_twenty_nights_with_everybody_here_keep_colours_within_one() -> None:
    for count, seed in ((16, 1), (17, 2), (30, 3)):
        season = Season(count, seed)
        for _ in range(20):
            tonight: dict[str, int] = {}
            for _ in range(3):
                found = pair(season.child(id, tonight) for id in season.strength)
                assert found.penalty.rematch == 0  # with sixteen children there is always another way
                for id in found.out:
                    season.byes[id] += 1
                    tonight[id] = tonight.get(id, 0) + 1
                season.play(found)
                apart = [colours.count("w") - colours.count("b") for colours in season.colours.values()]
                assert max(map(abs, apart)) <= 1
        assert max(season.byes.values()) - min(season.byes.values()) <= 1


def test_twenty_nights_with_absences_break_no_rule_that_can_be_kept() -> None:
    season = Season(20, 4)
    for _ in range(20):
        here = sorted(season.rng.sample(sorted(season.strength), season.rng.randint(2, 18)))
        tonight: dict[str, int] = {}
        for _ in range(3):
            field = [season.child(id, tonight) for id in here]
            again = [(child.id, child.opponents[-1]) for child in field if child.opponents]
            found = pair(field)
            assert found.penalty.rematch <= fewest(field, again)
            clashes = [(a.id, b.id) for a, b in combinations(field, 2) if penalty(a, b).colours]
            if len(field) % 2 == 0 and fewest(field, again + clashes) == 0:
                assert found.penalty.colours == 0  # nobody's colours come further apart than one without need
            for id in found.out:
                season.byes[id] += 1
                tonight[id] = tonight.get(id, 0) + 1
            season.play(found)


def test_children_far_apart_meet_where_the_nearest_have_the_wrong_colours() -> None:
    """34 who had White twice, 34 far below who had Black twice: each board has one of both, at no cost of colours."""
    field = [FreeChild(f"w{number:02}", 1000 + number, (), "ww") for number in range(34)]
    field += [FreeChild(f"b{number:02}", 300 + number, (), "bb") for number in range(34)]
    found = pair(field)
    assert found.penalty.colours == 0
    assert all(board.white.startswith("b") and board.black.startswith("w") for board in found.boards)
