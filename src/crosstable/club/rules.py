"""What the club's ratings go by: the rules of its system with the club's own numbers, and a few games as examples."""

from __future__ import annotations

from crosstable.club.sentences import RatedPlayer, Sentence, of_game
from crosstable.office.requests.club_numbers import club_system
from crosstable.office.storage import clock
from crosstable.rulebook import browsing
from crosstable.rulebook.browsing import Dated
from crosstable.systems.st_charles import StCharles

#: Leo's and Nora's ratings before the game, and Leo's score
EXAMPLES = ((500, 500, 1.0), (500, 600, 1.0), (600, 500, 1.0), (500, 600, 0.5))


def in_force() -> list[Dated]:
    book = club_system().book
    return browsing.in_force(book, max(clock.today_here(), book.first))


def examples() -> list[Sentence]:
    """Games in the words of the board; none for a system whose sums are not added up in the head."""
    system = club_system()
    if not isinstance(system, StCharles):
        return []
    found = []
    for leo, nora, score in EXAMPLES:
        mine, theirs = system.score(leo, nora, score)
        found.append(of_game(RatedPlayer("Leo", leo, mine.post), RatedPlayer("Nora", nora, theirs.post), score, system))
    return found
